"""``neuralkg eval --finder``: labelled searches, with the reranker and by embedding alone.

A line is ``{"query", "expect_any": [variable or table ids], "source": name or list of names}``. Every source is
searched: which one is found is part of what is measured. A case of which the index holds no wanted table fails,
and it is told apart, since it says more about the index than about the search. ``{"query", "none": true}`` is a
search that no table answers: nothing may qualify.

A stable hash splits the cases in two. The search is tuned on the half ``dev``; of ``held`` only rates are read.
"""

from __future__ import annotations

import hashlib
import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median
from typing import Any, Self

from pydantic import BaseModel, ConfigDict, Field, model_validator

from functions.local.evaluate import load_cases, percent, rate
from shared.query.discovery import FinderReply, FinderRequest
from shared.runtime.deadline import Deadline
from shared.runtime.errors import NeuralKGError
from shared.runtime.ports import Finder

TOP = 15
HALVES = ("dev", "held")
_SECONDS = 30.0


class FinderCase(BaseModel):
    """One search: any of ``expect_any`` must be found; ``source`` is where a right table comes from.

    With ``none`` there is no right table, and none may qualify.
    """

    model_config = ConfigDict(frozen=True, extra="ignore")

    query: str = Field(min_length=1)
    expect_any: tuple[str, ...] = ()
    source: str | tuple[str, ...] | None = None
    none: bool = False

    @model_validator(mode="after")
    def _expects_something(self) -> Self:
        if bool(self.expect_any) == self.none:
            raise ValueError("a search needs either expect_any or none")
        return self

    @property
    def half(self) -> str:
        """``dev`` or ``held``, for good."""
        return HALVES[hashlib.sha256(self.query.encode()).digest()[0] % 2]

    @property
    def sources(self) -> frozenset[str]:
        """The sources that are right, none when the case does not say."""
        return frozenset((self.source,) if isinstance(self.source, str) else self.source or ())


@dataclass
class Rates:
    """How often the right table and the right source came first, and among the first fifteen."""

    cases: int = 0
    with_source: int = 0
    table_first: int = 0
    table_top: int = 0
    source_first: int = 0
    source_top: int = 0
    refusals: int = 0
    refused: int = 0

    def refuse(self, reply: FinderReply) -> bool:
        """Count the reply to a search that no table answers; whether it says so."""
        right = reply.eligibility == "no_match"
        self.refusals += 1
        self.refused += right
        return right

    def count(self, case: FinderCase, reply: FinderReply) -> bool:
        """Count one reply; whether a wanted table is among the first fifteen."""
        wanted = set(case.expect_any)
        tables = [bool(wanted & {found.variable, found.identifier}) for found in reply.results[:TOP]]
        self.cases += 1
        self.table_first += tables[:1] == [True]
        self.table_top += any(tables)
        if case.sources:
            sources = [found.source in case.sources for found in reply.results[:TOP]]
            self.with_source += 1
            self.source_first += sources[:1] == [True]
            self.source_top += any(sources)
        return any(tables)

    def figures(self) -> dict[str, float | None]:
        """The rates, ``None`` where there is nothing to count."""
        return {
            "rank_1": rate(self.table_first, self.cases),
            "top_15": rate(self.table_top, self.cases),
            "source_rank_1": rate(self.source_first, self.with_source),
            "source_top_15": rate(self.source_top, self.with_source),
            "refused": rate(self.refused, self.refusals),
        }

    def text(self, name: str) -> str:
        """The same in a line."""
        made = {key: percent(value) for key, value in self.figures().items()}
        return (
            f"{name:13} table first {made['rank_1']}, in {TOP} {made['top_15']}; "
            f"source first {made['source_rank_1']}, in {TOP} {made['source_top_15']}; refused {made['refused']}"
        )


@dataclass(frozen=True)
class FinderReport:
    """The outcome of a run over labelled searches; ``held`` are the rates where the index has a wanted table."""

    reranked: Rates
    embedding: Rates
    held: Rates
    halves: Mapping[str, Rates]
    absent: int = 0
    seconds: tuple[float, ...] = ()
    failed: tuple[dict[str, str], ...] = field(default=())

    @property
    def exit_code(self) -> int:
        """0 only if every search found a wanted table among the first fifteen."""
        return 0 if not self.failed else 1

    def figures(self) -> dict[str, Any]:
        """The rates and the failures, as ``--json`` prints them."""
        ordered = sorted(self.seconds)
        return {
            "cases": self.reranked.cases,
            **self.reranked.figures(),
            "absent": self.absent,
            "held": self.held.figures(),
            "embedding": self.embedding.figures(),
            "halves": {name: rates.figures() for name, rates in self.halves.items()},
            "median_s": round(median(ordered), 4) if ordered else None,
            "p95_s": round(ordered[math.ceil(len(ordered) * 0.95) - 1], 4) if ordered else None,
            "failed": list(self.failed),
        }

    def text(self) -> str:
        """The same for people."""
        made = self.figures()
        lines = [
            f"{self.reranked.cases} searches; the index holds no wanted table of {self.absent} of them",
            self.reranked.text("reranked"),
            self.held.text("without those"),
            *(rates.text(f"half {name}") for name, rates in self.halves.items()),
            self.embedding.text("by embedding"),
            f"median {made['median_s'] or 0:.3f} s, p95 {made['p95_s'] or 0:.3f} s",
        ]
        return "\n".join([*lines, *(f"  {failure['id']}: {failure['why']}" for failure in self.failed)])


def load_searches(path: Path) -> list[FinderCase]:
    """Read finder cases; raises ``UsageError`` naming file and line of a bad one."""
    return [case for _, case in load_cases(path, FinderCase)]


async def evaluate_finder(
    cases: Sequence[FinderCase], finder: Finder, *, on_case: Callable[[int], None] | None = None
) -> FinderReport:
    """Search for every case, twice: with the reranker, and by embedding alone."""
    reranked, embedding, held, absent = Rates(), Rates(), Rates(), 0
    halves = {name: Rates() for name in HALVES}
    seconds: list[float] = []
    failed: list[dict[str, str]] = []
    for number, case in enumerate(cases, start=1):
        if on_case:
            on_case(number)
        began = time.perf_counter()
        reply = await _search(case, finder, rerank=True)
        seconds.append(time.perf_counter() - began)
        if case.none:
            empty = reply if isinstance(reply, FinderReply) else _FAILED
            halves[case.half].refuse(empty)
            if not reranked.refuse(empty):
                failed.append({"id": f"{number} {case.query!r}", "why": f"no table answers it; {_first(reply)}"})
            continue
        is_held = await _held(case, finder)
        absent += not is_held
        plain = await _search(case, finder, rerank=False)
        embedding.count(case, _NOTHING if isinstance(plain, str) else plain)
        found = _NOTHING if isinstance(reply, str) else reply
        right = reranked.count(case, found)
        halves[case.half].count(case, found)
        if is_held:
            held.count(case, found)
        if not right:
            lacking = "" if is_held else "; the index holds no wanted table"
            failed.append({"id": f"{number} {case.query!r}", "why": f"{_why(reply)}{lacking}"})
    return FinderReport(reranked, embedding, held, halves, absent, tuple(seconds), tuple(failed))


_NOTHING = FinderReply(results=(), score_scale="rerank", eligibility="no_match")
_FAILED = _NOTHING.model_copy(update={"eligibility": "match"})


async def _held(case: FinderCase, finder: Finder) -> bool:
    """Whether the index holds any wanted table. An identifier cannot be looked up, so it counts as held."""
    for wanted in case.expect_any:
        if ":" in wanted or await finder.by_variable(wanted):
            return True
    return False


async def _search(case: FinderCase, finder: Finder, *, rerank: bool) -> FinderReply | str:
    request = FinderRequest(texts=(case.query,), page_size=TOP, rerank=rerank)
    try:
        return await finder.search(request, deadline=Deadline.after(_SECONDS))
    except NeuralKGError as error:
        return f"the search failed: {error}"


def _why(reply: FinderReply | str) -> str:
    return reply if isinstance(reply, str) else f"not in the first {TOP}; {_first(reply)}"


def _first(reply: FinderReply | str) -> str:
    if isinstance(reply, str):
        return reply
    return (
        f"first is {reply.results[0].source} {reply.results[0].variable}" if reply.results else "first is nothing"
    )
