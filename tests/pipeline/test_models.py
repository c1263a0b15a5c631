"""Whole questions with language models: a competent one, one that is down, one that never answers."""

from __future__ import annotations

import asyncio
import time
from contextlib import asynccontextmanager
from decimal import Decimal

import pytest

from functions.local.settings import Settings
from functions.local.wiring import open_application
from shared.models.settings import ModelSettings
from shared.query.annotated import AskOptions
from tests.support.competent import competent, tokens_of
from tests.support.model_server import Reply, in_turn, model_server, refusing, right

QUESTIONS = (
    "What is India's GDP?",
    "Which countries in South America have more than 30 million people?",
    "How much bigger is the population of Nigeria than that of Kenya?",
    "GDP of France vs Germany",
)


@asynccontextmanager
async def asking(tmp_path, script, *, provider="openrouter", models="m1,m2,m3", **variables):
    """The program with models at the stand-in, and the stand-in."""
    async with model_server(script) as server:
        environment = {
            "NEURALKG_PROVIDER": provider,
            "NEURALKG_MODEL_URL": server.url,
            "NEURALKG_MODELS": models,
            **variables,
        }
        settings = Settings(
            home=tmp_path,
            store=tmp_path / "runs-3.sqlite3",
            archive=tmp_path / "archive",
            models=ModelSettings.from_environment(environment),
        )
        async with open_application(settings) as app:
            yield app, server


def told(answer):
    return [(claim.entity, claim.period, claim.value) for claim in answer.claims]


async def test_a_competent_model_leads_to_the_answers_of_the_built_in_rules_and_its_calls_are_accounted_for(
    tmp_path,
):
    async with asking(tmp_path, competent()) as (app, server):
        for question in QUESTIONS:
            server.asked.clear()
            answer = await app.ask(question, AskOptions())
            own = await _built_in(tmp_path, question)
            assert told(answer) == told(own) != []
            assert answer.status == own.status == "complete"
            calls = [use for use in answer.usage.models if use.model in {"m1", "m2", "m3"}]
            # What the finder asks, it tells as its own; its sixth call is the embedding, by the packaged model.
            ranking = [asked for asked in server.asked if asked.task == "rerank_tables"]
            judging = [asked for asked in server.asked if asked.task != "rerank_tables"]
            assert sum(use.calls for use in calls) == answer.usage.model_calls == len(judging)
            assert answer.usage.finder["model_calls"] == len(ranking) + answer.usage.finder["searches"]
            assert answer.usage.finder["tokens"] == sum(map(_tokens, ranking)) > 0
            assert sum(use.tokens for use in calls) == answer.usage.tokens > 0
            assert sum((use.usd for use in calls), Decimal(0)) == answer.usage.usd
            assert {asked.task for asked in server.asked} >= {"understand", "select_source_documents"}


def _tokens(asked):
    return sum(tokens_of(asked))


async def _built_in(tmp_path, question):
    settings = Settings(home=tmp_path, store=tmp_path / "own.sqlite3", archive=tmp_path / "own")
    async with open_application(settings) as app:
        return await app.ask(question, AskOptions())


async def test_two_members_that_agree_settle_the_reading_and_the_third_is_not_asked(tmp_path):
    async with asking(tmp_path, competent()) as (app, server):
        await app.ask("What is India's GDP?", AskOptions())
    assert sorted(asked.model for asked in server.asked if asked.task == "understand") == ["m1", "m2"]


async def test_the_choices_of_several_sources_are_made_side_by_side(tmp_path):
    choosing, most = 0, 0

    async def script(asked):
        nonlocal choosing, most
        if asked.task != "select_source_documents":
            return await competent()(asked)
        choosing += 1
        most = max(most, choosing)
        await asyncio.sleep(0.3)
        choosing -= 1
        return await competent()(asked)

    async with asking(tmp_path, script) as (app, server):
        answer = await app.ask("Which countries have the highest population?", AskOptions())
    assert answer.status == "complete"
    assert most == sum(asked.task == "select_source_documents" for asked in server.asked) > 1


async def test_a_provider_that_is_down_is_disclosed_and_the_built_in_rules_answer(tmp_path):
    async with asking(tmp_path, in_turn(refusing(401))) as (app, _):
        answer = await app.ask("What is India's GDP?", AskOptions())
    assert answer.status == "complete"
    assert answer.claims
    said = " ".join(disclosure.text for disclosure in answer.disclosures)
    assert "no language model could be asked for reading the question" in said
    assert "no language model could be asked for choosing among a source's tables" in said


async def test_a_member_that_never_answers_is_left_and_the_answer_says_so(tmp_path, monkeypatch):
    monkeypatch.setenv("NEURALKG_PANEL_DEADLINE_SECONDS", "1")
    async with asking(tmp_path, competent(delays={"m2": 60.0}), models="m1,m2") as (app, _):
        began = time.monotonic()
        answer = await app.ask("What is India's GDP?", AskOptions())
        assert time.monotonic() - began < 8.0
    assert answer.status == "complete"
    assert any("m2 had not answered 1 s after the start" in one.text for one in answer.disclosures)


async def test_a_model_that_answers_nonsense_is_a_visible_failure(tmp_path):
    async with asking(tmp_path, in_turn(Reply("42"))) as (app, _):
        answer = await app.ask("What is India's GDP?", AskOptions())
    assert answer.status in {"unanswered", "refused"}
    assert answer.claims == ()
    assert "broke the contract of understand.v2 twice" in answer.model_dump_json()


@pytest.mark.parametrize("provider", ["openai", "anthropic", "ollama"])
async def test_every_provider_carries_a_whole_question(tmp_path, provider):
    async with asking(tmp_path, competent(), provider=provider) as (app, _):
        answer = await app.ask("What is India's GDP?", AskOptions())
    assert answer.status == "complete"
    assert answer.usage.model_calls >= 3


@pytest.mark.parametrize(
    "ranking",
    [lambda _: refusing(400), lambda _: Reply('{"ranked": []}'), lambda _: Reply("I would rather not.")],
    ids=["refused", "empty", "no JSON"],
)
async def test_a_ranking_that_fails_leaves_the_finders_own_order_and_the_answer_says_so(tmp_path, ranking):
    well = competent()
    async with asking(tmp_path, lambda asked: (ranking if asked.task == "rerank_tables" else well)(asked)) as (
        app,
        server,
    ):
        answer = await app.ask(QUESTIONS[0], AskOptions())
    own = await _built_in(tmp_path, QUESTIONS[0])
    assert told(answer) == told(own) != []
    assert answer.status == "complete"
    (line,) = [one.text for one in answer.disclosures if "ranking tables" in one.text]
    assert line.endswith("the finder's own order stands")
    assert any(asked.task == "rerank_tables" for asked in server.asked)


async def test_a_ranking_that_discards_every_table_is_done_without_and_what_it_cost_is_told(tmp_path):
    well = competent()

    def script(asked):
        if asked.task != "rerank_tables":
            return well(asked)
        return right({"ranked": [{"i": card["number"], "score": 3} for card in asked.data["cards"]]}, cost="0.001")

    async with asking(tmp_path, script) as (app, server):
        answer = await app.ask(QUESTIONS[0], AskOptions())
        trace = await app.archive.get(f"runs/{answer.run_id}/trace.json")
    assert answer.claims
    assert b"no table passed the rerank; searched again without it" in trace
    calls = sum(asked.task == "rerank_tables" for asked in server.asked)
    assert Decimal(answer.usage.finder["usd"]) == calls * Decimal("0.001") > 0
    assert all(use.task != "rerank_tables.v1" for use in answer.usage.models)
