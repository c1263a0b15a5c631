"""Places as Data Commons identifies them: ids from codes, containment expressions for populations, names.

US states and counties are ``geoId/`` and their FIPS code, countries ``country/`` and their ISO 3166 code, so most
places need no request. What has no code is resolved by its name.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from plugins.datacommons.client import DataCommonsClient
from plugins.datacommons.successions import ended, exists_in
from shared.query.annotated import EntityResolved
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.quantity import Entity, PlaceKind
from shared.query.readings import EntityMention, PopulationMention
from shared.text.places import by_code, members
from shared.text.places.tables import counties, countries, states

EARTH = "Earth"
USA = "country/USA"
PUERTO_RICO = "geoId/72"
OWN_CODES = {"XKX": "XKS"}
"""Countries whose code in Data Commons is not the customary one: Kosovo, which ISO 3166 has no code for."""
KEY = "dcid"
"""The key scheme of Data Commons' own ids on an entity."""


@dataclass(frozen=True, slots=True)
class MemberType:
    """How a kind of member is asked for: its type, the place it lies in if none is named, what may hold it."""

    name: str
    default: str
    holders: frozenset[PlaceKind]


MEMBERS: dict[PlaceKind, MemberType] = {
    PlaceKind.COUNTRY: MemberType("Country", EARTH, frozenset({PlaceKind.COUNTRY_GROUP})),
    PlaceKind.US_STATE: MemberType("State", USA, frozenset({PlaceKind.COUNTRY})),
    PlaceKind.US_COUNTY: MemberType("County", USA, frozenset({PlaceKind.COUNTRY, PlaceKind.US_STATE})),
    PlaceKind.CITY: MemberType(
        "City", USA, frozenset({PlaceKind.COUNTRY, PlaceKind.US_STATE, PlaceKind.US_COUNTY})
    ),
    PlaceKind.PLACE: MemberType("AdministrativeArea1", EARTH, frozenset({PlaceKind.COUNTRY})),
}
WORDED_TYPES: tuple[tuple[str, str], ...] = (
    ("district", "AdministrativeArea2"),
    ("department", "AdministrativeArea2"),
    ("county", "AdministrativeArea2"),
    ("counties", "AdministrativeArea2"),
    ("municipal", "AdministrativeArea3"),
)
"""Words for parts of a country that are no first-level divisions of it."""

CITY_TYPE = "City"


def dcid_of(entity: Entity) -> str | None:
    """The id that follows from an entity's codes, or ``None`` for one that only a name identifies."""
    keys = entity.keys
    if KEY in keys:
        return keys[KEY]
    if entity.kind in {PlaceKind.US_STATE, PlaceKind.US_COUNTY} and "fips" in keys:
        return f"geoId/{keys['fips']}"
    if entity.kind is PlaceKind.COUNTRY and "iso3" in keys:
        return country_id(keys["iso3"])
    if keys.get("wb") == "WLD":
        return EARTH
    return None


def country_id(iso3: str) -> str:
    """The id of a country by its ISO 3166 code."""
    return f"country/{OWN_CODES.get(iso3, iso3)}"


def with_dcid(entity: Entity, dcid: str) -> Entity:
    """The entity with Data Commons' id among its keys."""
    return (
        entity if entity.keys.get(KEY) == dcid else entity.model_copy(update={"keys": {**entity.keys, KEY: dcid}})
    )


@lru_cache(maxsize=1)
def _known_us() -> dict[str, Entity]:
    known = [*states().values(), *(county.entity for county in counties())]
    return {dcid: with_dcid(one, dcid) for one in known if (dcid := f"geoId/{one.keys['fips']}")}


@lru_cache(maxsize=1)
def _known_countries() -> dict[str, Entity]:
    return {dcid: with_dcid(one, dcid) for iso3, one in countries().items() if (dcid := country_id(iso3))}


def known_place(dcid: str) -> Entity | None:
    """The entity of an id, where the gazetteer knows the code in it."""
    scheme, _, code = dcid.partition("/")
    if scheme == "geoId":
        return _known_us().get(dcid) or (by_code(code) if len(code) == len("72") else None)
    return _known_countries().get(dcid) if scheme == "country" else None


def place_of(dcid: str, name: str) -> Entity:
    """A place under its common name where that is known, else under the name that Data Commons gives it."""
    known = known_place(dcid)
    if known is not None:
        return with_dcid(known, dcid)
    keys = {KEY: dcid}
    code = dcid.removeprefix("geoId/")
    state = _known_us().get(f"geoId/{code[:2]}") if code != dcid else None
    if state is not None and len(code) == 5:
        return Entity(name=f"{name}, {state.name}", kind=PlaceKind.US_COUNTY, keys={"fips": code, **keys})
    if state is not None and len(code) == 7:
        return Entity(name=f"{name}, {state.name}", kind=PlaceKind.CITY, keys=keys)
    return Entity(name=name, kind=PlaceKind.PLACE, keys=keys)


async def resolve_entity(mention: EntityMention, client: DataCommonsClient) -> EntityResolved | Unanswerable:
    """The entity with its id, or why there is none. A city is looked up by name and state."""
    entity = mention.entity
    if entity is None:
        return Unanswerable(
            status=FailureStatus.UNKNOWN_ENTITY, reason=f"“{mention.text}” is no place that is known here"
        )
    dcid = dcid_of(entity)
    if dcid is not None:
        return EntityResolved(entity=with_dcid(entity, dcid))
    if entity.kind is PlaceKind.COUNTRY_GROUP:
        return await _as_members(entity)
    if entity.kind not in {PlaceKind.CITY, PlaceKind.PLACE}:
        return _not_covered(f"figures of places; {entity.name} is none")
    return await _by_name(entity, client)


async def _by_name(entity: Entity, client: DataCommonsClient) -> EntityResolved | Unanswerable:
    state = states().get(entity.keys.get("state", ""))
    name = entity.name if state is None or state.name in entity.name else f"{entity.name}, {state.name}"
    kind = CITY_TYPE if entity.kind is PlaceKind.CITY else None
    found = (await client.candidates([name], place_type=kind)).by_name.get(name, ())
    inside = [one for one in found if state is None or one.dcid.startswith(f"geoId/{state.keys['fips']}")]
    if not inside:
        return _not_covered(f"no place called {name}")
    if len(inside) > 1 and state is None:
        ids = ", ".join(one.dcid for one in inside[:5])
        return Unanswerable(
            status=FailureStatus.AMBIGUOUS,
            reason=f"several places are named {name} ({ids}); add the state or country",
        )
    return EntityResolved(entity=with_dcid(entity, inside[0].dcid))


async def _as_members(group: Entity) -> EntityResolved | Unanswerable:
    found = members(group)
    if found is None:
        return _not_covered(f"no figure for {group.name}, and which countries belong to it is not known here")
    asked = tuple(with_dcid(one, dcid) for one in found if (dcid := dcid_of(one)) is not None)
    return EntityResolved(
        entity=group, expression=_listed(asked), members=asked, member_of=group.name, sum_of_members=True
    )


async def resolve_population(population: PopulationMention) -> EntityResolved | Unanswerable:
    """The population as a containment expression, or as a list of ids.

    The members of an expression are not listed here: there may be thousands, and the answer tells who they are.
    """
    if population.fact_filter is not None:
        return Unanswerable(
            status=FailureStatus.INFEASIBLE,
            reason=f"Data Commons' figures cannot tell which places are “{population.fact_filter}”",
            needs=f"a source of facts that lists those that are {population.fact_filter}",
        )
    if population.listed:
        return _of_list(population)
    member = MEMBERS.get(population.member)
    if member is None:
        return _not_covered(f"figures of places, not of each {population.member.value}")
    place_type = _worded_type(population, member)
    container = population.container
    if container is None:
        return _inside(member.default, place_type, None)
    if container.entity is None:
        return Unanswerable(
            status=FailureStatus.UNKNOWN_ENTITY,
            reason=f"no place called “{container.text}” is known to hold others",
        )
    dcid = dcid_of(container.entity)
    if dcid == EARTH:
        return _inside(EARTH, place_type, container.entity)
    if container.entity.kind not in member.holders:
        return _not_covered(f"no {population.text}: {container.entity.name} holds no {place_type.lower()} places")
    if container.entity.kind is PlaceKind.COUNTRY_GROUP:
        return _of_group(container.entity)
    if dcid is None:
        return _not_covered(f"no places inside {container.entity.name}, which it has no id for")
    if (
        dcid != USA
        and population.member in {PlaceKind.US_STATE, PlaceKind.US_COUNTY}
        and not dcid.startswith("geoId/")
    ):
        place_type = "AdministrativeArea1" if population.member is PlaceKind.US_STATE else "AdministrativeArea2"
    return _inside(dcid, place_type, container.entity)


def _worded_type(population: PopulationMention, member: MemberType) -> str:
    if population.member is not PlaceKind.PLACE:
        return member.name
    words = population.text.casefold()
    return next((kind for word, kind in WORDED_TYPES if word in words), member.name)


def _inside(dcid: str, place_type: str, container: Entity | None) -> EntityResolved:
    return EntityResolved(
        expression=f"{dcid}<-containedInPlace+{{typeOf:{place_type}}}",
        member_of=container.name if container else None,
    )


def _of_list(population: PopulationMention) -> EntityResolved | Unanswerable:
    unknown = [mention.text for mention in population.listed if mention.entity is None]
    if unknown:
        return Unanswerable(
            status=FailureStatus.UNKNOWN_ENTITY, reason=f"{', '.join(unknown)}: no such place is known here"
        )
    entities = [mention.entity for mention in population.listed if mention.entity is not None]
    nameless = [entity.name for entity in entities if dcid_of(entity) is None]
    if nameless:
        return _not_covered(f"nothing for {', '.join(nameless)} in a list: ask for each by itself")
    asked = tuple(with_dcid(entity, str(dcid_of(entity))) for entity in entities)
    return EntityResolved(expression=_listed(asked), members=asked)


def _of_group(group: Entity) -> EntityResolved | Unanswerable:
    found = members(group)
    if not found:
        return Unanswerable(
            status=FailureStatus.NOT_COVERED, reason=f"which countries belong to {group.name} is not known here"
        )
    asked = tuple(with_dcid(one, dcid) for one in found if (dcid := dcid_of(one)) is not None)
    return EntityResolved(expression=_listed(asked), members=asked, member_of=group.name)


def _listed(entities: Iterable[Entity]) -> str:
    return ";".join(entity.keys[KEY] for entity in entities)


def known_members(expression: str, year: int) -> dict[str, Entity]:
    """The members of a containment expression that the gazetteer knows to exist in a year, by id."""
    container, _, rest = expression.partition("<-containedInPlace+{typeOf:")
    place_type = rest.removesuffix("}")
    if place_type == "Country" and container == EARTH:
        return dict(_known_countries())
    if place_type == "State" and container == USA:
        return {dcid: _known_us()[dcid] for one in states().values() if (dcid := f"geoId/{one.keys['fips']}")}
    if place_type == "County" and (container == USA or container.startswith("geoId/")):
        prefix = "geoId/" if container == USA else container
        return {
            dcid: entity
            for dcid, entity in _known_us().items()
            if len(dcid) == len("geoId/00000")
            and dcid.startswith(prefix)
            and exists_in(dcid, year)
            and not in_territory(dcid, expression)
        }
    return {}


def in_territory(dcid: str, expression: str) -> bool:
    """Whether a place is of Puerto Rico where the states or counties of the United States are asked for.

    Data Commons lists Puerto Rico among the states and its municipios among the counties.
    """
    return expression.startswith(f"{USA}<-") and dcid.startswith(PUERTO_RICO)


def is_containment(expression: str) -> bool:
    """Whether a population is asked for by what contains it rather than by a list of ids."""
    return "<-containedInPlace+" in expression


def renamed(entity: Entity) -> str | None:
    """What became of a place that exists no more, for a reader."""
    return ended(entity.keys.get(KEY) or dcid_of(entity) or "")


def _not_covered(what: str) -> Unanswerable:
    return Unanswerable(status=FailureStatus.NOT_COVERED, reason=f"Data Commons has {what}")
