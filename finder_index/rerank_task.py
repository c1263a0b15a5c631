"""The judgment "how well does each of these tables answer what is asked for?", as a model is asked for it.

The cards are numbered; the reply ranks numbers and scores them. An item that cannot be read does not spoil the
others, and it is not dropped in silence either: it is kept in ``skipped`` with what was wrong with it.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, model_validator
from pydantic.json_schema import SkipJsonSchema

from shared.models.tasks import Task
from shared.query.discovery import TableDocument
from shared.query.quantity import Frozen

MOST_QUERIES = 6
_QUOTED = 80
_LEVELS = {
    "country": "countries",
    "country group": "groups of countries",
    "world": "the whole world",
    "state": "states and provinces",
    "county": "counties",
    "place": "towns and cities",
    "city": "towns and cities",
    "tract": "census tracts",
    "zcta": "ZIP code areas",
    "metro": "metropolitan areas",
    "company": "companies",
    "organization": "organizations",
}


class Card(Frozen):
    """One table as a judge sees it. ``number`` counts from 1 in the request."""

    number: int
    title: str
    covers: str = ""
    geography: str = ""
    asks: tuple[str, ...] = ()
    description: str = ""


class RerankRequest(Frozen):
    """What is asked for, in one to four wordings, the whole question behind it, and the tables on offer.

    At most ``most`` items are wanted back. Recall counts more than precision: other definitions of the
    quantity and its parts are worth keeping, a low score is better than an omission, and a reply of no items
    is not one.
    """

    texts: tuple[str, ...]
    background: str = ""
    cards: tuple[Card, ...]
    most: int


class RankedCard(BaseModel):
    """A card's number and its score, 0 (has nothing to do with it) to 100 (is exactly this quantity)."""

    model_config = ConfigDict(strict=True, extra="ignore", allow_inf_nan=False)

    i: int = Field(description="the card's number")
    score: Annotated[float, Field(ge=0, le=100, strict=False)]


class RerankReply(BaseModel):
    """The cards by relevance, the best first."""

    model_config = ConfigDict(extra="ignore")

    ranked: list[RankedCard]
    skipped: SkipJsonSchema[tuple[str, ...]] = ()

    @model_validator(mode="before")
    @classmethod
    def _keep_what_is_readable(cls, given: Any) -> Any:
        if not isinstance(given, dict) or not isinstance(given.get("ranked"), list):
            return given
        kept, skipped = [], list(given.get("skipped", ()))
        for item in given["ranked"]:
            problem = item.score if isinstance(item, RankedCard) else _problem(item)
            if isinstance(problem, str):
                skipped.append(problem)
            else:
                kept.append(item)
        return {"ranked": kept, "skipped": skipped}


def _problem(item: object) -> str | None:
    """What is wrong with a ranking item, or ``None``."""
    if not isinstance(item, dict):
        return f"{_quoted(item)} is not an object with i and score"
    number, score = item.get("i"), item.get("score")
    if isinstance(number, bool) or not isinstance(number, int):
        return f"i is {_quoted(number)} and not a card's number"
    if isinstance(score, bool) or not isinstance(score, int | float):
        return f"the score of card {number} is {_quoted(score)} and not a number"
    if not 0 <= score <= 100:
        return f"the score of card {number} is {_quoted(score)} and not from 0 to 100"
    return None


def _quoted(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= _QUOTED else text[: _QUOTED - 1] + "…"


_INSTRUCTIONS = """\
Say how well each table answers what is asked for. texts are one to four wordings of it, background is the whole \
question, cards are tables by number.
The reply: {"ranked": [{"i": card number, "score": 0 to 100}]}
- 100: exactly this quantity, for such entities. 50: another definition of it, or a part of it. 0: another thing.
- The best first, at most as many as the request's most. A low score is better than leaving a card out that may be \
relevant; an empty list is no answer.
- A table that does not publish for the kind of place that is asked about scores low, whatever its title says."""


def _some_card_is_ranked(request: RerankRequest, reply: RerankReply) -> str | None:
    if not reply.ranked and not reply.skipped:
        return "the ranking is empty: every card that may be relevant is to be scored"
    if not read_ranking(request, reply).scores:
        return (
            f"no item of the ranking can be read: {'; '.join(reply.skipped[:3]) or 'no number is that of a card'}"
        )
    return None


@dataclass(frozen=True, slots=True)
class Ranking:
    """Scores by card number, and what was skipped, in words."""

    scores: dict[int, float]
    skipped: tuple[str, ...]


def read_ranking(request: RerankRequest, reply: RerankReply) -> Ranking:
    """The scores of a reply: the first item of each card that was offered, of at most ``most`` items."""
    scores: dict[int, float] = {}
    skipped = list(reply.skipped)
    for place, item in enumerate(reply.ranked):
        if not 1 <= item.i <= len(request.cards):
            skipped.append(f"there is no card {item.i}: there are {len(request.cards)}")
        elif item.i in scores:
            skipped.append(f"card {item.i} is ranked a second time")
        elif place >= request.most:
            skipped.append(f"card {item.i} stands beyond the {request.most} items asked for")
        else:
            scores[item.i] = float(item.score)
    return Ranking(scores, tuple(skipped))


def card_of(number: int, document: TableDocument, *, describe: bool = False) -> Card:
    """The card of a table: title, whom it covers, on which geographic levels, and what people ask."""
    levels = [level.strip() for level in document.terms.get("grain", "").split(",") if level.strip()]
    levels = levels or [tag for tag in document.tags if tag in _LEVELS]
    words = ", ".join(dict.fromkeys(_LEVELS.get(level, level) for level in levels))
    if levels and set(levels) <= {"country", "country group", "world"}:
        words += "; not published for any area inside a country"
    return Card(
        number=number,
        title=document.title,
        covers=document.terms.get("scope", ""),
        geography=words,
        asks=document.queries[:MOST_QUERIES],
        description=document.description if describe else "",
    )


RERANK_TABLES = Task(
    name="rerank_tables",
    version=1,
    request=RerankRequest,
    reply=RerankReply,
    validate=_some_card_is_ranked,
    effort="low",
    purpose="ranking tables",
    instructions=_INSTRUCTIONS,
    offered=lambda request: {"ranked.i": [card.number for card in request.cards]},
    max_tokens=2048,
)
"""Numbered cards in, ``{"ranked": [{"i": n, "score": 0-100}]}`` out."""
