"""Groups whose members no source lists, through the whole program: models name them, publishers give figures."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from shared.query.annotated import AskOptions
from shared.query.answer import AnswerStatus
from shared.query.evidence import Operation
from tests.pipeline.test_models import asking
from tests.support.competent import answer as competent_answer
from tests.support.competent import competent
from tests.support.model_server import Asked, Reply, right

NEW_ENGLAND = {"Connecticut", "Maine", "Massachusetts", "New Hampshire", "Rhode Island", "Vermont"}
TIGERS = {"Hong Kong", "Singapore", "South Korea"}


async def test_a_group_that_no_source_lists_is_added_up_from_members_that_two_models_agree_on(
    tmp_path: Path,
) -> None:
    async with asking(tmp_path, competent()) as (app, server):
        answer = await app.ask("What is the population of New England?", AskOptions())
    assert answer.status is AnswerStatus.COMPLETE
    (total,) = [made for made in answer.computations if made.operation is Operation.SUM]
    receipts = [one for one in answer.receipts if one.id in total.inputs]
    assert {receipt.entity for receipt in receipts} == NEW_ENGLAND
    assert sum(Decimal(str(receipt.value)) for receipt in receipts) == total.value
    said = " ".join(note.text for note in answer.disclosures)
    assert "the list is of language models and not published: the language models m1 and m2 agree on it" in said
    assert sorted(one.model for one in server.asked if one.task == "list_members") == ["m1", "m2"]


async def test_a_group_of_countries_that_the_reader_does_not_know_is_listed_too(tmp_path: Path) -> None:
    async with asking(tmp_path, competent()) as (app, _):
        answer = await app.ask("population of the Four Asian Tigers", AskOptions(sources=("worldbank",)))
    assert answer.claims, answer.model_dump_json()
    assert answer.status is AnswerStatus.PARTIAL  # the World Bank has no figures of Taiwan
    assert {receipt.entity for receipt in answer.receipts} >= TIGERS
    assert any("Taiwan" in note.text for note in answer.disclosures)


async def test_the_members_are_ranked_by_a_sources_figures(tmp_path: Path) -> None:
    reading = {
        "type": "ranking",
        "population": {
            "member": "us_state",
            "text": "states of New England",
            "container": {"text": "New England", "status": "unknown"},
        },
        "measure": {"text": "population"},
    }

    async def script(asked: Asked) -> Reply:
        if asked.task == "understand":
            return right({"readings": [reading], "notes": [], "unreadable": ""})
        return await competent()(asked)

    async with asking(tmp_path, script) as (app, _):
        answer = await app.ask("Which states of New England have the largest population?", AskOptions())
    assert answer.status is AnswerStatus.COMPLETE, answer.model_dump_json()
    assert answer.claims[0].entity == "Massachusetts"
    assert {claim.entity for claim in answer.claims} <= NEW_ENGLAND
    assert any("taken for the members of New England" in note.text for note in answer.disclosures)


def _disagreeing(names: dict[str, list[str]]) -> Any:
    async def script(asked: Asked) -> Reply:
        if asked.task == "list_members":
            return right({"kind": "us_state", "members": names[asked.model], "why": ""})
        return right(await competent_answer(asked.task, asked.data))

    return script


async def test_models_that_list_different_members_lead_to_no_figure_and_the_reason(tmp_path: Path) -> None:
    lists = {"m1": ["Maine", "Ohio"], "m2": ["Vermont", "Utah"], "m3": ["Texas"]}
    async with asking(tmp_path, _disagreeing(lists)) as (app, _):
        answer = await app.ask("What is the population of New England?", AskOptions())
    assert answer.claims == ()
    assert "language models list different ones" in " ".join(failure.reason for failure in answer.failures)


async def test_a_list_alone_is_never_taken_from_models(tmp_path: Path) -> None:
    async with asking(tmp_path, competent()) as (app, server):
        answer = await app.ask("Which states are in New England?", AskOptions())
    assert answer.claims == ()
    assert not any(one.task == "list_members" for one in server.asked)


@pytest.mark.parametrize("question", ["population of the G7", "population of Africa"])
async def test_a_group_whose_list_is_carried_asks_no_model_for_it(tmp_path: Path, question: str) -> None:
    async with asking(tmp_path, competent()) as (app, server):
        answer = await app.ask(question, AskOptions(sources=("worldbank",)))
    assert answer.claims
    assert not any(one.task == "list_members" for one in server.asked)
