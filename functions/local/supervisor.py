"""Starts many processes a few at a time, starts again those that die, and stops them all."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from functions.local.processes import STOP_SECONDS, Process, ProcessFailed, stop_all

LOOK_SECONDS = 0.1
"""How often it is looked whether a process lives, and at its start, whether it answers."""
SETTLED_SECONDS = 10.0
"""A process that lived for so long is started again at once; one that died sooner, after a pause."""
FIRST_PAUSE, LONGEST_PAUSE = 0.2, 5.0
PATIENCE = 6
"""How often in a row a process may die soon after its start."""

Afterwards = Callable[[], Awaitable[None]]


@dataclass(slots=True)
class _Kept:
    process: Process
    seconds: float
    afterwards: Afterwards | None
    lost: str
    started: float = 0.0
    deaths: int = 0


class Supervisor:
    """Keeps processes running. ``at_once`` start at the same time; ``tell`` hears of deaths and restarts."""

    def __init__(self, *, at_once: int, tell: Callable[[str], None]) -> None:
        self._turn = asyncio.Semaphore(at_once)
        self._tell = tell
        self._kept: dict[str, _Kept] = {}
        self.restarts = 0

    @property
    def processes(self) -> dict[str, Process]:
        """Every process by its name, in the order of their start."""
        return {name: kept.process for name, kept in self._kept.items()}

    async def start(
        self, process: Process, *, seconds: float, afterwards: Afterwards | None = None, lost: str = ""
    ) -> float:
        """Start a process when it is its turn; returns the seconds until it answered.

        Each time that it has been started again, ``afterwards`` is awaited; ``lost`` says what its death takes with
        it and what to do, which is told each time. Raises ``ProcessFailed`` when it dies or does not answer within
        ``seconds``.
        """
        kept = self._kept[process.name] = _Kept(process, seconds, afterwards, lost)
        async with self._turn:
            began = time.monotonic()
            await self._begin(kept)
            return time.monotonic() - began

    async def watch(self) -> None:
        """Start again whatever dies. Raises ``ProcessFailed`` for one that keeps dying."""
        try:
            async with asyncio.TaskGroup() as group:
                for kept in self._kept.values():
                    group.create_task(self._keep(kept), name=f"keep {kept.process.name}")
        except ExceptionGroup as failed:
            # One death may bring down others; the first is told.
            raise failed.exceptions[0] from None

    def stop(self, names: Callable[[str], bool] = lambda _: True, seconds: float = STOP_SECONDS) -> None:
        """Stop the processes whose name is meant, all at once, and keep them no longer."""
        chosen = [name for name in self._kept if names(name)]
        stop_all([self._kept.pop(name).process for name in chosen], seconds)

    async def _begin(self, kept: _Kept) -> None:
        kept.started = time.monotonic()
        kept.process.start()
        until = kept.started + kept.seconds
        # Whether it answers is asked in a thread: the asking may take seconds.
        while not await asyncio.to_thread(kept.process.ready):
            if time.monotonic() >= until:
                told = kept.process.last_words()
                raise ProcessFailed(f"{kept.process.name} did not answer within {kept.seconds:g} s: {told}")
            await asyncio.sleep(LOOK_SECONDS)

    async def _keep(self, kept: _Kept) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            if not kept.process.running:
                await self._revive(kept)

    async def _revive(self, kept: _Kept) -> None:
        process, told = kept.process, f"{kept.process.name} {kept.process.ending}"
        lived = time.monotonic() - kept.started
        kept.deaths = 1 if lived >= SETTLED_SECONDS else kept.deaths + 1
        if kept.deaths > PATIENCE:
            raise ProcessFailed(f"{told}, {kept.deaths} times soon after its start: {process.last_words()}")
        self._tell(f"{told}; it is started again" + (f". {kept.lost}" if kept.lost else ""))
        if kept.deaths > 1:
            await asyncio.sleep(min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (kept.deaths - 2)))
        try:
            await self._begin(kept)
        except ProcessFailed:
            if process.running:
                raise
            return  # It died again, which is looked into like any death.
        self.restarts += 1
        if kept.afterwards is not None:
            await kept.afterwards()
