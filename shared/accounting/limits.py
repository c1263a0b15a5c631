"""Where the platform breaks first: what Firestore, Pub/Sub and a model provider sustain, and what a run takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from math import ceil, log
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError

from shared.accounting.footprint import MESSAGE_BYTES, tries, writes
from shared.accounting.prices import PricesInvalid
from shared.accounting.usage_record import UsageRecord
from shared.query.quantity import Frozen

LIMITS_FILE = Path(__file__).parent / "data" / "platform_limits.json"


class Limit(Frozen):
    """So much a second of what a run ``takes``."""

    id: str
    service: str
    what: str
    per_second: float = Field(gt=0)
    takes: Literal["step_writes", "writes", "published_bytes", "pushed_bytes", "model_calls"]
    hard: bool
    source: str
    read: date
    certain: bool


class Ramp(Frozen):
    """How fast traffic to a new collection may grow: from ``start_per_second``, ``growth``-fold every so often."""

    start_per_second: float = Field(gt=0)
    growth: float = Field(gt=1)
    every_minutes: float = Field(gt=0)
    source: str
    read: date
    certain: bool

    def minutes_to(self, per_second: float) -> float:
        """How long traffic must grow until it may be so much."""
        if per_second <= self.start_per_second:
            return 0.0
        return ceil(log(per_second / self.start_per_second) / log(self.growth)) * self.every_minutes


class LimitTable(Frozen):
    """What the platform sustains. ``document_writes_per_second`` is for one document, on end."""

    note: str
    limits: tuple[Limit, ...]
    document_writes_per_second: float
    ramp: Ramp


class PerRun(Frozen):
    """What one question takes in the mean; ``run_writes`` go to its own document."""

    runs: int
    step_writes: float
    writes: float | None
    published_bytes: float
    pushed_bytes: float
    model_calls: float
    run_writes: float


class Reached(Frozen):
    """A limit: the questions a second at which it is reached, and the share of it that a rate takes."""

    id: str
    service: str
    what: str
    per_second: float
    per_run: float
    reached_at: float
    share: float
    hard: bool
    certain: bool


def load_limits(path: Path = LIMITS_FILE) -> LimitTable:
    """Read the table of limits. Raises ``PricesInvalid``."""
    try:
        return LimitTable.model_validate_json(path.read_bytes())
    except OSError as error:
        raise PricesInvalid(f"the table of limits {path} cannot be read: {error.strerror}") from error
    except ValidationError as error:
        fault = error.errors()[0]
        raise PricesInvalid(
            f"the table of limits {path} is not valid: {'.'.join(map(str, fault['loc']))}: {fault['msg']}"
        ) from error


def per_run(records: Sequence[UsageRecord]) -> PerRun | None:
    """What a question takes in the mean of those that were measured; ``None`` of none."""
    if not records:
        return None
    counted = [record for record in records if record.kept is not None]
    steps = sum(len(record.usage.stages) for record in records)
    deliveries = sum(tries(record, stage) for record in records for stage in record.usage.stages)
    count = len(records)
    return PerRun(
        runs=count,
        # Opened, claimed and given back at each try, done.
        step_writes=(2 * steps + 2 * deliveries - steps) / count,
        writes=sum(map(_writes, counted)) / len(counted) if counted else None,
        published_bytes=MESSAGE_BYTES * (steps + 2 * count) / count,
        pushed_bytes=MESSAGE_BYTES * (deliveries + count) / count,
        model_calls=sum(map(_provider_calls, records)) / count,
        run_writes=1 + steps / count,
    )


def reached(takes: PerRun, table: LimitTable, *, rate: float, model_calls: float | None) -> tuple[Reached, ...]:
    """Every limit, the one that is reached first at the top. ``model_calls`` a second is the provider's limit."""
    return tuple(sorted(_reached(takes, table, rate, model_calls), key=lambda one: one.reached_at))


def _reached(takes: PerRun, table: LimitTable, rate: float, model_calls: float | None) -> Iterator[Reached]:
    limits = list(table.limits)
    if model_calls is not None:
        limits.append(_provider(model_calls))
    for limit in limits:
        amount: float | None = getattr(takes, limit.takes)
        if amount:
            at = limit.per_second / amount
            yield Reached(
                id=limit.id,
                service=limit.service,
                what=limit.what,
                per_second=limit.per_second,
                per_run=amount,
                reached_at=at,
                share=rate / at,
                hard=limit.hard,
                certain=limit.certain,
            )


def _provider(model_calls: float) -> Limit:
    return Limit(
        id="model.calls",
        service="model provider",
        what="calls a second, as was given",
        per_second=model_calls,
        takes="model_calls",
        hard=True,
        source="given with the command",
        read=date.today(),  # noqa: DTZ011 - it is not shown
        certain=True,
    )


def _provider_calls(record: UsageRecord) -> int:
    """Calls of a provider's models; a model within the program has no tokens to pay for."""
    finder = record.finder
    return record.usage.model_calls + (finder.model_calls if finder.tokens else 0)


def _writes(record: UsageRecord) -> int:
    kept = record.kept
    deliveries = sum(tries(record, stage) for stage in record.usage.stages)
    return writes(record, kept, deliveries) if kept is not None else 0
