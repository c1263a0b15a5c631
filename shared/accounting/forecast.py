"""What a rate of questions needs: simulated on measured times, with its cost and the limit that binds first."""

from __future__ import annotations

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from decimal import Decimal

from pydantic import Field

from shared.accounting.calibration import COLD_SECONDS, FEWEST, HOP_SECONDS, alone, calibrated, needed, station
from shared.accounting.costs import spent_on_models
from shared.accounting.footprint import footprint, gib
from shared.accounting.ledger import Ledger
from shared.accounting.limits import LimitTable, PerRun, Reached, per_run, reached
from shared.accounting.prices import MONTH_SECONDS, PriceTable
from shared.accounting.simulation import (
    Simulated,
    drawn,
    poisson,
    simulate,
)
from shared.accounting.standing import standing
from shared.accounting.window import Window
from shared.query.quantity import Exact, Frozen
from shared.runtime.errors import UsageError
from shared.runtime.settings import StageTable

PEAK = 3.0
"""How many times its mean a day's busiest traffic is taken to be."""
HEADROOM = 1.3
FULL = 0.7
"""The share of its places and processors that a stage is planned to use."""
LEAST_RUNS, MOST_RUNS, SIMULATED_SECONDS = 400, 6000, 60.0

_MONTH = timedelta(seconds=int(MONTH_SECONDS))
_RATE = re.compile(r"([0-9]+(?:\.[0-9]+)?)/(s|second|min|minute|h|hour|d|day)")
_PER = {"s": 1, "second": 1, "min": 60, "minute": 60, "h": 3600, "hour": 3600, "d": 86400, "day": 86400}
HIGHEST_RATE = 100_000.0


class Setting(Frozen):
    """A field of a row of ``stages.json`` that should change."""

    function: str
    field: str
    now: int
    to: int
    why: str


class Forecast(Frozen):
    """A rate of questions. Costs are dollars a month at list prices, what is free taken off.

    ``month_rate`` is the rate that the cost is reckoned with, the mean of the day. ``simulated`` is at ``rate``,
    with instances that are warm already; ``first_seconds`` is what a question takes that finds only the minimum.
    """

    rate: float
    month_rate: float
    simulated: Simulated
    binds: str | None
    first_seconds: float
    month_usd: Exact
    per_thousand_usd: Exact | None
    limits: tuple[Reached, ...]
    ramp_minutes: float | None
    document_writes: float = Field(ge=0)
    """Writes a second to a run's own document while it runs; a document takes one a second on end."""


class Plan(Frozen):
    """``asked`` with today's table, ``changed`` with ``suggested``; ``scale`` for a thousand to a million a day."""

    calibrated_on: int
    hops: str
    asked: Forecast
    suggested: tuple[Setting, ...]
    changed: Forecast | None
    target_seconds: float | None
    reaches_target: bool | None
    floor_seconds: float
    """The p95 of runs that wait for nothing: no scaling makes it less."""
    scale: tuple[Forecast, ...]


def parsed_rate(text: str) -> float:
    """``50/s``, ``300/min`` or ``1000000/day`` in questions a second. Raises ``UsageError``."""
    found = _RATE.fullmatch(text.strip().replace(",", ""))
    rate = float(found[1]) / _PER[found[2]] if found else 0.0
    if not 0 < rate <= HIGHEST_RATE:
        raise UsageError(
            f"the rate is {text[:80]!r}; it must be such as 50/s, 300/min or 1000000/day, "
            f"above 0 and at most {HIGHEST_RATE:,.0f}/s"
        )
    return rate


class Forecaster:
    """Plans on the runs of one ledger. Raises ``UsageError`` when they are too few to plan on."""

    def __init__(
        self,
        ledger: Ledger,
        prices: PriceTable,
        limits: LimitTable,
        *,
        model_calls: float | None = None,
        seed: int = 1,
    ) -> None:
        if ledger.added_up.loads.runs:
            raise UsageError(
                f"the period holds {ledger.added_up.loads.runs:,} runs whose records were added up; a simulation "
                "rests on single runs: ask for a shorter period with --since and --until"
            )
        self._ledger, self._prices, self._limits = ledger, prices, limits
        self._model_calls, self._seed = model_calls, seed
        cloud = ledger.source == "usage"
        self.scripts = calibrated(ledger, hop=None if cloud else HOP_SECONDS)
        takes = per_run(ledger.records)
        if len(self.scripts) < FEWEST or takes is None:
            raise UsageError(
                f"the period has {len(self.scripts)} runs that tell when their steps began; a simulation rests on "
                f"{FEWEST} or more: ask for a longer period, or ask some questions first"
            )
        self._takes: PerRun = takes
        self.hops = "as measured" if cloud else f"{HOP_SECONDS} s, as no cloud's own were measured"

    def plan(self, table: StageTable, rate: float, *, target_seconds: float | None = None) -> Plan:
        """Everything about a rate of questions; with ``target_seconds``, the p95 that is wished for."""
        asked = self.forecast(table, rate, month_rate=rate)
        suggested = tuple(self._suggested(table, rate, asked, target_seconds))
        changed = self.forecast(changed_table(table, suggested), rate, month_rate=rate) if suggested else None
        latency = (changed or asked).simulated.latency
        reaches = None if target_seconds is None or latency is None else latency.p95 <= target_seconds
        return Plan(
            calibrated_on=len(self.scripts),
            hops=self.hops,
            asked=asked,
            suggested=suggested,
            changed=changed,
            target_seconds=target_seconds,
            reaches_target=reaches,
            floor_seconds=alone(self.scripts, 0.95),
            scale=tuple(
                self.forecast(table, PEAK * day / 86400, month_rate=day / 86400)
                for day in (1_000, 10_000, 100_000, 1_000_000)
            ),
        )

    def forecast(self, table: StageTable, rate: float, *, month_rate: float) -> Forecast:
        """Simulate a rate with a table of functions, and price ``month_rate`` for a month."""
        known = {row.name for row in table.stages}
        scripts = [tuple(visit for visit in script if visit.stage in known) for script in self.scripts]
        runs = int(min(MOST_RUNS, max(LEAST_RUNS, rate * SIMULATED_SECONDS)))
        simulated = simulate(
            drawn(scripts, runs=runs, seed=self._seed),
            poisson(rate, runs=runs, seed=self._seed + 1),
            {row.name: station(row, scripts, rate) for row in table.stages},
        )
        month = self._month(table, simulated, month_rate)
        questions = Decimal(str(month_rate)) * MONTH_SECONDS
        limits = reached(self._takes, self._limits, rate=rate, model_calls=self._model_calls)
        writes = self._takes.writes
        cold = COLD_SECONDS * sum(not row.min_instances for row in table.stages)
        return Forecast(
            rate=rate,
            month_rate=month_rate,
            simulated=simulated,
            binds=simulated.saturated,
            first_seconds=alone(self.scripts, 0.5) + cold,
            month_usd=month.quantize(Decimal("0.01")),
            per_thousand_usd=(month / questions * 1000).quantize(Decimal("0.0001")),
            limits=limits,
            ramp_minutes=self._limits.ramp.minutes_to(writes * rate) if writes is not None else None,
            document_writes=self._takes.run_writes / alone(self.scripts, 0.5),
        )

    def _suggested(
        self, table: StageTable, rate: float, asked: Forecast, target_seconds: float | None
    ) -> Iterator[Setting]:
        slow = target_seconds is not None and asked.first_seconds > target_seconds
        for row in table.stages:
            places, processors = needed(row, self.scripts, rate)
            used = max(places, processors) / row.max_instances
            if used > FULL:
                yield Setting(
                    function=row.name,
                    field="max_instances",
                    now=row.max_instances,
                    to=math.ceil(HEADROOM * max(places, processors) / FULL),
                    why=f"{'processors' if processors > places else 'places'} used to {used:.0%}",
                )
            if slow and not row.min_instances:
                yield Setting(
                    function=row.name,
                    field="min_instances",
                    now=0,
                    to=1,
                    why=f"{COLD_SECONDS:g} s less to wait from cold",
                )

    def _month(self, table: StageTable, simulated: Simulated, month_rate: float) -> Decimal:
        """Dollars a month: models, the functions' instances as simulated, everything else as measured."""
        records, runs = self._ledger.records, Decimal(len(self._ledger.records))
        questions = Decimal(str(month_rate)) * MONTH_SECONDS
        used = self._mean_use(table, simulated, month_rate)
        month = Window(start=self._ledger.window.start, end=self._ledger.window.start + _MONTH)
        always = standing(month, {}, table)
        total = sum(map(spent_on_models, records), Decimal(0)) / runs * questions
        busy = {one.station: one.busy_seconds / simulated.runs for one in simulated.stations}
        for price in self._prices.prices:
            standing_use = always.get(price.id, Decimal(0))
            if "idle" in price.id:
                standing_use = _idle(price.id, table, busy, month_rate)
            amount = used.get(price.id, Decimal(0)) * questions + standing_use
            free = price.free.within(float(MONTH_SECONDS)) if price.free else Decimal(0)
            total += price.of(max(Decimal(0), amount - free))
        return total

    def _mean_use(self, table: StageTable, simulated: Simulated, month_rate: float) -> Mapping[str, Decimal]:
        """What a question uses by price, with instances shared: the stages' as simulated, the others' at random."""
        rows = {row.name: row for row in table.functions}
        apart: defaultdict[str, defaultdict[str, Decimal]] = defaultdict(lambda: defaultdict(Decimal))
        runs = Decimal(len(self._ledger.records))
        for record in self._ledger.records:
            for use in footprint(record, table):
                apart[use.function][use.price] += use.quantity / runs
        busy = {one.station: one.busy_seconds / simulated.runs for one in simulated.stations}
        found: defaultdict[str, Decimal] = defaultdict(Decimal)
        for function, uses in apart.items():
            row = rows.get(function)
            for price, quantity in uses.items():
                if row is None or price not in {"function.cpu", "function.memory"}:
                    found[price] += quantity
            if row is not None:
                seconds = float(uses["function.memory"] / gib(row))
                each = busy.get(function, busy_instances(month_rate * seconds, row.concurrency) / month_rate)
                found["function.cpu"] += Decimal(str(each)) * Decimal(str(row.cpu))
                found["function.memory"] += Decimal(str(each)) * gib(row)
        return found


def busy_instances(requests: float, concurrency: int) -> float:
    """The mean number of instances that are billed while requests come at random, so many at a time in the mean.

    That is the mean of ``ceil(n / concurrency)`` for a Poisson number ``n``.
    """
    if requests > 20 * concurrency:
        return requests / concurrency + 0.5
    total, chance, below, n = 0.0, math.exp(-requests), 0.0, 0
    while n <= requests + 10 * math.sqrt(requests) + 20:
        below += chance
        if n % concurrency == 0:
            total += max(0.0, 1 - below)
        n += 1
        chance *= requests / n
    return total


def changed_table(table: StageTable, settings: Sequence[Setting]) -> StageTable:
    """The table with the changes made."""
    rows = []
    for row in table.functions:
        changes = {one.field: one.to for one in settings if one.function == row.name}
        rows.append(row.model_copy(update=changes) if changes else row)
    return table.model_copy(update={"functions": tuple(rows)})


def _idle(price: str, table: StageTable, busy: Mapping[str, float], month_rate: float) -> Decimal:
    """What minimum instances are idle for in a month, in the price's unit."""
    total = Decimal(0)
    for row in table.functions:
        used = min(float(row.min_instances), busy.get(row.name, 0.0) * month_rate)
        seconds = (Decimal(row.min_instances) - Decimal(str(used))) * MONTH_SECONDS
        total += seconds * (Decimal(str(row.cpu)) if price == "function.idle_cpu" else gib(row))
    return total
