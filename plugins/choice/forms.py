"""The form of a figure: whether an amount, a share or a figure per head is asked for, and which ones answer it."""

from __future__ import annotations

import re

from plugins.choice.aspects import another_aspect
from plugins.choice.tasks import Candidate, ChoiceRequest
from plugins.choice.wording import denominator, plain, words

_MEMBERS = (
    r"(?:countries|nations|states|members?|economies|places|territories|regions|percentage|percent|points?|times"
    r"|years?|decades?|months?|days|hours|dollars)"
)
_AMOUNT = re.compile(
    r"\b(?:how many|number of|count of)\b"
    rf"(?!(?: (?!(?:of|by|across|per|for each)\b)[\w'-]+){{0,5}}? {_MEMBERS}\b)(?! of (?:them|these|those|the)\b)",
    re.IGNORECASE,
)
"""Questions for an amount, which a percentage does not answer; members of a set are counted in any measure."""
_OF_A_GROUP = re.compile(r"\bof (?:the|all|every|those)\b[^?]*, how many\b", re.IGNORECASE)
"""Of a group, how many: a part of it, which a share tells."""
_ABSOLUTE = re.compile(
    r"\b(?:absolute|total|raw) (?:numbers?|counts?) of\b|\bin absolute (?:terms|numbers)\b", re.IGNORECASE
)
_MONEY = re.compile(r"\bin (?:current |constant |nominal )?(?:us |u\.s\. )?(?:dollars|usd|us\$)", re.IGNORECASE)
_EVENTS = re.compile(
    r"\b(births|deaths|suicides|murders|homicides|killings|fatalities)\b(?! (?:by|attended|registered)\b)",
    re.IGNORECASE,
)
"""Events in the plural are counted; rates of them do not answer how many there were."""
_CAUSES = re.compile(r"\bcauses? of\b", re.IGNORECASE)
_ALL_EVENTS = frozenset({"birth", "mortality", "fertility"})
"""A measure of these words alone is of all births or deaths, not of those of one cause."""
_NUMBER_OF = re.compile(r"\b(?<!average )(?<!mean )(?:number|count) of\b", re.IGNORECASE)
_PER = re.compile(r"\bper\b|\bfor (?:every|each)\b|\brates?\b|\ba (?:woman|mother)\b|\bin \d", re.IGNORECASE)
_AMOUNTS = words(
    "exports imports trade expenditure electricity energy land forest water debt tax revenue savings investment"
    " credit users subscriptions mobile doctors beds teachers students murders immigrants"
)
"""What there may be most of, in numbers or in units: the highest share or rate is another member's."""
_MOST = re.compile(r"\b(?:the )?(?:most|fewest)\b(?! (?:of|common|popular|recent)\b)", re.IGNORECASE)
_PEOPLE = re.compile(
    r"^(?:(?!(?:of|among|for|in|by|on|to|with|rate)\b)[\w-]+ )+"
    r"(?:people|persons|residents|citizens|adults|students|pupils)$",
    re.IGNORECASE,
)
"""Measures of people of a kind are numbers of them."""
_GROUP_OF_PEOPLE = re.compile(
    r"\b(?:[a-z]+ed|jobless|poor|illiterate|homeless|hungry|working) "
    r"(?:people|persons|residents|citizens|adults|workers|inhabitants)\b",
    re.IGNORECASE,
)
"""People of a state or condition in a question, whatever quantity its measure was read as."""
_ABOUT = re.compile(r"\b(?:statistics|stats|data|figures|facts|tell)\b", re.IGNORECASE)
_SHARE_SAID = re.compile(
    r"%|\b(?:share|percent\w*|proportion|fraction|rates?|per|relative|ratio|for every)\b", re.IGNORECASE
)
_MOST_PEOPLE = re.compile(
    r"\b(?:most|fewest|more|fewer)\s+(?:[\w-]+\s+){0,2}"
    r"(?:people|citizens|persons|inhabitants|residents|adults|elderly|seniors|pensioners|retirees)\b",
    re.IGNORECASE,
)


def asks_amount(question: str) -> bool:
    """Whether a number of people or things is asked for."""
    return _AMOUNT.search(question) is not None and _OF_A_GROUP.search(question) is None


def events_asked(question: str) -> str | None:
    """The events whose number is asked for (``births``); ``None`` where none are, or per so many people."""
    found = _EVENTS.search(question)
    return found[1].lower() if found and not _PER.search(question) and not _CAUSES.search(question) else None


def all_events_asked(request: ChoiceRequest) -> str | None:
    """The events whose number is asked for, where it is all of them and not those of a cause or a group."""
    return events_asked(request.question) if words(request.measure) <= _ALL_EVENTS else None


def _asks_number(question: str) -> bool:
    """Whether a plain number is asked for, which a rate per so many does not answer."""
    if events_asked(question):
        return True
    return _NUMBER_OF.search(question) is not None and asks_amount(question) and not _PER.search(question)


def asks_share(request: ChoiceRequest) -> bool:
    """Whether a share is asked for, by the reading or by the measure's own words."""
    return request.share or "share" in words(request.measure)


def fits_form(candidate: Candidate, request: ChoiceRequest) -> bool:
    """Whether a share answers a share and a per-head figure a per-head question."""
    if another_aspect(candidate, request):
        return False
    is_share = candidate.unit_kind == "percent"
    if is_share and candidate.statistic == "growth" and "growth" in words(request.measure):
        is_share = False
    share = asks_share(request)
    if share and candidate.unit_kind not in {"percent", ""} and not _per_hundred(candidate):
        return False
    if is_share and asks_amount(request.question) and "share" not in words(request.question):
        return False
    if all_events_asked(request):
        return False
    if candidate.unit_kind == "rate" and _asks_number(request.question):
        return False
    if candidate.unit_kind == "rate" and _ABSOLUTE.search(request.question):
        return False
    if is_share and not share and _MONEY.search(request.question):
        return False
    if is_share and not share and _asks_people(request):
        return False
    if _asks_most(request) and (is_share or candidate.unit_kind == "rate" or of_each(candidate)):
        return False
    return not request.per_capita or candidate.unit_kind in {"percent", "rate", "index"} or per_head(candidate)


def asks_people(question: str) -> bool:
    """Whether the people of a state or condition are asked for, or who has the most of some people."""
    if _MOST_PEOPLE.search(question):
        return True
    said = _SHARE_SAID.search(question) or _ABOUT.search(question)
    return said is None and _GROUP_OF_PEOPLE.search(question) is not None


def _asks_people(request: ChoiceRequest) -> bool:
    """Whether people of a kind are counted: the most of them, or they themselves."""
    if asks_people(request.question):
        return True
    return _PEOPLE.search(request.measure) is not None and _ABOUT.search(request.question) is None


def _per_hundred(candidate: Candidate) -> bool:
    """Whether a rate is a share by another name, as of users per 100 inhabitants."""
    found = denominator(f"per {candidate.per}") if candidate.unit_kind == "rate" else None
    return found is not None and found[0] == 100 and "subscription" not in words(candidate.title)


def _asks_most(request: ChoiceRequest) -> bool:
    """Whether members are ordered by an amount: "the most exports", not "the most exports per person"."""
    if request.share or request.per_capita or _SHARE_SAID.search(f"{request.measure} {request.question}"):
        return False
    return bool(_MOST.search(request.question) and words(request.measure) & _AMOUNTS)


def of_each(candidate: Candidate) -> bool:
    """Whether the figures are of one person, by the unit or the title and not only by a phrase."""
    return any("capita" in plain(text) for text in (candidate.unit, candidate.per, candidate.title)) or (
        candidate.unit_kind == "physical" and candidate.per == "person"
    )


def per_head(candidate: Candidate) -> bool:
    """Whether the document's figures are of a person."""
    texts = (candidate.unit, candidate.per, candidate.title, *candidate.phrases)
    return any("capita" in plain(text) or "per person" in text for text in texts)
