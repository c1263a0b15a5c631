"""The pool of a search: which tables are examined at all. This is the part that decides recall.

The head is the best by embedding (a slice, and as many as lie within a band of the top), then each phrasing's
best, each source family's best, and what was found by its words. The rest waits for widening.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from finder_index.limits import Limits

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from finder_index.families import Families
    from finder_index.vectors import Scan


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
    scan: Scan,
    worded: Iterable[int],
) -> Pool:
    """Shape the pool from a scan of the allowed rows. ``worded`` rows must be allowed ones."""
    import numpy as np  # noqa: PLC0415

    count = len(families.index) if allowed is None else int(np.count_nonzero(allowed))
    if not count:
        return Pool((), (), 0, 0)
    ranked = scan.best(limits.candidates)
    floor = ranked[0][1] * 100.0 - limits.band
    near = sum(1 for _, score in ranked if score * 100.0 >= floor)
    head = dict.fromkeys(row for row, _ in ranked[: min(limits.examined, max(limits.slice, near))])
    for phrasing in range(len(scan.queries)):
        head |= dict.fromkeys(row for row, _ in scan.best(limits.per_phrasing, phrasing=phrasing))
    for name in families.names if limits.per_source else ():
        members = families.rows[name]
        if allowed is not None:
            members = members[allowed[members]]
        head |= dict.fromkeys(row for row, _ in scan.best(limits.per_source, among=members))
    head |= dict.fromkeys(worded)
    rest = [row for row, _ in ranked if row not in head]
    return Pool(tuple(head), tuple(rest), count, len(head) + len(rest))


def spread(scores: Sequence[float]) -> float:
    """The standard deviation of scores, in their own points; zero for none."""
    if not scores:
        return 0.0
    mean = sum(scores) / len(scores)
    return float((sum((score - mean) ** 2 for score in scores) / len(scores)) ** 0.5)
