"""Brings a published generation into a local folder: whole and proved, or not at all.

::

    <folder>/<generation>/           a generation that was proved: the index, and ``leaves/`` where they came along
    <folder>/.fetching-<generation>/ one that is on its way; what is there of it is not fetched again
    <folder>/<generation>.lock       held by each process that uses it or fetches it

A piece that another local generation has at the same place is copied from there.
"""

from __future__ import annotations

import asyncio
import fcntl
import hashlib
import os
import shutil
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from finder_index.generations import PIECES, REMEDY, Generation, PublishedFile, PublishedIndex, all_done
from finder_index.index_files import sha256_of
from finder_index.leaf_pack import LEAVES, unpack_leaves
from shared.runtime.errors import FinderError, IndexDamaged, ObjectMissing

RECORD = "generation.json"
UNPACKED = "leaves"
AT_ONCE = 4
"""Pieces under way at one time: 32 MiB of memory."""
OTHERS_SECONDS = 900.0
"""How long another process may take over a generation."""
_PARTIAL = ".fetching-"


@dataclass(slots=True)
class Fetched:
    """A generation in a local folder, which stays there until every process that holds it has let go."""

    generation: Generation
    path: Path
    _lock: BinaryIO

    @property
    def corpus(self) -> Path | None:
        """The folder of its leaves, ``None`` where they were not published with it."""
        found = self.path / UNPACKED
        return found if found.is_dir() else None

    def release(self) -> None:
        """Let go of it; it stays in the folder."""
        self._lock.close()


async def fetch(published: PublishedIndex, generation: Generation, folder: Path) -> Fetched:
    """Bring a generation into ``folder``; at once where it is there already, and proved again.

    Raises ``IndexDamaged`` when a piece is missing or is not what the record says, ``ArchiveError`` when the
    archive cannot be read, and ``FinderError`` when the folder cannot be written.
    """
    try:
        lock = await asyncio.to_thread(_lock, folder, generation.name)
    except OSError as error:
        raise _unwritable(folder, error) from error
    try:
        target = folder / generation.name
        if not await asyncio.to_thread(_is_whole, target, generation):
            async with _alone(folder):
                # Another process may have brought it meanwhile.
                if not await asyncio.to_thread(_is_whole, target, generation):
                    await _bring(published, generation, folder)
        return Fetched(generation, target, lock)
    except OSError as error:
        lock.close()
        raise _unwritable(folder, error) from error
    except BaseException:
        lock.close()
        raise


def local_generations(folder: Path) -> Iterator[Fetched]:
    """The generations in ``folder`` that are whole, the newest first; each is held by whoever takes it."""
    for path in sorted(folder.glob("*/" + RECORD), reverse=True):
        try:
            generation = Generation.model_validate_json(path.read_bytes())
            lock = _lock(folder, generation.name)
        except (OSError, ValueError):
            continue
        if _is_whole(path.parent, generation):
            yield Fetched(generation, path.parent, lock)
        else:
            lock.close()


def remove_unused(folder: Path, *, keep: str) -> list[str]:
    """Remove the generations, whole or half, that no process holds, but for ``keep``; returns their names."""
    removed = []
    for path in folder.glob("*.lock"):
        name = path.name.removesuffix(".lock")
        if name == keep:
            continue
        with path.open("ab") as lock:
            if not _taken(lock):
                continue
            # The lock's file goes first: whoever takes it up now finds it gone and makes a new one.
            path.unlink(missing_ok=True)
            for one in (folder / name, folder / f"{_PARTIAL}{name}"):
                shutil.rmtree(one, ignore_errors=True)
            removed.append(name)
    return removed


async def _bring(published: PublishedIndex, generation: Generation, folder: Path) -> None:
    partial = folder / f"{_PARTIAL}{generation.name}"
    others = await asyncio.to_thread(_begun, partial)
    turns = asyncio.Semaphore(AT_ONCE)

    async def piece(name: str, file: PublishedFile, number: int) -> None:
        start = number * generation.piece_bytes
        length = min(generation.piece_bytes, file.bytes - start)
        wanted = file.pieces[number]
        async with turns:
            data = await asyncio.to_thread(_at_hand, others, name, start, length, wanted)
            if data is None:
                data = await _downloaded(published, generation, name, wanted)
            await asyncio.to_thread(_write_at, partial / name, start, data)

    await all_done(
        piece(name, file, number) for name, file in generation.files.items() for number in range(len(file.pieces))
    )
    await asyncio.to_thread(_finish, partial, folder / generation.name, generation)


async def _downloaded(published: PublishedIndex, generation: Generation, name: str, wanted: str) -> bytes:
    try:
        data = await published.archive.get(PIECES + wanted)
    except ObjectMissing as error:
        raise IndexDamaged(
            f"the generation {generation.name} at {published.address} lacks a piece of {name}, {wanted[:12]}; "
            f"{REMEDY}"
        ) from error
    if hashlib.sha256(data).hexdigest() != wanted:
        raise IndexDamaged(
            f"a piece of {name} in the generation {generation.name} at {published.address} has another sha256 than "
            f"its record says, {wanted[:12]}; {REMEDY}"
        )
    return data


def _begun(partial: Path) -> list[Path]:
    """Make the folder of a generation on its way; returns all folders in which pieces of it may lie."""
    partial.mkdir(exist_ok=True)
    return [partial, *(path for path in partial.parent.iterdir() if path.is_dir() and path != partial)]


def _finish(partial: Path, target: Path, generation: Generation) -> None:
    for name, file in generation.files.items():
        with (partial / name).open("ab") as stream:
            stream.truncate(file.bytes)
    if (partial / LEAVES).is_file():
        unpack_leaves(partial / LEAVES, partial / UNPACKED)
    (partial / RECORD).write_bytes(generation.model_dump_json().encode())
    if not _is_whole(partial, generation):
        shutil.rmtree(partial)
        raise IndexDamaged(f"the files of the generation {generation.name} are not those of its record; {REMEDY}")
    if target.exists():
        shutil.rmtree(target)
    partial.rename(target)


def _is_whole(path: Path, generation: Generation) -> bool:
    """Whether every file is there with the hash of the record."""
    return (path / RECORD).is_file() and all(
        (path / name).is_file() and sha256_of(path / name) == file.sha256 for name, file in generation.files.items()
    )


def _at_hand(folders: Sequence[Path], name: str, start: int, length: int, wanted: str) -> bytes | None:
    """The piece as another folder has it at the same place, or ``None``."""
    for folder in folders:
        try:
            with (folder / name).open("rb") as stream:
                stream.seek(start)
                data = stream.read(length)
        except OSError:
            continue
        if len(data) == length and hashlib.sha256(data).hexdigest() == wanted:
            return data
    return None


def _write_at(path: Path, start: int, data: bytes) -> None:
    file = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
    try:
        written = 0
        while written < len(data):
            written += os.pwrite(file, data[written:], start + written)
    finally:
        os.close(file)


def _lock(folder: Path, name: str) -> BinaryIO:
    """Hold a generation against removal."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.lock"
    while True:
        lock = path.open("ab")
        fcntl.flock(lock, fcntl.LOCK_SH)
        try:
            if os.path.samestat(path.stat(), os.fstat(lock.fileno())):
                return lock
        except FileNotFoundError:
            pass
        lock.close()


@asynccontextmanager
async def _alone(folder: Path) -> AsyncIterator[None]:
    """Be the only process that brings a generation into the folder."""
    with await asyncio.to_thread((folder / ".fetching").open, "ab") as lock:
        until = time.monotonic() + OTHERS_SECONDS
        while not _taken(lock):
            if time.monotonic() > until:
                raise FinderError(f"another process fetches into {folder} for {OTHERS_SECONDS:g} s already; end it")
            await asyncio.sleep(0.1)
        yield


def _taken(lock: BinaryIO) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _unwritable(folder: Path, error: OSError) -> FinderError:
    told = error.strerror or type(error).__name__
    return FinderError(f"the index cannot be kept in {folder}: {told}; make room, or set NEURALKG_INDEX_FOLDER")
