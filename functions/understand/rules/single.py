"""Forms about one place: a figure, its course over time, or an aspect with no one measure."""

from __future__ import annotations

import re

from functions.understand import idioms
from functions.understand.measures import is_known, measure, trimmed
from functions.understand.rules import pairs, signals
from functions.understand.rules.residue import quantity, without_marks
from functions.understand.scan import Scan
from shared.query.readings import (
    Comparator,
    EntityMention,
    MeasureMention,
    PeriodAsked,
    PeriodKindAsked,
    Reading,
    Threshold,
    TrendReading,
    VagueAspectReading,
    ValueReading,
    YesNoReading,
)

# Vague ----------------------------------------------------------------------------------------------

_ABOUT = re.compile(
    r"^(?:(?:tell|teach|inform|educate)(?: me| us)?\s(?:more |something |everything |all |a bit |a little )?about|what (?:can|could) you (?:tell|say)(?: me| us)? about|what do you (?:know|want to know|have) (?:about|on)|what(?: is| are)? (?:interesting|notable|special|to know|important) about|what should i know about|everything (?:about|on)"
    r"|(?:give|show|get|provide|write)?(?: me| us)?\s?(?:an? |the |some )?(?:short |brief |quick |general |basic |key |main |country |statistical )*(?:overview|summary|profile|background|facts|fact sheet|factsheet|information|info|data|statistics|stats|snapshot|description|picture|introduction|report|details|key figures|figures)(?: of| on| about| for)|(?:me )?about|describe|explain|learn about|more about|what about|how about|introduce|summari[sz]e)\s(?:the\s)?(?P<rest>.+)$"
)
_HOW_IS = re.compile(
    r"^(?:how|what)(?: is| are| was| were| has been)(?: the)? (?P<rest>.+?)(?: (?:like|doing|going|faring|performing|looking|developing|these days|right now))*$|^what does (?:the )?(?P<look>.+?) look like$|^how (?:is|are|was) (?P<doing>.+?) (?:doing|faring|performing)(?: (?:on|in) (?P<on>.+))?$"
)
_STATE = re.compile(
    r"^(?:the\s)?(?:(?:current|general|overall)\s)?(?:state|situation|condition|status|health)\sof\s(?:the\s)?(?P<rest>.+)$"
)
_PROFILE = re.compile(
    r"^(?:the\s)?(?P<m>E\d+)(?:'s)?\s(?:overview|profile|summary|facts|info|information|data|statistics|stats|country profile|at a glance|in numbers|fact sheet|key figures|key indicators)$|^(?:the\s)?(?P<n>E\d+)$"
)


def vague_aspect(scan: Scan) -> Reading | None:
    """An aspect of a place with no one measure, or the place as a whole."""
    text = scan.masked
    marks = scan.marks("E")
    if len(marks) != 1 or scan.marks("G") or scan.bounds:
        return None
    entity = scan.name(marks[0])
    if _PROFILE.match(text):
        return VagueAspectReading(entity=entity, aspect="overview", period=scan.period)
    about = _ABOUT.match(text)
    rest = about["rest"] if about else text
    state = _STATE.match(rest)
    rest = state["rest"] if state else rest
    how = _HOW_IS.match(rest)
    if how and not about:
        rest = how["rest"] or how["look"] or f"{how['doing']} {how['on'] or ''}"
    words = trimmed(without_marks(_strip_vague(rest)))
    if not words:
        return (
            VagueAspectReading(entity=entity, aspect="overview", period=scan.period)
            if about or how or state
            else None
        )
    several = _several(words)
    if several:
        return VagueAspectReading(entity=entity, aspect=several, period=scan.period)
    if re.match(r"^how (?:big|large|strong|fast|high|much|many)", text) or scan.spans and not about:
        return None
    aspect = idioms.ASPECTS.fullmatch(words)
    if aspect:
        return VagueAspectReading(entity=entity, aspect=aspect["aspect"], period=scan.period)
    if about and not is_known(words):
        return VagueAspectReading(entity=entity, aspect=words, period=scan.period)
    return None


def _strip_vague(text: str) -> str:
    return re.sub(r"\b(?:more|overview of|situation of|state of|data on|facts (?:on|about)|the)\b", " ", text)


def _several(words: str) -> str | None:
    """ "population and gdp": two or more known quantities asked of one place."""
    parts = [
        part.strip()
        for part in re.split(r",\s?(?:and\s)?|\sand\s|\s&\s|\splus\s|\sas well as\s", words)
        if part.strip()
    ]
    if len(parts) < 2 or is_known(words):
        return None
    named = [measure(part) for part in parts]
    if not all(item is not None and is_known(part) for item, part in zip(named, parts, strict=True)):
        return None
    texts = list(dict.fromkeys(item.text for item in named if item is not None))
    return "; ".join(texts) if len(texts) > 1 else None


# Trend ----------------------------------------------------------------------------------------------

_TREND_WORD = re.compile(
    r"\b(?:trends?|trending|trajectory|evolution|evolv(?:e|ed|ing)|histor(?:y|ical)|development of|course of|time ?series|over (?:time|the (?:years|decades|ages))|year (?:by|over|on) year|annual(?:ly)? from|progression|path of|timeline)\b"
)
_HOW_CHANGED = re.compile(
    r"\bhow (?:has|have|had|did|does|do|is|are|was|were|fast (?:has|have|did|is)|quickly (?:has|have|did|is))\b.*\b(?:chang|grow|grew|evolv|develop|mov|increas|decreas|ris|rose|fall|fell|declin|progress|improv|vari|vary|shr[aiu]nk|drop|behav|trend|fluctuat|fare|perform|expand)\w*\b"
)
_TREND_FORM = (
    r"\b(?:how|has|have|had|did|does|do|is|are|was|were|been|being|be|the|a|an)\b|\b(?:trends?|trending|trajectory|evolution|evolv\w+|history|historical(?:ly)?|developments?|developed|develop|course|time ?series|progression|timeline|year (?:by|over|on) year)(?: (?:of|in|for))?\b"
    r"|\b(?:chang(?:e|es|ed|ing)|gr(?:own|ew|owing|ow)|increas(?:e|es|ed|ing)|decreas(?:e|es|ed|ing)|risen|rising|rose|rise|fallen|falling|fell|fall|declin(?:e|es|ed|ing)|progress(?:ed|ing)?|improv(?:e|ed|ing)|vari(?:ed|es)|vary|shr(?:ank|unk|ink|inking)|drop(?:ped|ping)?|behaved?|fluctuat(?:e|ed|ing)|moved?|gone|going|go|went|fared?|performed?|expand(?:ed|ing)?|worsen(?:ed|ing)?|stable|up|down|getting|gotten|better|worse|recover(?:ed|ing)?|soar(?:ed|ing)?|plung(?:e|ed)|stagnat(?:e|ed|ing)|quickly|fast|steadily|rapidly|over the (?:years|decades)|annually|annual)\b"
    r"|\b(?:graph|chart|plot|show|compare[sd]?|comparison|vs|values?|figures?|numbers|for each year|every year|each year|yearly)\b"
)


def trend(scan: Scan) -> Reading | None:
    """How a measure of named places moved over a span."""
    text = scan.masked
    marks = scan.marks("E")
    if scan.bounds or scan.marks("G") or not marks:
        return None
    moving = bool(_TREND_WORD.search(text) or _HOW_CHANGED.search(text) or pairs.is_trend_question(scan))
    if not (moving or scan.spans or scan.chart):
        return None
    if pairs.is_trend_question(scan) and pairs.one_year(scan.period):
        return _moved_in_year(scan, text, marks)
    if pairs.one_year(scan.period) and not moving:
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
            r"\b(?:graph|chart|plot|show|compare|comparison|vs|values?|figures?|over the (?:years|decades)|annual|yearly|each year)\b",
        )
    )
    if named and signals.is_adjective(named.text):
        return signals.lexeme_measure(named.text)
    if named is None and re.search(r"\b(?:gr(?:own|ew|owing|ow|owth))\b", text):
        return measure("gdp")
    return named or whole


def _moved_in_year(scan: Scan, text: str, marks: list[str]) -> Reading | None:
    """ "Did the economy of E0 shrink in 2020?": held against the published growth rate."""
    if len(marks) != 1:
        return None
    wanted = quantity(text, _TREND_FORM)
    growth = signals.growth_of(wanted.text) if wanted else None
    if growth is None:
        return None
    shrinking = re.search(r"\b(?:shr[iau]nk|fall|fell|declin|decreas|contract|drop|down)\w*", text)
    comparator = Comparator.LESS if shrinking else Comparator.GREATER
    return YesNoReading(
        entity=scan.name(marks[0]), measure=MeasureMention(text=growth), period=scan.period, comparator=comparator,
        threshold=Threshold(comparator=comparator, value="0", unit="%", text="less than 0%" if shrinking else "more than 0%"),
    )  # fmt: skip


# Value ----------------------------------------------------------------------------------------------


def value(scan: Scan) -> Reading | None:
    """One measure of one place."""
    marks = scan.marks("E")
    if len(marks) != 1 or scan.bounds or scan.marks("G"):
        return None
    text = re.sub(
        r"^(?:is|are|was|were|does|do|did|has|have|had)\b(?P<rest>.*?)\b(?:high|low|a problem|good|bad|large|big|small|an issue|common|strong|weak)\b",
        r"\g<rest>",
        scan.masked,
    )
    text = re.sub(
        r"^(?:tell(?: me)? (?:more |something )?about|me about|about|what about|how about|how bad is|what can you tell me about)\b",
        " ",
        text,
    )
    wanted = quantity(text)
    if wanted is None:
        return None
    if signals.is_adjective(wanted.text):
        wanted = signals.lexeme_measure(wanted.text)
    return ValueReading(entity=scan.name(marks[0]), measure=wanted, period=scan.period)


_UNKNOWN_OF = re.compile(
    r"^(?P<what>.+?)\s(?:of|in|for|from)\s(?:the\s)?(?P<name>[a-z][\w'.-]*(?:\s[a-z][\w'.-]*){0,3})$"
)
_UNKNOWN_OWNS = re.compile(
    r"^(?:what (?:is|was)\s)?(?:the\s)?(?P<name>[a-z][\w.-]*(?:\s[a-z][\w.-]*){0,2})'s\s(?P<what>.+)$"
)


def unknown_place(scan: Scan, vocabulary: frozenset[str]) -> Reading | None:
    """A figure of a name that nobody knows: the name is kept and nothing is guessed."""
    if scan.marks("E") or scan.marks("G") or scan.bounds:
        return None
    text = trimmed(re.sub(r"\bY\d+\b", " ", scan.masked))
    text = re.sub(r"^how many people (?:live|lived|are there|are) in ", "population of ", f"{text}")
    for pattern in (_UNKNOWN_OWNS, _UNKNOWN_OF):
        match = pattern.match(text)
        if match and is_known(match["what"]):
            words = match["name"].split()
            if any(word not in vocabulary for word in words) and len(words) <= 3:
                return ValueReading(
                    entity=_as_asked(scan, match["name"]), measure=_must(match["what"]), period=scan.period
                )
    words = text.split()
    for size in (1, 2):
        if len(words) <= size or len(words) > size + 4:
            continue
        for name, what in ((words[-size:], words[:-size]), (words[:size], words[size:])):
            if all(word not in vocabulary for word in name) and is_known(" ".join(what)):
                return ValueReading(
                    entity=_as_asked(scan, " ".join(name)), measure=_must(" ".join(what)), period=scan.period
                )
    return None


def _must(what: str) -> MeasureMention:
    named = measure(what)
    if named is None:
        raise LookupError(f"{what!r} was known and has no measure")
    return named


def _as_asked(scan: Scan, name: str) -> EntityMention:
    at = scan.text.lower().find(name)
    return EntityMention(text=scan.text[at : at + len(name)] if at >= 0 else name, status="unknown")
