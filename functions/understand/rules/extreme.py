"""The highest or lowest figure of named places over a span of years, with the year that it is of."""

from __future__ import annotations

import re

from functions.understand.rules import signals
from functions.understand.rules.residue import quantity
from functions.understand.scan import Scan, is_group, is_world
from shared.query.readings import Direction, PeriodAsked, PeriodKindAsked, Reading, TrendReading

_HIGH = r"highest|peak|maximum|max|greatest|largest|biggest|record high|best"
_LOW = r"lowest|minimum|min|smallest|record low|worst"
_EXTREME = re.compile(
    r"^(?:(?:what|how (?:high|low)) (?:is|was|were|has been|are)\s)?(?:the\s)?(?:E\d+'s\s)?(?:all[- ]time\s)?"
    rf"(?P<end>{_HIGH}|{_LOW})\b(?!\s\d)"
)
_EVER = re.compile(
    r"\b(?:ever|of all time|all[- ]time|in (?:its |their |recorded |the )?history|on record|since records began)\b"
)
_FORM = r"\b(?:what|is|was|were|are|has|have|had|been|the|level|point|value|figure|rate of|recorded|seen|reached)\b"


def extreme(scan: Scan) -> Reading | None:
    """A course with the end of it that is asked for; nothing where the members of a place are ranked."""
    match = _EXTREME.match(scan.masked)
    marks = scan.marks("E")
    if match is None or not marks or scan.marks("G") or scan.bounds:
        return None
    if any(is_group(scan.name(mark)) and not is_world(scan.name(mark)) for mark in marks):
        return None
    period = scan.period
    if _EVER.search(scan.masked):
        period = PeriodAsked(kind=PeriodKindAsked.ALL)
    elif not scan.spans:
        return None
    text = scan.masked[: match.start("end")] + scan.masked[match.end("end") :]
    wanted = quantity(_EVER.sub(" ", text), _FORM)
    if wanted is None:
        return None
    direction = Direction.LOWEST if re.fullmatch(_LOW, match["end"]) else Direction.HIGHEST
    if match["end"] in {"best", "worst"}:
        direction = signals.judged_direction(wanted.text, best=match["end"] == "best")
    return TrendReading(entities=tuple(map(scan.name, marks)), measure=wanted, period=period, extreme=direction)
