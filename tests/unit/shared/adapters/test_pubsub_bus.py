"""The bus over the real Pub/Sub emulator, beyond what every bus promises."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter

import pytest
from google.pubsub_v1.types import PubsubMessage

from functions.local.emulators import free_port
from shared.adapters.pubsub_bus import PubSubBus
from shared.adapters.pubsub_clients import EMULATOR, open_publisher
from shared.query.identifiers import RunId, StageName
from shared.runtime.errors import BusClosed, BusError, UsageError
from shared.runtime.messages import Announced, Ended, ForeignLetter, Reason
from shared.runtime.records import StepRef
from tests.support.pubsub import PROJECT, pulled, topics

TRACE = f"00-{'a' * 32}-{'b' * 16}-01"
STEP = StepRef(run_id=RunId("run-1"), reading=0, stage=StageName("resolve_entities"), traceparent=TRACE)


@pytest.fixture
async def made(pubsub_emulator):
    async with topics(pubsub_emulator) as topology:
        yield topology


@pytest.fixture
async def bus(pubsub_emulator, made):
    bus = PubSubBus(PROJECT, made.environment, emulator=pubsub_emulator.address)
    yield bus
    await bus.close()


async def test_a_step_goes_to_its_stages_topic_as_a_cloudevent(pubsub_emulator, made, bus):
    await bus.publish(STEP)
    (message,) = await pulled(pubsub_emulator, f"neuralkg-{made.environment}-resolve-entities", count=1)
    assert json.loads(message.data) == {"run_id": "run-1", "reading": 0, "stage": "resolve_entities"}
    assert dict(message.attributes) == {
        "ce-specversion": "1.0",
        "ce-type": "neuralkg.step.v1",
        "ce-source": f"/neuralkg/{made.environment}",
        "ce-id": "run-1/0.resolve_entities",
        "content-type": "application/json",
        "traceparent": TRACE,
    }
    assert message.ordering_key == ""


@pytest.mark.parametrize(
    ("message", "where", "data"),
    [
        (Ended(RunId("run-1")), "ended", {"run_id": "run-1"}),
        (
            Announced(RunId("run-1"), "complete", "gs://bucket/runs/run-1/answer.json"),
            "answers",
            {"run_id": "run-1", "status": "complete", "answer": "gs://bucket/runs/run-1/answer.json"},
        ),
        (
            Announced(RunId("q-1"), "rejected", error={"code": "question_empty"}, question=""),
            "answers",
            {
                "run_id": "q-1",
                "status": "rejected",
                "answer": None,
                "question": "",
                "error": {"code": "question_empty"},
            },
        ),
        (ForeignLetter("slots", Reason.NOT_JSON, "no JSON", b'"?"'), "dead-letters-kept", "?"),
    ],
    ids=["ended", "answer", "rejected", "foreign"],
)
async def test_every_other_message_goes_to_the_topic_of_its_kind(pubsub_emulator, bus, message, where, data):
    assert await bus.send(message)
    (found,) = await pulled(pubsub_emulator, bus.names.of(where), count=1)
    assert json.loads(found.data) == data


async def test_the_loop_goes_on_while_many_messages_are_published(bus):
    longest = 0.0

    async def watch() -> None:
        nonlocal longest
        while True:
            before = time.perf_counter()
            await asyncio.sleep(0.001)
            longest = max(longest, time.perf_counter() - before)

    watching = asyncio.create_task(watch())
    await asyncio.gather(*(bus.publish(STEP) for _ in range(20)))
    watching.cancel()
    assert longest < 1.0


async def test_a_topic_that_does_not_exist_is_an_error_that_says_what_to_do(pubsub_emulator):
    bus = PubSubBus(PROJECT, "missing", emulator=pubsub_emulator.address)
    with pytest.raises(BusError, match=r"neuralkg-missing-resolve-entities: .*terraform apply"):
        await bus.publish(STEP)
    await bus.close()


async def test_a_service_that_is_away_is_an_error_in_time():
    bus = PubSubBus(PROJECT, "dev", emulator=f"127.0.0.1:{free_port()}", seconds=0.5)
    began = time.monotonic()
    with pytest.raises(BusError, match=r"within 0\.5 s"):
        await bus.publish(STEP)
    assert time.monotonic() - began < 5.0
    await bus.close()


async def test_a_publication_that_is_cancelled_ends_at_once():
    bus = PubSubBus(PROJECT, "dev", emulator=f"127.0.0.1:{free_port()}", seconds=60)
    task = asyncio.create_task(bus.publish(STEP))
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(task, 5)
    await bus.close()


async def test_a_closed_bus_takes_nothing(bus):
    await bus.close()
    with pytest.raises(BusClosed):
        await bus.publish(STEP)

    async def handler(step: StepRef) -> None:
        raise AssertionError(step)

    with pytest.raises(BusClosed):
        await bus.subscribe(handler)


async def test_a_bus_whose_messages_are_pushed_says_that_it_fetches_none(bus):
    async def handler(step: StepRef) -> None:
        raise AssertionError(step)

    with pytest.raises(UsageError, match="pushed"):
        await bus.subscribe(handler)


async def test_the_environment_leads_to_the_emulator(pubsub_emulator, made, monkeypatch):
    monkeypatch.setenv(EMULATOR, pubsub_emulator.address)
    bus = PubSubBus(PROJECT, made.environment)
    await bus.publish(STEP)
    await bus.close()


async def test_no_credentials_are_an_error_that_says_so(monkeypatch, tmp_path):
    monkeypatch.delenv(EMULATOR, raising=False)
    monkeypatch.setenv("GOOGLE_APPLICATION_CREDENTIALS", str(tmp_path / "none.json"))
    bus = PubSubBus(PROJECT, "dev")
    with pytest.raises(BusError, match="no Google Cloud credentials"):
        await bus.publish(STEP)
    await bus.close()


async def test_a_worker_puts_a_foreign_message_aside_and_goes_on(pubsub_emulator, made):
    topic = f"projects/{PROJECT}/topics/neuralkg-{made.environment}-slots"
    async with await open_publisher(pubsub_emulator.address) as client:
        await client.publish(topic=topic, messages=[PubsubMessage(data=b"not a step")], timeout=5)
    bus = PubSubBus(PROJECT, made.environment, emulator=pubsub_emulator.address, pulled=["slots"])
    got: list[StepRef] = []

    async def handler(step: StepRef) -> None:
        got.append(step)

    await bus.subscribe(handler)
    good = STEP.model_copy(update={"stage": StageName("slots")})
    await bus.publish(good)
    async with asyncio.timeout(20):
        while not got:  # noqa: ASYNC110 - there is no event to wait for
            await asyncio.sleep(0.01)
    assert set(got) == {good}
    (letter,) = await pulled(pubsub_emulator, f"neuralkg-{made.environment}-dead-letters-kept", count=1)
    assert (letter.data, letter.attributes["neuralkg-reason"]) == (b"not a step", "unknown_type")
    await bus.close()
    assert await pulled(pubsub_emulator, f"neuralkg-{made.environment}-slots", count=1, seconds=0.5) == []


async def test_a_message_that_is_tried_too_often_becomes_a_dead_letter(pubsub_emulator):
    async with topics(pubsub_emulator, attempts=5) as made:
        bus = PubSubBus(PROJECT, made.environment, emulator=pubsub_emulator.address, pulled=["slots"])
        tries: Counter[StepRef] = Counter()

        async def handler(step: StepRef) -> None:
            tries[step] += 1
            raise RuntimeError("never")

        await bus.subscribe(handler)
        good = STEP.model_copy(update={"stage": StageName("slots")})
        await bus.publish(good)
        (letter,) = await pulled(pubsub_emulator, f"neuralkg-{made.environment}-dead-letters-kept", count=1)
        assert tries == {good: 5}
        assert letter.attributes["CloudPubSubDeadLetterSourceDeliveryCount"] == "5"
        assert letter.attributes["ce-type"] == "neuralkg.step.v1"
        assert json.loads(letter.data)["run_id"] == "run-1"
        await bus.close()
