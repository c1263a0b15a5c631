"""Messages between functions on the wire and back."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.query.identifiers import RunId, StageName
from shared.runtime.messages import (
    Announced,
    Ended,
    ForeignLetter,
    ForeignMessage,
    Reason,
    Wire,
    encode,
    read_ended,
    read_letter,
    read_question,
    read_step,
    tidy,
)
from shared.runtime.records import StepRef
from shared.runtime.settings import PIPELINE

RUN_IDS = st.from_regex(r"[A-Za-z0-9][A-Za-z0-9._-]{0,60}", fullmatch=True).map(RunId)
TRACES = st.none() | st.just(f"00-{'a' * 32}-{'b' * 16}-01")


@given(run_id=RUN_IDS, reading=st.integers(-1, 1000), stage=st.sampled_from(PIPELINE), trace=TRACES)
def test_a_step_comes_back_as_it_was_sent(run_id, reading, stage, trace):
    step = StepRef(run_id=run_id, reading=reading, stage=StageName(stage), traceparent=trace)
    wire = encode(step, source="/neuralkg/dev")
    assert read_step(wire) == read_letter(wire) == step


@given(run_id=RUN_IDS, trace=TRACES)
def test_a_run_that_ended_comes_back_as_it_was_sent(run_id, trace):
    wire = encode(Ended(run_id, trace), source="/neuralkg/dev")
    assert read_ended(wire) == read_letter(wire) == Ended(run_id, trace)


def test_the_same_step_always_has_the_same_id_so_that_a_duplicate_can_be_told():
    step = StepRef(run_id=RunId("run-1"), reading=-1, stage=StageName("understand"))
    ids = {encode(step, source="/x").attributes["ce-id"] for _ in range(3)}
    assert ids == {"run-1/-1.understand"}


def test_an_answer_tells_where_it_is_and_no_error():
    wire = encode(Announced(RunId("run-1"), "complete", "gs://b/runs/run-1/answer.json"), source="/x")
    assert json.loads(wire.data) == {
        "run_id": "run-1",
        "status": "complete",
        "answer": "gs://b/runs/run-1/answer.json",
    }


@pytest.mark.parametrize("kind", ["", "neuralkg.question.v1"])
def test_a_question_that_the_bus_gave_up_is_known_by_its_type_or_by_where_it_came_from(kind):
    source = {"CloudPubSubDeadLetterSourceSubscription": "neuralkg-dev-questions"}
    attributes = source | ({"ce-type": kind, "ce-id": "mine"} if kind else {})
    letter = read_letter(Wire(b'{"question": "Why?"}', attributes, "9"))
    assert letter.run_id == ("c-mine" if kind else "q-9")


def test_a_letter_of_no_type_from_a_stage_is_foreign():
    source = {"CloudPubSubDeadLetterSourceSubscription": "neuralkg-dev-slots"}
    with pytest.raises(ForeignMessage) as told:
        read_letter(Wire(b'{"question": "Why?"}', source, "9"))
    assert told.value.reason is Reason.UNKNOWN_TYPE


@pytest.mark.parametrize("reason", list(Reason))
def test_a_letter_that_was_foreign_before_stays_so_for_the_same_reason(reason):
    with pytest.raises(ForeignMessage) as told:
        read_letter(encode(ForeignLetter("slots", reason, "as it was told"), source="/x"))
    assert (told.value.reason, told.value.detail) == (reason, "as it was told")


def test_a_letter_with_a_reason_that_nobody_knows_is_foreign_all_the_same():
    wire = Wire(b"", {"ce-type": "neuralkg.foreign.v1", "neuralkg-reason": "mood"})
    with pytest.raises(ForeignMessage) as told:
        read_letter(wire)
    assert told.value.reason is Reason.UNKNOWN_TYPE


@pytest.mark.parametrize("size", [65_536, 65_537])
def test_data_is_read_up_to_its_limit(size):
    frame = b'{"question": ""}'
    data = frame.replace(b'""', b'"' + b"x" * (size - len(frame)) + b'"')
    assert len(data) == size
    if size > 65_536:
        with pytest.raises(ForeignMessage, match="too_large"):
            read_question(Wire(data, {}, "9"))
    else:
        assert read_question(Wire(data, {}, "9")).run_id == "q-9"


@given(st.text())
def test_whatever_is_told_fits_an_attribute(text):
    told = tidy(text)
    assert told.isascii()
    assert told.isprintable() or told == ""
    assert len(told.encode()) <= 1024
