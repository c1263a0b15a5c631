"""What a run costs beside its stages: ``python -m tests.bench.bench_runtime [--alone] [--json] [--rounds N]``.

Ten stages that do nothing write 2 KB each, so all the time is the machine's own: bus, store, archive and code. In
turn with it, in one process, go the systems of ``tests.bench.rivals`` on the same ten steps, and two floors: the
calls of our ports with everything made beforehand, and ten bare commits of two rows. Then the run goes over the
emulators of Firestore and Pub/Sub. ``--alone`` leaves out the other systems and the emulators, ``--emulators``
everything but these.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import statistics
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from shared.adapters.folder_archive import FolderArchive
from shared.adapters.inline_bus import InlineBus
from shared.adapters.sqlite_store import SqliteStore
from tests.bench import floors, rivals
from tests.bench.taken_apart import Spent, rate, taken_apart
from tests.support.machine import OPTIONS, QUICK, Machine, machine, trivial

PART = 10
"""Runs of one system before the next one's turn."""

Run = tuple[float, float]
"""Milliseconds by the clock, and of the processor's time in all threads, which holds beside other work too."""


async def ask(m: Machine) -> None:
    answer = await m.client.ask("What is India's GDP?", OPTIONS)
    assert answer.status == "complete"


async def parts(folder: Path, rounds: int) -> dict[str, Any]:
    """The embedded machine alone, taken apart."""
    spent = Spent()
    async with machine(
        folder,
        trivial(size=rivals.SIZE),
        poll=0.25,
        ahead=True,
        store=spent.timed(SqliteStore(folder / "runs.sqlite3"), "store"),
        archive=spent.timed(FolderArchive(folder / "archive"), "archive"),
        bus=spent.timed_bus(InlineBus(redelivery=QUICK)),
    ) as m:
        return await taken_apart(lambda: ask(m), spent, warm=PART, runs=rounds * PART)


async def at_once(folder: Path, runs: int, in_flight: int) -> float:
    """Runs per second with so many in flight."""
    async with machine(folder, trivial(size=rivals.SIZE), poll=0.25, ahead=True) as m:
        return await rate(lambda: ask(m), runs, in_flight)


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


def embedded(rounds: int, *, alone: bool) -> dict[str, Any]:
    """Everything that is measured in this process."""
    with tempfile.TemporaryDirectory() as folder:
        times = asyncio.run(in_turn(Path(folder), rounds, alone=alone))
    with tempfile.TemporaryDirectory() as folder:
        apart = asyncio.run(parts(Path(folder), rounds))
    rates = {}
    for in_flight in (1, 8, 32):
        with tempfile.TemporaryDirectory() as folder:
            rates[in_flight] = asyncio.run(at_once(Path(folder), rounds * PART, in_flight))
    return {
        "in turn": {
            name: {
                "clock_ms": statistics.median(took for took, _ in runs),
                "clock_p95_ms": statistics.quantiles([took for took, _ in runs], n=20)[-1],
                "processor_ms": statistics.median(busy for _, busy in runs),
            }
            for name, runs in times.items()
        },
        "taken apart": apart | {"runs a second": rates},
    }


def emulated() -> dict[str, Any]:
    """What is measured over the emulators."""
    from tests.bench.emulated import measured

    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(measured(Path(folder)))


def shown(value: Any) -> str:
    """Counts and rates on one line."""
    if not isinstance(value, dict):
        return str(value)
    return ", ".join(f"{key} {one:.3g}" if isinstance(one, float) else f"{key} {one}" for key, one in value.items())


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--alone", action="store_true", help="without the systems beside it and the emulators")
    parser.add_argument("--emulators", action="store_true", help="only over the emulators")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--rounds", type=int, default=20)
    options = parser.parse_args()
    found = {} if options.emulators else embedded(options.rounds, alone=options.alone)
    if not options.alone:
        found["over the emulators of Firestore and Pub/Sub"] = emulated()
    if options.json:
        print(json.dumps(found, indent=2))
        return
    in_turn_found = found.pop("in turn", {})
    if in_turn_found:
        ours = next(iter(in_turn_found.values()))
        print(f"{'one run of ten steps of 2 KB, in turn':48}  by the clock    p95  to ours   processor  to ours")
    for name, row in in_turn_found.items():
        took, busy = row["clock_ms"], row["processor_ms"]
        print(
            f"  {name:46} {took:10.2f} ms {row['clock_p95_ms']:6.1f} {took / ours['clock_ms']:8.2f} "
            f"{busy:8.2f} ms {busy / ours['processor_ms']:8.2f}"
        )
    for title, values in found.items():
        print(f"{title} (medians in ms; measuring adds a little):")
        for what, value in values.items():
            print(f"  {what:40} {value:9.3f}" if isinstance(value, float) else f"  {what}: {shown(value)}")


if __name__ == "__main__":
    main()
