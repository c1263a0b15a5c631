"""The recorded figures answer the API's own requests, digit for digit and with their provenance."""

from __future__ import annotations

import json
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from plugins.datacommons.client import DataCommonsClient
from plugins.datacommons.snapshot import store
from plugins.datacommons.snapshot.responder import DataCommonsResponder
from plugins.datacommons.wire import node_question, observation_question, read_series, resolve_question
from shared.runtime.http import HttpRequest
from tests.support.datacommons import counting, on_the_wire, recorded

LEFT_OUT = ("Wikidata", "Wikipedia", "Custom", "NITIIndia", "NASA", "Test")
"""Imports that are not carried: anybody's, projections, a test's own."""


def ask(request: HttpRequest) -> Any:
    return json.loads(DataCommonsResponder().respond(request).body, parse_float=Decimal)


@pytest.mark.parametrize(
    ("name", "variables", "expression"),
    [
        (
            "ca_county_latest.json.gz",
            ("Count_Person", "Median_Age_Person"),
            "geoId/06<-containedInPlace+{typeOf:County}",
        ),
        (
            "us_state_latest.json.gz",
            ("Count_Person_Employed", "Annual_Generation_Electricity", "UnemploymentRate_Person"),
            "country/USA<-containedInPlace+{typeOf:State}",
        ),
        ("country_latest.json.gz", ("Count_Person",), "Earth<-containedInPlace+{typeOf:Country}"),
    ],
)
def test_what_was_recorded_is_answered_again(name: str, variables: tuple[str, ...], expression: str) -> None:
    golden = on_the_wire(recorded(name))
    skipped = {key for key, row in golden["facets"].items() if str(row["importName"]).startswith(LEFT_OUT)}
    given = ask(observation_question(list(variables), entities=expression, date="").request({}))
    have = {
        (variable, place, one.facet, cell.date): cell.value
        for variable, place, series, _ in read_series(given, "a test")
        for one in series
        for cell in one.cells
    }
    checked = 0
    for variable, place, series, _ in read_series(golden, "a test"):
        if variable not in variables or not place.startswith(("geoId/", "country/")):
            continue
        for one in series:
            for cell in one.cells:
                if one.facet not in skipped:
                    assert have[variable, place, one.facet, cell.date] == cell.value
                    checked += 1
    assert checked > 100


def test_facets_stand_in_data_commons_own_order() -> None:
    given = ask(observation_question(["Count_Person"], entities=["country/USA"], date="LATEST").request({}))
    rows = given["byVariable"]["Count_Person"]["byEntity"]["country/USA"]["orderedFacets"]
    golden = on_the_wire(recorded("country_latest.json.gz"))
    wanted = golden["byVariable"]["Count_Person"]["byEntity"]["country/USA"]["orderedFacets"]
    order = [row["facetId"] for row in wanted]
    assert [row["facetId"] for row in rows if row["facetId"] in order] == order


def test_get_and_post_are_one_request() -> None:
    question = observation_question(["Count_Person"], entities=["geoId/06", "geoId/48"], date="2015")
    body = json.dumps(question.body()).encode()
    posted = HttpRequest("https://api.datacommons.org/v2/observation", method="POST", body=body)
    assert ask(posted) == ask(question.request({}))


def test_a_facet_filter_leaves_one_source() -> None:
    question = observation_question(["Count_Person"], entities=["geoId/06"], date="LATEST", facets=["1145703171"])
    rows = ask(question.request({}))["byVariable"]["Count_Person"]["byEntity"]["geoId/06"]["orderedFacets"]
    assert [row["facetId"] for row in rows] == ["1145703171"]


def test_unknown_ids_are_empty_objects_and_no_errors() -> None:
    given = ask(observation_question(["fake"], entities=["geoId/06"], date="LATEST").request({}))
    assert given == {"byVariable": {"fake": {}}}
    given = ask(observation_question(["Count_Person"], entities=["fake"], date="LATEST").request({}))
    assert given == {"byVariable": {"Count_Person": {}}}


def test_a_type_that_nothing_has_holds_nothing() -> None:
    expression = "country/FRA<-containedInPlace+{typeOf:DummyType}"
    assert ask(
        observation_question(["Count_Person"], entities=expression, date="LATEST").request({})
    ) == on_the_wire(recorded("dummy_type.json"))


def test_the_counties_of_california_are_listed_as_recorded() -> None:
    given = ask(node_question(["geoId/06"], "<-containedInPlace+{typeOf:County}").request({}))
    golden = recorded("contained_ca_county.json")

    def names(body: Any) -> dict[str, str]:
        nodes = body["data"]["geoId/06"]["arcs"]["containedInPlace+"]["nodes"]
        return {node["dcid"]: node["name"] for node in nodes}

    assert names(given) == names(golden)


def test_names_are_resolved_with_and_without_a_type() -> None:
    given = ask(resolve_question(["Georgia"], "<-description->dcid").request({}))
    assert {one["dcid"] for one in given["entities"][0]["candidates"]} == {"geoId/13", "country/GEO"}
    given = ask(resolve_question(["Georgia", "foo"], "<-description{typeOf:State}->dcid").request({}))
    assert given["entities"] == [{"node": "Georgia", "candidates": [{"dcid": "geoId/13"}]}, {"node": "foo"}]


@pytest.mark.parametrize("path", ["v2/sparql", "v1/observation", "v2"])
def test_what_is_no_endpoint_is_refused(path: str) -> None:
    given = DataCommonsResponder().respond(HttpRequest(f"https://api.datacommons.org/{path}"))
    assert given.status == 400


def test_a_property_that_is_no_expression_is_refused() -> None:
    assert DataCommonsResponder().respond(node_question(["geoId/06"], "nonsense here").request({})).status == 400


def test_a_body_that_is_no_json_is_refused() -> None:
    request = HttpRequest("https://api.datacommons.org/v2/node", method="POST", body=b"{")
    assert DataCommonsResponder().respond(request).status == 400


def test_figures_that_are_another_publishers_file_say_so() -> None:
    request = observation_question(["UnemploymentRate_Person"], entities=["geoId/06037"], date="LATEST").request({})
    note = DataCommonsResponder().respond(request).headers["x-snapshot-note"]
    assert "as the Bureau of Labor Statistics published them in 2021" in note


def test_every_file_has_its_provenance() -> None:
    table = (store.DATA / "PROVENANCE.tsv").read_text(encoding="utf-8").splitlines()
    listed = " ".join(line.split("\t")[0] for line in table[1:])
    assert all(len(line.split("\t")) == 6 for line in table)
    for path in store.DATA.iterdir():
        assert path.name == "PROVENANCE.tsv" or path.name in listed or path.name == "values"


def test_every_carried_facet_is_described() -> None:
    described = store.facets()
    for path in sorted((store.DATA / "values").iterdir()):
        variable = path.name.removesuffix(".tsv.gz")
        assert {table.facet for table in store.tables(variable)} <= set(described)


def test_every_note_is_of_figures_that_are_carried() -> None:
    for variable, facet in store.notes():
        assert facet in {table.facet for table in store.tables(variable)}


async def test_all_counties_come_in_one_request() -> None:
    seen: list[HttpRequest] = []
    client = DataCommonsClient(counting(seen))
    expression = "country/USA<-containedInPlace+{typeOf:County}"
    await client.observations(["Median_Age_Person"], expression)
    began = time.process_time()
    found = await client.observations(["Median_Age_Person"], expression)
    assert len(found.by_variable["Median_Age_Person"]) > 3200
    assert len(seen) == 2
    assert time.process_time() - began < 1.5


def test_the_carried_files_are_small() -> None:
    assert sum(path.stat().st_size for path in Path(store.DATA).rglob("*.gz")) < 2_000_000
