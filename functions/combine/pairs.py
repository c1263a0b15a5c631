"""Two figures brought together: a difference, a ratio, or a yes-or-no held against another figure or a bound."""

from __future__ import annotations

from collections.abc import Sequence

from functions.combine import arithmetic
from functions.combine.likeness import calendar_conflict, like_for_like, period_conflict, unit_conflict
from functions.combine.outcome import Outcome, computation_id, row
from functions.combine.series import change
from functions.combine.thresholds import meets, threshold_conflict
from functions.combine.units import PERCENT, difference_unit, ratio_unit, share_conflict
from shared.query.annotated import Combined
from shared.query.evidence import Computation, DisclosureKind, FailureStatus, Operation
from shared.query.material import Cell, Material, Served
from shared.query.quantity import UnitKind
from shared.query.readings import Comparator, DifferenceReading, RatioReading, Threshold, YesNoReading
from shared.query.slots import Slot
from shared.runtime.context import RunContext


def _first(served: Served | None) -> Cell | None:
    cells = [cell for cell in served.reported() if cell.numeric] if served else []
    return cells[0] if cells else None


def _sides(material: Material, outcome: Outcome, left: Slot, right: Slot) -> list[tuple[Cell, Cell]]:
    """The two slots' figures of each published variable that both have."""
    pairs = []
    for group in material.paired([left, right]):
        one, two = _first(group.get(left.id)), _first(group.get(right.id))
        if one and two:
            pairs.append((one, two))
            continue
        name = next(iter(group.values())).executed.measure.name
        lacking = right if one else left
        outcome.refuse(FailureStatus.NO_DATA, f"{name} was not found for {lacking.describes}")
    return pairs


async def difference(material: Material, context: RunContext) -> Outcome:
    """The larger less the smaller of two entities, or the later less the earlier of one."""
    outcome = Outcome()
    left, right = material.role("left"), material.role("right")
    if not (left and right):
        return outcome
    relative = isinstance(material.reading, DifferenceReading) and material.reading.relative
    for one, two in _sides(material, outcome, left[0], right[0]):
        same_entity = one.entity == two.entity
        reason = unit_conflict(one.measure, two.measure)
        reason = reason or (calendar_conflict([one, two]) if same_entity else period_conflict([one, two]))
        if same_entity and not reason and one.period == two.period:
            reason = f"both figures are of {one.period}"
        reason = reason or await like_for_like([one, two], question=material.question, context=context)
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


async def ratio(material: Material, context: RunContext) -> Outcome:
    """Numerator over denominator, for each numerator meaning that has a counterpart to be divided by.

    One measure of two entities is paired by its published variable. Two measures are paired by unit, the
    first-ranked denominator that fits each numerator.
    """
    outcome = Outcome()
    tops, bottoms = material.role("numerator"), material.role("denominator")
    if not (tops and bottoms):
        return outcome
    top, bottom = tops[0], bottoms[0]
    if top.shared_key is not None and top.shared_key == bottom.shared_key:
        pairs = _sides(material, outcome, top, bottom)
    else:
        pairs = _by_unit(material, outcome, top, bottom)
    for numerator, denominator in pairs:
        made = await _divided(numerator, denominator, material, outcome, context)
        if made is not None:
            outcome.combined.append(made)
    return outcome


def _by_unit(material: Material, outcome: Outcome, top: Slot, bottom: Slot) -> list[tuple[Cell, Cell]]:
    pairs, unmatched = [], []
    for served in material.served.get(top.id, ()):
        numerator = _first(served)
        if numerator is None:
            continue
        reasons = []
        for candidate in material.served.get(bottom.id, ()):
            denominator = _first(candidate)
            if denominator is None:
                continue
            reason = share_conflict(numerator.measure, denominator.measure)
            if reason is None:
                pairs.append((numerator, denominator))
                break
            reasons.append(reason)
        else:
            unmatched.append((numerator, reasons))
    for numerator, reasons in unmatched:
        because = reasons[0] if reasons else "no denominator was found"
        if pairs:
            outcome.note(DisclosureKind.MEANING, f"{numerator.measure.name} is not divided: {because}")
        elif reasons:
            outcome.refuse(FailureStatus.NOT_COMPARABLE, f"no ratio is formed: {because}", cell=numerator)
    return pairs


async def _divided(
    top: Cell, bottom: Cell, material: Material, outcome: Outcome, context: RunContext
) -> Combined | None:
    reading = material.reading
    as_percent = isinstance(reading, RatioReading) and reading.as_percent
    reason = share_conflict(top.measure, bottom.measure) or period_conflict([top, bottom])
    reason = reason or await like_for_like([top, bottom], question=material.question, context=context)
    if reason is None and bottom.value == 0:
        reason = f"{bottom.measure.name} of {bottom.entity.name} is zero"
    if reason is None and _part_of_whole(top, bottom, as_percent=as_percent) and top.value > bottom.value:
        reason = (
            f"{top.measure.name} exceeds {bottom.measure.name}, so that a share would be above 100%: "
            "the two are not part and whole of one population"
        )
    if reason:
        outcome.refuse(FailureStatus.NOT_COMPARABLE, f"no ratio is formed: {reason}", cell=top)
        return None
    if bottom.value < 0:
        reason = f"{bottom.measure.name} of {bottom.entity.name} is negative, and so many times it has no meaning"
        if outcome.combined:
            outcome.note(DisclosureKind.MEANING, f"no ratio is formed of {top.measure.name}: {reason}")
        else:
            outcome.refuse(FailureStatus.NOT_COMPARABLE, f"no ratio is formed: {reason}", cell=top)
        return None
    what = f"{top.measure.name}, {top.entity.name} / {bottom.measure.name}, {bottom.entity.name}"
    value = arithmetic.quotient(top.value, bottom.value)
    made = Computation(
        id=computation_id(top.meaning, "ratio"),
        operation=Operation.RATIO,
        inputs=(top.receipt, bottom.receipt),
        value=value,
        unit=ratio_unit(top.measure, bottom.measure),
        formula=what,
    )
    if as_percent and made.unit is None:
        made = made.model_copy(
            update={
                "operation": Operation.PERCENT_OF,
                "value": arithmetic.quotient(top.value * 100, bottom.value),
                "unit": PERCENT,
                "formula": f"{what} * 100",
            }
        )
    return Combined(
        meaning=top.meaning,
        result="ratio",
        computations=(made,),
        rows=(row(top, computations=[made.id]), row(bottom)),
    )


def _part_of_whole(top: Cell, bottom: Cell, *, as_percent: bool) -> bool:
    """Whether the percentage asked for is a share: of one entity's people, say, or of the world's."""
    additive = top.measure.unit.kind is UnitKind.COUNT
    same_variable = top.measure.variable == bottom.measure.variable
    in_group = same_variable and bottom.entity.kind.value == "country_group" and top.entity != bottom.entity
    return as_percent and ((additive and top.entity == bottom.entity) or in_group)


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
        for one, two in _sides(material, outcome, values[0], others[0]):
            reason = unit_conflict(one.measure, two.measure) or period_conflict([one, two])
            reason = reason or await like_for_like([one, two], question=material.question, context=context)
            if reason:
                outcome.refuse(FailureStatus.NOT_COMPARABLE, f"not decided: {reason}", cell=one)
                continue
            bound = Threshold(comparator=reading.comparator, value=two.value, text=two.entity.name)
            outcome.combined.append(_verdict(one, bound, versus=two))
    return outcome


def _against_bound(served: Sequence[Served], bound: Threshold, outcome: Outcome) -> None:
    misfits = []
    for one in served:
        cell = _first(one)
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
