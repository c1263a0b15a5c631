"""Whether two measures move together over the members that report both for one period."""

from __future__ import annotations

from functions.combine import arithmetic
from functions.combine.outcome import Outcome, computation_id, named, row
from functions.combine.populations import Scope, scopes
from shared.query.annotated import Combined
from shared.query.evidence import Computation, DisclosureKind, FailureStatus, Operation
from shared.query.material import Cell, Material
from shared.runtime.context import RunContext

LEAST_MEMBERS = 3
MOST_PAIRS = 6
ECOLOGICAL = (
    "a correlation over areas says nothing about persons in them, and neither does it show that one thing "
    "causes the other; neighbouring areas are alike, which makes it look surer than it is"
)


async def correlation(material: Material, context: RunContext) -> Outcome:
    """Pearson's and Spearman's coefficients for the first meanings of both sides, then for the others."""
    del context
    outcome = Outcome()
    xs, ys = scopes(material, "x"), scopes(material, "y")
    for x, y in [(x, y) for x in xs for y in ys][:MOST_PAIRS]:
        _correlated(x, y, outcome)
    if outcome.combined:
        outcome.note(DisclosureKind.CAVEAT, ECOLOGICAL)
    return outcome


def _correlated(x: Scope, y: Scope, outcome: Outcome) -> None:
    what = f"{x.served.executed.measure.name} and {y.served.executed.measure.name}"
    if x.period != y.period:
        outcome.refuse(
            FailureStatus.NOT_COMPARABLE,
            f"{what} are not correlated: their figures are of different periods ({x.period} and {y.period})",
            cell=x.cells[0],
        )
        return
    of_y = {cell.entity.code: cell for cell in y.cells}
    both = [(cell, of_y.get(cell.entity.code)) for cell in x.cells]
    pairs = [(cell, other) for cell, other in both if other is not None]
    if len(pairs) < LEAST_MEMBERS:
        outcome.refuse(
            FailureStatus.NO_DATA,
            f"{what} are not correlated: fewer than {LEAST_MEMBERS} members have both for {x.period}",
        )
        return
    made = _coefficients(pairs, x.served.meaning, y.served.meaning, what)
    if not made:
        outcome.refuse(FailureStatus.NO_DATA, f"{what} are not correlated: one of them is the same everywhere")
        return
    joined = {cell.entity.name for cell, _ in pairs}
    left_out = [
        name
        for scope in (x, y)
        for name in [*(cell.entity.name for cell in scope.cells), *scope.absent]
        if name not in joined
    ]
    if left_out and not outcome.combined:
        left_out = list(dict.fromkeys(left_out))
        outcome.note(
            DisclosureKind.MEMBERS,
            f"{len(pairs)} members have both figures for {x.period}; "
            f"{len(left_out)} lack one and are left out: {named(left_out)}",
        )
    outcome.combined.append(
        Combined(
            meaning=x.served.meaning,
            result="correlation",
            computations=made,
            rows=tuple(row(cell) for pair in pairs for cell in pair),
            matched=len(pairs),
            tested=len(pairs) + len(left_out),
        )
    )


def _coefficients(pairs: list[tuple[Cell, Cell]], x: str, y: str, what: str) -> tuple[Computation, ...]:
    xs, ys = [a.value for a, _ in pairs], [b.value for _, b in pairs]
    inputs = tuple(cell.receipt for pair in pairs for cell in pair)
    pearson, spearman = arithmetic.pearson(xs, ys), arithmetic.spearman(xs, ys)
    if pearson is None or spearman is None:
        return ()
    return (
        *(
            Computation(
                id=computation_id(f"{x}+{y}", operation.value),
                operation=operation,
                inputs=inputs,
                value=value,
                unit=None,
                formula=f"{name} of {what}, {pairs[0][0].period}, in decimal arithmetic of "
                f"{arithmetic.PRECISION} digits rounded to {arithmetic.SIGNIFICANT}",
            )
            for operation, name, value in (
                (Operation.PEARSON, "Pearson's r", pearson),
                (Operation.SPEARMAN, "Spearman's rank correlation", spearman),
            )
        ),
        Computation(
            id=computation_id(f"{x}+{y}", "count"),
            operation=Operation.COUNT,
            inputs=inputs,
            value=len(pairs),
            unit=None,
            formula=f"count of members with both {what}",
        ),
    )
