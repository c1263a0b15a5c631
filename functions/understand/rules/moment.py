"""Questions for the moment at which a figure passed a bound: no reading holds them, its course comes nearest."""

from __future__ import annotations

import re

from functions.understand.measures import is_known
from functions.understand.rules.comparing import COMPARATIVE
from functions.understand.rules.residue import quantity
from functions.understand.scan import Scan
from shared.runtime.errors import CannotRead

_WHEN = re.compile(
    r"^(?:when|since when|(?:in |by |around |since |during )?(?:what|which) (?:year|decade|month))\s"
    r"(?:did|will|does|do|was|were|is|has|have|had|would)\b"
)
_PASSED = re.compile(
    r"\b(?:pass(?:es|ed)?|overt(?:ake|ook|akes|aken)|exceed(?:s|ed)?|surpass(?:es|ed)?|reach(?:es|ed)?|cross(?:es|ed)?|"
    r"hit|become|became|get|got|first|ever|peak(?:ed)?|top|be|at|fall|drop|rise|its|for)\b|\bT\d+\b"
)


def refuse_moment(scan: Scan) -> None:
    """Raises ``CannotRead`` for a question that asks when, with the figure's course as the form that works."""
    asked = _WHEN.match(scan.masked)
    if asked is None:
        return
    names = [scan.name(mark).label for mark in scan.marks("E")]
    rest = COMPARATIVE.sub(" ", _PASSED.sub(" ", scan.masked[asked.end() :]))
    wanted = quantity(rest, r"\b(?:highest|lowest|largest|smallest|greatest|most|least)\b")
    of_people = any(bound.unit == "people" for bound in scan.bounds)
    measure = (
        wanted.text if wanted and is_known(wanted.text) else "population" if of_people or not wanted else "GDP"
    )
    whose = " vs ".join(names[:2]) or "Kenya"
    raise CannotRead(
        "it asks for the moment when something happened, and I can show how a figure moved over the years",
        [f"{measure} of {whose} since 1990", f"How has the {measure} of {names[0] if names else 'Kenya'} changed?"],
    )
