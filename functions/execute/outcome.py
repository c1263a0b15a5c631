"""What came of a slot, where another source is asked instead, and figures brought to one dataset."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from shared.query.annotated import Executed, Planned, PlannedRequest
from shared.query.evidence import Unanswerable
from shared.query.identifiers import SlotId
from shared.query.readings import PeriodAsked, PeriodKindAsked
from shared.query.slots import Slot, SlotKind
from shared.query.spans import overlap

LEAST_COURSE = 2
"""Figures of a series that show a movement."""


@dataclass(slots=True)
class Outcome:
    """What came of one slot and meaning: an answer, and what failed on the way."""

    slot: Slot
    planned: Planned
    executed: Executed | None
    used: PlannedRequest | None
    failures: list[tuple[str, Unanswerable]]

    @property
    def suffices(self) -> bool:
        """Whether the slot has what it asks for: a figure, and for a course over time several from its start on."""
        if self.executed is None:
            return False
        if self.slot.kind is not SlotKind.SERIES:
            return True
        return len(self.executed.observations) >= LEAST_COURSE and self._from_the_start

    @property
    def _from_the_start(self) -> bool:
        wanted = self.slot.period.start
        if wanted is None or self.executed is None:
            return True
        years = [year for cell in self.executed.observations if (year := cell.period.calendar_year) is not None]
        return not years or min(years) <= wanted

    @property
    def part(self) -> tuple[SlotId, str | None]:
        """What is answered: the slot, or one of the several places that its name means."""
        return self.slot.id, self.planned.place


Ask = Callable[[PlannedRequest], Awaitable[Executed | Unanswerable]]


def wanting(
    outcomes: Sequence[Outcome], waiting: Sequence[tuple[Slot, Planned]]
) -> list[list[tuple[Slot, Planned]]]:
    """The waiting requests of slots that got nothing, with those of the slots that they are held against.

    Of a name that means several places, each place that got nothing is asked for by itself.
    """
    answered = {outcome.part for outcome in outcomes if outcome.suffices}
    groups: dict[tuple[str, str | None], list[tuple[Slot, Planned]]] = {}
    for slot, planned in waiting:
        groups.setdefault((slot.shared_key or slot.id, planned.place), []).append((slot, planned))
    return [
        group
        for group in groups.values()
        if any((slot.id, planned.place) not in answered for slot, planned in group)
    ]


def instead(outcomes: list[Outcome], later: list[Outcome]) -> list[Outcome]:
    """All outcomes; what the later ones answer whole, the earlier ones answer no more.

    Where the later source serves only some of the slots, it fills those that have nothing.
    """
    asked = {outcome.part for outcome in later}
    served = {outcome.part for outcome in later if outcome.suffices}
    had = {outcome.part for outcome in outcomes if outcome.executed is not None}
    if served == asked:
        for outcome in outcomes:
            if outcome.part in asked:
                outcome.executed = None
        return [*outcomes, *later]
    for outcome in later:
        if outcome.part in had:
            outcome.executed = None
    return [*outcomes, *later]


async def of_one_dataset(outcomes: Sequence[Outcome], ask: Ask) -> None:
    """Ask again where one source answered paired slots from different datasets, and one could serve them all.

    A share whose parts come from two surveys may exceed its whole.
    """
    groups: dict[tuple[str, str], list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.executed is not None and outcome.executed.response.dataset is not None:
            shared = outcome.planned.meaning if outcome.slot.shared_key is not None else "paired"
            groups.setdefault((outcome.executed.response.source, shared), []).append(outcome)
    for group in groups.values():
        await _in_common(group, ask)


async def _in_common(group: Sequence[Outcome], ask: Ask) -> None:
    answers = [outcome.executed.response for outcome in group if outcome.executed is not None]
    if len({answer.dataset for answer in answers}) < 2:
        return
    common = [name for name in answers[0].datasets if all(name in other.datasets for other in answers[1:])]
    for dataset in common:
        again = await _all_of(group, dataset, ask)
        if again is not None:
            for outcome, result in zip(group, again, strict=True):
                outcome.executed = result
                if outcome.used is not None:
                    outcome.used = outcome.used.model_copy(update={"dataset": dataset})
            return


async def _all_of(group: Sequence[Outcome], dataset: str, ask: Ask) -> list[Executed] | None:
    """The group's figures from one dataset and of the years asked for, or ``None`` where it has not all of them."""
    found: list[Executed] = []
    for outcome in group:
        result = await _asked_of(outcome, dataset, ask)
        if result is None:
            return None
        found.append(result)
    newest = [year for one in found if (year := one.year) is not None]
    if len(set(newest)) < 2 or len({outcome.slot.period for outcome in group}) > 1:
        return found  # Figures of two times are of two years, as they are to be.
    for place, outcome in enumerate(group):
        if found[place].year != min(newest):
            result = await _asked_of(outcome, dataset, ask, year=min(newest))
            if result is None:
                return None
            found[place] = result
    return found


async def _asked_of(outcome: Outcome, dataset: str, ask: Ask, *, year: int | None = None) -> Executed | None:
    if outcome.executed is not None and year is None and outcome.executed.response.dataset == dataset:
        return outcome.executed
    if outcome.used is None:
        return None
    slot = outcome.used.slot
    if year is not None:
        if slot.period.kind is not PeriodKindAsked.LATEST:
            return None
        slot = slot.model_copy(update={"period": PeriodAsked(kind=PeriodKindAsked.YEAR, start=year)})
    result = await ask(outcome.used.model_copy(update={"dataset": dataset, "slot": slot}))
    return result if isinstance(result, Executed) else None


async def of_one_series(outcomes: Sequence[Outcome], ask: Ask) -> None:
    """Ask again where two times of one measure were answered by different series, and one could serve both.

    The yearly estimates of residents show a change that the mean of five years and a count do not show together.
    """
    groups: dict[str, list[Outcome]] = {}
    for outcome in outcomes:
        if outcome.slot.shared_key is not None and outcome.planned.tier == 0:
            groups.setdefault(outcome.planned.meaning, []).append(outcome)
    for group in groups.values():
        if len(group) > 1 and not _one_series(group):
            await _of_another(group, ask)


def _one_series(group: Sequence[Outcome]) -> bool:
    """Whether all figures are of one published variable and dataset, and of years that do not overlap."""
    found = [outcome.executed for outcome in group if outcome.executed is not None]
    if len(found) < len(group):
        return not found
    kinds = {(one.measure.source, one.measure.variable, one.response.dataset) for one in found}
    periods = [one.observations[0].period for one in found]
    return len(kinds) == 1 and not overlap(found[0].response.basis, periods[0], periods[-1])


async def _of_another(group: Sequence[Outcome], ask: Ask) -> None:
    for wanted in group[0].planned.requests:
        again: list[tuple[Outcome, PlannedRequest, Executed]] = []
        for outcome in group:
            of_it = [one for one in outcome.planned.requests if one.bound.locator == wanted.bound.locator]
            result = await ask(of_it[0]) if of_it else None
            if not isinstance(result, Executed):
                break
            again.append((outcome, of_it[0], result))
        else:
            trial = [replace(outcome, executed=result) for outcome, _, result in again]
            if _one_series(trial):
                for outcome, request, result in again:
                    outcome.executed, outcome.used = result, request
                return
