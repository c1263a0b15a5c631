"""Members that meet every condition. Each bound is tested once a member; who has no figure stays untested."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from functions.combine.outcome import Outcome, computation_id, named, row
from functions.combine.populations import Scope, disclose_scope, one_period
from functions.combine.thresholds import impossible, meets, threshold_conflict
from shared.query.annotated import Combined
from shared.query.evidence import Computation, DisclosureKind, FailureStatus, Operation
from shared.query.material import Cell, Material
from shared.query.slots import Slot
from shared.runtime.context import RunContext


@dataclass(frozen=True, slots=True)
class Tested:
    """One choice of meaning for every condition, and how its members fared."""

    scopes: tuple[Scope, ...]
    passed: tuple[tuple[Cell, ...], ...]
    """For each member that met all conditions, its cell of each condition, the largest of the first first."""
    tested: tuple[tuple[Cell, ...], ...]
    untested: tuple[str, ...]


async def filtered_list(material: Material, context: RunContext) -> Outcome:
    """The members that meet every condition, for each meaning of the first condition that a bound fits."""
    del context
    outcome = Outcome()
    for trial in trials(material, outcome, material.role("condition")):
        first = trial.scopes[0]
        made = count(trial, first.served.meaning)
        outcome.combined.append(
            Combined(
                meaning=first.served.meaning,
                result="filtered_list",
                computations=(made,),
                rows=tuple(row(cell) for cells in trial.passed for cell in cells),
                matched=len(trial.passed),
                tested=len(trial.tested),
            )
        )
    return outcome


def count(trial: Tested, meaning: str) -> Computation:
    """How many members met the conditions, over everything that was tested."""
    bounds = [scope.served.slot.threshold for scope in trial.scopes]
    return Computation(
        id=computation_id(meaning, "count"),
        operation=Operation.COUNT,
        inputs=tuple(cell.receipt for cells in trial.tested for cell in cells),
        value=len(trial.passed),
        unit=None,
        formula="count of members with "
        + " and ".join(
            f"{scope.served.executed.measure.name} {bound.comparator.value} {format(bound.value, 'f')}"
            + (f" and {format(bound.upper, 'f')}" if bound.upper is not None else "")
            for scope, bound in zip(trial.scopes, bounds, strict=True)
            if bound is not None
        ),
    )


def trials(material: Material, outcome: Outcome, slots: Sequence[Slot]) -> list[Tested]:
    """One trial for each meaning of the first condition; the others take the same variable, or their first fit."""
    if any(slot.threshold is None for slot in slots) or not slots:
        return []
    fitting = [_fitting(material, slot, outcome) for slot in slots]
    if not all(fitting):
        return []
    made = []
    for scope in fitting[0]:
        chosen = [scope]
        for options in fitting[1:]:
            same = [option for option in options if option.served.key == scope.served.key]
            chosen.append((same or options)[0])
        made.append(_test(chosen))
    for trial in made[:1]:
        _disclose(trial, outcome)
    return made


def _fitting(material: Material, slot: Slot, outcome: Outcome) -> list[Scope]:
    """The slot's meanings that its bound can be held against; that none can is a refusal."""
    bound = slot.threshold
    fits: list[Scope] = []
    misfits: list[tuple[Scope, str]] = []
    for served in material.served.get(slot.id, ()):
        scope = one_period(served)
        if scope is None or bound is None:
            continue
        reason = threshold_conflict(bound, served.executed.measure, slot.measure)
        if reason:
            misfits.append((scope, reason))
        else:
            fits.append(scope)
    for scope, reason in misfits:
        if fits:
            name = scope.served.executed.measure.name
            outcome.note(DisclosureKind.MEANING, f"{name} is not tested: {reason}")
        else:
            outcome.refuse(FailureStatus.NOT_COMPARABLE, reason, cell=scope.cells[0])
    return fits


def _test(scopes: Sequence[Scope]) -> Tested:
    by_member = [{cell.entity.code: cell for cell in scope.cells} for scope in scopes]
    shared = [code for code in by_member[0] if all(code in members for members in by_member[1:])]
    tested = [tuple(members[code] for members in by_member) for code in shared]
    bounds = [scope.served.slot.threshold for scope in scopes]
    passed = [
        cells
        for cells in tested
        if all(bound and meets(cell.value, bound) for cell, bound in zip(cells, bounds, strict=True))
    ]
    passed.sort(key=lambda cells: (-cells[0].value, cells[0].entity.name))
    known = {cell.entity.name for cells in tested for cell in cells}
    everyone = [
        name
        for scope in scopes
        for name in [*(cell.entity.name for cell in scope.cells), *scope.absent]
        if name not in known
    ]
    return Tested(tuple(scopes), tuple(passed), tuple(tested), tuple(dict.fromkeys(everyone)))


def _disclose(trial: Tested, outcome: Outcome) -> None:
    if trial.untested:
        outcome.note(
            DisclosureKind.MEMBERS,
            f"{len(trial.tested)} members were tested; {len(trial.untested)} could not be, "
            f"having no figure: {named(trial.untested)}",
        )
    for scope in trial.scopes:
        if scope.elsewhen:
            disclose_scope(scope, outcome)
    periods = {scope.period.text: scope.served.executed.measure.name for scope in trial.scopes}
    if len(periods) > 1:
        outcome.note(
            DisclosureKind.PERIOD,
            "the conditions are tested on different periods: "
            + ", ".join(f"{name} on {period}" for period, name in periods.items()),
        )
    for scope in trial.scopes:
        bound = scope.served.slot.threshold
        if bound is not None and impossible(bound):
            outcome.note(DisclosureKind.CAVEAT, f"no value can meet “{bound.text}”")
