"""The UN's SDG database as a source: figures of countries and of the UN's groups of countries, by calendar year."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar

from plugins.base import Publisher
from plugins.choice.otherwise import only_otherwise
from plugins.choice.tasks import SELECT_DOCUMENTS, Candidate, ChoiceRequest
from plugins.unsdg import framework
from plugins.unsdg.answers import LICENCE, PUBLISHER, answer_series, answer_value
from plugins.unsdg.asking import Asking
from plugins.unsdg.categories import answer_categories, offered_for_split, plan_splits
from plugins.unsdg.client import UnSdgClient
from plugins.unsdg.measures import locator_of, measure_of
from plugins.unsdg.places import REACH, resolve_entity, resolve_population
from plugins.unsdg.populations import answer_population
from plugins.unsdg.records import UnSdgRejects
from shared.query.annotated import Bound, EntityResolved, Executed, Meaning, PlannedRequest, Selected
from shared.query.discovery import TableDocument
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.slots import Slot, SlotKind
from shared.runtime.context import RunContext
from shared.runtime.errors import ModelError, PublisherError, PublisherRefused, ResponseMalformed

Answer = Callable[[Asking], Awaitable[Executed | Unanswerable]]

ANSWERS: dict[SlotKind, Answer] = {
    SlotKind.VALUE: answer_value,
    SlotKind.SERIES: answer_series,
    SlotKind.POPULATION: answer_population,
    SlotKind.CATEGORIES: answer_categories,
}

ONE_PLACE = frozenset({SlotKind.VALUE, SlotKind.SERIES})
"""Slots of which each part of a series without a total may be told; members are compared in one of them only."""


class UnSdgPlugin:
    """Answers from the UN SDG API, version 1.

    The database gathers what the agencies that keep each indicator publish: where one of them is a source of its
    own, that is asked first.
    """

    name: ClassVar[str] = "unsdg"
    version: ClassVar[str] = "1"
    publisher: ClassVar[Publisher] = Publisher(
        name=PUBLISHER,
        aliases=(
            "UN SDG",
            "UN SDG database",
            "UN SDG data",
            "UN's SDG database",
            "SDG",
            "SDGs",
            "SDG database",
            "SDG indicators",
            "SDG indicators database",
            "Global SDG Indicators Database",
            "Sustainable Development Goals",
            "Sustainable Development Goals database",
            "UN Statistics Division",
            "United Nations SDG database",
            "UNSD",
            "UN",
            "United Nations",
            "UN data",
        ),
        licence=LICENCE,
        home="https://unstats.un.org/sdgs/dataportal",
    )
    slot_kinds: ClassVar[frozenset[SlotKind]] = frozenset(ANSWERS) | {SlotKind.MEMBERS}
    hosts: ClassVar[frozenset[str]] = frozenset({"unstats.un.org"})

    def beyond(self, slot: Slot) -> Unanswerable | None:
        """Figures are of countries and groups of them."""
        return None if slot.kind is SlotKind.MEMBERS else REACH.beyond(slot)

    async def choose(
        self, slot: Slot, documents: Sequence[TableDocument], *, question: str, context: RunContext
    ) -> Selected | Unanswerable:
        """Choose among the offered documents; each distinct quantity that the words denote is a meaning."""
        if slot.kind is SlotKind.MEMBERS:
            return framework.choose(slot, documents)
        own = [one for one in documents if one.source == self.name and one.variable != framework.VARIABLE]
        if slot.kind is SlotKind.CATEGORIES:
            own = offered_for_split(own)
        offered = {one.identifier: one for one in own}
        chosen = context.options.assumptions.get("measure")
        if chosen and [document.variable for document in offered.values()] == [chosen]:
            (document,) = offered.values()
            return Selected(meanings=(_meaning(document, document.title, 0),), why=f"the caller chose {chosen}")
        try:
            request = ChoiceRequest.of(slot, question, tuple(offered.values()))
            reply = await context.judge(SELECT_DOCUMENTS, request)
        except ModelError as error:
            return Unanswerable(status=FailureStatus.INTERNAL, reason=f"no document could be chosen: {error}")
        if not reply.groups:
            if reply.other_form:
                other = only_otherwise("the UN's SDG database", request, Candidate.of(offered[reply.other_form[0]]))
                return Unanswerable(status=FailureStatus.NOT_FOUND, reason=other)
            return _none_fits(slot, list(offered.values()))
        parts = _parts_of(offered[reply.groups[0].documents[0]], list(offered.values()))
        if len(reply.groups) == 1 and len(parts) > 1 and slot.kind in ONE_PLACE:
            split = tuple(_meaning(part, part.title, rank) for rank, part in enumerate(parts))
            return Selected(meanings=split, why=f"{reply.why}; it has no total, so each part is a meaning")
        meanings: dict[str, Meaning] = {}
        for group in reply.groups:
            first = offered[group.documents[0]]
            label = group.label if len(reply.groups) > 1 else first.title
            meanings.setdefault(first.variable, _meaning(first, label, len(meanings)))
        if chosen in meanings:
            return Selected(meanings=(meanings[chosen],), why=f"the caller chose {chosen}")
        return Selected(meanings=tuple(meanings.values()), why=reply.why)

    async def resolve(
        self, slot: Slot, selected: Selected, *, question: str, context: RunContext
    ) -> EntityResolved | Unanswerable:
        """Resolve the entity or the members against the database's own areas."""
        del selected
        if slot.kind is SlotKind.MEMBERS:
            return framework.resolve(slot)
        client = UnSdgClient(context.send)
        try:
            if slot.population is not None:
                return await resolve_population(slot.population, client, question=question)
            if slot.entity is not None:
                return await resolve_entity(slot.entity, client)
        except PublisherError as error:
            return _failed(error)
        return Unanswerable(status=FailureStatus.UNKNOWN_ENTITY, reason="no place was named")

    async def bind(
        self, slot: Slot, selected: Selected, resolved: EntityResolved, *, context: RunContext
    ) -> list[Bound] | Unanswerable:
        """One binding a meaning: its series, the part of it, and the unit that its rows must have.

        A split is planned by what the database has for the place; its numbers are read again when it is executed.
        """
        if slot.kind is SlotKind.MEMBERS:
            return [framework.bind(slot, selected, source=self.name, version=self.version)]
        if slot.kind is SlotKind.CATEGORIES:
            client = UnSdgClient(context.send)
            try:
                return await plan_splits(slot, selected, resolved, client, source=self.name, version=self.version)
            except PublisherError as error:
                return _failed(error)
        return [
            Bound(
                meaning=meaning.id,
                measure=measure_of(meaning.documents[0], source=self.name, meaning=meaning.label),
                plugin=self.name,
                plugin_version=self.version,
                locator=locator_of(meaning.documents[0]),
                republished=True,
            )
            for meaning in selected.meanings
        ]

    async def execute(self, planned: PlannedRequest, *, context: RunContext) -> Executed | Unanswerable:
        """Ask the API and return what it reports for the planned series."""
        if planned.slot.period.fiscal:
            return Unanswerable(
                status=FailureStatus.INFEASIBLE,
                reason="the SDG database's figures are of calendar years; a fiscal year was asked for",
            )
        client = UnSdgClient(context.send)
        asking = Asking(planned, client, this_year=context.today().year)
        try:
            if planned.slot.kind is SlotKind.MEMBERS:
                return await framework.answer_members(planned, client)
            return await ANSWERS[planned.slot.kind](asking)
        except UnSdgRejects as error:
            return Unanswerable(status=FailureStatus.NOT_FOUND, reason=str(error))


def _meaning(document: TableDocument, label: str, rank: int) -> Meaning:
    return Meaning(id=document.variable, label=label, variable=document.variable, rank=rank, documents=(document,))


def _parts_of(document: TableDocument, offered: Sequence[TableDocument]) -> list[TableDocument]:
    """The offered documents of the parts of a series that has no total, in the series' order."""
    order = [part for part in document.terms.get("parts", "").split(",") if part]
    found = {one.variable: one for one in offered}
    return [found[part] for part in order if part in found]


def _none_fits(slot: Slot, documents: Sequence[TableDocument]) -> Unanswerable:
    wanted = slot.measure.text if slot.measure else slot.describes
    nearest = "; ".join(document.title for document in documents[:3])
    reason = f"none of the UN's SDG series at hand is “{wanted}”"
    return Unanswerable(
        status=FailureStatus.NOT_FOUND, reason=f"{reason}; the nearest are: {nearest}" if nearest else reason
    )


def _failed(error: PublisherError) -> Unanswerable:
    status = FailureStatus.UNREACHABLE
    if isinstance(error, PublisherRefused):
        status = FailureStatus.BLOCKED
    elif isinstance(error, ResponseMalformed):
        status = FailureStatus.MALFORMED
    return Unanswerable(status=status, reason=str(error))
