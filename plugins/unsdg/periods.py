"""Which years are asked for, and which of the reported ones answer. The figures are of calendar years."""

from __future__ import annotations

from collections.abc import Sequence

from plugins.unsdg.records import Cell
from shared.query.readings import PeriodAsked, PeriodKindAsked

RECENT_YEARS = 12
"""How far back a population's newest figures are looked for before all years are."""


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
