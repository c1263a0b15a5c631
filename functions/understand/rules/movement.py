"""Words for a quantity that moves over time."""

from __future__ import annotations

import re

from functions.understand.scan import Scan
from shared.query.readings import (
    PeriodAsked,
    PeriodKindAsked,
)

AUXILIARY_START = re.compile(
    r"^(?:is|are|was|were|does|do|did|has|have|had|will|would|can|could|isn't|am|is it true that|"
    r"is it the case that|is there|are there)\b"
)


def one_year(period: PeriodAsked) -> bool:
    """Whether a single year was named."""
    return period.kind is PeriodKindAsked.YEAR


def is_trend_question(scan: Scan) -> bool:
    """Whether a yes-or-no question asks for a movement ("has X been rising?")."""
    return bool(AUXILIARY_START.match(scan.masked) and _TREND_VERB.search(scan.masked))


_TREND_VERB = re.compile(
    r"\b(?:going (?:up|down)|gone (?:up|down)|go (?:up|down)|went (?:up|down)|ris(?:e|en|ing)|"
    r"rose|fall(?:en|ing)?|fell|gr(?:ow|ew|own|owing)|increas(?:e|ed|ing)|decreas(?:e|ed|ing)|"
    r"declin(?:e|ed|ing)|improv(?:e|ed|ing)|chang(?:e|ed|ing)|shr(?:ink|ank|unk|inking)|"
    r"drop(?:ped|ping)?|worsen(?:ed|ing)?|get(?:ting)? (?:better|worse|richer|poorer|older|higher|"
    r"lower|bigger|smaller|hotter|warmer|larger)|becom(?:e|ing) (?:richer|poorer|older|better|"
    r"worse)|gotten (?:better|worse|richer|poorer|older)|recover(?:ed|ing)?|plung(?:e|ed)|"
    r"soar(?:ed|ing)?|stagnat(?:e|ed|ing)|stable|expand(?:ed|ing)?|contract(?:ed|ing)?)\b"
)
