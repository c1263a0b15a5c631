"""Members of sets and relations: neighbours, and the members of groups."""

from __future__ import annotations

from collections.abc import Sequence

from plugins.countryfacts.answering import executed, fetched, flagged
from plugins.countryfacts.client import fetch_countries, fetch_every_country, fetch_state_borders
from plugins.countryfacts.facts import subject, un_member
from plugins.countryfacts.lists import (
    BOUNDARY_COMMISSIONS,
    carried,
    dated_list,
    group_response,
    international_boundaries,
    is_geographic,
    overseas_borders,
)
from plugins.countryfacts.narrowing import Narrowing, Records, narrowing_of
from shared.query.annotated import Executed, PlannedRequest
from shared.query.evidence import FailureStatus, Observation, Unanswerable
from shared.query.quantity import Entity, PlaceKind
from shared.query.slots import FILTER
from shared.runtime.context import RunContext
from shared.text.places import by_code
from shared.text.places import members as group_members


def us_states() -> tuple[Entity, ...]:
    """The 50 US states and the District of Columbia."""
    country = by_code("USA")
    return (group_members(country) if country is not None else None) or ()


STATES_TOUCH = "states are neighbours where counties of theirs are adjacent, which can be in water or at a point"
WATER_ONLY = "water only"
WORLD = "WLD"


async def neighbours(planned: PlannedRequest, context: RunContext) -> Executed | Unanswerable:
    """The countries or US states that border the entity."""
    entity = subject(planned)
    if isinstance(entity, Unanswerable):
        return entity
    population = planned.slot.population
    member = population.member if population is not None else entity.kind
    if member not in {PlaceKind.COUNTRY, PlaceKind.US_STATE}:
        member = entity.kind
    if entity.kind is member:
        same = _country_neighbours if member is PlaceKind.COUNTRY else _state_neighbours
        return await same(planned, entity, context)
    return _across_the_boundary(planned, entity)


async def _country_neighbours(
    planned: PlannedRequest, entity: Entity, context: RunContext
) -> Executed | Unanswerable:
    answer = await fetch_countries([entity.keys["iso3"]], context)
    found = [by_code(code) for code in answer.value[0].borders]
    known = [country for country in found if country is not None]
    fact = _narrowing(planned)
    if fact is not None:
        every = await fetch_every_country(context)
        kept = [flagged(country) for country in fact.of(known, every.value)]
        return executed(planned, fetched(answer, every), kept, caveats=[fact.told_by], none_of=entity)
    cells = [flagged(country) for country in known]
    unknown = [code for code, country in zip(answer.value[0].borders, found, strict=True) if country is None]
    if unknown and not cells:
        return Unanswerable(
            status=FailureStatus.NO_DATA,
            reason=f"the neighbours of {entity.name} are not known: {', '.join(unknown)}",
        )
    caveats = overseas(entity, answer.value[0].borders)
    return executed(planned, fetched(answer), cells, caveats=caveats, incomplete=unknown, none_of=entity)


def overseas(entity: Entity, recorded: Sequence[str], *, other: Entity | None = None) -> list[str]:
    """The borders by territories that the country's record does not count in, with one neighbour or with all."""
    iso3 = entity.keys.get("iso3")
    met: dict[str, list[str]] = {}
    for country, neighbour, part in overseas_borders():
        known = by_code(neighbour)
        wanted = other is None or other.keys.get("iso3") == neighbour
        if country == iso3 and neighbour not in recorded and known is not None and wanted:
            met.setdefault(part, []).append(known.name)
    if not met:
        return []
    told = "; ".join(f"{part} is where it meets {' and '.join(names)}" for part, names in met.items())
    left_out = f"the record of {entity.name} leaves out land borders of territories overseas or apart"
    return [f"{left_out}, told here from a carried list: {told}"]


def _overseas_part(entity: Entity, other: Entity) -> str | None:
    pair = entity.keys.get("iso3"), other.keys.get("iso3")
    return next((part for *one, part in overseas_borders() if tuple(one) == pair), None)


async def _state_neighbours(
    planned: PlannedRequest, entity: Entity, context: RunContext
) -> Executed | Unanswerable:
    answer = await fetch_state_borders(context)
    states = {state.keys["fips"]: state for state in us_states()}
    fips = entity.keys["fips"]
    if fips not in answer.value.states:
        return Unanswerable(
            status=FailureStatus.NO_DATA, reason=f"the county adjacency file does not speak of {entity.name}"
        )
    codes = sorted(other for one, other in answer.value.pairs if one == fips)
    cells = [flagged(states[code]) for code in codes if code in states]
    return executed(planned, fetched(answer), cells, caveats=[STATES_TOUCH], none_of=entity)


def _across_the_boundary(planned: PlannedRequest, entity: Entity) -> Executed | Unanswerable:
    """US states along a country's boundary, or the countries that a US state meets."""
    states = {state.keys["postal"]: state for state in us_states()}
    country = entity.kind is PlaceKind.COUNTRY
    key = entity.keys["iso3" if country else "postal"]
    cells: list[Observation] = []
    keeper = BOUNDARY_COMMISSIONS["CAN"]
    for iso3, postal, boundary in international_boundaries():
        other = (states[postal] if country else by_code(iso3)) if key == (iso3 if country else postal) else None
        if other is not None:
            keeper = BOUNDARY_COMMISSIONS[iso3]
            cells.append(flagged(other, note=boundary if boundary == WATER_ONLY else None))
    water = [cell.entity.name for cell in cells if cell.note == WATER_ONLY]
    caveats = [f"{', '.join(water)} meet {entity.name} only in water"] if water else []
    if not cells:
        caveats = ["the list has every US state along the boundaries with Canada and with Mexico, and no other"]
    cells.sort(key=lambda cell: cell.entity.name)
    return executed(planned, carried(*keeper), cells, caveats=caveats, none_of=entity)


async def do_they_touch(planned: PlannedRequest, context: RunContext) -> Executed | Unanswerable:
    """Whether two countries, two states, or a state and a country share a border."""
    entity, other = subject(planned), planned.resolved.object
    if isinstance(entity, Unanswerable):
        return entity
    if other is None:
        return Unanswerable(status=FailureStatus.UNKNOWN_ENTITY, reason="a border needs two places")
    if {entity.kind, other.kind} == {PlaceKind.COUNTRY}:
        answer = await fetch_countries([entity.keys["iso3"]], context)
        touch = other.keys.get("iso3") in answer.value[0].borders
        note, caveats = other.name, [] if touch else overseas(entity, answer.value[0].borders, other=other)
        part = _overseas_part(entity, other) if caveats else None
        if part is not None:
            note = f"{other.name} by main territory alone; the two meet at {part}"
        return executed(planned, fetched(answer), [flagged(entity, flag=touch, note=note)], caveats=caveats)
    if {entity.kind, other.kind} == {PlaceKind.US_STATE}:
        pairs = await fetch_state_borders(context)
        touch = (entity.keys["fips"], other.keys["fips"]) in pairs.value.pairs
        return executed(
            planned, fetched(pairs), [flagged(entity, flag=touch, note=other.name)], caveats=[STATES_TOUCH]
        )
    state, country = (entity, other) if entity.kind is PlaceKind.US_STATE else (other, entity)
    iso3 = country.keys.get("iso3", "")
    if iso3 not in BOUNDARY_COMMISSIONS:
        iso3 = "CAN"
    touch = any(
        (iso, postal) == (country.keys.get("iso3"), state.keys.get("postal"))
        for iso, postal, _ in international_boundaries()
    )
    return executed(planned, carried(*BOUNDARY_COMMISSIONS[iso3]), [flagged(entity, flag=touch, note=other.name)])


async def members_of_group(planned: PlannedRequest, context: RunContext) -> Executed | Unanswerable:
    """The members of a group. Of a region, its countries that are members of the United Nations.

    A region's list also names territories; they are left out and counted in a disclosure, since a question
    for countries does not mean them.
    """
    group = planned.resolved.entity
    if group is None or not planned.resolved.members:
        return Unanswerable(status=FailureStatus.NOT_COVERED, reason="no list of these members is held here")
    fact = _narrowing(planned)
    if fact is not None:
        return await _narrowed(planned, group, fact, context)
    cells = [flagged(member) for member in planned.resolved.members]
    caveats = []
    if is_geographic(group):
        codes = [member.keys["iso3"] for member in planned.resolved.members if "iso3" in member.keys]
        records = await fetch_countries(codes, context)
        sovereign = {record.iso3 for record in records.value if record.un_member}
        kept = [cell for cell in cells if cell.entity.code in sovereign]
        left = sorted(cell.entity.name for cell in cells if cell.entity.code not in sovereign)
        if left:
            caveats.append(f"not members of the United Nations and therefore not listed: {', '.join(left)}")
        cells = kept
    cells.sort(key=lambda cell: cell.entity.name)
    return executed(planned, group_response(group), cells, caveats=caveats)


def _narrowing(planned: PlannedRequest) -> Narrowing | None:
    population = planned.slot.population
    return narrowing_of(population.fact_filter) if population and population.fact_filter else None


async def _narrowed(planned: PlannedRequest, group: Entity, fact: Narrowing, context: RunContext) -> Executed:
    """The members of a group of which a fact holds.

    Of a region or the world, a list of countries has the members of the United Nations. A list that only
    narrows another source's figures has whomever the fact holds of, and the other source tells whom it covers.
    """
    every = await fetch_every_country(context)
    caveats = [fact.told_by]
    if group.keys.get("wb") == WORLD:
        everyone = [country for code in every.value if (country := by_code(code)) is not None]
    else:
        everyone = list(planned.resolved.members)
        caveats.append(f"which of them belong to {group.name} is taken from {dated_list(group)}")
    found = fact.of(everyone, every.value)
    whole = group.keys.get("wb") == WORLD or is_geographic(group)
    if whole and planned.slot.role != FILTER:
        outside = [country.name for country in found if not _sovereign(country, every.value)]
        found = [country for country in found if _sovereign(country, every.value)]
        if outside:
            caveats.append(
                f"not members of the United Nations and therefore not listed: {', '.join(sorted(outside))}"
            )
    cells = [flagged(country) for country in sorted(found, key=lambda country: country.name)]
    return executed(planned, fetched(every), cells, caveats=caveats, none_of=group)


def _sovereign(country: Entity, records: Records) -> bool:
    record = records.get(country.code)
    return record is not None and record.un_member


async def is_member(planned: PlannedRequest, context: RunContext) -> Executed | Unanswerable:
    """Whether the entity is a member of the group."""
    entity, group = subject(planned), planned.resolved.object
    if isinstance(entity, Unanswerable):
        return entity
    if group is None:
        return Unanswerable(status=FailureStatus.UNKNOWN_ENTITY, reason="which group is meant is not said")
    if group.keys.get("group", "").casefold() == "un":
        return await un_member(planned, context)
    members = group_members(group)
    if members is None:
        return Unanswerable(
            status=FailureStatus.NOT_COVERED, reason=f"no list of the members of {group.name} is held here"
        )
    flag = entity.code in {member.code for member in members}
    return executed(planned, group_response(group), [flagged(entity, flag=flag, note=group.name)])
