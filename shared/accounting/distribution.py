"""How a measured quantity in seconds is spread: each value while there are few, then counts by size."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from math import ceil
from typing import Self

from pydantic import Field

from shared.accounting.additive import Additive
from shared.query.quantity import Frozen

RATIO = 1.02
"""A class reaches to so many times its lower end, so a percentile read off classes is within 1% of the true one."""
FEW = 200
"""Values that are kept one by one where a distribution is stored."""
_LEAST = 1e-6


class Spread(Frozen):
    """A measured quantity in seconds: its mean and the values that 50, 95 and 99 of a hundred do not exceed."""

    count: int
    mean: float
    p50: float
    p95: float
    p99: float


class Distribution(Additive):
    """``count`` values that add up to ``total``: either all ``values``, or how many lie in each of ``classes``.

    Class ``n`` holds the values above ``RATIO ** (n - 1)`` and up to ``RATIO ** n`` seconds; the lowest also holds
    what is below a microsecond.
    """

    count: int = Field(default=0, ge=0)
    total: float = 0.0
    values: tuple[float, ...] = ()
    classes: dict[int, int] = {}

    @classmethod
    def of(cls, values: Iterable[float]) -> Self:
        """All of some values, in any order."""
        kept = tuple(values)
        return cls(count=len(kept), total=math.fsum(kept), values=kept)

    def stored(self) -> Self:
        """The same in little room."""
        if len(self.values) <= FEW:
            return self
        return type(self)(count=self.count, total=self.total, classes=self._classes())

    def plus(self, other: Self) -> Self:
        """Both together; values one by one only while both have them so."""
        count, total = self.count + other.count, self.total + other.total
        if not self.classes and not other.classes:
            return type(self)(count=count, total=total, values=self.values + other.values)
        return type(self)(count=count, total=total, classes=self._classes() + other._classes())

    def spread(self) -> Spread | None:
        """Its mean and percentiles; ``None`` of no value."""
        if not self.count:
            return None
        ordered, classes = sorted(self.values), sorted(self.classes.items())

        def at(share: float) -> float:
            return _of_classes(classes, share, self.count) if classes else percentile(ordered, share)

        return Spread(count=self.count, mean=self.total / self.count, p50=at(0.50), p95=at(0.95), p99=at(0.99))

    def _classes(self) -> Counter[int]:
        return Counter(self.classes) + Counter(map(_class_of, self.values))


def percentile(ordered: Sequence[float], share: float) -> float:
    """The least of some sorted values that ``share`` of them do not exceed."""
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def _class_of(value: float) -> int:
    return ceil(math.log(max(value, _LEAST)) / math.log(RATIO))


def _of_classes(classes: Sequence[tuple[int, int]], share: float, count: int) -> float:
    """The middle of the class in which the value lies that ``share`` of ``count`` do not exceed."""
    wanted, passed = max(1, ceil(share * count)), 0
    for number, many in classes:
        passed += many
        if passed >= wanted:
            return float(RATIO ** (number - 0.5))
    raise ValueError("the classes hold fewer values than are counted")
