"""A whole question about a split with a model that errs: corrected twice, then refused, never believed."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from shared.query.annotated import AskOptions
from tests.pipeline.test_models import asking, told
from tests.support.competent import competent
from tests.support.model_server import Asked, Reply, right

QUESTION = "population of the US by sex in 2023"
AGES = "age distribution in the USA"
DATA_COMMONS = AskOptions(sources=("datacommons",))
PARTS, DIMENSION, PLACE = "datacommons_choose_parts", "datacommons_choose_dimension", "choose_place"


def erring(*choices: Any, task: str = PARTS) -> Any:
    """A model that replies these to one task in turn, and is competent in all others and after them."""
    left = list(choices)

    async def script(asked: Asked) -> Reply:
        if asked.task != task or not left:
            return await competent()(asked)
        return right(left.pop(0))

    return script


def parts(chosen: Sequence[str]) -> dict[str, Any]:
    return {"total": "Count_Person", "parts": list(chosen), "why": ""}


def people(*names: str) -> dict[str, Any]:
    return parts([f"Count_Person_{name}" for name in names])


async def test_the_age_distribution_costs_one_call_a_judgment_and_none_while_it_is_executed(tmp_path: Path) -> None:
    async with asking(tmp_path, competent()) as (app, server):
        answer = await app.ask(AGES, DATA_COMMONS)
    assert answer.status == "complete"
    asked = [one.task for one in server.asked if one.task != "rerank_tables"]
    assert asked[2:5] == ["select_source_documents", DIMENSION, PARTS]
    by_stage = {stage.stage: stage.model_calls for stage in answer.usage.stages}
    assert by_stage["resolve_attributes"] == 2
    assert by_stage["execute"] == 0


async def test_overlapping_parts_are_handed_back_and_mended(tmp_path: Path) -> None:
    overlapping = people("Upto18Years", "18OrMoreYears", "65OrMoreYears")
    async with asking(tmp_path, erring(overlapping)) as (app, server):
        answer = await app.ask(AGES, DATA_COMMONS)
        own = await app.ask(AGES, DATA_COMMONS)
    assert answer.status == "complete"
    assert told(answer) == told(own)
    (first, second, *_) = [one for one in server.asked if one.task == PARTS]
    assert not first.data.get("tried")
    (problem,) = [one["problem"] for one in second.data["tried"]]
    assert "add up to" in problem
    assert problem.endswith("some overlap")


@pytest.mark.parametrize(
    "choices",
    [
        [people("Upto18Years", "65OrMoreYears"), people("18OrMoreYears", "65OrMoreYears"),
         people("5To9Years", "85OrMoreYears")],
        [people("Upto18Years", "65OrMoreYears")] * 3,
        [people("Upto18Years", "Martian"), people("Upto18Years", "Martian")],
        [parts([])],
        ["no parts", "no parts"],
    ],
    ids=["missing", "insisting", "invented", "none", "broken"],
)  # fmt: skip
async def test_parts_that_do_not_make_it_up_are_never_shown(tmp_path: Path, choices: list[Any]) -> None:
    async with asking(tmp_path, erring(*choices)) as (app, server):
        answer = await app.ask(AGES, DATA_COMMONS)
    assert answer.status == "unanswered"
    assert answer.claims == ()
    assert any(failure.stage == "resolve_attributes" for failure in answer.failures)
    assert len([one for one in server.asked if one.task == PARTS]) <= 3


async def test_a_dimension_that_was_not_offered_is_asked_for_again_and_then_fails_visibly(tmp_path: Path) -> None:
    wrong = {"dimension": "shoe size", "why": ""}
    async with asking(tmp_path, erring(wrong, wrong, task=DIMENSION)) as (app, server):
        answer = await app.ask(QUESTION, DATA_COMMONS)
    assert answer.claims == ()
    assert "datacommons_choose_dimension.v1 twice" in " ".join(failure.reason for failure in answer.failures)
    assert [one.task for one in server.asked].count(DIMENSION) == 2


async def test_a_model_chooses_which_of_two_places_holds_the_members(tmp_path: Path) -> None:
    async with asking(tmp_path, erring({"place": "geoId/13", "why": ""}, task=PLACE)) as (app, server):
        answer = await app.ask("largest cities in Georgia by population", DATA_COMMONS)
    (asked,) = [one for one in server.asked if one.task == PLACE]
    assert [one["id"] for one in asked.data["candidates"]] == ["country/GEO", "geoId/13"]
    assert answer.status == "unanswered"
    assert "needs_clarification" not in answer.status
