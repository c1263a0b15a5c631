"""The client asks in batches, follows pages to an end, and holds answers against its requests."""

from __future__ import annotations

from typing import Any

import pytest

from plugins.datacommons.client import BATCH, MOST_PAGES, DataCommonsClient
from shared.runtime.errors import ResponseMalformed
from shared.runtime.http import HttpRequest
from tests.support.datacommons import counting, on_the_wire, recorded, saying

EMPTY: dict[str, Any] = {"byVariable": {}}


def page(*dcids: str, token: str = "") -> dict[str, Any]:
    nodes = [{"dcid": dcid, "name": dcid.upper()} for dcid in dcids]
    body: dict[str, Any] = {"data": {"geoId/06": {"arcs": {"containedInPlace+": {"nodes": nodes}}}}}
    return body | ({"nextToken": token} if token else {})


async def test_recorded_figures_answer_with_their_note_and_date() -> None:
    seen: list[HttpRequest] = []
    found = await DataCommonsClient(counting(seen)).observations(["Count_Person"], ["geoId/06"])
    newest = {one.facet: one.cells[-1] for one in found.of("Count_Person", "geoId/06")}
    assert tuple(newest["2176550201"]) == ("2025", 39355309)
    assert found.provenance.snapshot_as_of is not None
    assert "FRED" in found.provenance.notes["2176550201"]
    assert len(seen) == 1


async def test_places_go_in_batches_and_none_is_asked_twice() -> None:
    seen: list[HttpRequest] = []
    places = [f"geoId/{n:05}" for n in range(BATCH * 2 + 1)]
    await saying(EMPTY, seen=seen).observations(["Count_Person"], [*places, *places])
    assert len(seen) == 3


async def test_the_key_travels_in_a_header_and_stands_in_no_receipt() -> None:
    seen: list[HttpRequest] = []
    found = await saying(EMPTY, key="secret", seen=seen).observations(["Count_Person"], ["geoId/06"])
    assert seen[0].headers["x-api-key"] == "secret"
    assert "secret" not in repr(found.provenance.requests)


async def test_pages_are_followed_by_their_tokens() -> None:
    seen: list[HttpRequest] = []
    client = saying(page("a", token="t1"), page("b", token="t2"), page("b", "c"), seen=seen)
    found = await client.contained("geoId/06", "City")
    assert [place.dcid for place in found.rows] == ["a", "b", "c"]
    assert "nextToken=t2" in seen[2].full_url


async def test_recorded_pages_are_joined() -> None:
    first, second = (on_the_wire(recorded(f"contained_page_{number}.json.gz")) for number in (1, 2))
    second.pop("nextToken", None)
    bodies = [{**body, "data": {"geoId/06": body["data"]["geoId/06"]}} for body in (first, second)]
    found = await saying(*bodies).contained("geoId/06", "Place")
    assert len(found.rows) > 900


async def test_a_token_that_comes_again_ends_the_asking() -> None:
    with pytest.raises(ResponseMalformed, match="has no end: 2 pages"):
        await saying(page("a", token="t1")).contained("geoId/06", "City")


async def test_tokens_without_end_are_bounded() -> None:
    bodies = [page("a", token=f"t{number}") for number in range(MOST_PAGES + 5)]
    seen: list[HttpRequest] = []
    with pytest.raises(ResponseMalformed, match="has no end"):
        await saying(*bodies, seen=seen).contained("geoId/06", "City")
    assert len(seen) == MOST_PAGES


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ({"byVariable": {"Other": {"byEntity": {"geoId/06": {}}}}}, "Other came"),
        ({"byVariable": {"Count_Person": {"byEntity": {"geoId/48": {}}}}}, "geoId/48 came"),
        (
            {"byVariable": {"Count_Person": {"byEntity": {"geoId/06": {"orderedFacets": [
                {"facetId": "9", "observations": [{"date": "2019", "value": 1}]}]}}}}},
            "2019 came",
        ),
    ],
)  # fmt: skip
async def test_an_answer_to_another_question_is_malformed(body: Any, reason: str) -> None:
    with pytest.raises(ResponseMalformed, match=reason):
        await saying(body).observations(["Count_Person"], ["geoId/06"], date="2020")


async def test_a_facet_that_was_not_asked_for_is_malformed() -> None:
    rows = [{"facetId": "9", "observations": [{"date": "2020", "value": 1}]}]
    body = {"byVariable": {"Count_Person": {"byEntity": {"geoId/06": {"orderedFacets": rows}}}}}
    with pytest.raises(ResponseMalformed, match="9 came"):
        await saying(body).observations(["Count_Person"], ["geoId/06"], facets=["1"])


async def test_names_that_mean_several_places_keep_their_order() -> None:
    body = on_the_wire(recorded("resolve_abbreviated.json"))
    names = [row["node"] for row in body["entities"]]
    found = await saying(body).candidates(names)
    assert [place.dcid for place in found.by_name["ME"]] == ["geoId/23", "country/MNE"]
    assert found.by_name["Mountain View, US"][0].dcid == "geoId/0649670"


async def test_a_name_that_nothing_bears_has_no_candidates() -> None:
    found = await saying(on_the_wire(recorded("resolve_v3.json"))).candidates(["California", "foo"])
    assert found.by_name["foo"] == ()


async def test_names_of_places_are_read_and_nodes_without_one_are_left_out() -> None:
    body = on_the_wire(recorded("names.json"))
    assert (await saying(body).names(list(body["data"])))["geoId/06"] == "California"
