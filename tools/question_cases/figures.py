"""The published figures and facts that every expectation is taken from."""

from __future__ import annotations

import csv
import gzip
import io
from collections import defaultdict
from dataclasses import dataclass
from decimal import Decimal
from functools import cached_property
from pathlib import Path

AGGREGATES = "Aggregates"
RECENT_YEARS = 10
"""How far back the best-covered year of an indicator is looked for when a ranking names no year."""

Series = dict[int, str]


class NoFigure(LookupError):  # noqa: N818 - the name says what is wrong
    """The data holds no value where a case needs one: the case is wrong, not the data."""


def _rows(path: Path) -> csv.DictReader[str]:
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode("utf-8")
    return csv.DictReader(io.StringIO(text))


@dataclass(frozen=True)
class Figures:
    """World Bank values by indicator, entity and year, and the facts of geography.

    Values are the publisher's own strings. Within one indicator only one vintage is read: the 2021 file
    serves the indicators that the 2026 package lacks.
    """

    root: Path

    @cached_property
    def values(self) -> dict[str, dict[str, Series]]:
        """indicator -> ISO3 or aggregate code -> year -> value."""
        bank = self.root / "worldbank"
        loaded: dict[str, dict[str, Series]] = defaultdict(lambda: defaultdict(dict))
        for name in ("wdi_core_values_2026-07.csv.gz", "wdi_more_values_2010on_2026-07.csv.gz"):
            for row in _rows(bank / name):
                loaded[row["indicator_code"]][row["country_code"]][int(row["year"])] = row["value"]
        newest_vintage = set(loaded)
        for row in _rows(bank / "wdi_values_2021-09-15.csv.gz"):
            if row["indicator_code"] not in newest_vintage:
                loaded[row["indicator_code"]][row["country_code"]][int(row["year"])] = row["value"]
        return loaded

    @cached_property
    def _list(self) -> dict[str, dict[str, str]]:
        return {row["iso3c"]: row for row in _rows(self.root / "worldbank" / "country_list_2026-04.csv")}

    @cached_property
    def countries(self) -> frozenset[str]:
        """The 217 economies: entities of the World Bank's list that are no aggregates."""
        return frozenset(code for code, row in self._list.items() if row["region"] != AGGREGATES)

    @cached_property
    def geography(self) -> dict[str, dict[str, str]]:
        """ISO3 -> facts of a country (region, subregion, landlocked, land borders)."""
        return {row["iso3"]: row for row in _rows(self.root / "geography" / "countries.csv")}

    def capital(self, code: str) -> str:
        return self._list[code]["capital"]

    def income(self, level: str) -> list[str]:
        """The economies of one income level, as ``Low income``."""
        return sorted(code for code in self.countries if self._list[code]["income"] == level)

    def continent(self, name: str) -> list[str]:
        """The economies whose region or subregion bears this name, as ``Africa`` or ``Central America``."""
        return sorted(
            code
            for code, row in self.geography.items()
            if name in (row["region"], row["subregion"]) and code in self.countries
        )

    def borders(self, code: str) -> list[str]:
        """The neighbours by land on which both geographic sources agree; raises ``NoFigure`` otherwise."""
        first = set(filter(None, self.geography[code]["land_borders_iso3"].split(";")))
        iso2 = {row["iso2"]: iso3 for iso3, row in self.geography.items()}
        second = {
            iso2[row["country_border_code"]]
            for row in _rows(self.root / "geography" / "country_land_borders.csv")
            if row["country_code"] == self.geography[code]["iso2"] and row["country_border_code"]
        }
        if first != second:
            raise NoFigure(f"the sources disagree about the neighbours of {code}: {first ^ second}")
        return sorted(first)

    def series(self, indicator: str, code: str) -> Series:
        """All values of one entity; raises ``NoFigure`` when there are none."""
        found = self.values.get(indicator, {}).get(code)
        if not found:
            raise NoFigure(f"{indicator} has no value for {code}")
        return found

    def at(self, indicator: str, code: str, year: int) -> str:
        """The value of one year; raises ``NoFigure``."""
        series = self.series(indicator, code)
        if year not in series:
            raise NoFigure(f"{indicator} has no value for {code} in {year}")
        return series[year]

    def newest(self, indicator: str, code: str) -> tuple[int, str]:
        """The newest year with a value, and the value."""
        series = self.series(indicator, code)
        year = max(series)
        return year, series[year]

    def ranking_year(self, indicator: str, members: list[str]) -> int:
        """The newest year in which 90% of the members report that do so in the best recent year."""
        counts: dict[int, int] = defaultdict(int)
        for code in members:
            for year in self.values[indicator].get(code, {}):
                counts[year] += 1
        recent = [year for year in counts if year > max(counts) - RECENT_YEARS]
        best = max(counts[year] for year in recent)
        return max(year for year in recent if counts[year] * 10 >= best * 9)

    def members_at(self, indicator: str, members: list[str], year: int) -> dict[str, Decimal]:
        """The members' values of one year; a member without one is left out."""
        table = self.values[indicator]
        return {code: Decimal(table[code][year]) for code in members if year in table.get(code, {})}

    def ranked(self, indicator: str, members: list[str], year: int, *, lowest: bool = False) -> list[str]:
        """The members in order of their value; raises ``NoFigure`` when the first five hold a tie."""
        found = self.members_at(indicator, members, year)
        order = sorted(found, key=lambda code: found[code], reverse=not lowest)
        head = [found[code] for code in order[:6]]
        if len(set(head)) != len(head):
            raise NoFigure(f"{indicator} {year}: a tie among the first: {order[:6]}")
        return order
