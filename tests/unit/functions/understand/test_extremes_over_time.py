"""Questions for the highest or lowest figure of a place over a span of years."""

from __future__ import annotations

from datetime import date

import pytest

from functions.understand.completeness import left_out
from functions.understand.reader import read
from shared.query.readings import Direction, PeriodKindAsked, RankingReading, TrendReading

TODAY = date(2026, 1, 1)


@pytest.mark.parametrize(
    ("question", "measure", "extreme", "kind"),
    [
        ("Lowest unemployment of Germany since 2000", "unemployment rate", Direction.LOWEST, PeriodKindAsked.SINCE),
        ("What was the highest inflation in Turkey between 1990 and 2020?", "inflation", Direction.HIGHEST,
         PeriodKindAsked.RANGE),
        ("What is the highest unemployment Spain has ever had?", "unemployment rate", Direction.HIGHEST,
         PeriodKindAsked.ALL),
        ("worst GDP growth of Japan since 1990", "gdp growth", Direction.LOWEST, PeriodKindAsked.SINCE),
        ("worst unemployment rate of Spain since 1990", "unemployment rate", Direction.HIGHEST,
         PeriodKindAsked.SINCE),
    ],
)  # fmt: skip
def test_the_end_of_a_course_is_what_is_asked_for(question, measure, extreme, kind):
    found = read(question, today=TODAY).readings[0]
    assert isinstance(found, TrendReading)
    assert (found.measure.text, found.extreme, found.period.kind) == (measure, extreme, kind)
    assert left_out(question, found) is None


@pytest.mark.parametrize("question", ["highest unemployment in Europe since 2000", "highest gdp in Africa"])
def test_in_a_group_its_members_are_ranked(question):
    assert isinstance(read(question, today=TODAY).readings[0], RankingReading)


@pytest.mark.parametrize(
    "question", ["unemployment of Germany since 2000", "How has unemployment in Spain changed?"]
)
def test_a_course_without_an_end_is_told_whole(question):
    found = read(question, today=TODAY).readings[0]
    assert isinstance(found, TrendReading)
    assert found.extreme is None
