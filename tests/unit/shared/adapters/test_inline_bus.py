import asyncio

import pytest

from shared.adapters.inline_bus import InlineBus, Redelivery
from shared.runtime.errors import BusClosed, StoreUnavailable
from shared.runtime.records import StepRef

STEP = StepRef(run_id="r", reading=0, stage="slots")


def test_pauses_double_up_to_the_longest():
    pauses = [Redelivery(first=0.05, longest=1.0).pause(attempt) for attempt in range(1, 8)]
    assert pauses == [0.05, 0.1, 0.2, 0.4, 0.8, 1.0, 1.0]


async def test_a_message_that_always_fails_becomes_a_dead_letter_and_is_settled_once():
    bus = InlineBus(redelivery=Redelivery(attempts=3, first=0.001, longest=0.002))
    tries, settled = [], []

    async def handler(step):
        tries.append(step)
        raise StoreUnavailable("the disk is full")

    async def settle(step):
        settled.append(step)

    await bus.subscribe(handler)
    await bus.on_dead_letter(settle)
    await bus.publish(STEP)
    await bus.drained()
    assert tries == [STEP] * 3
    assert settled == [STEP]
    assert [(letter.attempts, letter.reason) for letter in bus.dead_letters] == [(3, "the disk is full")]
    await bus.close()


async def test_a_dead_letter_that_cannot_be_settled_stops_nothing(caplog):
    bus = InlineBus(concurrency=1, redelivery=Redelivery(attempts=1))
    got = []

    async def handler(step):
        got.append(step.reading)
        if step.reading == 0:
            raise RuntimeError

    async def settle(step):
        raise RuntimeError("no store either")

    await bus.subscribe(handler)
    await bus.on_dead_letter(settle)
    await bus.publish(STEP)
    await bus.publish(STEP.model_copy(update={"reading": 1}))
    await bus.drained()
    assert got == [0, 1]
    assert "could not be settled" in caplog.text
    await bus.close()


async def test_no_more_handlers_run_at_once_than_allowed():
    bus = InlineBus(concurrency=3)
    inside, most = 0, 0

    async def handler(step):
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        await asyncio.sleep(0.002)
        inside -= 1

    await bus.subscribe(handler)
    for _ in range(20):
        await bus.publish(STEP)
    await bus.drained()
    assert most == 3
    await bus.close()


async def test_a_closed_bus_takes_nothing():
    bus = InlineBus()
    await bus.close()
    with pytest.raises(BusClosed):
        await bus.publish(STEP)
    with pytest.raises(BusClosed):
        await bus.subscribe(lambda step: asyncio.sleep(0))
