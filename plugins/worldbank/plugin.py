"""The World Bank as a source: figures of countries and of its groups of countries, by calendar year."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar

from plugins.base import Publisher
from plugins.choice.tasks import SELECT_DOCUMENTS, Candidate, ChoiceRequest
from plugins.choice.wording import same
from plugins.worldbank import country_record
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
from plugins.worldbank.exchange import answer_rate, is_rate, of_many_currencies, rate_of
from plugins.worldbank.groups import answer_members, answer_members_series
from plugins.worldbank.measures import measure_of, meets_unit
from plugins.worldbank.partition_table import Partition
from plugins.worldbank.partitions import asks_for_shares, incomplete_of, partition_by_key, partitions_of
from plugins.worldbank.places import REACH, resolve_entity, resolve_population
from plugins.worldbank.records import WorldBankRejects
from plugins.worldbank.refusals import none_fits, tenth_of_fifths
from shared.query.annotated import Bound, EntityResolved, Executed, Meaning, PlannedRequest, Selected
from shared.query.discovery import TableDocument
from shared.query.evidence import FailureStatus, Measure, Unanswerable
from shared.query.quantity import Unit, UnitKind
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
SUMMED: dict[SlotKind, Answer] = {SlotKind.VALUE: answer_members, SlotKind.SERIES: answer_members_series}
"""What is answered of a group that has no figure of its own."""
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
    slot_kinds: ClassVar[frozenset[SlotKind]] = frozenset(ANSWERS) | country_record.KINDS
    hosts: ClassVar[frozenset[str]] = frozenset({"api.worldbank.org"})

    def beyond(self, slot: Slot) -> Unanswerable | None:
        """Figures are of countries and groups of them."""
        return None if slot.kind in country_record.KINDS else REACH.beyond(slot)

    async def choose(
        self, slot: Slot, documents: Sequence[TableDocument], *, question: str, context: RunContext
    ) -> Selected | Unanswerable:
        """Choose among the offered documents; each distinct quantity that the words denote is a meaning."""
        own = [document for document in documents if document.source == self.name]
        if slot.kind in country_record.KINDS:
            return country_record.choose(slot, own)
        offered = {one.identifier: one for one in own if one.variable not in country_record.VARIABLES}
        chosen = context.options.assumptions.get("measure")
        if slot.kind is SlotKind.CATEGORIES:
            return _choose_partition(slot, question, list(offered.values()), chosen)
        if chosen and [document.variable for document in offered.values()] == [chosen]:
            (bound,) = offered.values()
            return Selected(meanings=(_meaning(bound, bound.title, 0),), why=f"the caller chose {chosen}")
        request = ChoiceRequest.of(slot, question, tuple(offered.values()))
        try:
            reply = await context.judge(SELECT_DOCUMENTS, request)
        except ModelError as error:
            return Unanswerable(status=FailureStatus.INTERNAL, reason=f"no document could be chosen: {error}")
        if not reply.groups:
            return none_fits(request, list(offered.values()), [offered[one] for one in reply.other_form])
        meanings: dict[str, Meaning] = {}
        for group in reply.groups:
            document = offered[group.documents[0]]
            label = group.label if len(reply.groups) > 1 else document.title
            others = tuple(offered[identifier] for identifier in group.documents[1:])
            meanings.setdefault(document.variable, _meaning(document, label, len(meanings), others))
        if chosen in meanings:
            return Selected(meanings=(meanings[chosen],), why=f"the caller chose {chosen}")
        return Selected(meanings=tuple(meanings.values()), why=reply.why)

    async def resolve(
        self, slot: Slot, selected: Selected, *, question: str, context: RunContext
    ) -> EntityResolved | Unanswerable:
        """Resolve the entity or the members against the World Bank's own list of countries and groups."""
        del selected, question
        client = WorldBankClient(context.send)
        try:
            if slot.kind in country_record.KINDS:
                return await country_record.resolve(slot, client)
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
        """The bindings of each meaning in order; those whose unit a threshold cannot be held against are left out.

        A meaning's further documents are the same quantity: they are asked where its first has been withdrawn.
        """
        if slot.kind in country_record.KINDS:
            bound_fact = country_record.bind(slot, selected, source=self.name, version=self.version)
            return bound_fact if isinstance(bound_fact, Unanswerable) else [bound_fact]
        if slot.kind is SlotKind.CATEGORIES:
            return await self._bind_parts(selected.meanings[0], context)
        if (mixed := of_many_currencies(slot, [meaning.documents[0] for meaning in selected.meanings])) is not None:
            return mixed
        bound = [
            Bound(
                meaning=meaning.id,
                measure=measure,
                plugin=self.name,
                plugin_version=self.version,
                locator={"indicator": document.variable},
                rate=rate_of(slot, resolved, measure, source=self.name),
            )
            for meaning in selected.meanings
            for document in _of_one_unit(meaning.documents)
            if _comparable(slot, measure := measure_of(document, source=self.name, meaning=meaning.label))
        ]
        if bound:
            return bound
        threshold = slot.threshold.text if slot.threshold else ""
        return Unanswerable(
            status=FailureStatus.NOT_COMPARABLE,
            reason=f"no published form of “{slot.describes}” has the unit of “{threshold}”",
        )

    async def _bind_parts(self, meaning: Meaning, context: RunContext) -> list[Bound] | Unanswerable:
        """The split with a measure for every part; what the search did not return is looked up by its variable."""
        partition = partition_by_key(meaning.id)
        if partition is None:
            raise LookupError(f"{meaning.id} was chosen as a split and is none")
        documents = {document.variable: document for document in meaning.documents}
        for indicator in partition.indicators:
            if indicator in documents:
                continue
            known = [one for one in await context.finder.by_variable(indicator) if one.source == self.name]
            if not known:
                reason = f"{partition.title} cannot be split: the table of its part {indicator} is not at hand"
                return Unanswerable(status=FailureStatus.NOT_COVERED, reason=reason)
            documents[indicator] = known[0]
        measures = {name: measure_of(document, source=self.name) for name, document in documents.items()}
        bound = Bound(
            meaning=meaning.id,
            measure=measures[partition.total] if partition.total else _share_measure(partition, self.name),
            plugin=self.name,
            plugin_version=self.version,
            locator={"indicator": partition.key},
            parts=tuple(measures[part.indicator] for part in partition.parts),
        )
        return [bound]

    async def execute(self, planned: PlannedRequest, *, context: RunContext) -> Executed | Unanswerable:
        """Ask the API and return what it reports, verified row by row."""
        if planned.slot.kind in country_record.KINDS:
            return await country_record.answer(planned, WorldBankClient(context.send))
        if planned.slot.period.fiscal:
            return Unanswerable(
                status=FailureStatus.INFEASIBLE,
                reason="the World Bank's figures are of calendar years; a fiscal year was asked for",
            )
        summed = SUMMED if planned.resolved.sum_of_members else ANSWERS
        answer = summed.get(planned.slot.kind)
        if answer is None:
            return Unanswerable(
                status=FailureStatus.NOT_COVERED,
                reason=f"the World Bank cannot serve a {planned.slot.kind.value} slot",
            )
        asking = Asking(planned, WorldBankClient(context.send), this_year=context.today().year)
        try:
            return await (answer_rate(asking) if is_rate(planned.bound.locator) else answer(asking))
        except WorldBankRejects as error:
            return _withdrawn(planned.bound.measure, error)


def _meaning(document: TableDocument, label: str, rank: int, others: tuple[TableDocument, ...] = ()) -> Meaning:
    return Meaning(
        id=document.variable, label=label, variable=document.variable, rank=rank, documents=(document, *others)
    )


def _of_one_unit(documents: Sequence[TableDocument]) -> list[TableDocument]:
    return [one for one in documents if one.terms.get("unit") == documents[0].terms.get("unit")]


def _choose_partition(
    slot: Slot, question: str, documents: list[TableDocument], chosen: str | None
) -> Selected | Unanswerable:
    """The split that is asked for, where its parts make up its whole and the search returned one of its tables."""
    measure = slot.measure.text if slot.measure else slot.describes
    shares = (slot.measure is not None and slot.measure.share) or asks_for_shares(question)
    partitions = partitions_of(measure, slot.dimension, shares=shares)
    if partitions and (refused := tenth_of_fifths(measure, question)):
        return refused
    # A caller's own choice is one of the split's tables; of several splits it tells which one.
    partitions.sort(key=lambda partition: chosen not in partition.indicators)
    for partition in partitions:
        offered = tuple(document for document in documents if document.variable in partition.indicators)
        if offered:
            meaning = Meaning(
                id=partition.key, label=partition.title, variable=partition.key, rank=0, documents=offered
            )
            names = ", ".join(part.name for part in partition.parts)
            return Selected(meanings=(meaning,), why=f"its parts are {names}")
    if partitions:
        return Unanswerable(
            status=FailureStatus.NOT_FOUND,
            reason=f"none of the tables of {partitions[0].title} is among the tables found for “{measure}”",
        )
    asked = f"“{measure}” by {slot.dimension or 'any dimension'}"
    if split := incomplete_of(measure, slot.dimension):
        return Unanswerable(
            status=FailureStatus.NOT_COVERED,
            reason=f"of {asked}, the World Bank's tables here hold {split.held} and not {split.lacking}, "
            "so the parts do not make up the whole",
        )
    reason = f"the World Bank publishes no parts of {asked} that add up to the whole"
    of_this = (one for one in documents if any(same(measure, known.term) for known in Candidate.of(one).meanings))
    kinds = [one.title for one in of_this]
    if len(kinds) > 1:
        reason += f"; of “{measure}” it publishes, each by itself: {'; '.join(kinds)}"
    return Unanswerable(status=FailureStatus.NOT_COVERED, reason=reason)


def _share_measure(partition: Partition, source: str) -> Measure:
    """What the parts are shares of; it is no published figure and has no table of its own."""
    unit = Unit(kind=UnitKind.PERCENT, code="%", label=f"percent of {partition.whole}", per=partition.whole)
    return Measure(
        source=source, variable=partition.key, name=partition.title, unit=unit, grain="country", additive=False
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
