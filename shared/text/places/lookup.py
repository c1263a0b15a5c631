"""Entities by code and by name, and the members of groups."""

from __future__ import annotations

import re
from functools import lru_cache

from shared.query.quantity import Entity, PlaceKind
from shared.text.places import counties, tables
from shared.text.places.names import index
from shared.text.places.tables import Group, fold


@lru_cache(maxsize=1)
def _codes() -> dict[str, Entity]:
    found: dict[str, Entity] = {}
    for iso3, country in tables.countries().items():
        found[iso3] = country
        for scheme in ("iso2", "m49"):
            if scheme in country.keys:
                found.setdefault(country.keys[scheme], country)
    for group in tables.groups().values():
        for scheme in ("wb", "group"):
            if scheme in group.entity.keys:
                found.setdefault(group.entity.keys[scheme].upper(), group.entity)
    for postal, state in tables.states().items():
        found[f"US-{postal}"] = state
    for country in tables.countries().values():
        if "postal" in country.keys:
            found[f"US-{country.keys['postal']}"] = country
    return found


@lru_cache(maxsize=1)
def _fips() -> dict[str, Entity]:
    places = [*tables.states().values(), *tables.countries().values()]
    return {place.keys["fips"]: place for place in places if "fips" in place.keys}


def by_code(code: str) -> Entity | None:
    """The entity of a code, or ``None``.

    ``IND``, ``IN`` and ``356`` are the country; ``EUU`` and ``eu`` the group; ``US-TX`` and ``48`` the
    state; ``48201`` the county. ISO2 wins over a state's postal code: write ``US-IN`` for Indiana.
    """
    written = code.strip().upper()
    if written.isdigit():
        if len(written) == 5:
            return counties.by_fips(written)
        if len(written) == 2:
            return _fips().get(written)
    return _codes().get(written)


def by_name(name: str, *, kind: PlaceKind | None = None) -> Entity | None:
    """The one entity of a name or alias, or ``None`` when no or several entities have it.

    ``kind`` settles a name that entities of several kinds share, such as Georgia.
    """
    folded = fold(name.strip())
    senses = index().senses.get(folded) or index().senses.get(folded.removeprefix("the ")) or ()
    entities = [sense.entity for sense in senses]
    if not entities and any(
        word in folded for word in ("county", "parish", "borough", "census area", "municip", "city")
    ):
        entities = list(counties.named(name))
    if kind is not None:
        entities = [entity for entity in entities if entity.kind is kind]
    exact = [entity for entity in entities if fold(entity.name) == folded]
    if len(exact) == 1:
        return exact[0]
    return entities[0] if len(entities) == 1 else None


def _group(group: Entity) -> Group | None:
    return tables.groups().get(group.keys.get("group", ""))


def members(group: Entity) -> tuple[Entity, ...] | None:
    """The countries of a group, or ``None`` when ``group`` is no group or its list is not carried.

    For the United States it is the 50 states and the District of Columbia; for a state its counties.
    """
    if group.kind is PlaceKind.US_STATE:
        return counties.in_state(group.keys["postal"])
    if group.keys.get("iso3") == "USA":
        return tuple(tables.states().values())
    known = _group(group)
    if known is None or not known.members:
        return None
    return tuple(tables.countries()[iso3] for iso3 in known.members)


def group_as_of(group: Entity) -> str | None:
    """The date that the carried membership holds from (``2020-02-01``, ``customary``), or ``None``."""
    known = _group(group)
    return known.as_of if known and known.members else None


def group_source(group: Entity) -> str | None:
    """Whose list the membership is (``UN M49``, ``OECD, member countries``), or ``None``."""
    known = _group(group)
    return known.source if known and known.members else None


_ARTICLE = re.compile(r"Union|Council|Community|Nations|League|Group|OECD|G20|USMCA|CIS|BRICS")
_WHOLE = {
    "UN M49": "the United Nations' M49 standard",
    "World Bank country list": "the World Bank's country list",
    "World Bank group of that name": "the World Bank's group of that name",
    "successor states": "the list of its successor states",
    "BRIC, the four founders": "the list of the four founders of BRIC",
}


def group_list_name(group: Entity) -> str | None:
    """Whose list the membership is, as a sentence says it: ``the European Union's list of member countries``."""
    source = group_source(group)
    if source is None or source in _WHOLE:
        return _WHOLE.get(source or "")
    keeper, _, what = source.partition(", ")
    article = "the " if _ARTICLE.search(keeper) else ""
    if not what or what.startswith("until"):
        return f"{article}{keeper} {what}".strip()
    possessive = "'" if keeper.lower().endswith("s") else "'s"
    return f"{article}{keeper}{possessive} list of {what}"
