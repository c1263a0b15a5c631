"""Which end is asked for, of what, and between which bounds."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

import pytest

from functions.understand.reader import read
from shared.query.readings import Direction, FilteredListReading, RankingReading, TrendReading, ValueReading
from shared.runtime.errors import CannotRead

TODAY = date(2026, 11, 30)


@pytest.mark.parametrize(
    ("question", "direction", "measure", "count"),
    [
        ("top 5 countries with the lowest life expectancy", Direction.LOWEST, "life expectancy", 5),
        ("top 10 countries with the lowest GDP per capita", Direction.LOWEST, "gdp per capita", 10),
        ("Top 10 countries with the fewest people", Direction.LOWEST, "population", 10),
        ("top 5 countries with the highest life expectancy", Direction.HIGHEST, "life expectancy", 5),
        ("first five countries by highest fertility rate", Direction.HIGHEST, "fertility rate", 5),
        ("bottom 5 countries with the lowest life expectancy", Direction.LOWEST, "life expectancy", 5),
        ("top ten richest countries", Direction.HIGHEST, "gdp per capita", 10),
        ("richest states in the US", Direction.HIGHEST, "median household income", None),
        ("poorest cities in Illinois", Direction.LOWEST, "median household income", None),
        ("which states have the most children", Direction.HIGHEST, "children", None),
        ("which country has the most children per woman", Direction.HIGHEST, "fertility rate", 1),
        ("most populous countries from a yearbook", Direction.HIGHEST, "population", None),
    ],
)
def test_the_words_nearest_to_the_quantity_tell_which_end_is_meant(
    question: str, direction: Direction, measure: str, count: int | None
) -> None:
    reading = read(question, today=TODAY).readings[0]
    assert isinstance(reading, RankingReading)
    assert (reading.direction, reading.measure.text, reading.count) == (direction, measure, count)


@pytest.mark.parametrize(
    ("question", "measure", "bounds"),
    [
        ("cities where population is above 1M", "population", [(Decimal(1_000_000), None)]),
        ("cities with population less than 100K", "population", [(Decimal(100_000), None)]),
        ("cities with population upto 1000", "population", [(Decimal(1000), None)]),
        ("counties with median age between 10 and 30", "median age", [(Decimal(10), Decimal(30))]),
        ("counties where median age ranges from 10 to 30", "median age", [(Decimal(10), Decimal(30))]),
        ("Which counties in California have median age over 40?", "median age", [(Decimal(40), None)]),
        ("cities with median age >10 <=20", "median age", [(Decimal(10), None), (Decimal(20), None)]),
    ],
)
def test_a_bound_on_a_figure_is_no_part_of_its_name(
    question: str, measure: str, bounds: list[tuple[Decimal, Decimal | None]]
) -> None:
    reading = read(question, today=TODAY).readings[0]
    assert isinstance(reading, FilteredListReading)
    assert {condition.measure.text for condition in reading.conditions} == {measure}
    found = [condition.threshold for condition in reading.conditions]
    assert [(one.value, one.upper) for one in found if one is not None] == bounds


def test_an_age_of_people_stays_a_part_of_what_is_counted() -> None:
    reading = read("population over 65 in Japan", today=TODAY).readings[0]
    assert isinstance(reading, ValueReading)
    assert reading.measure.text == "population ages 65 and above"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("cities with median age <=10 >=20", "contradict each other"),
        ("what are the fastest growing jobs in California", "orders by the change of jobs"),
        ("what does Canada export", "asks what goods Canada exports"),
    ],
)
def test_what_no_figure_can_be_is_refused_with_its_own_reason(question: str, said: str) -> None:
    with pytest.raises(CannotRead, match=said):
        read(question, today=TODAY)


def test_the_last_year_is_the_newest_figure_and_a_change_in_it_a_course() -> None:
    assert isinstance(read("population in the US in the last year", today=TODAY).readings[0], ValueReading)
    changed = read("how has population changed in the US in the last year", today=TODAY).readings[0]
    assert isinstance(changed, TrendReading)


@pytest.mark.parametrize(
    ("question", "measure"),
    [
        ("What is the poverty rate in the state of California?", "poverty rate"),
        ("HH income in California", "household income"),
        ("population of India according to Our World in Data", "population"),
    ],
)
def test_words_beside_the_quantity_are_left_out_of_it(question: str, measure: str) -> None:
    reading = read(question, today=TODAY).readings[0]
    assert isinstance(reading, ValueReading)
    assert reading.measure.text == measure
