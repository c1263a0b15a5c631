"""What a question costs beside its stages: ``python -m tests.bench.bench_store [--json] [--runs N]``.

Ten stages that do nothing write 2 KB each, so all the time is the machine's own: bus, store, archive and code. The
floor beside it is the same bytes in ten bare commits of two rows, with one file archived. Medians, in milliseconds.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import sqlite3
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any

from tests.support.machine import OPTIONS, machine, trivial

SIZE = 2000


class Timed:
    """Passes every call on and adds up, by kind, the time until it returns."""

    def __init__(self, port: Any, kind: str, spent: dict[str, float]) -> None:
        self._port, self._kind, self._spent = port, kind, spent

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._port, name)
        if not callable(found):
            return found

        async def call(*args: Any, **named: Any) -> Any:
            began = time.perf_counter()
            try:
                return await found(*args, **named)
            finally:
                self._spent[self._kind] += time.perf_counter() - began
                self._spent[f"{self._kind} calls"] += 1

        return call


async def measure(folder: Path, runs: int) -> dict[str, float]:
    """Ask ``runs`` questions one after the other."""
    samples: defaultdict[str, list[float]] = defaultdict(list)
    spent: defaultdict[str, float] = defaultdict(float)
    async with machine(folder, trivial(size=SIZE), poll=0.25) as m:
        for part in (m.runner, m.client):
            part._store = Timed(m.store, "store", spent)
            part._archive = Timed(m.archive, "archive", spent)
        for n in range(runs + 20):
            spent.clear()
            began = time.perf_counter()
            await m.client.ask("What is India's GDP?", OPTIONS)
            spent["whole run"] = time.perf_counter() - began
            if n >= 20:  # the first ones warm up
                for kind, value in spent.items():
                    samples[kind].append(value if "calls" in kind else value * 1000)
    found = {kind: statistics.median(values) for kind, values in samples.items()}
    found["store and archive"] = statistics.median(
        a + b for a, b in zip(samples["store"], samples["archive"], strict=True)
    )
    found["whole run p95"] = statistics.quantiles(samples["whole run"], n=20)[-1]
    return found


async def at_once(folder: Path, runs: int, in_flight: int) -> float:
    """Runs per second with so many in flight."""
    async with machine(folder, trivial(size=SIZE), poll=0.25) as m:
        gate = asyncio.Semaphore(in_flight)

        async def one() -> None:
            async with gate:
                await m.client.ask("What is India's GDP?", OPTIONS)

        began = time.perf_counter()
        await asyncio.gather(*(one() for _ in range(runs)))
        return runs / (time.perf_counter() - began)


def floor(folder: Path, runs: int) -> float:
    """Ten bare commits of two rows and one archived file, in milliseconds."""
    db = sqlite3.connect(folder / "floor.sqlite3", isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("CREATE TABLE rows (run INTEGER, n INTEGER, body TEXT)")
    samples = []
    for run in range(runs):
        began = time.perf_counter()
        for n in range(10):
            db.execute("BEGIN IMMEDIATE")
            db.execute("INSERT INTO rows VALUES (?, ?, ?)", (run, n, "x" * SIZE))
            db.execute("INSERT INTO rows VALUES (?, ?, ?)", (run, n, "done"))
            db.execute("COMMIT")
        samples.append((time.perf_counter() - began) * 1000)
    db.close()
    return statistics.median(samples)


def unit(kind: str) -> str:
    """What a figure is counted in."""
    if kind.startswith("runs per second"):
        return "1/s"
    return "a run" if kind.endswith(" calls") else "ms"


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--runs", type=int, default=300)
    options = parser.parse_args()

    def fresh(work: Callable[[Path], Coroutine[Any, Any, Any]]) -> Any:
        with tempfile.TemporaryDirectory() as folder:
            return asyncio.run(work(Path(folder)))

    found: dict[str, float] = fresh(lambda folder: measure(folder, options.runs))
    for in_flight in (1, 8, 32):
        rate = fresh(lambda folder, n=in_flight: at_once(folder, options.runs, n))
        found[f"runs per second, {in_flight} in flight"] = rate
    with tempfile.TemporaryDirectory() as folder:
        found["floor: ten bare commits"] = floor(Path(folder), options.runs)
    if options.json:
        print(json.dumps({kind: round(value, 3) for kind, value in sorted(found.items())}))
    else:
        for kind, value in sorted(found.items()):
            print(f"{kind:32} {value:10.2f} {unit(kind)}".rstrip())


if __name__ == "__main__":
    main()
