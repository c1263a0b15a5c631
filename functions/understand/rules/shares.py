"""Bounds on a share: "T0 of the population has X", "spends T0 of gdp on X"."""

from __future__ import annotations

import re

from functions.understand.measures import measure, trimmed
from functions.understand.rules.residue import quantity, without_marks
from shared.query.readings import (
    MeasureMention,
    Threshold,
)

_OF_WHOLE = re.compile(
    r"\bT\d+ (?:(?:of|in) |(?=the |its |their |all ))(?:the |its |their |all |"
    r"E\d+'s? )*(?P<whole>population|people|citizens|inhabitants|adults|households|land(?: area)?|"
    r"area|territory|gdp|national income)\b"
)
_SPENT = re.compile(r"\bspen[dt]|\binvest|\bdevot|\bgo(?:es)? (?:to|on)\b")
_CONDITION_FORM = (
    r"\b(?:with|that|which|whose|where|who|had|have|has|having|were|was|are|is|a|an|"
    r"the|in|there|list|of|all|name|give|show|find|their|its|get|got|see|saw|"
    r"experienced|reached|rose|exceeded|places|less|more|also|but|both|and|does|did|"
    r"do|at the same time)\b"
)


def bounded_share(piece: str, threshold: Threshold) -> MeasureMention | None:
    """For "T0 of the population has X" and "spends T0 of gdp on X": the share that the bound is held against."""
    whole = _OF_WHOLE.search(piece)
    if whole is None or threshold.unit not in {"%", None}:
        return None
    before, after = piece[: whole.start()], piece[whole.end() :]
    if whole["whole"] in {"gdp", "national income"}:
        rest = re.sub(
            r"\b(?:spen[dt]s?|spending|invest(?:s|ed)?|devotes?d?|go(?:es)?|exceeds?|exceeded)\b",
            " ",
            f"{before} {after}",
        )
        what = re.sub(_CONDITION_FORM, " ", without_marks(rest))
        named = measure(f"spending on {trimmed(what)}") if _SPENT.search(piece) else measure(what)
        if named is None:
            return None
        return (
            named
            if named.text.endswith("(% of gdp)")
            else MeasureMention(text=f"{named.text} (% of gdp)", share=True)
        )
    lead = quantity(before, _CONDITION_FORM)
    if lead is not None and not trimmed(without_marks(after)):
        return MeasureMention(text=lead.text, share=True)
    return measure(f"share of {whole['whole']} {without_marks(after)}")
