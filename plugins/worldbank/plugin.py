"""The World Bank as a source: figures of countries and of its groups of countries, by calendar year."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar

from plugins.base import Publisher
from plugins.choice.tasks import SELECT_DOCUMENTS, ChoiceRequest
from plugins.worldbank.answers import (
    LICENCE,
    PUBLISHER,
    answer_categories,
    answer_population,
    answer_series,
    answer_value,
)
from plugins.worldbank.asking import Asking
from plugins.worldbank.client import WorldBankClient
from plugins.worldbank.measures import measure_of, meets_unit
from plugins.worldbank.partitions import partition_by_total, partition_of
from plugins.worldbank.places import resolve_entity, resolve_population
from plugins.worldbank.records import WorldBankRejects
from shared.query.annotated import Bound, EntityResolved, Executed, Meaning, PlannedRequest, Selected
from shared.query.discovery import TableDocument
from shared.query.evidence import FailureStatus, Measure, Unanswerable
from shared.query.quantity import UnitKind
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
MOST_PERCENT = 1000
"""A bare threshold above this is no percentage."""


class WorldBankPlugin:
    """Answers from the World Bank's Indicators API, version 2."""

    name: ClassVar[str] = "worldbank"
    version: ClassVar[str] = "1"
    publisher: ClassVar[Publisher] = Publisher(
        name=PUBLISHER,
        aliases=("World Bank", "WDI", "World Development Indicators", "World Bank Open Data", "WB"),
        licence=LICENCE,
        home="https://data.worldbank.org",
    )
    slot_kinds: ClassVar[frozenset[SlotKind]] = frozenset(ANSWERS)
    hosts: ClassVar[frozenset[str]] = frozenset({"api.worldbank.org"})

    async def choose(
        self, slot: Slot, documents: Sequence[TableDocument], *, question: str, context: RunContext
    ) -> Selected | Unanswerable:
        """Choose among the offered documents; each distinct quantity that the words denote is a meaning."""
        offered = {document.identifier: document for document in documents if document.source == self.name}
        chosen = context.options.assumptions.get("measure")
        named = [document for document in offered.values() if chosen and document.variable == chosen]
        if named:
            return Selected(meanings=(_meaning(named[0], named[0].title, 0),), why=f"the caller chose {chosen}")
        if slot.kind is SlotKind.CATEGORIES:
            return _choose_partition(slot, list(offered.values()))
        request = ChoiceRequest.of(slot, question, tuple(offered.values()))
        try:
            reply = await context.judge(SELECT_DOCUMENTS, request)
        except ModelError as error:
            return Unanswerable(status=FailureStatus.INTERNAL, reason=f"no document could be chosen: {error}")
        if not reply.groups:
            return _none_fits(request.measure, list(offered.values()))
        meanings: dict[str, Meaning] = {}
        for group in reply.groups:
            document = offered[group.documents[0]]
            label = group.label if len(reply.groups) > 1 else document.title
            others = tuple(offered[identifier] for identifier in group.documents[1:])
            meanings.setdefault(document.variable, _meaning(document, label, len(meanings), others))
        return Selected(meanings=tuple(meanings.values()), why=reply.why)

    async def resolve(
        self, slot: Slot, selected: Selected, *, question: str, context: RunContext
    ) -> EntityResolved | Unanswerable:
        """Resolve the entity or the members against the World Bank's own list of countries and groups."""
        del selected, question
        client = WorldBankClient(context.send)
        try:
            if slot.population is not None:
                return await resolve_population(slot.population, client)
            if slot.entity is not None:
                return await resolve_entity(slot.entity, client)
        except PublisherError as error:
            return _failed(error)
        return Unanswerable(status=FailureStatus.UNKNOWN_ENTITY, reason="no place was named")

    async def bind(
        self, slot: Slot, selected: Selected, resolved: EntityResolved, *, context: RunContext
    ) -> list[Bound] | Unanswerable:
        """One binding a meaning; meanings whose unit a threshold cannot be held against are left out."""
        del resolved, context
        if slot.kind is SlotKind.CATEGORIES:
            return [self._bind_parts(meaning) for meaning in selected.meanings]
        bound = [
            Bound(
                meaning=meaning.id,
                measure=measure,
                plugin=self.name,
                plugin_version=self.version,
                locator={"indicator": meaning.variable},
            )
            for meaning in selected.meanings
            if _comparable(
                slot, measure := measure_of(meaning.documents[0], source=self.name, meaning=meaning.label)
            )
        ]
        if bound:
            return bound
        threshold = slot.threshold.text if slot.threshold else ""
        return Unanswerable(
            status=FailureStatus.NOT_COMPARABLE,
            reason=f"no published form of “{slot.describes}” has the unit of “{threshold}”",
        )

    def _bind_parts(self, meaning: Meaning) -> Bound:
        partition = partition_by_total(meaning.variable)
        if partition is None:
            raise LookupError(f"{meaning.variable} was chosen as a total and has no parts")
        return Bound(
            meaning=meaning.id,
            measure=measure_of(meaning.documents[0], source=self.name, meaning=meaning.label),
            plugin=self.name,
            plugin_version=self.version,
            locator={"indicator": meaning.variable},
            parts=partition.part_measures(self.name),
        )

    async def execute(self, planned: PlannedRequest, *, context: RunContext) -> Executed | Unanswerable:
        """Ask the API and return what it reports, verified row by row."""
        if planned.slot.period.fiscal:
            return Unanswerable(
                status=FailureStatus.INFEASIBLE,
                reason="the World Bank's figures are of calendar years; a fiscal year was asked for",
            )
        answer = ANSWERS.get(planned.slot.kind)
        if answer is None:
            return Unanswerable(
                status=FailureStatus.NOT_COVERED,
                reason=f"the World Bank cannot serve a {planned.slot.kind.value} slot",
            )
        asking = Asking(planned, WorldBankClient(context.send), this_year=context.today().year)
        try:
            return await answer(asking)
        except WorldBankRejects as error:
            return _withdrawn(planned.bound.measure, error)


def _meaning(document: TableDocument, label: str, rank: int, others: tuple[TableDocument, ...] = ()) -> Meaning:
    return Meaning(
        id=document.variable, label=label, variable=document.variable, rank=rank, documents=(document, *others)
    )


def _choose_partition(slot: Slot, documents: list[TableDocument]) -> Selected | Unanswerable:
    """The total that a breakdown splits, where its parts are published and add up to it."""
    measure = slot.measure.text if slot.measure else slot.describes
    partition = partition_of(measure, slot.dimension)
    total = next((d for d in documents if partition is not None and d.variable == partition.total), None)
    if partition is None or total is None:
        return Unanswerable(
            status=FailureStatus.NOT_COVERED,
            reason=f"the World Bank publishes no parts of “{measure}” by {slot.dimension or 'any dimension'} "
            "that add up to a published total",
        )
    names = ", ".join(part.name for part in partition.parts)
    return Selected(meanings=(_meaning(total, total.title, 0),), why=f"its parts are {names}")


def _none_fits(measure: str, documents: list[TableDocument]) -> Unanswerable:
    nearest = "; ".join(document.title for document in documents[:3])
    reason = f"none of the World Bank's tables is “{measure}”"
    return Unanswerable(
        status=FailureStatus.NOT_FOUND, reason=f"{reason}; the nearest are: {nearest}" if nearest else reason
    )


def _comparable(slot: Slot, measure: Measure) -> bool:
    threshold = slot.threshold
    if threshold is None:
        return True
    if threshold.unit is None and measure.unit.kind is UnitKind.PERCENT and abs(threshold.value) > MOST_PERCENT:
        return False
    return meets_unit(measure.unit, threshold.unit)


def _withdrawn(measure: Measure, error: WorldBankRejects) -> Unanswerable:
    """The API knows the request's form and not its indicator: the finder's entry is stale, not the data empty."""
    state = "has moved it to its archives" if error.archived else "does not know it any more"
    return Unanswerable(
        status=FailureStatus.NOT_FOUND,
        reason=f"the table {measure.name} [{measure.variable}] is out of date: the World Bank {state} ({error})",
    )


def _failed(error: PublisherError) -> Unanswerable:
    status = FailureStatus.UNREACHABLE
    if isinstance(error, PublisherRefused):
        status = FailureStatus.BLOCKED
    elif isinstance(error, ResponseMalformed):
        status = FailureStatus.MALFORMED
    return Unanswerable(status=status, reason=str(error))
