"""Places by their codes, populations by what contains them, and places that exist no more."""

from __future__ import annotations

from typing import Any

import pytest

from plugins.datacommons.client import DataCommonsClient
from plugins.datacommons.places import (
    dcid_of,
    in_territory,
    known_members,
    known_place,
    place_of,
    renamed,
)
from plugins.datacommons.resolving import resolve_entity, resolve_population
from plugins.datacommons.snapshot.graph import contained
from plugins.datacommons.successions import ENDED, exists_in
from shared.query.annotated import EntityResolved
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.quantity import Entity, PlaceKind
from shared.query.readings import EntityMention, PopulationMention
from shared.runtime.http import HttpRequest
from shared.text.places import by_code, by_name
from tests.support.datacommons import counting, saying
from tests.unit.plugins.datacommons.conftest import context_of

COUNTIES = "country/USA<-containedInPlace+{typeOf:County}"


def asking() -> dict[str, Any]:
    return {"question": "How many people live there?", "context": context_of()}


def mention(code: str) -> EntityMention:
    entity = by_code(code)
    assert entity is not None
    return EntityMention(text=entity.name, status="resolved", entity=entity)


def city(name: str, state: str) -> EntityMention:
    entity = Entity(name=name, kind=PlaceKind.CITY, keys={"city": name, "country": "USA", "state": state})
    return EntityMention(text=name, status="resolved", entity=entity)


@pytest.mark.parametrize(
    ("code", "dcid"),
    [("US-CA", "geoId/06"), ("48201", "geoId/48201"), ("IND", "country/IND"), ("WLD", "Earth"),
     ("GEO", "country/GEO"), ("US-GA", "geoId/13")],
)  # fmt: skip
async def test_what_has_a_code_needs_no_request(code: str, dcid: str) -> None:
    seen: list[HttpRequest] = []
    found = await resolve_entity(mention(code), DataCommonsClient(counting(seen)), **asking())
    assert isinstance(found, EntityResolved)
    assert found.entity is not None
    assert found.entity.keys["dcid"] == dcid
    assert seen == []


async def test_a_city_is_looked_up_by_its_name_and_state() -> None:
    found = await resolve_entity(city("Phoenix", "AZ"), DataCommonsClient(counting([])), **asking())
    assert isinstance(found, EntityResolved)
    assert found.entity is not None
    assert found.entity.keys["dcid"] == "geoId/0455000"


async def test_a_city_in_another_state_is_not_taken() -> None:
    body = {"entities": [{"node": "Springfield, Illinois", "candidates": [{"dcid": "geoId/2970000"}]}]}
    found = await resolve_entity(city("Springfield", "IL"), saying(body), **asking())
    assert isinstance(found, Unanswerable)
    assert found.status is FailureStatus.NOT_COVERED


async def test_several_places_of_one_name_are_not_guessed_among() -> None:
    rows = [{"dcid": "wikidataId/Q1"}, {"dcid": "wikidataId/Q2"}]
    body = {"entities": [{"node": "Saint-Denis", "candidates": rows}]}
    entity = Entity(name="Saint-Denis", kind=PlaceKind.PLACE, keys={"place": "saint-denis"})
    asked = EntityMention(text="Saint-Denis", status="resolved", entity=entity)
    found = await resolve_entity(asked, saying(body, {"data": {}}), **asking())
    assert isinstance(found, Unanswerable)
    assert found.status is FailureStatus.AMBIGUOUS
    assert "add the state or country" in found.reason


async def test_a_company_is_no_place() -> None:
    entity = Entity(name="Apple", kind=PlaceKind.COMPANY, keys={"ticker": "AAPL"})
    found = await resolve_entity(
        EntityMention(text="Apple", status="resolved", entity=entity), saying({}), **asking()
    )
    assert isinstance(found, Unanswerable)
    assert found.status is FailureStatus.NOT_COVERED


def population(member: PlaceKind, container: EntityMention | None = None, **more: object) -> PopulationMention:
    return PopulationMention.model_validate(
        {"member": member, "text": f"every {member.value}", "container": container, **more}
    )


@pytest.mark.parametrize(
    ("member", "container", "expression"),
    [
        (PlaceKind.US_COUNTY, "US-CA", "geoId/06<-containedInPlace+{typeOf:County}"),
        (PlaceKind.US_COUNTY, "USA", COUNTIES),
        (PlaceKind.US_STATE, "USA", "country/USA<-containedInPlace+{typeOf:State}"),
        (PlaceKind.CITY, "US-AZ", "geoId/04<-containedInPlace+{typeOf:City}"),
        (PlaceKind.COUNTRY, None, "Earth<-containedInPlace+{typeOf:Country}"),
        (PlaceKind.COUNTRY, "WLD", "Earth<-containedInPlace+{typeOf:Country}"),
        (PlaceKind.US_STATE, "IND", "country/IND<-containedInPlace+{typeOf:AdministrativeArea1}"),
        (PlaceKind.PLACE, "IND", "country/IND<-containedInPlace+{typeOf:AdministrativeArea1}"),
    ],
)
async def test_any_container_and_member_type_is_an_expression(
    member: PlaceKind, container: str | None, expression: str
) -> None:
    found = await resolve_population(population(member, mention(container) if container else None), **asking())
    assert isinstance(found, EntityResolved)
    assert found.expression == expression
    assert found.members == ()


async def test_the_words_tell_districts_from_first_level_divisions() -> None:
    asked = PopulationMention(member=PlaceKind.PLACE, text="districts in France", container=mention("FRA"))
    found = await resolve_population(asked, **asking())
    assert isinstance(found, EntityResolved)
    assert found.expression == "country/FRA<-containedInPlace+{typeOf:AdministrativeArea2}"


async def test_a_container_that_holds_no_such_places_is_refused() -> None:
    found = await resolve_population(population(PlaceKind.US_COUNTY, mention("48201")), **asking())
    assert isinstance(found, Unanswerable)
    assert "Harris County, Texas holds none" in found.reason


async def test_the_countries_of_a_group_are_listed() -> None:
    group = by_name("European Union")
    assert group is not None
    found = await resolve_population(
        population(PlaceKind.COUNTRY, EntityMention(text="EU", status="resolved", entity=group)), **asking()
    )
    assert isinstance(found, EntityResolved)
    assert len(found.members) == 27
    assert "country/FRA" in (found.expression or "").split(";")


async def test_a_fact_that_narrows_is_refused() -> None:
    found = await resolve_population(population(PlaceKind.COUNTRY, fact_filter="landlocked"), **asking())
    assert isinstance(found, Unanswerable)
    assert found.status is FailureStatus.INFEASIBLE


async def test_an_unknown_place_in_a_list_is_named() -> None:
    listed = (mention("US-TX"), EntityMention(text="Atlantis", status="unknown"))
    found = await resolve_population(population(PlaceKind.US_STATE, listed=listed), **asking())
    assert isinstance(found, Unanswerable)
    assert found.reason.startswith("Atlantis")


def test_connecticut_has_counties_to_2021_and_planning_regions_from_2022() -> None:
    before = {dcid for dcid in known_members(COUNTIES, 2021) if dcid.startswith("geoId/09")}
    after = {dcid for dcid in known_members(COUNTIES, 2023) if dcid.startswith("geoId/09")}
    assert before == {f"geoId/09{code:03}" for code in range(1, 16, 2)}
    assert after == {f"geoId/09{code}" for code in range(110, 200, 10)}


@pytest.mark.parametrize(
    ("dcid", "last", "became"),
    [("geoId/46113", 2014, "Oglala Lakota"), ("geoId/02270", 2014, "Kusilvak"), ("geoId/02261", 2019, "Chugach")],
)
def test_counties_that_ended_say_what_became_of_them(dcid: str, last: int, became: str) -> None:
    assert exists_in(dcid, last)
    assert not exists_in(dcid, last + 1)
    assert became in (renamed(Entity(name="x", kind=PlaceKind.US_COUNTY, keys={"dcid": dcid})) or "")


def test_puerto_rico_is_no_state_and_its_municipios_no_counties_of_the_states() -> None:
    assert len(known_members("country/USA<-containedInPlace+{typeOf:State}", 2020)) == 51
    assert not any(dcid.startswith("geoId/72") for dcid in known_members(COUNTIES, 2020))
    assert in_territory("geoId/72001", COUNTIES)
    assert len(known_members("geoId/72<-containedInPlace+{typeOf:County}", 2020)) == 78


def test_the_gazetteers_counties_are_those_that_data_commons_lists() -> None:
    listed = {node.dcid for node in contained("country/USA", "County")} - set(ENDED)
    known = set(known_members(COUNTIES, 2023)) | set(known_members(COUNTIES, 2012))
    assert {dcid for dcid in listed if not dcid.startswith("geoId/72")} - known == set()


def test_a_known_place_has_its_common_name_and_an_unknown_one_that_of_the_graph() -> None:
    assert place_of("geoId/06037", "LA").name == "Los Angeles County, California"
    assert place_of("geoId/46113", "Shannon County").name == "Shannon County, South Dakota"
    assert place_of("geoId/0455000", "Phoenix").name == "Phoenix, Arizona"
    assert place_of("wikidataId/Q1498", "Uttar Pradesh").keys == {"dcid": "wikidataId/Q1498"}
    assert known_place("country/YUG") is None
    puerto_rico = known_place("geoId/72")
    assert puerto_rico is not None
    assert puerto_rico.name == "Puerto Rico"


def test_an_entity_without_a_code_has_no_id() -> None:
    assert dcid_of(Entity(name="Phoenix", kind=PlaceKind.CITY, keys={"city": "phoenix-az"})) is None
