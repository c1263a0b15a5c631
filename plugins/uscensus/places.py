"""Places as the Census Bureau codes them: the entity of a question as an area, members as all areas of a level."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from plugins.choice.place_task import PlaceCandidate, choose_place
from plugins.choice.reach import foreign_list, foreign_to
from plugins.uscensus.client import CensusClient
from plugins.uscensus.geography import Area
from plugins.uscensus.records import NoVintage, Row, Table
from plugins.uscensus.successions import exists_in
from plugins.uscensus.vintages import STEPS_BACK
from shared.query.annotated import EntityResolved
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.quantity import Entity, PlaceKind
from shared.query.readings import EntityMention, PopulationMention
from shared.query.slots import Slot
from shared.runtime.context import RunContext
from shared.text.places import members
from shared.text.places.tables import counties, fold, states

PUERTO_RICO = "72"
USA = "USA"
MEMBERS: dict[PlaceKind, str] = {
    PlaceKind.US_STATE: "state",
    PlaceKind.US_COUNTY: "county",
    PlaceKind.CITY: "place",
}
WORDED: tuple[tuple[str, str], ...] = (
    ("tract", "tract"),
    ("congressional", "congressional district"),
    ("district", "congressional district"),
    ("zip", "zip code tabulation area"),
    ("township", "county subdivision"),
    ("subdivision", "county subdivision"),
    ("place", "place"),
    ("town", "place"),
)
"""Levels by a word of the population that is no kind of its own."""
HOLDERS: dict[str, frozenset[str]] = {
    "state": frozenset({""}),
    "county": frozenset({"", "state"}),
    "place": frozenset({"", "state"}),
    "tract": frozenset({"state", "county"}),
    "congressional district": frozenset({"", "state"}),
    "county subdivision": frozenset({"state", "county"}),
    "zip code tabulation area": frozenset({""}),
}
"""What a level may be asked inside; the empty text is the whole country."""

_KINDS = re.compile(
    r"\s+(?:city|town|village|borough|CDP|municipality|urban county|consolidated government|unified government|"
    r"metropolitan government|metro government)(?:\s+\(balance\))?$"
)


@lru_cache(maxsize=1)
def known_us() -> dict[str, Entity]:
    """States and counties by code."""
    known = [*states().values(), *(county.entity for county in counties())]
    return {one.keys["fips"]: one for one in known}


def area_of(entity: Entity) -> Area | None:
    """The area that follows from an entity's codes, or ``None``."""
    fips = entity.keys.get("fips", "")
    if entity.keys.get("iso3") == USA:
        return Area.one("us", "1")
    if entity.kind is PlaceKind.US_COUNTY and len(fips) == 5:
        return Area.one("county", fips)
    if len(fips) == 2:
        return Area.one("state", fips)
    if entity.kind is PlaceKind.PLACE and len(fips) == 11:
        return Area.one("tract", fips)
    return None


@dataclass(frozen=True, slots=True)
class Searching:
    """What a place is looked for with: the data set that lists places, its newest vintage, and who may judge."""

    client: CensusClient
    newest: int
    dataset: str
    question: str
    context: RunContext


def beyond(slot: Slot) -> Unanswerable | None:
    """Why nothing of the slot's place is had, where it is another country or a known group of them."""
    entity = foreign_to(slot, _is_abroad)
    if entity is not None:
        return _none_there(entity)
    population = slot.population
    if population is None or (population.listed and not foreign_list(slot, _is_abroad)):
        return None
    return _no_such_members(population) if population.member is PlaceKind.COUNTRY else None


def _is_abroad(entity: Entity) -> bool:
    if entity.kind is PlaceKind.COUNTRY_GROUP:
        found = members(entity)
        return bool(found) and all(map(_is_abroad, found or ()))
    return entity.kind is PlaceKind.COUNTRY and area_of(entity) is None


def _none_there(entity: Entity) -> Unanswerable:
    return not_covered(f"figures of places in the United States; {entity.name} is none")


def _no_such_members(population: PopulationMention) -> Unanswerable:
    return not_covered(f"figures of places in the United States, not of {population.text}")


async def resolve_entity(mention: EntityMention, searching: Searching) -> EntityResolved | Unanswerable:
    """The entity as an area, or why there is none. A city is found among the places of its state by name."""
    entity = mention.entity
    if entity is None:
        return Unanswerable(
            status=FailureStatus.UNKNOWN_ENTITY, reason=f"“{mention.text}” is no place that is known here"
        )
    area = area_of(entity)
    if area is not None:
        return EntityResolved(entity=entity, expression=str(area))
    if entity.kind is PlaceKind.CITY and entity.keys.get("state"):
        return await _place(entity, searching)
    return _none_there(entity)


async def _place(entity: Entity, searching: Searching) -> EntityResolved | Unanswerable:
    """One of the places of a name in a state: a judgment, whose built-in rule takes the city before the town."""
    state = states()[entity.keys["state"]]
    wanted = fold(entity.name.partition(",")[0])
    table = await _places_in(state.keys["fips"], searching)
    if table is None:
        return not_covered(f"no list of the places of {state.name} here, by which to find {entity.name}")
    same = [row for row in table.rows if _plain(row) in {wanted, wanted.removesuffix(" city")}]
    if not same:
        return not_covered(f"no place called {entity.name} among those of {state.name} that it lists here")
    candidates = [
        PlaceCandidate(
            id=row.geoid, name=row.name.partition(",")[0], kind=kind_of(row), lies_in=(state.name, "United States")
        )
        for row in same
    ]
    chosen = await choose_place(
        entity.name, candidates, question=searching.question, context=searching.context, within=state.name
    )
    if isinstance(chosen, Unanswerable):
        return chosen
    return EntityResolved(
        entity=entity.model_copy(update={"keys": {**entity.keys, "census_place": chosen}}),
        expression=str(Area.one("place", chosen)),
    )


def kind_of(row: Row) -> str:
    """The kind of a place that its published name ends with (``city``, ``CDP``), empty where it has none."""
    found = _KINDS.search(row.name.partition(",")[0])
    return found.group().strip() if found else ""


async def _places_in(state: str, searching: Searching) -> Table | None:
    for vintage in range(searching.newest, searching.newest - STEPS_BACK, -1):
        try:
            table = await searching.client.table(searching.dataset, vintage, ["NAME"], Area.inside("place", state))
        except NoVintage:
            continue
        if table.rows:
            return table
    return None


def _plain(row: Row) -> str:
    """``Phoenix city, Arizona`` as ``phoenix``."""
    return fold(_KINDS.sub("", row.name.partition(",")[0]))


def resolve_population(population: PopulationMention, question: str) -> EntityResolved | Unanswerable:
    """The members as all areas of a level inside another, or as a list."""
    if population.fact_filter is not None:
        return Unanswerable(
            status=FailureStatus.INFEASIBLE,
            reason=f"the Census Bureau's figures cannot tell which places are “{population.fact_filter}”",
            needs=f"a source of facts that lists those that are {population.fact_filter}",
        )
    if population.listed:
        return _of_list(population)
    level = level_of(population, question)
    if level is None:
        return _no_such_members(population)
    container = population.container
    if container is None and population.member is PlaceKind.CITY:
        return not_covered(
            f"figures of places in the United States; where the {population.text} are to lie is not said"
        )
    if container is None or (container.entity is not None and container.entity.keys.get("iso3") == USA):
        return _inside(level, "", None)
    # Georgia holds counties and districts as a state; the country of that name is no place of the Census Bureau's.
    meant = [container.entity] if container.entity else [one for one in container.candidates if area_of(one)]
    if len(meant) != 1:
        return Unanswerable(
            status=FailureStatus.UNKNOWN_ENTITY, reason=f"no one place called “{container.text}” is known here"
        )
    area = area_of(meant[0])
    if area is None:
        return _none_there(meant[0])
    return _inside(level, area, meant[0])


def level_of(population: PopulationMention, question: str = "") -> str | None:
    """The level of geography that a population's members are of."""
    if population.member in MEMBERS:
        return MEMBERS[population.member]
    words = f"{population.text} {question}".casefold() if population.member is PlaceKind.PLACE else ""
    return next((level for word, level in WORDED if word in words), None)


def _inside(level: str, area: Area | str, container: Entity | None) -> EntityResolved | Unanswerable:
    holder = area if isinstance(area, str) else area.level.name
    if holder not in HOLDERS[level]:
        whole = container.name if container else "the whole country at once"
        return not_covered(f"no {Area.inside(level, '').level.noun} inside {whole}")
    geoid = area if isinstance(area, str) else "".join(area.codes)
    return EntityResolved(
        expression=str(Area.inside(level, geoid)), member_of=container.name if container else None
    )


def _of_list(population: PopulationMention) -> EntityResolved | Unanswerable:
    unknown = [mention.text for mention in population.listed if mention.entity is None]
    if unknown:
        return Unanswerable(
            status=FailureStatus.UNKNOWN_ENTITY, reason=f"{', '.join(unknown)}: no such place is known here"
        )
    entities = [mention.entity for mention in population.listed if mention.entity is not None]
    areas = [area_of(entity) for entity in entities]
    levels = {area.level.name for area in areas if area is not None}
    if None in areas or len(levels) != 1 or levels - {"state", "county"}:
        return not_covered("a list only of states or of counties; ask for each by itself")
    level = levels.pop()
    parents = {area.codes[0] for area in areas if area is not None}
    inside = parents.pop() if level == "county" and len(parents) == 1 else ""
    return EntityResolved(expression=str(Area.inside(level, inside)), members=tuple(entities))


@lru_cache(maxsize=32)
def known_members(area: Area, vintage: int) -> Mapping[str, Entity]:
    """The members that are known to exist in a vintage, by identifier; empty for levels without a list here."""
    length = {"state": 2, "county": 5}.get(area.level.name)
    return {
        fips: entity
        for fips, entity in known_us().items()
        if len(fips) == length and area.holds(fips) and exists_in(fips, vintage) and not in_territory(fips, area)
    }


def states_without(area: Area, vintage: int, rows: Iterable[Row]) -> str:
    """``1 of 51 states``, where areas of every state are asked for and some state has no row; else nothing."""
    if area.codes[0] != "*" or area.level.columns[0] != "state":
        return ""
    states = set(known_members(Area.inside("state", ""), vintage))
    had = states & {row.geoid[:2] for row in rows}
    return f"{len(had)} of {len(states)} states" if had != states else ""


def in_territory(geoid: str, area: Area) -> bool:
    """Whether an area is of Puerto Rico where those of the whole United States are asked for."""
    return area.codes[0] == "*" and geoid.startswith(PUERTO_RICO) and area.level.columns[0] == "state"


def member_of(row: Row, area: Area) -> Entity:
    """The entity of a row: under its common name where that is known, else as the Census Bureau names it."""
    known = known_us().get(row.geoid)
    if known is not None:
        return known
    name = row.name.replace("; ", ", ") or f"{area.level.name} {row.geoid}"
    kinds = {"state": PlaceKind.US_STATE, "county": PlaceKind.US_COUNTY, "place": PlaceKind.CITY}
    kind = kinds.get(area.level.name, PlaceKind.PLACE)
    if kind is PlaceKind.CITY:
        name = _KINDS.sub("", name.partition(",")[0]) + ",".join(("", *name.split(",")[1:]))
    return Entity(name=name, kind=kind, keys={"fips": row.geoid})


def wholly_named(entities: Iterable[Entity], most: int = 8) -> str:
    """The names in a sentence: the first ones, and how many more there are."""
    names = [entity.name for entity in entities]
    if len(names) <= most:
        return ", ".join(names)
    return f"{', '.join(names[:most])} and {len(names) - most} more"


def not_covered(what: str) -> Unanswerable:
    """The refusal of a place that the Census Bureau has no figures of; ``what`` follows "has"."""
    return Unanswerable(status=FailureStatus.NOT_COVERED, reason=f"the Census Bureau has {what}")
