"""Places as areas: codes, levels, cities by name, changed counties, and what is refused."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from plugins.choice.builtin_rules import BUILTIN_RULES
from plugins.uscensus.client import CensusClient
from plugins.uscensus.geography import Area
from plugins.uscensus.places import Searching, resolve_entity, resolve_population
from plugins.uscensus.successions import code_in, exists_in
from shared.models.builtin import BuiltinJudge
from shared.query.annotated import EntityResolved
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.quantity import PlaceKind
from shared.query.readings import EntityMention, PopulationMention
from shared.text.places import find_mentions
from tests.support.model_server import Asked, Reply, right
from tests.unit.plugins.choice.test_place_task import context
from tests.unit.plugins.uscensus.asked import Body, Publisher
from tests.unit.shared.models.conftest import standing


def named(text: str) -> EntityMention:
    return find_mentions(text)[0].mention


async def resolved(text: str, *judges: Any) -> EntityResolved | Unanswerable:
    return await among(Publisher(), text, *judges)


async def among(publisher: Publisher, text: str, *judges: Any) -> EntityResolved | Unanswerable:
    client = CensusClient(publisher.send)
    searching = Searching(client, 2024, "acs/acs5", f"What is the population of {text}?", context(*judges))
    return await resolve_entity(named(text), searching)


@pytest.mark.parametrize(
    ("text", "area"),
    [
        ("the United States", "us:1"),
        ("Texas", "state:48"),
        ("Harris County, Texas", "county:48/201"),
        ("Puerto Rico", "state:72"),
        ("census tract 1011.10 in Los Angeles County, California", "tract:06/037/101110"),
        ("tract 5, Harris County, Texas", "tract:48/201/000500"),
        ("Phoenix, Arizona", "place:04/55000"),
    ],
)
async def test_a_place_of_any_level_is_an_area(text: str, area: str) -> None:
    found = await resolved(text)
    assert isinstance(found, EntityResolved)
    assert found.expression == area


@pytest.mark.parametrize(
    ("text", "why"), [("France", "France is none"), ("Dallas, Texas", "no list of the places of Texas")]
)
async def test_a_place_without_figures_is_refused_with_the_reason(text: str, why: str) -> None:
    found = await resolved(text)
    assert isinstance(found, Unanswerable)
    assert found.status is FailureStatus.NOT_COVERED
    assert why in found.reason


@pytest.mark.parametrize(
    ("area", "params"),
    [
        ("us:1", [("for", "us:1")]),
        ("county:*/*", [("for", "county:*")]),
        ("county:48/*", [("for", "county:*"), ("in", "state:48")]),
        ("tract:06/037/*", [("for", "tract:*"), ("in", "state:06"), ("in", "county:037")]),
    ],
)
def test_an_area_is_written_as_the_api_wants_it(area: str, params: list[tuple[str, str]]) -> None:
    assert Area.parse(area).params == params
    assert str(Area.parse(area)) == area


SPRINGFIELDS: dict[str, str] = {
    "72000": "Springfield city, Illinois",
    "72010": "Springfield CDP, Illinois",
    "99999": "Elsewhere village, Illinois",
}


def places(names: Mapping[str, str]) -> Publisher:
    """A publisher whose newest vintage lists these places of Illinois."""
    rows: Body = [[name, "17", code] for code, name in names.items()]
    return Publisher({2024: [["NAME", "state", "place"], *rows]})


def judge_that_says(place: str) -> Any:
    async def answering(asked: Asked) -> Reply:
        offered = {one["id"] for one in asked.data["candidates"]}
        assert offered == {"1772000", "1772010"}
        return right({"place": place, "why": ""})

    return standing("openai", answering)


async def test_of_two_places_of_a_name_in_one_state_the_rule_takes_the_city() -> None:
    found = await among(places(SPRINGFIELDS), "Springfield, Illinois", BuiltinJudge(BUILTIN_RULES))
    assert isinstance(found, EntityResolved)
    assert found.expression == "place:17/72000"


async def test_a_model_chooses_among_the_offered_places_alone() -> None:
    async with judge_that_says("1772010") as (_, judge):
        found = await among(places(SPRINGFIELDS), "Springfield, Illinois", judge, BuiltinJudge(BUILTIN_RULES))
    assert isinstance(found, EntityResolved)
    assert found.expression == "place:17/72010"
    assert found.entity is not None
    assert found.entity.keys["census_place"] == "1772010"


async def test_a_place_that_was_not_offered_is_a_visible_failure() -> None:
    async with judge_that_says("1799999") as (_, judge):
        found = await among(places(SPRINGFIELDS), "Springfield, Illinois", judge, BuiltinJudge(BUILTIN_RULES))
    assert isinstance(found, Unanswerable)
    assert "broke the contract of choose_place" in found.reason


async def test_two_places_of_one_name_and_kind_are_not_guessed_between() -> None:
    twice = {"72000": "Springfield CDP, Illinois", "72010": "Springfield CDP, Illinois"}
    found = await among(places(twice), "Springfield, Illinois", BuiltinJudge(BUILTIN_RULES))
    assert isinstance(found, Unanswerable)
    assert found.status is FailureStatus.AMBIGUOUS
    assert "1772000" in found.reason
    assert "1772010" in found.reason


def population(member: PlaceKind, text: str, container: str | None) -> PopulationMention:
    return PopulationMention(member=member, text=text, container=named(container) if container else None)


@pytest.mark.parametrize(
    ("asked", "area"),
    [
        (population(PlaceKind.US_STATE, "states", None), "state:*"),
        (population(PlaceKind.US_COUNTY, "counties", "the United States"), "county:*/*"),
        (population(PlaceKind.US_COUNTY, "counties in Texas", "Texas"), "county:48/*"),
        (population(PlaceKind.PLACE, "census tracts in Harris County", "Harris County, Texas"), "tract:48/201/*"),
        (
            population(PlaceKind.PLACE, "congressional districts in Georgia", "Georgia"),
            "congressional district:13/*",
        ),
        (population(PlaceKind.CITY, "cities in Arizona", "Arizona"), "place:04/*"),
    ],
)
def test_members_are_all_areas_of_a_level(asked: PopulationMention, area: str) -> None:
    found = resolve_population(asked, "")
    assert isinstance(found, EntityResolved)
    assert found.expression == area


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        (population(PlaceKind.COUNTRY, "countries", None), "not of countries"),
        (
            population(PlaceKind.US_COUNTY, "counties in Harris County", "Harris County, Texas"),
            "no counties inside",
        ),
        (population(PlaceKind.PLACE, "census tracts", None), "inside the whole country at once"),
        (population(PlaceKind.US_COUNTY, "counties in France", "France"), "France is none"),
    ],
)
def test_a_container_that_holds_no_such_members_is_refused(asked: PopulationMention, why: str) -> None:
    found = resolve_population(asked, "")
    assert isinstance(found, Unanswerable)
    assert why in found.reason


@pytest.mark.parametrize(
    ("fips", "vintage", "code"),
    [
        ("48201", 2023, "48201"),
        ("46113", 2014, "46113"),
        ("46113", 2015, "46102"),
        ("46102", 2014, "46113"),
        ("02270", 2023, "02158"),
        ("02261", 2019, "02261"),
        ("02261", 2020, None),
        ("02063", 2019, None),
        ("51515", 2013, None),
        ("09003", 2021, "09003"),
        ("09003", 2022, None),
        ("09110", 2021, None),
    ],
)
def test_a_county_keeps_its_figures_only_where_it_is_the_same_land(
    fips: str, vintage: int, code: str | None
) -> None:
    assert code_in(fips, vintage) == code
    assert exists_in(fips, vintage) == (code == fips)
