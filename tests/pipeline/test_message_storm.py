"""However often each message is delivered, the messages of a run stay few: duplicates breed no duplicates."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from datetime import timedelta
from uuid import uuid4

import pytest

from shared.adapters.firestore_store import FirestoreStore
from shared.adapters.sqlite_store import SqliteStore
from shared.query.answer import AnswerStatus
from shared.runtime import claiming
from shared.runtime.settings import PIPELINE
from tests.pipeline.test_runner_faults import counting, settled
from tests.support.machine import FAST, OPTIONS, machine, trivial

COPIES = 3
FIRST_PAUSE, LONGEST_PAUSE = 0.05, 0.8


class SlowBus:
    """Delivers each message three times, each time ``latency`` seconds later, and again when it is refused."""

    def __init__(self, latency: float) -> None:
        self.latency, self.published, self.deliveries = latency, Counter(), 0
        self._handler, self._tasks = None, set()

    async def publish(self, step):
        self.published[step.id] += 1
        for _ in range(COPIES):
            task = asyncio.create_task(self._deliver(step))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def subscribe(self, handler):
        self._handler = handler

    async def on_dead_letter(self, handler):
        """None is given up."""

    async def _deliver(self, step):
        await asyncio.sleep(self.latency)
        pause = FIRST_PAUSE
        while True:
            self.deliveries += 1
            try:
                await self._handler(step)
            except claiming.StepBusy:
                await asyncio.sleep(pause)
                pause = min(pause * 2, LONGEST_PAUSE)
            else:
                return

    async def drained(self):
        while self._tasks:
            await asyncio.wait(self._tasks)

    async def close(self):
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)


@pytest.fixture(params=["sqlite", "firestore"])
def store(request, tmp_path):
    if request.param == "sqlite":
        return SqliteStore(tmp_path / "runs-3.sqlite3")
    emulator = request.getfixturevalue("firestore_emulator")
    return FirestoreStore(project=f"storm-{uuid4().hex[:12]}", emulator=emulator.address, patience=30.0)


async def stormed(tmp_path, store, bus):
    """Ask one question over the bus, and wait until no message is left; returns how many seconds it took."""
    calls: list[str] = []
    async with machine(tmp_path, trivial(bodies=counting(calls)), store=store, bus=bus, pace=FAST) as m:
        began = time.monotonic()
        async with asyncio.timeout(60):
            answer = await m.client.ask("?", OPTIONS.model_copy(update={"deadline_seconds": 60}))
            await bus.drained()
        assert answer.status is AnswerStatus.COMPLETE
        assert sorted(calls) == sorted(f"0.{name}" for name in PIPELINE[1:-1])
        await settled(m, answer.run_id)
        return time.monotonic() - began


async def test_messages_under_way_are_not_published_again(tmp_path, store):
    bus = SlowBus(latency=0.15)
    took = await stormed(tmp_path, store, bus)
    # On a machine that stands still a message may be late; it is then published once more for each two seconds.
    assert bus.published.total() <= len(PIPELINE) + took / claiming.RESENT.total_seconds()
    assert bus.deliveries <= 8 * COPIES * bus.published.total()


async def test_messages_later_than_they_are_waited_for_do_not_breed(tmp_path, store, monkeypatch):
    monkeypatch.setattr(claiming, "RESENT", timedelta(seconds=0.1))
    bus = SlowBus(latency=0.3)
    took = await stormed(tmp_path, store, bus)
    assert len(PIPELINE) < bus.published.total() <= len(PIPELINE) + took / 0.1
    assert bus.deliveries <= 8 * COPIES * bus.published.total()
