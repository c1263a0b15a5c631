"""Who is meant: an entity as Data Commons' place, a population as a containment expression or a list of ids.

What has a code needs no request. A name is looked up by the publisher's own resolver; where that knows several
places of the name, which of them is meant is a judgment, and never a guess.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from plugins.choice.place_task import PlaceCandidate, choose_place
from plugins.datacommons.client import DataCommonsClient
from plugins.datacommons.named import dcid_by_name
from plugins.datacommons.places import EARTH, KEY, USA, dcid_of, not_covered, with_dcid
from shared.query.annotated import EntityResolved
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.quantity import Entity, PlaceKind
from shared.query.readings import EntityMention, PopulationMention
from shared.runtime.context import RunContext
from shared.text.places import members


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
COUNTIES = MEMBERS[PlaceKind.US_COUNTY]
_COUNTIES = re.compile(r"\bcount(?:y|ies)\b", re.IGNORECASE)
WORDED_TYPES: tuple[tuple[str, str], ...] = (
    ("district", "AdministrativeArea2"),
    ("department", "AdministrativeArea2"),
    ("county", "AdministrativeArea2"),
    ("counties", "AdministrativeArea2"),
    ("municipal", "AdministrativeArea3"),
)
"""Words for parts of a country that are no first-level divisions of it."""


async def resolve_entity(
    mention: EntityMention, client: DataCommonsClient, *, question: str, context: RunContext
) -> EntityResolved | Unanswerable:
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
        return not_covered(f"figures of places; {entity.name} is none")
    named = await dcid_by_name(entity, client, question=question, context=context)
    return named if isinstance(named, Unanswerable) else EntityResolved(entity=with_dcid(entity, named))


async def _as_members(group: Entity) -> EntityResolved | Unanswerable:
    found = members(group)
    if found is None:
        return not_covered(f"no figure for {group.name}, and which countries belong to it is not known here")
    asked = tuple(with_dcid(one, dcid) for one in found if (dcid := dcid_of(one)) is not None)
    return EntityResolved(
        entity=group, expression=_listed(asked), members=asked, member_of=group.name, sum_of_members=True
    )


async def resolve_population(
    population: PopulationMention, *, question: str, context: RunContext
) -> EntityResolved | Unanswerable:
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
        return not_covered(f"figures of places, not of each {population.member.value}")
    place_type = _worded_type(population, member)
    if _of_a_state(population):
        member, place_type = COUNTIES, COUNTIES.name
    container = population.container
    if container is None:
        return _inside(member.default, place_type, None)
    holder = await _holder(container, member, question=question, context=context)
    if isinstance(holder, Unanswerable):
        return holder
    dcid = dcid_of(holder)
    if dcid == EARTH:
        return _inside(EARTH, place_type, holder)
    if holder.kind not in member.holders:
        return not_covered(f"no {population.text}: {holder.name} holds none")
    if holder.kind is PlaceKind.COUNTRY_GROUP:
        return _of_group(holder)
    if dcid is None:
        return not_covered(f"no places inside {holder.name}, which it has no id for")
    if (
        dcid != USA
        and population.member in {PlaceKind.US_STATE, PlaceKind.US_COUNTY}
        and not dcid.startswith("geoId/")
    ):
        place_type = "AdministrativeArea1" if population.member is PlaceKind.US_STATE else "AdministrativeArea2"
    return _inside(dcid, place_type, holder)


async def _holder(
    container: EntityMention, member: MemberType, *, question: str, context: RunContext
) -> Entity | Unanswerable:
    """The place that holds the members. Of several of its name, those that can hold none are not meant."""
    if container.entity is not None:
        return container.entity
    able = {dcid: one for one in container.candidates if one.kind in member.holders and (dcid := dcid_of(one))}
    if states := {dcid: one for dcid, one in able.items() if one.kind is PlaceKind.US_STATE and member is COUNTIES}:
        # Counties are said of the states; the country of that name has none.
        able = states
    if not able:
        return Unanswerable(
            status=FailureStatus.UNKNOWN_ENTITY,
            reason=f"no place called “{container.text}” is known to hold others",
        )
    if len(able) == 1 < len(container.candidates):
        (only,) = able.values()
        context.disclose(f"“{container.text}” was read as {only.name} ({only.kind.words}), which holds such places")
    offered = [PlaceCandidate(id=dcid, name=one.name, kind=one.kind.words) for dcid, one in able.items()]
    chosen = await choose_place(container.text, offered, question=question, context=context)
    return chosen if isinstance(chosen, Unanswerable) else able[chosen]


def _worded_type(population: PopulationMention, member: MemberType) -> str:
    if population.member is not PlaceKind.PLACE:
        return member.name
    words = population.text.casefold()
    return next((kind for word, kind in WORDED_TYPES if word in words), member.name)


def _of_a_state(population: PopulationMention) -> bool:
    """Whether parts of a place are called counties and the place may be a US state."""
    container = population.container
    if population.member is not PlaceKind.PLACE or container is None or not _COUNTIES.search(population.text):
        return False
    meant = [container.entity] if container.entity is not None else container.candidates
    return any(one.kind is PlaceKind.US_STATE for one in meant)


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
        return not_covered(f"nothing for {', '.join(nameless)} in a list: ask for each by itself")
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
