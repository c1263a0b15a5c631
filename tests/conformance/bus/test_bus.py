"""What every bus promises, whatever carries its messages."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from shared.adapters.inline_bus import InlineBus, Redelivery
from shared.query.identifiers import RunId, StageName
from shared.runtime.ports import Bus
from shared.runtime.records import StepRef
from tests.support.pubsub import pulled_bus

Emulated = Callable[[str], Any]


async def inline(emulated: Emulated) -> Bus:
    return InlineBus(redelivery=Redelivery(attempts=10, first=0.005, longest=0.02))


async def pubsub(emulated: Emulated) -> Bus:
    return await pulled_bus(emulated("pubsub_emulator"))


# A further adapter is one more entry; each opens a bus of its own topics that redelivers at least five times.
ADAPTERS: dict[str, Callable[[Emulated], Awaitable[Bus]]] = {"inline": inline, "pubsub": pubsub}


@pytest.fixture(params=sorted(ADAPTERS))
async def bus(request):
    bus = await ADAPTERS[request.param](request.getfixturevalue)
    yield bus
    await bus.close()


def step(n: int, stage: str = "slots") -> StepRef:
    return StepRef(run_id=RunId(f"run-{n}"), reading=0, stage=StageName(stage), traceparent=f"00-{n}")


async def until(true: Callable[[], bool], seconds: float = 20.0) -> None:
    async with asyncio.timeout(seconds):
        while not true():  # noqa: ASYNC110 - any condition can be waited for
            await asyncio.sleep(0.005)


async def test_a_message_arrives_as_it_was_published(bus):
    got: list[StepRef] = []

    async def handler(message: StepRef) -> None:
        got.append(message)

    await bus.subscribe(handler)
    await bus.publish(step(1))
    await until(lambda: bool(got))
    assert set(got) == {step(1)}
    assert got[0].traceparent == "00-1"


async def test_a_message_published_before_anyone_listens_waits(bus):
    got: list[StepRef] = []

    async def handler(message: StepRef) -> None:
        got.append(message)

    await bus.publish(step(1))
    await bus.subscribe(handler)
    await until(lambda: bool(got))
    assert set(got) == {step(1)}


async def test_many_messages_all_arrive(bus):
    got: Counter[StepRef] = Counter()

    async def handler(message: StepRef) -> None:
        await asyncio.sleep(0)
        got[message] += 1

    await bus.subscribe(handler)
    await asyncio.gather(*(bus.publish(step(n)) for n in range(200)))
    await until(lambda: len(got) == 200)


async def test_a_message_whose_handler_raised_comes_again(bus):
    tries: Counter[StepRef] = Counter()

    async def handler(message: StepRef) -> None:
        tries[message] += 1
        if tries[message] < 4:
            raise RuntimeError("not yet")

    await bus.subscribe(handler)
    await bus.publish(step(1))
    await bus.publish(step(2))
    await until(lambda: tries[step(1)] >= 4 and tries[step(2)] >= 4)


async def test_a_message_that_fails_does_not_hold_up_the_others(bus):
    done: set[StepRef] = set()

    async def handler(message: StepRef) -> None:
        if message == step(0):
            raise RuntimeError("never")
        done.add(message)

    await bus.subscribe(handler)
    for n in range(20):
        await bus.publish(step(n))
    await until(lambda: len(done) == 19)


async def test_the_same_message_published_twice_arrives_at_least_once(bus):
    got: Counter[StepRef] = Counter()

    async def handler(message: StepRef) -> None:
        got[message] += 1

    await bus.subscribe(handler)
    await bus.publish(step(1))
    await bus.publish(step(1))
    await until(lambda: got[step(1)] >= 1)


async def test_a_handler_may_publish_what_follows(bus):
    got: list[int] = []

    async def handler(message: StepRef) -> None:
        got.append(message.reading)
        if message.reading < 5:
            await bus.publish(message.model_copy(update={"reading": message.reading + 1}))

    await bus.subscribe(handler)
    await bus.publish(step(1))
    await until(lambda: 5 in got)
    assert set(got) == {0, 1, 2, 3, 4, 5}


async def test_messages_are_handled_side_by_side(bus):
    inside = 0
    most = 0

    async def handler(message: StepRef) -> None:
        nonlocal inside, most
        inside += 1
        most = max(most, inside)
        await asyncio.sleep(0.05)
        inside -= 1

    await bus.subscribe(handler)
    for n in range(6):
        await bus.publish(step(n))
    await until(lambda: most >= 2)


async def test_after_closing_nothing_is_delivered_and_nothing_is_left_running(bus):
    ended = asyncio.Event()
    started = asyncio.Event()

    async def handler(message: StepRef) -> None:
        started.set()
        try:
            await asyncio.sleep(30)
        finally:
            ended.set()

    await bus.subscribe(handler)
    await bus.publish(step(1))
    await asyncio.wait_for(started.wait(), 20)
    before = asyncio.all_tasks()
    await bus.close()
    assert ended.is_set()
    assert not [task for task in before & asyncio.all_tasks() if task is not asyncio.current_task()]
    await bus.close()
