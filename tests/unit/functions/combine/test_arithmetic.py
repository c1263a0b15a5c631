from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.combine import arithmetic

numbers = st.decimals(min_value=-(10**15), max_value=10**15, allow_nan=False, allow_infinity=False, places=4)


def test_a_difference_keeps_every_published_digit():
    assert arithmetic.difference(Decimal("19498039388042.6"), Decimal("3956067115771.63")) == Decimal(
        "15541972272270.97"
    )


def test_a_quotient_has_twelve_significant_digits():
    assert arithmetic.quotient(Decimal("19498039388042.6"), Decimal("3956067115771.63")) == Decimal("4.92864221396")
    with pytest.raises(ZeroDivisionError):
        arithmetic.quotient(Decimal(1), Decimal(0))


def test_a_percent_change_from_zero_or_below_has_no_meaning():
    assert arithmetic.percent_change(Decimal(50), Decimal(75)) == Decimal(50)
    assert arithmetic.percent_change(Decimal(0), Decimal(75)) is None
    assert arithmetic.percent_change(Decimal("-0.87"), Decimal("0.24")) is None


def test_equal_values_share_the_mean_of_their_ranks():
    assert arithmetic.ranks([Decimal(10), Decimal(20), Decimal(20), Decimal(5)]) == [
        Decimal(2),
        Decimal("3.5"),
        Decimal("3.5"),
        Decimal(1),
    ]


def test_coefficients_agree_with_a_worked_example():
    # Anscombe's first set: r = 0.81642051634 (Anscombe, The American Statistician 27, 1973).
    x = [Decimal(v) for v in ["10", "8", "13", "9", "11", "14", "6", "4", "12", "7", "5"]]
    y = [
        Decimal(v)
        for v in ["8.04", "6.95", "7.58", "8.81", "8.33", "9.96", "7.24", "4.26", "10.84", "4.82", "5.68"]
    ]
    assert str(arithmetic.pearson(x, y)).startswith("0.816420516")
    assert str(arithmetic.spearman(x, y)).startswith("0.81818181")
    assert arithmetic.pearson(x, [Decimal(1)] * 11) is None


@given(st.lists(numbers, min_size=1, max_size=30))
def test_a_sum_is_exact_whatever_the_order(values):
    assert arithmetic.total(values) == arithmetic.total(list(reversed(values)))
    assert min(values) <= arithmetic.median(values) <= max(values)


@given(st.lists(st.tuples(numbers, numbers), min_size=3, max_size=12))
def test_coefficients_stay_between_minus_one_and_one(pairs):
    x, y = [a for a, _ in pairs], [b for _, b in pairs]
    for coefficient in (arithmetic.pearson(x, y), arithmetic.spearman(x, y)):
        assert coefficient is None or -1 <= coefficient <= 1
