"""The records that this machine's reports are made of: an archive's, or those of the runs answered here."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from pydantic import ValidationError

from functions.local.stored import open_store
from shared.accounting.added_up import sums_key
from shared.accounting.ledger import MOST, Ledger, ledger_of_traces, read_ledger
from shared.accounting.prices import load_prices
from shared.accounting.record_files import Unreadable
from shared.accounting.usage_record import UsageRecord, usage_record
from shared.adapters.folder_archive import FolderArchive
from shared.runtime.closing import answer_of
from shared.runtime.errors import ArchiveError
from shared.runtime.records import RunRecord, RunStatus
from shared.runtime.settings import load_stages

if TYPE_CHECKING:
    from functions.local.settings import Settings
    from shared.accounting.window import Window
    from shared.query.identifiers import RunId
    from shared.runtime.ports import Archive, RunStore


async def archived_ledger(address: str, window: Window) -> Ledger:
    """The records in an archive. Raises ``UsageError`` for what is no address, ``ArchiveError`` and ``TooMany``."""
    from shared.adapters.archives import open_archive

    archive = open_archive(address)
    try:
        return await read_ledger(archive, window, key=sums_key(load_stages(), load_prices()))
    finally:
        await archive.close()


async def own_ledger(settings: Settings, window: Window) -> Ledger:
    """The records of the runs answered here, asking nothing of the runs themselves.

    They are made from the traces; a run whose trace was not kept is looked up in the store while it is there.
    """
    archive = FolderArchive(settings.archive)
    found = await ledger_of_traces(archive, window)
    if not await asyncio.to_thread(settings.store.exists):
        return found
    known = {record.run_id for record in found.records}
    async with open_store(settings) as store:
        return await with_stored(found, known, store, archive)


async def with_stored(found: Ledger, known: set[RunId], store: RunStore, archive: Archive) -> Ledger:
    """The ledger with the ended runs of a store that it lacks."""
    records, unreadable = list(found.records), list(found.unreadable)
    for run in await store.recent(limit=MOST):
        if run.run_id in known or run.status is RunStatus.RUNNING or not found.window.holds(run.created_at):
            continue
        record = await _stored(run, store, archive)
        if isinstance(record, UsageRecord):
            records.append(record)
        else:
            unreadable.append(record)
    records.sort(key=lambda record: (record.asked_at, record.run_id))
    return found.model_copy(update={"records": tuple(records), "unreadable": tuple(unreadable)})


async def _stored(run: RunRecord, store: RunStore, archive: Archive) -> UsageRecord | Unreadable:
    try:
        answer = await answer_of(run, archive)
    except (ArchiveError, ValidationError) as error:
        return Unreadable(name=f"runs/{run.run_id}", why=str(error).splitlines()[0])
    if answer is None:
        return Unreadable(name=f"runs/{run.run_id}", why="it ended without an answer")
    return usage_record(run, answer, await store.steps(run.run_id))
