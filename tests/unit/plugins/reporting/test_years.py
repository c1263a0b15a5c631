"""Which years are asked for, and in which of the reported ones members are compared."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plugins.reporting.years import compared_year, well_reported_year, years_to_request
from shared.query.readings import PeriodAsked, PeriodKindAsked

YEARS = st.integers(1960, 2026)
COVERAGE = st.dictionaries(YEARS, st.integers(0, 217))


def asked(kind: str, **more: int) -> PeriodAsked:
    return PeriodAsked.model_validate({"kind": PeriodKindAsked(kind), **more})


@pytest.mark.parametrize(
    ("period", "years"),
    [
        (asked("latest"), None),
        (asked("all"), None),
        (asked("year", start=2019), (2019, 2019)),
        (asked("range", start=2010, end=2015), (2010, 2015)),
        (asked("range", start=2015, end=2010), None),
        (asked("since", start=2000), (2000, 2026)),
        (asked("since", start=2030), (2030, 2030)),
        (asked("years_ago", count=10), None),
    ],
)
def test_a_span_is_passed_to_the_publisher(period: PeriodAsked, years: tuple[int, int] | None) -> None:
    assert years_to_request(period, this_year=2026) == years


def test_gdp_is_compared_in_the_newest_well_reported_year() -> None:
    gdp = {2018: 211, 2019: 211, 2020: 210, 2021: 210, 2022: 209, 2023: 204, 2024: 199, 2025: 185}
    assert well_reported_year(gdp) == 2024


def test_a_sparse_series_is_compared_where_it_is_reported_best_of_late() -> None:
    gini = {2018: 93, 2019: 78, 2020: 70, 2021: 81, 2022: 73, 2023: 57, 2024: 25, 2025: 4}
    assert well_reported_year(gini) == 2022


@given(COVERAGE)
def test_the_common_year_is_recent_and_well_reported(coverage: dict[int, int]) -> None:
    year = well_reported_year(coverage)
    reported = {y: count for y, count in coverage.items() if count}
    if not reported:
        assert year is None
        return
    assert year is not None
    recent = [y for y in reported if y > max(reported) - 5]
    best = max(reported[y] for y in recent)
    assert year in recent
    assert reported[year] * 10 >= best * 9
    assert all(reported[y] * 10 < best * 9 for y in recent if y > year)


@given(COVERAGE, YEARS)
def test_an_explicit_year_is_never_replaced(coverage: dict[int, int], year: int) -> None:
    assert compared_year(coverage, asked("year", start=year)) in {year, None}


def test_years_ago_count_from_the_well_reported_year_and_need_figures_of_their_own() -> None:
    ten = asked("years_ago", count=10)
    assert compared_year({2025: 200, 2015: 190}, ten) == 2015
    assert compared_year({2025: 200, 2014: 190}, ten) is None
    assert compared_year({}, ten) is None
