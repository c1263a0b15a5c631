"""Keeps what is too large for a document in the archive, under the hash of its content."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from typing import NamedTuple

from pydantic import ValidationError

from shared.query.annotated import Annotation, Spilled
from shared.runtime.errors import ObjectDamaged
from shared.runtime.ports import Archive

LIMIT = 256 * 1024
"""Bytes of JSON that still travel in a document; a Firestore document holds 1 MiB in all."""


class Stored(NamedTuple):
    """Annotations as the store keeps them, and each of them as JSON."""

    annotations: tuple[Annotation, ...]
    bodies: tuple[str, ...]


async def spill(archive: Archive, annotations: Iterable[Annotation], *, limit: int = LIMIT) -> Stored:
    """The annotations as the store keeps them: a large one is put in the archive and a reference stands for it.

    Raises ``ArchiveError``.
    """
    kept, bodies = [], []
    for annotation in annotations:
        body = body_of(annotation)
        # Characters take one byte at least and four at most, so most need not be counted as bytes.
        if len(body) * 4 > limit and len(data := body.encode()) > limit:
            reference = await _spilled(archive, annotation, data)
            kept.append(reference)
            bodies.append(body_of(reference))
        else:
            kept.append(annotation)
            bodies.append(body)
    return Stored(tuple(kept), tuple(bodies))


def body_of(annotation: Annotation) -> str:
    """The annotation as JSON, as ``model_dump_json`` writes it.

    Pydantic writes a member of a union only after a trial of the whole; a payload by itself it writes at once.
    """
    head = annotation.model_dump_json(exclude={"payload"})
    return f'{head[:-1]},"payload":{annotation.payload.model_dump_json()}}}'


async def unspill(archive: Archive, annotations: Iterable[Annotation]) -> list[Annotation]:
    """The annotations as the stages see them. Raises ``ArchiveError`` when one is missing or was changed."""
    return [
        await _whole(archive, annotation, annotation.payload)
        if isinstance(annotation.payload, Spilled)
        else annotation
        for annotation in annotations
    ]


async def put_blob(archive: Archive, data: bytes) -> tuple[str, str]:
    """Put content in the archive; returns its name and its SHA-256."""
    digest = hashlib.sha256(data).hexdigest()
    name = f"blobs/{digest}"
    await archive.put(name, data)
    return name, digest


async def _spilled(archive: Archive, annotation: Annotation, data: bytes) -> Annotation:
    blob, digest = await put_blob(archive, data)
    reference = Spilled(of=annotation.payload.kind, blob=blob, sha256=digest, bytes=len(data))
    return annotation.model_copy(update={"payload": reference})


async def _whole(archive: Archive, annotation: Annotation, reference: Spilled) -> Annotation:
    data = await archive.get(reference.blob)
    if hashlib.sha256(data).hexdigest() != reference.sha256:
        raise ObjectDamaged(f"the archived payload of {annotation.key} is not the one that was written")
    try:
        return Annotation.model_validate_json(data)
    except ValidationError as error:
        # What is in it stays out of the message.
        raise ObjectDamaged(f"the archived payload of {annotation.key} cannot be read by this version") from error
