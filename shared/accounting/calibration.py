"""Turns measured runs into what the simulation takes: scripts of steps, and instances of a row of the table."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from statistics import median

from shared.accounting.distribution import percentile
from shared.accounting.footprint import OVERHEAD_SECONDS
from shared.accounting.ledger import Ledger
from shared.accounting.loads import Step, steps_of
from shared.accounting.simulation import Script, Station, Visit
from shared.runtime.settings import FunctionSetting

COLD_SECONDS = 3.0
"""What a new instance takes to answer: a function's process takes 2 to 4 s on two cores, about one of them the
processor's (``docs/benchmarks.md``)."""
HOP_SECONDS = 0.1
"""What a message takes where no cloud's own waits were measured: a push of the Pub/Sub emulator, in the median."""
FEWEST = 5
"""Measured runs that a simulation rests on at least."""


def calibrated(ledger: Ledger, *, hop: float | None) -> tuple[Script, ...]:
    """The scripts of the runs that tell when their steps began.

    ``hop`` stands for what a message takes; ``None`` takes it from the waits, at most their median by stage, since
    what is longer waited for an instance. Runs with a cold step are left out while there are enough others: the
    simulation adds cold starts by itself.
    """
    told = [
        steps
        for record in ledger.records
        if (steps := list(steps_of(record))) and all(s.usage.began_at for s in steps)
    ]
    warm = [steps for steps in told if not any(step.usage.cold for step in steps)]
    chosen = warm if len(warm) >= FEWEST else told
    waits: defaultdict[str, list[float]] = defaultdict(list)
    for step in (step for steps in chosen for step in steps):
        if step.waited is not None and step.tries == 1:
            waits[step.usage.stage].append(step.waited)
    usual = {stage: median(found) for stage, found in waits.items()}
    return tuple(tuple(_visit(step, hop, usual) for step in steps) for steps in chosen)


def _visit(step: Step, hop: float | None, usual: Mapping[str, float]) -> Visit:
    seconds, cpu = step.usage.seconds, step.usage.cpu_seconds
    # Without its processor time a stage is taken to compute all along, which is the worst of it.
    work = seconds if cpu is None else min(cpu, seconds)
    wait = min(step.waited or 0.0, usual.get(step.usage.stage, 0.0)) if hop is None else hop
    return Visit(step.usage.stage, wait, work, seconds - work + float(OVERHEAD_SECONDS))


def station(row: FunctionSetting, scripts: Sequence[Script], rate: float) -> Station:
    """A row's instances as the simulation has them: as many are warm as the rate has needed so far."""
    warm = min(row.max_instances, max(row.min_instances, math.ceil(max(needed(row, scripts, rate)))))
    return Station(
        name=row.name,
        concurrency=row.concurrency,
        max_instances=row.max_instances,
        warm=warm,
        cold_seconds=COLD_SECONDS,
        # One event loop uses one processor, however many there are.
        speed=min(1.0, row.cpu),
    )


def needed(row: FunctionSetting, scripts: Sequence[Script], rate: float) -> tuple[float, float]:
    """Instances that a stage needs at a rate: for its requests' places, and for their work on the processor."""
    visits = [visit for script in scripts for visit in script if visit.stage == row.name]
    each = rate / len(scripts)
    places = each * sum(visit.cpu + visit.other for visit in visits) / row.concurrency
    processors = each * sum(visit.cpu for visit in visits) / min(1.0, row.cpu)
    return places, processors


def alone(scripts: Sequence[Script], share: float) -> float:
    """The seconds that ``share`` of the runs do not exceed where nothing waits for an instance."""
    return percentile(
        sorted(sum(visit.hop + visit.cpu + visit.other for visit in script) for script in scripts), share
    )
