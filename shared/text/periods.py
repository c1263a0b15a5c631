"""Spans of time in a question, and the period strings that publishers send."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from shared.query.quantity import Period, PeriodKind
from shared.query.readings import PeriodAsked, PeriodKindAsked
from shared.text.period_rules import NOT_COUNT, RULES, YEAR

Kind = PeriodKindAsked


@dataclass(frozen=True, slots=True)
class PeriodMatch:
    """A phrase of time in a text: ``text[start:end]`` and what it asks for."""

    start: int
    end: int
    text: str
    period: PeriodAsked


_RULES = [(re.compile(rf"(?<![\w.,$€£])(?:{pattern})", re.IGNORECASE), build) for pattern, build in RULES]
_BARE_YEAR = re.compile(rf"(?<![\w.,$€£'-])(?P<a>{YEAR})(?:'s)?{NOT_COUNT}(?![\w-])")
# What precedes a four-digit number that counts things and dates nothing.
_COUNT_LEAD = re.compile(
    r"(?:\btop|\bfirst|\bbottom|\bleast|\bmost|\bover|\babove|\bbelow|\bunder|\bexceed(?:s|ed|ing)?|\bthan"
    r"|\bnearly"
    r"|\balmost|\bconstant|\babout|\bapproximately|\broughly|\bcosts?|[$€£#<>=≥≤])\s*$",
    re.IGNORECASE,
)


def find_periods(text: str, *, today: date) -> list[PeriodMatch]:
    """All phrases of time in ``text``, in order, without overlaps.

    ``today`` anchors "this year" and "in five years". A future year is returned as it was asked; whether
    it can be answered is for the caller. Four-digit numbers that count things are no years.
    """
    found: list[PeriodMatch] = []
    masked = text
    for pattern, build in _RULES:
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
