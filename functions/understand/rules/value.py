"""One measure of one place."""

from __future__ import annotations

import re

from functions.understand.measures import is_known, measure, trimmed
from functions.understand.rules import signals
from functions.understand.rules.residue import quantity
from functions.understand.scan import Scan, as_asked
from functions.understand.spelling import vocabulary
from shared.query.readings import (
    ComparisonReading,
    MeasureMention,
    Reading,
    ValueReading,
)

_SECOND_NAME = re.compile(r"^(?P<what>.+) (?:and|vs) (?P<name>[a-z][a-z'-]+)$")


def value(scan: Scan) -> Reading | None:
    """One measure of one place."""
    marks = scan.marks("E")
    if len(marks) != 1 or scan.bounds or scan.marks("G") or scan.spans or len(scan.times) > 1:
        return None
    text = re.sub(
        r"^(?:is|are|was|were|does|do|did|has|have|had)\b(?P<rest>.*?)\b(?:high|low|a problem|"
        r"good|bad|large|big|small|an issue|common|strong|weak)\b",
        r"\g<rest>",
        scan.masked,
    )
    text = re.sub(
        r"^(?:tell(?: me)? (?:more |something )?about|me about|about|what about|how about|"
        r"how bad is|what can you tell me about)\b",
        " ",
        text,
    )
    wanted = quantity(text)
    if wanted is None:
        return None
    second = _SECOND_NAME.match(wanted.text)
    if second and is_known(second["what"]) and second["name"] not in vocabulary():
        return ComparisonReading(
            entities=(scan.name(marks[0]), as_asked(scan, second["name"])),
            measure=_must(second["what"]),
            period=scan.period,
        )
    if signals.is_adjective(wanted.text):
        wanted = signals.lexeme_measure(wanted.text)
    return ValueReading(entity=scan.name(marks[0]), measure=wanted, period=scan.period)


_UNKNOWN_OF = re.compile(
    r"^(?P<what>.+?)\s(?:of|in|for|from)\s(?:the\s)?(?P<name>[a-z][\w'.-]*(?:\s[a-z][\w'.-]*){0,3})$"
)
_UNKNOWN_OWNS = re.compile(
    r"^(?:what (?:is|was)\s)?(?:the\s)?(?P<name>[a-z][\w.-]*(?:\s[a-z][\w.-]*){0,2})'s\s(?P<what>.+)$"
)


def unknown_place(scan: Scan) -> Reading | None:
    """A figure of a name that nobody knows: the name is kept and nothing is guessed."""
    if scan.marks("E") or scan.marks("G") or scan.bounds:
        return None
    text = trimmed(re.sub(r"\bY\d+\b", " ", scan.masked))
    text = re.sub(r"^how many people (?:live|lived|are there|are) in ", "population of ", f"{text}")
    for pattern in (_UNKNOWN_OWNS, _UNKNOWN_OF):
        match = pattern.match(text)
        if match and is_known(match["what"]):
            words = match["name"].split()
            if any(word not in vocabulary() for word in words) and len(words) <= 3:
                return ValueReading(
                    entity=as_asked(scan, match["name"]), measure=_must(match["what"]), period=scan.period
                )
    words = text.split()
    for size in (1, 2):
        if len(words) <= size or len(words) > size + 4:
            continue
        for name, what in ((words[-size:], words[:-size]), (words[:size], words[size:])):
            if all(word not in vocabulary() for word in name) and is_known(" ".join(what)):
                return ValueReading(
                    entity=as_asked(scan, " ".join(name)), measure=_must(" ".join(what)), period=scan.period
                )
    return None


def _must(what: str) -> MeasureMention:
    named = measure(what)
    if named is None:
        raise LookupError(f"{what!r} was known and has no measure")
    return named
