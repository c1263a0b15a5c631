"""Country facts: land borders, memberships, capitals and the like, as a source of members and facts."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar

from plugins.base import Publisher
from plugins.countryfacts import facts, members
from plugins.countryfacts.client import CENSUS_HOST, COUNTRIES_HOST
from plugins.countryfacts.meant import fact_meant
from plugins.countryfacts.narrowing import known, narrowing_of
from plugins.countryfacts.relations import (
    RELATIONS,
    document_of,
    is_united_nations,
    kept_by_publisher,
    relation_of,
)
from shared.query.annotated import Bound, EntityResolved, Executed, Meaning, PlannedRequest, Selected
from shared.query.discovery import TableDocument
from shared.query.evidence import FailureStatus, Measure, Unanswerable
from shared.query.quantity import PlaceKind, Unit, UnitKind
from shared.query.slots import Slot, SlotKind
from shared.runtime.context import RunContext
from shared.text.places import by_code
from shared.text.places import members as group_members

Reader = Callable[[PlannedRequest, RunContext], Awaitable[Executed | Unanswerable]]
PLURALS = {
    PlaceKind.COUNTRY: "countries",
    PlaceKind.US_STATE: "states",
    PlaceKind.US_COUNTY: "counties",
    PlaceKind.CITY: "cities",
    PlaceKind.PLACE: "places",
}
"""Kinds of members that are listed as what they are: the counties of a state are no list of its cities."""
COVERED = frozenset({PlaceKind.COUNTRY, PlaceKind.COUNTRY_GROUP, PlaceKind.US_STATE})
WORDS = Unit(kind=UnitKind.NONE, code="", label="")


class CountryFacts:
    """Serves members and facts; it has no figures."""

    name: ClassVar[str] = "countryfacts"
    version: ClassVar[str] = "1"
    publisher: ClassVar[Publisher] = Publisher(
        name="Country facts",
        aliases=("countryfacts", "country facts", "REST Countries"),
        licence="ODbL 1.0",
        home="https://restcountries.com/",
    )
    slot_kinds: ClassVar[frozenset[SlotKind]] = frozenset({SlotKind.MEMBERS, SlotKind.FACT})
    hosts: ClassVar[frozenset[str]] = frozenset({COUNTRIES_HOST, CENSUS_HOST})

    def beyond(self, slot: Slot) -> Unanswerable | None:
        """What a fact or a list is of is told with the choice, which needs no judgment for most."""
        del slot
        return None

    async def choose(
        self, slot: Slot, documents: Sequence[TableDocument], *, question: str, context: RunContext
    ) -> Selected | Unanswerable:
        """Choose the document of the relation that is asked for, if the search returned it."""
        relation = relation_of(slot) or await fact_meant(slot, documents, question=question, context=context)
        asked = slot.relation or slot.describes
        if isinstance(relation, Unanswerable):
            return relation
        if relation is None:
            held = ", ".join(relation.label for relation in RELATIONS)
            return Unanswerable(
                status=FailureStatus.NOT_FOUND, reason=f"“{asked}” is not among the facts held here: {held}"
            )
        fact = slot.population.fact_filter if slot.population and slot.kind is SlotKind.MEMBERS else None
        narrowed = fact is not None and narrowing_of(fact) is not None
        if relation.variable == "membership" and not narrowed and (group := kept_by_publisher(slot)) is not None:
            return Unanswerable(
                status=FailureStatus.NOT_COVERED,
                reason=f"which countries are “{group}” is told by the World Bank's own records",
            )
        if fact is not None and not narrowed:
            return Unanswerable(
                status=FailureStatus.NOT_COVERED,
                reason=f"the records of countries held here do not tell which are “{fact}”; they tell: {known()}",
            )
        wanted = document_of(relation, slot)
        found = tuple(document for document in documents if document.variable == wanted)
        if not found:
            return Unanswerable(
                status=FailureStatus.NOT_FOUND, reason=f"the search returned no table of {relation.label}"
            )
        meaning = Meaning(id=relation.variable, label=relation.label, variable=wanted, rank=1, documents=found)
        return Selected(meanings=(meaning,), why=f"“{asked}” names the relation {relation.label}")

    async def resolve(
        self, slot: Slot, selected: Selected, *, question: str, context: RunContext
    ) -> EntityResolved | Unanswerable:
        """Take the entity that was read, if it is a country, a group or a US state; list a group's members."""
        del selected, question
        context.phase.require_judging("the resolution of a place")
        entity = slot.entity.entity if slot.entity else None
        other = slot.object.entity if slot.object else None
        container = slot.population.container if slot.population else None
        for mention in (slot.entity, slot.object, container):
            if mention is None or is_united_nations(mention):
                continue
            if mention.entity is None and mention.status == "unknown":
                return Unanswerable(
                    status=FailureStatus.UNKNOWN_ENTITY,
                    reason=f"no place or group is called “{mention.text}”",
                )
            if mention.entity is not None and mention.entity.kind not in COVERED:
                kind = mention.entity.kind.value.replace("_", " ")
                return Unanswerable(
                    status=FailureStatus.NOT_COVERED,
                    reason=f"these facts cover countries and US states, and {mention.entity.name} is a {kind}",
                )
        if slot.kind is SlotKind.MEMBERS and entity is None:
            return self._group(slot)
        return EntityResolved(entity=entity, object=other)

    @staticmethod
    def _group(slot: Slot) -> EntityResolved | Unanswerable:
        """Resolve the group whose members are asked for."""
        container = slot.population.container if slot.population else None
        group = container.entity if container else None
        if slot.population is not None and slot.population.fact_filter is not None:
            group = group or by_code("WLD")
        if group is None:
            return Unanswerable(
                status=FailureStatus.UNKNOWN_ENTITY,
                reason=f"which group “{slot.describes}” means is not said; name a group or a continent",
            )
        listed = group_members(group)
        if listed is None:
            return Unanswerable(
                status=FailureStatus.NOT_COVERED, reason=f"no list of the members of {group.name} is held here"
            )
        asked = slot.population.member if slot.population is not None else None
        kinds = {member.kind for member in listed}
        countries = asked is PlaceKind.PLACE and PlaceKind.COUNTRY in kinds
        if asked in PLURALS and asked not in kinds and not countries:
            held = " and ".join(sorted(PLURALS.get(kind, kind.words) for kind in kinds))
            return Unanswerable(
                status=FailureStatus.NOT_COVERED,
                reason=f"of {group.name} the {held} are listed here, and not the {PLURALS[asked]}",
            )
        return EntityResolved(entity=group, members=listed, member_of=group.name)

    async def bind(
        self, slot: Slot, selected: Selected, resolved: EntityResolved, *, context: RunContext
    ) -> list[Bound] | Unanswerable:
        """Bind the one relation; a list that is narrowed by a fact is one of that fact."""
        del resolved, context
        meaning = selected.meanings[0]
        fact = slot.population.fact_filter if slot.population and slot.kind is SlotKind.MEMBERS else None
        narrowing = narrowing_of(fact) if fact is not None else None
        measure = Measure(
            source=self.name,
            variable=narrowing.variable if narrowing else meaning.variable,
            name=narrowing.label if narrowing else meaning.label,
            unit=WORDS,
            grain="country",
            additive=False,
        )
        return [Bound(meaning=meaning.id, measure=measure, plugin=self.name, plugin_version=self.version)]

    async def execute(self, planned: PlannedRequest, *, context: RunContext) -> Executed | Unanswerable:
        """Read the relation from the service or the list that holds it."""
        kind, relation = planned.slot.kind, planned.bound.meaning
        reader = READERS.get((kind, relation))
        if reader is None:
            return Unanswerable(
                status=FailureStatus.INFEASIBLE,
                reason=f"{planned.bound.measure.name} cannot be asked for as {kind.value}",
            )
        return await reader(planned, context)


READERS: dict[tuple[SlotKind, str], Reader] = {
    (SlotKind.MEMBERS, "borders"): members.neighbours,
    (SlotKind.MEMBERS, "membership"): members.members_of_group,
    (SlotKind.FACT, "borders"): members.do_they_touch,
    (SlotKind.FACT, "membership"): members.is_member,
    (SlotKind.FACT, "un_member"): facts.un_member,
    (SlotKind.FACT, "capital"): facts.capital,
    (SlotKind.FACT, "currency"): facts.currency,
    (SlotKind.FACT, "calling_code"): facts.calling_code,
    (SlotKind.FACT, "internet_domain"): facts.internet_domain,
    (SlotKind.FACT, "landlocked"): facts.landlocked,
    (SlotKind.FACT, "region"): facts.region,
    (SlotKind.FACT, "official_name"): facts.official_name,
}
"""Which function reads which relation in which form."""
