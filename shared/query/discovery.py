"""What a search for tables asks and returns."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from shared.query.quantity import Frozen


class FinderRequest(Frozen):
    """One search: 1 to 4 phrasings of the quantity, the question as background, an optional source limit."""

    texts: tuple[str, ...] = Field(min_length=1, max_length=4)
    background: str = ""
    sources: tuple[str, ...] = ()
    page_size: int = Field(default=25, ge=1, le=100)
    rerank: bool = True


class TableDocument(Frozen):
    """One OKF leaf: a (variable, source) pair and how to ask for it.

    ``terms`` are the leaf's ``okf:*`` terms merged over its source's ``_access.md``: unit, coverage,
    latest, populationType, measuredProperty, statType, constraints, keyType and so on.
    """

    identifier: str
    source: str
    variable: str
    title: str
    description: str
    queries: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    terms: dict[str, str] = {}
    score: float = 0.0


class FinderUsage(Frozen):
    """What a search cost: seconds and, where models were called, calls, tokens and dollars."""

    seconds: float = 0.0
    model_calls: int = 0
    tokens: int = 0
    usd: str = "0"


class FinderReply(Frozen):
    """The ranked documents of a search, which scale their scores are on, and what was not looked at."""

    results: tuple[TableDocument, ...]
    score_scale: Literal["rerank", "embedding"]
    eligibility: Literal["match", "no_match"]
    notes: tuple[str, ...] = ()
    usage: FinderUsage = FinderUsage()
