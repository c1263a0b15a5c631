"""Data Commons as a source: figures of places of every level, from many publishers, one facet to an answer."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar

from plugins.base import Publisher
from plugins.datacommons.answers import answer_series, answer_value
from plugins.datacommons.asking import Asking
from plugins.datacommons.breakdowns import answer_categories
from plugins.datacommons.choosing import choose
from plugins.datacommons.client import DataCommonsClient
from plugins.datacommons.measures import measure_of
from plugins.datacommons.populations import answer_population
from plugins.datacommons.records import DataCommonsRejects
from plugins.datacommons.reporting import LICENCE
from plugins.datacommons.resolving import resolve_entity, resolve_population
from plugins.datacommons.sources import PUBLISHER
from plugins.datacommons.split_planning import offered_parts, plan_split
from shared.query.annotated import Bound, EntityResolved, Executed, Meaning, PlannedRequest, Selected
from shared.query.discovery import TableDocument
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.slots import Slot, SlotKind
from shared.runtime.context import RunContext
from shared.runtime.errors import PublisherError, PublisherRefused, ResponseMalformed

Answer = Callable[[Asking], Awaitable[Executed | Unanswerable]]

ANSWERS: dict[SlotKind, Answer] = {
    SlotKind.VALUE: answer_value,
    SlotKind.SERIES: answer_series,
    SlotKind.POPULATION: answer_population,
    SlotKind.CATEGORIES: answer_categories,
}
KEY_VARIABLE = "DC_API_KEY"
"""The environment variable with the key of the API, which the live service wants."""


class DataCommonsPlugin:
    """Answers from the Data Commons API, version 2."""

    name: ClassVar[str] = "datacommons"
    version: ClassVar[str] = "1"
    publisher: ClassVar[Publisher] = Publisher(
        name=PUBLISHER,
        aliases=("Data Commons", "datacommons", "datacommons.org", "Google Data Commons", "DC"),
        licence=LICENCE,
        home="https://datacommons.org",
    )
    slot_kinds: ClassVar[frozenset[SlotKind]] = frozenset(ANSWERS)
    hosts: ClassVar[frozenset[str]] = frozenset({"api.datacommons.org"})

    def beyond(self, slot: Slot) -> Unanswerable | None:
        """No kind of place is: what there is of one, its own list of places tells."""
        del slot
        return None

    async def choose(
        self, slot: Slot, documents: Sequence[TableDocument], *, question: str, context: RunContext
    ) -> Selected | Unanswerable:
        """Choose among the offered documents; each distinct quantity that the words denote is a meaning."""
        own = {one.identifier: one for one in documents if one.source == self.name}
        return await choose(slot, own, question=question, context=context)

    async def resolve(
        self, slot: Slot, selected: Selected, *, question: str, context: RunContext
    ) -> EntityResolved | Unanswerable:
        """Resolve the entity to its id, or the members to a containment expression."""
        del selected
        try:
            if slot.population is not None:
                return await resolve_population(slot.population, question=question, context=context)
            if slot.entity is not None:
                return await resolve_entity(slot.entity, _client(context), question=question, context=context)
        except PublisherError as error:
            return _failed(error)
        return Unanswerable(status=FailureStatus.UNKNOWN_ENTITY, reason="no place was named")

    async def bind(
        self, slot: Slot, selected: Selected, resolved: EntityResolved, *, context: RunContext
    ) -> list[Bound] | Unanswerable:
        """One binding a meaning; the facet is chosen when the figures are there, for a split it is planned here."""
        if slot.kind is SlotKind.CATEGORIES:
            return await self._bind_split(slot, selected.meanings[0], resolved, context)
        return [self._bound(meaning, meaning.documents[0]) for meaning in selected.meanings]

    def _bound(self, meaning: Meaning, document: TableDocument) -> Bound:
        return Bound(
            meaning=meaning.id,
            measure=measure_of(document, source=self.name, meaning=meaning.label),
            plugin=self.name,
            plugin_version=self.version,
            locator={"variable": document.variable},
            republished=True,
        )

    async def _bind_split(
        self, slot: Slot, meaning: Meaning, resolved: EntityResolved, context: RunContext
    ) -> list[Bound] | Unanswerable:
        if resolved.entity is None or resolved.sum_of_members or slot.dimension is None:
            return Unanswerable(status=FailureStatus.NOT_COVERED, reason="only one place's figures are split")
        parted = await offered_parts(meaning.documents, slot.dimension, self.name, context)
        if isinstance(parted, Unanswerable):
            return parted
        client = _client(context)
        try:
            split = await plan_split(
                parted, resolved.entity, slot.period, asked=slot.describes, client=client, context=context
            )
        except PublisherError as error:
            return _failed(error)
        if isinstance(split, Unanswerable):
            return split
        locator = {
            "facet": split.facet,
            "parts": ",".join(part.variable for part in split.parts),
            "names": "|".join(part.name for part in split.parts),
        }
        measures = tuple(measure_of(part.document, source=self.name) for part in split.parts)
        bound = self._bound(meaning, split.total)
        return [bound.model_copy(update={"locator": {**bound.locator, **locator}, "parts": measures})]

    async def execute(self, planned: PlannedRequest, *, context: RunContext) -> Executed | Unanswerable:
        """Ask the API and return what it reports, of one facet."""
        if planned.slot.period.fiscal:
            return Unanswerable(
                status=FailureStatus.INFEASIBLE,
                reason="Data Commons' dates are calendar ones; a fiscal year was asked for",
            )
        answer = answer_population if planned.resolved.sum_of_members else ANSWERS.get(planned.slot.kind)
        if answer is None:
            return Unanswerable(
                status=FailureStatus.NOT_COVERED,
                reason=f"Data Commons cannot serve a {planned.slot.kind.value} slot",
            )
        try:
            return await answer(Asking(planned, _client(context), this_year=context.today().year))
        except DataCommonsRejects as error:
            return Unanswerable(status=FailureStatus.NOT_FOUND, reason=str(error))


def _client(context: RunContext) -> DataCommonsClient:
    return DataCommonsClient(context.send, key=os.environ.get(KEY_VARIABLE) or None)


def _failed(error: PublisherError) -> Unanswerable:
    status = FailureStatus.UNREACHABLE
    if isinstance(error, PublisherRefused):
        status = FailureStatus.BLOCKED
    elif isinstance(error, ResponseMalformed):
        status = FailureStatus.MALFORMED
    return Unanswerable(status=status, reason=str(error))
