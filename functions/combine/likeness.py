"""Whether figures may be held against each other: units, prices, calendars, years, and the judgment."""

from __future__ import annotations

from collections.abc import Sequence

from functions.combine.tasks import (
    COMPARABLE_FIGURES,
    ComparableReply,
    ComparableRequest,
    FigureDescribed,
    FigurePair,
)
from shared.query.conversion import in_local_currency
from shared.query.evidence import Measure
from shared.query.material import Cell
from shared.runtime.context import RunContext
from shared.runtime.errors import ModelError


def unit_conflict(left: Measure, right: Measure) -> str | None:
    """Why two measures are not in one unit (currency, prices and denominators included), or ``None``."""
    a, b = left.unit, right.unit
    for what, one, other in (
        ("units", a.code, b.code),
        ("currencies", a.currency, b.currency),
        ("price bases", a.price_basis, b.price_basis),
        ("denominators", a.per, b.per),
    ):
        if one != other:
            return f"{left.name} and {right.name} have different {what} ({one or 'none'} and {other or 'none'})"
    return None


def period_conflict(cells: Sequence[Cell]) -> str | None:
    """Why the cells are not of one period, or ``None``."""
    if len({(cell.period.kind, cell.period.text) for cell in cells}) <= 1:
        return None
    return "the figures are of different periods: " + ", ".join(
        f"{cell.entity.name} {cell.period}" for cell in cells
    )


def calendar_conflict(cells: Sequence[Cell]) -> str | None:
    """Why the cells do not count time alike (a fiscal year beside a calendar year), or ``None``."""
    kinds = sorted({cell.period.kind.value.replace("_", " ") for cell in cells})
    return None if len(kinds) <= 1 else f"the figures are of different calendars ({' and '.join(kinds)})"


def currency_conflict(cells: Sequence[Cell]) -> str | None:
    """Why amounts are not in one currency though their unit is called alike: each country has its own."""
    local = [cell for cell in cells if in_local_currency(cell.measure)]
    owners = list(dict.fromkeys(cell.entity.name for cell in local))
    if len(owners) > 1:
        return f"{local[0].measure.name} is in the own currency of each of {', '.join(owners)}"
    if local and any(cell.measure.unit.currency not in {None, local[0].measure.unit.currency} for cell in cells):
        return f"{local[0].measure.name} is in the currency of {owners[0]}, and the other figure is not"
    return None


def pairs_of(cells: Sequence[Cell], *, convertible: Sequence[bool] = ()) -> tuple[FigurePair, ...]:
    """The first cell beside each other one; ``convertible`` tells for each cell whether it can be converted."""
    able = [*convertible, *[False] * (len(cells) - len(convertible))]
    left = FigureDescribed.of(cells[0])
    return tuple(
        FigurePair(
            id=f"pair:{place}",
            left=left,
            right=FigureDescribed.of(cell),
            convertible=(*(["left"] if able[0] else []), *(["right"] if able[place] else [])),
        )
        for place, cell in enumerate(cells[1:], start=1)
    )


async def judged(pairs: tuple[FigurePair, ...], *, question: str, context: RunContext) -> ComparableReply:
    """The verdicts on the pairs; raises ``ModelError`` where none can be had."""
    return await context.judge(COMPARABLE_FIGURES, ComparableRequest(question=question, pairs=pairs))


async def like_for_like(cells: Sequence[Cell], *, question: str, context: RunContext) -> str | None:
    """Ask whether each cell is like the first; returns why they are not, or ``None`` when all are.

    One entity's figures from one source need no judgment, and what was converted was judged when it was. An
    unknown, or a judgment that cannot be had, is a reason like any other.
    """
    first = cells[0]
    if conflict := currency_conflict(cells):
        return conflict
    others = [
        cell
        for cell in cells[1:]
        if (cell.entity != first.entity or cell.measure.source != first.measure.source)
        and first.converted is None
        and cell.converted is None
    ]
    if not others:
        return None
    pairs = pairs_of([first, *others])
    try:
        reply = await judged(pairs, question=question, context=context)
    except ModelError as error:
        return f"no judgment could be had on whether the figures are like for like ({error})"
    for pair, other in zip(pairs, others, strict=True):
        verdict = reply.verdicts[pair.id]
        if verdict != "comparable":
            said = "are not like for like" if verdict == "not_comparable" else "could not be judged like for like"
            return f"the figures for {first.entity.name} and {other.entity.name} {said}"
    return None
