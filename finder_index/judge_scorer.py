"""The model reranker: each window of tables is one bounded judgment, asked through the judge port."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING, NoReturn

from finder_index.index import LoadedIndex
from finder_index.limits import Limits
from finder_index.rerank_task import RERANK_TABLES, RerankRequest, card_of, read_ranking
from finder_index.scoring import Asked, Scored
from shared.models.tasks import metered
from shared.query.annotated import AskOptions
from shared.query.answer import ModelUsage
from shared.runtime.context import Meter, RunContext
from shared.runtime.errors import HostNotAllowed

if TYPE_CHECKING:
    from shared.models.tasks import Judge
    from shared.query.discovery import Family, FamilySplit, FinderReply, FinderRequest, TableDocument
    from shared.runtime.deadline import Deadline
    from shared.runtime.http import HttpRequest, HttpResponse
    from shared.runtime.ports import Embedder


MOST_OF_THE_TIME = 1 / 3
"""The share of a search's remaining time that a window may take when the built-in evidence may stand in."""


class JudgeScorer:
    """Scores tables by the first judge that can judge ``rerank_tables``."""

    calls_cost = True

    def __init__(self, judge: Judge, index: LoadedIndex, embedder: Embedder, limits: Limits) -> None:
        self._judge, self._index, self._embedder, self._limits = judge, index, embedder, limits

    @property
    def name(self) -> str:
        """The judge's own name."""
        return self._judge.name

    async def score(self, asked: Asked, rows: Sequence[int], anchors: Sequence[int] = ()) -> Scored:
        """One call over the anchors and ``rows``; the anchors' scores are thrown away."""
        shown = [*anchors, *rows]
        cards = tuple(
            card_of(number, self._index.document(row), describe=self._limits.describe)
            for number, row in enumerate(shown, start=1)
        )
        wanted = asked.request.first + asked.request.page_size + len(anchors)
        request = RerankRequest(
            texts=asked.request.texts, background=asked.request.background, cards=cards, most=wanted
        )
        context = self._context(asked)
        began = time.perf_counter()
        try:
            async with asyncio.timeout(self._seconds(asked)):
                reply = await context.ask_member(self._judge, RERANK_TABLES, request)
        finally:
            # A call that failed or hung is no less of a call for having no reply to count.
            asked.used.extend(context.meter.models or self._unanswered(time.perf_counter() - began))
        ranking = read_ranking(request, reply)
        scores = {shown[number - 1]: score for number, score in ranking.scores.items() if number > len(anchors)}
        return Scored(scores, ranking.skipped)

    def _seconds(self, asked: Asked) -> float:
        """What one call may take: a model that hangs must leave whatever stands in for it, and all after, time."""
        left = asked.deadline.remaining
        return min(self._limits.call_seconds, left * MOST_OF_THE_TIME if asked.request.stand_in else left)

    def _unanswered(self, seconds: float) -> list[ModelUsage]:
        """The call of a judge that counts none of its own; a metered one has sent nothing that it did not count."""
        if metered(self._judge):
            return []
        task = RERANK_TABLES.id
        return [ModelUsage(model=self.name, task=task, calls=1, tokens=0, usd=Decimal(0), seconds=seconds)]

    def _context(self, asked: Asked) -> RunContext:
        return RunContext(
            options=AskOptions(),
            deadline=asked.deadline,
            transport=_Nothing(),
            finder=_Nothing(),
            embedder=self._embedder,
            judges=(self._judge,),
            panel=(),
            say=lambda _: None,
            budget=asked.budget,
            meter=Meter(),
        )


class _Nothing:
    """A judgment asks no publisher and searches for nothing."""

    async def send(self, request: HttpRequest, *, deadline: Deadline) -> HttpResponse:
        del request, deadline
        self._refuse()

    async def search(self, request: FinderRequest, *, deadline: Deadline) -> FinderReply:
        del request, deadline
        self._refuse()

    async def by_variable(self, variable: str) -> tuple[TableDocument, ...]:
        del variable
        self._refuse()

    async def splits(self, family: Family) -> tuple[FamilySplit, ...]:
        del family
        self._refuse()

    async def split_by(self, family: Family, dimensions: Sequence[str]) -> tuple[TableDocument, ...]:
        del family, dimensions
        self._refuse()

    def _refuse(self) -> NoReturn:
        raise HostNotAllowed("ranking tables asks no publisher")


def reranking_judge(judges: Sequence[Judge]) -> Judge | None:
    """The first judge that can rank tables."""
    return next((judge for judge in judges if judge.can(RERANK_TABLES)), None)
