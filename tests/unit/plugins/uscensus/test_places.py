"""Places as areas: codes, levels, cities by name, changed counties, and what is refused."""

from __future__ import annotations

import pytest

from plugins.uscensus.client import CensusClient
from plugins.uscensus.geography import Area
from plugins.uscensus.places import resolve_entity, resolve_population
from plugins.uscensus.successions import code_in, exists_in
from shared.query.annotated import EntityResolved
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.quantity import PlaceKind
from shared.query.readings import EntityMention, PopulationMention
from shared.text.places import find_mentions
from tests.unit.plugins.uscensus.asked import Publisher


def named(text: str) -> EntityMention:
    return find_mentions(text)[0].mention


async def resolved(text: str) -> EntityResolved | Unanswerable:
    client = CensusClient(Publisher().send)
    return await resolve_entity(named(text), client, newest=2024, dataset="acs/acs5")


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
