"""A population reduced to one figure: how many, their total, their mean or median, the largest or smallest."""

from __future__ import annotations

from functions.combine import arithmetic
from functions.combine.filters import count, trials
from functions.combine.group_totals import does_not_add_up
from functions.combine.members import listed_members
from functions.combine.orders import extreme
from functions.combine.outcome import Outcome, computation_id, named, row
from functions.combine.populations import Scope, disclose_scope, scopes
from shared.query.annotated import Combined
from shared.query.evidence import Computation, DisclosureKind, FailureStatus, Operation
from shared.query.material import Cell, Material
from shared.query.readings import AggregateOperation, AggregateReading, Direction
from shared.runtime.context import RunContext

_OPERATIONS = {
    AggregateOperation.COUNT: Operation.COUNT,
    AggregateOperation.SUM: Operation.SUM,
    AggregateOperation.MEAN: Operation.MEAN,
    AggregateOperation.MEDIAN: Operation.MEDIAN,
    AggregateOperation.MINIMUM: Operation.MINIMUM,
    AggregateOperation.MAXIMUM: Operation.MAXIMUM,
}


async def aggregate(material: Material, context: RunContext) -> Outcome:
    """One figure a meaning, over the members, or over those that meet the conditions."""
    outcome = Outcome()
    reading = material.reading
    if not isinstance(reading, AggregateReading):
        return outcome
    conditions = material.role("condition")
    members = material.role("members")
    if conditions and not members:
        await _count_matching(material, outcome, reading, context)
        return outcome
    allowed: set[str] | None = None
    if conditions:
        trial = next(iter(await trials(material, outcome, context)), None)
        if trial is None:
            return outcome
        allowed = {cells[0].entity.code for cells in trial.passed}
    if reading.measure is None:
        _count_members(material, outcome)
        return outcome
    for scope in scopes(material, "members"):
        cells = [cell for cell in scope.cells if allowed is None or cell.entity.code in allowed]
        if cells:
            await _reduced(scope, cells, reading.operation, outcome, context)
        else:
            outcome.refuse(
                FailureStatus.NO_DATA, f"no member has a figure for {scope.served.executed.measure.name}"
            )
    return outcome


async def _count_matching(
    material: Material, outcome: Outcome, reading: AggregateReading, context: RunContext
) -> None:
    if reading.operation is not AggregateOperation.COUNT:
        outcome.refuse(
            FailureStatus.INFEASIBLE, f"a {reading.operation.value} over members needs a measure to reduce"
        )
        return
    for trial in await trials(material, outcome, context):
        outcome.combined.append(
            Combined(
                meaning=trial.meaning,
                result="aggregate",
                computations=(count(trial),),
                rows=tuple(row(cell) for cells in trial.passed for cell in cells),
                matched=len(trial.passed),
                tested=len(trial.tested),
            )
        )


def _count_members(material: Material, outcome: Outcome) -> None:
    for served in material.everything():
        cells = listed_members(served, outcome)
        if cells is None:
            continue
        statement = served.of_all()
        counted = cells or ([statement] if statement is not None else served.reported())
        made = Computation(
            id=computation_id(served.meaning, "count"),
            operation=Operation.COUNT,
            inputs=tuple(cell.receipt for cell in counted),
            value=len(cells),
            unit=None,
            formula=f"count of members ({served.executed.measure.name})",
        )
        outcome.combined.append(
            Combined(
                meaning=served.meaning,
                result="aggregate",
                computations=(made,),
                rows=tuple(row(cell) for cell in cells),
                matched=len(cells),
            )
        )


async def _reduced(
    scope: Scope, cells: list[Cell], operation: AggregateOperation, outcome: Outcome, context: RunContext
) -> None:
    measure = scope.served.executed.measure
    values = [cell.value for cell in cells]
    shown = cells
    match operation:
        case AggregateOperation.SUM:
            reason = await does_not_add_up(measure, [cell.entity.name for cell in cells], context)
            if reason:
                outcome.refuse(FailureStatus.NOT_COMPARABLE, f"no total is formed: {reason}", cell=cells[0])
                return
            value = arithmetic.total(values)
        case AggregateOperation.MEAN:
            value = arithmetic.mean(values)
            outcome.note(
                DisclosureKind.CAVEAT, f"the mean of {measure.name} counts each member once, whatever its size"
            )
        case AggregateOperation.MEDIAN:
            value = arithmetic.median(values)
        case AggregateOperation.MINIMUM | AggregateOperation.MAXIMUM:
            lowest = operation is AggregateOperation.MINIMUM
            among = Scope(scope.served, scope.period, tuple(cells), (), ())
            value, shown = extreme(among, Direction.LOWEST if lowest else Direction.HIGHEST)
        case AggregateOperation.COUNT:
            value = arithmetic.total([value * 0 + 1 for value in values])
    made = Computation(
        id=computation_id(scope.served.meaning, operation.value),
        operation=_OPERATIONS[operation],
        inputs=tuple(cell.receipt for cell in cells),
        value=value,
        unit=None if operation is AggregateOperation.COUNT else measure.unit.code,
        formula=f"{operation.value} of {measure.name}, {scope.period}, over {len(cells)} members",
    )
    if not outcome.combined:
        disclose_scope(scope, outcome)
    if operation is AggregateOperation.SUM and scope.absent and not outcome.combined:
        outcome.note(
            DisclosureKind.COVERAGE,
            f"the total of {measure.name} is that of the members that report for {scope.period}; "
            f"it lacks {named(scope.absent)}",
        )
    outcome.combined.append(
        Combined(
            meaning=scope.served.meaning,
            result="aggregate",
            computations=(made,),
            rows=tuple(row(cell) for cell in shown),
            matched=len(cells),
            tested=len(cells) + len(scope.absent),
        )
    )
