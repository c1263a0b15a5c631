"""Exact decimal arithmetic. Sums and differences keep every digit.

Quotients, roots and what follows from them are computed with 50 digits and then rounded, half to even, to 12
significant digits; no binary float takes part.
"""

from __future__ import annotations

from collections.abc import Sequence
from decimal import MAX_PREC, ROUND_HALF_EVEN, Context, Decimal, localcontext

PRECISION = 50
SIGNIFICANT = 12
HUNDRED = Decimal(100)


def _context() -> Context:
    return Context(prec=PRECISION, rounding=ROUND_HALF_EVEN)


def significant(value: Decimal, digits: int = SIGNIFICANT) -> Decimal:
    """``value`` rounded half to even to ``digits`` significant digits, without trailing zeros or exponent."""
    rounded = Context(prec=digits, rounding=ROUND_HALF_EVEN).plus(value).normalize()
    return Decimal(format(rounded, "f"))


def total(values: Sequence[Decimal]) -> Decimal:
    """The exact sum."""
    with localcontext(_context()):
        return sum(values, start=Decimal(0))


def difference(minuend: Decimal, subtrahend: Decimal) -> Decimal:
    """``minuend - subtrahend``, exact."""
    with localcontext(_context()):
        return minuend - subtrahend


def quotient(numerator: Decimal, denominator: Decimal) -> Decimal:
    """``numerator / denominator`` to 12 significant digits; raises ``ZeroDivisionError`` for a zero denominator."""
    if denominator == 0:
        raise ZeroDivisionError("the denominator is zero")
    with localcontext(_context()):
        return significant(numerator / denominator)


def percent_change(before: Decimal, after: Decimal) -> Decimal | None:
    """``(after - before) / before`` in percent, or ``None`` from zero or below, where it has no meaning."""
    if before <= 0:
        return None
    with localcontext(_context()):
        return significant((after - before) / before * 100)


def mean(values: Sequence[Decimal]) -> Decimal:
    """The unweighted mean to 12 significant digits."""
    return quotient(total(values), Decimal(len(values)))


def median(values: Sequence[Decimal]) -> Decimal:
    """The middle value, or the mean of the two middle ones."""
    ordered = sorted(values)
    middle = len(ordered) // 2
    if len(ordered) % 2:
        return ordered[middle]
    with localcontext(_context()):
        return (ordered[middle - 1] + ordered[middle]) / 2


def ranks(values: Sequence[Decimal]) -> list[Decimal]:
    """Ranks from 1 for the smallest; equal values share the mean of the places they take up."""
    return [Decimal(twice) / 2 for twice in _doubled_ranks(values)]


def _doubled_ranks(values: Sequence[Decimal]) -> list[int]:
    """Twice the ranks: whole numbers, also where equal values share an odd number of places."""
    order = sorted(range(len(values)), key=values.__getitem__)
    result = [0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for place in range(start, end + 1):
            result[order[place]] = start + end + 2
        start = end + 1
    return result


def pearson(x: Sequence[Decimal], y: Sequence[Decimal]) -> Decimal | None:
    """Pearson's r to 12 significant digits, or ``None`` when one side does not vary."""
    # Scaled to whole numbers, which r does not change by, the sums are exact; only the root and quotient are not.
    return _pearson(_whole(x), _whole(y))


def _pearson(xs: Sequence[int], ys: Sequence[int]) -> Decimal | None:
    if min(xs) == max(xs) or min(ys) == max(ys):
        return None
    n = len(xs)
    sum_x, sum_y = sum(xs), sum(ys)
    together = n * sum(a * b for a, b in zip(xs, ys, strict=True)) - sum_x * sum_y
    spread = (n * sum(a * a for a in xs) - sum_x**2) * (n * sum(b * b for b in ys) - sum_y**2)
    with localcontext(_context()):
        return significant(Decimal(together) / Decimal(spread).sqrt())


def _whole(values: Sequence[Decimal]) -> list[int]:
    """The values times the power of ten that makes all of them whole numbers."""
    places = max(0, *(-int(value.as_tuple().exponent) for value in values))
    with localcontext(Context(prec=MAX_PREC)):
        return [int(value.scaleb(places)) for value in values]


def spearman(x: Sequence[Decimal], y: Sequence[Decimal]) -> Decimal | None:
    """Spearman's rank correlation: Pearson's r of the ranks."""
    return _pearson(_doubled_ranks(x), _doubled_ranks(y))
