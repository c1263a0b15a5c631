"""Of one thing there are several quantities: its price, how much is made of it, how many come, how many have it.

A question that names one of them is not answered by another. What cannot be told from the words that a question and
a document have in common is told here: from the aspect that the question names and the document does not have.
"""

from __future__ import annotations

import re

from plugins.choice.evidence import profile
from plugins.choice.synonyms import UNITS
from plugins.choice.tasks import Candidate, ChoiceRequest
from plugins.choice.wording import plain, words

_SEVERAL = re.compile(r"\b(?:and|vs|versus|but|whose|relative|related|correlat\w+|compared?)\b|[,;]", re.IGNORECASE)
"""Questions of several measures: an aspect may be that of another of them."""
_PRICE = re.compile(
    r"\b(?:prices?|pric(?:ey|iest)|costs?|costly|costliest|fees?|tariffs?|bills?|expensive|cheap(?:er|est)?|afford\w*)\b"
    r"|\bpay(?:s|ing)?\b[^?]*\bfor\b"
    r"|\bvalues? of (?:[a-z]+ )?(?:land|homes?|houses?|housing|propert\w+|buildings?|real estate)\b",
    re.IGNORECASE,
)
_PRICED = re.compile(
    r"\b(?:pric\w+|costs?|fees?|charg\w+|values?|rents?|inflation|deflator|purchasing|expenditures?|paid)\b", re.I
)
"""What a document of prices, or of what is paid, says of itself."""
_PREVALENCE = re.compile(
    r"\bprevalence\b|\bhow (?:common|prevalent|widespread) (?:is|are|was|were)\b", re.IGNORECASE
)
_COMING = re.compile(
    r"\b(?:immigration|emigration|arriv(?:e[ds]?|als?|ing)|newcomers?|influx|inflow)\b"
    r"|\b(?:im|e)?migrants?\b[^?]*\b(?:each|every|per|a) year\b",
    re.IGNORECASE,
)
"""Movement in a year; those who came before are a stock."""
_NUMBER_OF = re.compile(r"\b(?:numbers?|count) of\b(?! (?:them|these|those)\b)", re.IGNORECASE)
_EVERY_UNIT = re.compile(r"\b(?:litres?|liters?|metres?|meters?|miles?|minutes?|weeks?|months?|years?)\b", re.I)
_MEAN_SAID = re.compile(r"\b(?:mean|average)\b(?! (?:age|lifespan)\b)", re.IGNORECASE)
_MEDIAN_SAID = re.compile(r"\bmedian\b", re.IGNORECASE)
_SIZE_SAID = re.compile(
    r"\b(?:households?|famil(?:y|ies)) sizes?\b"
    r"|\bsizes? of (?:an? |the )?(?:average |typical )?(?:households?|famil(?:y|ies))\b"
    r"|\b(?:people|persons|members|population|residents) (?:live |are )?(?:in|per|to) (?:an? |each |every |the )?"
    r"(?:average |typical )?(?:household|family|home)\b",
    re.IGNORECASE,
)
"""How many live together, which the number of households is not."""
_SIZED = re.compile(r"\bsizes?\b|\bper (?:household|family|home)\b", re.IGNORECASE)
_MADE = frozenset({"production", "output", "generation"})
_PLACE_OF = re.compile(r"^(?:land|area|hectares)\b", re.IGNORECASE)
"""Titles of areas, in which what grows there is named."""


def another_aspect(candidate: Candidate, request: ChoiceRequest) -> bool:
    """Whether the question asks for an aspect of the thing that the document is not about."""
    asked = f"{request.measure} {'' if _SEVERAL.search(request.question) else request.question}"
    said = " ".join((candidate.title, candidate.quantity, *candidate.phrases))
    if _PRICE.search(asked) and not _PRICED.search(said):
        return True
    if _PREVALENCE.search(request.question or request.measure) and candidate.unit_kind not in {"percent", "rate"}:
        return True
    if _COMING.search(asked) and "stock" in plain(candidate.title):
        return True
    if _is_place_of(candidate, request.measure) or _is_another_middle(candidate.title, request.measure):
        return True
    if _SIZE_SAID.search(asked) and not _SIZED.search(candidate.title):
        return True
    return _NUMBER_OF.search(asked) is not None and not _countable(candidate, asked)


def _is_place_of(candidate: Candidate, measure: str) -> bool:
    """Whether a document tells where a thing is made and the measure is how much is made of it."""
    wanted = words(measure)
    return bool(wanted & _MADE) and _PLACE_OF.match(candidate.title) is not None and not wanted & {"land", "area"}


def _is_another_middle(title: str, measure: str) -> bool:
    """Whether a document has the median where the mean is asked for, which is above it in all that is unequal."""
    if _MEDIAN_SAID.search(title) is None or _MEDIAN_SAID.search(measure):
        return False
    return _MEAN_SAID.search(measure) is not None


def _countable(candidate: Candidate, asked: str) -> bool:
    """Whether a number may be what the document tells: no amount of money, and no measure but in its own unit."""
    if candidate.unit_kind == "currency":
        return False
    if candidate.unit_kind != "physical":
        return True
    named = words(asked) & (UNITS | words(candidate.unit))
    return bool(named or _EVERY_UNIT.search(asked) or profile(candidate).core & words("number"))
