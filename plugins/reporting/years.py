"""Which calendar years are asked for, and when a year is reported well enough to be compared."""

from __future__ import annotations

from collections.abc import Mapping

from shared.query.readings import PeriodAsked, PeriodKindAsked

COVERAGE_YEARS = 5
"""The newest years among which the best coverage is taken."""
GOOD_COVERAGE = 0.9
"""Share of the best recent coverage that a year must reach to be the one that is compared."""


def years_to_request(period: PeriodAsked, *, this_year: int) -> tuple[int, int] | None:
    """The first and last year to ask for, or ``None`` for all of them."""
    match period:
        case PeriodAsked(kind=PeriodKindAsked.YEAR, start=int(year)):
            return year, year
        case PeriodAsked(kind=PeriodKindAsked.RANGE, start=int(first), end=int(last)) if first <= last:
            return first, last
        case PeriodAsked(kind=PeriodKindAsked.SINCE, start=int(first)):
            return first, max(first, this_year)
    return None


def well_reported_year(coverage: Mapping[int, int]) -> int | None:
    """The newest year with at least nine tenths of the best coverage of the newest five years.

    ``coverage`` counts the members that have a value, by year.
    """
    years = sorted((year for year, count in coverage.items() if count), reverse=True)
    if not years:
        return None
    recent = [year for year in years if year > years[0] - COVERAGE_YEARS]
    enough = GOOD_COVERAGE * max(coverage[year] for year in recent)
    return next(year for year in recent if coverage[year] >= enough)


def compared_year(coverage: Mapping[int, int], period: PeriodAsked) -> int | None:
    """The one year that a population is compared in, or ``None`` when no year of the span has figures.

    It is the year asked for, else the newest well reported one: surveys come in some years only.
    """
    if period.explicit_year is not None:
        return period.explicit_year if coverage.get(period.explicit_year) else None
    year = well_reported_year(coverage)
    if year is not None and period.kind is PeriodKindAsked.YEARS_AGO and period.count is not None:
        year -= period.count
        return year if coverage.get(year) else None
    return year
