"""Places by the M49 code that the database knows them by: countries, and the UN's own groups of countries."""

from __future__ import annotations

import re
from collections.abc import Iterable

from plugins.choice.countries_only import CountriesOnly
from plugins.unsdg.client import UnSdgClient
from plugins.unsdg.records import Areas
from shared.query.annotated import EntityResolved
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.quantity import Entity, PlaceKind
from shared.query.readings import EntityMention, PopulationMention
from shared.text.places import by_code, group_as_of, members

KEY = "unsdg"
"""The key scheme of an entity's code in the database."""

GROUPS = {
    "world": "1",
    "north_america": "21",
    "latin_america_caribbean": "419",
    "sub_saharan_africa": "202",
    "least_developed": "199",
    "landlocked_developing": "432",
    "small_island_developing": "722",
    "eu": "97",
    "oecd": "198",
    "high_income": "910",
    "low_income": "911",
    "lower_middle_income": "912",
    "low_middle_income": "913",
    "upper_middle_income": "914",
}
"""The database's area for a group of countries whose M49 code is not among its keys, or is of another extent."""
ENDS = {
    "lowest": re.compile(r"\b(?:lowest|least|fewest|smallest|bottom|minimum|best off)\b", re.IGNORECASE),
    "highest": re.compile(r"\b(?:highest|most|largest|biggest|greatest|top|maximum)\b", re.IGNORECASE),
}
"""Words that ask for one end of an order."""
COUNTRIES = {"XKX": "412"}
"""Countries without an M49 code of the standard that the database has figures of."""


def code_of(entity: Entity) -> str | None:
    """The code of a country or group as the database writes it: M49 without leading zeros."""
    code = GROUPS.get(entity.keys.get("group", "")) or COUNTRIES.get(entity.keys.get("iso3", ""))
    return code or entity.keys.get("m49", "").lstrip("0") or None


REACH = CountriesOnly("the UN's SDG database has")
"""How far it goes, and what it says of the rest."""


async def resolve_entity(mention: EntityMention, client: UnSdgClient) -> EntityResolved | Unanswerable:
    """The entity with its area's code, or why the database has nothing of the place."""
    entity = mention.entity
    if entity is None:
        return Unanswerable(
            status=FailureStatus.UNKNOWN_ENTITY, reason=f"“{mention.text}” is no place that is known here"
        )
    if entity.kind not in {PlaceKind.COUNTRY, PlaceKind.COUNTRY_GROUP}:
        return REACH.no_country(entity)
    areas = await client.areas()
    code = code_of(entity)
    if code is None or code not in areas.by_code:
        return REACH.not_covered(f"no figures for {entity.name}: its list of areas does not have it")
    return EntityResolved(entity=_with_code(entity, code))


def _with_code(entity: Entity, code: str) -> Entity:
    return entity.model_copy(update={"keys": {**entity.keys, KEY: code}})


async def resolve_population(
    population: PopulationMention, client: UnSdgClient, *, question: str
) -> EntityResolved | Unanswerable:
    """The members of a population. A member without the key ``unsdg`` is not in the database.

    Members are always countries: the regions that stand beside them in every series are never members. Which end of
    an order the question asks for stands before the members, since a bound may be at that end.
    """
    if population.member is not PlaceKind.COUNTRY:
        return REACH.no_countries(population)
    if population.fact_filter is not None:
        return Unanswerable(
            status=FailureStatus.INFEASIBLE,
            reason=f"the UN's SDG database cannot tell which countries are “{population.fact_filter}”",
            needs=f"a source of facts that lists the countries that are {population.fact_filter}",
        )
    areas = await client.countries()
    wanted = _wanted(population, areas)
    if isinstance(wanted, Unanswerable):
        return wanted
    if not any(KEY in entity.keys for entity in wanted):
        return REACH.not_covered(f"no figures for any member of {population.text}")
    container = population.container.entity if population.container else None
    return EntityResolved(
        expression=f"{end_asked(question)}:"
        + _expression(wanted, everybody=not population.listed and _is_world(container)),
        members=tuple(wanted),
        member_of=container.name if container else None,
        as_of=group_as_of(container) if container else None,
    )


def end_asked(question: str) -> str:
    """``lowest`` or ``highest``, as the question asks; empty where it asks for neither."""
    for end, words in ENDS.items():
        if words.search(question):
            return end
    return ""


def _is_world(container: Entity | None) -> bool:
    return container is None or container.keys.get("group") == "world"


def _expression(wanted: Iterable[Entity], *, everybody: bool) -> str:
    """``all``, or the members' codes joined by semicolons."""
    return "all" if everybody else ";".join(entity.keys[KEY] for entity in wanted if KEY in entity.keys)


def _wanted(population: PopulationMention, areas: Areas) -> list[Entity] | Unanswerable:
    if population.listed:
        unknown = [mention.text for mention in population.listed if mention.entity is None]
        if unknown:
            return Unanswerable(
                status=FailureStatus.UNKNOWN_ENTITY, reason=f"{', '.join(unknown)}: no such place is known here"
            )
        return _known((mention.entity for mention in population.listed if mention.entity), areas)
    container = population.container
    if container is not None and container.entity is None:
        return Unanswerable(
            status=FailureStatus.UNKNOWN_ENTITY, reason=f"no group of countries called “{container.text}” is known"
        )
    if container is None or _is_world(container.entity):
        found = (_country(code) for code in sorted(areas.countries, key=int))
        return _known((entity for entity in found if entity is not None), areas)
    entity = container.entity
    if entity is None or entity.kind is not PlaceKind.COUNTRY_GROUP:
        return REACH.not_covered(f"figures for countries; {container.label} is not a group of them")
    found_members = members(entity)
    if found_members is None:
        return Unanswerable(
            status=FailureStatus.NOT_COVERED, reason=f"which countries belong to {entity.name} is not known here"
        )
    return _known(found_members, areas)


def _country(code: str) -> Entity | None:
    """The country of an area's code; parts of countries and countries that are no more are none."""
    iso3 = next((known for known, own in COUNTRIES.items() if own == code), None)
    found = by_code(iso3) if iso3 else by_code(code.zfill(3))
    return found if found is not None and found.kind is PlaceKind.COUNTRY else None


def _known(entities: Iterable[Entity], areas: Areas) -> list[Entity]:
    """The entities, those that the database has with its code."""
    found = []
    for entity in entities:
        code = code_of(entity)
        found.append(_with_code(entity, code) if code and code in areas.by_code else entity)
    return found
