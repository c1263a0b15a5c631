"""An event loop that goes by the processor's clock, so that a run can be measured while others use the machine.

Its time is the processor's time of this process, and waiting for a timer passes at once. What is measured is how
long the run would take on one processor of its own, threads and all.
"""

from __future__ import annotations

import asyncio
import selectors
import time
from collections.abc import Callable
from concurrent.futures import Executor
from typing import Any

LOOK_SECONDS = 0.01


class ProcessorClock(asyncio.SelectorEventLoop):
    """The loop. ``working`` counts the calls that threads of its executors have not done yet."""

    def __init__(self) -> None:
        self.skipped, self.working = 0.0, 0
        super().__init__(_Skipping(self))

    def time(self) -> float:
        """Seconds of the processor, and what was waited for."""
        return time.process_time() + self.skipped

    def run_in_executor(  # type: ignore[override]
        self, executor: Executor | None, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """See the base."""
        future = super().run_in_executor(executor, func, *args)
        self.working += 1
        future.add_done_callback(self._done)
        return future

    def _done(self, _: asyncio.Future[Any]) -> None:
        self.working -= 1


class _Skipping(selectors.DefaultSelector):  # type: ignore[misc, valid-type]
    def __init__(self, loop: ProcessorClock) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[Any]:
        """What is ready; where nothing is and no thread works, the time until the next timer is skipped."""
        ready: list[Any] = super().select(0)
        if ready or (timeout is not None and timeout <= 0):
            return ready
        if timeout is None:
            return super().select(None)
        until = self._loop.time() + timeout
        while not ready and (left := until - self._loop.time()) > 0:
            if not self._loop.working:
                self._loop.skipped += left
                break
            ready = super().select(LOOK_SECONDS)
        return ready
