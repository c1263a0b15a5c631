"""What one run used of the cloud, in the units that it bills, worked out from the run's usage record.

Seconds, calls and bytes are the run's own. Reads and writes follow from the way that the store works (see
``docs/decisions/0014-runs-in-firestore.md``), and a test holds them against what it counts. What no record can
tell is assumed, and listed in ``ASSUMED`` with its reason.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from decimal import ROUND_CEILING, Decimal
from types import MappingProxyType
from typing import NamedTuple

from shared.accounting.prices import MONTH_SECONDS
from shared.accounting.usage_record import Kept, UsageRecord
from shared.query.answer import StageUsage
from shared.runtime.settings import FunctionSetting, StageTable

GIB = Decimal(2**30)
TENTH = Decimal("0.1")
MESSAGE_BYTES = 1000
"""The least that a publish or a delivery is billed for; our messages are smaller."""
STORED_SECONDS = Decimal(8 * 86400)
"""A run expires after seven days, and the database deletes it within another."""
ASK, FINDER, ARCHIVE = "ask", "finder", "archive"

OVERHEAD_SECONDS = Decimal("0.03")
ARCHIVE_SECONDS = Decimal("0.2")
POLLS_A_SECOND = 4
USAGE_BYTES = 4096

ASSUMED: Mapping[str, str] = MappingProxyType(
    {
        "overhead": "a stage's request lasts 0.03 s longer than its stage: two reads, two writes and a publish, as "
        "measured on the emulators",
        "tries": "a try that failed is billed like the one that was committed",
        "ask": "the request of a question lasts as long as its run, and looks at it four times a second",
        "archive": "archiving a run takes 0.2 s, and its usage record 4 KiB",
        "stored": "a run lies in the database for 8 days; its archived files are counted for one month",
        "left out": "network to the internet, logs, secrets, builds, and the index of the finder",
    }
)


class Use(NamedTuple):
    """So much of what has a price, used by one function (or ``messages``, ``state`` and ``files`` around them)."""

    function: str
    price: str
    quantity: Decimal


MESSAGES, STATE, FILES = "messages", "state", "files"


def billed_seconds(seconds: float | Decimal) -> Decimal:
    """A request's time as it is billed: rounded up to a tenth of a second."""
    exact = seconds if isinstance(seconds, Decimal) else Decimal(str(seconds))
    return max(TENTH, exact.quantize(TENTH, ROUND_CEILING))


def footprint(record: UsageRecord, table: StageTable) -> Iterator[Use]:
    """All that a run used. Where the record has no ``kept``, what follows from it is left out."""
    usage = record.usage
    rows = {row.name: row for row in table.functions}
    for stage in usage.stages:
        if stage.stage in rows:
            yield from _requests(rows[stage.stage], tries(record, stage), stage_seconds(stage))
    yield from _requests(rows[ASK], 1, billed_seconds(usage.seconds))
    finder = record.finder
    if finder.searches:
        each = billed_seconds(Decimal(str(finder.seconds)) / finder.searches)
        yield from _requests(rows[FINDER], finder.searches, each)
    yield from _requests(rows[ARCHIVE], 1, billed_seconds(ARCHIVE_SECONDS))
    deliveries = sum(tries(record, stage) for stage in usage.stages)
    # Beside the steps: the message that the run has ended, and the answer's, each published and delivered once.
    sent = len(usage.stages) + deliveries + 4
    yield Use(MESSAGES, "pubsub.bytes", Decimal(MESSAGE_BYTES * sent))
    if record.kept is not None:
        yield from _kept(record, record.kept, deliveries)


def unknown_stages(records: Iterable[UsageRecord], table: StageTable) -> tuple[str, ...]:
    """Stages that runs had and the table has no row for, as after a stage was renamed."""
    told = {stage.stage for record in records for stage in record.usage.stages}
    return tuple(sorted(told - {row.name for row in table.functions}))


def tries(record: UsageRecord, stage: StageUsage) -> int:
    """How often a step was tried, the committed try included."""
    return max(1, record.attempts.get(f"{stage.reading}.{stage.stage}", 1))


def stage_seconds(stage: StageUsage) -> Decimal:
    """What one request of a stage is billed for, in seconds."""
    return billed_seconds(Decimal(str(stage.seconds)) + OVERHEAD_SECONDS)


def _requests(row: FunctionSetting, count: int, seconds: Decimal) -> Iterator[Use]:
    yield Use(row.name, "function.requests", Decimal(count))
    yield Use(row.name, "function.cpu", count * seconds * Decimal(str(row.cpu)))
    yield Use(row.name, "function.memory", count * seconds * gib(row))


def gib(row: FunctionSetting) -> Decimal:
    """A function's memory in GiB."""
    return Decimal(row.memory_mb) / 1024


def _kept(record: UsageRecord, kept: Kept, deliveries: int) -> Iterator[Use]:
    yield Use(STATE, "firestore.reads", Decimal(reads(record, kept, deliveries)))
    yield Use(STATE, "firestore.writes", Decimal(writes(record, kept, deliveries)))
    documents = 1 + len(record.usage.stages) + kept.annotations + kept.events
    yield Use(STATE, "firestore.deletes", Decimal(documents))
    stored = Decimal(kept.trace_bytes + kept.answer_bytes)
    yield Use(STATE, "firestore.storage", stored / GIB * STORED_SECONDS / MONTH_SECONDS)
    # The trace, the answer and the usage record are written, two listings look for them, and the trace is read.
    yield Use(FILES, "storage.class_a", Decimal(5))
    yield Use(FILES, "storage.class_b", Decimal(1))
    yield Use(FILES, "storage.bytes", (stored + USAGE_BYTES) / GIB)


def reads(record: UsageRecord, kept: Kept, deliveries: int) -> int:
    """Documents that a run's functions read.

    Each claim reads the run and the step, and each stage what was annotated before it. The trace is made from the
    steps, the events and the annotations; archiving reads the run and the steps; asking looks until the end.
    """
    stages = len(record.usage.stages)
    loaded = sum(kept.found)
    history = stages + kept.events + kept.annotations
    asking = int(record.usage.seconds * POLLS_A_SECOND) + 1
    return 2 * deliveries + loaded + history + (1 + stages) + asking


def writes(record: UsageRecord, kept: Kept, deliveries: int) -> int:
    """Documents that a run's functions write.

    The run and its first step; each claim and each giving back; with each commit the run, the step and its
    follow-up, where there is one; and every annotation and event.
    """
    stages = len(record.usage.stages)
    return 2 + deliveries + (deliveries - stages) + 3 * stages - 1 + kept.annotations + kept.events
