"""Questions that order a set by a change over time, and which span, way and end they ask for."""

from __future__ import annotations

from datetime import date

import pytest

from functions.understand.completeness import left_out
from functions.understand.reader import read
from shared.query.quantity import PlaceKind
from shared.query.readings import (
    ChangeRankingReading,
    Direction,
    Movement,
    PeriodKindAsked,
    RankingReading,
)
from shared.runtime.errors import CannotRead

TODAY = date(2026, 1, 1)


def reading_of(question: str) -> ChangeRankingReading:
    found = read(question, today=TODAY).readings[0]
    assert isinstance(found, ChangeRankingReading), found
    assert left_out(question, found) is None
    return found


@pytest.mark.parametrize(
    ("question", "measure", "movement", "direction", "relative"),
    [
        ("Which countries have seen the greatest increase in life expectancy since 2000?", "life expectancy",
         Movement.RISE, Direction.HIGHEST, False),
        ("states with the highest declines in poverty since 2010", "poverty rate", Movement.FALL, Direction.HIGHEST,
         False),
        ("fastest growing counties in Texas by population since 2010", "population", Movement.RISE,
         Direction.HIGHEST, True),
        ("fastest shrinking counties in Texas since 2010", "population", Movement.FALL, Direction.HIGHEST, True),
        ("How has life expectancy changed across US states since 2010?", "life expectancy", Movement.EITHER, None,
         False),
        ("Which countries had the smallest increase in population from 2000 to 2020?", "population", Movement.RISE,
         Direction.LOWEST, False),
        ("Which EU countries had the largest percentage increase in GDP per capita from 2000 to 2020?",
         "gdp per capita", Movement.RISE, Direction.HIGHEST, True),
        ("Where has unemployment fallen the most since 2010?", "unemployment rate", Movement.FALL,
         Direction.HIGHEST, False),
        ("Which states lost the most people since 2010?", "population", Movement.FALL, Direction.HIGHEST, False),
        ("Which countries had the greatest improvement in infant mortality since 1990?", "infant mortality rate",
         Movement.FALL, Direction.HIGHEST, False),
        ("Which countries had the greatest improvement in life expectancy since 1990?", "life expectancy",
         Movement.RISE, Direction.HIGHEST, False),
    ],
)  # fmt: skip
def test_what_changed_which_way_and_how_it_is_measured(question, measure, movement, direction, relative):
    found = reading_of(question)
    assert found.measure.text == measure
    assert (found.movement, found.direction, found.relative) == (movement, direction, relative)


@pytest.mark.parametrize(
    ("question", "kind", "start", "end"),
    [
        ("Which countries' GDP grew the most between 2000 and 2010?", PeriodKindAsked.RANGE, 2000, 2010),
        ("Which countries' GDP grew the most since 2000?", PeriodKindAsked.SINCE, 2000, None),
        ("Which countries had the greatest increase in population in 2015?", PeriodKindAsked.RANGE, 2014, 2015),
    ],
)
def test_the_span_that_is_named_is_the_one_that_is_asked_for(question, kind, start, end):
    period = reading_of(question).period
    assert (period.kind, period.start, period.end) == (kind, start, end)


def test_where_no_span_is_named_shorter_ones_stand_behind_ten_years():
    found = read("states with the highest declines in poverty", today=TODAY).readings
    spans = [(one.period.count, one.period.text) for one in found if isinstance(one, ChangeRankingReading)]
    assert spans == [(10, ""), (5, ""), (1, "")]


def test_one_member_is_asked_for_in_the_singular_and_as_many_as_are_counted_else():
    assert reading_of("Which country's population grew fastest between 1990 and 2020?").count == 1
    assert reading_of("Which countries' population grew fastest between 1990 and 2020?").count is None
    assert reading_of("top 5 countries by increase in gdp per capita from 2000 to 2020").count == 5
    assert reading_of("Which 3 African countries gained the most people from 2010 to 2020?").count == 3


def test_counties_of_a_state_are_the_members():
    population = reading_of("fastest growing counties in Texas by population").population
    assert population.member is PlaceKind.US_COUNTY
    assert population.container is not None
    assert population.container.label == "Texas"


@pytest.mark.parametrize(
    "question", ["fastest growing economies", "Which country has the highest population growth?"]
)
def test_a_growth_rate_that_is_published_is_ranked_as_such(question):
    assert isinstance(read(question, today=TODAY).readings[0], RankingReading)


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("what are the fastest growing jobs in California", "orders by the change of jobs"),
        ("which countries have shown the greatest reduction?", "does not say of what"),
    ],
)
def test_a_change_of_what_is_no_quantity_of_places_is_not_read(question, why):
    with pytest.raises(CannotRead, match=why):
        read(question, today=TODAY)
