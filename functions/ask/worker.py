"""Runs questions for HTTP: a bounded number at a time, and none for a client that has left."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from shared.runtime.errors import NeuralKGError

if TYPE_CHECKING:
    from functions.ask.application import Application
    from shared.query.annotated import AskOptions
    from shared.query.identifiers import RunId


class Busy(NeuralKGError):  # noqa: N818 - the name says what is wrong
    """Every slot is taken, and stayed so for as long as a question may wait for one."""


class Worker:
    """Owns the slots. A slot is held by the run's own task until the run has ended, whoever watches it.

    A client that leaves a stream may come back within ``grace`` seconds; then the run is cancelled. Where the runs
    are worked on ``elsewhere``, they go on when this process ends, and their clients come back to another.
    """

    def __init__(
        self,
        app: Application,
        *,
        concurrency: int,
        patience: float = 2.0,
        grace: float = 2.0,
        elsewhere: bool = False,
    ) -> None:
        self.app = app
        self.concurrency = concurrency
        self._patience, self._grace, self._elsewhere = patience, grace, elsewhere
        self._slots = asyncio.Semaphore(concurrency)
        self._taken = 0
        self._tasks: set[asyncio.Task[None]] = set()
        self._watchers: Counter[RunId] = Counter()
        self._leaving: dict[RunId, asyncio.Task[None]] = {}
        self._streamed: set[RunId] = set()

    @property
    def free(self) -> int:
        """Slots that no run holds."""
        return self.concurrency - self._taken

    async def start(self, question: str, options: AskOptions, *, streamed: bool = False) -> RunId:
        """Start a run once a slot is free; raises ``Busy`` when none is in time.

        A ``streamed`` run lives only as long as somebody watches it.
        """
        try:
            await asyncio.wait_for(self._slots.acquire(), self._patience)
        except TimeoutError:
            raise Busy(f"all {self.concurrency} slots are taken") from None
        self._taken += 1
        try:
            run_id = (await self.app.submit(question, options)).run_id
        except BaseException:
            self._release()
            raise
        if streamed:
            self._streamed.add(run_id)
        self._spawn(self._hold(run_id), f"slot of {run_id}")
        return run_id

    @asynccontextmanager
    async def watching(self, run_id: RunId) -> AsyncIterator[None]:
        """Count as somebody who watches the run."""
        leaving = self._leaving.pop(run_id, None)
        if leaving is not None:
            leaving.cancel()
        self._watchers[run_id] += 1
        try:
            yield
        finally:
            self._watchers[run_id] -= 1
            if self._watchers[run_id] <= 0:
                del self._watchers[run_id]
                if run_id in self._streamed:
                    self._leaving[run_id] = self._spawn(self._leave(run_id), f"end of {run_id}")

    async def close(self) -> None:
        """Cancel what still runs here and wait for it to have stopped."""
        if not self._elsewhere:
            for run_id in list(self._streamed):
                await self.app.cancel(run_id)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _hold(self, run_id: RunId) -> None:
        try:
            async for _ in self.app.watch(run_id):
                pass
        finally:
            self._streamed.discard(run_id)
            self._release()

    async def _leave(self, run_id: RunId) -> None:
        await asyncio.sleep(self._grace)
        self._leaving.pop(run_id, None)
        await self.app.cancel(run_id)

    def _release(self) -> None:
        self._taken -= 1
        self._slots.release()

    def _spawn(self, work: object, name: str) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.create_task(work, name=name)  # type: ignore[arg-type]
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
