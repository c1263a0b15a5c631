"""A condition in words, as its members are said to have it: "a population of more than 100 million"."""

from __future__ import annotations

import re

from functions.present.wording import possessive
from shared.query.quantity import Unit, UnitKind
from shared.query.readings import Comparator, Condition
from shared.text.figures import SIGNS

_THAN = {
    Comparator.GREATER: "higher than",
    Comparator.AT_LEAST: "at least",
    Comparator.LESS: "lower than",
    Comparator.AT_MOST: "at most",
    Comparator.EQUAL: "the same as",
}
"""How a figure is held against that of another entity."""

_BOUND = (
    (re.compile(r"^(?:above|exceeding|beyond|higher than|greater than|bigger than|larger than) "), "more than "),
    (re.compile(r"^(?:below|lower than|smaller than) "), "less than "),
    (re.compile(r"^(?:not|no) (?:under|below|less than|lower than) "), "at least "),
    (re.compile(r"^(?:not|no) (?:over|above|more than|higher than) |^up to "), "at most "),
)
"""Words before an amount that do not stand behind "of", and those that say the same there."""
_AMOUNT = re.compile(
    r"^(?:(?:more|less|fewer) than|over|under|at (?:least|most)|between|exactly|around|about|[$€£¥₹\d])"
)
_NO_ARTICLE = {"inflation", "unemployment", "gdp growth", "access to electricity", "foreign direct investment"}
"""Quantities that take no article before an amount."""
_MASS = re.compile(r"(?:consumption|production|expenditure|spending|coverage|debt|use|employment|poverty)$")
_CAPITALS = re.compile(r"\b(?:gdp|gni|gnp|fdi|hiv|aids|ppp|co2|ch4|n2o|ghg|pm2\.5|pm10|ict|r&d|us)\b")
_VOWEL = re.compile(r"[aeio]|HIV|N2O|un(?!i)|u[^ns]")
_DIGITS = re.compile(r"(?<![\d.,])\d{4,}(?![\d,])")
_MONEY = re.compile(r"[$€£¥₹]|\b(?i:dollars?|usd|euros?|pounds?|yen|rupees?)\b|\b[A-Z]{3}\b")


def condition_words(condition: Condition, unit: Unit | None = None) -> str:
    """``a GDP of over $4 trillion``, ``life expectancy higher than Japan's``; ``unit`` is the published one."""
    what = capitals(condition.measure.text)
    if condition.threshold is None:
        whose = possessive(condition.reference.label) if condition.reference else ""
        return f"{what} {_THAN.get(condition.comparator, '')} {whose}"
    bound = _amount(condition.threshold.text, unit)
    if not _AMOUNT.match(bound):
        return f"{what} {bound}"
    return f"{_article(condition.measure.text, what)}{what} of {bound}"


def capitals(text: str) -> str:
    """A quantity's words with its abbreviations in capitals: ``GDP per capita``."""
    return _CAPITALS.sub(lambda found: found[0].upper(), text)


def _amount(bound: str, unit: Unit | None) -> str:
    """``bound`` as it stands behind "of", digits grouped, with the currency where only the publisher tells it."""
    for form, said in _BOUND:
        bound = form.sub(said, bound)
    bound = _DIGITS.sub(lambda found: f"{int(found[0]):,}", bound)
    sign = SIGNS.get(unit.currency or "") if unit is not None and unit.kind is UnitKind.CURRENCY else None
    return bound if sign is None or _MONEY.search(bound) else re.sub(r"(?<![\d.,])(?=\d)", sign, bound)


def _article(text: str, what: str) -> str:
    plural = text.endswith("s") and not text.endswith(("ss", "is", "us"))
    if plural or text.casefold() in _NO_ARTICLE or _MASS.search(text):
        return ""
    return "an " if _VOWEL.match(what) else "a "
