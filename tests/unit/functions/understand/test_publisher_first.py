"""A publisher before the quantity is whose word is taken, and no place whose figure is asked for."""

from __future__ import annotations

from datetime import date

import pytest

from functions.understand.reader import read
from shared.query.readings import ComparisonReading, ValueReading

TODAY = date(2026, 1, 1)


@pytest.mark.parametrize(
    ("question", "measure", "place"),
    [
        ("Data Commons population of California", "population", "California"),
        ("World Bank GDP of France", "gdp", "France"),
        ("What is the Census Bureau poverty rate of Texas?", "poverty rate", "Texas"),
        ("census population of Texas", "population", "Texas"),
        ("IMF GDP of France", "gdp", "France"),
    ],
)
def test_the_publisher_is_left_out_of_the_reading(question: str, measure: str, place: str) -> None:
    found = read(question, today=TODAY).readings[0]
    assert isinstance(found, ValueReading)
    assert (found.measure.text, found.entity.label) == (measure, place)


def test_a_place_before_the_quantity_is_still_compared() -> None:
    assert isinstance(read("France GDP vs Germany", today=TODAY).readings[0], ComparisonReading)
