"""A quantity split into parts, accepted only if the parts add up to the whole."""

from __future__ import annotations

from decimal import Decimal

from functions.combine import arithmetic
from functions.combine.outcome import Outcome, computation_id, row
from functions.combine.units import PERCENT
from shared.query.annotated import Combined
from shared.query.evidence import Computation, FailureStatus, Operation
from shared.query.material import TOTAL, Cell, Material, Served
from shared.query.readings import BreakdownReading, Direction
from shared.runtime.context import RunContext

TOLERANCE = Decimal("0.02")
"""How far the sum of the parts may be from the whole, as a share of it."""


async def breakdown(material: Material, context: RunContext) -> Outcome:
    """The parts with their shares. An order or a count chooses what is shown, after all parts were checked."""
    del context
    outcome = Outcome()
    for served in material.everything():
        cells = [cell for cell in served.reported() if cell.numeric]
        if len(cells) < 2 or served.executed.total is None or served.executed.total.value is None:
            outcome.refuse(FailureStatus.NO_DATA, f"{served.executed.measure.name} has no parts with a total")
            continue
        whole = served.cell(TOTAL)
        reason = _does_not_hold(served, cells, whole)
        if reason:
            outcome.refuse(FailureStatus.NOT_COMPARABLE, reason, cell=whole)
            continue
        outcome.combined.append(_split(material, served, cells, whole))
    return outcome


def _does_not_hold(served: Served, cells: list[Cell], whole: Cell) -> str | None:
    name = served.executed.measure.name
    if {cell.period for cell in cells} != {whole.period}:
        return f"the parts of {name} and their total are of different periods"
    added = arithmetic.total([cell.value for cell in cells])
    if abs(added - whole.value) > abs(whole.value) * TOLERANCE:
        return (
            f"the parts of {name} add up to {format(added, 'f')} and the total is {format(whole.value, 'f')}: "
            "they overlap or some are missing"
        )
    return None


def _split(material: Material, served: Served, cells: list[Cell], whole: Cell) -> Combined:
    reading = material.reading
    direction = reading.direction if isinstance(reading, BreakdownReading) else None
    limit = reading.count if isinstance(reading, BreakdownReading) else None
    shown = list(cells)
    if direction is not None or limit is not None:
        shown.sort(key=lambda cell: cell.value, reverse=direction is not Direction.LOWEST)
    shown = shown[:limit]
    shares = [
        Computation(
            id=computation_id(served.meaning, f"share:{cell.index}"),
            operation=Operation.PERCENT_OF,
            inputs=(cell.receipt, whole.receipt),
            value=arithmetic.quotient(cell.value * 100, whole.value),
            unit=PERCENT,
            formula="part / total * 100",
        )
        for cell in shown
        if whole.value != 0
    ]
    ids = {computation.inputs[0]: computation.id for computation in shares}
    checked = Computation(
        id=computation_id(served.meaning, "sum"),
        operation=Operation.SUM,
        inputs=tuple(cell.receipt for cell in cells),
        value=arithmetic.total([cell.value for cell in cells]),
        unit=whole.measure.unit.code,
        formula="sum of the parts, held against the total",
    )
    return Combined(
        meaning=served.meaning,
        result="breakdown",
        computations=(*shares, checked),
        rows=(
            *(row(cell, computations=[ids[cell.receipt]] if cell.receipt in ids else []) for cell in shown),
            row(whole),
        ),
        matched=len(shown),
        tested=len(cells),
    )
