"""The units of what is computed."""

from __future__ import annotations

import re

from shared.query.evidence import Measure
from shared.query.quantity import UnitKind

PERCENTAGE_POINTS = "percentage points"
PERCENT = "%"


def difference_unit(measure: Measure) -> str:
    """A difference of percentages is in percentage points; any other keeps its unit."""
    return PERCENTAGE_POINTS if measure.unit.kind is UnitKind.PERCENT else measure.unit.code


_DIVISIBLE = frozenset({UnitKind.CURRENCY, UnitKind.COUNT, UnitKind.PHYSICAL})


def share_conflict(numerator: Measure, denominator: Measure) -> str | None:
    """Why one measure must not be divided by the other, or ``None``.

    Amounts of one unit divide into a plain number, amounts of different units into a rate ("USD per people"),
    and one published variable divides by itself for two entities. Money of different currencies or prices,
    and shares or indices of different things, never do.
    """
    if (numerator.source, numerator.variable) == (denominator.source, denominator.variable):
        return None
    a, b = numerator.unit, denominator.unit
    for measure in (numerator, denominator):
        relative = measure.unit.per is not None or re.search(r"\bper\b", measure.name)
        if measure.unit.kind not in _DIVISIBLE or relative:
            return f"{measure.name} is itself relative to something ({measure.unit.label})"
    if a.kind is UnitKind.CURRENCY and b.kind is UnitKind.CURRENCY:
        if a.currency != b.currency or a.code != b.code:
            return f"{numerator.name} and {denominator.name} are in different currencies"
        if a.price_basis != b.price_basis:
            return f"{numerator.name} and {denominator.name} are in different prices"
    return None


def ratio_unit(numerator: Measure, denominator: Measure) -> str | None:
    """No unit for like by like, else one unit per the other."""
    a, b = numerator.unit, denominator.unit
    if (a.kind, a.code) == (b.kind, b.code):
        return None
    return f"{a.code} per {'person' if b.code == 'people' else b.code}"
