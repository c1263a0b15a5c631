"""Figures are shown exactly or rounded for display, and every shown figure can be checked."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.query.quantity import Unit, UnitKind
from shared.text.figures import figures, find_figures, format_quantity, format_short
from shared.text.units import unit_of_title

USD = unit_of_title("GDP (current US$)")
PERCENT = unit_of_title("GDP growth (annual %)")
OF_GDP = unit_of_title("Broad money (% of GDP)")
PEOPLE = unit_of_title("Population, total")
YEARS = unit_of_title("Life expectancy at birth, total (years)")
BIRTHS = unit_of_title("Mortality rate, infant (per 1,000 live births)")
SEK = Unit(kind=UnitKind.CURRENCY, code="SEK", label="Swedish kronor", currency="SEK")


@pytest.mark.parametrize(
    ("value", "unit", "exact", "short"),
    [
        ("3956067115771.63", USD, "$3,956,067,115,771.63", "$3.96 trillion"),
        ("2480.791", USD, "$2,480.791", "$2,480.79"),
        ("999999999", USD, "$999,999,999", "$1 billion"),
        ("-1500000", USD, "-$1,500,000", "-$1.5 million"),
        ("5.2487", PERCENT, "5.2487%", "5.2%"),
        ("0.00432", PERCENT, "0.00432%", "0.0043%"),
        ("54.25", OF_GDP, "54.25% of GDP", "54.2% of GDP"),
        ("1438069596", PEOPLE, "1,438,069,596", "1.44 billion"),
        ("71.697", YEARS, "71.697 years", "71.7 years"),
        ("25.6", BIRTHS, "25.6 per 1,000 live births", "25.6 per 1,000 live births"),
        ("1234.5", SEK, "1,234.5 SEK", "1,234.50 SEK"),
        ("0", PERCENT, "0%", "0%"),
    ],
)
def test_a_quantity_has_an_exact_and_a_short_form(value: str, unit: Unit, exact: str, short: str) -> None:
    assert format_quantity(Decimal(value), unit) == exact
    assert format_short(Decimal(value), unit) == short


def test_all_figures_of_a_sentence_are_found() -> None:
    text = "India's GDP was $3.96 trillion in 2023, up 8.2% from FY2022; its 1,438,069,596 people emit CO2."
    assert figures(text) == [Decimal(3_960_000_000_000), 2023, Decimal("8.2"), 2022, 1438069596]


def test_of_a_date_only_the_year_is_a_figure() -> None:
    assert figures("$5 on 2023-09-30") == [5, 2023]


def test_a_figure_of_many_digits_is_held_against_any_other_without_an_error() -> None:
    (figure,) = find_figures("0.626149149168847123456789012")
    assert figure.shows(Decimal("0.6261491491688471234567890123"))
    assert not figure.shows(Decimal("118350166039396"))


def test_a_short_form_shows_its_exact_value_and_no_other() -> None:
    [figure] = find_figures("$3.96 trillion")
    assert figure.shows(Decimal("3956067115771.63"))
    assert not figure.shows(Decimal("3966067115771.63"))


_VALUES = st.decimals(min_value=Decimal("-1e15"), max_value=Decimal("1e15"), places=4)


@given(_VALUES, st.sampled_from([USD, PERCENT, PEOPLE, YEARS]))
def test_what_is_printed_exactly_is_read_back_exactly(value: Decimal, unit: Unit) -> None:
    [figure] = find_figures(format_quantity(value, unit))
    assert abs(figure.value) == abs(value)


@given(_VALUES, st.sampled_from([USD, PERCENT, PEOPLE, YEARS]))
def test_what_is_printed_short_shows_the_value(value: Decimal, unit: Unit) -> None:
    [figure] = find_figures(format_short(value, unit))
    assert figure.shows(value)
