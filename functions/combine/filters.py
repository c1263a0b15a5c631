"""Members that meet every condition. Each bound is tested once a member; who has no figure stays untested.

A bound is a number of the question, or the figure of an entity that it names: then both are of one published
variable and one period, and the entity itself is no member that could meet the condition.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from functions.combine.likeness import like_for_like
from functions.combine.outcome import Outcome, computation_id, named, row
from functions.combine.pairs import first_cell
from functions.combine.populations import MISSING_NAMED, Scope, disclose_scope, one_period
from functions.combine.thresholds import impossible, meets, threshold_conflict
from shared.query.annotated import Combined
from shared.query.evidence import Computation, DisclosureKind, FailureStatus, Operation
from shared.query.material import Cell, Material
from shared.query.readings import AggregateReading, Condition, FilteredListReading, Threshold
from shared.query.slots import Slot
from shared.runtime.context import RunContext


@dataclass(frozen=True, slots=True)
class Tried:
    """One meaning of a condition: the members' figures and the bound that they are held against."""

    scope: Scope
    bound: Threshold
    versus: Cell | None = None
    """The figure that the bound is, where it is another entity's."""

    @property
    def formula(self) -> str:
        """The condition as it was tested, in figures."""
        said = f"{self.scope.served.executed.measure.name} {self.bound.comparator.value} "
        if self.versus is not None:
            return f"{said}{self.versus.entity.name} ({format(self.bound.value, 'f')})"
        upper = f" and {format(self.bound.upper, 'f')}" if self.bound.upper is not None else ""
        return f"{said}{format(self.bound.value, 'f')}{upper}"


@dataclass(frozen=True, slots=True)
class Tested:
    """One choice of meaning for every condition, and how its members fared."""

    tried: tuple[Tried, ...]
    passed: tuple[tuple[Cell, ...], ...]
    """For each member that met all conditions, its cell of each condition, the largest of the first first."""
    tested: tuple[tuple[Cell, ...], ...]
    untested: tuple[str, ...]

    @property
    def meaning(self) -> str:
        """The meaning of the first condition, which stands for the whole."""
        return self.tried[0].scope.served.meaning


async def filtered_list(material: Material, context: RunContext) -> Outcome:
    """The members that meet every condition, for each meaning of the first condition that a bound fits."""
    outcome = Outcome()
    for trial in await trials(material, outcome, context):
        outcome.combined.append(
            Combined(
                meaning=trial.meaning,
                result="filtered_list",
                computations=(count(trial),),
                rows=tuple(row(cell) for cells in trial.passed for cell in cells),
                matched=len(trial.passed),
                tested=len(trial.tested),
            )
        )
    return outcome


def count(trial: Tested) -> Computation:
    """How many members met the conditions, over everything that was tested and what it was held against."""
    against = [one.versus.receipt for one in trial.tried if one.versus is not None]
    return Computation(
        id=computation_id(trial.meaning, "count"),
        operation=Operation.COUNT,
        inputs=(*(cell.receipt for cells in trial.tested for cell in cells), *dict.fromkeys(against)),
        value=len(trial.passed),
        unit=None,
        formula="count of members with " + " and ".join(one.formula for one in trial.tried),
    )


async def trials(material: Material, outcome: Outcome, context: RunContext) -> list[Tested]:
    """One trial for each meaning of the first condition; the others take the same variable, or their first fit."""
    reading = material.reading
    slots = material.role("condition")
    if not isinstance(reading, FilteredListReading | AggregateReading) or not slots:
        return []
    options = [_options(material, slot, one) for slot, one in zip(slots, reading.conditions, strict=True)]
    fitting = [_fitting(one, outcome) for one in await _judged(options, material, context)]
    if not all(fitting):
        return []
    made = []
    for first in fitting[0]:
        chosen = [first]
        for others in fitting[1:]:
            same = [one for one in others if one.scope.served.key == first.scope.served.key]
            chosen.append((same or others)[0])
        made.append(_test(chosen))
    for trial in made[:1]:
        _disclose(trial, outcome)
    return made


Option = tuple[Scope, Tried | str]
"""One meaning of a condition, or why its bound cannot be held against it."""


def _options(material: Material, slot: Slot, condition: Condition) -> list[Option]:
    """The slot's meanings with the bound that the condition sets."""
    options: list[Option] = []
    for served in material.served.get(slot.id, ()):
        scope = one_period(served)
        if scope is None:
            continue
        if condition.threshold is not None:
            reason = threshold_conflict(condition.threshold, served.executed.measure, slot.measure)
            options.append((scope, reason or Tried(scope, condition.threshold)))
        else:
            options.append((scope, _against(material, scope, condition)))
    return options


async def _judged(options: Sequence[list[Option]], material: Material, context: RunContext) -> list[list[Option]]:
    """The options that are like for like with what they are held against; the others by their reason."""
    groups = [
        [one.versus, *one.scope.cells[:1]]
        for condition in options
        for _, one in condition
        if isinstance(one, Tried) and one.versus is not None
    ]
    reasons = iter(await like_for_like(groups, question=material.question, context=context))
    return [
        [
            (scope, (next(reasons) or one) if isinstance(one, Tried) and one.versus is not None else one)
            for scope, one in condition
        ]
        for condition in options
    ]


def _fitting(options: Sequence[Option], outcome: Outcome) -> list[Tried]:
    """The meanings that the bound can be held against; that none can is a refusal."""
    fits = [one for _, one in options if isinstance(one, Tried)]
    for scope, reason in options:
        if isinstance(reason, Tried):
            continue
        if fits:
            name = scope.served.executed.measure.name
            outcome.note(DisclosureKind.MEANING, f"{name} is not tested: {reason}")
        else:
            outcome.refuse(FailureStatus.NOT_COMPARABLE, reason, cell=scope.cells[0])
    return fits


def _against(material: Material, scope: Scope, condition: Condition) -> Tried | str:
    """The members' figures held against those of the entity that the condition names, or why they cannot be."""
    name = scope.served.executed.measure.name
    cell = next(
        (
            cell
            for slot in material.role("reference")
            if slot.shared_key == scope.served.slot.shared_key
            for served in material.served.get(slot.id, ())
            if served.key == scope.served.key and (cell := first_cell(served)) is not None
        ),
        None,
    )
    if cell is None:
        whom = condition.reference.label if condition.reference else "the entity"
        return f"{name} has no figure for {whom} to hold the others against"
    if cell.period != scope.period:
        return (
            f"{name} of {cell.entity.name} is of {cell.period} and that of the members of {scope.period}: "
            "they are not of one period"
        )
    others = [one for one in scope.cells if one.entity.code != cell.entity.code]
    bound = Threshold(comparator=condition.comparator, value=cell.value, text=cell.entity.name)
    missing = tuple(absent for absent in scope.missing if absent != cell.entity.name)
    return Tried(replace(scope, cells=tuple(others), missing=missing), bound, cell)


def _test(tried: Sequence[Tried]) -> Tested:
    scopes = [one.scope for one in tried]
    by_member = [{cell.entity.code: cell for cell in scope.cells} for scope in scopes]
    shared = [code for code in by_member[0] if all(code in members for members in by_member[1:])]
    tested = [tuple(members[code] for members in by_member) for code in shared]
    passed = [
        cells
        for cells in tested
        if all(meets(cell.value, one.bound) for cell, one in zip(cells, tried, strict=True))
    ]
    passed.sort(key=lambda cells: (-cells[0].value, cells[0].entity.name))
    known = {cell.entity.name for cells in tested for cell in cells}
    known |= {one.versus.entity.name for one in tried if one.versus is not None}
    everyone = [
        name
        for scope in scopes
        for name in [*(cell.entity.name for cell in scope.cells), *scope.absent]
        if name not in known
    ]
    return Tested(tuple(tried), tuple(passed), tuple(tested), tuple(dict.fromkeys(everyone)))


def _disclose(trial: Tested, outcome: Outcome) -> None:
    scopes = [one.scope for one in trial.tried]
    if trial.untested:
        outcome.note(
            DisclosureKind.MEMBERS,
            f"{len(trial.tested)} members were tested; {len(trial.untested)} could not be, "
            f"having no figure: {named(trial.untested, shown=MISSING_NAMED)}",
        )
    for scope in scopes:
        if scope.elsewhen:
            disclose_scope(scope, outcome)
    periods = {scope.period.text: scope.served.executed.measure.name for scope in scopes}
    if len(periods) > 1:
        outcome.note(
            DisclosureKind.PERIOD,
            "the conditions are tested on different periods: "
            + ", ".join(f"{name} on {period}" for period, name in periods.items()),
        )
    for one in trial.tried:
        if impossible(one.bound):
            outcome.note(DisclosureKind.CAVEAT, f"no value can meet “{one.bound.text}”")
