"""The published index in an archive: generations, the pieces of their files, and one pointer to the one in use.

::

    pieces/<sha256>           at most 8 MiB of a file; what two generations share is kept once
    generations/<name>.json   the record of a generation: its files, their sizes, hashes and pieces
    current.json              the pointer: the generation in use, and the hash of its record

The pointer is swapped under the condition that nobody else swapped it first, so of two publishers one loses and
changes nothing. A name begins with the time of publication, so names sort by age.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Coroutine, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Annotated, Any, Self, TypeVar

from pydantic import Field, ValidationError, model_validator

from shared.query.quantity import Frozen
from shared.runtime.errors import ArchiveConflict, IndexDamaged, ObjectMissing, UsageError
from shared.runtime.ports import VersionedArchive

POINTER = "current.json"
RECORDS = "generations/"
PIECES = "pieces/"
REMEDY = "publish again, or go back with: neuralkg index rollback"

_HASH = r"^[0-9a-f]{64}$"
_NAME = r"^[0-9]{8}T[0-9]{9}Z-[0-9a-f]{12}$"
_FILE = r"^[a-z][a-z_]*\.[a-z]+$"

M = TypeVar("M", bound=Frozen)


class PublishedFile(Frozen):
    """One file: ``pieces`` are the hashes of its parts in order, each but the last as long as the record says."""

    bytes: int = Field(ge=0)
    sha256: str = Field(pattern=_HASH)
    pieces: tuple[Annotated[str, Field(pattern=_HASH)], ...]


class Generation(Frozen):
    """The record of one generation."""

    format: int = Field(ge=1, le=1)
    name: str = Field(pattern=_NAME)
    after: str | None = Field(default=None, pattern=_NAME)
    """The generation that was in use when this one was published."""
    created_at: datetime
    entries: int
    model: str
    dimension: int
    piece_bytes: int = Field(ge=1, le=64 * 1024 * 1024)
    files: dict[Annotated[str, Field(pattern=_FILE)], PublishedFile]

    @model_validator(mode="after")
    def _pieces_fit(self) -> Self:
        for name, file in self.files.items():
            if len(file.pieces) != -(-file.bytes // self.piece_bytes):
                raise ValueError(f"{name} of {file.bytes} bytes cannot have {len(file.pieces)} pieces")
        return self

    @property
    def pieces(self) -> set[str]:
        """The hashes of all pieces."""
        return {piece for file in self.files.values() for piece in file.pieces}


class Pointer(Frozen):
    """Which generation is in use."""

    format: int = Field(ge=1, le=1)
    generation: str = Field(pattern=_NAME)
    record_sha256: str = Field(pattern=_HASH)
    pointed_at: datetime


@dataclass(frozen=True, slots=True)
class Current:
    """The pointer, the version of its object in the archive, and the record that it points to."""

    pointer: Pointer
    version: str
    generation: Generation


class PublishedIndex:
    """The published index of one archive; ``address`` is what messages call it."""

    def __init__(self, archive: VersionedArchive, address: str) -> None:
        self.archive, self.address = archive, address

    async def pointer(self) -> tuple[Pointer, str] | None:
        """The pointer and the version of its object; ``None`` where nothing was published."""
        try:
            data, version = await self.archive.read(POINTER)
        except ObjectMissing:
            return None
        return self._parsed(Pointer, data, POINTER), version

    async def standing(self) -> tuple[str | None, str | None]:
        """The generation in use and the version of the pointer, for whoever is to replace it.

        A pointer that cannot be read has a version and no generation, so that it can be replaced too.
        """
        try:
            data, version = await self.archive.read(POINTER)
        except ObjectMissing:
            return None, None
        try:
            return self._parsed(Pointer, data, POINTER).generation, version
        except IndexDamaged:
            return None, version

    async def current(self) -> Current:
        """The generation in use. Raises ``IndexDamaged`` where there is none or its record is not the one meant."""
        found = await self.pointer()
        if found is None:
            raise IndexDamaged(
                f"no index is published at {self.address}; do it with: neuralkg index publish --to {self.address}"
            )
        pointer, version = found
        record, data = await self.record(pointer.generation)
        if hashlib.sha256(data).hexdigest() != pointer.record_sha256:
            raise IndexDamaged(
                f"the record of the generation {pointer.generation} at {self.address} is not the one that was "
                f"published; {REMEDY}"
            )
        return Current(pointer, version, record)

    async def record(self, name: str) -> tuple[Generation, bytes]:
        """The record of a generation, read and as it is; raises ``IndexDamaged``."""
        try:
            data = await self.archive.get(record_of(name))
        except ObjectMissing as error:
            raise IndexDamaged(f"the generation {name} is not at {self.address}; {REMEDY}") from error
        return self._parsed(Generation, data, record_of(name)), data

    async def generations(self) -> list[str]:
        """The names of the generations that are kept, the oldest first."""
        return [name.removeprefix(RECORDS).removesuffix(".json") async for name in self.archive.list(RECORDS)]

    async def missing(self, generation: Generation) -> set[str]:
        """The pieces of a generation that the archive does not hold."""
        there = {name.removeprefix(PIECES) async for name in self.archive.list(PIECES)}
        return generation.pieces - there

    async def point(self, name: str, record: bytes, *, version: str | None) -> None:
        """Make a generation the one in use, where the pointer still has this version; else ``ArchiveConflict``."""
        pointer = Pointer(
            format=1,
            generation=name,
            record_sha256=hashlib.sha256(record).hexdigest(),
            pointed_at=datetime.now(UTC),
        )
        try:
            await self.archive.swap(POINTER, pointer.model_dump_json().encode(), version=version)
        except ArchiveConflict as error:
            raise ArchiveConflict(
                f"another publication to {self.address} came first, and the index in use is its; "
                "to replace it, publish again"
            ) from error

    async def roll_back(self, name: str | None = None) -> str:
        """Point to an older generation, by default the one that the current was published over; returns its name.

        Raises ``UsageError`` where there is none of that name, and ``IndexDamaged`` where pieces of it are missing.
        """
        current, version = await self.standing()
        kept = await self.generations()
        wanted = name or (await self._before(current) if current else None)
        if wanted is None or wanted not in kept:
            told = f"no generation {name!r}" if name else "no generation to go back to"
            raise UsageError(f"there is {told} at {self.address}; kept are: {', '.join(kept) or 'none'}")
        record, data = await self.record(wanted)
        if missing := await self.missing(record):
            raise IndexDamaged(f"the generation {wanted} at {self.address} lacks {len(missing)} of its pieces")
        await self.point(wanted, data, version=version)
        return wanted

    async def _before(self, name: str) -> str | None:
        record, _ = await self.record(name)
        return record.after

    def _parsed(self, model: type[M], data: bytes, name: str) -> M:
        try:
            return model.model_validate_json(data)
        except ValidationError as error:
            first = error.errors()[0]
            where = ".".join(map(str, first["loc"])) or "the whole"
            raise IndexDamaged(
                f"{name} at {self.address} is not in the form that this program writes: {where}: {first['msg']}; "
                f"{REMEDY}"
            ) from error


def record_of(name: str) -> str:
    """What the record of a generation is called in the archive."""
    return f"{RECORDS}{name}.json"


async def all_done(works: Iterable[Coroutine[Any, Any, None]]) -> None:
    """Do all works at once; the first failure ends the others and is raised."""
    try:
        async with asyncio.TaskGroup() as group:
            for work in works:
                group.create_task(work)
    except BaseExceptionGroup as several:
        raise several.exceptions[0] from several
