"""Reads what an operation asks about: lists without what has expired, and whether a document is there."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from typing import TypeVar

from shared.adapters.firestore_documents import expired, open_since, run_path, step_path
from shared.adapters.firestore_steps import Held, HeldSteps, by_path, holding
from shared.adapters.firestore_values import Query, Stored
from shared.adapters.firestore_wire import Database, Turn
from shared.query.identifiers import RunId
from shared.runtime.errors import StoreCorrupt
from shared.runtime.records import RunRecord, RunStatus, StepCommit, StepRef

log = logging.getLogger(__name__)

T = TypeVar("T")


async def under(database: Database, run_id: RunId, query: Query, *, now: datetime, after: int = 0) -> list[Stored]:
    """The documents under a run that are numbered above ``after``."""
    parent = run_path(run_id)

    async def attempt(turn: Turn) -> list[Stored]:
        return await database.query(turn, query, parent=parent, above=after)

    return [document for document in await database.patiently(attempt) if not expired(document, now)]


async def first(
    database: Database, query: Query, limit: int, *, now: datetime, upto: datetime | None = None
) -> list[Stored]:
    """The first documents of a query, at most ``limit``; what has expired is passed over page by page."""
    found: list[Stored] = []
    last: Stored | None = None

    async def attempt(turn: Turn) -> list[Stored]:
        return await database.query(turn, query, upto=upto, limit=limit, after=last)

    while len(found) < limit:
        page = await database.patiently(attempt)
        found += [document for document in page if not expired(document, now)]
        if len(page) < limit:
            break
        last = page[-1]
    return found[:limit]


def readable(found: Iterable[Stored], read: Callable[[Stored], T]) -> list[T]:
    """What is in documents of many runs; one that cannot be read keeps nobody from the others."""
    read_of: list[T] = []
    for document in found:
        try:
            read_of.append(read(document))
        except StoreCorrupt as error:
            log.warning("passed over: %s", error)
    return read_of


def since_when(step: Stored) -> datetime:
    """Since when a step stands as it does; one that does not tell comes last."""
    at = step.fields.get("changed_at")
    return at if isinstance(at, datetime) else datetime.max.replace(tzinfo=UTC)


async def stands_open(database: Database, turn: Turn, run: RunRecord, following: StepRef) -> datetime | None:
    """Since when a follow-up has stood open, if it does; the run's cursor tells that all but the newest do not."""
    at_cursor = (run.cursor_reading, run.cursor_stage) == (following.reading, following.stage)
    if run.status is not RunStatus.RUNNING or not at_cursor:
        return None
    (found,) = await database.get(turn, step_path(following))
    return open_since(found) if found is not None else None


async def present(database: Database, turn: Turn, run: Stored, result: StepCommit) -> dict[str, Stored]:
    """What is there already of the documents that a commit adds, by where it stands."""
    added = [*by_path(run, result), *([step_path(result.next)] if result.next else [])]
    found = await database.get(turn, *added, only=["expires_at"]) if added else []
    return {document.path: document for document in found if document is not None}


async def leaving(database: Database, held_steps: HeldSteps, turn: Turn, step: StepRef, token: str) -> Held | None:
    """The documents of a step that ``token`` is about to leave, at first as they are remembered.

    ``None`` when an earlier attempt has left it and its answer was lost. Raises ``LeaseLost``.
    """
    held = held_steps.take(step.run_id, token)
    if held is not None:
        return held
    run, found = await database.get(turn, run_path(step.run_id), step_path(step))
    if turn.unsure and found is not None and found.fields.get("left_by") == token:
        return None
    return holding(step, token, run, found)
