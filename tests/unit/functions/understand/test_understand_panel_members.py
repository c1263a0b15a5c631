"""The built-in members of the panel, and the stage that asks them."""

from __future__ import annotations

import json
import time
from datetime import UTC, date, datetime
from typing import cast

import pytest

from functions.understand import members
from functions.understand.examples import store
from functions.understand.members import Examples, Lexical, Rules, builtin_panel, elected
from functions.understand.stage import understand
from functions.understand.task import UNDERSTAND, UnderstandReply, UnderstandRequest
from shared.adapters.packaged_embedder import PackagedEmbedder
from shared.models.tasks import Judge
from shared.query.annotated import AnnotatedQuery, AskOptions, Failed, Noted, Understood
from shared.query.evidence import DisclosureKind, FailureStatus
from shared.query.identifiers import RunId
from shared.query.readings import READING_TYPES
from shared.runtime.context import RunContext
from shared.runtime.deadline import Deadline
from shared.runtime.errors import CannotRead, ModelUnavailable, UsageError
from shared.runtime.ports import Finder, Transport

TODAY = date(2026, 6, 1)


@pytest.fixture(scope="module")
def embedder() -> PackagedEmbedder:
    return PackagedEmbedder(threads=1)


def context(embedder: PackagedEmbedder, panel: tuple[Judge, ...] | None = None) -> RunContext:
    return RunContext(
        options=AskOptions(),
        deadline=Deadline.after(30),
        transport=cast("Transport", None),
        finder=cast("Finder", None),
        embedder=embedder,
        judges=(),
        panel=builtin_panel() if panel is None else panel,
        say=lambda _line: None,
        today=lambda: TODAY,
    )


def asked(question: str) -> AnnotatedQuery:
    return AnnotatedQuery(run_id=RunId("r"), question=question, asked_at=datetime(2026, 6, 1, tzinfo=UTC))


def request(question: str) -> UnderstandRequest:
    return UnderstandRequest(question=question, today=TODAY)


def test_the_examples_cover_every_type_and_are_many() -> None:
    kinds = [example.kind for example in store.examples()]
    assert set(kinds) == set(READING_TYPES)
    assert len(kinds) >= 250


def test_the_examples_vectors_belong_to_the_questions_and_the_model(embedder: PackagedEmbedder) -> None:
    assert store.vectors(embedder.model).shape == (len(store.examples()), embedder.dimension)
    assert json.loads(store.MANIFEST.read_text())["sha256"] == store.fingerprint()


def test_vectors_of_another_model_are_refused_with_the_command_that_rebuilds_them() -> None:
    with pytest.raises(ModelUnavailable, match=r"functions\.understand\.examples\.build"):
        store.vectors("another model")


async def test_the_example_member_takes_the_type_from_its_nearest_examples(embedder: PackagedEmbedder) -> None:
    asked_of = request("Which country has the highest literacy rate?")
    reply = await Examples().ask(UNDERSTAND, asked_of, context(embedder))
    assert reply.readings[0].type == "ranking"


async def test_the_lexical_member_takes_the_type_from_shared_words(embedder: PackagedEmbedder) -> None:
    reply = await Lexical().ask(UNDERSTAND, request("which countries border Peru"), context(embedder))
    assert reply.readings[0].type == "item_list"


@pytest.mark.parametrize("member", [Examples(), Lexical()])
async def test_a_member_abstains_from_what_no_example_is_near(member: Judge, embedder: PackagedEmbedder) -> None:
    with pytest.raises(CannotRead):
        await member.ask(UNDERSTAND, request("zebras dance at midnight in the garden"), context(embedder))


def test_a_vote_without_a_clear_majority_is_an_abstention() -> None:
    with pytest.raises(CannotRead, match="several types"):
        elected([("value", 0.9), ("trend", 0.9), ("ranking", 0.9)], near=0.5)
    assert elected([("value", 0.95), ("value", 0.9), ("trend", 0.6)], near=0.5) == "value"


async def test_members_answer_only_understanding(embedder: PackagedEmbedder) -> None:
    assert all(member.can(UNDERSTAND) for member in builtin_panel())
    with pytest.raises(ModelUnavailable):
        await Rules().ask(UNDERSTAND, UNDERSTAND.reply(readings=()), context(embedder))


async def test_the_stage_writes_readings_votes_and_corrections(embedder: PackagedEmbedder) -> None:
    written = await understand(asked("poplation of Peru"), context(embedder))
    understood = written[0].payload
    assert isinstance(understood, Understood)
    assert understood.readings[0].type == "value"
    assert understood.votes[0].member == "rules"
    spelling = [a.payload.disclosure for a in written if isinstance(a.payload, Noted)]
    assert [(d.kind, "population" in d.text) for d in spelling] == [(DisclosureKind.SPELLING, True)]
    assert [a.key for a in written] == [f"-1.understand.-.-.{n}" for n in range(len(written))]


async def test_the_stage_says_that_it_could_not_read_and_which_forms_work(embedder: PackagedEmbedder) -> None:
    (written,) = await understand(asked("russia vs ukraine"), context(embedder))
    assert isinstance(written.payload, Failed)
    assert written.payload.failure.status is FailureStatus.UNREADABLE
    assert written.payload.failure.reason.startswith("could not read this: ")
    assert "“population of Russia vs Ukraine”" in written.payload.failure.reason


async def test_the_stage_refuses_an_empty_question_as_bad_usage(embedder: PackagedEmbedder) -> None:
    with pytest.raises(UsageError):
        await understand(asked("  "), context(embedder))


async def test_the_panel_keeps_the_rules_type_on_the_examples_own_questions(embedder: PackagedEmbedder) -> None:
    """Every fourth example, read by the whole panel, so that the weaker members do not outvote the rules."""
    rows = [line.split("\t") for line in store.QUESTIONS.read_text("utf-8").splitlines()[1:]]
    for kind, _, question in rows[::4]:
        written = await understand(asked(question), context(embedder))
        understood = written[0].payload
        assert isinstance(understood, Understood), question
        assert understood.readings[0].type == kind, question


def test_reading_by_rule_takes_milliseconds() -> None:
    questions = [line.split("\t")[2] for line in store.QUESTIONS.read_text("utf-8").splitlines()[1:60]]
    for question in questions:
        members.reader.read(question, today=TODAY)
    members.reader.prepared.cache_clear()
    began = time.perf_counter()
    for question in questions:
        members.reader.read(question, today=TODAY)
    assert (time.perf_counter() - began) / len(questions) < 0.02


def test_a_reply_has_one_to_four_readings() -> None:
    reading = members.reader.read("gdp of India", today=TODAY).readings[0]
    assert UNDERSTAND.validate(request("gdp of India"), UnderstandReply(readings=())) is not None
    assert UNDERSTAND.validate(request("gdp of India"), UnderstandReply(readings=(reading,) * 5)) is not None
    assert UNDERSTAND.validate(request("gdp of India"), UnderstandReply(readings=(reading,))) is None


def test_masking_hides_names_spans_and_bounds() -> None:
    found, _ = members.reader.prepared("Was US GDP above $20 trillion in 2018?", TODAY)
    assert store.veiled(found) == "was Alpha gdp over 100 in 2010"
