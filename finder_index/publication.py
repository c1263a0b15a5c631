"""Publishes a built index: its files in pieces, its record, and then the pointer to it."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from finder_index.generations import (
    PIECES,
    Generation,
    PublishedFile,
    PublishedIndex,
    all_done,
    record_of,
)
from finder_index.index import damaged_files, files_of, read_manifest
from finder_index.leaf_pack import LEAVES, pack_leaves
from shared.runtime.errors import IndexDamaged, UsageError

PIECE_BYTES = 8 * 1024 * 1024
KEPT = 5
AT_ONCE = 4
"""Pieces under way at one time: 32 MiB of memory."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Published:
    """What a publication did: ``pieces`` of its generation, how many were uploaded, which generations went.

    ``unchanged`` tells that these very files were in use already, so that nothing was done.
    """

    generation: str
    unchanged: bool = False
    pieces: int = 0
    uploaded: int = 0
    uploaded_bytes: int = 0
    dropped: tuple[str, ...] = ()


async def publish(
    published: PublishedIndex,
    folder: Path,
    *,
    corpus: Path | None = None,
    keep: int = KEPT,
    progress: Progress | None = None,
) -> Published:
    """Publish a built index, with the leaves of ``corpus`` where given, and make it the generation in use.

    ``progress`` is told how many pieces of how many are there. Raises ``IndexDamaged`` for an unsound index,
    ``ArchiveConflict`` when another publication came first, and ``ArchiveError``.
    """
    if keep < 1:
        raise UsageError(f"at least one generation must be kept, found {keep}")
    after, version = await published.standing()
    with pack_leaves(corpus) as pack:
        files, generation = await asyncio.to_thread(_described, folder, pack, after)
        if after and await _in_use(published, after, generation):
            return Published(after, unchanged=True)
        # The record stands before its pieces, so that no cleaning takes them for pieces of nobody.
        record = generation.model_dump_json().encode()
        await published.archive.put(record_of(generation.name), record)
        uploaded = await _upload(published, generation, files, progress)
        await published.point(generation.name, record, version=version)
        dropped = await _drop(published, generation.name, keep)
        # A publication that ended meanwhile may have cleaned away a piece that both have.
        uploaded += await _upload(published, generation, files, None)
    return Published(
        generation.name,
        pieces=len(generation.pieces),
        uploaded=len(uploaded),
        uploaded_bytes=sum(uploaded),
        dropped=dropped,
    )


async def _in_use(published: PublishedIndex, name: str, generation: Generation) -> bool:
    """Whether the generation of that name is whole and has the very files of this one."""
    try:
        current, _ = await published.record(name)
    except IndexDamaged:
        return False
    return current.files == generation.files and not await published.missing(current)


async def _upload(
    published: PublishedIndex, generation: Generation, files: Mapping[str, Path], progress: Progress | None
) -> list[int]:
    """Put the pieces that are not there yet; returns their sizes."""
    missing = await published.missing(generation)
    places = {
        piece: (files[name], number * generation.piece_bytes)
        for name, file in generation.files.items()
        for number, piece in enumerate(file.pieces)
        if piece in missing
    }
    sizes: list[int] = []
    turns = asyncio.Semaphore(AT_ONCE)

    async def put(piece: str, path: Path, start: int) -> None:
        async with turns:
            data = await asyncio.to_thread(_piece_at, path, start, generation.piece_bytes)
            if hashlib.sha256(data).hexdigest() != piece:
                raise IndexDamaged(f"{path.name} changed while it was being published; publish again")
            await published.archive.put(PIECES + piece, data, content_type="application/octet-stream")
        sizes.append(len(data))
        if progress:
            progress(len(sizes), len(places))

    await all_done(put(piece, path, start) for piece, (path, start) in places.items())
    return sizes


async def _drop(published: PublishedIndex, current: str, keep: int) -> tuple[str, ...]:
    """Remove the oldest records and the pieces that only they had, where ``current`` is still in use."""
    names = await published.generations()
    kept = {*names[-keep:], current}
    dropped = tuple(name for name in names if name not in kept)
    found = await published.pointer()
    if not dropped or found is None or found[0].generation != current:
        return ()
    theirs = {piece for name in dropped for piece in await _pieces_of(published, name)}
    ours = {piece for name in kept for piece in await _pieces_of(published, name)}
    for name in dropped:
        await published.archive.delete(record_of(name))
    turns = asyncio.Semaphore(AT_ONCE)

    async def delete(piece: str) -> None:
        async with turns:
            await published.archive.delete(PIECES + piece)

    await all_done(delete(piece) for piece in theirs - ours)
    return dropped


async def _pieces_of(published: PublishedIndex, name: str) -> set[str]:
    """The pieces of a generation; none where its record cannot be read, so that they stay."""
    try:
        record, _ = await published.record(name)
    except IndexDamaged:
        return set()
    return record.pieces


def _described(folder: Path, pack: Path | None, after: str | None) -> tuple[dict[str, Path], Generation]:
    """The files to publish and their record. Raises ``IndexDamaged`` when the index is not as it was built."""
    if problems := damaged_files(folder):
        raise IndexDamaged(f"the index at {folder.name} is damaged: {'; '.join(problems)}; build it anew first")
    manifest = read_manifest(folder)
    files = {name: folder / name for name in ("manifest.json", *files_of(manifest))}
    if pack is not None:
        files[LEAVES] = pack
    described = {name: _file(path) for name, path in files.items()}
    now = datetime.now(UTC)
    whole = hashlib.sha256("".join(file.sha256 for file in described.values()).encode()).hexdigest()
    return files, Generation(
        format=1,
        name=f"{now:%Y%m%dT%H%M%S}{now.microsecond // 1000:03}Z-{whole[:12]}",
        after=after,
        created_at=now,
        entries=manifest["entries"],
        model=manifest["model"],
        dimension=manifest["dimension"],
        piece_bytes=PIECE_BYTES,
        files=described,
    )


def _file(path: Path) -> PublishedFile:
    whole, pieces, size = hashlib.sha256(), [], 0
    with path.open("rb") as stream:
        while data := stream.read(PIECE_BYTES):
            whole.update(data)
            pieces.append(hashlib.sha256(data).hexdigest())
            size += len(data)
    return PublishedFile(bytes=size, sha256=whole.hexdigest(), pieces=tuple(pieces))


def _piece_at(path: Path, start: int, length: int) -> bytes:
    with path.open("rb") as stream:
        stream.seek(start)
        return stream.read(length)
