"""Sums of usage records, kept beside them, so that a report over many runs need not read every one.

Every hour the records that no sums cover yet are added up, some thousands at a time, and each such part is written
once, beside the names of its records. So a record that comes late is in a later part, and none is in two: of two
makers at once, one finds the part's name taken and leaves the records to the other.
"""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time, timedelta
from functools import reduce
from hashlib import sha256
from typing import TYPE_CHECKING, Literal

from pydantic import ValidationError
from pydantic_core import to_json

from shared.accounting.costs import HOUR, hour_of
from shared.accounting.covered import Covered, hash_of
from shared.accounting.record_files import Unreadable, kept_record, read_records
from shared.accounting.sums import Sums
from shared.accounting.usage_record import UsageRecord, day_folder
from shared.accounting.window import Window
from shared.query.quantity import Frozen
from shared.runtime.errors import ArchiveConflict

if TYPE_CHECKING:
    from shared.accounting.prices import PriceTable
    from shared.runtime.ports import Archive, VersionedArchive
    from shared.runtime.settings import StageTable

FOLDER = "usage-sums"
PART = 5_000
"""Records that are added up at a time."""
LATEST = timedelta(days=8)
"""How long after its day a record may still come: a message is kept for seven days."""
SETTLING = timedelta(hours=2)
"""Days that ended later are looked at each time: to look is to list all of a day's records."""
REST = timedelta(hours=6)
"""How long a day that ended before is left alone when it was looked at; from ``YOUNG`` on, for a day."""
YOUNG = timedelta(days=2)
"""How long after its end a day is looked at more than once a day."""
_DAY = timedelta(days=1)
_VERSION = 1


class Part(Frozen):
    """The sums of some records of one day, by the hour (UTC) of their questions.

    ``names`` are those of all records that it covers, the unreadable ones too, without their folder.
    """

    schema_version: Literal[1] = 1
    made_at: datetime
    names: tuple[str, ...]
    hours: dict[datetime, Sums]
    unreadable: tuple[Unreadable, ...] = ()


@dataclass(frozen=True, slots=True)
class AddedUp:
    """What the parts of some days say together."""

    records: int = 0
    """How many records it covers."""
    names: Covered = field(default_factory=Covered)
    """Those of them whose days must be listed again."""
    hours: dict[datetime, Sums] = field(default_factory=dict)
    unreadable: tuple[Unreadable, ...] = ()
    looked_at: dict[date, datetime] = field(default_factory=dict)
    """By day, when its records were last listed."""

    def is_complete(self, day: date) -> bool:
        """Whether the day was over long enough when it was last looked at that a report need not list it again."""
        return _complete(day, self.looked_at.get(day))

    def whole(self, window: Window) -> Window:
        """The window made wider where it begins or ends inside of an hour that was added up."""
        start, end = hour_of(window.start), hour_of(window.end)
        return Window(
            start=start if start in self.hours else window.start,
            end=end + HOUR if end in self.hours and end != window.end else window.end,
        )

    def within(self, window: Window) -> Sums:
        """The sums of all hours that begin in a window."""
        return reduce(Sums.plus, (sums for hour, sums in self.hours.items() if window.holds(hour)), Sums())


def sums_key(table: StageTable, prices: PriceTable) -> str:
    """What sums rest on beside the records: for other sizes or prices they are made anew, under another key."""
    rows = [(row.name, row.memory_mb, row.cpu, row.concurrency) for row in table.functions]
    return sha256(to_json([_VERSION, rows, prices.model_dump(mode="json")])).hexdigest()[:12]


async def read_sums(archive: Archive, window: Window, key: str) -> AddedUp:
    """The parts of all days that a window touches; what is no part counts for nothing. Raises ``ArchiveError``."""
    records, names = 0, array("Q")
    hours: dict[datetime, Sums] = {}
    lost: list[Unreadable] = []
    looked_at: dict[date, datetime] = {}
    for day in window.days:
        listed = array("Q")
        async for part in _parts(archive, day, key):
            if part is None:
                continue
            listed.extend(hash_of(f"{day_folder(day)}{name}") for name in part.names)
            lost += part.unreadable
            looked_at[day] = max(part.made_at, looked_at.get(day, part.made_at))
            for hour, sums in part.hours.items():
                hours[hour] = hours[hour].plus(sums) if hour in hours else sums
        records += len(listed)
        if not _complete(day, looked_at.get(day)):
            names.extend(listed)
    return AddedUp(records, Covered(names), hours, tuple(lost), looked_at)


@dataclass(frozen=True, slots=True)
class Adder:
    """Adds up the records of an archive by the sizes and prices of two tables. Raises ``ArchiveError``."""

    archive: VersionedArchive
    table: StageTable
    prices: PriceTable

    async def add(self, *, now: datetime, window: Window | None = None) -> int:
        """Add up what no part covers yet; returns how many records that were. What was written before stays.

        By default it looks at the days of which records may still come, with ``window`` at all that it touches.
        """
        key, done = sums_key(self.table, self.prices), 0
        for day in (window or Window(start=now - LATEST, end=now)).days:
            names, seen, taken = array("Q"), None, 0
            async for part in _parts(self.archive, day, key):
                taken += 1
                if part is not None:
                    names.extend(map(hash_of, part.names))
                    seen = max(part.made_at, seen or part.made_at)
            if window is None and not _due(day, seen, now):
                continue
            done += await self._day(day, _folder(day, key), Covered(names), taken, now=now)
        return done

    async def _day(self, day: date, place: str, known: Covered, taken: int, *, now: datetime) -> int:
        folder = day_folder(day)
        new = [name async for name in self.archive.list(folder) if name.removeprefix(folder) not in known]
        # A day without news is noted as looked at, once it is old enough for that to count.
        batches = [new[n : n + PART] for n in range(0, len(new), PART)] or [[]] * (now > _end(day) + SETTLING)
        done = 0
        for number, batch in enumerate(batches, taken):
            records, lost = await read_records(self.archive, batch, kept_record)
            part = Part(
                made_at=now,
                names=tuple(name.removeprefix(folder) for name in batch),
                hours=_by_hour(records, self.table, self.prices),
                unreadable=tuple(lost),
            )
            try:
                await self.archive.swap(f"{place}{number:06d}.json", to_json(part), version=None)
            except ArchiveConflict:
                # Somebody else adds up this day, and all that is left of it.
                return done
            done += len(batch)
        return done


def _by_hour(records: Sequence[UsageRecord], table: StageTable, prices: PriceTable) -> dict[datetime, Sums]:
    found: defaultdict[datetime, list[UsageRecord]] = defaultdict(list)
    for record in records:
        found[hour_of(record.asked_at)].append(record)
    return {hour: Sums.of(some, table, prices) for hour, some in found.items()}


async def _parts(archive: Archive, day: date, key: str) -> AsyncIterator[Part | None]:
    """A day's parts, one at a time; ``None`` is one that cannot be read, whose name stays taken."""
    async for name in archive.list(_folder(day, key)):
        data = await archive.get(name)
        try:
            part = Part.model_validate_json(data)
        except ValidationError:
            yield None
        else:
            yield part


def _due(day: date, seen: datetime | None, now: datetime) -> bool:
    """Whether a day that was last looked at when ``seen`` is to be looked at now."""
    end = _end(day)
    if seen is None or now <= end + SETTLING:
        return True
    if now > end + YOUNG:
        return not _complete(day, seen) or now - seen >= _DAY
    return now - seen >= REST


def _complete(day: date, seen: datetime | None) -> bool:
    return seen is not None and seen >= _end(day) + YOUNG


def _folder(day: date, key: str) -> str:
    return f"{FOLDER}/{key}/{day:%Y/%m/%d}/"


def _end(day: date) -> datetime:
    return datetime.combine(day + _DAY, time(), UTC)
