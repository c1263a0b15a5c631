"""Through the whole embedded program: no share of two surveys, and a course from the year that was asked for."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from functions.local.settings import Settings
from functions.local.wiring import Application, open_application
from shared.query.annotated import AskOptions
from shared.query.answer import Answer, AnswerStatus
from shared.query.evidence import Operation


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[Application]:
    async with open_application(Settings.from_environment({"NEURALKG_HOME": str(tmp_path)})) as opened:
        yield opened


def told(answer: Answer) -> str:
    return " | ".join(one.text for one in answer.disclosures)


async def test_a_mean_of_five_years_is_no_share_of_a_yearly_estimate(app: Application) -> None:
    question = "share of people with a bachelor's degree or higher in DC"
    answer = await app.ask(question, AskOptions(sources=("datacommons",)))
    assert answer.status is AnswerStatus.PARTIAL
    assert "are of two kinds (mean of five years and yearly figure)" in answer.text
    assert not any(one.operation in {Operation.RATIO, Operation.PERCENT_OF} for one in answer.computations)


async def test_parts_of_one_survey_make_a_share(app: Application) -> None:
    answer = await app.ask("share of women in the population of Harris County, Texas", AskOptions())
    assert answer.status is AnswerStatus.COMPLETE
    assert "50.26% of its population" in answer.text


@pytest.mark.parametrize(
    ("question", "first", "value"),
    [
        ("How has the population of Texas changed since 2010?", "2010", "25241897"),
        ("population of Washington since 2005", "2005", "6257305"),
    ],
)
async def test_a_course_is_of_the_source_that_has_it_from_the_year_asked_for(
    app: Application, question: str, first: str, value: str
) -> None:
    answer = await app.ask(question, AskOptions())
    assert answer.status is AnswerStatus.COMPLETE
    values = {claim.period: str(claim.value) for claim in answer.claims}
    assert values[first] == value
    assert f"in {first} to " in answer.text
    assert "figures at hand begin" not in told(answer)


async def test_a_course_that_begins_later_than_was_asked_says_so(app: Application) -> None:
    answer = await app.ask("How has the population of Texas changed since 2010?", AskOptions(sources=("census",)))
    assert "in 2020 to" in answer.text
    assert "Texas: 2010 was asked for, and the figures at hand begin with 2020" in told(answer)
    answer = await app.ask("How has the population of Texas changed since 2021?", AskOptions(sources=("census",)))
    assert "figures at hand begin" not in told(answer)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        (
            "population of US counties",
            "goes from 9.85 million (Los Angeles County, California) down to 43 (Kalawao County, Hawaii)",
        ),
        (
            "population of every county of Texas",
            "goes from 4.76 million (Harris County, Texas) down to 52 (Kenedy County, Texas)",
        ),
    ],
)
async def test_the_ends_of_a_population_of_hundreds_are_said(app: Application, question: str, said: str) -> None:
    answer = await app.ask(question, AskOptions())
    assert said in answer.text
    assert answer.table is not None
    assert len(answer.table.rows) > len(answer.claims) > 250


@pytest.mark.parametrize(
    ("question", "year"),
    [
        ("counties in Massachusetts with a poverty rate over 30%", "2017"),
        ("Which counties in Hawaii have a median age above 45?", "2023"),
    ],
)
async def test_that_none_is_so_is_said_of_a_year(app: Application, question: str, year: str) -> None:
    answer = await app.ask(question, AskOptions())
    assert answer.text.startswith("None of the counties in ")
    assert f" in {year}, according to" in answer.text


async def test_the_mean_of_households_is_not_made_of_medians(app: Application) -> None:
    answer = await app.ask("mean household income of counties in Delaware", AskOptions())
    assert "The mean household income of counties in Delaware in 2023 goes from $118,003" in answer.text
