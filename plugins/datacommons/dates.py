"""Dates as Data Commons writes them, and the spans that questions ask for."""

from __future__ import annotations

from shared.query.quantity import Period, PeriodKind
from shared.query.readings import PeriodAsked, PeriodKindAsked

_KINDS = {4: PeriodKind.YEAR, 7: PeriodKind.MONTH, 10: PeriodKind.DAY}


def period_of(date: str) -> Period:
    """``2023`` is a year, ``2023-04`` a month, ``2023-04-01`` a day."""
    return Period(kind=_KINDS.get(len(date), PeriodKind.UNDATED), text=date)


def is_yearly(date: str) -> bool:
    """Whether a date names a whole year."""
    return len(date) == 4 and date.isdigit()


def year_of(date: str) -> int:
    """The year of a date, 0 for what is no date."""
    head = date[:4]
    return int(head) if head.isdigit() else 0


def within(date: str, period: PeriodAsked, *, newest: int) -> bool:
    """Whether a yearly date lies in the span; spans count back from ``newest``, the series' newest year."""
    year = year_of(date)
    match period:
        case PeriodAsked(kind=PeriodKindAsked.LAST_YEARS, count=int(count)):
            return newest - count < year <= newest
        case PeriodAsked(kind=PeriodKindAsked.YEARS_AGO, count=int(count)):
            return newest - count <= year <= newest
        case PeriodAsked(kind=PeriodKindAsked.RANGE, start=int(start), end=int(end)):
            return start <= year <= end
        case PeriodAsked(kind=PeriodKindAsked.SINCE | PeriodKindAsked.YEAR, start=int(start)):
            return year >= start
    return True


def expected_years(period: PeriodAsked, *, first: int, newest: int) -> range:
    """The years that a whole series of the span would have; the series itself runs ``first`` to ``newest``."""
    match period:
        case PeriodAsked(kind=PeriodKindAsked.LAST_YEARS, count=int(count)):
            return range(max(first, newest - count + 1), newest + 1)
        case PeriodAsked(kind=PeriodKindAsked.YEARS_AGO, count=int(count)):
            return range(max(first, newest - count), newest + 1)
        case PeriodAsked(kind=PeriodKindAsked.RANGE, start=int(start), end=int(end)):
            return range(start, end + 1)
        case PeriodAsked(kind=PeriodKindAsked.SINCE | PeriodKindAsked.YEAR, start=int(start)):
            return range(start, newest + 1)
    return range(first, newest + 1)


def date_asked(period: PeriodAsked) -> str:
    """The date to ask the API for: the one year, the newest, or all of them."""
    if period.explicit_year is not None:
        return str(period.explicit_year)
    return "LATEST" if period.kind is PeriodKindAsked.LATEST else ""
