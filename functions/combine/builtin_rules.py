"""The built-in judge's rules for combine: strict, so that what they cannot tell stays unsaid."""

from __future__ import annotations

import re
from typing import Literal

from functions.combine.tasks import (
    COMPARABLE_FIGURES,
    QUANTITY_ADDS_UP,
    AddsUpReply,
    AddsUpRequest,
    ComparableReply,
    ComparableRequest,
    FigureDescribed,
    FigurePair,
    Side,
)
from shared.models.builtin import BuiltinRule
from shared.query.quantity import UnitKind
from shared.runtime.context import RunContext

_LIKE = ("source", "variable", "unit", "period_kind", "vintage", "basis")
_MONEY = frozenset({"variable", "unit"})
"""What two currencies of one quantity differ in."""
_NOT_A_TOTAL = re.compile(
    r"\b(per|average|mean|median|rate|ratio|index|share|percent(age)?|proportion|density|growth|expectancy)\b|%",
    re.IGNORECASE,
)


_DOLLARS = "USD USD current"
"""The unit of an amount in dollars at current prices, as it is described to a judge."""
_UNIT_SAID = re.compile(r"\s*\([^()]*\)$")


def _sides(pair: FigurePair) -> Side:
    """The sides to convert: those in local currency, if the other is so too or in dollars of the year."""
    if set(pair.convertible) == {"left", "right"}:
        return "both" if pair.left.unit == pair.right.unit else "neither"
    for side, other in (("left", pair.right), ("right", pair.left)):
        if side in pair.convertible and other.unit.startswith(_DOLLARS):
            return "left" if side == "left" else "right"
    return "neither"


def _quantity(figure: FigureDescribed) -> str:
    """What is measured, without the unit that its title ends with."""
    return _UNIT_SAID.sub("", figure.measure).casefold()


def _converted_verdict(pair: FigurePair) -> Literal["comparable", "not_comparable"]:
    """Of amounts in two currencies: one source's one quantity, or its amounts of one entity."""
    same_entity = pair.left.entity == pair.right.entity
    alike = all(getattr(pair.left, field) == getattr(pair.right, field) for field in _LIKE if field not in _MONEY)
    one_quantity = same_entity or _quantity(pair.left) == _quantity(pair.right)
    return "comparable" if alike and one_quantity and _sides(pair) != "neither" else "not_comparable"


def _pair_verdict(pair: FigurePair) -> Literal["comparable", "not_comparable", "unknown"]:
    """Like for like is one source's one variable in one unit, calendar, vintage and kind of figure."""
    if not (pair.left.variable and pair.right.variable):
        return "unknown"
    if pair.convertible:
        return _converted_verdict(pair)
    alike = all(getattr(pair.left, field) == getattr(pair.right, field) for field in _LIKE)
    return "comparable" if alike else "not_comparable"


async def comparable_figures(request: ComparableRequest, context: RunContext) -> ComparableReply:
    """Judge each pair by its published variable and basis, never by its wording."""
    del context
    return ComparableReply(
        verdicts={pair.id: _pair_verdict(pair) for pair in request.pairs},
        convert={pair.id: _sides(pair) for pair in request.pairs if pair.convertible},
        why="figures are alike when source, variable, unit, calendar, vintage and kind of figure are the same",
    )


async def quantity_adds_up(request: AddsUpRequest, context: RunContext) -> AddsUpReply:
    """Counts and plain amounts add up; rates, shares and averages do not; anything else is unknown."""
    del context
    if request.unit_kind in {UnitKind.PERCENT, UnitKind.RATE, UnitKind.INDEX} or request.per:
        return AddsUpReply(adds_up="no", why=f"a figure in {request.unit} is relative to something else")
    if _NOT_A_TOTAL.search(request.measure):
        return AddsUpReply(adds_up="no", why=f"{request.measure} is not a total")
    if request.unit_kind in {UnitKind.COUNT, UnitKind.CURRENCY}:
        return AddsUpReply(adds_up="yes", why="a count or an amount of members without overlap adds up")
    return AddsUpReply(adds_up="unknown", why=f"nothing tells whether {request.measure} adds up")


BUILTIN_RULES: dict[str, BuiltinRule] = {
    COMPARABLE_FIGURES.name: comparable_figures,
    QUANTITY_ADDS_UP.name: quantity_adds_up,
}
