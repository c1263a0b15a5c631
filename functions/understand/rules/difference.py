"""The difference of two places at one time, or of one place at two times."""

from __future__ import annotations

import re

from functions.understand.rules.comparing import (
    FEWER,
    MORE,
    compared_measure,
)
from functions.understand.rules.movement import AUXILIARY_START
from functions.understand.rules.residue import quantity
from functions.understand.scan import Scan
from shared.query.readings import (
    DifferenceReading,
    MeasureMention,
    PeriodKindAsked,
    Reading,
)

_CHANGE = (
    r"(?:chang(?:e|ed|ing)|gr(?:ow|ew|own|owing)|increas(?:e|ed|ing)|r(?:ise|ose|isen|"
    r"ising)|f(?:all|ell|allen|alling)|decreas(?:e|ed|ing)|declin(?:e|ed|ing)|drop(?:ped|"
    r"ping)?|improv(?:e|ed|ing)|shr(?:ink|ank|unk|inking)|go(?:ne)? (?:up|down)|went (?:up|"
    r"down)|climb(?:ed)?|expand(?:ed)?|worsen(?:ed)?|reduced?)"
)
_GAP = re.compile(r"\b(?:differences?|differential|differ|gap|disparity|discrepancy|spread|margin|far apart)\b")
_GAP_FORM = (
    r"\b(?:what|is|was|the|absolute|relative|percentage|percent|size of|how (?:big|large|"
    r"wide|great)|differences?|differential|differ|gap|disparity|discrepancy|spread|"
    r"margin|how far apart|far apart|between|calculate|compute|show)\b"
)
_MUCH_MORE = re.compile(
    rf"\bhow (?:much|many|far)(?: percent(?:age points?)?| percentage)? (?:more|less|fewer|{MORE}|"
    rf"{FEWER})\b|\bby how (?:much|many)\b|\bhow (?:much|many) (?:percent(?:age points?)?|%|years|"
    rf"dollars|people|points)\s(?:is|was|are|were|more|less|{MORE}|{FEWER})\b|\bby what (?:amount|"
    rf"margin|percentage|percent)\b|\bhow far (?:ahead|behind)\b"
)
_CHANGE_IN = re.compile(
    r"^(?:what (?:is|was|were|has been)\s)?(?:the\s)?(?:(?:total|overall|net|absolute|"
    r"percent(?:age)?|relative|%)\s)*(?P<word>changes?|increase|decrease|growth|decline|drop|rise|"
    r"fall|reduction|improvement|gain|loss|jump)\s(?:in|of)\s"
)
_CHANGE_NOUN = r"\b(?:change|increase|decrease|decline|drop|loss|gain)\b"
_CHANGE_THEN = re.compile(rf"{_CHANGE_NOUN}\s(?:between |from |in |over |since )?(?:the )?(?:years )?Y\d")
_PERCENT_CHANGE = re.compile(
    r"\b(?:percent(?:age)?|%|relative|proportional)[ -](?:change|increase|growth|decrease|decline|"
    r"drop|rise|fall|difference|reduction)\b|\bby what (?:percent|percentage|proportion)\b|"
    r"\bin (?:percent|percentage)(?: terms)?\b|\bhow many percent\b(?! ?age points)|"
    r"\bwhat percent(?:age)?\s(?:has|have|did|does)\b|\bby how many percent\b(?!age points)|"
    r"\bas a percentage\b|\bpercentage[- ]wise\b"
)
_MUCH_CHANGED = re.compile(
    rf"\b(?:how (?:much|many|far)|by how (?:much|many)|by what (?:percent|percentage|amount|"
    rf"proportion)|what percent(?:age)?)\b.*\b{_CHANGE}\b"
)


_GAINED = re.compile(
    r"^(?:by )?how (?:many|much)\b(?P<what>.*?)\s?\b(?:has|have|had|did|does|do)\s(?P<whose>.*\bE\d+.*?)\s"
    r"(?:gain|add|lose|shed|win|lost|gained|added|put on|lop off|knock off|cut|raise)(?:ed)?\b(?P<after>.*)$"
)
_GAIN_UNIT = re.compile(
    r"\bpercent(?:age)? points?\b|\b(?:percent|%|points?|years?|dollars?|tonnes|tons|square kilomet(?:re|er)s|"
    r"sq\.? ?km|km2|hectares)\b|\b(?:more|fewer|extra|additional|new|of)\b"
)


def _gained(scan: Scan, text: str, marks: list[str]) -> Reading | None:
    """As in "How many years of life expectancy did E0 gain": what was gained is the change of a figure."""
    match = _GAINED.match(text)
    if match is None:
        return None
    for words in (f"{match['whose']} {match['after']}", match["what"]):
        wanted = quantity(_GAIN_UNIT.sub(" ", words), r"\b(?:to|in) (?:its|their)\b")
        if wanted is not None and not re.fullmatch(r"its|their|people", wanted.text):
            if wanted.text == "forest area" and re.search(r"\bpercent|%", match["what"]):
                wanted = MeasureMention(text="forest area (% of land area)", share=True)
            return _different(scan, marks, wanted, relative=bool(re.search(r"\bpercent\b(?! ?age| points)", text)))
    if re.search(r"\b(?:people|inhabitants|residents)\b", match["what"]):
        return _different(scan, marks, MeasureMention(text="population"), relative=False)
    return None


def difference(scan: Scan) -> Reading | None:
    """The difference of two places at one time, or of one place at two times."""
    text = scan.masked
    marks = scan.marks("E")
    if scan.bounds or scan.marks("G") or not marks:
        return None
    relative = bool(_PERCENT_CHANGE.search(text))
    if (len(marks) == 2 and not scan.spans) or (len(marks) == 2 and len(scan.marks("Y")) < 2):
        if (
            _GAP.search(text)
            and not re.match(r"^how do(?:es)?\b", text)
            and not re.search(r"\bpay gap\b|\bgender gap\b", text)
        ):
            wanted = quantity(text, _PERCENT_CHANGE, _GAP_FORM)
            return _different(scan, marks, wanted, relative=relative)
        if _MUCH_MORE.search(text) and not AUXILIARY_START.match(text):
            wanted = compared_measure(
                scan,
                re.sub(
                    r"\bpercent(?:age)? points?\b",
                    " ",
                    re.sub(_MUCH_MORE, lambda m: _kept_comparative(m.group()), text),
                ),
            )
            return _different(scan, marks, wanted, relative=relative)
        return None
    if len(marks) != 1:
        return None
    return _over_time(scan, text, marks, relative=relative)


_YEARS_HELD = re.compile(r"\bY\d+ (?:vs|against) (?:in )?Y\d+\b")
_COMPARED_YEARS = re.compile(r"^(?:compare|contrast)\b.*\bY\d+(?: (?:and|vs|to|with) (?:in )?Y\d+)\b")


def _over_time(scan: Scan, text: str, marks: list[str], *, relative: bool) -> Reading | None:
    two = (
        scan.period.kind in {PeriodKindAsked.RANGE, PeriodKindAsked.SINCE, PeriodKindAsked.LAST_YEARS}
        or len(scan.times) == 2
    )
    gained = _gained(scan, text, marks) if two else None
    if gained is not None:
        return gained
    form = re.compile(
        rf"{_PERCENT_CHANGE.pattern}|{_MUCH_MORE.pattern}|\bby how (?:much|many)\b|\bhow (?:much|"
        rf"many|far)\b|\bwhat percent(?:age)?\b|\b(?:more|fewer|less|higher|lower|larger|bigger|"
        rf"smaller|greater)\b|\b{_CHANGE}\b|{_GAP_FORM}"
        r"|\b(?:total|overall|net|absolute|percent(?:age)?(?: points?)?|relative|percent|(?:years|"
        r"points) (?:did|has|have|does))\b|"
        r"\b(?:changes?|increase|decrease|growth|decline|drop|rise|fall|reduction|improvement|"
        r"gain|loss|jump)\s(?:in|of)\b|\bover the period\b|\bduring\b|\bup\b|\bdown\b"
    )
    if _MUCH_CHANGED.search(text) or (_PERCENT_CHANGE.search(text) and (two or "change" in text)):
        wanted = quantity(text, form)
        if scan.period.kind is PeriodKindAsked.LATEST and not scan.dated:
            return None
        return _different(scan, marks, wanted, relative=relative)
    if (
        two
        and (_GAP.search(text) or _MUCH_MORE.search(text))
        and not re.search(r"\b(?:pay|gender|poverty) gap\b", text)
    ):
        return _different(scan, marks, compared_measure(scan, re.sub(form, " ", text)), relative=relative)
    if two and _CHANGE_THEN.search(text) and not re.match(r"^(?:how|did|has|have|does|do|is|was)\b", text):
        return _different(scan, marks, quantity(text, form, _CHANGE_NOUN), relative=relative)
    if (len(scan.times) == 2 and _YEARS_HELD.search(text)) or _COMPARED_YEARS.search(text):
        held = quantity(_YEARS_HELD.sub(" ", text), form, r"\b(?:compare|compared|comparison|contrast|vs)\b")
        return _different(scan, marks, held, relative=relative)
    lead = _CHANGE_IN.match(text)
    if lead and two and lead["word"] not in {"growth", "changes"}:
        return _different(scan, marks, quantity(text, form), relative=relative)
    return None


def _kept_comparative(words: str) -> str:
    kept = re.search(r"\b(?:richer|wealthier|poorer|denser|longer|older)\b", words)
    return f" {kept.group()} " if kept else " "


def _different(scan: Scan, marks: list[str], wanted: MeasureMention | None, *, relative: bool) -> Reading | None:
    if wanted is None:
        return None
    return DifferenceReading(
        entities=tuple(scan.name(mark) for mark in marks), measure=wanted, period=scan.period, relative=relative
    )
