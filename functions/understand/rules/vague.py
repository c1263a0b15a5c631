"""An aspect of a place with no one measure, or the place as a whole."""

from __future__ import annotations

import re

from functions.understand import idioms
from functions.understand.measures import is_known, measure, trimmed
from functions.understand.rules.residue import without_marks
from functions.understand.scan import Scan
from shared.query.readings import (
    Reading,
    VagueAspectReading,
)

_ABOUT = re.compile(
    r"^(?:(?:tell|teach|inform|educate)(?: me| us)?\s(?:more |something |everything |all |a bit |"
    r"a little )?about|what (?:can|could) you (?:tell|say)(?: me| us)? about|what do you (?:know|"
    r"want to know|have) (?:about|on)|what(?: is| are)? (?:interesting|notable|special|to know|"
    r"important) about|what should i know about|everything (?:about|on)"
    r"|(?:give|show|get|provide|write)?(?: me| us)?\s?(?:an? |the |some )?(?:short |brief |quick |"
    r"general |basic |key |main |country |statistical )*(?:overview|summary|profile|background|"
    r"facts|fact sheet|factsheet|information|info|data|statistics|stats|snapshot|description|"
    r"picture|introduction|report|details|key figures|figures)(?: of| on| about| for)|"
    r"(?:me )?about|describe|explain|learn about|more about|what about|how about|introduce|"
    r"summari[sz]e)\s(?:the\s)?(?P<rest>.+)$"
)
_HOW_IS = re.compile(
    r"^(?:how|what)(?: is| are| was| were| has been)(?: the)? (?P<rest>.+?)(?: (?:like|doing|"
    r"going|faring|performing|looking|developing|these days|right now))*$|"
    r"^what does (?:the )?(?P<look>.+?) look like$|^how (?:is|are|was) (?P<doing>.+?) (?:doing|"
    r"faring|performing)(?: (?:on|in) (?P<on>.+))?$"
)
_STATE = re.compile(
    r"^(?:the\s)?(?:(?:current|general|overall)\s)?(?:state|situation|condition|status|"
    r"health)\sof\s(?:the\s)?(?P<rest>.+)$"
)
_PROFILE = re.compile(
    r"^(?:the\s)?(?P<m>E\d+)(?:'s)?\s(?:overview|profile|summary|facts|info|information|data|"
    r"statistics|stats|country profile|at a glance|in numbers|fact sheet|key figures|"
    r"key indicators)$|^(?:the\s)?(?P<n>E\d+)$"
)


def vague_aspect(scan: Scan) -> Reading | None:
    """An aspect of a place with no one measure, or the place as a whole."""
    text = scan.masked
    marks = scan.marks("E")
    if len(marks) != 1 or scan.marks("G") or scan.bounds:
        return None
    entity = scan.name(marks[0])
    if _PROFILE.match(text):
        return VagueAspectReading(entity=entity, aspect="overview", period=scan.period)
    if re.match(r"^how healthy (?:is|are|was|were)\b", text):
        return VagueAspectReading(entity=entity, aspect="health", period=scan.period)
    about = _ABOUT.match(text)
    rest = about["rest"] if about else text
    state = _STATE.match(rest)
    rest = state["rest"] if state else rest
    how = _HOW_IS.match(rest)
    if how and not about:
        rest = how["rest"] or how["look"] or f"{how['doing']} {how['on'] or ''}"
    words = trimmed(without_marks(_strip_vague(rest)))
    if not words:
        return (
            VagueAspectReading(entity=entity, aspect="overview", period=scan.period)
            if about or how or state
            else None
        )
    several = _several(words) or (_compared(words) if text.startswith("compare ") else None)
    if several:
        return VagueAspectReading(entity=entity, aspect=several, period=scan.period)
    if re.match(r"^how (?:big|large|strong|fast|high|much|many)", text) or (scan.spans and not about):
        return None
    aspect = idioms.ASPECTS.fullmatch(words) or _first_aspect(words)
    if aspect:
        name = _ASPECT_NAMES.get(aspect["aspect"], aspect["aspect"])
        return VagueAspectReading(entity=entity, aspect=name, period=scan.period)
    if (
        about
        and not is_known(words)
        and not is_known(re.sub(r"^(?:different|various) (?:kinds|types|forms) of ", "", words))
    ):
        return VagueAspectReading(entity=entity, aspect=words, period=scan.period)
    return None


_ASPECT_NAMES = {
    "economically": "economy",
    "economics": "economy",
    "economic conditions": "economy",
    "economic condition": "economy",
    "economic development": "economy",
    "environmental situation": "environment",
    "environmental conditions": "environment",
    "state of the environment": "environment",
    "life": "quality of life",
    "living conditions": "quality of life",
    "health system": "health",
    "public health": "health",
    "education system": "education",
    "womens economic power": "gender",
    "women": "gender",
}


def _first_aspect(words: str) -> re.Match[str] | None:
    """Of "climate and environment", the first."""
    parts = re.split(r"\sand\s|,\s", words)
    found = [idioms.ASPECTS.fullmatch(part) for part in parts]
    return found[0] if len(found) > 1 and all(found) else None


def _strip_vague(text: str) -> str:
    return re.sub(
        r"\b(?:more|overview of|situation of|state of|data on|facts (?:on|about)|doing|performing|"
        r"faring|things|the)\b",
        " ",
        text,
    )


def _compared(words: str) -> str | None:
    """As in "Compare X with Y" of one place: both are shown."""
    parts = re.split(r"\s(?:with|to|and|vs)\s", re.sub(r"^compare\s", "", words))
    return _several(" and ".join(parts)) if len(parts) == 2 else None


def _several(words: str) -> str | None:
    """As in "population and gdp": two or more known quantities asked of one place."""
    parts = [
        part.strip()
        for part in re.split(r",\s?(?:and\s)?|\sand\s|\s&\s|\splus\s|\sas well as\s", words)
        if part.strip()
    ]
    if len(parts) < 2 or is_known(words):
        return None
    named = [measure(part) for part in parts]
    if not all(item is not None and is_known(part) for item, part in zip(named, parts, strict=True)):
        return None
    texts = list(dict.fromkeys(item.text for item in named if item is not None))
    return "; ".join(texts) if len(texts) > 1 else None
