"""The phrases by which English places a quantity in time, one row each."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date

from shared.query.readings import PeriodAsked, PeriodKindAsked

Kind = PeriodKindAsked
Build = Callable[[re.Match[str], date], PeriodAsked | None]
"""What a matched phrase asks for, on a given day; ``None`` when the phrase is no span of time after all."""

_COUNTS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8,
    "nine": 9,
    "ten": 10, "eleven": 11, "twelve": 12, "thirteen": 13, "fourteen": 14, "fifteen": 15, "twenty": 20,
    "thirty": 30,
    "forty": 40, "fifty": 50, "hundred": 100, "a hundred": 100, "couple of": 2, "a couple of": 2, "few": 5,
    "several": 5,
}  # fmt: skip
_SPANS = {"year": 1, "yr": 1, "decade": 10, "century": 100, "centurie": 100, "half century": 50, "half-century": 50}
_WORD_DECADES = {"twenties": 1920, "thirties": 1930, "forties": 1940, "fifties": 1950, "sixties": 1960,
                 "seventies": 1970, "eighties": 1980, "nineties": 1990}  # fmt: skip

_DASH = "-\N{EN DASH}\N{EM DASH}"
YEAR = r"(?:1[789]\d\d|20\d\d|21\d\d)"
_COUNT = r"(?:\d{1,3}|" + "|".join(sorted(_COUNTS, key=len, reverse=True)) + ")"
_SPAN = r"(?:years?|yrs?|decades?|centur(?:y|ies)|half[- ]century)"
_N_SPANS = rf"(?P<n>{_COUNT})[\s-](?P<span>{_SPAN})"
_TO = rf"(?:\s?(?:to|through|thru|until|till|up to|[{_DASH}/])\s?)"
_PRESENT = r"(?:now|today|date|(?:the\s)?present|current)"
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?"
    r"|nov(?:ember)?|dec(?:ember)?)\.?"
)
_IN = r"(?:(?:in|during|for|as of|as at|at|on|of|from|circa|around|within|throughout|back in|by|end of)\s)"
# What follows a four-digit number that counts things and dates nothing.
_COUNTED = (
    r"(?:calories|kcal|people|persons|dollars?|usd|us\$|u\.?s\.? dollars|euros?|pounds|companies|firms"
    r"|businesses"
    r"|countries|students|pupils|employees|inhabitants|residents|citizens|km|kilomet(?:er|re)s|miles|kg"
    r"|kilograms|grams"
    r"|tons|tonnes|metric|per|percent|per cent|pct|%|households|families|births|deaths|homes|houses"
    r"|counties|cities"
    r"|towns|states|schools|hospitals|items|units|barrels|watts|kwh|kw|mw|gw|hectares|acres|square|sq\.?"
    r"|feet|ft"
    r"|met(?:er|re)s|patients|cases|workers|jobs|years|days|hours|prices|ppp|international|constant|points"
    r"|times"
    r"|million|billion|thousand|trillion|women|men|children|adults|live)\b"
)
NOT_COUNT = rf"(?!\s?{_COUNTED})(?![\d%]|[.,]\d|\s?%)"
_CURRENT_MONEY = (
    r"(?!\s(?:account|us\$|us\sdollars?|u\.?s\.?|international|prices?|lcu|local|health|expenditure"
    r"|education|liabilit"
    r"|assets?|transfers?|\$|ppp|dollars?))"
)
_OVER = r"(?:(?:over|in|during|for|within|across)\s)?(?:the\s)?"
_PAST = r"(?:last|past|previous|most recent|preceding)"
_KIND_OF_YEAR = r"(?:fiscal\s|calendar\s)?year(?:'s)?"
_FY = r"(?:fy\s?'?|fiscal(?:\syears?)?\s|financial\syears?\s)"
_FYY = rf"(?:{_FY})?"
_A = rf"{_FYY}(?P<a>{YEAR})"
_THE_YEAR = r"(?:the\s)?(?:years?\s)?"
_NTH = r"(?:st|nd|rd|th)"
_END = r"(?!\w)"


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


def _year(m: re.Match[str], _today: date) -> PeriodAsked:
    return PeriodAsked(kind=Kind.YEAR, start=int(m["a"]), fiscal=_fiscal(m))


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


def _half_century_ago(_m: re.Match[str], _today: date) -> PeriodAsked:
    return PeriodAsked(kind=Kind.YEARS_AGO, count=50)


def _recently(m: re.Match[str], _today: date) -> PeriodAsked:
    return PeriodAsked(kind=Kind.LAST_YEARS, count=20 if "decades" in m.group().lower() else 5)


# Ordered: what stands first takes its words before the later rules see them.
RULES: tuple[tuple[str, Build], ...] = (
    (
        rf"(?:between|from)\s{_THE_YEAR}{_A}\s?(?:and|to|through|thru|until|till|up to|[{_DASH}])\s?"
        rf"{_THE_YEAR}{_FYY}(?P<b>{YEAR}){NOT_COUNT}",
        _range,
    ),
    (
        rf"(?:over|in|during|for|across)?\s?(?:the\s)?(?:(?:period"
        rf"|years?)\s)?{_FYY}(?<!\d)(?P<a>{YEAR})(?:{_TO})"
        rf"(?:fy\s?)?(?P<b>{YEAR}){NOT_COUNT}",
        _range,
    ),
    (rf"(?:{_IN})?(?:the\s)?{_FYY}(?<!\d)(?P<a>{YEAR})[{_DASH}/](?P<b>\d\d)(?![\d-])", _range),
    (rf"(?:{_IN})?(?:the\s)?{_FY}(?P<a>{YEAR}|\d\d)(?!\d)", _fiscal_year),
    (rf"(?:{_IN})?(?:the\s)?(?P<a>{YEAR})\s(?:fiscal|financial)\syear", _fiscal_year),
    (
        r"(?:in|during|over|from|since|throughout)?\s?(?:the\s)?(?P<part>early[- ]|mid[- ]|late[- ])?"
        rf"(?:(?<!\w)'?(?P<a>(?:1[789]|20)\d0|[2-9]0)'?s|(?P<word>{'|'.join(_WORD_DECADES)})){_END}",
        _decade,
    ),
    (r"(?:in|during|over|throughout)?\s?(?:the\s)?(?P<a>1\d|2[01])(?:st|th)[- ]century", _century),
    (r"(?:so far\s)?(?:in\s)?this century", _this_century),
    (r"(?:so far\s)?(?:in\s)?this decade", _this_decade),
    (
        r"(?:ever\s)?since\s(?:the\s)?(?:years?\s|end of\s|start of\s|beginning of\s)?"
        rf"{_FYY}(?:{_MONTH}\s)?(?P<a>{YEAR}){NOT_COUNT}",
        _since(0),
    ),
    (
        rf"(?:from|starting(?:\sin|\sfrom)?|beginning(?:\sin)?)\s{_A}\s"
        rf"(?:on(?:wards?)?|(?:to|until|till)\s{_PRESENT})",
        _since(0),
    ),
    (rf"(?P<a>{YEAR})(?:{_TO}){_PRESENT}", _since(0)),
    (rf"after\s{_THE_YEAR}{_A}{NOT_COUNT}", _since(1)),
    (rf"(?:before|prior to)\s{_THE_YEAR}{_A}{NOT_COUNT}", _up_to(-1)),
    (rf"(?:until|till|up to|up until|through)\s{_THE_YEAR}{_A}{NOT_COUNT}", _up_to(0)),
    (rf"(?:about\s|around\s|some\s)?{_N_SPANS}\s(?:ago|earlier|back|prior){_END}", _counted(Kind.YEARS_AGO)),
    (r"half a century\sago", _half_century_ago),
    (rf"{_OVER}{_PAST}\s{_N_SPANS}{_END}", _counted(Kind.LAST_YEARS)),
    (
        rf"{_OVER}(?:last|past|previous)\s(?P<n>)(?P<span>decade|century|half[- ]century){_END}",
        _counted(Kind.LAST_YEARS),
    ),
    (rf"(?:over|in|during|within)\sthe\s(?:past|last)\s(?P<n>)(?P<span>year){_END}", _counted(Kind.LAST_YEARS)),
    (r"(?:in|over|during)\s(?:the\s)?recent\s(?:years|decades|times)|recently|lately", _recently),
    (rf"{_OVER}(?:next|coming|following)\s{_N_SPANS}{_END}", _ahead),
    (rf"{_OVER}(?:next|coming)\s(?P<n>)(?P<span>decade|century){_END}", _ahead),
    (rf"{_N_SPANS}\sfrom\snow", _years_hence),
    (rf"in\s{_N_SPANS}(?:'\stime)?(?=\s*[?.!]*$)", _years_hence),
    (
        r"over\s(?:a\s(?:period\sof\s)?)?(?P<n>\d\d?|[a-z]+teen|ten|twenty|thirty|five)\s"
        rf"(?P<span>{_SPAN})(?!\s(?:old|of\sage)){_END}",
        _span_over,
    ),
    (r"(?:in\s)?(?:the\s)?year\sbefore\slast", _relative(-2)),
    (rf"(?:(?:in|for|during)\s)?(?:this|the\scurrent|current)\s{_KIND_OF_YEAR}{_END}", _relative(0)),
    (rf"(?:(?:in|for|during)\s)?(?:the\s)?(?:last|previous|prior)\s{_KIND_OF_YEAR}{_END}", _relative(-1)),
    (rf"(?:(?:in|for|by|during)\s)?(?:the\s)?next\s{_KIND_OF_YEAR}{_END}", _relative(1)),
    (r"tomorrow|in\sthe\sfuture", _relative(1)),
    (
        rf"(?:{_IN})?(?:the\s)?(?:q[1-4]|(?:first|second|third|fourth)\squarter)(?:\sof)?\s(?P<a>{YEAR})(?!\d)",
        _year,
    ),
    (rf"(?:{_IN})?(?P<a>{YEAR})-\d\d(?:-\d\d)?(?![\d])", _year),
    (
        rf"(?:{_IN})?(?:the\s)?(?:\d{{1,2}}{_NTH}?\s(?:of\s)?)?{_MONTH}\s(?:\d{{1,2}}{_NTH}?,?\s)?(?:of\s)?"
        rf"(?P<a>{YEAR})(?!\d)",
        _year,
    ),
    (r"in\s'(?P<a>\d\d)(?!\d|s)", _short_year),
    (rf"(?:{_IN})?(?:the\s)?(?:calendar\s)?years?\s(?P<a>{YEAR})(?!\d)", _year),
    (rf"(?:{_IN})(?P<a>{YEAR}){NOT_COUNT}(?:'s)?{_END}", _year),
    (
        rf"(?:over|through|across|with|throughout)\s(?:the\s)?(?:time|years|ages){_END}"
        rf"|throughout\s(?:its\s)?history"
        r"|of\sall[- ]time|all[- ]time|historical(?:ly)?|since\srecords\sbegan|time[- ]series|by\syear"
        r"|year\sby\syear"
        r"|for\sall\syears|on\srecord|in\shistory|from\sthe\sbeginning|(?<=est\s)ever",
        _of_kind(Kind.ALL),
    ),
    (
        r"(?:as\sof\s)?(?:right\snow|now|today|nowadays|at\s(?:the\s)?(?:present|moment)|presently|these\sdays"
        rf"|currently)(?:'s)?{_END}",
        _of_kind(Kind.LATEST),
    ),
    (
        r"(?:the\s)?(?:most\srecent(?:ly)?|latest|newest|up[- ]to[- ]date)"
        rf"(?:\s(?:available|year|figures?|data|value))*{_END}",
        _of_kind(Kind.LATEST),
    ),
    (rf"current{_CURRENT_MONEY}{_END}", _of_kind(Kind.LATEST)),
)
