"""Whether a figure meets a bound or exceeds another figure."""

from __future__ import annotations

import re

from functions.understand.rules import signals
from functions.understand.rules.comparing import (
    COMPARATIVE,
    FEWER,
    MORE,
    compared_adjective,
    compared_measure,
)
from functions.understand.rules.movement import AUXILIARY_START
from functions.understand.rules.residue import quantity
from functions.understand.rules.shares import bounded_share
from functions.understand.scan import Scan
from shared.query.readings import (
    Comparator,
    Direction,
    MeasureMention,
    Reading,
    Threshold,
    YesNoReading,
)
from shared.runtime.errors import CannotRead

_YES_FORM = re.compile(
    r"^(?:is|are|was|were|does|do|did|has|have|had|will|would|can|could|it|true|that|there|"
    r"the case|in fact|really)(?:\s(?:it|true|that|there|the case|in fact|really|indeed|not)\b)*"
)
_AS_AS = re.compile(r"\bas (?:big|large|high|rich|many|much|populous|great|long|low|poor|small) (?:\w+ ){0,3}?as\b")
_SURPASS = re.compile(
    r"\b(?:exceed(?:s|ed)?|surpass(?:es|ed)?|overtak(?:e|es|en)|overtook|pass(?:ed|es)?|"
    r"outnumber(?:s|ed)?|outpace[sd]?|beat|beats|top(?:ped|s)?|catch(?:es)? up with|"
    r"caught up with)\b"
)


def yes_no(scan: Scan) -> Reading | None:
    """Whether a figure meets a bound, or exceeds another place's figure."""
    text = scan.masked
    if not AUXILIARY_START.match(text) or (scan.marks("G") and not signals.order_of(text)):
        return None
    marks = scan.marks("E")
    if not marks or re.search(r"\bor\b(?:\s(?:in|is|the|does|did|that of))*\s(?:the\s)?E\d", text):
        return None
    body = _YES_FORM.sub(" ", text)
    if scan.bounds:
        return _against_bound(scan, body, marks)
    if len(marks) == 2:
        return _against_other(scan, body, marks)
    return None


def _against_bound(scan: Scan, body: str, marks: list[str]) -> Reading | None:
    if len(marks) != 1:
        raise CannotRead("it holds a bound against several places at once", ["Is unemployment in Spain over 10%?"])
    if len(scan.bounds) > 1:
        raise CannotRead("it asks for two bounds at once", ["Is unemployment in Spain between 5% and 10%?"])
    threshold = scan.bounds[0]
    shared = bounded_share(body, threshold)
    if shared is not None:
        return YesNoReading(
            entity=scan.name(marks[0]),
            measure=shared,
            period=scan.period,
            threshold=threshold,
            comparator=threshold.comparator,
        )
    plain = re.sub(r"\bT\d+\s(?:of\s)?", " T0 ", body)
    plain = re.sub(
        rf"\b(?:{MORE}|{FEWER})\b|\b(?:exceed|surpass|reach|hit|pass|go|went|get|climb(?:ed)?|rise[n]?|rose|fall(?:en)?|fell|"
        rf"drop(?:ped)?|dipped|sunk|sank|declined|increased|decreased|risen|grown|already|yet|ever|"
        rf"been|be|ever|have|has|had|a|an)\b",
        " ",
        plain,
    )
    wanted = quantity(plain) or _of_unit(threshold)
    if wanted is None:
        return None
    return YesNoReading(
        entity=scan.name(marks[0]),
        measure=wanted,
        period=scan.period,
        threshold=threshold,
        comparator=threshold.comparator,
    )


def _of_unit(threshold: Threshold) -> MeasureMention | None:
    return MeasureMention(text="population") if threshold.unit == "people" else None


def _against_other(scan: Scan, body: str, marks: list[str]) -> Reading | None:
    compared = COMPARATIVE.search(body)
    surpass = _SURPASS.search(body)
    equal = _AS_AS.search(body)
    if not (compared and re.search(r"\bthan\b|\bvs\b", body)) and not surpass and not equal:
        return None
    first, second = marks
    wanted = compared_measure(
        scan,
        _SURPASS.sub(
            " ",
            _AS_AS.sub(
                lambda m: re.sub(
                    r"\bas (\w+)|\bas\b",
                    lambda n: f" {n[1] or ''} " if n[1] not in {None, "many", "much", "high"} else " ",
                    m.group(),
                ),
                body,
            ),
        ),
    )
    if wanted is None:
        return None
    comparator = Comparator.GREATER
    adjective = compared_adjective(body)
    if adjective:
        comparator = Comparator.GREATER if adjective[1] is Direction.HIGHEST else Comparator.LESS
    elif compared and compared["fewer"]:
        comparator = Comparator.LESS
    if equal and not compared:
        comparator = Comparator.AT_LEAST
    return YesNoReading(
        entity=scan.name(first), measure=wanted, period=scan.period, other=scan.name(second), comparator=comparator
    )
