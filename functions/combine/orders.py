"""Orders by size: named entities compared, a population ranked, or a figure for each of its members."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

from functions.combine import arithmetic
from functions.combine.likeness import like_for_like, period_conflict, unit_conflict
from functions.combine.outcome import Outcome, computation_id, row
from functions.combine.populations import Scope, disclose_scope, scopes
from functions.combine.units import difference_unit
from shared.query.annotated import Combined, ResultRow
from shared.query.evidence import Computation, FailureStatus, Operation
from shared.query.material import Cell, Material
from shared.query.readings import ComparisonReading, Direction, RankingReading
from shared.runtime.context import RunContext

DEFAULT_COUNT = 10


def ordered(cells: Sequence[Cell], direction: Direction) -> list[tuple[int, Cell]]:
    """The cells with their ranks from 1: equal values share a rank, and stand by name among themselves."""
    sign = -1 if direction is Direction.HIGHEST else 1
    by_size = sorted(cells, key=lambda cell: (sign * cell.value, cell.entity.name))
    ranked: list[tuple[int, Cell]] = []
    for place, cell in enumerate(by_size, start=1):
        tied = ranked and ranked[-1][1].value == cell.value
        ranked.append((ranked[-1][0] if tied else place, cell))
    return ranked


def cut(ranked: Sequence[tuple[int, Cell]], count: int) -> list[tuple[int, Cell]]:
    """The first ``count`` and whoever ties with the last of them."""
    return [(rank, cell) for rank, cell in ranked if rank <= count]


async def comparison(material: Material, context: RunContext) -> Outcome:
    """The named entities in order, where their figures are one published variable of one period."""
    outcome = Outcome()
    reading = material.reading
    direction = (reading.direction if isinstance(reading, ComparisonReading) else None) or Direction.HIGHEST
    groups: list[list[Cell]] = []
    for group in material.paired(material.slots):
        cells = [cell for served in group.values() for cell in served.reported()[:1]]
        if len(cells) < 2:
            names = ", ".join(cell.entity.name for cell in cells) or "nobody"
            what = next(iter(group.values())).executed.measure.name
            outcome.refuse(FailureStatus.NO_DATA, f"{what} is reported only for {names}: nothing to compare with")
            continue
        groups.append(cells)
    known = [_conflict(cells) for cells in groups]
    reasons = await like_for_like(groups, question=material.question, context=context, known=known)
    for cells, reason in zip(groups, reasons, strict=True):
        meaning = cells[0].meaning
        if not all(cell.numeric for cell in cells):
            outcome.combined.append(
                Combined(meaning=meaning, result="comparison", rows=tuple(row(cell) for cell in cells))
            )
            continue
        if reason:
            outcome.refuse(FailureStatus.NOT_COMPARABLE, f"{cells[0].measure.name}: {reason}", cell=cells[0])
            continue
        ranked = ordered(cells, direction)
        outcome.combined.append(
            Combined(
                meaning=meaning,
                result="comparison",
                computations=_gap(ranked[0][1], ranked[-1][1]) if len(ranked) == 2 else (),
                rows=tuple(row(cell, rank=rank) for rank, cell in ranked),
            )
        )
    return outcome


def _conflict(cells: Sequence[Cell]) -> str | None:
    """Why figures have no order, as far as that needs no judgment."""
    if not all(cell.numeric for cell in cells):
        return "not all of them are numbers"
    found = (unit_conflict(cells[0].measure, cell.measure) for cell in cells[1:])
    return next((reason for reason in found if reason), None) or period_conflict(cells)


def _gap(first: Cell, last: Cell) -> tuple[Computation, ...]:
    high, low = (first, last) if first.value >= last.value else (last, first)
    return (
        Computation(
            id=computation_id(first.meaning, "difference"),
            operation=Operation.DIFFERENCE,
            inputs=(high.receipt, low.receipt),
            value=arithmetic.difference(high.value, low.value),
            unit=difference_unit(high.measure),
            formula=f"{high.entity.name} - {low.entity.name}",
        ),
    )


def _rows(ranked: Sequence[tuple[int, Cell]]) -> tuple[ResultRow, ...]:
    return tuple(row(cell, rank=rank) for rank, cell in ranked)


def _nobody(material: Material, outcome: Outcome) -> None:
    for served in (one for slot in material.role("population") for one in material.served.get(slot.id, ())):
        if not any(cell.numeric for cell in served.reported()):
            outcome.refuse(FailureStatus.NO_DATA, f"no member has a figure for {served.executed.measure.name}")


async def ranking(material: Material, context: RunContext) -> Outcome:
    """The first or last members of the population, of one year, with ties at the cut shown."""
    del context
    outcome = Outcome()
    reading = material.reading
    direction = reading.direction if isinstance(reading, RankingReading) else Direction.HIGHEST
    count = (reading.count if isinstance(reading, RankingReading) else None) or DEFAULT_COUNT
    for scope in scopes(material, "population"):
        if not outcome.combined:
            disclose_scope(scope, outcome)
        ranked = ordered(scope.cells, direction)
        outcome.combined.append(
            Combined(
                meaning=scope.served.meaning,
                result="ranking",
                rows=_rows(cut(ranked, count)),
                tested=len(ranked),
            )
        )
    _nobody(material, outcome)
    return outcome


async def population_value(material: Material, context: RunContext) -> Outcome:
    """The figure of every member that has one, of one year, the largest first."""
    del context
    outcome = Outcome()
    for scope in scopes(material, "population"):
        if not outcome.combined:
            disclose_scope(scope, outcome)
        outcome.combined.append(
            Combined(
                meaning=scope.served.meaning,
                result="population_value",
                rows=_rows(ordered(scope.cells, Direction.HIGHEST)),
                tested=len(scope.cells),
            )
        )
    _nobody(material, outcome)
    return outcome


def extreme(scope: Scope, direction: Direction) -> tuple[Decimal, list[Cell]]:
    """The largest or smallest value and all who have it."""
    ranked = ordered(scope.cells, direction)
    return ranked[0][1].value, [cell for rank, cell in ranked if rank == 1]
