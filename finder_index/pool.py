"""The pool of a search: which tables are examined at all. This is the part that decides recall.

The head is the best by embedding (a slice, and as many as lie within a band of the top), then each phrasing's
best, each source family's best, and what was found by its words. The rest waits for widening.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from finder_index.limits import Limits

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from finder_index.families import Families


@dataclass(frozen=True, slots=True)
class Pool:
    """Rows of the head in the order in which they came in, and those of the rest, best first.

    ``allowed`` counts the rows that the request's filters leave; ``candidates`` those that were collected.
    """

    head: tuple[int, ...]
    rest: tuple[int, ...]
    allowed: int
    candidates: int


def make_pool(
    families: Families,
    limits: Limits,
    allowed: NDArray[np.bool_] | None,
    cosines: NDArray[np.float32],
    worded: Iterable[int],
) -> Pool:
    """Shape the pool from the cosines of all rows, one column a phrasing. ``worded`` rows must be allowed ones."""
    import numpy as np  # noqa: PLC0415

    scores = cosines.max(axis=1)
    rows = np.flatnonzero(allowed) if allowed is not None else None
    count = len(scores) if rows is None else len(rows)
    if not count:
        return Pool((), (), 0, 0)
    ranked = best(scores, rows, limits.candidates)
    floor = float(scores[ranked[0]]) * 100.0 - limits.band
    near = sum(1 for row in ranked if float(scores[row]) * 100.0 >= floor)
    head = dict.fromkeys(ranked[: min(limits.examined, max(limits.slice, near))])
    for column in range(cosines.shape[1] if limits.per_phrasing else 0):
        head |= dict.fromkeys(best(cosines[:, column], rows, limits.per_phrasing))
    for name in families.names if limits.per_source else ():
        members = families.rows[name]
        if allowed is not None:
            members = members[allowed[members]]
        head |= dict.fromkeys(best(scores, members, limits.per_source))
    head |= dict.fromkeys(worded)
    rest = [row for row in ranked if row not in head]
    return Pool(tuple(head), tuple(rest), count, len(head) + len(rest))


def best(scores: NDArray[Any], rows: NDArray[Any] | None, count: int) -> list[int]:
    """The ``count`` best of ``rows`` (``None`` for all) by descending score, ties by row."""
    import numpy as np  # noqa: PLC0415

    found = scores if rows is None else scores[rows]
    if count < len(found):
        # All that tie with the last one that counts are kept, so that ties fall by row and not by chance.
        least = found[np.argpartition(found, len(found) - count)[len(found) - count :]].min()
        places = np.flatnonzero(found >= least)
    else:
        places = np.arange(len(found))
    chosen = places if rows is None else rows[places]
    order = np.lexsort((chosen, -found[places]))[:count]
    return [int(row) for row in chosen[order]]


def spread(scores: Sequence[float]) -> float:
    """The standard deviation of scores, in their own points; zero for none."""
    if not scores:
        return 0.0
    mean = sum(scores) / len(scores)
    return float((sum((score - mean) ** 2 for score in scores) / len(scores)) ** 0.5)
