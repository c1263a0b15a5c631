"""Runs questions for HTTP: a bounded number at a time, and none for a client that has left."""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Literal

from shared.query.annotated import ProgressEvent
from shared.runtime.client import LATE
from shared.runtime.context import utc_now
from shared.runtime.errors import NeuralKGError, StoreUnavailable

if TYPE_CHECKING:
    from functions.ask.application import Application
    from shared.query.annotated import AskOptions
    from shared.query.identifiers import RunId


log = logging.getLogger(__name__)

UNWATCHED_SECONDS = 5.0
"""How long a streamed run may wait for its first watcher; its client may leave before the stream begins."""
AGAIN_SECONDS = 1.0
_SAID: Mapping[Literal["watched", "left"], str] = {
    "watched": "a client came back to the run at another instance",
    "left": "that client left",
}


class Busy(NeuralKGError):  # noqa: N818 - the name says what is wrong
    """Every slot is taken, and stayed so for as long as a question may wait for one."""


class Worker:
    """Owns the slots. A slot is held by the run's own task until the run has ended, whoever watches it.

    A client that leaves a stream may come back within ``grace`` seconds; then the run is cancelled. Where the runs
    are worked on ``elsewhere``, they go on when this process ends, and their clients may come back to another
    instance. That one notes among the run's events that it is watched, and later that its client has left; the
    instance which was asked holds the slot, reads this, and cancels when nobody is left anywhere.
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

    async def start(
        self, question: str, options: AskOptions, *, streamed: bool = False, waited_for: bool = True
    ) -> RunId:
        """Start a run once a slot is free; raises ``Busy`` when none is in time.

        A ``streamed`` run lives only as long as somebody watches it. One that is not ``waited_for`` here
        takes no slot where it is worked on elsewhere: it costs this process nothing.
        """
        if self._elsewhere and not waited_for:
            return (await self.app.submit(question, options)).run_id
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
            self._left(run_id, max(self._grace, UNWATCHED_SECONDS))
        self._spawn(self._hold(run_id, options.deadline_seconds + LATE), f"slot of {run_id}")
        return run_id

    @asynccontextmanager
    async def watching(self, run_id: RunId, *, resumed: bool = False) -> AsyncIterator[None]:
        """Count as somebody who watches the run; ``resumed`` where it may be that of another instance."""
        leaving = self._leaving.pop(run_id, None)
        if leaving is not None:
            leaving.cancel()
        self._watchers[run_id] += 1
        foreign = resumed and self._elsewhere and run_id not in self._streamed
        try:
            if foreign:
                await self._note(run_id, "watched")
            yield
        finally:
            self._watchers[run_id] -= 1
            if self._watchers[run_id] <= 0:
                del self._watchers[run_id]
                self._left(run_id, self._grace)
            if foreign:
                self._spawn(self._note(run_id, "left"), f"note of {run_id}")

    async def close(self) -> None:
        """Cancel what still runs here and wait for it to have stopped."""
        if not self._elsewhere:
            for run_id in list(self._streamed):
                await self.app.cancel(run_id)
        for task in list(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _hold(self, run_id: RunId, seconds: float) -> None:
        """Hold the slot until the run has ended, at most ``seconds``: a store that is away ends no run."""
        after = 0
        try:
            async with asyncio.timeout(seconds):
                while True:
                    try:
                        async for n, event in self.app.watch(run_id, after=after):
                            after = n
                            if event.kind == "left" and not self._watchers[run_id]:
                                self._left(run_id, self._grace)
                    except StoreUnavailable as error:
                        log.warning("run %s cannot be followed for now: %s", run_id, error)
                        await asyncio.sleep(AGAIN_SECONDS)
                    else:
                        return
        except (NeuralKGError, TimeoutError) as error:
            log.warning("run %s is not waited for any longer: %s", run_id, type(error).__name__)
        finally:
            self._streamed.discard(run_id)
            self._release()

    def _left(self, run_id: RunId, seconds: float) -> None:
        """Nobody watches the run here: cancel it in so many seconds, if it lives only as long as it is watched."""
        if run_id in self._streamed and run_id not in self._leaving:
            self._leaving[run_id] = self._spawn(self._leave(run_id, seconds), f"end of {run_id}")

    async def _leave(self, run_id: RunId, seconds: float) -> None:
        await asyncio.sleep(seconds)
        try:
            if not await self._watched_elsewhere(run_id):
                await self.app.cancel(run_id)
        except NeuralKGError as error:
            log.warning("run %s, whose client has left, could not be cancelled: %s", run_id, error)
        finally:
            if self._leaving.get(run_id) is asyncio.current_task():
                del self._leaving[run_id]

    async def _watched_elsewhere(self, run_id: RunId) -> bool:
        """Whether a client has come back to another instance, and has not left it."""
        if not self._elsewhere:
            return False
        kinds = Counter(event.kind for _, event in await self.app.store.events(run_id))
        return kinds["watched"] > kinds["left"]

    async def _note(self, run_id: RunId, kind: Literal["watched", "left"]) -> None:
        try:
            await self.app.store.add_event(
                run_id, ProgressEvent(stage="ask", text=_SAID[kind], at=utc_now(), kind=kind)
            )
        except NeuralKGError as error:
            log.warning("it could not be noted that run %s is %s: %s", run_id, kind, error)

    def _release(self) -> None:
        self._taken -= 1
        self._slots.release()

    def _spawn(self, work: object, name: str) -> asyncio.Task[None]:
        task: asyncio.Task[None] = asyncio.create_task(work, name=name)  # type: ignore[arg-type]
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task
