"""The bus within one process: a queue of messages and a few workers that hand them to the handler.

It promises what Pub/Sub promises: at least once, in no order, again after a pause when the handler raises, and to
the dead letters when it has raised too often. What dies with the process is found again by ``sweep``.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Coroutine
from dataclasses import dataclass
from typing import Any

from shared.runtime.errors import BusClosed, NeuralKGError
from shared.runtime.ports import Handler
from shared.runtime.records import StepRef

log = logging.getLogger(__name__)

KEPT_LETTERS = 100
"""The newest dead letters, kept to be looked at."""


@dataclass(frozen=True, slots=True)
class Redelivery:
    """When a message comes again. Pauses double from ``first`` to at most ``longest`` seconds."""

    attempts: int = 6
    first: float = 0.05
    longest: float = 5.0

    def pause(self, attempt: int) -> float:
        """Seconds to wait after the failed attempt number ``attempt``, counted from 1."""
        return float(min(self.first * 2 ** (attempt - 1), self.longest))


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A message that was given up, and the last reason in words."""

    step: StepRef
    attempts: int
    reason: str


class InlineBus:
    """A ``Bus``. ``concurrency`` is how many messages are handled at one time."""

    def __init__(self, *, concurrency: int = 8, redelivery: Redelivery | None = None) -> None:
        self._concurrency = concurrency
        self._redelivery = redelivery or Redelivery()
        self._queue: asyncio.Queue[tuple[StepRef, int]] = asyncio.Queue()
        self._handler: Handler | None = None
        self._on_dead_letter: Handler | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False
        self.dead_letters: deque[DeadLetter] = deque(maxlen=KEPT_LETTERS)

    async def publish(self, step: StepRef) -> None:
        """See ``Bus.publish``. A message published before anyone subscribed waits."""
        if self._closed:
            raise BusClosed("the bus is closed")
        self._queue.put_nowait((step, 1))

    async def subscribe(self, handler: Handler) -> None:
        """See ``Bus.subscribe``."""
        if self._closed:
            raise BusClosed("the bus is closed")
        first, self._handler = self._handler is None, handler
        for number in range(self._concurrency if first else 0):
            self._start(self._deliver(), name=f"bus-{number}")

    async def on_dead_letter(self, handler: Handler) -> None:
        """Register what is called, once, with each message that is given up."""
        self._on_dead_letter = handler

    async def drained(self) -> None:
        """Return when no message is queued, handled or waiting to come again."""
        await self._queue.join()

    async def close(self) -> None:
        """See ``Bus.close``. Handlers at work are cancelled, and awaited while they put things in order."""
        self._closed = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _deliver(self) -> None:
        while True:
            step, attempt = await self._queue.get()
            await self._hand_over(step, attempt)

    async def _hand_over(self, step: StepRef, attempt: int) -> None:
        assert self._handler is not None  # noqa: S101 - workers start in subscribe
        try:
            await self._handler(step)
        except Exception as error:  # noqa: BLE001 - whatever a handler raises means "not done"
            reason = str(error) if isinstance(error, NeuralKGError) else type(error).__name__
            if attempt < self._redelivery.attempts:
                log.info("step %s of %s comes again: %s", step.id, step.run_id, reason)
                self._start(self._again(step, attempt), name="bus-again")
                return
            log.warning("step %s of %s was given up: %s", step.id, step.run_id, reason)
            await self._give_up(DeadLetter(step, attempt, reason))
        self._queue.task_done()

    async def _again(self, step: StepRef, attempt: int) -> None:
        await asyncio.sleep(self._redelivery.pause(attempt))
        self._queue.put_nowait((step, attempt + 1))
        self._queue.task_done()

    async def _give_up(self, letter: DeadLetter) -> None:
        self.dead_letters.append(letter)
        if self._on_dead_letter is None:
            return
        try:
            await self._on_dead_letter(letter.step)
        except Exception:
            log.exception("the dead letter %s of %s could not be settled", letter.step.id, letter.step.run_id)

    def _start(self, work: Coroutine[Any, Any, None], *, name: str) -> None:
        task = asyncio.create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
