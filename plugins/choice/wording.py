"""The wording of quantities, brought to one form so that words can be compared as sets."""

from __future__ import annotations

import re
from functools import lru_cache

_PHRASES: tuple[tuple[str, str], ...] = (
    (r"\bper (person|head|inhabitant|citizen|resident)\b|\bper-capita\b", "per capita"),
    (r"\bgross domestic product\b", "gdp"),
    (r"\bgross national (income|product)\b|\bgnp\b", "gni"),
    (r"\bcarbon dioxide\b|\bco₂\b|\bcarbon emissions\b", "co2"),
    (r"\bpoverty headcount( ratio)?\b", "poverty rate"),
    (r"\bforeign direct investments?\b", "fdi"),
    (r"\bpurchasing[ -]power[ -]parity\b", "ppp"),
    (r"\blabour\b", "labor"),
    (r"\bfertilis", "fertiliz"),
    (r"\bout of[ -]school\b", "outofschool"),
    (r"\bunder[ -]?(five|5)s?\b|\bchildren under (five|5)\b", "under5"),
    (r"\b(women|woman|girls?|females?)('s)?\b", "female"),
    (r"\b(men|man|boys?|males?)('s)?\b", "male"),
    (r"\b(youth|youths|young people|young)\b", "youth"),
    (r"\b(percent|per cent|percentage|proportion|fraction|share)\b|%", "share"),
    (r"\b(unemployed|jobless|joblessness)\b", "unemployment"),
    (r"\bspending\b|\bexpenditures\b|\bexpenses?\b", "expenditure"),
    (r"\b(defence|defense)\b", "military"),
    (r"\bcities\b|\btowns\b", "urban"),
    (r"\b(elderly|old people|seniors|over 65|65 and (older|over|above)|65\+)\b", "65 above"),
)  # fmt: skip
_COMPILED = tuple((re.compile(pattern), to) for pattern, to in _PHRASES)

LIGHT = frozenset(
    re.findall(
        r"\S+",
        """a an and as at by for from in is it its of on or that the their to with how what which many much do does
        are was were there have has number total level levels amount overall rate ratio value people country nation
        size live living lives annual yearly figure data statistic average current latest""",
    )
)
"""Words that do not tell one quantity from another."""

TURNING = frozenset(
    re.findall(
        r"\S+",
        """growth change increase decrease capita share female male youth rural urban ppp real constant index adult
        primary secondary tertiary gap deficit surplus per density import export gdp gni debt infant under5 neonatal
        maternal birth death net gross poor public private deflator below above half relative dependency
        national""",
    )
)
"""Words that make another quantity of the one they stand beside: both sides must have them, or neither."""


def _stem(word: str) -> str:
    if len(word) > 4 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


@lru_cache(maxsize=8192)
def plain(text: str) -> str:
    """Lower case, one spelling, single spaces: the form in which phrases are equal."""
    lowered = text.lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    for pattern, to in _COMPILED:
        lowered = pattern.sub(f" {to} ", lowered)
    return " ".join(re.findall(r"[a-z0-9.$]+", lowered.replace("'s", "")))


@lru_cache(maxsize=8192)
def key(text: str) -> str:
    """The form in which two phrases are the same: content words stemmed, in order."""
    return " ".join(_stem(word) for word in plain(text).split() if word not in LIGHT)


@lru_cache(maxsize=8192)
def words(text: str) -> frozenset[str]:
    """The content words of a phrase."""
    return frozenset(key(text).split())


def same(one: str, other: str) -> bool:
    """Whether two phrases say the same: equal content words in order, or, of light words only, equal words."""
    return key(one) == key(other) if key(one) else plain(one) == plain(other) != ""
