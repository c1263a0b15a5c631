"""Numbers and bounds as people write them."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.query.readings import Comparator
from shared.text.numbers import find_numbers, find_thresholds, parse_number


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("$100 million", "100000000", "USD"),
        ("US$ 5.5 trillion", "5500000000000", "USD"),
        ("1.5bn", "1500000000", None),
        ("€3m", "3000000", "EUR"),
        ("5%", "5", "%"),
        ("5 per cent", "5", "%"),
        ("five percent", "5", "%"),
        ("half a percent", "0.5", "%"),
        ("-5.2%", "-5.2", "%"),
        ("2,000", "2000", None),
        ("1,438,069,596 people", "1438069596", "people"),
        ("10k", "10000", None),
        ("a million", "1000000", None),
        ("half a million", "500000", None),
        ("one and a half million", "1500000", None),
        ("two hundred and five million", "205000000", None),
        ("twenty-five thousand", "25000", None),
        ("one point five million", "1500000", None),
        ("100 per 1,000", "100", "per 1,000"),
        ("3 billion people", "3000000000", "people"),
        ("75 years", "75", "years"),
    ],
)
def test_a_number_is_read_with_its_scale_and_unit(text: str, value: str, unit: str | None) -> None:
    [number] = find_numbers(text)
    assert (number.value, number.unit, number.text) == (Decimal(value), unit, text)
    assert parse_number(text) == Decimal(value)


@pytest.mark.parametrize("text", ["CO2 emissions", "the G7", "PM2.5 levels", "COVID19"])
def test_digits_inside_a_name_are_no_number(text: str) -> None:
    assert find_numbers(text) == []


@pytest.mark.parametrize(
    ("text", "comparator", "value", "upper", "unit"),
    [
        ("GDP of more than $100 million", Comparator.GREATER, "100000000", None, "USD"),
        ("inflation over 5%", Comparator.GREATER, "5", None, "%"),
        ("exceeds 2.5 percent", Comparator.GREATER, "2.5", None, "%"),
        ("population above 100m", Comparator.GREATER, "100000000", None, None),
        ("life expectancy over 80 years", Comparator.GREATER, "80", None, "years"),
        ("at least 10 million people", Comparator.AT_LEAST, "10000000", None, "people"),
        ("no less than 3", Comparator.AT_LEAST, "3", None, None),
        ("greater than or equal to 10", Comparator.AT_LEAST, "10", None, None),
        (">= 5", Comparator.AT_LEAST, "5", None, None),
        ("5% or more", Comparator.AT_LEAST, "5", None, "%"),
        ("10 million or above", Comparator.AT_LEAST, "10000000", None, None),
        ("less than 3 per 1,000", Comparator.LESS, "3", None, "per 1,000"),
        ("under 1,000", Comparator.LESS, "1000", None, None),
        ("below a million", Comparator.LESS, "1000000", None, None),
        ("fewer than five", Comparator.LESS, "5", None, None),
        ("no more than 5", Comparator.AT_MOST, "5", None, None),
        ("not more than 5%", Comparator.AT_MOST, "5", None, "%"),
        ("at most 20 years", Comparator.AT_MOST, "20", None, "years"),
        ("3% or less", Comparator.AT_MOST, "3", None, "%"),
        ("exactly 50", Comparator.EQUAL, "50", None, None),
        ("between 5 and 10 million", Comparator.BETWEEN, "5000000", "10000000", None),
        ("between $5 and $10 million", Comparator.BETWEEN, "5000000", "10000000", "USD"),
        ("between 5% and 10%", Comparator.BETWEEN, "5", "10", "%"),
        ("between 500,000 and 2 million", Comparator.BETWEEN, "500000", "2000000", None),
        ("more than half of the population", Comparator.GREATER, "50", None, "%"),
    ],
)
def test_a_bound_is_read_in_plain_units(
    text: str, comparator: Comparator, value: str, upper: str | None, unit: str | None
) -> None:
    [match] = find_thresholds(text)
    bound = match.threshold
    assert (bound.comparator, bound.value, bound.unit) == (comparator, Decimal(value), unit)
    assert bound.upper == (Decimal(upper) if upper else None)
    assert text[match.start : match.end] == bound.text


@pytest.mark.parametrize(
    "text",
    [
        "between 2000 and 2010",
        "growth over 10 years",
        "GDP in 2020 higher than 2019",
        "the top 10 countries",
        "over the past 5 years",
    ],
)
def test_a_span_of_time_or_a_count_is_no_bound(text: str) -> None:
    assert find_thresholds(text) == []


def test_contradictory_bounds_are_both_kept_for_the_caller() -> None:
    bounds = [match.threshold for match in find_thresholds("population over 10 million and under 5 million")]
    assert [(bound.comparator, bound.value) for bound in bounds] == [
        (Comparator.GREATER, Decimal(10_000_000)),
        (Comparator.LESS, Decimal(5_000_000)),
    ]


@given(st.integers(0, 10**18))
def test_an_integer_with_commas_is_read_back(value: int) -> None:
    assert parse_number(f"{value:,}") == value


@given(st.decimals(min_value=0, max_value=10**9, places=3))
def test_a_decimal_is_read_back_digit_for_digit(value: Decimal) -> None:
    assert parse_number(f"{value:f}") == value


@given(st.integers(1, 999), st.sampled_from(["thousand", "million", "billion", "trillion"]))
def test_a_scale_word_multiplies(value: int, scale: str) -> None:
    factor = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}[scale]
    assert parse_number(f"{value} {scale}") == value * factor


@given(st.text(max_size=80))
def test_any_text_is_read_without_fault(text: str) -> None:
    assert all(text[number.start : number.end] == number.text for number in find_numbers(text))
    assert all(text[match.start : match.end] == match.threshold.text for match in find_thresholds(text))
