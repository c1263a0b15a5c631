"""What scores a window of tables, 0 to 100: the built-in evidence, or a model."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Protocol

from finder_index.grain import levels_asked
from finder_index.rerank import Phrasing, Reranker
from shared.runtime.budget import Budget

if TYPE_CHECKING:
    from shared.query.answer import ModelUsage
    from shared.query.discovery import FinderRequest
    from shared.runtime.deadline import Deadline


@dataclass(frozen=True, slots=True)
class Asked:
    """One search as a scorer sees it. ``cosines`` has those of each row of the pool, one for each phrasing."""

    request: FinderRequest
    phrasings: tuple[Phrasing, ...]
    cosines: Mapping[int, Sequence[float]]
    exact: Mapping[int, float]
    deadline: Deadline
    used: list[ModelUsage] = field(default_factory=list)
    """What was spent on models, written as it is spent, so that a failure can tell it too."""
    budget: Budget = field(default_factory=Budget)
    """What models may cost in this search, all its windows together."""


@dataclass(frozen=True, slots=True)
class Scored:
    """Scores by row; a row without one was not returned. ``skipped`` are ranking items that could not be read."""

    scores: dict[int, float]
    skipped: tuple[str, ...] = ()


class Scorer(Protocol):
    """Scores tables. ``calls_cost`` says whether looking at one more source has a price."""

    @property
    def name(self) -> str:
        """What accounting calls it."""

    @property
    def calls_cost(self) -> bool:
        """Whether a call costs time or money; if not, nothing is left out for the sake of it."""

    async def score(self, asked: Asked, rows: Sequence[int], anchors: Sequence[int] = ()) -> Scored:
        """Score ``rows``; ``anchors`` are shown before them so that a weak set is not graded on a curve.

        Raises ``ModelError``, ``TimeoutError``, ``DeadlineExceeded`` or ``BudgetExhausted``.
        """


class EvidenceScorer:
    """The built-in reranker: meaning and words, no call and no cost."""

    name = "builtin"
    calls_cost = False

    def __init__(self, reranker: Reranker) -> None:
        self._reranker = reranker

    async def score(self, asked: Asked, rows: Sequence[int], anchors: Sequence[int] = ()) -> Scored:
        """Score each row by itself: anchors change nothing."""
        del anchors
        return Scored(await asyncio.to_thread(self._all, asked, rows))

    def _all(self, asked: Asked, rows: Sequence[int]) -> dict[int, float]:
        found = {}
        levels = levels_asked(asked.request.texts)
        for row in rows:
            cosines = [asked.cosines[row][phrasing.column] for phrasing in asked.phrasings]
            found[row] = asked.exact.get(row) or self._reranker.score(row, asked.phrasings, cosines, levels)
        return found
