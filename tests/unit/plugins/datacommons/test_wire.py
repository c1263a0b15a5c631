"""Recorded answers of the API are read rightly, its errors, holes and oddities included."""

from __future__ import annotations

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from plugins.datacommons.wire import (
    Question,
    number,
    observation_question,
    read_arcs,
    read_candidates,
    read_facets,
    read_object,
    read_series,
)
from shared.runtime.errors import PublisherError, PublisherRefused, PublisherUnreachable, ResponseMalformed
from tests.support.datacommons import RECORDED, on_the_wire, recorded, response

EXAMPLES = [
    json.loads(line)
    for line in (RECORDED / "rest_v2_docs_examples.ndjson").read_text(encoding="utf-8").splitlines()
]
ERRORS = [json.loads(line) for line in (RECORDED / "error_bodies.ndjson").read_text(encoding="utf-8").splitlines()]
SHARED = Path(__file__).resolve().parents[5] / "shared" / "data" / "datacommons"


def figures(body: Any) -> dict[tuple[str, str, str, str], Decimal]:
    """Every figure of an observation answer as it is read."""
    return {
        (variable, place, one.facet, cell.date): cell.value
        for variable, place, series, _ in read_series(body, "a test")
        for one in series
        for cell in one.cells
    }


def counted(body: Any) -> int:
    """How many figures an observation answer holds, counted without the reader."""
    return sum(
        observation.get("value") is not None
        for of_variable in body["byVariable"].values()
        for of_place in (of_variable.get("byEntity") or {}).values()
        for facet in of_place.get("orderedFacets") or ()
        for observation in facet.get("observations") or ()
    )


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: f"{example['endpoint']} {example['title'][:12]}")
def test_every_documented_answer_is_read(example: dict[str, Any]) -> None:
    body = read_object(response(example["response"]), "a test")
    match example["endpoint"]:
        case "/v2/observation":
            assert len(figures(body)) == counted(body)
            assert set(read_facets(body)) == set(body.get("facets") or {})
        case "/v2/node":
            nodes = {node: row.get("arcs") or {} for node, row in body["data"].items()}
            read = {(node, prop): len(places) for node, prop, places in read_arcs(body, "a test")}
            assert read == {
                (node, prop): len(arc["nodes"]) for node, arcs in nodes.items() for prop, arc in arcs.items()
            }
        case "/v2/resolve":
            read_names = {
                name: [place.dcid for place in places] for name, places in read_candidates(body, "a test")
            }
            expected = {one["node"]: [c["dcid"] for c in one.get("candidates", ())] for one in body["entities"]}
            assert read_names == expected


@pytest.mark.parametrize(
    "name",
    ["latest.json", "us_state_latest.json.gz", "country_latest.json.gz", "ca_county_latest.json.gz",
     "max_temperature.json.gz", "str_val.json", "filter.json"],
)  # fmt: skip
def test_every_figure_of_a_recorded_answer_is_read(name: str) -> None:
    body = on_the_wire(recorded(name))
    assert len(figures(body)) == counted(body) > 0


def test_the_newest_population_of_the_usa_has_fourteen_sources() -> None:
    body = on_the_wire(recorded("country_latest.json.gz"))
    usa = {facet: value for (_, place, facet, _), value in figures(body).items() if place == "country/USA"}
    assert usa["2176550201"] == 341784857
    assert usa["3981252704"] == 340110988
    assert read_facets(body)["2176550201"].import_name == "USCensusPEP_Annual_Population"


@pytest.mark.parametrize("name", ["empty.json", "dummy_type.json", "existence.json", "no_matching_date.json"])
def test_what_has_no_figures_is_no_error(name: str) -> None:
    assert figures(on_the_wire(recorded(name))) == {}


def test_an_empty_object_stands_for_unknown_ids() -> None:
    assert figures(read_object(response({}), "a test")) == {}


def answer(*facets: Any) -> dict[str, Any]:
    return {"byVariable": {"Count_Person": {"byEntity": {"geoId/06": {"orderedFacets": list(facets)}}}}}


def facet(name: str, *cells: tuple[str, Any]) -> dict[str, Any]:
    return {"facetId": name, "observations": [{"date": date, "value": value} for date, value in cells]}


def test_holes_give_nothing() -> None:
    body = answer(facet("1", ("2020", 5)), {"facetId": "2"}, {"facetId": "3", "observations": [{"date": "2020"}]})
    body["byVariable"]["Count_Person"]["byEntity"] |= {"geoId/48": {}, "geoId/36": None}
    body["byVariable"]["Median_Age_Person"] = None
    assert list(figures(body)) == [("Count_Person", "geoId/06", "1", "2020")]


def test_one_facet_that_comes_twice_is_taken_once() -> None:
    body = answer(facet("1", ("2020", 5)), facet("1", ("2020", 5), ("2021", 6)))
    assert {date: value for (_, _, _, date), value in figures(body).items()} == {"2020": 5, "2021": 6}


def test_two_figures_of_one_date_in_one_facet_are_an_error() -> None:
    with pytest.raises(ResponseMalformed, match="two figures of Count_Person for geoId/06 on 2020"):
        figures(answer(facet("1", ("2020", 5)), facet("1", ("2020", 6))))


def test_numbers_written_as_strings_are_numbers_and_other_strings_are_told() -> None:
    ((_, _, (one,), unread),) = read_series(answer(facet("1", ("2020", "39368078"), ("2021", "n/a"))), "a test")
    assert [cell.value for cell in one.cells] == [Decimal(39368078)]
    assert unread == ["geoId/06 2021"]


@pytest.mark.parametrize(
    ("written", "value"),
    [(5, 5), (Decimal("11.30"), Decimal("11.30")), ("6.1", Decimal("6.1")), ("NaN", None), (float("nan"), None),
     (True, None), ("", None), ("(X)", None)],
)  # fmt: skip
def test_only_finite_numbers_are_numbers(written: object, value: Decimal | None) -> None:
    assert number(written) == value


def test_a_number_keeps_its_published_digits() -> None:
    raw = json.dumps(answer(facet("1", ("2020", 12345)))).replace("12345", "12.340")
    assert [str(value) for value in figures(read_object(response(raw.encode()), "a test")).values()] == ["12.340"]


@pytest.mark.parametrize("case", ERRORS, ids=lambda case: case["case"])
def test_every_recorded_error_body_is_told_from_data(case: dict[str, Any]) -> None:
    if not case["body"]:
        return
    with pytest.raises(PublisherError):
        read_object(response(case["body"], status=case["status"] or 200), "a test")


def test_a_missing_key_says_what_to_set() -> None:
    missing = next(case for case in ERRORS if case["case"] == "Missing API key")
    with pytest.raises(PublisherRefused, match="set DC_API_KEY"):
        read_object(response(missing["body"], status=401), "a test")


def test_a_failure_inside_the_service_is_not_the_askers() -> None:
    with pytest.raises(PublisherUnreachable):
        read_object(response({"code": 13, "message": "grpc: error while marshaling"}, status=500), "a test")


@pytest.mark.parametrize("body", [b"<html>busy</html>", b"[1]"])
def test_what_is_no_object_is_malformed(body: bytes) -> None:
    with pytest.raises(ResponseMalformed):
        read_object(response(body), "a test")


def test_a_short_question_is_an_address_and_a_long_one_a_body_with_the_same_fields() -> None:
    short = observation_question(["Count_Person"], entities=["geoId/06"], date="2020").request({})
    assert (short.method, short.body) == ("GET", None)
    assert "variable.dcids=Count_Person&entity.dcids=geoId%2F06" in short.full_url
    long = observation_question(["Count_Person"], entities=[f"geoId/{n:05}" for n in range(300)], date="LATEST")
    posted = long.request({"x-api-key": "k"})
    assert posted.method == "POST"
    body = json.loads(posted.body or b"")
    assert body["variable"] == {"dcids": ["Count_Person"]}
    assert body["entity"]["dcids"][:2] == ["geoId/00000", "geoId/00001"]
    assert body["select"] == ["date", "entity", "value", "variable"]


def test_a_containment_expression_is_asked_as_documented() -> None:
    asked = Question("observation", (("entity.expression", "geoId/06<-containedInPlace+{typeOf:County}"),)).request(
        {}
    )
    assert asked.full_url.endswith("entity.expression=geoId%2F06%3C-containedInPlace%2B%7BtypeOf:County%7D")
