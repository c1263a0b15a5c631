"""The vectors of an index and the search among them: an 8-bit pass over all rows, then the exact one over a few.

The vectors are float16 of shape (rows, dimension) and stay mapped from their file. ``coarse.npy`` has the same as
int8, transposed, and ``coarse.onnx`` the product of phrasings with it. A scan multiplies every phrasing with every
coarse row, takes whatever could still be among the best given the error of eight bits, and scores that again from
float16: what comes out is ordered by exact cosines.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from itertools import accumulate
from typing import TYPE_CHECKING, Any

from finder_index.coarse import BLOCK, ZERO, packed

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    import numpy as np
    from numpy.typing import NDArray

    from finder_index.pieces import Pieces

SMALL = 20_000
"""Up to this many rows are scored exactly throughout: that takes a millisecond or two."""
NARROW = 2_000
"""A filter that leaves no more rows than this is scored exactly too."""
GROUP = 64
"""Rows whose greatest score is looked at first when the best are sought."""
DEVIATIONS = 4.0
"""By how many standard deviations of the coarse error a row may miss the last place and still be scored again."""
AT_ONCE = 2
"""Scans of one table that run side by side; more would only wait for the processor, and hold memory."""


@dataclass(slots=True)
class VectorTable:
    """Safe to share between threads.

    ``coarse`` is the folder of the coarse rows; ``None``: everything is scored exactly.
    """

    vectors: NDArray[Any]
    coarse: Path | None = None
    step: float = 1.0
    pieces: Pieces | None = None
    """The file of the vectors, from which few rows are read without mapping them."""
    threads: int = 2
    _wide: NDArray[np.float32] | None = None
    _packed: Any = None
    _packing: threading.Thread | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _turns: threading.Semaphore = field(default_factory=lambda: threading.Semaphore(AT_ONCE))

    def __len__(self) -> int:
        return int(self.vectors.shape[0])

    def scan(self, queries: NDArray[np.float32], allowed: NDArray[np.bool_] | None = None) -> Scan:
        """Score rows with ``queries`` (phrasings, dimension), unit vectors; ``allowed`` is a mask over all rows."""
        import numpy as np  # noqa: PLC0415

        if allowed is not None:
            rows = np.flatnonzero(allowed)
            if len(rows) <= NARROW:
                return Scan(self, queries, rows, np.ascontiguousarray(self.cosines(rows, queries).T), 0.0)
        scores, error = self.all_rows(queries)
        if allowed is not None:
            return Scan(self, queries, rows, scores.take(rows, axis=1), error)
        return Scan(self, queries, None, scores, error)

    def cosines(self, rows: NDArray[Any], queries: NDArray[np.float32]) -> NDArray[np.float32]:
        """Exact cosines of some rows, shape (rows, phrasings)."""
        import numpy as np  # noqa: PLC0415

        if self._wide is not None:
            near: NDArray[np.float32] = self._wide[rows] @ queries.T
            return near
        found = np.empty((len(rows), queries.shape[0]), dtype=np.float32)
        for at in range(0, len(rows), BLOCK):
            found[at : at + BLOCK] = self._rows(rows[at : at + BLOCK]).astype(np.float32) @ queries.T
        return found

    def _rows(self, rows: NDArray[Any]) -> NDArray[Any]:
        import numpy as np  # noqa: PLC0415

        if self.pieces is None or not isinstance(self.vectors, np.memmap):
            return np.asarray(self.vectors[rows])
        return self.pieces.rows(rows, offset=self.vectors.offset, width=self.vectors.shape[1], kind=np.float16)

    def warm(self) -> None:
        """Make ready for the first scan; without it, scans are exact and slower until that is done beside them."""
        if self.coarse is not None and len(self) > SMALL:
            with self._lock:
                if self._packed is None:
                    self._packed = packed(self.coarse, self.threads)

    def all_rows(self, queries: NDArray[np.float32]) -> tuple[NDArray[np.float32], float]:
        """Scores of all rows, shape (phrasings, rows), and the standard deviation of their error."""
        import numpy as np  # noqa: PLC0415

        if len(self) <= SMALL:
            if self._wide is None:
                self._wide = np.ascontiguousarray(self.vectors, dtype=np.float32)
            return np.ascontiguousarray((self._wide @ queries.T).T), 0.0
        if self.coarse is None or self._packed is None:
            if self.coarse is not None and self._packing is None:
                self._packing = threading.Thread(target=self.warm, name="pack vectors", daemon=True)
                self._packing.start()
            return self._exactly(queries), 0.0
        steps = np.maximum(np.abs(queries).max(axis=1, keepdims=True), 1e-12) / 127.0
        whole = np.rint(queries / steps)
        with self._turns:
            products = self._packed.run(None, {"queries": (whole + ZERO).astype(np.uint8)})[0]
        products *= steps * np.float32(self.step)
        # Rounding errs evenly within a step; the row's error meets a query of length one, and the other way round.
        error = float(np.hypot(self.step, float(steps.max()))) / 12.0**0.5
        return products, error

    def _exactly(self, queries: NDArray[np.float32]) -> NDArray[np.float32]:
        import numpy as np  # noqa: PLC0415

        scores = np.empty((queries.shape[0], len(self)), dtype=np.float32)
        for at in range(0, len(self), BLOCK):
            block = self.vectors[at : at + BLOCK].astype(np.float32)
            scores[:, at : at + BLOCK] = queries @ block.T
        return scores


@dataclass(slots=True)
class Scan:
    """The scores of one search. ``rows`` are those that were scored, ``None`` for all of them.

    ``scores`` has a line for each phrasing and a column for each of these rows. They are within a few times
    ``error`` of the exact ones, which ``cosines`` gives.
    """

    table: VectorTable
    queries: NDArray[np.float32]
    rows: NDArray[Any] | None
    scores: NDArray[np.float32]
    error: float
    _known: dict[int, NDArray[np.float32]] = field(default_factory=dict)
    _best: NDArray[np.float32] | None = None

    def best(
        self, count: int, *, among: NDArray[Any] | None = None, phrasing: int | None = None
    ) -> list[tuple[int, float]]:
        """The ``count`` best (row, cosine), best first, ties by row.

        ``among`` limits them to some rows, in ascending order; ``phrasing`` takes the cosines with one
        phrasing where otherwise the greatest over all phrasings counts.
        """
        import numpy as np  # noqa: PLC0415

        if count <= 0:
            return []
        line = self._greatest() if phrasing is None else self.scores[phrasing]
        places = self._places(line, count, among)
        found = places if self.rows is None else self.rows[places]
        if not len(found):
            return []
        exact = self.cosines(found)
        scores = exact.max(axis=1) if phrasing is None else exact[:, phrasing]
        order = np.lexsort((found, -scores))[:count]
        return [(int(found[at]), float(scores[at])) for at in order]

    def cosines(self, rows: Sequence[int] | NDArray[Any]) -> NDArray[np.float32]:
        """Exact cosines of rows with every phrasing, shape (rows, phrasings)."""
        import numpy as np  # noqa: PLC0415

        missing = [row for row in map(int, rows) if row not in self._known]
        if missing:
            fresh = self.table.cosines(np.array(missing, dtype=np.int64), self.queries)
            self._known.update(zip(missing, fresh, strict=True))
        return np.array([self._known[int(row)] for row in rows], np.float32).reshape(-1, len(self.queries))

    def _greatest(self) -> NDArray[np.float32]:
        if self._best is None:
            self._best = self.scores.max(axis=0)
        return self._best

    def _places(self, line: NDArray[np.float32], count: int, among: NDArray[Any] | None) -> NDArray[Any]:
        """The places in ``line`` that may hold one of the best ``count``."""
        import numpy as np  # noqa: PLC0415

        if among is not None:
            chosen = among if self.rows is None else _places_of(among, self.rows)
            kept = _near_best(line[chosen], count, self._slack)
            within: NDArray[Any] = chosen[kept]
            return within
        groups = len(line) // GROUP
        if groups <= 2 * count:
            return _near_best(line, count, self._slack)
        # The best of as many groups are each at least as good as the last of the best rows can be.
        peaks = line[: groups * GROUP].reshape(groups, GROUP).max(axis=1)
        least = float(np.partition(peaks, groups - count)[groups - count]) - self._slack
        places = (np.flatnonzero(peaks >= least)[:, None] * GROUP + np.arange(GROUP)).ravel()
        places = np.concatenate([places, np.arange(groups * GROUP, len(line))])
        near: NDArray[Any] = places[_near_best(line[places], count, self._slack)]
        return near

    @property
    def _slack(self) -> float:
        return 2.0 * DEVIATIONS * self.error


def _places_of(wanted: NDArray[Any], rows: NDArray[Any]) -> NDArray[Any]:
    """Where in ``rows``, which ascend, those of ``wanted`` stand that are there at all."""
    import numpy as np  # noqa: PLC0415

    places = np.searchsorted(rows, wanted)
    there = places < len(rows)
    there[there] = rows[places[there]] == wanted[there]
    found: NDArray[Any] = places[there]
    return found


def _near_best(scores: NDArray[np.float32], count: int, slack: float) -> NDArray[Any]:
    """Places of the scores that are among the best ``count``, or short of the last of them by ``slack`` at most."""
    import numpy as np  # noqa: PLC0415

    if count < len(scores):
        least = float(np.partition(scores, len(scores) - count)[len(scores) - count]) - slack
        return np.flatnonzero(scores >= least)
    return np.arange(len(scores))


class JoinedTable(VectorTable):
    """The rows of several tables after one another, each searched in its own files."""

    __slots__ = ("parts", "starts")

    parts: tuple[VectorTable, ...]
    starts: tuple[int, ...]

    @classmethod
    def of(cls, parts: Sequence[VectorTable]) -> JoinedTable:
        """Join tables of one dimension."""
        joined = cls(parts[0].vectors[:0])
        joined.parts = tuple(parts)
        joined.starts = (0, *accumulate(len(part) for part in parts))
        return joined

    def __len__(self) -> int:
        return self.starts[-1]

    def cosines(self, rows: NDArray[Any], queries: NDArray[np.float32]) -> NDArray[np.float32]:
        """Exact cosines of some rows, shape (rows, phrasings)."""
        import numpy as np  # noqa: PLC0415

        found = np.empty((len(rows), queries.shape[0]), dtype=np.float32)
        for start, end, part in zip(self.starts, self.starts[1:], self.parts, strict=False):
            inside = np.flatnonzero((rows >= start) & (rows < end))
            if len(inside):
                found[inside] = part.cosines(rows[inside] - start, queries)
        return found

    def warm(self) -> None:
        """Make every table ready."""
        for part in self.parts:
            part.warm()

    def all_rows(self, queries: NDArray[np.float32]) -> tuple[NDArray[np.float32], float]:
        """Scores of all rows, shape (phrasings, rows), and the greatest of the tables' errors."""
        import numpy as np  # noqa: PLC0415

        scored = [part.all_rows(queries) for part in self.parts]
        return np.concatenate([scores for scores, _ in scored], axis=1), max(error for _, error in scored)
