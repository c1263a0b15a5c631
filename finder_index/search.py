"""Search an index: phrasings, one embedding call, the pool, the reranker, the merge, and what was not done.

The steps and their constants are those of the finder's published description; each constant is read from
the environment under its name there.
"""

from __future__ import annotations

import os
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from finder_index.index import LoadedIndex, best_first
from finder_index.lexical import without_years
from finder_index.rerank import ELIGIBLE, Phrasing, Reranker
from shared.query.discovery import FinderReply, FinderRequest, FinderUsage
from shared.runtime.errors import UnknownSource, UsageError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_PHRASINGS = 8


@dataclass(frozen=True, slots=True)
class Limits:
    """How far a search looks. Scores are in points of 100."""

    candidates: int = 150
    slice: int = 30
    band: float = 5.0
    examined: int = 120
    per_phrasing: int = 6
    per_source: int = 3
    result_sources: int = 5
    narrow_spread: float = 3.0
    min_score: float = ELIGIBLE
    strip_places: bool = True
    rerank: bool = True

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> Limits:
        """Read the limits. Raises ``UsageError`` for a value that is not a number."""

        def number(name: str, default: float) -> float:
            text = environment.get(name, "")
            try:
                return float(text) if text else default
            except ValueError as error:
                raise UsageError(f"{name} must be a number, found {text!r}") from error

        plain = cls()
        return cls(
            candidates=int(number("ARD_PREFILTER_MAX", plain.candidates)),
            slice=int(number("ARD_PREFILTER_SLICE", plain.slice)),
            band=100.0 * number("ARD_PREFILTER_BAND", plain.band / 100.0),
            examined=int(number("ARD_PREFILTER_EXAMINED_MAX", plain.examined)),
            per_phrasing=int(number("ARD_PER_PHRASING", plain.per_phrasing)),
            per_source=int(number("ARD_PER_SOURCE_POOL", plain.per_source)),
            result_sources=int(number("ARD_RESULT_SOURCES", plain.result_sources)),
            narrow_spread=number("ARD_PREFILTER_NARROW_STD", plain.narrow_spread),
            min_score=number("ARD_MIN_RERANK_SCORE", plain.min_score),
            strip_places=bool(number("ARD_STRIP_PLACES", 1)),
            rerank=bool(number("ARD_RERANK", 1)),
        )


@dataclass(frozen=True, slots=True)
class Phrasings:
    """``texts`` are embedded; ``judged`` are the columns that words are compared on (places removed)."""

    texts: tuple[str, ...]
    judged: tuple[int, ...]


def make_phrasings(texts: Sequence[str], strip: Callable[[str], str] | None) -> Phrasings:
    """The caller's texts first, then each without its places and years; at most eight, each once.

    Tables describe measures, not places: a table is judged by the phrasings without them.
    """
    plain = [" ".join(text.split()) for text in texts]
    if any(not text for text in plain):
        raise UsageError("a phrasing to search for is empty: each text must name a quantity")
    stripped = [without_years(" ".join(strip(text).split()) or text) if strip else text for text in plain]
    columns = dict.fromkeys((*plain, *stripped))
    kept = tuple(columns)[:MAX_PHRASINGS]
    judged = dict.fromkeys(kept.index(text) for text in stripped if text in kept)
    return Phrasings(kept, tuple(judged))


@dataclass(slots=True)
class _Pool:
    """Candidates by embedding score. ``head`` is examined first; ``rest`` when it has nothing."""

    head: list[int]
    rest: list[int]
    notes: list[str]


class Search:
    """Searches one index; it holds no state of a request."""

    def __init__(self, index: LoadedIndex, limits: Limits | None = None) -> None:
        self.index = index
        self.limits = limits or Limits.from_environment()
        self._reranker = Reranker(index)

    def run(self, request: FinderRequest, phrasings: Phrasings, vectors: NDArray[np.float32]) -> FinderReply:
        """Rank the tables for a request whose phrasings have been embedded, one row of ``vectors`` each.

        Raises ``UnknownSource`` for a source that the index does not hold.
        """
        rows = self._rows(request.sources)
        cosines = self.index.similarities(vectors)
        scores = cosines.max(axis=1) * 100.0
        asked = [Phrasing.of(phrasings.texts[column], column) for column in phrasings.judged]
        allowed = frozenset(rows)
        exact = {row: score for row, score in self._reranker.exact(asked).items() if row in allowed}
        worded = [
            row
            for phrasing in asked
            for row in self._reranker.by_words(phrasing, allowed, self.limits.per_phrasing)
        ]
        pool = self._pool(rows, scores, cosines, (*exact, *worded))
        if not (request.rerank and self.limits.rerank):
            return self._by_embedding(request, pool, scores)
        judged, notes = self._judge(pool, asked, cosines, scores, exact)
        eligible = [row for row in best_first_of(judged) if judged[row] >= self.limits.min_score]
        merged = self._source_first(eligible)
        dropped = len(merged) - request.page_size
        if dropped > 0:
            notes.append(f"{dropped} further tables qualified beyond the {request.page_size} asked for")
        if not eligible and judged:
            notes.append(
                f"no table reached {self.limits.min_score:g} of 100; the best of {len(judged)} examined had "
                f"{max(judged.values()):g}"
            )
        return FinderReply(
            results=tuple(self.index.document(row, judged[row]) for row in merged[: request.page_size]),
            score_scale="rerank",
            eligibility="match" if eligible else "no_match",
            notes=(*pool.notes, *notes),
            usage=FinderUsage(),
        )

    def _rows(self, sources: Sequence[str]) -> list[int]:
        if not sources:
            return list(range(len(self.index)))
        known = self.index.sources
        for name in sources:
            if name not in known:
                raise UnknownSource(name, known)
        wanted = {known.index(name) for name in sources}
        return [row for row, code in enumerate(self.index.source_codes()) if int(code) in wanted]

    def _pool(self, rows: list[int], scores: NDArray[Any], cosines: NDArray[Any], worded: Iterable[int]) -> _Pool:
        """Shape the pool: slice and band, then each phrasing's and each source's best, and those found by words."""
        limits = self.limits
        ranked = best_first(scores, rows)
        candidates = ranked[: limits.candidates]
        if not candidates:
            return _Pool([], [], [])
        floor = float(scores[candidates[0]]) - limits.band
        near = sum(1 for row in candidates if float(scores[row]) >= floor)
        head = dict.fromkeys(candidates[: min(limits.examined, max(limits.slice, near))])
        for column in range(cosines.shape[1]):
            head |= dict.fromkeys(best_first(cosines[:, column], rows)[: limits.per_phrasing])
        taken: dict[str, int] = {}
        for row in ranked:
            source = self.index.source(row)
            if taken.get(source, 0) < limits.per_source:
                taken[source] = taken.get(source, 0) + 1
                head[row] = None
        head |= dict.fromkeys(worded)
        rest = [row for row in candidates if row not in head][: max(0, limits.examined - len(head))]
        notes = [f"{len(head)} of {len(rows)} tables were examined first"] if len(head) < len(rows) else []
        return _Pool(list(head), rest, notes)

    def _judge(
        self,
        pool: _Pool,
        asked: Sequence[Phrasing],
        cosines: NDArray[Any],
        scores: NDArray[Any],
        exact: Mapping[int, float],
    ) -> tuple[dict[int, float], list[str]]:
        """Score the head of the pool; widen in windows while nothing qualifies and the embedding cannot tell."""
        judged: dict[int, float] = {}
        notes: list[str] = []
        window, rest = pool.head, iter(pool.rest)
        while window:
            for row in window:
                judged[row] = exact.get(row) or self._reranker.score(
                    row, asked, [float(cosines[row, phrasing.column]) for phrasing in asked]
                )
            if any(judged[row] >= self.limits.min_score for row in window):
                break
            spread = statistics.pstdev(float(scores[row]) for row in window)
            if spread >= self.limits.narrow_spread:
                notes.append(
                    f"widening stopped: the embedding scores of the last {len(window)} tables spread by "
                    f"{spread:.1f} points, so that deeper tables are no nearer"
                )
                break
            window = list(islice(rest, self.limits.slice))
            if window:
                notes.append(f"{len(window)} more tables were examined, since none qualified")
        if unread := sum(1 for _ in rest):
            notes.append(f"{unread} candidates were not examined")
        return judged, notes

    def _source_first(self, eligible: Sequence[int]) -> list[int]:
        """The best of each source first, up to the limit of sources, then the others by score."""
        leaders: dict[str, int] = {}
        for row in eligible:
            if len(leaders) < self.limits.result_sources:
                leaders.setdefault(self.index.source(row), row)
        return [*leaders.values(), *(row for row in eligible if row not in set(leaders.values()))]

    def _by_embedding(self, request: FinderRequest, pool: _Pool, scores: NDArray[Any]) -> FinderReply:
        rows = best_first(scores, pool.head)[: request.page_size]
        return FinderReply(
            results=tuple(self.index.document(row, round(float(scores[row]), 1)) for row in rows),
            score_scale="embedding",
            eligibility="match" if rows else "no_match",
            notes=(*pool.notes, "the reranker was not asked: scores are cosines times 100, and no threshold holds"),
        )


def best_first_of(judged: Mapping[int, float]) -> list[int]:
    """Rows by descending score, ties by row."""
    return sorted(judged, key=lambda row: (-judged[row], row))
