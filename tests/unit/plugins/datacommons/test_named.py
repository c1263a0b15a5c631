"""Names that the publisher's resolver knows several places of: chosen by the question, or left open."""

from __future__ import annotations

from typing import Any

import pytest

from plugins.choice.place_task import AMBIGUOUS, NONE
from plugins.datacommons.client import DataCommonsClient
from plugins.datacommons.resolving import resolve_entity, resolve_population
from plugins.datacommons.snapshot.graph import nodes
from shared.query.annotated import EntityResolved
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.quantity import Entity, PlaceKind
from shared.query.readings import EntityMention, PopulationMention
from shared.runtime.context import RunContext
from shared.runtime.http import HttpRequest
from shared.text.places import by_code
from tests.support.datacommons import counting, saying
from tests.unit.plugins.datacommons.conftest import Judged


def mention(name: str, kind: PlaceKind = PlaceKind.CITY, **keys: str) -> EntityMention:
    entity = Entity(name=name, kind=kind, keys={"city": name.casefold(), **keys})
    return EntityMention(text=name, status="resolved", entity=entity)


def resolved(name: str, *dcids: str) -> dict[str, Any]:
    return {"entities": [{"node": name, "candidates": [{"dcid": one} for one in dcids]}]}


def described(**places: tuple[str, str, str]) -> dict[str, Any]:
    """By the end of an id: name, type and the id of what it lies in."""
    return {
        "data": {
            f"wikidataId/{key}": {
                "arcs": {
                    "name": {"nodes": [{"value": name}]},
                    "typeOf": {"nodes": [{"dcid": kind, "name": kind}]},
                    "containedInPlace": {"nodes": [{"dcid": parent, "name": parent.partition("/")[2]}]},
                }
            }
            for key, (name, kind, parent) in places.items()
        }
    }


TWO = (
    resolved("Saint-Denis", "wikidataId/Q1", "wikidataId/Q2"),
    described(Q1=("Saint-Denis", "City", "country/FRA"), Q2=("Saint-Denis", "City", "country/REU")),
)


def dcid_of(found: EntityResolved | Unanswerable) -> str | None:
    return found.entity.keys["dcid"] if isinstance(found, EntityResolved) and found.entity else None


async def test_a_model_chooses_among_the_publishers_places_and_sees_what_each_lies_in(judged: Judged) -> None:
    async with judged(lambda _: {"place": "wikidataId/Q2", "why": ""}) as (run, server):
        question = "Is Saint-Denis larger than Saint-Paul, both on Réunion?"
        found = await resolve_entity(mention("Saint-Denis"), saying(*TWO), question=question, context=run)
    assert dcid_of(found) == "wikidataId/Q2"
    assert server.asked[0].task == "choose_place"
    assert server.asked[0].data["question"] == question
    assert [one["lies_in"] for one in server.asked[0].data["candidates"]] == [["FRA"], ["REU"]]


@pytest.mark.parametrize(
    ("reply", "status"), [(AMBIGUOUS, FailureStatus.AMBIGUOUS), (NONE, FailureStatus.UNKNOWN_ENTITY)]
)
async def test_a_model_that_cannot_choose_leaves_it_open(judged: Judged, reply: str, status: FailureStatus) -> None:
    async with judged(lambda _: {"place": reply, "why": ""}) as (run, _):
        found = await resolve_entity(mention("Saint-Denis"), saying(*TWO), question="?", context=run)
    assert isinstance(found, Unanswerable)
    assert found.status is status


async def test_a_place_that_the_resolver_did_not_give_is_never_taken(judged: Judged) -> None:
    async with judged(lambda _: {"place": "wikidataId/Q90", "why": ""}) as (run, server):
        found = await resolve_entity(mention("Saint-Denis"), saying(*TWO), question="?", context=run)
    assert isinstance(found, Unanswerable)
    assert found.status is FailureStatus.INTERNAL
    assert len(server.asked) == 2


async def test_a_place_in_another_country_is_not_taken(context: RunContext) -> None:
    found = await resolve_entity(
        mention("Paris", country="FRA"),
        saying(resolved("Paris, France", "geoId/4855080"), {"data": {}}),
        question="?",
        context=context,
    )
    assert isinstance(found, Unanswerable)
    assert found.status is FailureStatus.NOT_COVERED


async def test_the_country_that_is_known_decides_among_several(context: RunContext) -> None:
    bodies = (
        resolved("Tripoli, Libya", "wikidataId/Q1", "wikidataId/Q2"),
        described(Q1=("Tripoli", "City", "country/LBN"), Q2=("Tripoli", "City", "country/LBY")),
    )
    found = await resolve_entity(mention("Tripoli", country="LBY"), saying(*bodies), question="?", context=context)
    assert dcid_of(found) == "wikidataId/Q2"


async def test_a_place_of_which_nothing_more_is_known_is_taken_at_the_resolvers_word(context: RunContext) -> None:
    bodies = (resolved("Mumbai, India", "wikidataId/Q1156"), {"data": {"wikidataId/Q1156": {}}})
    found = await resolve_entity(mention("Mumbai", country="IND"), saying(*bodies), question="?", context=context)
    assert dcid_of(found) == "wikidataId/Q1156"


def us_city(*kinds: str) -> tuple[dict[str, Any], dict[str, Any]]:
    arcs = {
        f"geoId/17{n:05}": {
            "arcs": {"name": {"nodes": [{"value": "X"}]}, "typeOf": {"nodes": [{"dcid": k} for k in kind.split()]}}
        }
        for n, kind in enumerate(kinds)
    }
    return resolved("X, Illinois", *arcs), {"data": arcs}


async def test_two_places_of_one_name_in_one_state_are_told_apart_by_what_they_are(context: RunContext) -> None:
    bodies = us_city("City CensusDesignatedPlace", "City")
    asked = mention("X", state="IL")
    assert dcid_of(await resolve_entity(asked, saying(*bodies), question="?", context=context)) == "geoId/1700001"


async def test_two_cities_of_one_name_in_one_state_are_not_guessed_among(context: RunContext) -> None:
    found = await resolve_entity(
        mention("X", state="IL"), saying(*us_city("City", "City")), question="?", context=context
    )
    assert isinstance(found, Unanswerable)
    assert found.status is FailureStatus.AMBIGUOUS


async def test_one_place_in_the_state_that_was_said_costs_one_request(context: RunContext) -> None:
    seen: list[HttpRequest] = []
    body = resolved("X, Illinois", "geoId/1700000", "geoId/2900000", "geoId/1700000")
    found = await resolve_entity(mention("X", state="IL"), saying(body, seen=seen), question="?", context=context)
    assert dcid_of(found) == "geoId/1700000"
    assert len(seen) == 1


def georgia(*codes: str) -> EntityMention:
    places = [one for code in codes if (one := by_code(code)) is not None]
    return EntityMention(text="Georgia", status="ambiguous", candidates=tuple(places))


async def test_of_two_containers_the_one_that_can_hold_such_members_is_meant(context: RunContext) -> None:
    asked = PopulationMention(member=PlaceKind.PLACE, text="regions of Georgia", container=georgia("US-GA", "GEO"))
    found = await resolve_population(asked, question="?", context=context)
    assert isinstance(found, EntityResolved)
    assert (found.expression or "").startswith("country/GEO<-")


async def test_of_two_containers_that_both_can_the_question_decides(judged: Judged) -> None:
    asked = PopulationMention(member=PlaceKind.CITY, text="cities of Georgia", container=georgia("US-GA", "GEO"))
    async with judged(lambda _: {"place": "geoId/13", "why": ""}) as (run, _):
        found = await resolve_population(asked, question="Cities of Georgia and Alabama?", context=run)
    assert isinstance(found, EntityResolved)
    assert found.member_of == "Georgia"
    assert (found.expression or "").startswith("geoId/13<-")


async def test_of_two_containers_that_both_can_none_is_guessed(context: RunContext) -> None:
    asked = PopulationMention(member=PlaceKind.CITY, text="cities of Georgia", container=georgia("US-GA", "GEO"))
    found = await resolve_population(asked, question="?", context=context)
    assert isinstance(found, Unanswerable)
    assert found.status is FailureStatus.AMBIGUOUS


async def test_a_container_that_can_hold_none_is_said_to_be_none(context: RunContext) -> None:
    asked = PopulationMention(
        member=PlaceKind.US_STATE, text="states of Fulton", container=EntityMention(text="Fulton", status="unknown")
    )
    found = await resolve_population(asked, question="?", context=context)
    assert isinstance(found, Unanswerable)
    assert "no place called “Fulton” is known to hold others" in found.reason


async def test_counties_of_a_name_that_a_state_bears_are_the_states(context: RunContext) -> None:
    asked = PopulationMention(member=PlaceKind.PLACE, text="counties in Georgia", container=georgia("GEO", "US-GA"))
    found = await resolve_population(asked, question="?", context=context)
    assert isinstance(found, EntityResolved)
    assert found.expression == "geoId/13<-containedInPlace+{typeOf:County}"
    assert context.told == ["“Georgia” was read as Georgia (US state), which holds such places"]


@pytest.mark.parametrize(
    ("name", "keys", "asked"),
    [
        ("Washington, D.C.", {"state": "DC"}, "Washington, District of Columbia"),
        ("New York City", {"state": "NY"}, "New York City"),
        ("Springfield", {"state": "IL"}, "Springfield, Illinois"),
        ("Mumbai", {"country": "IND"}, "Mumbai, India"),
        ("Saint-Denis", {}, "Saint-Denis"),
    ],
)
async def test_a_name_is_looked_up_with_where_it_lies(
    context: RunContext, name: str, keys: dict[str, str], asked: str
) -> None:
    seen: list[HttpRequest] = []
    found = await resolve_entity(
        mention(name, **keys), saying({"entities": []}, seen=seen), question="?", context=context
    )
    assert dict(seen[0].params)["nodes"] == asked
    assert isinstance(found, Unanswerable)
    assert found.reason == f"Data Commons has no place called {asked}"


async def test_a_name_that_recorded_places_do_not_have_is_not_said_to_be_unknown_to_the_service(
    context: RunContext,
) -> None:
    client = DataCommonsClient(counting([]))
    found = await resolve_entity(mention("Chicago", state="IL"), client, question="?", context=context)
    assert isinstance(found, Unanswerable)
    assert found.reason.endswith(
        "(asked of recorded places, which are countries, the states and counties of the United States, and cities, "
        "most of them in Arizona; NEURALKG_LIVE=1 asks the live service)"
    )


def test_the_recorded_places_are_of_the_kinds_that_are_told() -> None:
    recorded = [node for node in nodes().values() if node.dcid != "Earth"]
    assert {node.types[0] for node in recorded} == {"Country", "State", "County", "City"}
    cities = [node.dcid for node in recorded if node.types[0] == "City"]
    assert sum(city.startswith("geoId/04") for city in cities) > len(cities) / 2
