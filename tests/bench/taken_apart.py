"""Takes a run apart: how long each port was waited for, and how often it was called."""

from __future__ import annotations

import asyncio
import statistics
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable
from typing import Any

from shared.runtime.records import StepRef

PARTS = ("bus", "store", "archive")


class Spent:
    """Milliseconds and calls of one run, by part."""

    def __init__(self) -> None:
        self.times: defaultdict[str, float] = defaultdict(float)
        self.calls: Counter[str] = Counter()
        self.begun: list[float] = []
        self._published: dict[tuple[str, str], float] = {}

    def clear(self) -> None:
        """Begin with another run."""
        self.times.clear()
        self.calls.clear()
        self.begun.clear()

    def timed(self, port: Any, part: str) -> Any:
        """The port, with the time until each of its calls returns added up."""
        return _Timed(port, part, self)

    def timed_bus(self, bus: Any) -> Any:
        """The bus, with the time from each publishing until its message is handed over added up."""
        return _TimedBus(bus, self)

    def published(self, step: StepRef) -> None:
        """A message goes out."""
        self._published[step.run_id, step.id] = time.perf_counter()
        self.calls["bus.publish"] += 1

    def handed_over(self, step: StepRef) -> None:
        """A message has come; one that comes again was counted before."""
        now = time.perf_counter()
        began = self._published.pop((step.run_id, step.id), None)
        if began is not None:
            self.begun.append(now)
            self.times["bus"] += (now - began) * 1000


class _Timed:
    def __init__(self, port: Any, part: str, spent: Spent) -> None:
        self._port, self._part, self._spent = port, part, spent

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._port, name)

        async def call(*args: Any, **named: Any) -> Any:
            began = time.perf_counter()
            try:
                return await found(*args, **named)
            finally:
                self._spent.times[self._part] += (time.perf_counter() - began) * 1000
                self._spent.calls[f"{self._part}.{name}"] += 1

        return call


class _TimedBus:
    def __init__(self, bus: Any, spent: Spent) -> None:
        self._bus, self._spent = bus, spent

    def __getattr__(self, name: str) -> Any:
        return getattr(self._bus, name)

    async def publish(self, step: StepRef) -> None:
        self._spent.published(step)
        await self._bus.publish(step)

    async def subscribe(self, handler: Callable[[StepRef], Awaitable[None]]) -> None:
        async def handed_over(step: StepRef) -> None:
            self._spent.handed_over(step)
            await handler(step)

        await self._bus.subscribe(handed_over)


async def taken_apart(run: Callable[[], Awaitable[None]], spent: Spent, *, warm: int, runs: int) -> dict[str, Any]:
    """Medians of so many runs after some that warm up, in milliseconds; and the calls of the last."""
    samples, hops = defaultdict(list), []
    for n in range(warm + runs):
        spent.clear()
        began = time.perf_counter()
        await run()
        whole = (time.perf_counter() - began) * 1000
        if n >= warm:
            samples["whole"].append(whole)
            for part in PARTS:
                samples[part].append(spent.times[part])
            samples["code"].append(whole - sum(spent.times[part] for part in PARTS))
            hops += [(b - a) * 1000 for a, b in zip(spent.begun, spent.begun[1:], strict=False)]
    found = {f"a run: {part}": statistics.median(values) for part, values in samples.items()}
    return {"one stage hop": statistics.median(hops), **found, "calls a run": dict(sorted(spent.calls.items()))}


async def rate(run: Callable[[], Awaitable[None]], runs: int, in_flight: int) -> float:
    """Runs per second with so many in flight."""
    gate = asyncio.Semaphore(in_flight)

    async def one() -> None:
        async with gate:
            await run()

    began = time.perf_counter()
    await asyncio.gather(*(one() for _ in range(runs)))
    return runs / (time.perf_counter() - began)
