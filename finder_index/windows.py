"""Scoring the tables of a pool window by window, source by source, and what was not looked at on the way."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import TYPE_CHECKING

from finder_index.pool import Pool, spread
from shared.query.discovery import Passed
from shared.runtime.errors import NeuralKGError, RunError

if TYPE_CHECKING:
    from finder_index.families import Families
    from finder_index.limits import Limits
    from finder_index.scoring import Asked, Scored, Scorer

_ANSWER_MARGIN = 0.25
"""Seconds before the deadline at which a late source is left, so that the others can still be returned."""


@dataclass(slots=True)
class Findings:
    """What a search has come to so far; ``judged`` has scores by row.

    ``stood_in`` is why the built-in evidence scored instead of a model, where it did.
    """

    judged: dict[int, float] = field(default_factory=dict)
    examined: int = 0
    widening: str = ""
    notes: list[str] = field(default_factory=list)
    unscored: tuple[str, ...] = ()
    failed: list[Passed] = field(default_factory=list)
    items: list[Passed] = field(default_factory=list)
    stood_in: str = ""


class Windows:
    """Has one scorer look at the windows of a pool; it holds no state of a request."""

    def __init__(self, families: Families, limits: Limits, scorer: Scorer) -> None:
        self._families, self._limits, self._scorer = families, limits, scorer

    async def judge(self, pool: Pool, asked: Asked, scores: Mapping[int, float], found: Findings) -> None:
        """Score the head of the pool; widen in windows while nothing qualifies and the embedding cannot tell."""
        window: Sequence[int] = pool.head
        room = max(0, self._limits.examined - len(pool.head))
        rest = iter(pool.rest[:room])
        first = True
        while window:
            if first:
                await self._by_family(window, asked, found)
            else:
                self._take(await self._scorer.score(asked, window), window, "all sources", found)
            if qualified := sum(found.judged.get(row, 0.0) >= self._limits.min_score for row in window):
                found.widening = (
                    f"not needed: {qualified} of the {len(window)} tables examined first qualified"
                    if first
                    else f"stopped: {qualified} of the last {len(window)} tables qualified"
                )
                break
            spreading = spread([scores[row] for row in window])
            if spreading >= self._limits.narrow_spread:
                found.widening = (
                    f"stopped: the embedding scores of the last {len(window)} tables spread by {spreading:.1f} "
                    f"points, {self._limits.narrow_spread:g} or more, so deeper tables are no nearer"
                )
                found.notes.append(f"widening {found.widening}")
                break
            window, first = list(islice(rest, self._limits.slice)), False
            if window:
                found.notes.append(f"{len(window)} more tables were examined, since none qualified")
        else:
            beyond = len(pool.rest) - min(room, len(pool.rest))
            found.widening = (
                f"stopped: the cap of {self._limits.examined} examined tables was reached"
                if beyond
                else "stopped: there were no further candidates"
            )
        if unread := pool.candidates - found.examined:
            found.notes.append(f"{unread} candidates were not examined")

    async def _by_family(self, head: Sequence[int], asked: Asked, found: Findings) -> None:
        """Score the head family by family: the first must succeed, each other is told when it does not."""
        groups: dict[str, list[int]] = {}
        for row in head:
            groups.setdefault(self._families.of(row), []).append(row)
        if not self._scorer.calls_cost:
            self._take(await self._scorer.score(asked, head), head, "all sources", found)
            return
        names = list(groups)
        asked_of, left = names[: self._limits.result_sources], names[self._limits.result_sources :]
        if left:
            found.unscored = tuple(left)
            found.notes.append(f"not scored, being beyond the {len(asked_of)} nearest sources: {', '.join(left)}")
        anchors = groups[asked_of[0]][: self._limits.anchors]
        first = asyncio.create_task(self._scorer.score(asked, groups[asked_of[0]]))
        others = {name: asyncio.create_task(self._within(asked, groups[name], anchors)) for name in asked_of[1:]}
        try:
            self._take(await first, groups[asked_of[0]], asked_of[0], found)
            for name, task in others.items():
                try:
                    self._take(await task, groups[name], name, found)
                except (NeuralKGError, TimeoutError) as error:
                    if isinstance(error, RunError) and not asked.deadline.remaining:
                        raise
                    reason = str(error) or "it had not answered in time"
                    found.failed.append(Passed(source=name, reason=reason))
                    found.notes.append(f"{len(groups[name])} tables of {name} were not scored: {reason}")
        finally:
            for task in (first, *others.values()):
                task.cancel()
            await asyncio.gather(first, *others.values(), return_exceptions=True)

    async def _within(self, asked: Asked, rows: Sequence[int], anchors: Sequence[int]) -> Scored:
        """Score a source that can be done without: it is left in time to return the others."""
        async with asyncio.timeout(max(0.0, asked.deadline.remaining - _ANSWER_MARGIN)):
            return await self._scorer.score(asked, rows, anchors)

    def _take(self, scored: Scored, rows: Sequence[int], name: str, found: Findings) -> None:
        found.judged |= scored.scores
        found.examined += len(rows)
        found.items += [Passed(source=name, reason=reason) for reason in scored.skipped]
        if scored.skipped:
            found.notes.append(f"{len(scored.skipped)} items of the ranking of {name} could not be read")
        unranked = len(rows) - len(scored.scores)
        if unranked > 0:
            found.notes.append(f"{unranked} of {len(rows)} tables of {name} were not returned by the reranker")
