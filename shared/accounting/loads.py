"""How the stages kept up over the records of many runs, in a form in which loads are added to loads."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple, Self

from shared.accounting.additive import Additive
from shared.accounting.distribution import Distribution
from shared.accounting.footprint import tries
from shared.accounting.usage_record import UsageRecord
from shared.query.answer import StageUsage


class StageLoads(Additive):
    """The steps of one stage; ``minutes`` are those of the clock in which they began."""

    steps: int = 0
    deliveries: int = 0
    cold: int = 0
    seconds: Distribution = Distribution()
    cpu: Distribution = Distribution()
    queue: Distribution = Distribution()
    minutes: dict[datetime, int] = {}


class Loads(Additive):
    """See the module. ``minutes`` are those in which questions were asked, ``latency`` the seconds they took."""

    runs: int = 0
    statuses: dict[str, int] = {}
    latency: Distribution = Distribution()
    minutes: dict[datetime, int] = {}
    stages: dict[str, StageLoads] = {}

    def stored(self) -> Self:
        """The same in little room: of many values only how they are spread."""
        parts = ("seconds", "cpu", "queue")
        stages = {
            name: one.model_copy(update={part: getattr(one, part).stored() for part in parts})
            for name, one in self.stages.items()
        }
        return self.model_copy(update={"latency": self.latency.stored(), "stages": stages})


class Step(NamedTuple):
    """One step of one run with what it waited; ``waited`` is ``None`` where the record does not tell."""

    usage: StageUsage
    tries: int
    waited: float | None


def steps_of(record: UsageRecord) -> Iterator[Step]:
    """A run's steps in order, each with how long it waited to be begun."""
    free: datetime | None = record.asked_at
    for usage in record.usage.stages:
        waited = None
        if usage.began_at is not None and free is not None:
            waited = max(0.0, (usage.began_at - free).total_seconds())
        yield Step(usage, tries(record, usage), waited)
        free = usage.began_at + timedelta(seconds=usage.seconds) if usage.began_at is not None else None


def loads_of(records: Sequence[UsageRecord]) -> Loads:
    """Those of some records."""
    steps: defaultdict[str, list[Step]] = defaultdict(list)
    for record in records:
        for step in steps_of(record):
            steps[step.usage.stage].append(step)
    return Loads(
        runs=len(records),
        statuses=dict(Counter(str(record.status) for record in records)),
        latency=Distribution.of(record.usage.seconds for record in records),
        minutes=_minutes(record.asked_at for record in records),
        stages={name: _stage(some) for name, some in steps.items()},
    )


def _stage(steps: Sequence[Step]) -> StageLoads:
    return StageLoads(
        steps=len(steps),
        deliveries=sum(step.tries for step in steps),
        cold=sum(step.usage.cold for step in steps),
        seconds=Distribution.of(step.usage.seconds for step in steps),
        cpu=Distribution.of(step.usage.cpu_seconds for step in steps if step.usage.cpu_seconds is not None),
        queue=Distribution.of(step.waited for step in steps if step.waited is not None and step.tries == 1),
        minutes=_minutes(step.usage.began_at for step in steps if step.usage.began_at),
    )


def _minutes(moments: Iterable[datetime]) -> dict[datetime, int]:
    return dict(Counter(moment.astimezone(UTC).replace(second=0, microsecond=0) for moment in moments))
