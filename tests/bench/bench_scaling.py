"""Holds the scaling report's simulation against this machine: measured runs at three loads, and the same simulated.

Questions are measured one at a time first; then, for each load, they arrive at random and are answered as they
come, and the same arrivals are simulated on what was measured just before and just after.

``waiting`` runs the real runner, store and bus over stages that wait as for a publisher, one stage with few places:
what binds is that stage, as in the cloud. ``questions`` asks the embedded program real questions: what binds is its
one event loop, and the clock is that of the processor, whatever else runs on the machine.

``python -m tests.bench.bench_scaling [waiting|questions]`` ends with 1 when the throughput or the mean latency is
off by more than 15% at any load.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import statistics
import sys
import tempfile
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from functions.local.settings import Settings
from functions.local.wiring import Application, open_application
from shared.accounting.distribution import percentile
from shared.accounting.loads import steps_of
from shared.accounting.simulation import UNBOUNDED, Script, Station, Visit, poisson, simulate, throughput
from shared.accounting.usage_record import record_of_trace
from shared.adapters.inline_bus import InlineBus
from shared.query.annotated import AnnotatedQuery, Annotation, AskOptions
from shared.query.answer import Answer
from shared.runtime.attempt import Pace
from shared.runtime.closing import trace_name
from shared.runtime.context import RunContext
from shared.runtime.ports import Archive
from shared.runtime.settings import PIPELINE
from shared.runtime.stage import Stage
from tests.bench.processor_clock import ProcessorClock
from tests.support.machine import machine, trivial

CASES = Path(__file__).parents[1] / "cases" / "questions.jsonl"
ALLOWED = 0.15
LOADS = (0.3, 0.6, 0.85)
NARROW, WIDE = 2, 64
"""Requests that a stage takes at a time."""
ROUNDS = 2
LOOP = "loop"
MACHINE = Station(name="machine", concurrency=UNBOUNDED, warm=1, max_instances=1, cold_seconds=0.0)


Ask = Callable[[str], Awaitable[Answer]]
Row = dict[str, float]


async def calibrate(app: Application, questions: Sequence[str]) -> dict[str, Script]:
    """Each question asked by itself: its steps in the processor's time, threads included."""
    found = {}
    for question in questions:
        began = now()
        answer = await app.ask(question)
        stages = answer.usage.stages
        # What lies between the stages, claims, commits and the archive, is work of the same processor.
        between = max(0.0, now() - began - sum(stage.cpu_seconds or 0.0 for stage in stages)) / len(stages)
        found[question] = tuple(Visit(s.stage, 0.0, (s.cpu_seconds or 0.0) + between, 0.0) for s in stages)
    return found


def now() -> float:
    """The time of the running event loop."""
    return asyncio.get_running_loop().time()


async def measure(ask: Ask, questions: Sequence[str], arrivals: Sequence[float]) -> tuple[float, list[float]]:
    """Throughput, and the sorted seconds to each answer, of questions that arrive at their times."""
    start = now()
    latencies, ends = [], []

    async def one(question: str, at: float) -> None:
        await asyncio.sleep(max(0.0, start + at - now()))
        await ask(question)
        end = now()
        latencies.append(end - start - at)
        ends.append(end - start)

    await asyncio.gather(*(one(question, at) for question, at in zip(questions, arrivals, strict=True)))
    return throughput(sorted(ends), since=arrivals[0]), sorted(latencies)


async def questions_bench(given: argparse.Namespace) -> list[Row]:
    """The embedded program."""
    chance = random.Random(given.seed)
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    known = chance.sample([case["question"] for case in cases if not case.get("options")], given.distinct)
    rows = []
    with tempfile.TemporaryDirectory() as home:
        async with open_application(Settings.from_environment({"NEURALKG_HOME": home, "HOME": home})) as app:
            await calibrate(app, known)
            for load in given.loads:
                before = [await calibrate(app, known) for _ in range(ROUNDS)]
                rate = load / _mean(*before)
                asked = chance.choices(known, k=given.runs)
                arrivals = poisson(rate, runs=given.runs, seed=given.seed)
                real = await measure(app.ask, asked, arrivals)
                after = [await calibrate(app, known) for _ in range(ROUNDS)]
                stations = {visit.stage: MACHINE for script in before[0].values() for visit in script}
                rows.append(
                    compared(
                        load=load,
                        rate=rate,
                        real=real,
                        asked=asked,
                        arrivals=arrivals,
                        rounds=(*before, *after),
                        stations=stations,
                    )
                )
    return rows


async def waiting_bench(given: argparse.Namespace) -> list[Row]:
    """The runner over stages that wait; ``execute`` has few places."""
    chance = random.Random(given.seed)
    known = [f"question {n}" for n in range(given.distinct)]
    seconds = {(question, name): chance.uniform(0.1, 0.7) for question in known for name in PIPELINE}
    places = {name: asyncio.Semaphore(NARROW if name == "execute" else WIDE) for name in PIPELINE}
    stations = {
        name: Station(
            name=name,
            concurrency=NARROW if name == "execute" else WIDE,
            warm=1,
            max_instances=1,
            cold_seconds=0.0,
        )
        for name in PIPELINE
    }
    stations[LOOP] = MACHINE
    rows = []
    with tempfile.TemporaryDirectory() as home:
        stages = [waits(stage, seconds, places) for stage in trivial()]
        # The bus has room for all: what is measured is the stages' own places.
        async with machine(Path(home), stages, pace=Pace(), bus=InlineBus(concurrency=1000)) as built:
            ask = partial(built.client.ask, options=AskOptions(deadline_seconds=600))
            for load in given.loads:
                before = await alone(ask, built.archive, known)
                rate = load * NARROW / statistics.mean(seconds[question, "execute"] for question in known)
                asked = chance.choices(known, k=given.runs)
                arrivals = poisson(rate, runs=given.runs, seed=given.seed)
                real = await measure(ask, asked, arrivals)
                rows.append(
                    compared(
                        load=load,
                        rate=rate,
                        real=real,
                        asked=asked,
                        arrivals=arrivals,
                        rounds=(before, await alone(ask, built.archive, known)),
                        stations=stations,
                    )
                )
    return rows


def waits(stage: Stage, seconds: Mapping[tuple[str, str], float], places: Mapping[str, asyncio.Semaphore]) -> Stage:
    """A stage that waits for a place, and then as long as its question takes there."""

    async def waiting(query: AnnotatedQuery, context: RunContext) -> list[Annotation]:
        async with places[stage.name]:
            await asyncio.sleep(seconds[query.question, stage.name])
        return await stage.function(query, context)

    return replace(stage, function=waiting)


async def alone(ask: Ask, archive: Archive, questions: Sequence[str]) -> dict[str, Script]:
    """Each question by itself, read back as the reports read it: from its trace. A few at a time disturb nobody."""
    found: dict[str, Script] = {}

    async def one(question: str) -> None:
        began = now()
        answer = await ask(question)
        whole = now() - began
        record = record_of_trace(await archive.get(trace_name(answer.run_id)))
        visits: list[Visit] = []
        for step in steps_of(record):
            # Commit, delivery and claim are work of the one event loop; a stage waits beside it.
            visits += (
                Visit(LOOP, 0.0, step.waited or 0.0, 0.0),
                Visit(step.usage.stage, 0.0, 0.0, step.usage.seconds),
            )
        rest = whole - sum(visit.cpu + visit.other for visit in visits)
        found[question] = (*visits, Visit(LOOP, 0.0, max(0.0, rest), 0.0))

    for n in range(0, len(questions), NARROW):
        await asyncio.gather(*map(one, questions[n : n + NARROW]))
    return found


def compared(
    *,
    load: float,
    rate: float,
    real: tuple[float, list[float]],
    asked: Sequence[str],
    arrivals: Sequence[float],
    rounds: Sequence[Mapping[str, Script]],
    stations: Mapping[str, Station],
) -> Row:
    """Measured and simulated figures, the latencies in seconds."""
    scripts = [rounds[n % len(rounds)][question] for n, question in enumerate(asked)]
    model = simulate(scripts, arrivals, stations)
    assert model.latency is not None
    measured, latencies = real
    return {
        "load": load,
        "rate": rate,
        "drift": _mean(*rounds[len(rounds) // 2 :]) / _mean(*rounds[: len(rounds) // 2]) - 1,
        "throughput": measured,
        "simulated_throughput": model.throughput,
        "mean": statistics.mean(latencies),
        "simulated_mean": model.latency.mean,
        "p50": percentile(latencies, 0.5),
        "simulated_p50": model.latency.p50,
        "p95": percentile(latencies, 0.95),
        "simulated_p95": model.latency.p95,
    }


def _mean(*rounds: Mapping[str, Script]) -> float:
    return statistics.mean(sum(v.cpu + v.other for v in script) for one in rounds for script in one.values())


BENCHES = {"waiting": (waiting_bench, asyncio.new_event_loop), "questions": (questions_bench, ProcessorClock)}


def main() -> int:
    """Print the figures; 0 when throughput and mean latency are within what is allowed at every load."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", choices=sorted(BENCHES), default="waiting")
    parser.add_argument("--runs", type=int, default=200)
    parser.add_argument("--distinct", type=int, default=40)
    parser.add_argument("--loads", type=float, nargs="+", default=LOADS)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args()
    bench, clock = BENCHES[given.what]
    with asyncio.Runner(loop_factory=clock) as runner:
        rows = runner.run(bench(given))
    if given.json:
        print(json.dumps(rows, indent=2))
    worst: dict[str, float] = defaultdict(float)
    for row in rows:
        told = []
        for what in ("throughput", "mean", "p50", "p95"):
            off = row[f"simulated_{what}"] / row[what] - 1
            worst[what] = max(worst[what], abs(off))
            unit = "/s" if what == "throughput" else " ms"
            scale = 1 if what == "throughput" else 1000
            told.append(f"{what} {row[what] * scale:.1f}{unit} {off:+.1%}")
        print(
            f"load {row['load']:.0%}, {row['rate']:.1f}/s: {', '.join(told)}; "
            f"one question by itself took {row['drift']:+.1%} afterwards"
        )
    print("worst: " + ", ".join(f"{what} {off:.1%}" for what, off in worst.items()), f"on {os.cpu_count()} cores")
    return int(max(worst["throughput"], worst["mean"]) > ALLOWED)


if __name__ == "__main__":
    sys.exit(main())
