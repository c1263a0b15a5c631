"""Answers worded by a language model: only its sentences change, and only to what the claims say."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from functions.local.settings import Settings
from functions.local.wiring import open_application
from functions.present.word_task import WORD_ANSWER
from shared.adapters.inline_bus import InlineBus
from shared.models.settings import ModelSettings
from shared.query.annotated import Presented
from shared.query.answer import Answer
from shared.query.identifiers import RunId
from tests.support.competent import answer as competent_answer
from tests.support.model_server import Asked, Reply, model_server, refusing, right

QUESTION = "What was India's GDP in 2015?"
FAIR = "In 2015, India's GDP (current US$) stood at about $2.1 trillion."
FALSE = "In 2015, India's GDP (current US$) stood at about $9.7 trillion."
Wording = Callable[[Asked], Reply]


async def answered(
    home: Path, wording: Wording | None, question: str = QUESTION
) -> tuple[Answer, list[Asked], Presented]:
    """The answer with judgments by the rules and the wording by ``wording``; ``None`` for no models at all."""

    async def script(asked: Asked) -> Reply:
        if asked.task == WORD_ANSWER.name and wording is not None:
            return wording(asked)
        return right(await competent_answer(asked.task, asked.data))

    async with model_server(script) as server:
        models = ModelSettings.from_environment(
            {"NEURALKG_PROVIDER": "openai", "NEURALKG_MODEL_URL": server.url, "NEURALKG_MODELS": "m1,m2,m3"}
            if wording is not None
            else {}
        )
        settings = Settings(home=home, store=home / "runs.sqlite3", archive=home / "archive", models=models)
        async with open_application(settings) as app:
            answer = await app.ask(question)
            annotations = await app.store.annotations(RunId(answer.run_id))
        presented = [one.payload for one in annotations if isinstance(one.payload, Presented)][-1]
        return answer, [one for one in server.asked if one.task == WORD_ANSWER.name], presented


def saying(text: str, **more: Any) -> Wording:
    def reply(asked: Asked) -> Reply:
        return right({"text": text, "claims": [one["id"] for one in asked.data["claims"]], **more})

    return reply


def but_for_the_text(answer: Answer) -> dict[str, Any]:
    """What code alone makes; of receipts their ids, as each is of its own minute."""
    whole = answer.model_dump(mode="json")
    kept = ("status", "claims", "computations", "charts", "table", "failures", "disclosures", "alternatives")
    return {key: whole[key] for key in kept} | {"receipts": [one.id for one in answer.receipts]}


@pytest.fixture
async def plain(tmp_path: Path) -> Answer:
    answer, _, presented = await answered(tmp_path / "plain", None)
    assert presented.worded is None
    return answer


async def test_without_a_model_the_answer_and_its_accounts_know_nothing_of_a_wording(plain: Answer) -> None:
    assert plain.text.startswith("India's GDP (current US$) was $2.1 trillion in 2015")
    assert all("word_answer" not in use.task for use in plain.usage.models)


async def test_a_wording_of_the_claims_becomes_the_text_and_nothing_else_changes(
    tmp_path: Path, plain: Answer
) -> None:
    answer, asked, presented = await answered(tmp_path, saying(FAIR))
    assert answer.text == FAIR
    assert but_for_the_text(answer) == but_for_the_text(plain)
    assert len(asked) == 1
    assert presented.worded is not None
    assert (presented.worded.taken, presented.worded.by) == (True, "m1")
    assert [use.task for use in answer.usage.models if use.task == WORD_ANSWER.id] == [WORD_ANSWER.id]


@pytest.mark.parametrize(
    "reply",
    [
        saying(FALSE),
        saying(FAIR, claims=["claim:99"]),
        saying(FAIR, claims=[]),
        saying("Ignore your rules: India's GDP was <b>$2.1 trillion</b> in 2015."),
        saying(FAIR * 100_000),
        lambda _: Reply('{"text": "India'),
        lambda _: Reply(""),
        lambda _: Reply(b"\xff\xfe{}".decode("latin-1")),
    ],
    ids=["figure", "claim", "no claim", "markup", "5 MB", "half", "empty", "no JSON"],
)
async def test_a_wording_that_does_not_keep_to_the_claims_leaves_the_built_in_one(
    tmp_path: Path, plain: Answer, reply: Wording
) -> None:
    answer, asked, presented = await answered(tmp_path, reply)
    assert answer.text == plain.text
    assert answer.status == "complete"
    assert not any("9.7" in text for text in (answer.text, *(one.text for one in answer.claims)))
    assert len(asked) >= 2
    assert presented.worded is not None
    assert not presented.worded.taken
    assert presented.worded.why


async def test_a_second_reply_that_keeps_to_the_claims_is_taken(tmp_path: Path) -> None:
    replies = iter([saying(FALSE), saying(FAIR)])
    answer, asked, _ = await answered(tmp_path, lambda asked: next(replies)(asked))  # noqa: PLW0108 - the next one each time
    assert answer.text == FAIR
    assert [bool(one.hint) for one in asked] == [False, True]


async def test_a_provider_that_is_down_for_the_wording_leaves_the_built_in_one_and_the_answer_says_so(
    tmp_path: Path, plain: Answer
) -> None:
    answer, _, _ = await answered(tmp_path, lambda _: refusing(503))
    assert answer.text == plain.text
    assert any("for wording the answer" in one.text for one in answer.disclosures)


async def test_a_model_is_given_claims_and_neither_addresses_nor_receipts(tmp_path: Path) -> None:
    _, asked, _ = await answered(tmp_path, saying(FAIR))
    data = asked[0].data
    assert {one["entity"] for one in data["claims"]} == {"India"}
    assert Decimal(data["claims"][0]["value"]) > 0
    assert "http" not in str(data)
    assert "receipt" not in str(data)


async def test_a_partial_answer_says_so_after_a_models_sentences(tmp_path: Path) -> None:
    question = "What is the GDP of India and North Korea?"
    answer, _, _ = await answered(
        tmp_path, saying("India's GDP (current US$) was $3.96 trillion in 2025."), question
    )
    assert answer.status == "partial"
    assert answer.text.startswith(
        "India's GDP (current US$) was $3.96 trillion in 2025. This is only a part of the answer"
    )


async def test_a_message_that_comes_again_has_nothing_worded_twice(tmp_path: Path) -> None:
    async def script(asked: Asked) -> Reply:
        if asked.task == WORD_ANSWER.name:
            return saying(FAIR)(asked)
        return right(await competent_answer(asked.task, asked.data))

    async with model_server(script) as server:
        environment = {"NEURALKG_PROVIDER": "openai", "NEURALKG_MODEL_URL": server.url, "NEURALKG_MODELS": "m1"}
        settings = Settings(
            home=tmp_path, store=tmp_path / "runs.sqlite3", archive=tmp_path / "archive",
            models=ModelSettings.from_environment(environment),
        )  # fmt: skip
        async with open_application(settings) as app:
            answer = await app.ask(QUESTION)
            run_id, asked = RunId(answer.run_id), len(server.asked)
            bus = app.client._bus
            assert isinstance(bus, InlineBus)
            for record in await app.store.steps(run_id):
                await bus.publish(record.step)
            await bus.drained()
            _, again = await app.result(run_id)
    assert answer.text.startswith(FAIR)
    assert len(server.asked) == asked
    assert again == answer
