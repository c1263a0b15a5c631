"""Which years are asked for and which of the reported ones answer."""

from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import strategies as st

from plugins.worldbank.periods import choose_cell, choose_series
from plugins.worldbank.records import Cell
from shared.query.readings import PeriodAsked, PeriodKindAsked

YEARS = st.integers(1960, 2026)


def cells(*years: int) -> list[Cell]:
    return [Cell("IND", "India", year, Decimal(year)) for year in sorted(years)]


def asked(kind: str, **more: int) -> PeriodAsked:
    return PeriodAsked.model_validate({"kind": PeriodKindAsked(kind), **more})


def test_years_ago_count_from_the_newest_figure() -> None:
    chosen = choose_cell(cells(2014, 2015, 2025), asked("years_ago", count=10))
    assert isinstance(chosen, Cell)
    assert chosen.year == 2015
    assert choose_cell(cells(2014, 2025), asked("years_ago", count=10)) == (
        "10 years before the newest figure is 2015, which has none"
    )


@pytest.mark.parametrize(
    ("period", "years", "lacking"),
    [
        (asked("all"), [2000, 2002, 2003, 2004], [2001]),
        (asked("range", start=2002, end=2005), [2002, 2003, 2004], [2005]),
        (asked("since", start=2001), [2002, 2003, 2004], [2001]),
        (asked("last_years", count=2), [2003, 2004], []),
        (asked("years_ago", count=2), [2002, 2003, 2004], []),
        (asked("range", start=1990, end=1995), [], [1990, 1991, 1992, 1993, 1994, 1995]),
    ],
)
def test_a_series_has_the_years_of_its_span_and_names_those_without_a_figure(
    period: PeriodAsked, years: list[int], lacking: list[int]
) -> None:
    found, holes = choose_series(cells(2000, 2002, 2003, 2004), period)
    assert [cell.year for cell in found] == years
    assert holes == lacking
