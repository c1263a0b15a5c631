"""One figure divided by another, or the ratio as its publisher gives it."""

from __future__ import annotations

from functions.combine import arithmetic
from functions.combine.likeness import period_conflict
from functions.combine.outcome import Outcome, computation_id, named, row
from functions.combine.pairs import compared, first_cell, sides
from functions.combine.units import PERCENT, ratio_unit, share_conflict
from shared.query.annotated import Combined
from shared.query.evidence import Computation, DisclosureKind, FailureStatus, Operation
from shared.query.material import Cell, Material
from shared.query.quantity import PlaceKind, UnitKind
from shared.query.readings import RatioReading
from shared.query.slots import Slot
from shared.runtime.context import RunContext


async def ratio(material: Material, context: RunContext) -> Outcome:
    """Numerator over denominator: the leading meaning that can be divided, and other forms of one measure.

    One measure of two entities is paired by its published variable, each meaning giving a ratio of its own; a
    rate that is no more than another form of the leading amount is not divided. Two measures are paired by
    unit: only the first-ranked pair that fits is composed. A share that is itself published is taken as it is.
    """
    outcome = Outcome()
    tops, bottoms = material.role("numerator"), material.role("denominator")
    if not (tops and bottoms):
        return outcome
    top, bottom = tops[0], bottoms[0]
    shared = top.shared_key is not None and top.shared_key == bottom.shared_key
    pairs = sides(material, outcome, top, bottom) if shared else _by_unit(material, outcome, top, bottom)
    if shared:
        pairs = _without_rates(pairs, outcome)
    refused: list[tuple[Cell, str]] = []
    for numerator, denominator, reason in await compared(pairs, _conflict, material, context):
        made = reason or _divided(numerator, denominator, material)
        if isinstance(made, str):
            refused.append((numerator, made))
            continue
        outcome.combined.append(made)
        if not shared:
            break
    if not shared and not outcome.combined:
        outcome.combined += _published(material, outcome, top, bottom)
    if outcome.combined and not shared:
        outcome.refused.clear()
        refused.clear()
    for numerator, reason in refused:
        outcome.refuse(FailureStatus.NOT_COMPARABLE, f"no ratio is formed: {reason}", cell=numerator)
    return outcome


def _without_rates(pairs: list[tuple[Cell, Cell]], outcome: Outcome) -> list[tuple[Cell, Cell]]:
    """The pairs without percentages behind an amount: a quotient of two growth rates is no meaning of "GDP"."""
    if not pairs or pairs[0][0].measure.unit.kind is UnitKind.PERCENT:
        return pairs
    rates = [pair for pair in pairs if pair[0].measure.unit.kind is UnitKind.PERCENT]
    if rates:
        names = named([top.measure.name for top, _ in rates])
        outcome.note(DisclosureKind.MEANING, f"{names}: a percentage is not divided by another")
    return [pair for pair in pairs if pair not in rates]


def _by_unit(material: Material, outcome: Outcome, top: Slot, bottom: Slot) -> list[tuple[Cell, Cell]]:
    pairs = []
    for served in material.served.get(top.id, ()):
        numerator = first_cell(served)
        if numerator is None:
            continue
        reasons = []
        for candidate in material.served.get(bottom.id, ()):
            denominator = first_cell(candidate)
            if denominator is None:
                continue
            reason = share_conflict(numerator.measure, denominator.measure)
            if reason is None:
                pairs.append((numerator, denominator))
                break
            reasons.append(reason)
        else:
            if reasons:
                outcome.refuse(
                    FailureStatus.NOT_COMPARABLE,
                    f"{numerator.measure.name} is not divided: {reasons[0]}",
                    cell=numerator,
                )
    return pairs


def _published(material: Material, outcome: Outcome, top: Slot, bottom: Slot) -> list[Combined]:
    """The numerator's meanings that are already published as a share of the denominator of the same entity."""
    same = top.entity is not None and bottom.entity is not None and top.entity.entity == bottom.entity.entity
    wanted = _plain(bottom.measure.text if bottom.measure else "")
    found = []
    for served in material.served.get(top.id, ()):
        cell = first_cell(served)
        if cell is None or not same or cell.measure.unit.kind is not UnitKind.PERCENT:
            continue
        if _plain(cell.measure.unit.per or "") != wanted:
            continue
        as_percent = isinstance(material.reading, RatioReading) and material.reading.as_percent
        made = Computation(
            id=computation_id(cell.meaning, "ratio"),
            operation=Operation.PERCENT_OF if as_percent else Operation.RATIO,
            inputs=(cell.receipt,),
            value=cell.value if as_percent else arithmetic.quotient(cell.value, arithmetic.HUNDRED),
            unit=PERCENT if as_percent else None,
            formula=f"{cell.measure.name}, {cell.entity.name}" + ("" if as_percent else " / 100"),
        )
        outcome.note(
            DisclosureKind.MEANING, f"the ratio is taken as it is published: {cell.measure.name}, not divided here"
        )
        found.append(
            Combined(
                meaning=cell.meaning,
                result="ratio",
                computations=(made,),
                rows=(row(cell, computations=[made.id]),),
            )
        )
    return found


def _plain(words: str) -> str:
    return words.casefold().removeprefix("the ").removeprefix("total ").strip()


def _conflict(top: Cell, bottom: Cell) -> str | None:
    return share_conflict(top.measure, bottom.measure) or period_conflict([top, bottom])


def _divided(top: Cell, bottom: Cell, material: Material) -> Combined | str:
    """The ratio of two figures that are like for like, or why it has no meaning."""
    reading = material.reading
    as_percent = isinstance(reading, RatioReading) and reading.as_percent
    if reason := _not_meaningful(top, bottom, as_percent=as_percent):
        return reason
    what = f"{top.measure.name}, {top.entity.name} / {bottom.measure.name}, {bottom.entity.name}"
    made = Computation(
        id=computation_id(top.meaning, "ratio"),
        operation=Operation.RATIO,
        inputs=(top.receipt, bottom.receipt),
        value=arithmetic.quotient(top.value, bottom.value),
        unit=ratio_unit(top.measure, bottom.measure),
        formula=what,
    )
    if as_percent and made.unit is None:
        made = made.model_copy(
            update={
                "operation": Operation.PERCENT_OF,
                "value": arithmetic.quotient(top.value * arithmetic.HUNDRED, bottom.value),
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


def _not_meaningful(top: Cell, bottom: Cell, *, as_percent: bool) -> str | None:
    if bottom.value == 0:
        return f"{bottom.measure.name} of {bottom.entity.name} is zero"
    if bottom.value < 0:
        return f"{bottom.measure.name} of {bottom.entity.name} is negative, and so many times it has no meaning"
    if _part_of_whole(top, bottom, as_percent=as_percent) and top.value > bottom.value:
        return (
            f"{top.measure.name} exceeds {bottom.measure.name}, so that a share would be above 100%: "
            "the two are not part and whole of one population"
        )
    return None


def _part_of_whole(top: Cell, bottom: Cell, *, as_percent: bool) -> bool:
    """Whether the percentage asked for is a share: of one entity's people, say, or of the world's."""
    counted = top.measure.unit.kind is UnitKind.COUNT
    same_variable = top.measure.variable == bottom.measure.variable
    in_group = same_variable and bottom.entity.kind is PlaceKind.COUNTRY_GROUP and top.entity != bottom.entity
    return as_percent and ((counted and top.entity == bottom.entity) or in_group)
