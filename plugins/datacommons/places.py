"""Places as Data Commons identifies them: ids from codes, names, and who belongs to a containment expression.

US states and counties are ``geoId/`` and their FIPS code, countries ``country/`` and their ISO 3166 code, so most
places need no request. What has no code is resolved by its name.
"""

from __future__ import annotations

from functools import lru_cache

from plugins.datacommons.successions import ended, exists_in
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.quantity import Entity, PlaceKind
from shared.text.places import by_code
from shared.text.places.tables import counties, countries, states

EARTH = "Earth"
USA = "country/USA"
PUERTO_RICO = "geoId/72"
DISTRICT_OF_COLUMBIA = "geoId/11"
OWN_CODES = {"XKX": "XKS"}
"""Countries whose code in Data Commons is not the customary one: Kosovo, which ISO 3166 has no code for."""
KEY = "dcid"
"""The key scheme of Data Commons' own ids on an entity."""


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


def not_covered(what: str) -> Unanswerable:
    """The refusal of what Data Commons has no figures of; ``what`` follows "has"."""
    return Unanswerable(status=FailureStatus.NOT_COVERED, reason=f"Data Commons has {what}")
