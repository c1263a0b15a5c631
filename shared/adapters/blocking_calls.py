"""Calls of a store's blocking client, made from the event loop: bounded in number and in time, tried again."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

import stamina

from shared.adapters.object_troubles import Trouble
from shared.runtime.errors import ArchiveError

SECONDS = 30.0
"""All tries of one call together."""
TRY_SECONDS = 10.0
"""How long one try waits for the store to say or take anything."""
AT_ONCE = 8
FIRST_WAIT, LONGEST_WAIT = 0.1, 4.0
BYTES_PER_SECOND = 1_000_000
"""A slower line than this is not waited for."""

T = TypeVar("T")


class _TryAgain(Exception):  # noqa: N818 - it never leaves this module
    def __init__(self, trouble: Trouble) -> None:
        self.trouble = trouble
        super().__init__(trouble.reason)


@dataclass(slots=True)
class _Call:
    """One call under way: what it is called, when its time is up, and why its last try failed."""

    what: str
    until: float
    given_up: threading.Event = field(default_factory=threading.Event)
    last: Trouble | None = None


class BlockingCalls:
    """Threads for one client. A call that nobody waits for any more ends with its try and is not repeated."""

    def __init__(
        self,
        name: str,
        trouble_of: Callable[[Exception], Trouble | None],
        *,
        seconds: float = SECONDS,
        at_once: int = AT_ONCE,
    ) -> None:
        """``trouble_of`` tells what a client's exception means, ``None`` for one that is a fault of the program."""
        self._trouble_of, self._seconds = trouble_of, seconds
        self._threads = ThreadPoolExecutor(at_once, thread_name_prefix=name)

    async def run(self, what: str, call: Callable[[float], T], *, size: int = 0) -> T:
        """Make a call that moves ``size`` bytes; ``call`` takes the seconds that its try may wait.

        Raises ``ArchiveError`` beginning with ``what``, as in "gs://b/x cannot be read".
        """
        seconds = self._seconds + size / BYTES_PER_SECOND
        made = _Call(what, time.monotonic() + seconds)
        try:
            async with asyncio.timeout(seconds):
                return await asyncio.get_running_loop().run_in_executor(self._threads, self._tried, made, call)
        except TimeoutError as error:
            if made.last is not None:
                raise made.last.told(f"{what} within {seconds:g} s") from error
            raise ArchiveError(
                f"{what}: the store did not answer within {seconds:g} s; check the network and try again later"
            ) from error
        finally:
            made.given_up.set()

    def close(self) -> None:
        """Let go of the threads; calls under way end by themselves."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def _tried(self, made: _Call, call: Callable[[float], T]) -> T:
        def again(error: Exception) -> bool:
            return isinstance(error, _TryAgain) and not made.given_up.is_set()

        left = max(0.0, made.until - time.monotonic())
        try:
            for attempt in stamina.retry_context(
                on=again,
                attempts=None,
                timeout=left,
                wait_initial=FIRST_WAIT,
                wait_max=LONGEST_WAIT,
                wait_jitter=FIRST_WAIT,
            ):
                with attempt:
                    return self._once(made, call)
        except _TryAgain as last:
            raise last.trouble.told(made.what) from last.__cause__
        raise AssertionError("a call ends with a value or an error")

    def _once(self, made: _Call, call: Callable[[float], T]) -> T:
        try:
            return call(max(0.05, min(TRY_SECONDS, made.until - time.monotonic())))
        except ArchiveError:
            raise
        except Exception as error:
            trouble = self._trouble_of(error)
            if trouble is None:
                raise
            if trouble.again:
                made.last = trouble
                raise _TryAgain(trouble) from error
            raise trouble.told(made.what) from error
