"""Phrases of time become asked periods; numbers that count things do not."""

from datetime import date
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.query.quantity import PeriodKind
from shared.query.readings import PeriodKindAsked as Kind
from shared.text.periods import asked_period, find_periods, parse_wire

TODAY = date(2026, 7, 15)
YEAR, RANGE, SINCE, AGO, LAST, LATEST, ALL = (
    Kind.YEAR, Kind.RANGE, Kind.SINCE, Kind.YEARS_AGO, Kind.LAST_YEARS, Kind.LATEST, Kind.ALL,
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words", "kind", "start", "end", "count"),
    [
        ("GDP of India in 2019", "in 2019", YEAR, 2019, None, None),
        ("population as of 2015", "as of 2015", YEAR, 2015, None, None),
        ("India GDP 2019", "2019", YEAR, 2019, None, None),
        ("2019 GDP of India", "2019", YEAR, 2019, None, None),
        ("in the year 2010", "in the year 2010", YEAR, 2010, None, None),
        ("population by 2020", "by 2020", YEAR, 2020, None, None),
        ("exports in January 2020", "in January 2020", YEAR, 2020, None, None),
        ("debt on March 31, 2021", "on March 31, 2021", YEAR, 2021, None, None),
        ("inflation in Q3 2022", "in Q3 2022", YEAR, 2022, None, None),
        ("GDP in 2050", "in 2050", YEAR, 2050, None, None),
        ("growth between 2000 and 2010", "between 2000 and 2010", RANGE, 2000, 2010, None),
        ("growth from 2000 to 2020", "from 2000 to 2020", RANGE, 2000, 2020, None),
        ("GDP 2000-2020", "2000-2020", RANGE, 2000, 2020, None),
        ("GDP 2000\N{EN DASH}2020", "2000\N{EN DASH}2020", RANGE, 2000, 2020, None),
        ("from 2020 to 2000", "from 2020 to 2000", RANGE, 2000, 2020, None),
        ("GDP 2010-15", "2010-15", RANGE, 2010, 2015, None),
        ("in the 1990s", "in the 1990s", RANGE, 1990, 1999, None),
        ("in the 90s", "in the 90s", RANGE, 1990, 1999, None),
        ("the late 1980s", "the late 1980s", RANGE, 1987, 1989, None),
        ("in the 20th century", "in the 20th century", RANGE, 1901, 2000, None),
        ("before 2000", "before 2000", RANGE, None, 1999, None),
        ("until 2010", "until 2010", RANGE, None, 2010, None),
        ("since 2000", "since 2000", SINCE, 2000, None, None),
        ("from 1990 onwards", "from 1990 onwards", SINCE, 1990, None, None),
        ("1990 to present", "1990 to present", SINCE, 1990, None, None),
        ("after 2010", "after 2010", SINCE, 2011, None, None),
        ("ten years ago", "ten years ago", AGO, None, None, 10),
        ("10 years ago", "10 years ago", AGO, None, None, 10),
        ("a decade ago", "a decade ago", AGO, None, None, 10),
        ("two decades ago", "two decades ago", AGO, None, None, 20),
        ("last 5 years", "last 5 years", LAST, None, None, 5),
        ("over the past decade", "over the past decade", LAST, None, None, 10),
        ("in the last two decades", "in the last two decades", LAST, None, None, 20),
        ("the latest figure", "the latest figure", LATEST, None, None, None),
        ("current GDP of Kenya", "current", LATEST, None, None, None),
        ("GDP now", "now", LATEST, None, None, None),
        ("GDP of Kenya today", "today", LATEST, None, None, None),
        ("GDP this year", "this year", YEAR, 2026, None, None),
        ("GDP last year", "last year", YEAR, 2025, None, None),
        ("GDP next year", "next year", YEAR, 2027, None, None),
        ("GDP in ten years?", "in ten years", YEAR, 2036, None, None),
        ("over the next decade", "over the next decade", RANGE, 2027, 2036, None),
        ("GDP over time", "over time", ALL, None, None, None),
        ("highest inflation of all time", "of all time", ALL, None, None, None),
    ],
)
def test_a_phrase_of_time_is_read_with_its_words(  # noqa: PLR0917 - one argument a column
    text: str, words: str, kind: Kind, start: int | None, end: int | None, count: int | None
) -> None:
    [match] = find_periods(text, today=TODAY)
    assert text[match.start : match.end] == match.text == match.period.text == words
    assert (match.period.kind, match.period.start, match.period.end, match.period.count) == (
        kind,
        start,
        end,
        count,
    )


@pytest.mark.parametrize(
    "text", ["revenue in FY2023", "revenue in fiscal year 2023", "fiscal 2023 revenue", "FY23 revenue"]
)
def test_a_fiscal_year_is_marked_as_one(text: str) -> None:
    [match] = find_periods(text, today=TODAY)
    assert (match.period.kind, match.period.start, match.period.fiscal) == (YEAR, 2023, True)


@pytest.mark.parametrize(
    "text",
    [
        "top 2000 companies by revenue",
        "countries with over 2,000 hospitals",
        "2000 calories a day",
        "more than 2000 people per sq. km",
        "current account balance of Japan",
        "GDP (current US$)",
        "GDP (constant 2015 US$)",
        "GDP in 2015 dollars",
        "$2000 a month",
        "at least 1990 units",
        "income over 2000",
        "1950.5 points",
        "life expectancy over 80 years",
        "2023% of the target",
    ],
)
def test_a_number_that_counts_is_no_year(text: str) -> None:
    assert find_periods(text, today=TODAY) == []


def test_two_years_are_asked_as_the_range_they_bound() -> None:
    period = asked_period("Compare the GDP of Peru in 2020 and 2010", today=TODAY)
    assert period is not None
    assert (period.kind, period.start, period.end) == (RANGE, 2010, 2020)


def test_an_explicit_year_beats_a_word_for_the_latest() -> None:
    period = asked_period("what is now known of GDP in 2019", today=TODAY)
    assert period is not None
    assert period.explicit_year == 2019


def test_a_question_without_time_asks_for_none() -> None:
    assert asked_period("What is India's GDP?", today=TODAY) is None


@given(
    st.integers(1900, 2099),
    st.sampled_from(["GDP in {}", "GDP of Peru {}", "{} population", "as of {}", "year {}"]),
)
def test_every_year_written_is_the_year_read(year: int, form: str) -> None:
    [match] = find_periods(form.format(year), today=TODAY)
    assert match.period.explicit_year == year


@given(st.text(max_size=80))
def test_any_text_is_read_without_fault_and_spans_lie_in_it(text: str) -> None:
    matches = find_periods(text, today=TODAY)
    assert all(text[match.start : match.end] == match.text for match in matches)
    assert all(left.end <= right.start for left, right in pairwise(matches))


@pytest.mark.parametrize(
    ("written", "kind", "text"),
    [
        ("2023", PeriodKind.YEAR, "2023"),
        ("2023Q1", PeriodKind.QUARTER, "2023-Q1"),
        ("2023-Q4", PeriodKind.QUARTER, "2023-Q4"),
        ("2023M05", PeriodKind.MONTH, "2023-05"),
        ("2023-05", PeriodKind.MONTH, "2023-05"),
        ("2023-05-31", PeriodKind.DAY, "2023-05-31"),
        ("2023-05-31T00:00:00Z", PeriodKind.DAY, "2023-05-31"),
        ("FY2023", PeriodKind.FISCAL_YEAR, "FY2023"),
        ("", PeriodKind.UNDATED, "undated"),
    ],
)
def test_a_publishers_period_keeps_its_calendar(written: str, kind: PeriodKind, text: str) -> None:
    period = parse_wire(written)
    assert (period.kind, period.text) == (kind, text)


@pytest.mark.parametrize("written", ["20233", "2023-13", "2023-02-30", "soon", "2023Q5"])
def test_an_unknown_period_string_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match=r"period|day|month"):
        parse_wire(written)


@given(st.dates(min_value=date(1000, 1, 1)))
def test_every_date_survives_the_wire(day: date) -> None:
    assert parse_wire(day.isoformat()).text == day.isoformat()
