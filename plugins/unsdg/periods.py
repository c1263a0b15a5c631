"""Which years are asked for, and which of the reported ones answer. The figures are of calendar years."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from plugins.unsdg.records import Cell
from shared.query.readings import PeriodAsked, PeriodKindAsked

RECENT_YEARS = 12
"""How far back a population's newest figures are looked for before all years are."""
COVERAGE_YEARS = 5
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


def choose_cell(reported: Sequence[Cell], period: PeriodAsked) -> Cell | None:
    """The cell that answers, or ``None``; ``reported`` is oldest first."""
    if not reported or period.kind is not PeriodKindAsked.YEARS_AGO or period.count is None:
        return reported[-1] if reported else None
    year = reported[-1].year - period.count
    return next((cell for cell in reported if cell.year == year), None)


def choose_series(reported: Sequence[Cell], period: PeriodAsked) -> list[Cell]:
    """The cells of a span, oldest first."""
    if not reported:
        return []
    first, last = reported[0].year, reported[-1].year
    match period:
        case PeriodAsked(kind=PeriodKindAsked.LAST_YEARS | PeriodKindAsked.YEARS_AGO, count=int(count)):
            # "The last five years" are five figures; "since ten years ago" takes both ends.
            first = last - (count - 1 if period.kind is PeriodKindAsked.LAST_YEARS else count)
        case PeriodAsked(kind=PeriodKindAsked.RANGE, start=int(start), end=int(end)):
            first, last = start, end
        case PeriodAsked(kind=PeriodKindAsked.SINCE | PeriodKindAsked.YEAR, start=int(start)):
            first = start
    return [cell for cell in reported if first <= cell.year <= last]


def ends_lacking(cells: Sequence[Cell], period: PeriodAsked) -> list[str]:
    """The years at the ends of a span that was asked for by its years, for which there is no figure.

    Years between two figures are no holes: many series come from surveys.
    """
    lacking = []
    first, last = cells[0].year, cells[-1].year
    if period.kind in {PeriodKindAsked.RANGE, PeriodKindAsked.SINCE} and period.start is not None:
        lacking += _years(period.start, first - 1)
    if period.kind is PeriodKindAsked.RANGE and period.end is not None:
        lacking += _years(last + 1, period.end)
    return lacking


def _years(first: int, last: int) -> list[str]:
    if first > last:
        return []
    return [f"{first}" if first == last else f"{first} to {last}"]


def common_year(coverage: Mapping[int, int], period: PeriodAsked) -> int | None:
    """The one year that a population is compared in: the one asked for, else the newest well reported one.

    ``coverage`` counts the members that have a figure, by year. Surveys come in some years only: of the newest five
    years it is the newest with nine tenths of the best coverage.
    """
    if period.explicit_year is not None:
        return period.explicit_year if coverage.get(period.explicit_year) else None
    years = sorted((year for year, count in coverage.items() if count), reverse=True)
    if not years:
        return None
    recent = [year for year in years if year > years[0] - COVERAGE_YEARS]
    enough = GOOD_COVERAGE * max(coverage[year] for year in recent)
    year = next(year for year in recent if coverage[year] >= enough)
    if period.kind is PeriodKindAsked.YEARS_AGO and period.count is not None:
        year -= period.count
    return year if coverage.get(year) else None
