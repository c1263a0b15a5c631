"""How a measure of named places moved over a span."""

from __future__ import annotations

import re
from decimal import Decimal

from functions.understand.measures import is_known, measure
from functions.understand.rules import signals
from functions.understand.rules.difference import difference
from functions.understand.rules.movement import is_trend_question, one_year
from functions.understand.rules.residue import quantity
from functions.understand.scan import Scan
from shared.query.readings import (
    Comparator,
    MeasureMention,
    PeriodAsked,
    PeriodKindAsked,
    Reading,
    Threshold,
    TrendReading,
    YesNoReading,
)

_TREND_WORD = re.compile(
    r"\b(?:trends?|trending|trajectory|evolution|evolv(?:e|ed|ing)|histor(?:y|ical)|"
    r"development of|course of|time ?series|over (?:time|the (?:years|decades|ages))|year (?:by|"
    r"over|on) year|annual(?:ly)? from|progression|path of|timeline)\b"
)
_HOW_CHANGED = re.compile(
    r"\bhow (?:has|have|had|did|does|do|is|are|was|were|fast (?:has|have|did)|quickly (?:has|have|"
    r"did))\b.*\b(?:chang|grow(?!th)|grew|evolv|develop|mov|increas|decreas|ris|rose|fall|fell|declin|"
    r"progress|improv|vari|vary|shr[aiu]nk|drop|behav|trend|fluctuat|fare|perform|expand)\w*\b"
)
_TREND_FORM = (
    r"\b(?:how|has|have|had|did|does|do|is|are|was|were|been|being|be|the|a|an)\b|\b(?:trends?|"
    r"trending|trajectory|evolution|evolv\w+|history|historical(?:ly)?|developing|evolving|"
    r"trending|what happened to|happened to|developments?|developed|develop|course|time ?series|"
    r"progression|timeline|year (?:by|over|on) year)(?: (?:of|in|for))?\b"
    r"|\b(?:chang(?:e|es|ed|ing)|gr(?:own|ew|owing|ow)|increas(?:e|es|ed|ing)|decreas(?:e|es|ed|"
    r"ing)|risen|rising|rose|rise|fallen|falling|fell|fall|declin(?:e|es|ed|ing)|progress(?:ed|"
    r"ing)?|improv(?:e|ed|ing)|vari(?:ed|es)|vary|shr(?:ank|unk|ink|inking)|drop(?:ped|ping)?|"
    r"behaved?|fluctuat(?:e|ed|ing)|moved?|gone|going|go|went|fared?|performed?|expand(?:ed|ing)?|"
    r"worsen(?:ed|ing)?|stable|up|down|getting|gotten|better|worse|recover(?:ed|ing)?|soar(?:ed|"
    r"ing)?|plung(?:e|ed)|stagnat(?:e|ed|ing)|quickly|fast|steadily|rapidly|over the (?:years|"
    r"decades)|annually|annual)\b"
    r"|\b(?:graph|chart|plot|show|compare[sd]?|comparison|vs|values?|figures?|numbers|"
    r"for each year|every year|each year|yearly)\b"
)


def trend(scan: Scan) -> Reading | None:
    """How a measure of named places moved over a span."""
    text = scan.masked
    marks = scan.marks("E")
    if scan.bounds or scan.marks("G") or not marks:
        return None
    moving = bool(_TREND_WORD.search(text) or _HOW_CHANGED.search(text) or is_trend_question(scan))
    if not (moving or scan.spans or scan.chart) or difference(scan) is not None:
        return None
    if is_trend_question(scan) and one_year(scan.period):
        return _moved_in_year(scan, text, marks)
    if one_year(scan.period) and not moving:
        return None
    wanted = _moving_measure(text, moving=moving)
    if wanted is None:
        return None
    period = scan.period
    if period.kind in {PeriodKindAsked.LATEST, PeriodKindAsked.YEARS_AGO}:
        period = PeriodAsked(kind=PeriodKindAsked.ALL) if period.kind is PeriodKindAsked.LATEST else _since(period)
    return TrendReading(entities=tuple(scan.name(mark) for mark in marks), measure=wanted, period=period)


def _since(period: PeriodAsked) -> PeriodAsked:
    return PeriodAsked(kind=PeriodKindAsked.LAST_YEARS, count=(period.count or 0) + 1, text=period.text)


def _moving_measure(text: str, *, moving: bool) -> MeasureMention | None:
    whole = quantity(
        re.sub(
            r"\b(?:trends?|history|evolution|development|time ?series|course|timeline) (?:of|in|for)\b", " ", text
        ),
        r"\b(?:graph|chart|plot|show|compare|vs|historical|over the (?:years|decades))\b",
    )
    if whole and is_known(whole.text):
        return whole
    named = (
        quantity(text, _TREND_FORM)
        if moving or re.search(r"\b(?:grow|ris|rose|fall|fell|chang|increas)", text)
        else quantity(
            text,
            r"\b(?:graph|chart|plot|show|compare|comparison|vs|values?|figures?|over the (?:years|"
            r"decades)|annual|yearly|each year)\b",
        )
    )
    if named and signals.is_adjective(named.text):
        return signals.lexeme_measure(named.text)
    if named is None and re.search(r"\b(?:gr(?:own|ew|owing|ow|owth))\b", text):
        return measure("gdp")
    return named or whole


def _moved_in_year(scan: Scan, text: str, marks: list[str]) -> Reading | None:
    """As in "Did the economy of E0 shrink in 2020?": held against the published growth rate."""
    if len(marks) != 1:
        return None
    wanted = quantity(text, _TREND_FORM)
    growth = signals.growth_of(wanted.text) if wanted else None
    if growth is None:
        return None
    shrinking = re.search(r"\b(?:shr[iau]nk|fall|fell|declin|decreas|contract|drop|down)\w*", text)
    comparator = Comparator.LESS if shrinking else Comparator.GREATER
    return YesNoReading(
        entity=scan.name(marks[0]),
        measure=MeasureMention(text=growth),
        period=scan.period,
        comparator=comparator,
        threshold=Threshold(
            comparator=comparator, value=Decimal(0), unit="%", text="less than 0%" if shrinking else "more than 0%"
        ),
    )
