"""One measure of several places that the question names."""

from __future__ import annotations

import re

from functions.understand.rules import signals
from functions.understand.rules.comparing import (
    COMPARATIVE,
    compared_adjective,
    compared_measure,
)
from functions.understand.scan import Scan
from shared.query.readings import (
    ComparisonReading,
    Direction,
    Reading,
)


def comparison(scan: Scan) -> Reading | None:
    """One measure of several places that the question names."""
    marks = scan.marks("E")
    text = (
        re.sub(r"\bwhich (?:of (?:these|the) )?(?:\w+ )?G\d+\b|\bG\d+\b", " ", scan.masked)
        if len(marks) >= 2
        else scan.masked
    )
    if len(marks) < 2 or scan.bounds:
        return None
    direction: Direction | None = None
    compared = COMPARATIVE.search(text)
    order = signals.order_of(text)
    if compared:
        direction = Direction.HIGHEST if compared["more"] else Direction.LOWEST
    elif order:
        direction = order.direction
    wanted = compared_measure(scan, text)
    if wanted is None:
        return None
    adjective = compared_adjective(text)
    if adjective:
        direction = adjective[1]
    return ComparisonReading(
        entities=tuple(scan.name(mark) for mark in marks), measure=wanted, period=scan.period, direction=direction
    )
