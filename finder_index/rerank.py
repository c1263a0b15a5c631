"""The built-in reranker: how well a table answers a phrasing, 0 to 100, from meaning and from words.

Three kinds of evidence, in this order: the table lists the very phrase (or the phrase denotes several
quantities and this is one of them); words shared with one of its phrases, rare words counting most; and
the cosine of the embeddings. A qualifier that only one side names (female, rural, per capita, growth)
speaks against the table, since tables of one quantity differ in little else.
"""

from __future__ import annotations

import json
import math
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from threading import Lock
from typing import TYPE_CHECKING

from finder_index.grain import lacks, levels_held
from finder_index.index import ALIAS, MEANING, QUERY, TITLE, LoadedIndex
from finder_index.lexical import content, phrase_key, qualifiers

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

KEPT_TABLES = 8192
"""Rows whose words are kept at hand; at most some 20 MB."""

_EXACT = {QUERY: 100.0, TITLE: 100.0, ALIAS: 96.0, MEANING: 96.0}
_PER_RANK = 4.0
"""What each further meaning of a shared term loses: nominal GDP stands before its growth."""

_COSINE_FLOOR, _COSINE_CEILING = 0.20, 0.75
_WORDS, _MEANING = 0.70, 0.48
_NEAR_WORDS, _ELIGIBLE_NEARNESS, _MEANING_ALONE_MOST = 0.15, 0.49, 58.0
"""Nearness is the cosine and a little for shared words. From this on a table is eligible, and it never scores more
by it alone. Calibrated on labelled searches, those that no table answers included (docs/benchmarks.md)."""
_LEVEL_LACKING = 12.0
"""Lost by a table that has no figures of the kind of place that is asked for: of counties, of companies."""
_DENSE, _MOST = 84.0, 94.0
_ASKED_NOT_GIVEN = 14.0
_GIVEN_NOT_ASKED = {
    "female": 14.0, "male": 14.0, "child": 15.0, "youth": 14.0, "old": 10.0, "rural": 14.0, "urban": 12.0,
    "multidimensional": 12.0, "nonresident": 12.0, "gap": 10.0, "external": 8.0, "growth": 8.0, "ppp": 10.0,
    "percapita": 10.0, "share": 3.0, "real": 5.0, "net": 2.0, "state": 8.0,
}  # fmt: skip
_OTHERWISE_GIVEN = 5.0


@dataclass(frozen=True, slots=True)
class Phrasing:
    """A phrasing as the reranker sees it. ``column`` is its column in the similarities."""

    text: str
    column: int
    key: str
    words: tuple[str, ...]
    qualifiers: frozenset[str]
    named: frozenset[str] = frozenset()
    """Words that were taken for a place; a table that has none of them is not judged by this phrasing."""

    @classmethod
    def of(cls, text: str, column: int, *, without: str | None = None) -> Phrasing:
        """Read a phrasing; ``without`` is the same one without its places."""
        words = tuple(dict.fromkeys(content(text)))
        named = frozenset(words) - frozenset(content(without)) if without else frozenset()
        return cls(text, column, phrase_key(text), words, qualifiers(text), named)


@dataclass(frozen=True, slots=True)
class _Table:
    phrases: tuple[frozenset[str], ...]
    words: frozenset[str]
    qualifiers: frozenset[str]
    levels: frozenset[str]


@dataclass(slots=True)
class Reranker:
    """Scores rows of one index. What is read of a row is kept, so a warm search parses nothing."""

    index: LoadedIndex
    _tables: OrderedDict[int, _Table] = field(default_factory=OrderedDict)
    _weights: dict[str, float] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def exact(self, phrasings: Sequence[Phrasing]) -> dict[int, float]:
        """Rows that list one of the phrasings exactly, with their score."""
        best: dict[int, float] = {}
        for phrasing in phrasings:
            for hit in self.index.phrase_hits(phrasing.key):
                score = _EXACT[hit.kind] - _PER_RANK * (hit.rank - 1)
                best[hit.row] = max(score, best.get(hit.row, 0.0))
        return best

    def by_words(self, phrasing: Phrasing, allowed: NDArray[np.bool_] | None, count: int) -> list[int]:
        """The ``count`` allowed rows that use the weightiest words of a phrasing, whatever their embedding says."""
        import numpy as np  # noqa: PLC0415

        found = [(rows, self._weight(word)) for word in phrasing.words if len(rows := self._rows(word))]
        if not found or not count:
            return []
        totals = np.zeros(len(self.index), dtype=np.float32)
        for rows, weight in found:
            # A row stands once under each of its words.
            totals[rows] += np.float32(weight)
        if allowed is not None:
            totals[~allowed] = 0.0
        most = min(count, len(totals))
        least = np.partition(totals, len(totals) - most)[len(totals) - most]
        places = np.flatnonzero(totals >= max(float(least), 1e-6))
        order = np.lexsort((places, -totals[places]))[:count]
        return [int(row) for row in places[order]]

    def _rows(self, word: str) -> NDArray[np.uint32]:
        return self.index.rows_with_word(word)

    def score(
        self,
        row: int,
        phrasings: Sequence[Phrasing],
        cosines: Sequence[float],
        levels: frozenset[str] = frozenset(),
    ) -> float:
        """The score of a row that lists none of the phrasings; ``cosines`` has one for each phrasing.

        ``levels`` are the kinds of places that the search names.
        """
        table = self._table(row)
        best = max(
            self._one(table, phrasing, cosine)
            for phrasing, cosine in zip(phrasings, cosines, strict=True)
            if not phrasing.named or phrasing.named & table.words
        )
        return max(0.0, round(best - _LEVEL_LACKING, 2)) if lacks(levels, table.levels) else best

    def _one(self, table: _Table, phrasing: Phrasing, cosine: float) -> float:
        meaning = max(0.0, (cosine - _COSINE_FLOOR) / (_COSINE_CEILING - _COSINE_FLOOR))
        shared = self._shared_words(table, phrasing.words)
        near = cosine + _NEAR_WORDS * shared
        alone = min(_MEANING_ALONE_MOST, 50.0 * (near - _COSINE_FLOOR) / (_ELIGIBLE_NEARNESS - _COSINE_FLOOR))
        score = max(100.0 * (_WORDS * shared + _MEANING * meaning), alone)
        score -= _ASKED_NOT_GIVEN * len(phrasing.qualifiers - table.qualifiers)
        score -= sum(
            _GIVEN_NOT_ASKED.get(name, _OTHERWISE_GIVEN) for name in table.qualifiers - phrasing.qualifiers
        )
        if score > _DENSE:
            # Only a phrase that is listed in full scores like one; below that the better stays the better.
            score = _DENSE + (_MOST - _DENSE) * (1.0 - math.exp((_DENSE - score) / (2.0 * (_MOST - _DENSE))))
        return round(max(0.0, score), 2)

    def _shared_words(self, table: _Table, asked: Sequence[str]) -> float:
        total = sum(self._weight(word) for word in asked)
        if not total:
            return 0.0
        wanted = frozenset(asked)
        best = 0.0
        for phrase in table.phrases:
            common = sum(self._weight(word) for word in wanted & phrase)
            if common:
                recall, precision = common / total, common / sum(self._weight(word) for word in phrase)
                best = max(best, 2.0 * recall * precision / (recall + precision))
        reach = sum(self._weight(word) for word in wanted & table.words) / total
        return 0.85 * best + 0.15 * reach

    def _weight(self, word: str) -> float:
        known = self._weights.get(word)
        if known is None:
            known = math.log(1.0 + len(self.index) / (len(self.index.rows_with_word(word)) + 0.5))
            self._weights[word] = known
        return known

    def _table(self, row: int) -> _Table:
        known = self._tables.get(row)
        if known is None:
            entry = self.index.entry(row)
            terms = entry["terms"]
            texts = [entry["title"], *entry["queries"], *filter(None, terms.get("aliases", "").split(","))]
            texts += [meaning["term"] for meaning in json.loads(terms.get("meaningOf", "[]"))]
            phrases = tuple({words: None for text in texts if (words := frozenset(content(text)))})
            named = qualifiers(" ".join([entry["title"], terms.get("constraints", ""), entry["queries"][0]]))
            known = _Table(phrases, frozenset().union(*phrases), named, levels_held(terms))
            with self._lock:
                self._tables[row] = known
                while len(self._tables) > KEPT_TABLES:
                    self._tables.pop(next(iter(self._tables)))
        return known
