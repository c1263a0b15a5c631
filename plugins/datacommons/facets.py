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
from plugins.reporting.years import GOOD_COVERAGE, well_reported_year
from shared.query.quantity import Unit, UnitKind
from shared.query.readings import PeriodAsked, PeriodKindAsked

MAX_YEAR = 9999
YEAR_DIGITS = 4
STALE_YEARS = 5
"""How much older than the newest one a preferred source's newest figure may be."""

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


class Admission:
    """Which series of an answer may answer, best first; what a facet is decides once for all places.

    ``future`` lets projections and years to come in. Where a place has yearly figures, only those are kept.
    """

    def __init__(self, facets: Mapping[str, Facet], unit: Unit, *, this_year: int, future: bool = False) -> None:
        self._facets, self._unit = facets, unit
        self._last_year = MAX_YEAR if future else this_year
        self._future = future
        self._standing: dict[str, bool | None] = {}

    def of(self, series: Iterable[Series]) -> list[Series]:
        """The admissible series of one place."""
        first: list[Series] = []
        last: list[Series] = []
        for one in series:
            contributed = self._contributed(one.facet)
            if contributed is None:
                continue
            kept = one
            if year_of(one.cells[-1].date) > self._last_year:
                cells = tuple(cell for cell in one.cells if year_of(cell.date) <= self._last_year)
                if not cells:
                    continue
                kept = Series(one.facet, cells)
            (last if contributed else first).append(kept)
        ordered = [*first, *last]
        yearly = [found for one in ordered if (found := _yearly(one)) is not None]
        return yearly or ordered

    def _contributed(self, name: str) -> bool | None:
        """Whether anybody may write the facet's figures; ``None`` where they may not answer at all."""
        if name not in self._standing:
            facet = self._facets.get(name) or Facet(name, name)
            fits = has_unit(facet, self._unit) and (self._future or not is_projection(facet))
            self._standing[name] = is_contributed(facet) if fits else None
        return self._standing[name]


def _yearly(series: Series) -> Series | None:
    """The series without what is of no whole year; ``None`` where nothing is left."""
    if all(len(cell.date) == YEAR_DIGITS for cell in series.cells):
        return series
    cells = tuple(cell for cell in series.cells if is_yearly(cell.date))
    return Series(series.facet, cells) if cells else None


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
    years = {facet: well_reported_year(newest[facet]) or 0 for facet in good}
    recent = [facet for facet in good if years[facet] >= max(years.values()) - STALE_YEARS]
    return min(recent, key=lambda facet: (standing[facet] / count[facet], -years[facet], facet))
