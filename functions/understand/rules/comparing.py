"""Words that hold two figures against each other: "more", "richer", "more densely populated"."""

from __future__ import annotations

import re

from functions.understand.measures import measure
from functions.understand.rules import signals
from functions.understand.rules.membership import kind_of
from functions.understand.rules.residue import quantity
from functions.understand.scan import Scan
from shared.query.quantity import PlaceKind
from shared.query.readings import (
    Direction,
    MeasureMention,
)

MORE = (
    r"higher|greater|larger|bigger|longer|taller|older|faster|stronger|better|heavier|hotter|"
    r"richer|wealthier|denser|steeper|wider|warmer|more|above|ahead|increased?"
)
FEWER = (
    r"lower|fewer|less|smaller|shorter|younger|slower|weaker|poorer|cheaper|cooler|colder|"
    r"worse|sparser|below|behind"
)
COMPARATIVE = re.compile(rf"\b(?:(?P<more>{MORE})|(?P<fewer>{FEWER}))\b")
PLAIN = {
    "richer": "rich",
    "wealthier": "wealthy",
    "poorer": "poor",
    "denser": "dense",
    "safer": "safe",
    "healthier": "healthy",
    "sparser": "sparse",
}
_COMPARED_ADJECTIVE = re.compile(
    r"\b(?P<word>richer|wealthier|poorer|denser|sparser|safer|healthier)\b|\b(?P<degree>more|"
    r"less)\s(?P<adj>(?:(?:densely|sparsely|thinly|heavily)[ -])?[a-z-]+)\b"
)


def compared_measure(scan: Scan, text: str) -> MeasureMention | None:
    """The measure of a comparing question: its own noun, else what its adjective means."""
    plain = re.sub(r"\bwhich (?:of (?:these|the) )?(?:\w+ )?G\d+\b", " ", text)
    adjective = compared_adjective(plain)
    if adjective:
        plain = _COMPARED_ADJECTIVE.sub(" ", plain)
        plain = re.sub(
            r"\b(?:richest|poorest|wealthiest)\b|\b(?:most|least) " + re.escape(adjective[0]), " ", plain
        )
    keep_long = bool(re.search(r"\b(?:live|lives|living)\b", plain))
    plain = (
        re.sub(
            r"\b(?:people|citizens|inhabitants) (?:live|living|are there|are)\b(?=.*\b(?:in|than)\b)",
            "people",
            plain,
        )
        if not re.search(r"\blonger\b", plain)
        else plain
    )
    stripped = _COMPARATIVE_WORD.sub(
        lambda m: m.group() if keep_long and m.group() in {"longer", "older"} else " ", plain
    )
    wanted = quantity(
        re.sub(
            r"\bin terms of\b|\bwhen it comes to\b|\bin comparison\b|\bwith respect to\b|\bby\b|"
            r"\bmeasured\b|\bregarding\b",
            " ",
            stripped,
        ),
        _COMPARE_FORM,
    )
    if wanted and _GREW.fullmatch(wanted.text):
        return measure("population growth" if re.search(r"\bpopulations?\b", text) else "gdp growth")
    if wanted:
        return wanted
    if adjective:
        return signals.lexeme_measure(adjective[0])
    if re.search(r"\b(?:larger|bigger|smaller|large|big|largest|biggest|smallest|size)\b", plain):
        kinds = {kind_of(scan.name(mark)) for mark in scan.marks("E")}
        return measure("population" if kinds & {PlaceKind.CITY, PlaceKind.US_COUNTY} else "area")
    return None


def compared_adjective(text: str) -> tuple[str, Direction] | None:
    """As in "richer" and "more densely populated": the adjective and the end it asks for."""
    for match in _COMPARED_ADJECTIVE.finditer(text):
        word = PLAIN.get(match["word"] or "", match["adj"] or "")
        if signals.is_adjective(word):
            high = signals.adjective_rises(word) is (match["degree"] != "less")
            return word, Direction.HIGHEST if high else Direction.LOWEST
    order = signals.order_of(text)
    if order and order.lexeme:
        return order.lexeme, order.direction
    return None


_GREW = re.compile(r"(?:gr(?:ew|own|owing|ow|ows)|growth|expand(?:ed|s)?)(?: the)?")
_COMPARE_FORM = re.compile(
    r"\b(?:compar(?:e|es|ed|ing|ison|isons)|contrast|how do(?:es)?|stack up|measure up|fare|"
    r"side by side|which (?:one|of (?:them|these|the two))?|who|between|against|vs|has|have|had|"
    r"is|are|was|were|do|does|did|the|or|whose|than|that of|those of|both|each|respectively|"
    r"differ(?:ence)?s?|relative to|head to head|what about|how about|together|country|state|city|"
    r"company|nation)\b"
)
_COMPARATIVE_WORD = re.compile(
    rf"\b(?:{MORE}|{FEWER}|highest|lowest|largest|smallest|biggest|most|least|fewest|best|worst|greatest)\b"
)
