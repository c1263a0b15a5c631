"""Values stay exact and travel with their units."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter, ValidationError

from shared.query.quantity import Entity, Exact, Period, PeriodKind, PlaceKind, Printed

EXACT: TypeAdapter[Decimal] = TypeAdapter(Exact)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=12))
def test_a_decimal_survives_json_digit_for_digit(value: Decimal) -> None:
    written = EXACT.dump_json(value)
    assert EXACT.validate_json(written) == value
    assert b"E" not in written


@pytest.mark.parametrize("value", [1.5, True, "NaN", "Infinity", "twelve", None])
def test_what_is_not_an_exact_number_is_refused(value: object) -> None:
    with pytest.raises(ValidationError):
        EXACT.validate_python(value)


@pytest.mark.parametrize("value", [True, False, Decimal("0"), Decimal("1"), Decimal("3500906030644.76"), "Paris"])
def test_a_yes_a_number_and_words_read_back_as_what_they_were(value: object) -> None:
    cell: TypeAdapter[object] = TypeAdapter(Printed)
    back = cell.validate_json(cell.dump_json(value))
    assert (back, type(back)) == (value, type(value))


def test_the_published_digits_of_indias_gdp_are_kept() -> None:
    assert EXACT.dump_json(EXACT.validate_python("3500906030644.76")) == b'"3500906030644.76"'


def test_an_entity_is_matched_by_iso3_before_other_keys() -> None:
    india = Entity(name="India", kind=PlaceKind.COUNTRY, keys={"iso2": "IN", "iso3": "IND"})
    assert india.code == "IND"


def test_a_fiscal_year_is_not_the_calendar_year_of_the_same_number() -> None:
    fiscal = Period(kind=PeriodKind.FISCAL_YEAR, text="FY2023")
    assert fiscal.calendar_year is None
    assert Period.year(2023).calendar_year == 2023
    assert fiscal != Period.year(2023)
