"""Search an index: phrasings, the pool, the reranker by source family, the merge, and what was not done.

The steps and their constants are those of the finder's published description. Nothing of a request is kept.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

from finder_index.families import Families
from finder_index.filters import Filters
from finder_index.index import LoadedIndex
from finder_index.limits import Limits
from finder_index.phrasings import Phrasings
from finder_index.pool import Pool, make_pool
from finder_index.rerank import Phrasing, Reranker
from finder_index.scoring import Asked, EvidenceScorer, Scorer
from finder_index.windows import Findings, Windows
from shared.query.discovery import (
    FinderReply,
    FinderRequest,
    FinderUsage,
    NotLookedAt,
    StepUsage,
)
from shared.runtime.budget import Budget
from shared.runtime.budget import Limits as Spending
from shared.runtime.deadline import Deadline
from shared.runtime.errors import (
    BudgetExhausted,
    DeadlineExceeded,
    ModelError,
    NeuralKGError,
    ScoringFailed,
    SearchTimedOut,
)

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_CLOCK = 0.05
"""Seconds by which a timer may wake early: with fewer left, the time is up."""


class Search:
    """Searches one index; it holds no state of a request."""

    def __init__(self, index: LoadedIndex, limits: Limits | None = None, scorer: Scorer | None = None) -> None:
        self.index = index
        self.limits = limits or Limits.from_environment()
        self.families = Families(index)
        self.filters = Filters(self.families)
        self._reranker = Reranker(index)
        self._evidence = EvidenceScorer(self._reranker)
        self.scorer: Scorer = scorer or self._evidence

    async def run(
        self,
        request: FinderRequest,
        phrasings: Phrasings,
        vectors: NDArray[np.float32],
        *,
        deadline: Deadline,
        spent: Sequence[StepUsage] = (),
    ) -> FinderReply:
        """Rank the tables for a request whose phrasings have been embedded, one row of ``vectors`` each.

        Raises ``UnknownSource``, ``UnknownCatalog``, ``ScoringFailed`` and ``SearchTimedOut``; the last two
        tell what was used, ``spent`` included.
        """
        began = time.perf_counter()
        pool, asked, scores, ignored = await asyncio.to_thread(self._prepare, request, phrasings, vectors, deadline)
        steps = [*spent, StepUsage(step="rank", seconds=round(time.perf_counter() - began, 6))]
        if not (request.rerank and self.limits.rerank):
            return self._by_embedding(request, pool, scores, ignored, steps)
        began = time.perf_counter()
        findings = Findings()
        try:
            await self._by(self.scorer).judge(pool, asked, scores, findings)
        except (TimeoutError, DeadlineExceeded, ModelError, BudgetExhausted) as error:
            failure = self._failure(error, deadline, usage_of(self._steps(steps, asked, began)))
            if not request.stand_in or isinstance(failure, SearchTimedOut):
                raise failure from error
            findings = Findings(stood_in=str(failure), notes=[f"no model ranked the tables: {failure}"])
            await self._by(self._evidence).judge(pool, asked, scores, findings)
        return self._reply(request, pool, findings, ignored, self._steps(steps, asked, began))

    def _by(self, scorer: Scorer) -> Windows:
        return Windows(self.families, self.limits, scorer)

    def _failure(self, error: Exception, deadline: Deadline, usage: FinderUsage) -> NeuralKGError:
        """What to raise when scoring failed: the search's time is up, or the reranker's alone."""
        if isinstance(error, ModelError | BudgetExhausted):
            return ScoringFailed(str(error), usage)
        if deadline.remaining > _CLOCK:
            return ScoringFailed(f"{self.scorer.name} had not answered in time", usage)
        return SearchTimedOut("the time was up while the tables were being scored", usage)

    def _steps(self, spent: Sequence[StepUsage], asked: Asked, began: float) -> list[StepUsage]:
        """The steps so far and the reranker's; a model's calls are one step for each model."""
        elapsed = round(time.perf_counter() - began, 6)
        found = [*spent]
        models = dict.fromkeys(used.model for used in asked.used)
        if not models:
            return [*found, StepUsage(step="rerank", seconds=elapsed, model=self.scorer.name)]
        for model in models:
            used = [one for one in asked.used if one.model == model]
            found.append(
                StepUsage(
                    step="rerank",
                    seconds=elapsed,
                    model=model,
                    calls=sum(one.calls for one in used),
                    tokens=sum(one.tokens for one in used),
                    usd=format(sum((one.usd for one in used), Decimal(0)), "f"),
                )
            )
        return found

    # ---- before anything is judged -------------------------------------------------------------

    def _prepare(
        self, request: FinderRequest, phrasings: Phrasings, vectors: NDArray[np.float32], deadline: Deadline
    ) -> tuple[Pool, Asked, dict[int, float], tuple[str, ...]]:
        allowed, ignored = self.filters.allowed(request)
        columns = asked_phrasings(phrasings)
        if allowed is not None and not allowed.any():
            return Pool((), (), 0, 0), Asked(request, columns, {}, {}, deadline), {}, ignored
        limits = Spending() if request.usd is None else Spending(usd=request.usd)
        scan = self.index.scan(vectors, allowed)
        exact = {
            row: score
            for row, score in self._reranker.exact(columns).items()
            if allowed is None or bool(allowed[row])
        }
        worded = [row for one in columns for row in self._reranker.by_words(one, allowed, self.limits.per_phrasing)]
        pool = make_pool(self.families, self.limits, allowed, scan, (*exact, *worded))
        rows = (*pool.head, *pool.rest)
        cosines = scan.cosines(rows).tolist()
        known = {row: tuple(found) for row, found in zip(rows, cosines, strict=True)}
        scores = {row: 100.0 * max(found) for row, found in known.items()}
        asked = Asked(request, columns, known, exact, deadline, budget=Budget(limits))
        return pool, asked, scores, ignored

    # ---- replies -------------------------------------------------------------------------------

    def _reply(
        self,
        request: FinderRequest,
        pool: Pool,
        found: Findings,
        ignored: tuple[str, ...],
        steps: Sequence[StepUsage],
    ) -> FinderReply:
        judged = found.judged
        eligible = [row for row in best_first_of(judged) if judged[row] >= self.limits.min_score]
        merged = self._source_first(eligible)
        page = merged[request.first : request.first + request.page_size]
        notes = [*_pool_notes(pool), *found.notes]
        if (further := len(merged) - request.first - len(page)) > 0 and not request.first:
            notes.append(f"{further} further tables qualified beyond the {request.page_size} asked for")
        top = max(judged.values(), default=None)
        if not eligible and top is not None:
            notes.append(
                f"no table reached {self.limits.min_score:g} of 100; the best of {len(judged)} examined had {top:g}"
            )
        return FinderReply(
            results=tuple(self.index.document(row, judged[row]) for row in page),
            score_scale="rerank",
            eligibility="match" if eligible else "no_match",
            notes=tuple(notes),
            usage=usage_of(steps),
            threshold=self.limits.min_score,
            top_score=top,
            examined=found.examined,
            qualified=len(merged),
            widening=found.widening,
            stood_in=found.stood_in,
            not_looked_at=NotLookedAt(
                sources=found.unscored,
                failed=tuple(found.failed),
                items=tuple(found.items),
                candidates=max(0, pool.candidates - found.examined),
                filters=ignored,
            ),
        )

    def _source_first(self, eligible: Sequence[int]) -> list[int]:
        """The best of each family first, up to the limit of sources, then the others by score."""
        leaders: dict[str, int] = {}
        for row in eligible:
            if len(leaders) < self.limits.result_sources:
                leaders.setdefault(self.families.of(row), row)
        first = set(leaders.values())
        return [*leaders.values(), *(row for row in eligible if row not in first)]

    def _by_embedding(
        self,
        request: FinderRequest,
        pool: Pool,
        scores: Mapping[int, float],
        ignored: tuple[str, ...],
        steps: Sequence[StepUsage],
    ) -> FinderReply:
        rows = best_first_of({row: scores[row] for row in pool.head})
        page = rows[request.first : request.first + request.page_size]
        return FinderReply(
            results=tuple(self.index.document(row, round(scores[row], 1)) for row in page),
            score_scale="embedding",
            eligibility="match" if rows else "no_match",
            notes=(
                *_pool_notes(pool),
                "the reranker was not asked: scores are cosines times 100, and no threshold holds",
            ),
            usage=usage_of(steps),
            top_score=round(scores[rows[0]], 1) if rows else None,
            examined=len(pool.head),
            qualified=len(rows),
            widening="none: the reranker was not asked",
            not_looked_at=NotLookedAt(candidates=len(pool.rest), filters=ignored),
        )


def asked_phrasings(phrasings: Phrasings) -> tuple[Phrasing, ...]:
    """The phrasings that tables are judged by: those without places, then the whole ones that had some."""
    bare = [Phrasing.of(phrasings.texts[column], column) for column in phrasings.judged]
    whole = [
        Phrasing.of(phrasings.texts[column], column, without=phrasings.texts[other])
        for column, other in phrasings.whole
    ]
    return (*bare, *(phrasing for phrasing in whole if phrasing.named))


def usage_of(steps: Sequence[StepUsage]) -> FinderUsage:
    """The sum of the steps of a search; seconds are the steps' own, one after the other."""
    seconds: dict[str, float] = {}
    for step in steps:
        seconds[step.step] = max(step.seconds, seconds.get(step.step, 0.0))
    return FinderUsage(
        seconds=round(sum(seconds.values()), 6),
        model_calls=sum(step.calls for step in steps),
        tokens=sum(step.tokens for step in steps),
        usd=format(sum((Decimal(step.usd) for step in steps), Decimal(0)), "f"),
        steps=tuple(steps),
    )


def best_first_of(judged: Mapping[int, float]) -> list[int]:
    """Rows by descending score, ties by row."""
    return sorted(judged, key=lambda row: (-judged[row], row))


def _pool_notes(pool: Pool) -> list[str]:
    if not pool.allowed:
        return ["no table is left by the sources and filters asked for"]
    if len(pool.head) < pool.allowed:
        return [f"{len(pool.head)} of {pool.allowed} tables were examined first"]
    return []
