"""The ports, going wrong: each wraps a real adapter and passes on what no fault strikes."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

from shared.runtime.errors import ArchiveError, StoreUnavailable
from shared.runtime.records import Claimed, ClaimOutcome, StepCommit, StepRef
from tests.faults.chances import Chances

KILLS = ("kill-before-claim", "kill-after-claim", "kill-before-commit", "kill-after-commit", "kill-after-publish")
"""A process dies: before and after it takes a step, before and after it commits, and with all but the
acknowledgement done."""
OTHERS = ("stall-past-lease", "store-fails", "commit-answer-lost", "archive-full", "late-message")
FAULTS = (*KILLS, *OTHERS)


@dataclass(frozen=True)
class Harm:
    """How a process dies, and how it stands still: as the process itself would."""

    die: Callable[[], None]
    freeze: Callable[[float], Awaitable[None]]


def place(step: StepRef) -> str:
    """A step among all steps."""
    return f"{step.run_id}/{step.id}"


class FaultyStore:
    """A run store whose caller dies or stands still around a claim and a commit, and that fails in passing."""

    def __init__(self, store: Any, chances: Chances, harm: Harm) -> None:
        self._store, self._chances, self._harm = store, chances, harm

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def claim(self, step: StepRef, *, owner: str, lease: timedelta) -> Claimed:
        self._kill("kill-before-claim", step)
        claimed: Claimed = await self._store.claim(step, owner=owner, lease=lease)
        if claimed.outcome is ClaimOutcome.CLAIMED:
            self._kill("kill-after-claim", step)
            if self._chances.strikes("stall-past-lease", place(step)):
                await self._harm.freeze(lease.total_seconds() * 1.5)
        return claimed

    async def commit(self, step: StepRef, *, token: str, result: StepCommit) -> None:
        self._kill("kill-before-commit", step)
        if self._chances.strikes("store-fails", place(step)):
            raise StoreUnavailable("the store answers RESOURCE_EXHAUSTED")
        await self._store.commit(step, token=token, result=result)
        if self._chances.strikes("commit-answer-lost", place(step)):
            # It was written, and whoever wrote it is told that it was not.
            raise StoreUnavailable("the store gave no answer")
        self._kill("kill-after-commit", step)

    def _kill(self, fault: str, step: StepRef) -> None:
        if self._chances.strikes(fault, place(step)):
            self._harm.die()


class FaultyBus:
    """A bus that carries every message twice, in any order, some of them late; some callers die having published.

    The second copy comes up to ``spread`` seconds later, the first of a late message up to ``late``.
    """

    def __init__(
        self, bus: Any, chances: Chances, harm: Harm, *, spread: float = 0.5, late: float = 1.0, copies: int = 2
    ) -> None:
        self._bus, self._chances, self._harm = bus, chances, harm
        self._spread, self._late, self._copies = spread, late, copies
        self._random = random.Random(chances.seed)
        self._later: set[asyncio.Task[None]] = set()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._bus, name)

    async def publish(self, step: StepRef) -> None:
        for _ in range(self._copies - 1):
            self._send_later(step, self._random.uniform(0, self._spread))
        if self._chances.strikes("late-message", place(step)):
            self._send_later(step, self._random.uniform(0, self._late))
        else:
            await self._bus.publish(step)
        if self._chances.strikes("kill-after-publish", place(step)):
            self._harm.die()

    async def close(self) -> None:
        for task in self._later:
            task.cancel()
        await asyncio.gather(*self._later, return_exceptions=True)
        await self._bus.close()

    def _send_later(self, step: StepRef, seconds: float) -> None:
        async def send() -> None:
            await asyncio.sleep(seconds)
            await self._bus.publish(step)

        task = asyncio.create_task(send())
        self._later.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._later.discard(task)
        if not task.cancelled():
            task.exception()  # a copy that was lost is one more fault


class FaultyArchive:
    """An archive whose disk is full now and then."""

    def __init__(self, archive: Any, chances: Chances) -> None:
        self._archive, self._chances = archive, chances

    def __getattr__(self, name: str) -> Any:
        return getattr(self._archive, name)

    async def put(self, name: str, data: bytes, *, content_type: str = "application/json") -> str:
        if self._chances.strikes("archive-full", name):
            raise ArchiveError("the disk of the archive is full")
        address: str = await self._archive.put(name, data, content_type=content_type)
        return address
