"""How a measure moved: first, last, the change between them, and the years that are not there."""

from __future__ import annotations

from functions.combine import arithmetic
from functions.combine.outcome import Outcome, computation_id, named, row
from functions.combine.units import PERCENT, difference_unit
from shared.query.annotated import Combined
from shared.query.evidence import Computation, DisclosureKind, FailureStatus, Operation
from shared.query.material import Cell, Material, Served
from shared.query.quantity import PeriodKind, UnitKind
from shared.query.readings import Direction, PeriodKindAsked
from shared.runtime.context import RunContext


async def trend(material: Material, context: RunContext) -> Outcome:
    """Each entity's series with its change; entities are shown side by side and not computed across."""
    del context
    outcome = Outcome()
    for group in material.paired(material.slots):
        computations: list[Computation] = []
        rows = []
        newest = max((cell.period.text for one in group.values() for cell in one.reported()), default="")
        for served in group.values():
            cells = sorted((cell for cell in served.reported() if cell.numeric), key=lambda cell: cell.period.text)
            name = served.executed.measure.name
            if len(cells) < 2:
                held = f"only {cells[0].period}" if cells else "no period"
                whom = served.slot.entity.label if served.slot.entity else "the entity"
                outcome.refuse(FailureStatus.NO_DATA, f"{name} for {whom} covers {held}: that shows no movement")
                continue
            key = f"{cells[0].meaning}:{served.slot.id}"
            computations += change(cells[0], cells[-1], key=key)
            end = getattr(material.reading, "extreme", None)
            at_end: list[Cell] = []
            if isinstance(end, Direction):
                made, at_end = _extreme(cells, end, key=key)
                computations.append(made)
            rows += [row(cell, rank=1 if cell in at_end else None) for cell in cells]
            _disclose_gaps(served, cells, outcome)
            _disclose_start(served, cells, outcome)
            _disclose_end(served, cells, newest, outcome)
        if rows:
            outcome.combined.append(
                Combined(
                    meaning=rows[0].meaning, result="trend", computations=tuple(computations), rows=tuple(rows)
                )
            )
    return outcome


def _extreme(cells: list[Cell], end: Direction, *, key: str) -> tuple[Computation, list[Cell]]:
    """The highest or lowest of the figures, and the cells of the years that have it."""
    lowest = end is Direction.LOWEST
    value = (min if lowest else max)(cell.value for cell in cells)
    span = f"{cells[0].period} to {cells[-1].period}"
    made = Computation(
        id=computation_id(key, end.value),
        operation=Operation.MINIMUM if lowest else Operation.MAXIMUM,
        inputs=tuple(cell.receipt for cell in cells),
        value=value,
        unit=cells[0].measure.unit.code,
        formula=f"{end.value} of {len(cells)} figures, {cells[0].entity.name}, {span}",
    )
    return made, [cell for cell in cells if cell.value == value]


def change(first: Cell, last: Cell, *, key: str) -> list[Computation]:
    """The absolute and, where it has meaning, the relative change from ``first`` to ``last``."""
    made = [
        Computation(
            id=computation_id(key, "difference"),
            operation=Operation.DIFFERENCE,
            inputs=(last.receipt, first.receipt),
            value=arithmetic.difference(last.value, first.value),
            unit=difference_unit(last.measure),
            formula=f"{last.entity.name} {last.period} - {first.entity.name} {first.period}",
        )
    ]
    relative = arithmetic.percent_change(first.value, last.value)
    if relative is not None and first.measure.unit.kind is not UnitKind.PERCENT:
        made.append(
            Computation(
                id=computation_id(key, "percent_change"),
                operation=Operation.PERCENT_CHANGE,
                inputs=(last.receipt, first.receipt),
                value=relative,
                unit=PERCENT,
                formula=f"({last.period} - {first.period}) / {first.period} * 100, {last.entity.name}",
            )
        )
    return made


def _disclose_gaps(served: Served, cells: list[Cell], outcome: Outcome) -> None:
    whom = cells[0].entity.name
    missing = list(served.executed.incomplete) or [
        observation.period.text for observation in served.executed.observations if observation.missing is not None
    ]
    if not missing and all(cell.period.kind is PeriodKind.YEAR for cell in cells):
        years = {int(cell.period.text) for cell in cells}
        missing = [str(year) for year in range(min(years), max(years)) if year not in years]
    if missing:
        outcome.note(
            DisclosureKind.PERIOD,
            f"{served.executed.measure.name}, {whom}: no figure is reported for {named(missing)}",
        )


def _disclose_start(served: Served, cells: list[Cell], outcome: Outcome) -> None:
    """Say that a series begins later than what was asked for."""
    wanted, first = served.slot.period.start, cells[0].period.calendar_year
    if (
        served.slot.period.kind is PeriodKindAsked.SINCE
        and wanted is not None
        and first is not None
        and first > wanted
    ):
        outcome.note(
            DisclosureKind.PERIOD,
            f"{served.executed.measure.name}, {cells[0].entity.name}: {wanted} was asked for, and the figures "
            f"at hand begin with {cells[0].period}",
        )


def _disclose_end(served: Served, cells: list[Cell], newest: str, outcome: Outcome) -> None:
    """Say that a series ends before another one that it is shown beside."""
    if cells[-1].period.text < newest:
        outcome.note(
            DisclosureKind.PERIOD,
            f"{served.executed.measure.name}, {cells[-1].entity.name}: the figures end with {cells[-1].period}, "
            f"while others shown beside them go on to {newest}",
        )
