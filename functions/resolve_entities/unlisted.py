"""Named groups whose members no source tells: what is asked for instead once models have listed them."""

from __future__ import annotations

from dataclasses import dataclass

from functions.resolve_entities.list_task import KINDS, ListRequest, MemberKind
from functions.resolve_entities.listing import MembersListed, NoList, list_members
from shared.query.annotated import EntityResolved
from shared.query.quantity import Entity, PlaceKind
from shared.query.readings import EntityMention, PopulationMention
from shared.query.slots import Slot, SlotKind
from shared.runtime.context import RunContext
from shared.text.places import members

_MAY_BE_GROUPS = frozenset({PlaceKind.COUNTRY_GROUP, PlaceKind.PLACE})


@dataclass(frozen=True, slots=True)
class Unlisted:
    """A group that a slot is about and whose members are not known here, and the kinds that they may be of."""

    name: str
    entity: Entity
    kinds: tuple[MemberKind, ...]


class Lists:
    """The lists that models have made for one question: each group is asked about once."""

    def __init__(self, question: str, context: RunContext) -> None:
        self.context = context
        self._question = question
        self._made: dict[ListRequest, MembersListed | NoList] = {}

    async def of(self, group: Unlisted) -> MembersListed | NoList:
        """The members of a group, or why there is no list."""
        request = ListRequest(group=group.name, question=self._question, kinds=group.kinds)
        if request not in self._made:
            self._made[request] = await list_members(request, self.context)
        return self._made[request]


def unlisted_group(slot: Slot) -> Unlisted | None:
    """The group of a slot for one figure or for one of each member; ``None`` when there is no such group.

    A list alone is never taken from models: an answer that is nothing but a list needs a source that publishes it.
    """
    population = slot.population
    if slot.kind is SlotKind.VALUE and slot.entity is not None:
        return _group(slot.entity, KINDS)
    if slot.kind is not SlotKind.POPULATION or population is None or population.container is None:
        return None
    if population.listed or population.fact_filter is not None:
        return None
    kinds = (
        KINDS if population.member is PlaceKind.PLACE else tuple(k for k in KINDS if k == population.member.value)
    )
    return _group(population.container, kinds)


def _group(mention: EntityMention, kinds: tuple[MemberKind, ...]) -> Unlisted | None:
    entity = mention.entity
    if mention.status == "ambiguous" or not kinds:
        return None
    if entity is None:
        return Unlisted(mention.text, Entity(name=mention.text, kind=PlaceKind.COUNTRY_GROUP), kinds)
    if entity.kind not in _MAY_BE_GROUPS or members(entity) is not None:
        return None
    return Unlisted(entity.name, entity, kinds)


def of_members(slot: Slot, listed: MembersListed) -> Slot:
    """The slot with the listed members in place of their group: a figure for each of them."""
    population = slot.population or PopulationMention(
        member=listed.members[0].kind, text=f"members of {listed.group}"
    )
    asked = tuple(EntityMention(text=one.name, status="resolved", entity=one) for one in listed.members)
    population = population.model_copy(update={"container": None, "listed": asked})
    return slot.model_copy(update={"kind": SlotKind.POPULATION, "entity": None, "population": population})


def as_asked(slot: Slot, group: Unlisted, asked: Slot, resolved: EntityResolved) -> EntityResolved:
    """What a source knows of the members, as what the slot asks for: their figures, or what these add up to."""
    update: dict[str, object] = {"member_of": group.name, "listed": asked.population}
    if slot.kind is SlotKind.VALUE:
        update |= {"entity": group.entity, "sum_of_members": True}
    return resolved.model_copy(update=update)
