"""The execute stage: send the planned requests, verify every answer, fall back in order. Only code decides here.

Figures that will be held against each other and were asked for as "latest" are brought to the newest year that
all of them report: the later ones are asked for again at that year, and the answer says so.
"""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import Sequence
from functools import partial

from functions.execute.outcome import Outcome, instead, of_one_dataset, of_one_series, wanting
from functions.execute.rates import with_rates
from functions.execute.sums import as_population, of_group
from plugins.base import Registry
from shared.query.annotated import AnnotatedQuery, Annotation, Executed, Planned, PlannedRequest
from shared.query.conversion import CONVERTED_TYPES
from shared.query.evidence import DisclosureKind, FailureStatus, Unanswerable
from shared.query.readings import PeriodAsked, PeriodKindAsked
from shared.query.slots import Slot, SlotKind
from shared.query.writing import Writer
from shared.runtime.context import RunContext
from shared.runtime.errors import (
    PublisherError,
    PublisherRefused,
    PublisherUnreachable,
    RequestRejected,
    ResponseMalformed,
)
from shared.text.articles import spoken_publisher

PUBLISHER_FAILURES: dict[type[PublisherError], FailureStatus] = {
    PublisherUnreachable: FailureStatus.UNREACHABLE,
    PublisherRefused: FailureStatus.BLOCKED,
    RequestRejected: FailureStatus.NO_DATA,
    ResponseMalformed: FailureStatus.MALFORMED,
    PublisherError: FailureStatus.UNREACHABLE,
}

COMPARED_TYPES = frozenset(
    {"comparison", "difference", "ratio", "yes_no", "correlation", "filtered_list", "aggregate", "change_ranking"}
)
"""Types whose slots are held against each other and therefore need one year."""
YEARS_BACK = 5
"""How many years are tried, from the newest that one part reports back, for one that all report."""


async def execute(query: AnnotatedQuery, context: RunContext, *, registry: Registry) -> list[Annotation]:
    """Run every slot's requests side by side and write what was returned."""
    writer = Writer(query, "execute")
    slots = {slot.id: slot for slot in query.slots()}
    work = [
        (slots[annotation.slot], planned)
        for annotation, planned in query.of(Planned)
        if annotation.slot is not None
    ]
    outcomes = await _run_all([(slot, planned) for slot, planned in work if planned.tier == 0], registry, context)
    waiting = [(slot, planned) for slot, planned in work if planned.tier > 0]
    for together in wanting(outcomes, waiting):
        outcomes = instead(outcomes, await _run_all(together, registry, context))
    notes = []
    if query.current_reading().type in COMPARED_TYPES:
        if query.current_reading().type == "change_ranking":
            await of_one_series(outcomes, partial(_request, registry=registry, context=context))
        await of_one_dataset(outcomes, partial(_request, registry=registry, context=context))
        notes = await _align(writer, outcomes, registry, context)
    if query.current_reading().type in CONVERTED_TYPES:
        await with_rates(outcomes, partial(_request, registry=registry, context=context))
    return [*_record(writer, outcomes, context), *notes]


async def _run_all(work: Sequence[tuple[Slot, Planned]], registry: Registry, context: RunContext) -> list[Outcome]:
    """Run slots side by side."""
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(_run(slot, planned, registry, context)) for slot, planned in work]
    return [task.result() for task in tasks]


async def _run(slot: Slot, planned: Planned, registry: Registry, context: RunContext) -> Outcome:
    """Try the requests of one slot and meaning in order until one is answered."""
    outcome = Outcome(slot, planned, None, None, [])
    for request in planned.requests:
        result = await _request(request, registry, context)
        if isinstance(result, Executed):
            outcome.executed, outcome.used = result, request
            break
        outcome.failures.append((request.bound.plugin, result))
    return outcome


async def _request(request: PlannedRequest, registry: Registry, context: RunContext) -> Executed | Unanswerable:
    plugin = registry.get(request.bound.plugin)
    if plugin is None:
        return Unanswerable(
            status=FailureStatus.INTERNAL, reason=f"the plugin {request.bound.plugin} is not mounted"
        )
    try:
        result = of_group(request, await plugin.execute(as_population(request), context=context))
    except PublisherError as error:
        status = next(status for kind, status in PUBLISHER_FAILURES.items() if isinstance(error, kind))
        return Unanswerable(status=status, reason=str(error))
    if isinstance(result, Executed) and (fault := verify(request, result)) is not None:
        return fault
    return result


def verify(request: PlannedRequest, result: Executed) -> Unanswerable | None:
    """Hold an answer against its request: the meaning, the year that was asked for, the entity."""
    if result.meaning != request.bound.meaning or result.measure != request.bound.measure:
        return Unanswerable(
            status=FailureStatus.MALFORMED, reason=f"{request.bound.plugin} answered for another measure"
        )
    stated = request.slot.kind is SlotKind.MEMBERS and result.empty is not None
    if stated and result.observations:
        return Unanswerable(
            status=FailureStatus.MALFORMED, reason=f"{request.bound.plugin} listed members and said there are none"
        )
    if not stated and not any(cell.missing is None for cell in result.observations):
        return Unanswerable(
            status=FailureStatus.NO_DATA, reason=f"{result.measure.name} has no figure for {request.slot.describes}"
        )
    year = request.slot.period.explicit_year
    if year is not None and request.slot.kind is not SlotKind.FACT:
        others = {str(cell.period) for cell in result.observations if cell.period.calendar_year not in {year, None}}
        if others and not request.slot.period.fiscal:
            return Unanswerable(
                status=FailureStatus.NO_DATA,
                reason=f"{year} was asked for and {', '.join(sorted(others))} was returned, which is refused",
            )
    wanted = request.resolved.entity
    if result.sum_of != (wanted if request.resolved.sum_of_members else None):
        return Unanswerable(
            status=FailureStatus.MALFORMED, reason=f"{request.bound.plugin} answered for another group of members"
        )
    if request.slot.kind in {SlotKind.VALUE, SlotKind.SERIES} and wanted is not None:
        allowed = {member.code for member in request.resolved.members} if result.sum_of else {wanted.code}
        strangers = {cell.entity.name for cell in result.observations if cell.entity.code not in allowed}
        if strangers:
            return Unanswerable(
                status=FailureStatus.MALFORMED,
                reason=f"{wanted.name} was asked for and {', '.join(sorted(strangers))} was returned",
            )
    return None


async def _align(
    writer: Writer, outcomes: list[Outcome], registry: Registry, context: RunContext
) -> list[Annotation]:
    """Bring "latest" figures that will be held against each other to the newest year all of them report."""
    notes: list[Annotation] = []
    for group in _groups(outcomes):
        years = {outcome.executed.year for outcome in group if outcome.executed is not None}
        if len(years) < 2 or None in years:
            continue
        common = await _common_year(group, min(year for year in years if year is not None), registry, context)
        if common is None:
            continue
        notes.append(
            writer.note(
                DisclosureKind.PERIOD,
                f"{common} is the newest year that every compared part reports; newer figures were left aside",
                slot=group[0].slot.id,
                source=group[0].planned.meaning,
            )
        )
    return notes


async def _common_year(
    group: Sequence[Outcome], newest: int, registry: Registry, context: RunContext
) -> int | None:
    """The newest year, from ``newest`` back, that every part reports, with the parts brought to it."""
    for year in range(newest, newest - YEARS_BACK, -1):
        late = [o for o in group if o.executed is not None and o.executed.year != year]
        again: list[Executed] = []
        for outcome in late:
            result = await _again(outcome, year, registry, context)
            if result is None:
                break
            again.append(result)
        if len(again) == len(late):
            for outcome, result in zip(late, again, strict=True):
                outcome.executed = result
            return year
    return None


def _groups(outcomes: list[Outcome]) -> list[list[Outcome]]:
    """Outcomes that will be held against each other: one meaning of a shared measure, or paired measures."""
    groups: dict[str, list[Outcome]] = defaultdict(list)
    for outcome in outcomes:
        if outcome.executed is None or outcome.slot.period.kind is not PeriodKindAsked.LATEST:
            continue
        shared = outcome.slot.shared_key is not None
        groups[outcome.planned.meaning if shared else "paired"].append(outcome)
    first: dict[str, None] = {}
    paired = [o for o in groups.pop("paired", []) if not (o.slot.id in first or first.update({o.slot.id: None}))]
    return [*groups.values(), paired]


async def _again(outcome: Outcome, year: int, registry: Registry, context: RunContext) -> Executed | None:
    if outcome.used is None:
        return None
    slot = outcome.slot.model_copy(update={"period": PeriodAsked(kind=PeriodKindAsked.YEAR, start=year)})
    result = await _request(outcome.used.model_copy(update={"slot": slot}), registry, context)
    return result if isinstance(result, Executed) else None


def _record(writer: Writer, outcomes: list[Outcome], context: RunContext) -> list[Annotation]:
    written: list[Annotation] = []
    counters: dict[tuple[str, str], int] = defaultdict(int)
    for outcome in outcomes:
        for source, failure in outcome.failures:
            n = counters[(outcome.slot.id, f"{source}!")]
            counters[(outcome.slot.id, f"{source}!")] += 1
            written.append(writer.fail(failure, slot=outcome.slot.id, source=source, n=1000 + n))
        if outcome.executed is None:
            continue
        source = outcome.executed.response.source
        n = counters[(outcome.slot.id, source)]
        counters[(outcome.slot.id, source)] += 1
        written.append(writer.write(outcome.executed, slot=outcome.slot.id, source=source, n=n))
        cells = len(outcome.executed.observations)
        figures = "1 figure" if cells == 1 else f"{cells} figures"
        publisher = spoken_publisher(outcome.executed.response.publisher)
        context.say(f"{publisher} returned {figures} of {outcome.executed.measure.name}")
    return written
