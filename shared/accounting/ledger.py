"""The usage records of a period: all that the reports are made of."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Iterator
from typing import TYPE_CHECKING

from pydantic import ValidationError

from shared.accounting.usage_record import UsageRecord, day_folder, record_of_trace
from shared.accounting.window import Window
from shared.query.quantity import Frozen
from shared.runtime.closing import trace_name
from shared.runtime.errors import ObjectMissing, UsageError

if TYPE_CHECKING:
    from shared.runtime.ports import Archive

AT_ONCE = 32
"""Objects that are read at a time."""
MOST = 50_000
"""Records that one report is made of; more would not fit its function's memory and time."""
_RUNS = "runs/"


class Unreadable(Frozen):
    """A record that could not be read, and why: its run is missing from the sums."""

    name: str
    why: str


class Ledger(Frozen):
    """The records of the runs that were asked in ``window``, in the order of their questions."""

    window: Window
    records: tuple[UsageRecord, ...]
    unreadable: tuple[Unreadable, ...] = ()
    source: str = "usage"
    """``usage``: the records that the archive function keeps; ``traces``: made here from the runs' traces."""


class TooMany(UsageError):  # noqa: N818 - the name says what is wrong
    """A period holds more runs than a report is made of."""

    def __init__(self, most: int) -> None:
        super().__init__(
            f"the period holds more than {most:,} runs; ask for a shorter one with --since and --until"
        )


async def read_ledger(archive: Archive, window: Window, *, most: int = MOST) -> Ledger:
    """Read the records that the archive function has kept. Raises ``TooMany`` and ``ArchiveError``."""
    names = [name for day in window.days async for name in _bounded(archive, day_folder(day), most)]
    return await _read(archive, window, names, most=most, source="usage")


async def ledger_of_traces(archive: Archive, window: Window, *, most: int = MOST) -> Ledger:
    """Make the records of a program without an archive function from its runs' traces. Raises as ``read_ledger``.

    A run's id begins with the second of its question, so traces outside the window are not opened.
    """
    # A run is created a moment after its id is made, or under an id that a client chose.
    first, last = f"{window.start:%Y%m%dT%H%M%S}", f"{window.end:%Y%m%dT%H%M%S}~"
    names = [
        name
        async for name in archive.list(_RUNS)
        if name.endswith("/trace.json") and (not _dated(name) or first <= name[len(_RUNS) :] <= last)
    ]
    return await _read(archive, window, names, most=most, source="traces")


async def _bounded(archive: Archive, prefix: str, most: int) -> AsyncIterator[str]:
    count = 0
    async for name in archive.list(prefix):
        count += 1
        if count > most:
            raise TooMany(most)
        yield name


async def _read(archive: Archive, window: Window, names: list[str], *, most: int, source: str) -> Ledger:
    if len(names) > most:
        raise TooMany(most)
    read = _trace_record if source == "traces" else _usage_record
    gate = asyncio.Semaphore(AT_ONCE)

    async def one(name: str) -> UsageRecord | Unreadable | None:
        async with gate:
            try:
                data = await archive.get(name)
            except ObjectMissing:
                # It was there a moment ago: its lifecycle has ended just now.
                return None
        try:
            return read(name, data)
        except ValidationError as error:
            fault = error.errors()[0]
            return Unreadable(name=name, why=f"{'.'.join(map(str, fault['loc'])) or 'it'}: {fault['msg']}")
        except ValueError as error:
            return Unreadable(name=name, why=str(error))

    found: list[UsageRecord | Unreadable | None] = []
    for batch in _batches(names):
        found += await asyncio.gather(*map(one, batch))
    records = [record for record in found if isinstance(record, UsageRecord) and window.holds(record.asked_at)]
    return Ledger(
        window=window,
        records=tuple(sorted(records, key=lambda record: (record.asked_at, record.run_id))),
        unreadable=tuple(record for record in found if isinstance(record, Unreadable)),
        source=source,
    )


def _usage_record(name: str, data: bytes) -> UsageRecord:
    record = UsageRecord.model_validate_json(data)
    if name != f"{day_folder(record.asked_at)}{record.run_id}.json":
        raise ValueError(
            f"it tells of the run {record.run_id} of {record.asked_at:%Y-%m-%d}, which has another name"
        )
    return record


def _trace_record(name: str, data: bytes) -> UsageRecord:
    record = record_of_trace(data)
    if name != trace_name(record.run_id):
        raise ValueError(f"it tells of the run {record.run_id}, not of its own")
    return record


def _dated(name: str) -> bool:
    """Whether a run's id begins with a time, as those do that we make."""
    stamp = name[len(_RUNS) : len(_RUNS) + 16]
    return len(stamp) == 16 and stamp[:8].isdecimal() and stamp[8] == "T" and stamp[15] == "-"


def _batches(names: Iterable[str], size: int = 8 * AT_ONCE) -> Iterator[list[str]]:
    """Few enough tasks at a time, however many records there are."""
    batch: list[str] = []
    for name in names:
        batch.append(name)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
