"""The usage records of a period: all that the reports are made of."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from shared.accounting.added_up import AddedUp, read_sums
from shared.accounting.record_files import Read, TooMany, Unreadable, kept_record, names_of, read_records
from shared.accounting.sums import Sums
from shared.accounting.usage_record import UsageRecord, day_folder, record_of_trace
from shared.accounting.window import Window
from shared.query.quantity import Frozen
from shared.runtime.closing import trace_name

if TYPE_CHECKING:
    from shared.runtime.ports import Archive

MOST = 50_000
"""Records that one report is made of; more would not fit its function's memory and time."""
_RUNS = "runs/"


class Ledger(Frozen):
    """The runs that were asked in ``window``: records in the order of the questions, and what others come to."""

    window: Window
    records: tuple[UsageRecord, ...]
    added_up: Sums = Sums()
    """Runs that are not among the records: so many that theirs were added up, see ``added_up``."""
    unreadable: tuple[Unreadable, ...] = ()
    source: str = "usage"
    """``usage``: the records that the archive function keeps; ``traces``: made here from the runs' traces."""


async def read_ledger(archive: Archive, window: Window, *, most: int = MOST, key: str | None = None) -> Ledger:
    """Read the records that the archive function has kept. Raises ``TooMany`` and ``ArchiveError``.

    With ``key`` (``sums_key``), a period that holds more than ``most`` of them is read from the sums that were made
    of them under this key, and from the records that are in none of these. It is then one of whole hours.
    """
    added = AddedUp() if key is None else await read_sums(archive, window, key)
    if added.records <= most:
        try:
            names = [name for day in window.days async for name in names_of(archive, day_folder(day), most)]
            return await _read(archive, window, names, kept_record, most=most, source="usage")
        except TooMany:
            if not added.records:
                raise
    whole = added.whole(window)
    names = [
        name
        for day in whole.days
        if not added.is_complete(day)
        async for name in names_of(archive, day_folder(day), most, but=added.names)
    ]
    rest = await _read(archive, whole, names, kept_record, most=most, source="usage")
    lost = (*rest.unreadable, *added.unreadable)
    return rest.model_copy(update={"added_up": added.within(whole), "unreadable": lost})


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
    return await _read(archive, window, names, _trace_record, most=most, source="traces")


async def _read(
    archive: Archive, window: Window, names: Sequence[str], read: Read, *, most: int, source: str
) -> Ledger:
    if len(names) > most:
        raise TooMany(most)
    found, unreadable = await read_records(archive, names, read)
    return Ledger(window=window, records=_in_order(found, window), unreadable=tuple(unreadable), source=source)


def _in_order(records: Iterable[UsageRecord], window: Window) -> tuple[UsageRecord, ...]:
    held = (record for record in records if window.holds(record.asked_at))
    return tuple(sorted(held, key=lambda record: (record.asked_at, record.run_id)))


def _trace_record(name: str, data: bytes) -> UsageRecord:
    record = record_of_trace(data)
    if name != trace_name(record.run_id):
        raise ValueError(f"it tells of the run {record.run_id}, not of its own")
    return record


def _dated(name: str) -> bool:
    """Whether a run's id begins with a time, as those do that we make."""
    stamp = name[len(_RUNS) : len(_RUNS) + 16]
    return len(stamp) == 16 and stamp[:8].isdecimal() and stamp[8] == "T" and stamp[15] == "-"
