"""One measure of several places that the question names."""

from __future__ import annotations

import re

from functions.understand.measures import is_known
from functions.understand.rules import signals
from functions.understand.rules.comparing import (
    COMPARATIVE,
    compared_adjective,
    compared_measure,
)
from functions.understand.rules.residue import without_marks
from functions.understand.scan import Scan
from shared.query.readings import (
    ComparisonReading,
    Direction,
    Reading,
)
from shared.runtime.errors import CannotRead


def _two_quantities(text: str) -> bool:
    left, _, right = text.partition(" vs ")
    return is_known(without_marks(left)) and is_known(without_marks(right))


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
    if " vs " in text and _two_quantities(text):
        raise CannotRead(
            "it sets two quantities and several places against each other at once",
            ["poverty rate of Kenya vs Ghana", "correlation between poverty and unemployment across countries"],
        )
    if order and order.judged:
        direction = signals.judged_direction(wanted.text, best="worst" not in text)
    adjective = compared_adjective(text)
    if adjective:
        direction = adjective[1]
    return ComparisonReading(
        entities=tuple(scan.name(mark) for mark in marks), measure=wanted, period=scan.period, direction=direction
    )
