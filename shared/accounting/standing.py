"""What no single run accounts for: instances that requests share, and what is paid whether anybody asks or not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from math import ceil

from shared.accounting.footprint import billed_seconds, gib, stage_seconds
from shared.accounting.prices import MONTH_SECONDS
from shared.accounting.usage_record import UsageRecord
from shared.accounting.window import Window
from shared.runtime.settings import StageTable

SWEEP_SECONDS = Decimal("0.3")
"""What one call of a scheduled function is taken to last."""
_MICROSECOND = timedelta(microseconds=1)

Span = tuple[datetime, datetime]


def shared_instances(records: Sequence[UsageRecord], table: StageTable) -> Mapping[str, Decimal]:
    """By price, what is billed once though several requests used it at the same time.

    An instance takes ``concurrency`` requests and is billed while it has any; so at each moment
    ``ceil(requests / concurrency)`` instances are. Only steps that tell when they began are reckoned so.
    """
    saved: defaultdict[str, Decimal] = defaultdict(Decimal)
    spans = _spans(records)
    for row in table.functions:
        asked = spans.get(row.name, [])
        apart = sum((Decimal((end - start) // _MICROSECOND) for start, end in asked), Decimal(0)) / 1_000_000
        seconds = max(Decimal(0), apart - instance_seconds(asked, row.concurrency))
        saved["function.cpu"] += seconds * Decimal(str(row.cpu))
        saved["function.memory"] += seconds * gib(row)
    return saved


def busy_instances(records: Iterable[UsageRecord], table: StageTable) -> Mapping[str, Decimal]:
    """By function, the seconds for which instances were needed."""
    spans = _spans(records)
    return {row.name: instance_seconds(spans.get(row.name, []), row.concurrency) for row in table.functions}


def standing(window: Window, busy: Mapping[str, Decimal], table: StageTable) -> Mapping[str, Decimal]:
    """By price, what a period costs without a question: idle minimum instances, and the schedule.

    ``busy`` is what ``busy_instances`` tells; a function that it leaves out was idle throughout.
    """
    found: defaultdict[str, Decimal] = defaultdict(Decimal)
    whole = Decimal(str(window.seconds))
    for row in table.functions:
        idle = max(Decimal(0), row.min_instances * whole - busy.get(row.name, Decimal(0)))
        found["function.idle_cpu"] += idle * Decimal(str(row.cpu))
        found["function.idle_memory"] += idle * gib(row)
        if row.schedule is not None:
            calls = Decimal(ceil(whole / 60))
            found["function.requests"] += calls
            found["function.cpu"] += calls * billed_seconds(SWEEP_SECONDS) * Decimal(str(row.cpu))
            found["function.memory"] += calls * billed_seconds(SWEEP_SECONDS) * gib(row)
            found["scheduler.jobs"] += whole / MONTH_SECONDS
    return found


def instance_seconds(spans: Iterable[Span], concurrency: int) -> Decimal:
    """The seconds that instances are needed for to work on requests of these spans."""
    changes: defaultdict[datetime, int] = defaultdict(int)
    for start, end in spans:
        changes[start] += 1
        changes[end] -= 1
    total, active, before = 0, 0, None
    for moment in sorted(changes):
        if before is not None and active:
            total += (moment - before) // _MICROSECOND * ceil(active / concurrency)
        active += changes[moment]
        before = moment
    return Decimal(total) / 1_000_000


def _spans(records: Iterable[UsageRecord]) -> Mapping[str, list[Span]]:
    found: defaultdict[str, list[Span]] = defaultdict(list)
    for record in records:
        whole = timedelta(seconds=float(billed_seconds(record.usage.seconds)))
        found["ask"].append((record.asked_at, record.asked_at + whole))
        for stage in record.usage.stages:
            if stage.began_at is not None:
                lasted = timedelta(seconds=float(stage_seconds(stage)))
                found[stage.stage].append((stage.began_at, stage.began_at + lasted))
    return found
