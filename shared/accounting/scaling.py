"""How each stage kept up: arrivals, concurrency, times, waits, cold starts, failed tries, and what binds first."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

from shared.accounting.distribution import Spread
from shared.accounting.footprint import OVERHEAD_SECONDS
from shared.accounting.ledger import Ledger
from shared.accounting.loads import StageLoads, loads_of
from shared.accounting.record_files import Unreadable
from shared.accounting.window import Window
from shared.query.quantity import Frozen
from shared.runtime.settings import FunctionSetting, StageTable


class StageLoad(Frozen):
    """One stage. Times in seconds; ``None`` where no record told of it, which is not zero.

    ``concurrency`` is the mean number of requests at a time by Little's law, the arrivals a second times the time
    that each stays. ``queue`` is how long a step waited from the end of the one before, its commit and delivery
    included, of steps that were done at the first try. ``capacity`` is what its row lets through a second, and
    ``load`` the share of it that the busiest minute took.
    """

    stage: str
    arrivals: int
    per_second: float
    busiest_minute: float
    concurrency: float
    seconds: Spread | None
    cpu: Spread | None
    queue: Spread | None
    cold_starts: int
    failed_tries: int
    capacity: float | None
    load: float | None


class ScalingReport(Frozen):
    """See the module. ``binds`` is the stage that reaches its capacity first."""

    window: Window
    source: str
    runs: int
    added_up: int
    """Of them, those whose records were added up before: their percentiles are right within 1%."""
    per_second: float
    busiest_minute: float
    """Questions a second in the busiest minute."""
    latency: Spread | None
    statuses: dict[str, int]
    stages: tuple[StageLoad, ...]
    binds: str | None
    holds_until: float | None
    """Questions a second at which ``binds`` is at its capacity."""
    unknown: tuple[str, ...]
    """Stages of runs that the table has no row for."""
    unreadable: tuple[Unreadable, ...]


def scaling(ledger: Ledger, table: StageTable) -> ScalingReport:
    """Work out the report."""
    loads, window = ledger.added_up.loads.plus(loads_of(ledger.records)), ledger.window
    stages = tuple(_stage(row, loads.stages.get(row.name, StageLoads()), window) for row in table.stages)
    heavy = [(stage.load, stage) for stage in stages if stage.load]
    binding = max(heavy, key=lambda pair: pair[0])[1] if heavy else None
    busiest = _busiest(loads.minutes, window)
    return ScalingReport(
        window=window,
        source=ledger.source,
        runs=loads.runs,
        added_up=ledger.added_up.loads.runs,
        per_second=loads.runs / window.seconds,
        busiest_minute=busiest,
        latency=loads.latency.spread(),
        statuses=loads.statuses,
        stages=stages,
        binds=binding.stage if binding else None,
        holds_until=busiest / binding.load if binding and binding.load else None,
        unknown=tuple(sorted(set(loads.stages) - {row.name for row in table.functions})),
        unreadable=ledger.unreadable,
    )


def capacity(row: FunctionSetting, *, seconds: float, cpu_seconds: float | None) -> float:
    """Requests a second that all instances of a row can do: so many at a time, as far as their processors go."""
    places = row.concurrency / max(seconds, 1e-6)
    processors = row.cpu / max(cpu_seconds, 1e-6) if cpu_seconds else places
    return row.max_instances * min(places, processors)


def _stage(row: FunctionSetting, done: StageLoads, window: Window) -> StageLoad:
    overhead = float(OVERHEAD_SECONDS)
    times, cpu = done.seconds.spread(), done.cpu.spread()
    rate = done.deliveries / window.seconds
    most = capacity(row, seconds=times.mean + overhead, cpu_seconds=cpu.mean if cpu else None) if times else None
    peak = max(_busiest(done.minutes, window), rate)
    return StageLoad(
        stage=row.name,
        arrivals=done.deliveries,
        per_second=rate,
        busiest_minute=peak,
        concurrency=rate * (times.mean + overhead) if times else 0.0,
        seconds=times,
        cpu=cpu,
        queue=done.queue.spread(),
        cold_starts=done.cold,
        failed_tries=done.deliveries - done.steps,
        capacity=most,
        load=peak / most if most else None,
    )


def _busiest(minutes: Mapping[datetime, int], window: Window) -> float:
    """The most arrivals in one minute of the clock, by the second."""
    return max(minutes.values(), default=0) / min(60.0, window.seconds)
