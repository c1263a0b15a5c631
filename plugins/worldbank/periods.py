"""Which years are asked of the World Bank for a question's span, and which of the reported ones answer it.

The figures are of calendar years. ``latest`` is the newest year with a value, never a null one. For a set of
members it is the newest year that is reported well enough to be held side by side.
"""

from __future__ import annotations

from plugins.worldbank.records import Cell
from shared.query.readings import PeriodAsked, PeriodKindAsked

FIRST_YEAR = 1960
RECENT_YEARS = 8
"""How far back a population's newest figures are looked for before all years are."""


def choose_cell(reported: list[Cell], period: PeriodAsked) -> Cell | str:
    """The one cell that answers, or why none does. ``reported`` has values only, oldest first."""
    if not reported:
        return "no year has a figure"
    newest = reported[-1]
    if period.kind is PeriodKindAsked.YEARS_AGO and period.count is not None:
        year = newest.year - period.count
        found = next((cell for cell in reported if cell.year == year), None)
        return found or f"{period.count} years before the newest figure is {year}, which has none"
    return newest


def choose_series(reported: list[Cell], period: PeriodAsked) -> tuple[list[Cell], list[int]]:
    """The cells of a span, oldest first, and the years within it that have no figure."""
    if not reported:
        return [], []
    first, last = reported[0].year, reported[-1].year
    match period:
        case PeriodAsked(kind=PeriodKindAsked.LAST_YEARS | PeriodKindAsked.YEARS_AGO, count=int(count)):
            # "The last five years" are five figures; "since ten years ago" takes both ends.
            steps = count - 1 if period.kind is PeriodKindAsked.LAST_YEARS else count
            first = max(FIRST_YEAR, last - steps)
        case PeriodAsked(kind=PeriodKindAsked.RANGE, start=int(start), end=int(end)):
            first, last = start, end
        case PeriodAsked(kind=PeriodKindAsked.SINCE | PeriodKindAsked.YEAR, start=int(start)):
            first = start
    cells = [cell for cell in reported if first <= cell.year <= last]
    found = {cell.year for cell in cells}
    return cells, [year for year in range(first, last + 1) if year not in found]
