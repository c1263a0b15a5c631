"""How each stage kept up: arrivals, concurrency, times, waits, cold starts, failed tries, and what binds first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from math import ceil
from typing import NamedTuple

from shared.accounting.footprint import OVERHEAD_SECONDS, tries, unknown_stages
from shared.accounting.ledger import Ledger, Unreadable
from shared.accounting.usage_record import UsageRecord
from shared.accounting.window import Window
from shared.query.answer import StageUsage
from shared.query.quantity import Frozen
from shared.runtime.settings import FunctionSetting, StageTable


class Spread(Frozen):
    """A measured quantity in seconds: its mean and the values that 50, 95 and 99 of a hundred do not exceed."""

    count: int
    mean: float
    p50: float
    p95: float
    p99: float


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


class Step(NamedTuple):
    """One step of one run with what it waited; ``waited`` is ``None`` where the record does not tell."""

    usage: StageUsage
    tries: int
    waited: float | None


def scaling(ledger: Ledger, table: StageTable) -> ScalingReport:
    """Work out the report."""
    records, window = ledger.records, ledger.window
    steps = [step for record in records for step in steps_of(record)]
    stages = tuple(_stage(row, [s for s in steps if s.usage.stage == row.name], window) for row in table.stages)
    loads = [(stage.load, stage) for stage in stages if stage.load]
    binding = max(loads, key=lambda pair: pair[0])[1] if loads else None
    busiest = _busiest((record.asked_at for record in records), window)
    return ScalingReport(
        window=window,
        source=ledger.source,
        runs=len(records),
        per_second=len(records) / window.seconds,
        busiest_minute=busiest,
        latency=spread([record.usage.seconds for record in records]),
        statuses=dict(Counter(str(record.status) for record in records)),
        stages=stages,
        binds=binding.stage if binding else None,
        holds_until=busiest / binding.load if binding and binding.load else None,
        unknown=unknown_stages(records, table),
        unreadable=ledger.unreadable,
    )


def steps_of(record: UsageRecord) -> Iterator[Step]:
    """A run's steps in order, each with how long it waited to be begun."""
    free: datetime | None = record.asked_at
    for usage in record.usage.stages:
        waited = None
        if usage.began_at is not None and free is not None:
            waited = max(0.0, (usage.began_at - free).total_seconds())
        yield Step(usage, tries(record, usage), waited)
        free = usage.began_at + timedelta(seconds=usage.seconds) if usage.began_at is not None else None


def spread(values: Sequence[float]) -> Spread | None:
    """The spread of some values; ``None`` of none."""
    if not values:
        return None
    ordered = sorted(values)
    return Spread(
        count=len(ordered),
        mean=sum(ordered) / len(ordered),
        p50=percentile(ordered, 0.50),
        p95=percentile(ordered, 0.95),
        p99=percentile(ordered, 0.99),
    )


def percentile(ordered: Sequence[float], share: float) -> float:
    """The least of some sorted values that ``share`` of them do not exceed."""
    return ordered[max(0, ceil(share * len(ordered)) - 1)]


def capacity(row: FunctionSetting, *, seconds: float, cpu_seconds: float | None) -> float:
    """Requests a second that all instances of a row can do: so many at a time, as far as their processors go."""
    places = row.concurrency / max(seconds, 1e-6)
    processors = row.cpu / max(cpu_seconds, 1e-6) if cpu_seconds else places
    return row.max_instances * min(places, processors)


def _stage(row: FunctionSetting, steps: Sequence[Step], window: Window) -> StageLoad:
    overhead = float(OVERHEAD_SECONDS)
    times = spread([step.usage.seconds for step in steps])
    cpu = spread([step.usage.cpu_seconds for step in steps if step.usage.cpu_seconds is not None])
    deliveries = sum(step.tries for step in steps)
    rate = deliveries / window.seconds
    most = capacity(row, seconds=times.mean + overhead, cpu_seconds=cpu.mean if cpu else None) if times else None
    busiest = _busiest((step.usage.began_at for step in steps if step.usage.began_at), window)
    peak = max(busiest, rate)
    return StageLoad(
        stage=row.name,
        arrivals=deliveries,
        per_second=rate,
        busiest_minute=peak,
        concurrency=rate * (times.mean + overhead) if times else 0.0,
        seconds=times,
        cpu=cpu,
        queue=spread([step.waited for step in steps if step.waited is not None and step.tries == 1]),
        cold_starts=sum(step.usage.cold for step in steps),
        failed_tries=deliveries - len(steps),
        capacity=most,
        load=peak / most if most else None,
    )


def _busiest(moments: Iterable[datetime], window: Window) -> float:
    """The most arrivals in one minute of the clock, by the second."""
    counts = Counter(moment.replace(second=0, microsecond=0) for moment in moments)
    return max(counts.values(), default=0) / min(60.0, window.seconds)
