"""What remains of a masked question when its marks and the words of its form are taken out."""

from __future__ import annotations

import re

from functions.understand.measures import measure
from shared.query.readings import MeasureMention

_PREP = (
    r"(?:(?:in|of|for|from|to|into|by|within|across|at|on|among|throughout|inside|between|with|"
    r"than|around|per|over|as of|compared to|amongst|outside)\s"
    r"(?:that\s(?:of|in)\s|those\s(?:of|in)\s|all\s(?:of\s)?)?)"
)
_MARK = r"(?:E|G)\d+(?:'s?)?"
_MARKS = re.compile(
    rf"(?:,?\s?\b{_PREP})?(?:\b(?:the|whole|entire|all|both|either|country of|today's)\s)*\b{_MARK}"
    rf"(?:(?:\s?,\s?(?:and|or|vs|&)?|\s(?:and|or|vs|&|nor))\s?(?:{_PREP})?(?:the\s)?{_MARK})*"
)
_OWNED = re.compile(r"(?:\bthe\s)?\b(?:E|G)\d+'s?(?=\s|$)")
_TIMES = re.compile(
    r"(?:,?\s?\b(?:in|of|for|from|to|by|at|on|during|as of|back in|than|and|between|over|"
    r"since)\s)?(?:the\s)?\bY\d+(?:(?:\s(?:and|to|than|vs|or)|,)\s?(?:in\s)?Y\d+)*"
)
_BOUNDS = re.compile(
    r"\b(?:of|at|is|are|was|were|by|with|to|reached|hit|go|goes|went|get|gets|rise|rose|fall|"
    r"fell)?\s?\bT\d+(?:\s+(?:live births|births|people|inhabitants|persons|women)\b)?"
)
_HOW = re.compile(
    r"\bhow (?P<adj>high|low|bad|severe|serious|common|prevalent|widespread|frequent|good|strong|"
    r"steep|deep|big|large|great|massive|huge|small|sizeable) (?P<verb>is|are|was|were|did|does|"
    r"has|have|had|will)\b(?P<rest>.*)$"
)
_ALONG = re.compile(
    r"\b(?:on average|on the whole|in general|in total|altogether|all in all|all told|typically|"
    r"usually|in all|as a whole|combined together|by the way|per se|per year|a year|each year|"
    r"every year|annually|yearly"
    r"|(?:measured |expressed )?in (?:us |american |u\.s\. )?dollars|in usd|in us\$|"
    r"in (?:terms of )?(?:absolute|real|nominal) (?:terms|numbers)|in numbers|in comparison|"
    r"these days|in the end|at birth|in the whole world|do they|do you think|estimated to be|"
    r"there)\b"
)


_PART_OF = re.compile(
    r"\b(?:how much|share|percentage|percent|proportion|fraction|part) of (?:the )?E\d+\s"
    r"(?=(?:is|are|was|were|has|have|had|uses?|lives?) )"
)


def without_marks(masked: str) -> str:
    """``masked`` without names, populations, times and bounds and the prepositions that tie them in."""
    text = _PART_OF.sub("share of it ", masked)
    text = _BOUNDS.sub(" ", _TIMES.sub(" ", text))
    text = _MARKS.sub(" ", _OWNED.sub(" ", text))
    text = _ALONG.sub(" ", text)
    how = _HOW.search(re.sub(r"\s+", " ", text).strip())
    if how:
        rest = how["rest"].strip()
        size = how["adj"] in {"big", "large", "small", "huge", "great", "massive", "sizeable"}
        plain = re.sub(r"^(?:the|a|an)\s", "", rest)
        text = how.string[: how.start()] + (plain if plain.strip(" .,?") else (how["adj"] if size else ""))
    return re.sub(r"\s+", " ", text).strip()


def quantity(masked: str, *forms: str | re.Pattern[str]) -> MeasureMention | None:
    """The measure left in ``masked`` once ``forms`` (the words of the question's form) are taken out as well."""
    text = masked
    for form in forms:
        text = re.sub(form, " ", text)
    return measure(without_marks(text))
