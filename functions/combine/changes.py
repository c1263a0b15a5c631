"""Members ordered by how much the figure of each changed between two years of one published quantity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal

from functions.combine import arithmetic
from functions.combine.likeness import calendar_conflict, currency_conflict, unit_conflict
from functions.combine.orders import DEFAULT_COUNT
from functions.combine.outcome import Outcome, named, row
from functions.combine.populations import MISSING_NAMED, Scope, one_period
from functions.combine.series import change
from functions.combine.units import difference_unit
from shared.query.annotated import Combined, ResultRow
from shared.query.evidence import Computation, Disclosure, DisclosureKind, FailureStatus
from shared.query.material import Cell, Material, Served
from shared.query.quantity import UnitKind
from shared.query.readings import ChangeRankingReading, Direction, Movement
from shared.query.spans import overlap
from shared.runtime.context import RunContext

_MOVED = {Movement.RISE: "rose", Movement.FALL: "fell"}


@dataclass(frozen=True, slots=True)
class Change:
    """One member's first and last figure. ``size`` is what it is ordered by, negative for a fall."""

    first: Cell
    last: Cell
    size: Decimal

    @property
    def name(self) -> str:
        """The member's name."""
        return self.last.entity.name

    def counts_as(self, movement: Movement) -> bool:
        """Whether the figure went the way that is asked for."""
        if movement is Movement.EITHER:
            return True
        return self.size > 0 if movement is Movement.RISE else self.size < 0


async def change_ranking(material: Material, context: RunContext) -> Outcome:
    """The members by the change of each, of those that have a figure of both years from one dataset."""
    del context
    outcome = Outcome()
    reading = material.reading
    before, after = material.role("before"), material.role("after")
    if not (isinstance(reading, ChangeRankingReading) and before and after):
        return outcome
    for group in material.paired([before[0], after[0]]):
        first, last = group.get(before[0].id), group.get(after[0].id)
        if first is None or last is None:
            known = next(iter(group.values()))
            lacking = "the last" if last is None else "the first"
            outcome.refuse(
                FailureStatus.NO_DATA, f"{known.executed.measure.name} has no figures of {lacking} year of the span"
            )
            continue
        scopes = one_period(first), one_period(last)
        if scopes[0] is None or scopes[1] is None:
            outcome.refuse(FailureStatus.NO_DATA, f"no member has a figure for {first.executed.measure.name}")
            continue
        _combine(scopes[0], scopes[1], reading, outcome)
    return outcome


def _combine(first: Scope, last: Scope, reading: ChangeRankingReading, outcome: Outcome) -> None:
    """The result of one published variable, or why there is none."""
    name = last.served.executed.measure.name
    relative = reading.relative and last.served.executed.measure.unit.kind is not UnitKind.PERCENT
    if reason := _conflict(first, last, relative=relative):
        outcome.refuse(FailureStatus.NOT_COMPARABLE, f"{name}: no change is formed: {reason}", cell=last.cells[0])
        return
    pairs = _pairs(first, last)
    formed = [_change(one, two, relative=relative) for one, two in pairs]
    changes = [one for one in formed if one is not None]
    moved = [one for one in changes if one.counts_as(reading.movement)]
    if not moved:
        whom = f"the {len(changes)} members with a figure of both {first.period} and {last.period}"
        did = _MOVED.get(reading.movement, "changed")
        outcome.refuse(FailureStatus.NO_DATA, f"{name}: none of {whom} {did}")
        return
    if not outcome.combined:
        outcome.notes += _notes(first, last, changes, reading, relative=relative)
    ranked = _ranked(moved, reading)
    made: list[Computation] = []
    rows: list[ResultRow] = []
    for rank, one in ranked:
        computations = change(one.first, one.last, key=f"{one.last.meaning}:{one.last.entity.code}")
        made += computations
        rows += [row(one.last, rank=rank, computations=[each.id for each in computations]), row(one.first)]
    outcome.combined.append(
        Combined(
            meaning=last.served.meaning,
            result="change_ranking",
            computations=tuple(made),
            rows=tuple(rows),
            matched=len(moved),
            tested=len(changes),
        )
    )


def _conflict(first: Scope, last: Scope, *, relative: bool) -> str | None:
    """Why the two years show no change that could be ordered by, or ``None``."""
    one, two = first.served.executed, last.served.executed
    ends = [first.cells[0], last.cells[0]]
    if reason := unit_conflict(one.measure, two.measure) or calendar_conflict(ends):
        return reason
    if first.period == last.period:
        return f"both figures are of {first.period}"
    if one.response.dataset != two.response.dataset or one.response.basis != two.response.basis:
        named_ones = " and ".join(str(each.response.dataset or each.response.basis) for each in (one, two))
        return f"the figures of {first.period} and {last.period} are of two datasets ({named_ones})"
    if covers := overlap(two.response.basis, first.period, last.period):
        return f"the {covers} years that a figure covers overlap between {first.period} and {last.period}"
    return None if relative else currency_conflict(last.cells)


def _pairs(first: Scope, last: Scope) -> list[tuple[Cell, Cell]]:
    earlier = {cell.entity.code: cell for cell in first.cells}
    return [(earlier[cell.entity.code], cell) for cell in last.cells if cell.entity.code in earlier]


def _change(first: Cell, last: Cell, *, relative: bool) -> Change | None:
    """The change, or ``None`` where a percentage of the first figure has no meaning."""
    difference = arithmetic.difference(last.value, first.value)
    size = arithmetic.percent_change(first.value, last.value) if relative else difference
    return None if size is None else Change(first, last, size)


def _ranked(changes: Sequence[Change], reading: ChangeRankingReading) -> list[tuple[int, Change]]:
    """The members asked for with their ranks: by the size of the change, or the largest rise first."""

    def key(one: Change) -> Decimal:
        if reading.direction is None:
            return -one.size
        return abs(one.size) if reading.direction is Direction.LOWEST else -abs(one.size)

    ranked: list[tuple[int, Change]] = []
    for place, one in enumerate(sorted(changes, key=lambda one: (key(one), one.name)), start=1):
        tied = bool(ranked) and key(ranked[-1][1]) == key(one)
        ranked.append((ranked[-1][0] if tied else place, one))
    count = reading.count or (DEFAULT_COUNT if reading.direction is not None else None)
    return ranked if count is None else [(rank, one) for rank, one in ranked if rank <= count]


def _notes(
    first: Scope, last: Scope, changes: Sequence[Change], reading: ChangeRankingReading, *, relative: bool
) -> Iterator[Disclosure]:
    """Which years, which order, and whom it leaves out."""
    measure = last.served.executed.measure
    by = "in percent of the first figure" if relative else f"itself, in {difference_unit(measure)}"
    yield Disclosure(
        kind=DisclosureKind.PERIOD,
        text=f"{measure.name}: a change is the figure of {last.period} less that of {first.period}; "
        f"the order is by the change {by}",
    )
    if reading.relative and not relative:
        yield Disclosure(
            kind=DisclosureKind.CAVEAT,
            text=f"{measure.name}: a percentage of percentages would mislead; the change is in percentage points",
        )
    if not reading.period.text:
        span = f"from {first.period} to {last.period}"
        text = f"no span of years was named; the change {span}, the newest figures, is taken"
        yield Disclosure(kind=DisclosureKind.READING, text=text)
    if absent := _absent(first, last, changes):
        yield Disclosure(
            kind=DisclosureKind.COVERAGE,
            text=f"{measure.name}: {len(changes)} members have a figure of both {first.period} and {last.period}; "
            f"{len(absent)} have not and are left out: {named(absent, shown=MISSING_NAMED)}",
        )
    if reading.movement is not Movement.EITHER:
        moved = sum(one.counts_as(reading.movement) for one in changes)
        whom = f"{moved} of these {len(changes)}, which alone are ordered"
        text = f"{measure.name} {_MOVED[reading.movement]} for {whom}"
        yield Disclosure(kind=DisclosureKind.COVERAGE, text=text)


def _absent(first: Scope, last: Scope, changes: Sequence[Change]) -> list[str]:
    """Everyone who belongs to the population in either year and has no change."""
    having = {one.name for one in changes}
    everyone = [*_everyone(last.served), *_everyone(first.served)]
    return [name for name in dict.fromkeys(everyone) if name not in having]


def _everyone(served: Served) -> Iterator[str]:
    yield from (cell.entity.name for cell in served.reported())
    yield from served.unreported()
