"""What a search for tables asks and returns."""

from __future__ import annotations

from decimal import Decimal
from typing import Literal

from pydantic import Field

from shared.query.quantity import Exact, Frozen


class FinderRequest(Frozen):
    """One search: 1 to 4 phrasings of the quantity, the question as background, and what may be returned.

    ``filters`` are pairs of a key (``publisher``, ``type``, ``tags``) and the values of which one must hold;
    all keys must hold. ``first`` skips that many of the best, for a further page.

    ``stand_in`` lets the finder's own order stand where a model cannot rank the tables; the reply says so.
    ``usd`` is what models may cost at most, ``None`` for the finder's own limit.
    """

    texts: tuple[str, ...] = Field(min_length=1, max_length=4)
    background: str = ""
    sources: tuple[str, ...] = ()
    exclude_sources: tuple[str, ...] = ()
    catalogs: tuple[str, ...] = ()
    filters: tuple[tuple[str, tuple[str, ...]], ...] = ()
    page_size: int = Field(default=25, ge=1, le=100)
    first: int = Field(default=0, ge=0)
    rerank: bool = True
    stand_in: bool = False
    usd: Exact | None = None


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


class Family(Frozen):
    """What the variables of one quantity share, whatever they are limited to: ``Person``, ``count`` and so on."""

    population_type: str
    measured_property: str
    statistic: str


class FamilySplit(Frozen):
    """A set of dimensions that variables of a family are limited in, and how many are; none for the whole."""

    dimensions: tuple[str, ...]
    variables: int


class StepUsage(Frozen):
    """What one step of a search used (``embed``, ``rank``, ``rerank``), and the model that it asked, if any."""

    step: str
    seconds: float
    model: str = ""
    calls: int = 0
    tokens: int = 0
    usd: str = "0"


class FinderUsage(Frozen):
    """What a search cost: seconds and, where models were called, calls, tokens and dollars."""

    seconds: float = 0.0
    model_calls: int = 0
    tokens: int = 0
    usd: str = "0"
    steps: tuple[StepUsage, ...] = ()

    def plus(self, other: FinderUsage) -> FinderUsage:
        """What two searches cost, one after the other."""
        return FinderUsage(
            seconds=round(self.seconds + other.seconds, 6),
            model_calls=self.model_calls + other.model_calls,
            tokens=self.tokens + other.tokens,
            usd=format(Decimal(self.usd) + Decimal(other.usd), "f"),
            steps=(*self.steps, *other.steps),
        )


class Passed(Frozen):
    """Something of one source that was passed over, and why."""

    source: str
    reason: str


class NotLookedAt(Frozen):
    """What a search did not look at.

    ``sources`` were beyond the last that is scored, ``failed`` are sources whose scoring failed, ``items`` the
    entries of a ranking that could not be read, ``candidates`` the tables that stood too far down, and
    ``filters`` the keys that mean nothing here.
    """

    sources: tuple[str, ...] = ()
    failed: tuple[Passed, ...] = ()
    items: tuple[Passed, ...] = ()
    candidates: int = 0
    filters: tuple[str, ...] = ()


class FinderReply(Frozen):
    """The ranked documents of a search, which scale their scores are on, and what was not looked at.

    ``qualified`` counts the tables that reached ``threshold``, of which ``results`` is a page; ``top_score``
    is the best score of all that was examined, ``None`` when nothing was. ``widening`` says how far the
    search went down and why it stopped there. ``stood_in`` is why no model ranked the tables, where one was to.
    """

    results: tuple[TableDocument, ...]
    score_scale: Literal["rerank", "embedding"]
    eligibility: Literal["match", "no_match"]
    notes: tuple[str, ...] = ()
    usage: FinderUsage = FinderUsage()
    threshold: float | None = None
    top_score: float | None = None
    examined: int = 0
    qualified: int = 0
    widening: str = ""
    not_looked_at: NotLookedAt = NotLookedAt()
    stood_in: str = ""
