"""Which facet answers: one source for all figures of an answer, never two mixed.

Data Commons lists a place's facets by its own preference. Of them: the unit must be the measure's, a projection
answers no question about what is, what anybody may write comes last, yearly figures go before months, and a
source that ended long before the others yields to them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from plugins.datacommons.dates import is_yearly, within, year_of
from plugins.datacommons.records import Cell, Facet, PlaceSeries, Series
from plugins.datacommons.sources import is_contributed, is_projection
from shared.query.quantity import Unit, UnitKind
from shared.query.readings import PeriodAsked, PeriodKindAsked

STALE_YEARS = 5
"""How much older than the newest one a preferred source's newest figure may be."""
COVERAGE_YEARS = 5
GOOD_COVERAGE = 0.9
"""Share of the best coverage that a source, and then a year, must reach to be what is compared."""

UNIT_WORDS: Mapping[str, frozenset[str]] = {
    "Year": frozenset({"years"}),
    "Years": frozenset({"years"}),
    "USDollar": frozenset({"USD"}),
    "InflationAdjustedUSD_CurrentYear": frozenset({"USD"}),
    "Percent": frozenset({"%"}),
    "KilowattHour": frozenset({"kWh"}),
    "MetricTonCO2e": frozenset({"t CO2e"}),
    "InternationalDollar": frozenset({"international $"}),
}
"""The unit codes of measures that a facet's unit word stands for."""


def has_unit(facet: Facet, unit: Unit) -> bool:
    """Whether a facet's figures are in the measure's unit; a facet without a unit word is taken at its word."""
    if not facet.unit:
        return unit.kind is not UnitKind.CURRENCY or unit.currency is not None
    return unit.code in UNIT_WORDS.get(facet.unit, frozenset({facet.unit}))


def admissible(
    series: Iterable[Series], facets: Mapping[str, Facet], unit: Unit, *, this_year: int, future: bool = False
) -> list[Series]:
    """The series that may answer, best first. ``future`` lets projections and years to come in.

    Where any has yearly figures, only those are kept.
    """
    kept: list[tuple[bool, Series]] = []
    for one in series:
        facet = facets.get(one.facet) or Facet(one.facet, one.facet)
        if not has_unit(facet, unit) or (is_projection(facet) and not future):
            continue
        cells = tuple(cell for cell in one.cells if future or year_of(cell.date) <= this_year)
        if cells:
            kept.append((is_contributed(facet), Series(one.facet, cells)))
    ordered = [one for _, one in sorted(kept, key=lambda item: item[0])]
    yearly = [
        Series(one.facet, cells) for one in ordered if (cells := tuple(c for c in one.cells if is_yearly(c.date)))
    ]
    return yearly or ordered


def newest_of(series: Sequence[Series]) -> Series | None:
    """The preferred series whose newest figure is not long past the newest of all; ``None`` of none."""
    if not series:
        return None
    newest = max(year_of(one.cells[-1].date) for one in series)
    return next(one for one in series if year_of(one.cells[-1].date) >= newest - STALE_YEARS)


def spanning(series: Sequence[Series], period: PeriodAsked) -> Series | None:
    """The series with the most figures of a span, of equals the preferred one; ``None`` where none reaches it."""
    if not series:
        return None
    if period.kind in {PeriodKindAsked.ALL, PeriodKindAsked.LAST_YEARS}:
        current = max(year_of(one.cells[-1].date) for one in series) - STALE_YEARS
        series = [one for one in series if year_of(one.cells[-1].date) >= current]
    best = max(series, key=lambda one: len(cells_within(one, period)))
    return best if cells_within(best, period) else None


def cells_within(series: Series, period: PeriodAsked) -> list[Cell]:
    """The figures of a series that lie in a span, oldest first."""
    newest = year_of(series.cells[-1].date)
    return [cell for cell in series.cells if within(cell.date, period, newest=newest)]


def covering(places: PlaceSeries, *, dataset: str | None = None) -> str | None:
    """The facet of a population: of those that cover it well, the one most preferred and then the newest."""
    count: Counter[str] = Counter()
    standing: Counter[str] = Counter()
    newest: dict[str, Counter[int]] = {}
    for series in places.values():
        for position, one in enumerate(series):
            count[one.facet] += 1
            standing[one.facet] += position
            newest.setdefault(one.facet, Counter())[year_of(one.cells[-1].date)] += 1
    if not count:
        return None
    if dataset is not None:
        return dataset if dataset in count else None
    good = [facet for facet in count if count[facet] >= GOOD_COVERAGE * max(count.values())]
    years = {facet: common_year(newest[facet]) or 0 for facet in good}
    recent = [facet for facet in good if years[facet] >= max(years.values()) - STALE_YEARS]
    return min(recent, key=lambda facet: (standing[facet] / count[facet], -years[facet], facet))


def common_year(coverage: Mapping[int, int]) -> int | None:
    """The newest year with at least nine tenths of the best coverage of the newest five years.

    ``coverage`` counts the members that have a figure, by year.
    """
    years = sorted((year for year, count in coverage.items() if count), reverse=True)
    if not years:
        return None
    recent = [year for year in years if year > years[0] - COVERAGE_YEARS]
    enough = GOOD_COVERAGE * max(coverage[year] for year in recent)
    return next(year for year in recent if coverage[year] >= enough)
