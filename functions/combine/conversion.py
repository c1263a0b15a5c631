"""Amounts in local currency brought to US dollars before they are held against others.

Which side is converted is part of the judgment whether the figures are like for like; only sides that have their
publisher's own official rate of the figure's year can be named. The conversion is a computation over the receipts
of the amount and of the rate, and from then on its result is the figure of its slot.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from functions.combine import arithmetic
from functions.combine.likeness import Ruling, currency_conflict, judged
from functions.combine.outcome import Outcome
from functions.combine.pairs import first_cell
from functions.combine.units import share_conflict
from shared.query.annotated import CONVERTED, AnnotatedQuery, Annotation, Combined
from shared.query.conversion import CONVERTED_TYPES, DOLLARS, in_dollars, in_local_currency, is_convertible
from shared.query.evidence import Computation, DisclosureKind, FailureStatus, Operation
from shared.query.identifiers import ComputationId
from shared.query.material import Cell, Material, Served
from shared.query.writing import Writer
from shared.runtime.context import RunContext

ROLES = {
    "comparison": ("entity", "entity"),
    "difference": ("left", "right"),
    "ratio": ("numerator", "denominator"),
    "yes_no": ("value", "other"),
}
"""The roles of the slots that each type holds against each other."""
FIRST_N = 500
"""Where the notes of conversions are numbered from, apart from those of the composition."""


async def conversions(query: AnnotatedQuery, outcome: Outcome, context: RunContext) -> list[Annotation]:
    """One ``CONVERTED`` for each slot and meaning whose amount is converted; why one is not goes to ``outcome``."""
    material = Material.of(query)
    if material.reading.type not in CONVERTED_TYPES:
        return []
    writer = Writer(query, "combine")
    written: dict[str, Annotation] = {}
    groups = [
        group
        for group in _groups(material)
        if _in_several_currencies([cell for _, cell in group]) and _all_have_rates(group, outcome)
    ]
    for group, named in zip(groups, await _named(groups, material, context), strict=True):
        for served, cell in group:
            made = _conversion(served, cell)
            if served.slot.id not in named or made is None or made.id in written:
                continue
            written[made.id] = writer.write(
                Combined(meaning=served.meaning, result=CONVERTED, computations=(made,)),
                slot=served.slot.id,
                n=FIRST_N + len(written),
            )
            outcome.note(DisclosureKind.CONVERSION, _told(served, cell))
    return list(written.values())


Group = Sequence[tuple[Served, Cell]]


def _groups(material: Material) -> Iterable[Group]:
    """Figures that will be held against each other, with what they were served by."""
    roles = ROLES[material.reading.type]
    slots = material.role(*roles)
    if len(slots) < 2:
        return
    if material.reading.type == "ratio" and not slots[0].shared_key == slots[1].shared_key is not None:
        yield from _by_unit(material)
        return
    for group in material.paired(slots):
        cells = [(served, cell) for served in group.values() if (cell := first_cell(served)) is not None]
        if len(cells) > 1:
            yield cells


def _by_unit(material: Material) -> Iterable[Group]:
    """Of two measures the first pair that is divided once both are in dollars, if none is as it was published."""
    tops, bottoms = (
        [(one, cell) for one in material.served.get(slot.id, ()) if (cell := first_cell(one)) is not None]
        for slot in (material.role("numerator")[0], material.role("denominator")[0])
    )
    pairs = list(product(tops, bottoms))
    if any(_divides(top, bottom) for (_, top), (_, bottom) in pairs):
        return
    for top, bottom in pairs:
        a, b = (in_dollars(c.measure) if is_convertible(c.measure) else c.measure for _, c in (top, bottom))
        if share_conflict(a, b) is None:
            yield (top, bottom)
            return


def _divides(top: Cell, bottom: Cell) -> bool:
    return share_conflict(top.measure, bottom.measure) is None and currency_conflict([top, bottom]) is None


def _in_several_currencies(cells: Sequence[Cell]) -> bool:
    """Whether one of the amounts is in local currency and the others are not all of that same currency."""
    local = {cell.entity for cell in cells if in_local_currency(cell.measure)}
    return bool(local) and (len(local) > 1 or any(not in_local_currency(cell.measure) for cell in cells))


def _all_have_rates(group: Group, outcome: Outcome) -> bool:
    """Whether each amount in local currency has a rate; of the first that has none, ``outcome`` tells why."""
    for served, cell in group:
        if in_local_currency(cell.measure) and (reason := _no_rate(served, cell)):
            outcome.refuse(FailureStatus.NO_DATA, f"{cell.measure.name} is not converted: {reason}", cell=cell)
            return False
    return True


async def _named(groups: Sequence[Group], material: Material, context: RunContext) -> list[set[str]]:
    """The slots of each group that the judgment names for conversion.

    None where the figures are not alike, or where only some of the amounts are named. Where no judgment can be had
    the composition asks again and says why there is none.
    """
    sides = [[in_local_currency(cell.measure) for _, cell in group] for group in groups]
    cells = [[cell for _, cell in group] for group in groups]
    rulings = await judged(cells, question=material.question, context=context, convertible=sides)
    return [_slots_named(*one) for one in zip(groups, sides, rulings, strict=True)]


def _slots_named(group: Group, sides: Sequence[bool], rulings: Sequence[Ruling]) -> set[str]:
    if any(ruling.verdict != "comparable" for ruling in rulings):
        return set()
    needed = {served.slot.id for (served, _), local in zip(group, sides, strict=True) if local}
    named: set[str] = set()
    for (served, _), ruling in zip(group[1:], rulings, strict=True):
        named |= {group[0][0].slot.id} if ruling.convert in {"left", "both"} else set()
        named |= {served.slot.id} if ruling.convert in {"right", "both"} else set()
    return named if named == needed else set()


def _no_rate(served: Served, cell: Cell) -> str | None:
    """Why an amount cannot be brought to dollars, or ``None``."""
    if not is_convertible(cell.measure):
        return "an official exchange rate applies to current prices only"
    rate = served.rate()
    if rate is None:
        return served.executed.no_rate or f"its publisher has no official exchange rate for {cell.entity.name}"
    if rate.period != cell.period or rate.entity != cell.entity:
        return f"the rate is of {rate.entity.name}, {rate.period}, and the amount of {cell.period}"
    if not rate.numeric or rate.value <= 0:
        return f"the rate of {rate.period} is no positive number"
    return None


def _conversion(served: Served, cell: Cell) -> Computation | None:
    rate = served.rate()
    if rate is None or not in_local_currency(cell.measure):
        return None
    return Computation(
        id=ComputationId(f"c:{served.slot.id}:{served.meaning}:{DOLLARS.lower()}"),
        operation=Operation.CONVERT,
        inputs=(cell.receipt, rate.receipt),
        value=arithmetic.quotient(cell.value, rate.value),
        unit=in_dollars(cell.measure).unit.code,
        formula=f"{cell.measure.name}, {cell.entity.name}, {cell.period} / {rate.measure.name}, {rate.period}",
    )


def _told(served: Served, cell: Cell) -> str:
    rate = served.rate()
    if rate is None:
        raise LookupError(f"{cell.receipt} was converted without a rate")
    return (
        f"{cell.measure.name} of {cell.entity.name} was converted at the official rate of {rate.period}, "
        f"{format(rate.value, 'f')} {rate.measure.unit.label} ({rate.response.publisher}, "
        f"{rate.measure.variable}); its publisher may convert its own series in US dollars otherwise"
    )
