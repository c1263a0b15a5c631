"""Spans of time in a question, and the period strings that publishers send."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from shared.query.quantity import Period, PeriodKind
from shared.query.readings import PeriodAsked, PeriodKindAsked

Kind = PeriodKindAsked


@dataclass(frozen=True, slots=True)
class PeriodMatch:
    """A phrase of time in a text: ``text[start:end]`` and what it asks for."""

    start: int
    end: int
    text: str
    period: PeriodAsked


_COUNTS = {
    word: value
    for value, word in enumerate(
        "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen".split(), start=1
    )
} | {"a": 1, "an": 1, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "hundred": 100, "a hundred": 100,
     "couple of": 2, "a couple of": 2, "few": 5, "several": 5}  # fmt: skip
_SPANS = {"year": 1, "yr": 1, "decade": 10, "century": 100, "centurie": 100, "half century": 50, "half-century": 50}
_WORD_DECADES = {"twenties": 1920, "thirties": 1930, "forties": 1940, "fifties": 1950, "sixties": 1960,
                 "seventies": 1970, "eighties": 1980, "nineties": 1990}  # fmt: skip

_Y = r"(?:1[789]\d\d|20\d\d|21\d\d)"
_COUNT = r"(?:\d{1,3}|" + "|".join(sorted(_COUNTS, key=len, reverse=True)) + ")"
_SPAN = r"(?:years?|yrs?|decades?|centur(?:y|ies)|half[- ]century)"
_TO = r"(?:\s?(?:to|through|thru|until|till|up to|-|–|—|/)\s?)"
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_IN = r"(?:(?:in|during|for|as of|as at|at|on|of|from|circa|around|within|throughout|back in|by|end of)\s)"
# What follows or precedes a four-digit number that counts things and dates nothing.
_COUNTED = (
    r"(?:calories|kcal|people|persons|dollars?|usd|us\$|u\.?s\.? dollars|euros?|pounds|companies|firms|businesses|countries"
    r"|students|pupils|employees|inhabitants|residents|citizens|km|kilomet(?:er|re)s|miles|kg|kilograms|grams|tons|tonnes"
    r"|metric|per|percent|per cent|pct|%|households|families|births|deaths|homes|houses|counties|cities|towns|states|schools"
    r"|hospitals|items|units|barrels|watts|kwh|kw|mw|gw|hectares|acres|square|sq\.?|feet|ft|met(?:er|re)s|patients|cases"
    r"|workers|jobs|years|days|hours|prices|ppp|international|constant|points|times|million|billion|thousand|trillion"
    r"|women|men|children|adults|live)\b"
)
_NOT_COUNT = rf"(?!\s?{_COUNTED})(?![\d%]|[.,]\d|\s?%)"
_COUNT_LEAD = re.compile(
    r"(?:\btop|\bfirst|\bbottom|\bleast|\bmost|\bover|\babove|\bbelow|\bunder|\bexceed(?:s|ed|ing)?|\bthan|\bnearly|\balmost"
    r"|\bconstant|\babout|\bapproximately|\broughly|\bcost|\bcosts|[$€£#<>=≥≤])\s*$",
    re.IGNORECASE,
)


def _count(text: str) -> int:
    return int(text) if text.isdigit() else _COUNTS[text.lower()]


def _span_years(text: str) -> int:
    word = text.lower()
    if word.startswith("half"):
        return 50
    return _SPANS[word.removesuffix("s") if word != "centuries" else "century"] if word != "century" else 100


def _expand(end: str, start: int) -> int:
    """The year that a short ending means: ``2010-15`` ends in 2015."""
    if len(end) == 4:
        return int(end)
    year = start // 100 * 100 + int(end)
    return year if year >= start else year + 100


Build = Callable[[re.Match[str], date], PeriodAsked | None]


def _range(m: re.Match[str], _today: date) -> PeriodAsked | None:
    start = int(m["a"])
    end = _expand(m["b"], start)
    if end < start:
        start, end = end, start
    return PeriodAsked(kind=Kind.RANGE, start=start, end=end, fiscal=_fiscal(m))


def _fiscal(m: re.Match[str]) -> bool:
    return bool(re.search(r"\bfy|fiscal|financial year", m.group(), re.IGNORECASE))


def _fiscal_year(m: re.Match[str], _today: date) -> PeriodAsked:
    digits = m["a"]
    year = int(digits) if len(digits) == 4 else 2000 + int(digits)
    return PeriodAsked(kind=Kind.YEAR, start=year, fiscal=True)


def _decade(m: re.Match[str], _today: date) -> PeriodAsked:
    part = (m["part"] or "").strip().lower().rstrip("-")
    if m["word"]:
        start = _WORD_DECADES[m["word"].lower()]
    else:
        start = int(m["a"])
        if start < 100:
            start += 1900 if start > 20 else 2000
    first, last = {"early": (0, 3), "mid": (4, 6), "late": (7, 9)}.get(part, (0, 9))
    return PeriodAsked(kind=Kind.RANGE, start=start + first, end=start + last)


def _century(m: re.Match[str], _today: date) -> PeriodAsked:
    number = int(m["a"])
    return PeriodAsked(kind=Kind.RANGE, start=(number - 1) * 100 + 1, end=number * 100)


def _of_kind(kind: PeriodKindAsked) -> Build:
    return lambda _m, _today: PeriodAsked(kind=kind)


def _year(offset: int = 0) -> Build:
    return lambda m, _today: PeriodAsked(kind=Kind.YEAR, start=int(m["a"]) + offset, fiscal=_fiscal(m))


def _relative(offset: int) -> Build:
    return lambda m, today: PeriodAsked(kind=Kind.YEAR, start=today.year + offset, fiscal=_fiscal(m))


def _since(offset: int) -> Build:
    return lambda m, _today: PeriodAsked(kind=Kind.SINCE, start=int(m["a"]) + offset, fiscal=_fiscal(m))


def _up_to(offset: int) -> Build:
    return lambda m, _today: PeriodAsked(kind=Kind.RANGE, end=int(m["a"]) + offset, fiscal=_fiscal(m))


def _counted(kind: PeriodKindAsked) -> Build:
    def build(m: re.Match[str], _today: date) -> PeriodAsked:
        return PeriodAsked(kind=kind, count=_count(m["n"] or "one") * _span_years(m["span"]))

    return build


def _ahead(m: re.Match[str], today: date) -> PeriodAsked:
    count = _count(m["n"] or "one") * _span_years(m["span"])
    return PeriodAsked(kind=Kind.RANGE, start=today.year + 1, end=today.year + count)


def _years_hence(m: re.Match[str], today: date) -> PeriodAsked:
    return PeriodAsked(kind=Kind.YEAR, start=today.year + _count(m["n"]) * _span_years(m["span"]))


def _short_year(m: re.Match[str], today: date) -> PeriodAsked:
    year = int(m["a"]) + 2000
    return PeriodAsked(kind=Kind.YEAR, start=year if year <= today.year + 20 else year - 100)


def _this_century(_m: re.Match[str], today: date) -> PeriodAsked:
    return PeriodAsked(kind=Kind.SINCE, start=today.year // 100 * 100)


def _this_decade(_m: re.Match[str], today: date) -> PeriodAsked:
    return PeriodAsked(kind=Kind.SINCE, start=today.year // 10 * 10)


def _span_over(m: re.Match[str], _today: date) -> PeriodAsked | None:
    count = _count(m["n"]) * _span_years(m["span"])
    if count > 30 and m["span"].lower().startswith("y"):
        return None  # "a life expectancy over 80 years" is a bound
    return PeriodAsked(kind=Kind.LAST_YEARS, count=count)


_FY = r"(?:fy\s?'?|fiscal(?:\syears?)?\s|financial\syears?\s)"
_FYY = rf"(?:{_FY})?"
# Ordered: what stands first takes its words before the later rules see them.
_RULES: tuple[tuple[str, Build], ...] = (
    (rf"(?:between|from)\s(?:the\s)?(?:years?\s)?{_FYY}(?P<a>{_Y})\s?(?:and|to|through|thru|until|till|up to|-|–)\s?(?:the\s)?"
     rf"(?:years?\s)?{_FYY}(?P<b>{_Y}){_NOT_COUNT}", _range),
    (rf"(?:over|in|during|for|across)?\s?(?:the\s)?(?:(?:period|years?)\s)?{_FYY}(?<!\d)(?P<a>{_Y})(?:{_TO})(?:fy\s?)?(?P<b>{_Y}){_NOT_COUNT}", _range),
    (rf"(?:{_IN})?(?:the\s)?{_FYY}(?<!\d)(?P<a>{_Y})[-–/](?P<b>\d\d)(?![\d-])", _range),
    (rf"(?:{_IN})?(?:the\s)?{_FY}(?P<a>{_Y}|\d\d)(?!\d)", _fiscal_year),
    (rf"(?:{_IN})?(?:the\s)?(?P<a>{_Y})\s(?:fiscal|financial)\syear", _fiscal_year),
    (rf"(?:in|during|over|from|since|throughout)?\s?(?:the\s)?(?P<part>early[- ]|mid[- ]|late[- ])?"
     rf"(?:(?<!\w)'?(?P<a>(?:1[789]|20)\d0|[2-9]0)'?s|(?P<word>{'|'.join(_WORD_DECADES)}))(?![\w])", _decade),
    (r"(?:in|during|over|throughout)?\s?(?:the\s)?(?P<a>1\d|2[01])(?:st|th)[- ]century", _century),
    (r"(?:so far\s)?(?:in\s)?this century", _this_century),
    (r"(?:so far\s)?(?:in\s)?this decade", _this_decade),
    (rf"(?:ever\s)?since\s(?:the\s)?(?:years?\s|end of\s|start of\s|beginning of\s)?{_FYY}(?:{_MONTH}\s)?(?P<a>{_Y}){_NOT_COUNT}", _since(0)),
    (rf"(?:from|starting(?:\sin|\sfrom)?|beginning(?:\sin)?)\s{_FYY}(?P<a>{_Y})\s(?:on(?:wards?)?|to\s(?:now|today|date|(?:the\s)?present)"
     r"|until\s(?:now|today)|till\s(?:now|today|date))", _since(0)),
    (rf"(?P<a>{_Y})(?:{_TO})(?:now|today|date|(?:the\s)?present|current)", _since(0)),
    (rf"(?:after)\s(?:the\s)?(?:year\s)?{_FYY}(?P<a>{_Y}){_NOT_COUNT}", _since(1)),
    (rf"(?:before|prior to)\s(?:the\s)?(?:year\s)?{_FYY}(?P<a>{_Y}){_NOT_COUNT}", _up_to(-1)),
    (rf"(?:until|till|up to|up until|through)\s(?:the\s)?(?:year\s)?{_FYY}(?P<a>{_Y}){_NOT_COUNT}", _up_to(0)),
    (rf"(?:about\s|around\s|some\s)?(?P<n>{_COUNT})\s(?P<span>{_SPAN})\s(?:ago|earlier|back|prior)(?![\w])", _counted(Kind.YEARS_AGO)),
    (r"(?P<n>)(?P<span>half a century|half-century)\sago", lambda _m, _t: PeriodAsked(kind=Kind.YEARS_AGO, count=50)),
    (rf"(?:(?:over|in|during|for|within|across)\s)?(?:the\s)?(?:last|past|previous|most recent|preceding)\s(?P<n>{_COUNT})[\s-](?P<span>{_SPAN})(?![\w])",
     _counted(Kind.LAST_YEARS)),
    (r"(?:(?:over|in|during|for|within|across)\s)?(?:the\s)?(?:last|past|previous)\s(?P<n>)(?P<span>decade|century|half[- ]century)(?![\w])",
     _counted(Kind.LAST_YEARS)),
    (r"(?:over|in|during|within)\sthe\s(?:past|last)\s(?P<n>)(?P<span>year)(?![\w])", _counted(Kind.LAST_YEARS)),
    (r"(?:in|over|during)\s(?:the\s)?recent\s(?:years|decades|times)|recently|lately",
     lambda m, _t: PeriodAsked(kind=Kind.LAST_YEARS, count=20 if "decade" in m.group().lower() else 5)),
    (rf"(?:(?:over|in|during|for|within)\s)?(?:the\s)?(?:next|coming|following)\s(?P<n>{_COUNT})\s(?P<span>{_SPAN})(?![\w])", _ahead),
    (r"(?:(?:over|in|during)\s)?(?:the\s)?(?:next|coming)\s(?P<n>)(?P<span>decade|century)(?![\w])", _ahead),
    (rf"(?P<n>{_COUNT})\s(?P<span>{_SPAN})\sfrom\snow", _years_hence),
    (rf"in\s(?P<n>{_COUNT})\s(?P<span>{_SPAN})(?:'\stime)?(?=\s*[?.!]*$)", _years_hence),
    (rf"over\s(?:a\s(?:period\sof\s)?)?(?P<n>\d\d?|[a-z]+teen|ten|twenty|thirty|five)\s(?P<span>{_SPAN})(?!\s(?:old|of\sage))(?![\w])", _span_over),
    (r"(?:in\s)?(?:the\s)?year\sbefore\slast", _relative(-2)),
    (r"(?:in\s|for\s|during\s)?(?:the\s)?this\s(?:fiscal\s|calendar\s)?year(?:'s)?|(?:in\s)?(?:the\s)?current\s(?:fiscal\s|calendar\s)?year", _relative(0)),
    (r"(?:in\s|for\s|during\s)?(?:the\s)?(?:last|previous|prior)\s(?:fiscal\s|calendar\s)?year(?:'s)?(?![\w])", _relative(-1)),
    (r"(?:in\s|for\s|by\s|during\s)?(?:the\s)?next\s(?:fiscal\s|calendar\s)?year(?:'s)?(?![\w])", _relative(1)),
    (r"tomorrow|in\sthe\sfuture", _relative(1)),
    (rf"(?:{_IN})?(?:the\s)?(?:q[1-4]|(?:first|second|third|fourth)\squarter)(?:\sof)?\s(?P<a>{_Y})(?!\d)", _year()),
    (rf"(?:{_IN})?(?P<a>{_Y})-\d\d(?:-\d\d)?(?![\d])", _year()),
    (rf"(?:{_IN})?(?:the\s)?(?:\d{{1,2}}(?:st|nd|rd|th)?\s(?:of\s)?)?{_MONTH}\s(?:\d{{1,2}}(?:st|nd|rd|th)?,?\s)?(?:of\s)?(?P<a>{_Y})(?!\d)", _year()),
    (rf"in\s'(?P<a>\d\d)(?!\d|s)", _short_year),
    (rf"(?:{_IN})?(?:the\s)?(?:calendar\s)?years?\s(?P<a>{_Y})(?!\d)", _year()),
    (rf"(?:{_IN})(?P<a>{_Y}){_NOT_COUNT}(?:'s)?(?!\w)", _year()),
    (r"(?:over|through|across|with|throughout)\s(?:the\s)?(?:time|years|ages)(?![\w])|throughout\s(?:its\s)?history|of\sall[- ]time|all[- ]time"
     r"|historically|historical(?:ly)?|since\srecords\sbegan|time[- ]series|by\syear|year\sby\syear|for\sall\syears|on\srecord"
     r"|in\shistory|from\sthe\sbeginning|(?<=est\s)ever|(?<=ever\srecorded)", _of_kind(Kind.ALL)),
    (r"(?:as\sof\s)?(?:right\snow|now|today|nowadays|at\s(?:the\s)?(?:present|moment)|presently|these\sdays|currently)(?:'s)?(?![\w])", _of_kind(Kind.LATEST)),
    (r"(?:the\s)?(?:most\srecent(?:ly)?|latest|newest|up[- ]to[- ]date)(?:\s(?:available|year|figures?|data|value))*(?![\w])", _of_kind(Kind.LATEST)),
    (r"current(?!\s(?:account|us\$|us\sdollars?|u\.?s\.?|international|prices?|lcu|local|health|expenditure|education|liabilit|assets?|transfers?|\$|ppp|dollars?))(?![\w])",
     _of_kind(Kind.LATEST)),
)  # fmt: skip
_COMPILED = [(re.compile(rf"(?<![\w.,$€£])(?:{pattern})", re.IGNORECASE), build) for pattern, build in _RULES]
_BARE_YEAR = re.compile(rf"(?<![\w.,$€£'-])(?P<a>{_Y})(?:'s)?{_NOT_COUNT}(?![\w-])")


def find_periods(text: str, *, today: date) -> list[PeriodMatch]:
    """All phrases of time in ``text``, in order, without overlaps.

    ``today`` anchors "this year" and "in five years". A future year is returned as it was asked; whether
    it can be answered is for the caller. Four-digit numbers that count things are no years.
    """
    found: list[PeriodMatch] = []
    masked = text
    for pattern, build in _COMPILED:
        for match in pattern.finditer(masked):
            period = build(match, today) if match.group().strip() else None
            if period is None:
                continue
            lead = len(match.group()) - len(match.group().lstrip())
            start, end = match.start() + lead, match.end()
            found.append(_matched(text, start, end, period))
            masked = masked[:start] + "\x00" * (end - start) + masked[end:]
    dated = bool(found)
    for match in _BARE_YEAR.finditer(masked):
        lead_in = _COUNT_LEAD.search(masked, 0, match.start())
        if lead_in and not (lead_in.group().strip().lower() == "than" and dated):
            continue
        period = PeriodAsked(kind=Kind.YEAR, start=int(match["a"]))
        found.append(_matched(text, match.start(), match.end(), period))
    return sorted(found, key=lambda item: item.start)


def _matched(text: str, start: int, end: int, period: PeriodAsked) -> PeriodMatch:
    words = text[start:end]
    return PeriodMatch(start, end, words, period.model_copy(update={"text": words}))


def asked_period(text: str, *, today: date) -> PeriodAsked | None:
    """The span that a question asks for as a whole, or ``None`` when it names none.

    An explicit span beats "current" and "over time"; two single years become the range that they bound.
    """
    periods = [match.period for match in find_periods(text, today=today)]
    if not periods:
        return None
    explicit = [item for item in periods if item.kind not in {Kind.LATEST, Kind.ALL}]
    years = sorted({item.start for item in explicit if item.kind is Kind.YEAR and item.start is not None})
    if len(years) == 2 and len(explicit) == 2:
        words = " and ".join(item.text for item in explicit)
        return PeriodAsked(
            kind=Kind.RANGE, start=years[0], end=years[1], fiscal=all(item.fiscal for item in explicit), text=words
        )
    return (explicit or periods)[0]


# Publishers' period strings -----------------------------------------------------------------------

_WIRE: tuple[tuple[re.Pattern[str], PeriodKind, str], ...] = (
    (re.compile(r"(\d{4})"), PeriodKind.YEAR, r"\1"),
    (re.compile(r"(\d{4})(?:-?Q|:Q|Q| Q)([1-4])", re.I), PeriodKind.QUARTER, r"\1-Q\2"),
    (re.compile(r"Q([1-4])[- ](\d{4})", re.I), PeriodKind.QUARTER, r"\2-Q\1"),
    (re.compile(r"(\d{4})-?M(0[1-9]|1[0-2])", re.I), PeriodKind.MONTH, r"\1-\2"),
    (re.compile(r"(\d{4})-(0[1-9]|1[0-2])"), PeriodKind.MONTH, r"\1-\2"),
    (re.compile(r"(\d{4})-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])(?:T.*)?"), PeriodKind.DAY, r"\1-\2-\3"),
    (re.compile(r"FY ?(\d{4})", re.I), PeriodKind.FISCAL_YEAR, r"FY\1"),
    (re.compile(r"fiscal year (\d{4})", re.I), PeriodKind.FISCAL_YEAR, r"FY\1"),
)  # fmt: skip


def parse_wire(text: str) -> Period:
    """Read a publisher's period: ``2023``, ``2023Q1``, ``2023M05``, ``2023-05``, ``2023-05-31``, ``FY2023``.

    An empty string is undated. Raises ``ValueError`` for a form that is not known.
    """
    written = text.strip()
    if not written:
        return Period.undated()
    for pattern, kind, form in _WIRE:
        match = pattern.fullmatch(written)
        if match:
            printed = match.expand(form)
            if kind is PeriodKind.DAY:
                date.fromisoformat(printed)
            return Period(kind=kind, text=printed)
    raise ValueError(f"{text!r} is not a period in a known form")
