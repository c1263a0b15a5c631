"""Members of a set that are published as a bound (``<2.5``): where they stand, and what cannot be said of them."""

from __future__ import annotations

from collections.abc import Sequence

from plugins.unsdg.asking import Asking
from plugins.unsdg.caveats import names
from plugins.unsdg.records import Cell
from plugins.unsdg.units import multiplier
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.readings import Comparator

UPPER = frozenset({"below", "at most"})
END_OF_UPPER = {"lowest": True, "highest": False}
"""Whether upper bounds stand at an end of an order; lower bounds stand at the other."""
FAILED_BY_UPPER = frozenset({Comparator.GREATER, Comparator.AT_LEAST})
FAILED_BY_LOWER = frozenset({Comparator.LESS, Comparator.AT_MOST})


def leaves_open(asking: Asking, cell: Cell) -> bool:
    """Whether a cell is a bound and its number is needed.

    It is not at the other end of the order that is asked for, nor where the bound fails the condition for certain.
    """
    limit = cell.figure.times(multiplier(cell.unit)).limit
    if limit is None:
        return False
    upper, threshold = cell.figure.bound in UPPER, asking.planned.slot.threshold
    if threshold is not None:
        if upper and threshold.comparator in FAILED_BY_UPPER:
            return limit > threshold.value
        if not upper and threshold.comparator in FAILED_BY_LOWER:
            return limit < threshold.value
        return True
    return END_OF_UPPER.get(asking.end, upper) is upper


def no_end(asking: Asking, cells: Sequence[Cell], whom: Sequence[str]) -> Unanswerable | None:
    """Why no order begins at the end that is asked for, where members have a bound only."""
    if not cells or asking.end not in END_OF_UPPER or asking.planned.slot.threshold is not None:
        return None
    bounds = sorted({cell.figure.times(multiplier(cell.unit)).in_words(asking.sign) for cell in cells})
    return Unanswerable(
        status=FailureStatus.NOT_COMPARABLE,
        reason=f"which members have the {asking.end} {asking.measure_name} is not published: {len(cells)} of them "
        f"are only told as {' or '.join(bounds)} for {cells[0].year} ({names(whom)}), in no order among themselves",
    )
