"""Conditions whose bound is another place's figure: "more people than E0", "richer than E0"."""

from __future__ import annotations

import re

from functions.understand.rules.comparing import COMPARATIVE, compared_adjective, compared_measure
from functions.understand.scan import Scan
from shared.query.readings import Comparator, Condition, Direction

_THAN = re.compile(r"\bthan\s(?:that of\s|those of\s|in\s|people in\s|the\s|it is in\s)*(?P<of>E\d+)\b")
_EXCEEDS = re.compile(
    r"\b(?:exceed(?:s|ed|ing)?|surpass(?:es|ed|ing)?|outnumbers?)\s(?:that of\s|the\s)*(?P<of>E\d+)\b"
)
_WORDS = re.compile(
    r"\b(?:which|what|who|where|list|all|name|find|show|how many|number of|the number of|count|"
    r"with|that|whose|have|has|had"
    r"|having|are|is|were|was|a|an|exceed(?:s|ed|ing)?|surpass(?:es|ed|ing)?|outnumbers?|there|in it)\b|\bG\d+\b"
)


def conditions_against(scan: Scan, text: str) -> tuple[Condition, ...]:
    """The one condition against another place's figure, or none when the question holds no such bound."""
    marks = scan.marks("E")
    held = _THAN.search(text) or _EXCEEDS.search(text)
    if held is None or len(marks) != 1 or scan.bounds:
        return ()
    compared = COMPARATIVE.search(text)
    adjective = compared_adjective(text)
    if _THAN.search(text) and compared is None and adjective is None:
        return ()
    measure = compared_measure(scan, _WORDS.sub(" ", text))
    if measure is None:
        return ()
    high = adjective[1] is Direction.HIGHEST if adjective else not (compared and compared["fewer"])
    comparator = Comparator.GREATER if high else Comparator.LESS
    return (Condition(measure=measure, reference=scan.name(marks[0]), comparator=comparator),)
