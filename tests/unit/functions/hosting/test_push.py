"""What is read out of a pushed request, and what the reply says."""

from __future__ import annotations

import asyncio
import base64
import json
from functools import partial

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Route
from starlette.testclient import TestClient

from functions.hosting.push import MAX_BODY, Foreign, PushReceiver, Received, read_push, seconds_for
from shared.query.identifiers import RunId, StageName
from shared.runtime.errors import (
    ArchiveError,
    BusError,
    ObjectMissing,
    StepBusy,
    StoreCorrupt,
    StoreNewer,
    StoreUnavailable,
)
from shared.runtime.messages import (
    ENDED,
    QUESTION,
    STEP,
    Ended,
    ForeignLetter,
    Reason,
    encode,
    read_ended,
    read_letter,
    read_question,
    read_step,
)
from shared.runtime.records import StepRef

slots = partial(read_step, only=StageName("slots"))
GOOD = StepRef(
    run_id=RunId("run-1"), reading=0, stage=StageName("slots"), traceparent=f"00-{'a' * 32}-{'b' * 16}-01"
)
EVENT = {"ce-specversion": "1.0", "ce-type": STEP, "ce-source": "/neuralkg/dev", "ce-id": "x"}


def pushed(payload: object = None, *, attributes: object = EVENT, **message: object) -> bytes:
    """A request as Pub/Sub sends it; ``payload`` is bytes, or is made JSON."""
    raw = payload if isinstance(payload, bytes) else json.dumps(payload).encode()
    body = {"data": base64.b64encode(raw).decode(), "attributes": attributes, "messageId": "77", "message_id": "77"}
    return json.dumps(
        {"message": body | message, "subscription": "projects/p/subscriptions/s", "deliveryAttempt": 3}
    ).encode()


def step(**changes: object) -> dict[str, object]:
    return {"run_id": "run-1", "reading": 0, "stage": "slots"} | changes


def sent(message, **more) -> bytes:
    wire = encode(message, source="/neuralkg/dev")
    return pushed(wire.data, attributes=dict(wire.attributes), **more)


def test_a_step_that_the_bus_published_is_read_as_it_was():
    received = read_push(sent(GOOD), {}, reader=slots)
    assert isinstance(received, Received)
    assert received.message == GOOD
    assert (received.attempt, received.subscription, received.wire.message_id) == (
        3,
        "projects/p/subscriptions/s",
        "77",
    )


def test_both_spellings_of_the_envelopes_fields_are_read():
    wire = encode(GOOD, source="/neuralkg/dev")
    message = {
        "data": base64.b64encode(wire.data).decode(),
        "attributes": dict(wire.attributes),
        "message_id": "9",
        "publish_time": "2026-01-01T00:00:00Z",
    }
    received = read_push(json.dumps({"message": message, "delivery_attempt": 2}).encode(), {}, reader=slots)
    assert isinstance(received, Received)
    assert (received.message, received.attempt, received.wire.message_id) == (GOOD, 2, "9")


def test_an_envelope_in_a_cloudevent_is_read_in_both_of_its_forms():
    published = "google.cloud.pubsub.topic.v1.messagePublished"
    binary = read_push(sent(GOOD), {"ce-type": published, "ce-id": "1"}, reader=slots)
    event = {
        "specversion": "1.0",
        "type": published,
        "source": "//pubsub",
        "id": "1",
        "data": json.loads(sent(GOOD)),
    }
    structured = read_push(
        json.dumps(event).encode(), {"content-type": "application/cloudevents+json; charset=utf-8"}, reader=slots
    )
    assert isinstance(binary, Received)
    assert isinstance(structured, Received)
    assert binary.message == structured.message == GOOD


@pytest.mark.parametrize("coded", [False, True])
def test_our_own_cloudevent_is_read_without_an_envelope(coded):
    data = {"data_base64": base64.b64encode(json.dumps(step()).encode()).decode()} if coded else {"data": step()}
    event = {"specversion": "1.0", "type": STEP, "source": "/x", "id": "1", "traceparent": GOOD.traceparent, **data}
    structured = read_push(
        json.dumps(event).encode(), {"content-type": "application/cloudevents+json"}, reader=slots
    )
    binary = read_push(
        json.dumps(step()).encode(), EVENT | {"traceparent": str(GOOD.traceparent), "host": "h"}, reader=slots
    )
    assert isinstance(structured, Received)
    assert isinstance(binary, Received)
    assert structured.message == binary.message == GOOD


def test_a_run_that_ended_is_read():
    received = read_push(sent(Ended(RunId("run-1"))), {}, reader=read_ended)
    assert isinstance(received, Received)
    assert received.message == Ended(RunId("run-1"))


@pytest.mark.parametrize(
    ("attributes", "run_id"),
    [
        (None, "q-77"),
        ({}, "q-77"),
        ({"ce-type": QUESTION}, "q-77"),
        ({"ce-type": QUESTION, "ce-id": "mine-1"}, "c-mine-1"),
        ({"ce-type": QUESTION, "ce-id": "../../x"}, "q-77"),
        ({"ce-type": QUESTION, "ce-id": "a" * 101}, "q-77"),
        ({"ce-id": "mine-1"}, "q-77"),
    ],
)
def test_a_question_names_its_run_by_its_own_id_or_by_that_of_its_message(attributes, run_id):
    received = read_push(pushed({"question": "Why?"}, attributes=attributes), {}, reader=read_question)
    assert isinstance(received, Received)
    assert (received.message.run_id, received.message.body) == (run_id, {"question": "Why?"})


DEEP = b"[" * 60_000 + b"]" * 60_000

HOSTILE = {
    "nothing": (b"", slots, Reason.NOT_JSON),
    "not JSON": (b"question=x", slots, Reason.NOT_JSON),
    "JSON cut off": (sent(GOOD)[:-4], slots, Reason.NOT_JSON),
    "invalid UTF-8": (b'{"message": {"data": "\xff\xfe"}}', slots, Reason.NOT_JSON),
    "a lone surrogate": (b'{"message": {"data": "\\ud800"}}', slots, Reason.NOT_JSON),
    "deep nesting": (DEEP, slots, Reason.NOT_JSON),
    "deep nesting in a field that is not read": (
        b'{"message": {"data": ""}, "x": ' + DEEP + b"}",
        slots,
        Reason.NOT_JSON,
    ),
    "deep nesting in the data": (pushed(b"[" * 30_000), slots, Reason.NOT_JSON),
    "huge": (b" " * (MAX_BODY + 1), slots, Reason.TOO_LARGE),
    "huge data": (pushed(b'{"a": "' + b"x" * 100_000 + b'"}'), slots, Reason.TOO_LARGE),
    "a list": (b"[]", slots, Reason.NOT_AN_ENVELOPE),
    "null": (b"null", slots, Reason.NOT_AN_ENVELOPE),
    "no message": (b'{"subscription": "s"}', slots, Reason.NOT_AN_ENVELOPE),
    "a message that is text": (b'{"message": "x"}', slots, Reason.NOT_AN_ENVELOPE),
    "data that is a number": (b'{"message": {"data": 1}}', slots, Reason.NOT_AN_ENVELOPE),
    "attributes that are no text": (pushed(step(), attributes={"ce-type": 7}), slots, Reason.NOT_AN_ENVELOPE),
    "attributes that are a list": (pushed(step(), attributes=[]), slots, Reason.NOT_AN_ENVELOPE),
    "an attempt that is text": (b'{"message": {}, "deliveryAttempt": "many"}', slots, Reason.NOT_AN_ENVELOPE),
    "broken base64": (pushed(step(), data="a"), slots, Reason.NOT_BASE64),
    "base64 with other characters": (pushed(step(), data="####"), slots, Reason.NOT_BASE64),
    "base64 that is not ASCII": (pushed(step(), data="Ünïcödé="), slots, Reason.NOT_BASE64),
    "no type": (pushed(step(), attributes={}), slots, Reason.UNKNOWN_TYPE),
    "no attributes": (pushed(step(), attributes=None), slots, Reason.UNKNOWN_TYPE),
    "another's type": (pushed(step(), attributes=EVENT | {"ce-type": "x.y"}), slots, Reason.UNKNOWN_TYPE),
    "another of our types": (pushed(step(), attributes=EVENT | {"ce-type": ENDED}), slots, Reason.UNKNOWN_TYPE),
    "a version that never was": (
        pushed(step(), attributes=EVENT | {"ce-type": "neuralkg.step.v0"}),
        slots,
        Reason.UNKNOWN_TYPE,
    ),
    "a future version": (
        pushed(step(), attributes=EVENT | {"ce-type": "neuralkg.step.v2"}),
        slots,
        Reason.FUTURE_VERSION,
    ),
    "a future envelope": (
        pushed(step(), attributes=EVENT | {"ce-specversion": "2.0"}),
        slots,
        Reason.FUTURE_VERSION,
    ),
    "no data": (pushed(b""), slots, Reason.NOT_JSON),
    "data that is not JSON": (pushed(b"slots"), slots, Reason.NOT_JSON),
    "data in another encoding": (pushed(json.dumps(step()).encode("utf-16")), slots, Reason.NOT_JSON),
    "data that is a list": (pushed([step()]), slots, Reason.MALFORMED),
    "no run": (pushed({"reading": 0, "stage": "slots"}), slots, Reason.MALFORMED),
    "a run that is a number": (pushed(step(run_id=7)), slots, Reason.MALFORMED),
    "a run that climbs": (pushed(step(run_id="../../x")), slots, Reason.MALFORMED),
    "a run with a slash": (pushed(step(run_id="a/b")), slots, Reason.MALFORMED),
    "a run with a line break": (pushed(step(run_id="run-1\n")), slots, Reason.MALFORMED),
    "a run without a name": (pushed(step(run_id="")), slots, Reason.MALFORMED),
    "an endless run": (pushed(step(run_id="a" * 129)), slots, Reason.MALFORMED),
    "a reading that is text": (pushed(step(reading="0")), slots, Reason.MALFORMED),
    "a reading that is a truth": (pushed(step(reading=True)), slots, Reason.MALFORMED),
    "a reading that is a fraction": (pushed(step(reading=0.5)), slots, Reason.MALFORMED),
    "a reading that is huge": (pushed(step(reading=10**30)), slots, Reason.MALFORMED),
    "a reading below the first": (pushed(step(reading=-2)), slots, Reason.MALFORMED),
    "a field too many": (pushed(step(priority=1)), slots, Reason.MALFORMED),
    "a stage that there is not": (pushed(step(stage="guess")), slots, Reason.UNKNOWN_STAGE),
    "another function's stage": (pushed(step(stage="plan")), slots, Reason.OTHER_STAGE),
    "a question that is text": (pushed("Why?", attributes=None), read_question, Reason.MALFORMED),
    "a question that is not JSON": (pushed(b"Why?", attributes=None), read_question, Reason.NOT_JSON),
    "a question of the future": (
        pushed({"question": "Why?"}, attributes=EVENT | {"ce-type": "neuralkg.question.v2"}),
        read_question,
        Reason.FUTURE_VERSION,
    ),
    "a question without any id": (
        pushed({"question": "Why?"}, attributes=None, messageId="", message_id=""),
        read_question,
        Reason.NO_ID,
    ),
    "a step to the archive": (sent(GOOD), read_ended, Reason.UNKNOWN_TYPE),
    "a letter of nobody": (pushed(b"\x00\x01", attributes={}), read_letter, Reason.UNKNOWN_TYPE),
    "a letter that was foreign before": (
        sent(ForeignLetter("slots", Reason.OTHER_STAGE, "for plan", b"x")),
        read_letter,
        Reason.OTHER_STAGE,
    ),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_foreign_says_why_and_raises_nothing(name):
    body, reader, reason = HOSTILE[name]
    found = read_push(body, {"content-type": "application/json"}, reader=reader)
    assert isinstance(found, Foreign)
    assert found.reason is reason
    assert found.detail.isascii()
    assert len(found.detail) <= 1024


EVENTS = {
    "not JSON": (b"x", Reason.NOT_JSON),
    "no type": (b'{"specversion": "1.0", "source": "/", "id": "1"}', Reason.NOT_AN_ENVELOPE),
    "a batch": (b"[]", Reason.NOT_AN_ENVELOPE),
    "a future form": (
        json.dumps({"specversion": "2.0", "type": STEP, "source": "/", "id": "1", "data": step()}).encode(),
        Reason.FUTURE_VERSION,
    ),
    "broken base64": (
        json.dumps({"specversion": "1.0", "type": STEP, "source": "/", "id": "1", "data_base64": "a"}).encode(),
        Reason.NOT_BASE64,
    ),
}


@pytest.mark.parametrize("name", EVENTS)
def test_a_cloudevent_that_is_foreign_says_why(name):
    body, reason = EVENTS[name]
    found = read_push(body, {"content-type": "application/cloudevents+json"}, reader=slots)
    assert isinstance(found, Foreign)
    assert found.reason is reason


def test_a_traceparent_that_is_no_plain_text_is_left_out_of_a_good_step():
    received = read_push(pushed(step(), attributes=EVENT | {"traceparent": "a\nb"}), {}, reader=slots)
    assert isinstance(received, Received)
    assert received.message.traceparent is None


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner, max_size=3),
    max_leaves=8,
)
FIELDS = st.fixed_dictionaries(
    {},
    optional={
        "data": JSON | st.binary(max_size=40).map(lambda raw: base64.b64encode(raw).decode()),
        "attributes": JSON | st.dictionaries(st.sampled_from([*EVENT, "x"]), st.sampled_from([STEP, "", "1.0"])),
        "messageId": JSON,
    },
)
READERS = st.sampled_from([slots, read_step, read_ended, read_question, read_letter])
HEADERS = st.sampled_from(
    [{}, {"content-type": "application/cloudevents+json"}, {"ce-type": STEP}, {"ce-type": QUESTION, "ce-id": "é"}]
)


@settings(max_examples=150, deadline=None)
@given(body=st.binary(max_size=200), headers=HEADERS, reader=READERS)
def test_no_bytes_raise_anything(body, headers, reader):
    assert isinstance(read_push(body, headers, reader=reader), Foreign | Received)


@settings(max_examples=250, deadline=None)
@given(message=FIELDS | JSON, more=JSON, headers=HEADERS, reader=READERS)
def test_no_envelope_raises_anything(message, more, headers, reader):
    body = json.dumps({"message": message, "data": more, "deliveryAttempt": more}).encode()
    assert isinstance(read_push(body, headers, reader=reader), Foreign | Received)


@settings(max_examples=250, deadline=None)
@given(data=st.dictionaries(st.sampled_from(["run_id", "reading", "stage", "x"]), JSON, max_size=4) | JSON)
def test_no_data_of_a_step_raises_anything(data):
    found = read_push(pushed(data), {}, reader=slots)
    if isinstance(found, Received):
        assert found.message.stage == "slots"
        assert "/" not in found.message.run_id


# ---- the reply -----------------------------------------------------------------------------------


class Face:
    """One function behind HTTP: what it took, and what it put among the dead letters."""

    def __init__(self, *, raising: Exception | None = None, takes: float = 0.0, seconds: float = 5.0) -> None:
        self.taken: list[Received[StepRef]] = []
        self.letters: list[ForeignLetter] = []
        self.raising, self.takes = raising, takes
        self.broken: Exception | None = None
        self.receiver = PushReceiver(
            function="slots", reader=slots, take=self.take, seconds=seconds, dead_letters=self.put_aside
        )
        self.client = TestClient(Starlette(routes=[Route("/", self.endpoint, methods=["GET", "POST", "PUT"])]))

    async def endpoint(self, request: Request):
        return await self.receiver(request)

    async def take(self, received: Received[StepRef]) -> None:
        self.taken.append(received)
        await asyncio.sleep(self.takes)
        if self.raising is not None:
            raise self.raising

    async def put_aside(self, letter: ForeignLetter) -> None:
        if self.broken is not None:
            raise self.broken
        self.letters.append(letter)


def test_a_message_that_is_done_is_acknowledged():
    face = Face()
    assert face.client.post("/", content=sent(GOOD)).status_code == 204
    assert [(received.message, received.attempt) for received in face.taken] == [(GOOD, 3)]
    assert face.receiver.counts == {"done": 1}


@pytest.mark.parametrize(
    "error",
    [
        StepBusy("it is worked on"),
        StoreUnavailable("the store is away"),
        ArchiveError("the archive is full"),
        BusError("publishing failed"),
        RuntimeError("a fault of ours"),
        ExceptionGroup("several", [ValueError("a"), StoreUnavailable("b")]),
    ],
    ids=lambda error: type(error).__name__,
)
def test_passing_trouble_brings_the_message_again(error):
    face = Face(raising=error)
    reply = face.client.post("/", content=sent(GOOD))
    assert (reply.status_code, reply.headers["retry-after"], reply.content) == (503, "1", b"")
    assert face.receiver.counts == {"again": 1}
    assert not face.letters


def test_what_takes_too_long_is_stopped_and_comes_again():
    face = Face(takes=30.0, seconds=0.05)
    assert face.client.post("/", content=sent(GOOD)).status_code == 503


@pytest.mark.parametrize("name", ["not JSON", "huge", "another function's stage", "a future version"])
def test_what_is_foreign_is_acknowledged_counted_and_put_aside(name):
    face = Face()
    body, _, reason = HOSTILE[name]
    assert face.client.post("/", content=body).status_code == 204
    (letter,) = face.letters
    assert (letter.reason, letter.function) == (reason, "slots")
    assert not face.taken
    assert face.receiver.counts == {"foreign": 1, f"foreign.{reason}": 1}


def test_a_foreign_message_that_cannot_be_put_aside_comes_again():
    face = Face()
    face.broken = BusError("publishing failed")
    assert face.client.post("/", content=b"x").status_code == 503
    assert face.receiver.counts == {"again": 1}


def test_only_post_carries_messages():
    reply = Face().client.get("/")
    assert (reply.status_code, reply.headers["allow"]) == (405, "POST")


def test_a_body_far_over_the_limit_is_not_kept():
    face = Face()
    chunk = b"x" * 65_536
    assert face.client.post("/", content=(chunk for _ in range(64))).status_code == 204
    assert face.letters[0].reason is Reason.TOO_LARGE
    assert len(face.letters[0].payload) <= MAX_BODY + 1


async def test_a_sender_that_leaves_before_the_end_of_its_message_is_not_answered_with_a_fault():
    face = Face()

    async def left():
        return {"type": "http.disconnect"}

    request = Request({"type": "http", "method": "POST", "headers": [], "path": "/"}, left)
    assert (await face.receiver(request)).status_code == 503
    assert not face.taken


async def test_a_process_that_is_stopped_cancels_what_it_takes():
    face = Face(takes=30.0)

    async def whole():
        return {"type": "http.request", "body": sent(GOOD), "more_body": False}

    request = Request({"type": "http", "method": "POST", "headers": [], "path": "/"}, whole)
    task = asyncio.create_task(face.receiver(request))
    while not face.taken:  # noqa: ASYNC110 - there is no event to wait for
        await asyncio.sleep(0.001)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


def test_a_dead_letter_shows_the_beginning_of_the_message_and_why():
    letter = ForeignLetter("slots", Reason.NOT_JSON, "no JSON: é\n", b"x" * 100_000, "77")
    wire = encode(letter, source="/neuralkg/dev")
    assert len(wire.data) == 8192
    assert wire.attributes["ce-type"] == "neuralkg.foreign.v1"
    assert {key: value for key, value in wire.attributes.items() if key.startswith("neuralkg-")} == {
        "neuralkg-reason": "not_json",
        "neuralkg-detail": "no JSON: ??",
        "neuralkg-function": "slots",
        "neuralkg-message-id": "77",
    }


def test_the_reply_goes_out_before_the_functions_time_is_up():
    assert (seconds_for(60), seconds_for(2), seconds_for(960)) == (55.0, 1.0, 595.0)


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (StoreCorrupt("the document cannot be read"), "unreadable"),
        (StoreNewer("form 9"), "future_version"),
        (ObjectMissing("there is no such object"), "unreadable"),
    ],
)
def test_a_message_whose_run_cannot_be_read_is_put_aside_and_not_tried_for_ever(error, reason):
    letters: list[ForeignLetter] = []

    async def put_aside(letter: ForeignLetter) -> None:
        letters.append(letter)

    async def take(_: object) -> None:
        raise error

    receiver = PushReceiver("slots", slots, take, 5.0, put_aside)
    client = TestClient(Starlette(routes=[Route("/", receiver.__call__, methods=["POST"])]))
    assert client.post("/", content=sent(GOOD)).status_code == 204
    (letter,) = letters
    assert (letter.reason, letter.detail, letter.message_id) == (reason, str(error), "77")
    assert json.loads(letter.payload)["run_id"] == "run-1"
    assert receiver.counts == {"foreign": 1, f"foreign.{reason}": 1}
