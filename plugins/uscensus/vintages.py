"""Which vintages of a survey there are, and which of them a question is about."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from shared.query.readings import PeriodAsked, PeriodKindAsked

STEPS_BACK = 8
"""How many vintages are tried, from the newest back, for one that has the figure."""


@dataclass(frozen=True, slots=True)
class Program:
    """A survey or count of the Census Bureau.

    ``first`` is its first vintage on the API, ``years`` the years that one estimate covers, ``released`` the month
    of the next year in which a vintage comes out, ``late`` by how many years later; ``skipped`` vintages do not
    exist, ``only`` are the sole ones.
    """

    name: str
    first: int
    years: int
    released: int
    basis: str
    skipped: frozenset[int] = frozenset()
    only: tuple[int, ...] = ()
    late: int = 0

    def newest(self, today: date) -> int:
        """The newest vintage that may be out."""
        if self.only:
            return max(self.only)
        newest = today.year - 1 - self.late
        return newest if today.month >= self.released else newest - 1

    def span(self, vintage: int) -> str:
        """The years that an estimate covers: ``2019-2023``."""
        return str(vintage) if self.years == 1 else f"{vintage - self.years + 1}-{vintage}"

    def exists(self, vintage: int) -> bool:
        """Whether the program ever had a vintage, as far as is known."""
        if self.only:
            return vintage in self.only
        return vintage >= self.first and vintage not in self.skipped


PROGRAMS: dict[str, Program] = {
    "acs5": Program("American Community Survey 5-year estimates", 2009, 5, 12, "mean of five years"),
    "acs1": Program(
        "American Community Survey 1-year estimates", 2005, 1, 9, "survey of one year", frozenset({2020})
    ),
    "pl": Program("Decennial Census", 2020, 1, 8, "census", only=(2020,)),
    "saipe": Program("Small Area Income and Poverty Estimates", 1995, 1, 12, "model-based estimate of one year"),
    "pep": Program("Population Estimates Program", 2020, 1, 1, "estimate for 1 July"),
    "cbp": Program("County Business Patterns", 2017, 1, 4, "count of business establishments", late=1),
    "abs": Program("Annual Business Survey", 2018, 1, 10, "survey of businesses", late=1),
    "ecn": Program("Economic Census", 2017, 1, 1, "census of businesses", only=(2017, 2022)),
}
"""Programs by the name that a variable's leaf gives."""


def candidates(program: Program, period: PeriodAsked, today: date) -> list[int]:
    """The vintages to try for one figure, the first that has it being the answer."""
    if period.explicit_year is not None:
        return [period.explicit_year] if program.exists(period.explicit_year) else []
    if program.only:
        return sorted(program.only, reverse=True)
    newest = program.newest(today)
    return [year for year in range(newest, newest - STEPS_BACK, -1) if program.exists(year)]


def spanned(program: Program, period: PeriodAsked, today: date) -> list[int]:
    """The vintages of a span, oldest first."""
    newest = program.newest(today)
    first, last = program.first, newest
    match period:
        case PeriodAsked(kind=PeriodKindAsked.RANGE, start=int(start), end=int(end)):
            first, last = start, end
        case PeriodAsked(kind=PeriodKindAsked.SINCE | PeriodKindAsked.YEAR, start=int(start)):
            first = start
        case PeriodAsked(kind=PeriodKindAsked.LAST_YEARS, count=int(count)):
            first = newest - count + 1
        case PeriodAsked(kind=PeriodKindAsked.YEARS_AGO, count=int(count)):
            first = newest - count
    return [year for year in range(max(first, program.first), min(last, newest) + 1) if program.exists(year)]
