"""Usage records as they lie in an archive, read many at a time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Container, Iterable, Iterator
from typing import TYPE_CHECKING

from pydantic import ValidationError

from shared.accounting.usage_record import UsageRecord, day_folder
from shared.query.quantity import Frozen
from shared.runtime.errors import ObjectMissing, UsageError

if TYPE_CHECKING:
    from shared.runtime.ports import Archive

AT_ONCE = 32
"""Objects that are read at a time."""

Read = Callable[[str, bytes], UsageRecord]
"""Makes the record of an object by its name and its bytes. Raises ``ValueError`` for what is none."""


class Unreadable(Frozen):
    """A record that could not be read, and why: its run is missing from the sums."""

    name: str
    why: str


class TooMany(UsageError):  # noqa: N818 - the name says what is wrong
    """A period holds more runs than a report is made of."""

    def __init__(self, most: int) -> None:
        super().__init__(
            f"the period holds more than {most:,} runs that were not added up; ask for a shorter one with --since "
            "and --until, or have them added up: neuralkg report sums"
        )


async def names_of(
    archive: Archive, prefix: str, most: int, *, but: Container[str] = frozenset()
) -> AsyncIterator[str]:
    """The names under a prefix, those in ``but`` left out. Raises ``TooMany`` for more than ``most``."""
    count = 0
    async for name in archive.list(prefix):
        if name in but:
            continue
        count += 1
        if count > most:
            raise TooMany(most)
        yield name


async def read_records(
    archive: Archive, names: Iterable[str], read: Read
) -> tuple[list[UsageRecord], list[Unreadable]]:
    """All of some records, in the order of their names. Raises ``ArchiveError``."""
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
    return (
        [record for record in found if isinstance(record, UsageRecord)],
        [record for record in found if isinstance(record, Unreadable)],
    )


def kept_record(name: str, data: bytes) -> UsageRecord:
    """The record that the archive function has kept under this name."""
    record = UsageRecord.model_validate_json(data)
    if name != f"{day_folder(record.asked_at)}{record.run_id}.json":
        raise ValueError(
            f"it tells of the run {record.run_id} of {record.asked_at:%Y-%m-%d}, which has another name"
        )
    return record


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
