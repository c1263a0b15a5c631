"""The US Census Bureau as a source: estimates of its surveys and its counts, for areas of every level."""

from __future__ import annotations

import os
from collections.abc import Awaitable, Callable, Sequence
from typing import ClassVar

from plugins.base import Publisher
from plugins.uscensus.answers import answer_series, answer_value
from plugins.uscensus.asking import Asking
from plugins.uscensus.choosing import choose, industry_of, is_one_year
from plugins.uscensus.client import CensusClient
from plugins.uscensus.geography import Area
from plugins.uscensus.measures import Address, holds_against, measure_of
from plugins.uscensus.places import Searching, beyond, resolve_entity, resolve_population
from plugins.uscensus.populations import answer_population
from plugins.uscensus.records import CensusRejects
from plugins.uscensus.reporting import LICENCE, PUBLISHER
from plugins.uscensus.standing_in import standing_in
from plugins.uscensus.vintages import PROGRAMS
from plugins.uscensus.wire import KEY_VARIABLE
from shared.query.annotated import Bound, EntityResolved, Executed, Meaning, PlannedRequest, Selected
from shared.query.discovery import TableDocument
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.slots import Slot, SlotKind
from shared.runtime.context import RunContext
from shared.runtime.errors import PublisherError, PublisherRefused, ResponseMalformed

Answer = Callable[[Asking], Awaitable[Executed | Unanswerable]]

FIVE_YEAR_FILE, ONE_YEAR_FILE = "acs/acs5", "acs/acs1"
ANSWERS: dict[SlotKind, Answer] = {
    SlotKind.VALUE: answer_value,
    SlotKind.SERIES: answer_series,
    SlotKind.POPULATION: answer_population,
}
ON_DEMAND = frozenset({SlotKind.CATEGORIES, SlotKind.MEMBERS})
"""Kinds whose code is read when a question is of them: most are not."""
NATION = str(Area.one("us", "1"))
OF_ALL_NATIONS = frozenset({"B01003_001E", "B01001_002E", "B01001_026E", "S2301_C04_001E", "S2301_C02_001E"})
"""What publishers of all countries have of the nation too, yearly and newer: they are asked first."""


class CensusPlugin:
    """Answers from the Census Data API."""

    name: ClassVar[str] = "census"
    version: ClassVar[str] = "1"
    publisher: ClassVar[Publisher] = Publisher(
        name=PUBLISHER,
        aliases=(
            "Census Bureau",
            "U.S. Census Bureau",
            "United States Census Bureau",
            "US Census",
            "Census",
            "U.S. Census",
            "American Community Survey",
            "SAIPE",
            "Small Area Income and Poverty Estimates",
            "ACS",
            "decennial census",
            "2020 census",
        ),
        licence=LICENCE,
        home="https://www.census.gov",
    )
    slot_kinds: ClassVar[frozenset[SlotKind]] = frozenset(ANSWERS) | ON_DEMAND
    hosts: ClassVar[frozenset[str]] = frozenset({"api.census.gov", "www2.census.gov"})

    def beyond(self, slot: Slot) -> Unanswerable | None:
        """Figures are of places in the United States."""
        return None if slot.kind in ON_DEMAND else beyond(slot)

    async def choose(
        self, slot: Slot, documents: Sequence[TableDocument], *, question: str, context: RunContext
    ) -> Selected | Unanswerable:
        """Choose among the offered documents; each distinct quantity that the words denote is a meaning."""
        own = {one.identifier: one for one in documents if one.source == self.name}
        if slot.kind in ON_DEMAND:
            from plugins.uscensus.on_demand import choose_on_demand  # noqa: PLC0415

            return choose_on_demand(slot, list(own.values()), question)
        return await choose(slot, own, question=question, context=context)

    async def resolve(
        self, slot: Slot, selected: Selected, *, question: str, context: RunContext
    ) -> EntityResolved | Unanswerable:
        """Resolve the entity to an area, or the members to all areas of a level inside another."""
        newest = PROGRAMS["acs5"].newest(context.today())
        try:
            if slot.population is not None:
                return resolve_population(slot.population, question)
            if slot.entity is not None:
                one_year = any(map(is_one_year, selected.meanings))
                dataset = ONE_YEAR_FILE if one_year else FIVE_YEAR_FILE
                return await resolve_entity(
                    slot.entity, Searching(_client(context), newest, dataset, question, context)
                )
        except PublisherError as error:
            return _failed(error)
        return Unanswerable(status=FailureStatus.UNKNOWN_ENTITY, reason="no place was named")

    async def bind(
        self, slot: Slot, selected: Selected, resolved: EntityResolved, *, context: RunContext
    ) -> list[Bound] | Unanswerable:
        """One binding for each document of a meaning, in the order to try them.

        Those whose unit a threshold cannot be held against are left out. A split is planned here.
        """
        if slot.kind in ON_DEMAND:
            return await self._bind_on_demand(slot, selected, resolved, context)
        wanted = slot.threshold.unit if slot.threshold else None
        nation = resolved.expression == NATION
        area = Area.parse(resolved.expression) if resolved.expression else None
        bound = []
        for meaning in selected.meanings:
            for document in meaning.documents:
                first = self._bound(meaning, document, nation=nation)
                bound += [first, *standing_in(first, meaning, document, area)]
        fitting = [one for one in bound if holds_against(one.measure.unit, wanted)]
        if fitting:
            return fitting
        return Unanswerable(
            status=FailureStatus.NOT_COMPARABLE,
            reason=f"no published form of “{slot.describes}” has the unit of “{slot.threshold.text}”"
            if slot.threshold
            else f"nothing was chosen for “{slot.describes}”",
        )

    async def _bind_on_demand(
        self, slot: Slot, selected: Selected, resolved: EntityResolved, context: RunContext
    ) -> list[Bound] | Unanswerable:
        from plugins.uscensus.on_demand import bind_on_demand  # noqa: PLC0415

        client, today, own = _client(context), context.today(), (self.name, self.version)
        try:
            return await bind_on_demand(slot, selected, resolved, own=own, client=client, today=today)
        except PublisherError as error:
            return _failed(error)

    def _bound(self, meaning: Meaning, document: TableDocument, *, nation: bool) -> Bound:
        own = document.variable == meaning.variable
        measure = measure_of(document, source=self.name, meaning=meaning.label if own else None)
        if industry_of(meaning):
            measure = measure.model_copy(update={"name": meaning.label})
        return Bound(
            meaning=meaning.id,
            measure=measure,
            plugin=self.name,
            plugin_version=self.version,
            locator=Address.of(document, one_year=is_one_year(meaning), industry=industry_of(meaning)).locator,
            republished=nation and document.variable in OF_ALL_NATIONS,
        )

    async def execute(self, planned: PlannedRequest, *, context: RunContext) -> Executed | Unanswerable:
        """Ask the API and return what it reports, row by row held against what was asked."""
        if planned.slot.period.fiscal:
            return Unanswerable(
                status=FailureStatus.INFEASIBLE,
                reason="the Census Bureau's estimates are of calendar years; a fiscal year was asked for",
            )
        answer = ANSWERS.get(planned.slot.kind)
        if planned.slot.kind in ON_DEMAND:
            from plugins.uscensus.on_demand import answer_on_demand  # noqa: PLC0415

            answer = answer_on_demand
        if answer is None:
            return Unanswerable(
                status=FailureStatus.NOT_COVERED,
                reason=f"the Census Bureau cannot serve a {planned.slot.kind.value} slot",
            )
        try:
            return await answer(Asking(planned, _client(context), context.today()))
        except CensusRejects as error:
            return Unanswerable(status=FailureStatus.NOT_FOUND, reason=str(error))


def _client(context: RunContext) -> CensusClient:
    return CensusClient(context.send, key=os.environ.get(KEY_VARIABLE) or None)


def _failed(error: PublisherError) -> Unanswerable:
    status = FailureStatus.UNREACHABLE
    if isinstance(error, PublisherRefused):
        status = FailureStatus.BLOCKED
    elif isinstance(error, ResponseMalformed):
        status = FailureStatus.MALFORMED
    return Unanswerable(status=status, reason=str(error))
