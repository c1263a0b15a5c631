"""Runs as they lie in the store, looked at by commands that answer nothing themselves."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from typing import TYPE_CHECKING

from shared.runtime.context import utc_now
from shared.runtime.errors import ArchiveError, RunError
from shared.runtime.records import RunStatus

if TYPE_CHECKING:
    from functions.local.settings import Settings
    from shared.query.annotated import ProgressEvent
    from shared.query.answer import Answer
    from shared.query.identifiers import RunId
    from shared.runtime.ports import RunStore
    from shared.runtime.records import RunRecord

POLL_SECONDS = 0.05
OVERTIME = timedelta(seconds=30)
"""How long past its deadline a run may still be busy writing its answer before it counts as abandoned."""


@asynccontextmanager
async def open_store(settings: Settings) -> AsyncIterator[RunStore]:
    """The store alone, without models, finder or plugins."""
    from shared.adapters.sqlite_store import SqliteStore

    store = SqliteStore(settings.store)
    try:
        yield store
    finally:
        await store.close()


async def follow(store: RunStore, run_id: RunId) -> AsyncIterator[ProgressEvent]:
    """The run's events from the first, until it has ended; another process may be the one that answers.

    Raises ``RunNotFound``, and ``RunError`` when nobody works on the run any more.
    """
    after = 0
    while True:
        run = await store.get(run_id)
        for n, event in await store.events(run_id, after=after):
            after = n
            yield event
        if run.status is not RunStatus.RUNNING:
            return
        if utc_now() > run.deadline_at + OVERTIME:
            raise RunError(
                f"nobody works on the run {run_id} any more; its time was up at {run.deadline_at:%H:%M:%S}"
            )
        await asyncio.sleep(POLL_SECONDS)


async def stored_answer(run: RunRecord, settings: Settings) -> Answer | None:
    """A run's answer, from the archive when it was too large for the store; ``None`` while there is none."""
    from shared.adapters.folder_archive import FolderArchive
    from shared.runtime.closing import answer_of

    return await answer_of(run, FolderArchive(settings.archive))


async def trace_text(store: RunStore, run_id: RunId, settings: Settings) -> str:
    """Everything about a run as JSON text: the archived trace, or what the store holds while there is none."""
    from shared.adapters.folder_archive import FolderArchive
    from shared.runtime.closing import trace_name

    run = await store.get(run_id)
    if run.status is not RunStatus.RUNNING:
        # An archive that failed costs the trace file, not what the store knows.
        with suppress(ArchiveError):
            archived = await FolderArchive(settings.archive).get(trace_name(run_id))
            return json.dumps(json.loads(archived), indent=2, ensure_ascii=False)
    whole = {
        "run": run.model_dump(mode="json"),
        "steps": [step.model_dump(mode="json") for step in await store.steps(run_id)],
        "annotations": [
            {"key": annotation.key} | annotation.model_dump(mode="json")
            for annotation in await store.annotations(run_id)
        ],
        "events": [{"n": n} | event.model_dump(mode="json") for n, event in await store.events(run_id)],
    }
    return json.dumps(whole, indent=2, ensure_ascii=False)
