"""The goals of a framework are a list of their own, beside what stands below a numbered one."""

from datetime import date

import pytest

from functions.understand import reader
from shared.query.readings import ItemListReading


@pytest.mark.parametrize(
    "question",
    [
        "What are the Sustainable Development Goals?",
        "List the SDG goals",
        "list all the 17 SDGs",
        "Name the sustainable development goals.",
        "What are the goals of the 2030 Agenda?",
    ],
)
def test_the_goals_are_a_list(question):
    reading = reader.read(question, today=date(2026, 11, 30)).readings[0]
    assert isinstance(reading, ItemListReading)
    assert (reading.relation, reading.population.text) == ("goals", "sustainable development goals")


@pytest.mark.parametrize("question", ["What are the targets of SDG goal 3?", "What are the indicators of goal 6?"])
def test_what_stands_below_a_goal_is_no_list_of_goals(question):
    reading = reader.read(question, today=date(2026, 11, 30)).readings[0]
    assert reading.relation != "goals"
