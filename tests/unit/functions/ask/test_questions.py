"""Questions that come by message: started once, or rejected in the words of the HTTP face."""

from __future__ import annotations

import pytest

from functions.ask.questions import submit_question
from functions.local.wiring import mounted_plugins
from shared.query.identifiers import RunId
from shared.runtime.errors import BusError, StoreUnavailable
from shared.runtime.messages import Announced, Question
from tests.support.machine import machine, trivial


async def send(built, body, *, run_id: str = "q-7", traceparent: str | None = None, submit=None) -> list[Announced]:
    told: list[Announced] = []

    async def announce(message: Announced) -> None:
        told.append(message)

    await submit_question(
        Question(RunId(run_id), body, traceparent),
        submit=submit or built.client.submit,
        announce=announce,
        registry=mounted_plugins(),
        deadline_seconds=20.0,
    )
    return told


async def test_a_question_becomes_a_run_with_its_options(tmp_path):
    body = {
        "question": "  What is the GDP of India? ",
        "options": {"sources": ["worldbank"], "deadline_seconds": 9},
    }
    async with machine(tmp_path, trivial(), start=False) as built:
        assert await send(built, body) == []
        run = await built.store.get(RunId("q-7"))
    assert run.question == "What is the GDP of India?"
    assert run.options.sources == ("worldbank",)
    assert run.options.deadline_seconds == 9


async def test_a_question_without_options_has_the_deadline_of_the_function(tmp_path):
    async with machine(tmp_path, trivial(), start=False) as built:
        await send(built, {"question": "Why?"})
        assert (await built.store.get(RunId("q-7"))).options.deadline_seconds == 20


async def test_the_same_message_again_starts_no_second_run(tmp_path):
    async with machine(tmp_path, trivial()) as built:
        assert await send(built, {"question": "Why?"}) == []
        answer = await built.client.wait(RunId("q-7"))
        assert await send(built, {"question": "Why?"}) == []
        assert [run.run_id for run in await built.store.recent()] == ["q-7"]
        assert await built.client.wait(RunId("q-7")) == answer


async def test_the_trace_of_the_message_goes_on_in_its_run(tmp_path):
    trace = f"00-{'a' * 32}-{'b' * 16}-01"
    async with machine(tmp_path, trivial()) as built:
        await send(built, {"question": "Why?"}, traceparent=trace)
        await built.client.wait(RunId("q-7"))
    assert {step.traceparent for step in built.delivered} == {trace}


@pytest.mark.parametrize(
    ("body", "code"),
    [
        ({}, "question_empty"),
        ({"question": ""}, "question_empty"),
        ({"question": None}, "question_empty"),
        ({"question": 7}, "value_mistyped"),
        ({"question": "x" * 2001}, "question_too_long"),
        ({"question": "Why?", "priority": 1}, "key_unknown"),
        ({"question": "Why?", "options": []}, "value_mistyped"),
        ({"question": "Why?", "options": {"sources": ["nobody"]}}, "source_unknown"),
        ({"question": "Why?", "options": {"on_ambiguity": "guess"}}, "on_ambiguity_unknown"),
        ({"question": "Why?", "options": {"deadline_seconds": 10**400}}, "deadline_out_of_range"),
        ({"question": "Why?", "options": {"assumptions": {"mood": "good"}}}, "assumption_unknown"),
    ],
)
async def test_a_question_that_cannot_be_asked_is_announced_with_what_was_wrong(tmp_path, body, code):
    async with machine(tmp_path, trivial(), start=False) as built:
        (told,) = await send(built, body)
        assert await built.store.recent() == []
    assert (told.run_id, told.status, told.answer) == ("q-7", "rejected", None)
    assert told.error is not None
    assert told.error["code"] == code
    assert set(told.error) == {"code", "message", "allowed", "do"}


async def test_another_question_under_an_id_that_is_taken_is_rejected(tmp_path):
    async with machine(tmp_path, trivial(), start=False) as built:
        await send(built, {"question": "Why?"}, run_id="c-mine")
        (told,) = await send(built, {"question": "Where?"}, run_id="c-mine")
        assert (await built.store.get(RunId("c-mine"))).question == "Why?"
    assert told.error is not None
    assert (told.error["code"], told.question) == ("id_taken", "Where?")


@pytest.mark.parametrize("error", [StoreUnavailable("away"), BusError("away")])
async def test_passing_trouble_brings_the_question_again(tmp_path, error):
    async def submit(*_, **__):
        raise error

    async with machine(tmp_path, trivial(), start=False) as built:
        with pytest.raises(type(error)):
            await send(built, {"question": "Why?"}, submit=submit)
