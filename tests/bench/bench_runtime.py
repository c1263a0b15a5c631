"""What a run costs beside its stages: ``python -m tests.bench.bench_runtime [--alone] [--json] [--rounds N]``.

Ten stages that do nothing write 2 KB each, so all the time is the machine's own: bus, store, archive and code. In
turn with it, in one process, go the systems of ``tests.bench.rivals`` on the same ten steps (not with ``--alone``),
and two floors: the calls of our ports with everything made beforehand, and ten bare commits of two rows.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from collections import Counter, defaultdict
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from shared.adapters.inline_bus import InlineBus
from shared.runtime.records import StepRef
from tests.bench import floors, rivals
from tests.support.machine import OPTIONS, QUICK, Machine, machine, trivial

PART = 10
"""Runs of one system before the next one's turn."""

Run = tuple[float, float]
"""Milliseconds by the clock, and of the processor's time in all threads, which holds beside other work too."""


class Spent:
    """Milliseconds and calls of one run, by part."""

    def __init__(self) -> None:
        self.times: defaultdict[str, float] = defaultdict(float)
        self.calls: Counter[str] = Counter()
        self.begun: list[float] = []

    def timed(self, port: Any, part: str) -> Any:
        """The port, with the time until each of its calls returns added up."""
        return _Timed(port, part, self)


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


class TimedBus(InlineBus):
    """Adds up the time from each publishing until its message is handed over."""

    def __init__(self, spent: Spent) -> None:
        super().__init__(redelivery=QUICK)
        self._spent, self._published = spent, {}

    async def publish(self, step: StepRef) -> None:
        self._published[step.run_id, step.id] = time.perf_counter()
        self._spent.calls["bus.publish"] += 1
        await super().publish(step)

    def handed_over(self, step: StepRef) -> None:
        now = time.perf_counter()
        self._spent.begun.append(now)
        self._spent.times["bus"] += (now - self._published.pop((step.run_id, step.id))) * 1000


def split(m: Machine, spent: Spent) -> None:
    """Measure each part of this machine's runs apart."""
    for part in (m.runner, m.client):
        part._store = spent.timed(m.store, "store")
        part._archive = spent.timed(m.archive, "archive")
    m.runner._ahead = m.runner._store
    handle = m.runner.handle

    async def handed_over(step: StepRef) -> None:
        m.bus.handed_over(step)
        await handle(step)

    m.runner.handle = handed_over


async def ask(m: Machine) -> None:
    answer = await m.client.ask("What is India's GDP?", OPTIONS)
    assert answer.status == "complete"


async def parts(folder: Path, rounds: int) -> dict[str, Any]:
    """The embedded machine alone, taken apart. Medians; times in milliseconds."""
    spent, samples, hops = Spent(), defaultdict(list), []
    async with machine(folder, trivial(size=rivals.SIZE), poll=0.25, ahead=True, bus=TimedBus(spent)) as m:
        split(m, spent)
        for n in range((rounds + 1) * PART):
            spent.times.clear()
            spent.calls.clear()
            spent.begun.clear()
            began = time.perf_counter()
            await ask(m)
            whole = (time.perf_counter() - began) * 1000
            if n >= PART:  # the first ones warm up
                for part in ("bus", "store", "archive"):
                    samples[part].append(spent.times[part])
                samples["code"].append(whole - sum(spent.times.values()))
                hops += [(b - a) * 1000 for a, b in zip(spent.begun, spent.begun[1:], strict=False)]
    found = {f"a run: {part}": statistics.median(values) for part, values in samples.items()}
    return {
        "one stage hop": statistics.median(hops),
        **found,
        "calls a run": dict(sorted(spent.calls.items())),
    }


async def at_once(folder: Path, runs: int, in_flight: int) -> float:
    """Runs per second with so many in flight."""
    async with machine(folder, trivial(size=rivals.SIZE), poll=0.25, ahead=True) as m:
        gate = asyncio.Semaphore(in_flight)

        async def one() -> None:
            async with gate:
                await ask(m)

        began = time.perf_counter()
        await asyncio.gather(*(one() for _ in range(runs)))
        return runs / (time.perf_counter() - began)


async def in_turn(folder: Path, rounds: int, *, alone: bool) -> dict[str, list[Run]]:
    """Each run of each system, all in this process and in turn."""
    async with AsyncExitStack() as stack:
        m = await stack.enter_async_context(machine(folder, trivial(size=rivals.SIZE), poll=0.25, ahead=True))
        ways: dict[str, rivals.Run] = {
            "neuralkg, synchronous=NORMAL": lambda: ask(m),
            "floor: our ports alone": await stack.enter_async_context(floors.ports(folder)),
            "floor: ten bare commits": await stack.enter_async_context(floors.commits(folder)),
        }
        for name, rival, synchronous in () if alone else rivals.RIVALS:
            place = folder / f"{len(ways)}"
            place.mkdir()
            ways[f"{name}, synchronous={synchronous}"] = await stack.enter_async_context(rival(place, synchronous))
        times: dict[str, list[Run]] = {name: [] for name in ways}
        for turn in range(rounds + 1):
            for name, way in ways.items():
                for _ in range(PART):
                    began, busy = time.perf_counter(), time.process_time()
                    await way()
                    if turn:
                        took = (time.perf_counter() - began) * 1000
                        times[name].append((took, (time.process_time() - busy) * 1000))
        return times


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--alone", action="store_true", help="without the systems beside it")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        times = asyncio.run(in_turn(Path(folder), options.rounds, alone=options.alone))
    medians = {
        name: (statistics.median(took for took, _ in runs), statistics.median(busy for _, busy in runs))
        for name, runs in times.items()
    }
    with tempfile.TemporaryDirectory() as folder:
        embedded = asyncio.run(parts(Path(folder), options.rounds))
    rates = {}
    for in_flight in (1, 8, 32):
        with tempfile.TemporaryDirectory() as folder:
            rates[in_flight] = asyncio.run(at_once(Path(folder), options.rounds * PART, in_flight))
    if options.json:
        print(
            json.dumps(
                {
                    "a run, ms by the clock and of the processor": medians,
                    "embedded": embedded,
                    "runs a second": rates,
                },
                indent=2,
            )
        )
        return
    ours, ours_busy = next(iter(medians.values()))
    print(f"{'one run of ten steps of 2 KB, in turn':48}  by the clock    p95  to ours   processor  to ours")
    for name, runs in times.items():
        took, busy = medians[name]
        p95 = statistics.quantiles([took for took, _ in runs], n=20)[-1]
        print(f"  {name:46} {took:10.2f} ms {p95:6.1f} {took / ours:8.2f} {busy:8.2f} ms {busy / ours_busy:8.2f}")
    print("embedded, taken apart (medians; measuring adds a little):")
    calls = embedded.pop("calls a run")
    for part, value in embedded.items():
        print(f"  {part:40} {value:7.3f} ms")
    print(f"  calls a run: {', '.join(f'{name} {count}' for name, count in calls.items())}")
    for in_flight, rate in rates.items():
        print(f"  runs a second, {in_flight:2} in flight {rate:19.0f}")


if __name__ == "__main__":
    main()
