"""Two figures brought together: a difference, a ratio, or a yes-or-no held against another figure or a bound."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from functions.combine import arithmetic
from functions.combine.likeness import calendar_conflict, like_for_like, period_conflict, unit_conflict
from functions.combine.outcome import Outcome, computation_id, row
from functions.combine.series import change
from functions.combine.thresholds import meets, threshold_conflict
from functions.combine.units import difference_unit
from shared.query.annotated import Combined
from shared.query.evidence import Computation, DisclosureKind, FailureStatus, Operation
from shared.query.material import Cell, Material, Served
from shared.query.quantity import UnitKind
from shared.query.readings import Comparator, DifferenceReading, Threshold, YesNoReading
from shared.query.slots import Slot
from shared.runtime.context import RunContext


def first_cell(served: Served | None) -> Cell | None:
    """The first number of a served slot, if it has one."""
    cells = [cell for cell in served.reported() if cell.numeric] if served else []
    return cells[0] if cells else None


def sides(material: Material, outcome: Outcome, left: Slot, right: Slot) -> list[tuple[Cell, Cell]]:
    """The two slots' figures of each published variable that both have."""
    pairs = []
    for group in material.paired([left, right]):
        one, two = first_cell(group.get(left.id)), first_cell(group.get(right.id))
        if one and two:
            pairs.append((one, two))
            continue
        name = next(iter(group.values())).executed.measure.name
        lacking = right if one else left
        outcome.refuse(FailureStatus.NO_DATA, f"{name} was not found for {lacking.describes}")
    return pairs


async def compared(
    pairs: Sequence[tuple[Cell, Cell]],
    conflict: Callable[[Cell, Cell], str | None],
    material: Material,
    context: RunContext,
) -> list[tuple[Cell, Cell, str | None]]:
    """Each pair with why it is not held together: what ``conflict`` says, else what one judgment of all says."""
    known = [conflict(*pair) for pair in pairs]
    reasons = await like_for_like(pairs, question=material.question, context=context, known=known)
    return [(one, two, reason) for (one, two), reason in zip(pairs, reasons, strict=True)]


async def difference(material: Material, context: RunContext) -> Outcome:
    """The larger less the smaller of two entities, or the later less the earlier of one."""
    outcome = Outcome()
    left, right = material.role("left"), material.role("right")
    if not (left and right):
        return outcome
    relative = isinstance(material.reading, DifferenceReading) and material.reading.relative
    for one, two, reason in await compared(sides(material, outcome, left[0], right[0]), _apart, material, context):
        same_entity = one.entity == two.entity
        if reason:
            outcome.refuse(FailureStatus.NOT_COMPARABLE, f"no difference is formed: {reason}", cell=one)
            continue
        if same_entity:
            first, last = sorted((one, two), key=lambda cell: cell.period.text)
        else:
            first, last = sorted((one, two), key=lambda cell: cell.value)
        made = change(first, last, key=one.meaning)
        if relative and len(made) == 1:
            outcome.note(
                DisclosureKind.CAVEAT,
                f"{one.measure.name}: a percentage of "
                + (
                    "percentages would mislead; the difference is in percentage points"
                    if one.measure.unit.kind is UnitKind.PERCENT
                    else "a figure that is zero or negative has no meaning; only the difference is given"
                ),
            )
        ids = [computation.id for computation in made]
        outcome.combined.append(
            Combined(
                meaning=one.meaning,
                result="difference",
                computations=tuple(made),
                rows=(row(last, computations=ids), row(first)),
            )
        )
    return outcome


def _apart(one: Cell, two: Cell) -> str | None:
    """Why two figures have no difference, whatever they are of."""
    if reason := unit_conflict(one.measure, two.measure):
        return reason
    if one.entity != two.entity:
        return period_conflict([one, two])
    reason = calendar_conflict([one, two])
    return reason or (f"both figures are of {one.period}" if one.period == two.period else None)


def _unlike(one: Cell, two: Cell) -> str | None:
    return unit_conflict(one.measure, two.measure) or period_conflict([one, two])


async def yes_no(material: Material, context: RunContext) -> Outcome:
    """The verdict with its margin: against the bound that was asked for, or against the other entity."""
    outcome = Outcome()
    reading = material.reading
    if not isinstance(reading, YesNoReading):
        return outcome
    values, others = material.role("value"), material.role("other")
    if reading.threshold is not None and values:
        _against_bound(material.served.get(values[0].id, ()), reading.threshold, outcome)
    elif values and others:
        found = sides(material, outcome, values[0], others[0])
        for one, two, reason in await compared(found, _unlike, material, context):
            if reason:
                outcome.refuse(FailureStatus.NOT_COMPARABLE, f"not decided: {reason}", cell=one)
                continue
            bound = Threshold(comparator=reading.comparator, value=two.value, text=two.entity.name)
            outcome.combined.append(_verdict(one, bound, versus=two))
    return outcome


def _against_bound(served: Sequence[Served], bound: Threshold, outcome: Outcome) -> None:
    misfits = []
    for one in served:
        cell = first_cell(one)
        if cell is None:
            continue
        reason = threshold_conflict(bound, cell.measure, one.slot.measure)
        if reason:
            misfits.append((cell, reason))
        else:
            outcome.combined.append(_verdict(cell, bound))
    for cell, reason in misfits:
        if outcome.combined:
            outcome.note(DisclosureKind.MEANING, f"{cell.measure.name} is not held against the bound: {reason}")
        else:
            outcome.refuse(FailureStatus.NOT_COMPARABLE, reason, cell=cell)


def _verdict(cell: Cell, bound: Threshold, *, versus: Cell | None = None) -> Combined:
    inputs = (cell.receipt, versus.receipt) if versus else (cell.receipt,)
    held = meets(cell.value, bound)
    limit = bound.value
    if bound.comparator is Comparator.BETWEEN and bound.upper is not None and cell.value > bound.upper:
        limit = bound.upper
    other = versus.entity.name if versus else format(limit, "f")
    computations = (
        Computation(
            id=computation_id(cell.meaning, "compare"),
            operation=Operation.COMPARE,
            inputs=inputs,
            value=held,
            unit=None,
            formula=f"{cell.entity.name} {bound.comparator.value} {other}"
            + (f" and {format(bound.upper, 'f')}" if bound.upper is not None else ""),
        ),
        Computation(
            id=computation_id(cell.meaning, "margin"),
            operation=Operation.DIFFERENCE,
            inputs=inputs,
            value=arithmetic.difference(cell.value, limit),
            unit=difference_unit(cell.measure),
            formula=f"{cell.entity.name} - {other}",
        ),
    )
    rows = [row(cell, computations=[made.id for made in computations])]
    return Combined(
        meaning=cell.meaning,
        result="yes_no",
        computations=computations,
        rows=tuple([*rows, row(versus)] if versus else rows),
        verdict=held,
    )
