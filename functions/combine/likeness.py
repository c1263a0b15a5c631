"""Whether figures may be held against each other: units, prices, calendars, years, and the judgment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from functions.combine.tasks import (
    COMPARABLE_FIGURES,
    ComparableReply,
    ComparableRequest,
    FigureDescribed,
    FigurePair,
    Side,
    Verdict,
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


def kind_conflict(cells: Sequence[Cell]) -> str | None:
    """Why one source's figures are not of one kind (a mean of years beside a yearly estimate), or ``None``.

    Two surveys of one source are two counts of different people, of which no share is formed.
    """
    first = cells[0]
    for cell in cells[1:]:
        one, other = first.response, cell.response
        if one.source == other.source and one.dataset != other.dataset and one.basis != other.basis:
            return (
                f"{first.measure.name} and {cell.measure.name} are of two kinds "
                f"({one.basis or one.dataset} and {other.basis or other.dataset})"
            )
    return None


MOST_PAIRS = 60
"""Pairs of one judgment; of more, another is asked for."""

Group = Sequence[Cell]
"""Figures that are held against the first of them."""


def pairs_of(cells: Group, *, convertible: Sequence[bool] = (), after: int = 0) -> tuple[FigurePair, ...]:
    """The first cell beside each other one; ``convertible`` tells for each cell whether it can be converted.

    They are numbered on from ``after``.
    """
    able = [*convertible, *[False] * (len(cells) - len(convertible))]
    left = FigureDescribed.of(cells[0])
    return tuple(
        FigurePair(
            id=f"pair:{after + place}",
            left=left,
            right=FigureDescribed.of(cell),
            convertible=(*(["left"] if able[0] else []), *(["right"] if able[place] else [])),
        )
        for place, cell in enumerate(cells[1:], start=1)
    )


@dataclass(frozen=True, slots=True)
class Ruling:
    """What was judged of one pair; ``why_not`` says why nothing could be."""

    verdict: Verdict
    convert: Side = "neither"
    why_not: str = ""


async def judged(
    groups: Sequence[Group], *, question: str, context: RunContext, convertible: Sequence[Sequence[bool]] = ()
) -> list[list[Ruling]]:
    """The rulings on each group's pairs, all groups judged at once.

    A pair without a verdict is unknown, and so is one whose judgment could not be had.
    """
    offered: list[tuple[FigurePair, ...]] = []
    for which, cells in enumerate(groups):
        able = convertible[which] if convertible else ()
        offered.append(pairs_of(cells, convertible=able, after=sum(map(len, offered))))
    found: dict[str, Ruling] = {}
    for pairs in batched([pair for group in offered for pair in group]):
        found |= await _ruled(pairs, question, context)
    return [[found[pair.id] for pair in pairs] for pairs in offered]


def batched(pairs: Sequence[FigurePair]) -> Iterator[tuple[FigurePair, ...]]:
    """The pairs in the judgments that they are offered in."""
    for begin in range(0, len(pairs), MOST_PAIRS):
        yield tuple(pairs[begin : begin + MOST_PAIRS])


async def _ruled(pairs: tuple[FigurePair, ...], question: str, context: RunContext) -> dict[str, Ruling]:
    try:
        reply: ComparableReply = await context.judge(
            COMPARABLE_FIGURES, ComparableRequest(question=question, pairs=pairs)
        )
    except ModelError as error:
        none = Ruling("unknown", why_not=str(error))
        return {pair.id: none for pair in pairs}
    return {
        pair.id: Ruling(reply.verdicts.get(pair.id, "unknown"), reply.convert.get(pair.id, "neither"))
        for pair in pairs
    }


async def like_for_like(
    groups: Sequence[Group], *, question: str, context: RunContext, known: Sequence[str | None] = ()
) -> list[str | None]:
    """Ask whether each cell of a group is like its first; why a group's are not, or ``None`` when all are.

    ``known`` are reasons that need no judgment, by group. One entity's figures from one source need none either,
    and what was converted was judged when it was. An unknown, or a judgment that cannot be had, is a reason like
    any other. All groups are judged at once.
    """
    told = known or [None] * len(groups)
    reasons = [
        reason or currency_conflict(cells) or kind_conflict(cells)
        for reason, cells in zip(told, groups, strict=True)
    ]
    asked = [
        (which, [cells[0], *others])
        for which, cells in enumerate(groups)
        if reasons[which] is None and (others := _to_judge(cells))
    ]
    rulings = await judged([cells for _, cells in asked], question=question, context=context)
    for (which, cells), ruled in zip(asked, rulings, strict=True):
        reasons[which] = _unlike(cells, ruled)
    return reasons


def _to_judge(cells: Group) -> list[Cell]:
    first = cells[0]
    return [
        cell
        for cell in cells[1:]
        if (cell.entity != first.entity or cell.measure.source != first.measure.source)
        and first.converted is None
        and cell.converted is None
    ]


def _unlike(cells: Group, ruled: Sequence[Ruling]) -> str | None:
    for other, ruling in zip(cells[1:], ruled, strict=True):
        if ruling.why_not:
            return f"no judgment could be had on whether the figures are like for like ({ruling.why_not})"
        if ruling.verdict != "comparable":
            unlike = ruling.verdict == "not_comparable"
            said = "are not like for like" if unlike else "could not be judged like for like"
            return f"the figures for {cells[0].entity.name} and {other.entity.name} {said}"
    return None
