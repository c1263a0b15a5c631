"""Through the whole embedded program: no answer is to another place, set or quantity than the question's."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from functions.local.settings import Settings
from functions.local.wiring import Application, open_application
from shared.query.annotated import AskOptions
from shared.query.answer import Answer, AnswerStatus

LACKING = {AnswerStatus.UNANSWERED, AnswerStatus.REFUSED}


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[Application]:
    async with open_application(Settings.from_environment({"NEURALKG_HOME": str(tmp_path)})) as opened:
        yield opened


def found(answer: Answer) -> dict[str | None, object]:
    return {claim.entity_code: claim.value for claim in answer.claims}


async def test_each_place_of_a_name_is_asked_of_the_next_source_where_the_first_has_no_figure(
    app: Application,
) -> None:
    answer = await app.ask("population of Georgia", AskOptions())
    assert answer.status is AnswerStatus.COMPLETE
    assert {code: str(value) for code, value in found(answer).items()} == {"13": "11302748", "GEO": "3935766"}
    assert "Georgia (US state)" in answer.text
    assert "Georgia (country)" in answer.text


async def test_the_place_of_a_name_that_has_no_figure_is_named(app: Application) -> None:
    answer = await app.ask("New York population", AskOptions())
    assert set(found(answer)) == {"36"}
    assert "“New York” may also mean New York City (city), for which no figure is given here." in answer.text


async def test_a_settled_name_is_no_longer_told_to_mean_another(app: Application) -> None:
    answer = await app.ask("New York population", AskOptions(assumptions={"entity": "36"}))
    assert set(found(answer)) == {"36"}
    assert "may also mean" not in answer.text


@pytest.mark.parametrize("question", ["poverty rate in Springfield", "population of Springfield"])
async def test_of_a_name_that_no_source_covers_every_place_it_may_mean_is_told(
    app: Application, question: str
) -> None:
    answer = await app.ask(question, AskOptions())
    assert answer.status in LACKING
    assert not answer.claims
    for state in ("Illinois", "Massachusetts", "Missouri"):
        assert f"Springfield, {state}" in answer.text


async def test_every_county_of_a_name_is_answered(app: Application) -> None:
    answer = await app.ask("Orange County median household income", AskOptions())
    assert {"06059", "12095", "36071"} <= set(found(answer))


@pytest.mark.parametrize(
    ("question", "why"),
    [
        ("cities with highest population", "where the cities are to lie is not said"),
        ("largest cities in the US by population", "of 51 states"),
        ("cities in Illinois", "the counties are listed here, and not the cities"),
        ("places in California", "the counties are listed here, and not the places"),
        ("cities in USA", "the states are listed here, and not the cities"),
        ("number of natural disasters in the US", "is “natural disasters”"),
        ("Farms in USA", "is “farms”"),
        ("how does the US generate electricity", "by source"),
    ],
)
async def test_another_set_or_quantity_is_no_answer(app: Application, question: str, why: str) -> None:
    answer = await app.ask(question, AskOptions())
    assert answer.status in LACKING
    assert not answer.claims
    assert any(why in failure.reason for failure in answer.failures)


async def test_cities_of_one_state_are_answered_and_its_states_are_listed(app: Application) -> None:
    answer = await app.ask("cities in Arizona with population less than or equals 1000", AskOptions())
    assert answer.status is AnswerStatus.COMPLETE
    assert answer.text.startswith("256 of the cities in Arizona")
    listed = await app.ask("states of the US", AskOptions())
    assert len(listed.receipts) == 51
