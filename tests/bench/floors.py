"""What a run cannot cost less than: its ports alone, and the barest durable commits."""

from __future__ import annotations

import asyncio
import itertools
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from pathlib import Path

from shared.adapters.folder_archive import FolderArchive
from shared.adapters.inline_bus import InlineBus
from shared.adapters.sqlite_store import SqliteStore
from shared.query.annotated import ProgressEvent
from shared.query.answer import StageUsage
from shared.query.identifiers import RunId
from shared.runtime.context import utc_now
from shared.runtime.records import RunRecord, RunStatus, StepCommit, StepRef
from shared.runtime.settings import PIPELINE
from tests.bench.rivals import SIZE, STEPS, Run
from tests.support.machine import OPTIONS, note

LEASE = timedelta(seconds=30)


@asynccontextmanager
async def ports(folder: Path) -> AsyncIterator[Run]:
    """Ten messages, ten commits and the two archived files of a run, their content made once for all runs."""
    store, archive, bus = SqliteStore(folder / "floor.sqlite3"), FolderArchive(folder / "floor"), InlineBus()
    numbers = itertools.count()
    ended = asyncio.Event()
    made = _made()

    async def work(step: StepRef) -> None:
        here = PIPELINE.index(step.stage)
        following = (
            step.model_copy(update={"reading": 0, "stage": PIPELINE[here + 1]}) if here + 1 < STEPS else None
        )
        result = made[here].model_copy(update={"next": following})
        held = state[step.run_id]
        if following is None:
            await archive.put(f"runs/{step.run_id}/trace.json", b"x" * SIZE * STEPS)
            await archive.put(f"runs/{step.run_id}/answer.json", b"x" * SIZE)
            await store.commit(step, token=held[0], result=result)
            ended.set()
            return
        claimed = await store.commit_and_claim(
            step, token=held[0], result=result, run=held[1], owner="floor", lease=LEASE
        )
        assert claimed is not None
        assert claimed.token is not None
        state[step.run_id] = (claimed.token, held[1])
        await bus.publish(following)

    state: dict[RunId, tuple[str, RunRecord]] = {}

    async def run() -> None:
        ended.clear()
        now = utc_now()
        record = RunRecord(
            run_id=RunId(f"floor-{next(numbers):08}"),
            question="What is India's GDP?",
            options=OPTIONS,
            created_at=now,
            deadline_at=now + LEASE,
            expires_at=now + LEASE,
            cursor_stage=PIPELINE[0],
        )
        first = StepRef(run_id=record.run_id, reading=-1, stage=PIPELINE[0])
        await store.create(record)
        claimed = await store.claim(first, owner="floor", lease=LEASE)
        assert claimed.token is not None
        state[record.run_id] = (claimed.token, record)
        await bus.publish(first)
        await ended.wait()
        del state[record.run_id]

    await bus.subscribe(work)
    try:
        yield run
    finally:
        await bus.close()
        await store.close()


def _made() -> list[StepCommit]:
    from shared.query.annotated import AnnotatedQuery
    from shared.runtime.records import BudgetTotals

    made = []
    for n, stage in enumerate(PIPELINE):
        reading = 0 if n else -1
        query = AnnotatedQuery(run_id=RunId("any"), question="?", asked_at=utc_now(), reading=reading)
        annotation = note(query, stage, stage[0] * SIZE)
        made.append(
            StepCommit(
                annotations=(annotation,),
                bodies=(annotation.model_dump_json(),),
                events=(ProgressEvent(stage=stage, text=f"did {stage}", at=utc_now(), reading=reading),),
                stage_usage=StageUsage(stage=stage, reading=reading, seconds=0.0, usd=0),
                budget=BudgetTotals(),
                ended=RunStatus.ENDED if n + 1 == STEPS else None,
                answer={"text": "x" * SIZE} if n + 1 == STEPS else None,
            )
        )
    return made


@asynccontextmanager
async def commits(folder: Path) -> AsyncIterator[Run]:
    """Ten commits of two rows, one of them 2 KB, with nothing around them."""
    db = sqlite3.connect(folder / "bare.sqlite3", isolation_level=None)
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("CREATE TABLE rows (n INTEGER, body TEXT)")

    async def run() -> None:
        for n in range(STEPS):
            db.execute("BEGIN IMMEDIATE")
            db.execute("INSERT INTO rows VALUES (?, ?)", (n, "x" * SIZE))
            db.execute("INSERT INTO rows VALUES (?, ?)", (n, "done"))
            db.execute("COMMIT")

    try:
        yield run
    finally:
        db.close()
