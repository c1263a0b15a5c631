"""Places and populations as the World Bank knows them: its own list decides what is covered."""

from __future__ import annotations

from collections.abc import Iterable

from plugins.choice.countries_only import CountriesOnly
from plugins.worldbank.client import WorldBankClient
from plugins.worldbank.records import Country, WorldBankRejects
from shared.query.annotated import EntityResolved
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.quantity import Entity, PlaceKind
from shared.query.readings import EntityMention, PopulationMention
from shared.text.places import by_code, group_as_of, members

WORLD = "WLD"
INCOME_LEVELS = {
    "high income": {"HIC"},
    "upper middle income": {"UMC"},
    "lower middle income": {"LMC"},
    "low income": {"LIC"},
    "middle income": {"LMC", "UMC"},
    "low and middle income": {"LIC", "LMC", "UMC"},
    "developing": {"LIC", "LMC", "UMC"},
}
"""Income levels by the words that narrow a population to them."""

MOST_LISTED = 60
"""Populations up to this size are asked for by code; larger ones are picked out of ``all``."""

_PARTS_OF_FRANCE = frozenset({"GLP", "GUF", "MTQ", "MYT", "REU"})
"""Overseas departments with an ISO code of their own."""


REACH = CountriesOnly("the World Bank publishes")
"""How far it goes, and what it says of the rest."""


async def resolve_entity(mention: EntityMention, client: WorldBankClient) -> EntityResolved | Unanswerable:
    """The entity with the World Bank's own code, or why it publishes nothing for the place.

    A group without figures of its own is resolved to its members, whose figures may be added up.
    """
    entity = mention.entity
    if entity is None:
        return Unanswerable(
            status=FailureStatus.UNKNOWN_ENTITY, reason=f"“{mention.text}” is no place that is known here"
        )
    if entity.kind not in {PlaceKind.COUNTRY, PlaceKind.COUNTRY_GROUP}:
        return REACH.no_country(entity)
    code = entity.keys.get("wb") or entity.keys.get("iso3")
    if code is None:
        return await _as_members(entity, client)
    try:
        listed = await client.country(code)
    except WorldBankRejects:
        if entity.kind is PlaceKind.COUNTRY_GROUP:
            return await _as_members(entity, client)
        part = "; it is a part of France, which has one" if code in _PARTS_OF_FRANCE else ""
        return REACH.not_covered(f"no figures for {entity.name}: its list of countries has no entity {code}{part}")
    return EntityResolved(entity=_with_codes(entity, listed))


async def _as_members(group: Entity, client: WorldBankClient) -> EntityResolved | Unanswerable:
    found = members(group)
    if found is None:
        return REACH.not_covered(
            f"no figure for {group.name} as a group, and which countries belong to it is not known"
        )
    listed = {country.code: country for country in await client.countries() if not country.is_group}
    asked = _known(found, listed)
    if not any("wb" in entity.keys for entity in asked):
        return REACH.not_covered(f"no figures for {group.name} or any member of it")
    return EntityResolved(
        entity=group,
        expression=_expression(asked),
        members=tuple(asked),
        member_of=group.name,
        as_of=group_as_of(group),
        sum_of_members=True,
        sums_series=True,
    )


def _expression(asked: Iterable[Entity]) -> str:
    codes = [entity.keys["wb"] for entity in asked if "wb" in entity.keys]
    return ";".join(codes) if len(codes) <= MOST_LISTED else "all"


def _with_codes(entity: Entity, listed: Country) -> Entity:
    codes = {"wb": listed.code, "iso2": listed.iso2}
    # A group's own code goes first: it is what the group is printed and matched by.
    keys = {**codes, **entity.keys, **codes} if listed.is_group else {**entity.keys, **codes}
    return entity.model_copy(update={"keys": keys})


def as_entity(country: Country) -> Entity:
    """A listed country under its common name where that is known."""
    known = by_code(country.code)
    if known is not None and known.kind is PlaceKind.COUNTRY:
        return _with_codes(known, country)
    keys = {"iso3": country.code, "iso2": country.iso2, "wb": country.code}
    return Entity(name=country.name, kind=PlaceKind.COUNTRY, keys=keys)


async def resolve_population(
    population: PopulationMention, client: WorldBankClient
) -> EntityResolved | Unanswerable:
    """The members of a population. A member without the key ``wb`` has no entity at the World Bank.

    Members are always countries: the groups that the World Bank lists beside them are never members.
    """
    if population.member is not PlaceKind.COUNTRY:
        return REACH.no_countries(population)
    listed = {country.code: country for country in await client.countries() if not country.is_group}
    wanted = _wanted(population, listed)
    if isinstance(wanted, Unanswerable):
        return wanted
    narrowed = _narrow(wanted, population.fact_filter, listed)
    if isinstance(narrowed, Unanswerable):
        return narrowed
    if not any("wb" in entity.keys for entity in narrowed):
        return REACH.not_covered(f"no figures for any member of {population.text}")
    container = population.container.entity if population.container else None
    return EntityResolved(
        expression=_expression(narrowed),
        members=tuple(narrowed),
        member_of=container.name if container else None,
        as_of=group_as_of(container) if container else None,
    )


def _wanted(population: PopulationMention, listed: dict[str, Country]) -> list[Entity] | Unanswerable:
    if population.listed:
        unknown = [mention.text for mention in population.listed if mention.entity is None]
        if unknown:
            return Unanswerable(
                status=FailureStatus.UNKNOWN_ENTITY, reason=f"{', '.join(unknown)}: no such place is known here"
            )
        return _known((mention.entity for mention in population.listed if mention.entity), listed)
    container = population.container
    if container is None:
        return [as_entity(country) for country in listed.values()]
    if container.entity is None:
        return Unanswerable(
            status=FailureStatus.UNKNOWN_ENTITY, reason=f"no group of countries called “{container.text}” is known"
        )
    if container.entity.keys.get("wb") == WORLD:
        return [as_entity(country) for country in listed.values()]
    if container.entity.kind is not PlaceKind.COUNTRY_GROUP:
        return REACH.not_covered(f"figures for countries; {container.entity.name} is not a group of them")
    found = members(container.entity)
    if found is None:
        return Unanswerable(
            status=FailureStatus.NOT_COVERED,
            reason=f"which countries belong to {container.entity.name} is not known here",
        )
    return _known(found, listed)


def _known(entities: Iterable[Entity], listed: dict[str, Country]) -> list[Entity]:
    """The entities, those that the World Bank lists with its code in ``wb``."""
    found = []
    for entity in entities:
        country = listed.get(entity.keys.get("iso3", ""))
        keys = {scheme: key for scheme, key in entity.keys.items() if scheme != "wb"}
        found.append(_with_codes(entity, country) if country else entity.model_copy(update={"keys": keys}))
    return found


def _narrow(
    entities: list[Entity], fact_filter: str | None, listed: dict[str, Country]
) -> list[Entity] | Unanswerable:
    if fact_filter is None:
        return entities
    words = fact_filter.casefold().replace("-", " ").removesuffix(" countries").strip()
    levels = INCOME_LEVELS.get(words)
    if levels is None:
        return Unanswerable(
            status=FailureStatus.INFEASIBLE,
            reason=f"the World Bank's figures cannot tell which countries are “{fact_filter}”",
            needs=f"a source of facts that lists the countries that are {fact_filter}",
        )
    return [
        entity for entity in entities if "wb" in entity.keys and listed[entity.keys["wb"]].income_level in levels
    ]
