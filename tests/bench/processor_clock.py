"""An event loop that goes by the processor's clock, so that a run can be measured while others use the machine.

Its time is the processor's time of this process, and waiting for a timer passes at once. What is measured is how
long the run would take on one processor of its own, threads and all.
"""

from __future__ import annotations

import asyncio
import selectors
import time
from typing import Any

LOOK_SECONDS = 0.1
"""How long threads are looked at, by the clock on the wall, before they count as idle."""


class ProcessorClock(asyncio.SelectorEventLoop):
    """The loop."""

    def __init__(self) -> None:
        self.skipped = 0.0
        super().__init__(_Skipping(self))

    def time(self) -> float:
        """Seconds of the processor, and what was waited for."""
        return time.process_time() + self.skipped


class _Skipping(selectors.DefaultSelector):  # type: ignore[misc, valid-type]
    def __init__(self, loop: ProcessorClock) -> None:
        super().__init__()
        self._loop = loop

    def select(self, timeout: float | None = None) -> list[Any]:
        """What is ready; where nothing is and no thread works, the time until the next timer is skipped."""
        ready: list[Any] = super().select(0)
        if ready or timeout is None or timeout <= 0:
            return ready if ready or timeout is not None else super().select(None)
        until = self._loop.time() + timeout
        while not ready and (left := until - self._loop.time()) > 0:
            worked = time.process_time()
            ready = super().select(LOOK_SECONDS)
            # Looking itself takes a few microseconds.
            if not ready and time.process_time() - worked < 0.001:
                self._loop.skipped += left
        return ready
