"""A quantity split into parts, accepted only if the parts add up to the whole."""

from __future__ import annotations

from decimal import Decimal

from functions.combine import arithmetic
from functions.combine.outcome import Outcome, computation_id, row
from functions.combine.units import PERCENT
from shared.query.annotated import Combined
from shared.query.evidence import Computation, DisclosureKind, FailureStatus, Operation
from shared.query.material import TOTAL, Cell, Material, Served
from shared.query.quantity import UnitKind
from shared.query.readings import BreakdownReading, Direction
from shared.runtime.context import RunContext

TOLERANCE = Decimal("0.02")
"""How far the sum of the parts may be from the whole, as a share of it."""
HUNDRED = Decimal(100)


async def breakdown(material: Material, context: RunContext) -> Outcome:
    """The parts with their shares. An order or a count chooses what is shown, after all parts were checked.

    The whole is the published total, or 100% where the parts are published as shares of a stated whole. Groups
    that make up no whole are held side by side, without shares and without a sum.
    """
    del context
    outcome = Outcome()
    for served in material.everything():
        if served.executed.apart:
            _side_by_side(material, served, outcome)
            continue
        cells = [cell for cell in served.reported() if cell.numeric]
        total = served.executed.total
        whole = served.cell(TOTAL) if total is not None and total.value is not None else None
        if len(cells) < 2 or (whole is None and served.executed.whole is None):
            outcome.refuse(FailureStatus.NO_DATA, f"{served.executed.measure.name} has no parts with a total")
            continue
        reason = _does_not_hold(served, cells, whole)
        if reason:
            outcome.refuse(FailureStatus.NOT_COMPARABLE, reason, cell=whole or cells[0])
            continue
        outcome.combined.append(_split(material, served, cells, whole))
    return outcome


def _does_not_hold(served: Served, cells: list[Cell], whole: Cell | None) -> str | None:
    name = served.executed.measure.name
    if len({cell.period for cell in (*cells, *([whole] if whole else []))}) > 1:
        return f"the parts of {name} {'and their total ' if whole else ''}are of different periods"
    if whole is None and any(cell.measure.unit.kind is not UnitKind.PERCENT for cell in cells):
        return f"the parts of {name} are no shares and have no published total"
    added = arithmetic.total([cell.value for cell in cells])
    wanted = whole.value if whole else HUNDRED
    if abs(added - wanted) > abs(wanted) * TOLERANCE:
        against = f"the total is {format(wanted, 'f')}" if whole else "not to 100%"
        return f"the parts of {name} add up to {format(added, 'f')} and {against}: they overlap or some are missing"
    return None


def _side_by_side(material: Material, served: Served, outcome: Outcome) -> None:
    """Groups with a figure each, which do not add up; one that is published in words stands after the numbers."""
    cells, name = served.reported(), served.executed.measure.name
    whole = served.cell(TOTAL) if served.executed.total is not None else None
    if len(cells) < 2:
        outcome.refuse(FailureStatus.NO_DATA, f"{name} has no two groups to hold side by side")
        return
    if len({cell.period for cell in (*cells, *([whole] if whole else []))}) > 1:
        outcome.refuse(
            FailureStatus.NOT_COMPARABLE, f"the groups of {name} are of different periods", cell=cells[0]
        )
        return
    numbers = _in_order(material, [cell for cell in cells if cell.numeric])
    shown = [*numbers, *(cell for cell in cells if not cell.numeric)][: _limit(material)]
    outcome.note(DisclosureKind.CAVEAT, f"{name}: {served.executed.apart}")
    outcome.combined.append(
        Combined(
            meaning=served.meaning,
            result="breakdown",
            rows=(*(row(cell) for cell in shown), *([row(whole)] if whole else [])),
            matched=len(shown),
            tested=len(cells),
        )
    )


def _in_order(material: Material, cells: list[Cell]) -> list[Cell]:
    """The cells by size where the question asks for an order or a count, else as they are published."""
    reading = material.reading
    direction = reading.direction if isinstance(reading, BreakdownReading) else None
    if direction is None and _limit(material) is None:
        return cells
    return sorted(cells, key=lambda cell: cell.value, reverse=direction is not Direction.LOWEST)


def _limit(material: Material) -> int | None:
    return material.reading.count if isinstance(material.reading, BreakdownReading) else None


def _split(material: Material, served: Served, cells: list[Cell], whole: Cell | None) -> Combined:
    shown = _in_order(material, cells)[: _limit(material)]
    shares = _shares(served, shown, whole) if whole else []
    ids = {computation.inputs[0]: computation.id for computation in shares}
    checked = Computation(
        id=computation_id(served.meaning, "sum"),
        operation=Operation.SUM,
        inputs=tuple(cell.receipt for cell in cells),
        value=arithmetic.total([cell.value for cell in cells]),
        unit=whole.measure.unit.code if whole else PERCENT,
        formula="sum of the parts, held against the total" if whole else "sum of the parts, held against 100%",
    )
    return Combined(
        meaning=served.meaning,
        result="breakdown",
        computations=(*shares, checked),
        rows=(
            *(row(cell, computations=[ids[cell.receipt]] if cell.receipt in ids else []) for cell in shown),
            *([row(whole)] if whole else []),
        ),
        matched=len(shown),
        tested=len(cells),
    )


def _shares(served: Served, shown: list[Cell], whole: Cell) -> list[Computation]:
    return [
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
