"""Through the whole embedded program: places by their change, of one series, and what stands in for a survey."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from functions.local.settings import Settings
from functions.local.wiring import Application, open_application
from shared.query.annotated import AskOptions
from shared.query.answer import Answer, AnswerStatus


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[Application]:
    async with open_application(Settings.from_environment({"NEURALKG_HOME": str(tmp_path)})) as opened:
        yield opened


def changes(answer: Answer) -> list[tuple[str | None, str]]:
    return [(one.entity, str(one.value)) for one in answer.claims if (one.measure or "").startswith("change in ")]


async def test_states_that_gained_most_people_are_of_one_series_of_estimates(app: Application) -> None:
    answer = await app.ask("Which states gained the most people since 2020?", AskOptions())
    assert answer.status is AnswerStatus.COMPLETE
    assert {one.variable for one in answer.receipts} == {"POPESTIMATE"}
    assert {one.period for one in answer.receipts} == {"2020", "2025"}
    assert [name for name, _ in changes(answer)[:2]] == ["Texas", "Florida"]


async def test_a_decline_of_a_modelled_share_is_answered_and_its_model_is_named(app: Application) -> None:
    answer = await app.ask("states with the highest declines in poverty since 2019", AskOptions())
    assert answer.status is AnswerStatus.COMPLETE
    assert changes(answer)[:2] == [("Arizona", "-0.6"), ("Montana", "-0.6")]
    assert "Small Area Income and Poverty Estimates" in answer.text
    assert len(changes(answer)) == 9


async def test_overlapping_means_of_five_years_show_no_change(app: Application) -> None:
    answer = await app.ask(
        "which counties had the largest increase in median household income since 2019", AskOptions()
    )
    assert answer.status is not AnswerStatus.COMPLETE
    assert changes(answer) == []


async def test_a_span_before_the_figures_is_not_answered_by_a_shorter_one(app: Application) -> None:
    answer = await app.ask("Which states had the largest increase in population since 1750?", AskOptions())
    assert answer.status in {AnswerStatus.UNANSWERED, AnswerStatus.REFUSED}
    assert answer.claims == ()


@pytest.mark.parametrize(
    ("question", "entity", "value"),
    [("poverty rate of Texas", "Texas", "14.2"), ("states with most poverty", "Louisiana", "19.5")],
)
async def test_a_models_estimate_stands_in_for_a_survey_without_a_figure(
    app: Application, question: str, entity: str, value: str
) -> None:
    answer = await app.ask(question, AskOptions())
    assert answer.status is AnswerStatus.COMPLETE
    assert (answer.claims[0].entity, str(answer.claims[0].value)) == (entity, value)
    assert "Small Area Income and Poverty Estimates" in answer.text


async def test_who_names_the_survey_gets_nothing_in_its_stead(app: Application) -> None:
    answer = await app.ask("What is the poverty rate in Texas according to the ACS?", AskOptions())
    assert answer.status is AnswerStatus.UNANSWERED
    assert answer.claims == ()
