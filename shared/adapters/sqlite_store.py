"""The run store in one SQLite file, safe for several processes: each operation is one short transaction."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path

from shared.adapters.sqlite_rows import (
    MICROSECOND,
    RUN_COLUMNS,
    STEP_COLUMNS,
    STEPS,
    append_log,
    check_held,
    micros,
    not_found,
    open_step,
    read_annotations,
    read_events,
    read_run,
    run_of,
    run_row,
    step_of,
)
from shared.adapters.sqlite_steps import claim_step, commit_step, held, taking, written
from shared.adapters.sqlite_transactions import Transactions
from shared.query.annotated import Annotation, ProgressEvent
from shared.query.identifiers import RunId
from shared.runtime.context import utc_now
from shared.runtime.records import (
    BudgetTotals,
    Claimed,
    ClaimOutcome,
    RunRecord,
    RunStatus,
    StepCommit,
    StepRecord,
    StepRef,
    StepState,
)


class SqliteStore:
    """A ``RunStore``. ``patience`` is how many seconds a file held by another process is waited for."""

    def __init__(self, path: Path, *, clock: Callable[[], datetime] = utc_now, patience: float = 5.0) -> None:
        self.path = path
        self._clock = clock
        self._file = Transactions(path, patience=patience)

    async def create(self, run: RunRecord) -> RunRecord:
        """See ``RunStore.create``."""

        def work(db: sqlite3.Connection) -> RunRecord:
            inserted = db.execute(
                f"INSERT OR IGNORE INTO runs ({RUN_COLUMNS}, step_count) "  # noqa: S608 - a constant
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 1)",
                run_row(run),
            ).rowcount
            if inserted:
                first = StepRef(run_id=run.run_id, reading=run.cursor_reading, stage=run.cursor_stage)
                open_step(db, first, n=1, now=self._now())
                return run
            return read_run(db, run.run_id)[0]

        return await self._file.write(work)

    async def get(self, run_id: RunId) -> RunRecord:
        """See ``RunStore.get``."""

        def work(db: sqlite3.Connection) -> RunRecord:
            run, _ = read_run(db, run_id)
            if run.expires_at <= self._clock():
                raise not_found(run_id)
            return run

        return await self._file.read(work)

    async def claim(self, step: StepRef, *, owner: str, lease: timedelta) -> Claimed:
        """See ``RunStore.claim``."""

        def work(db: sqlite3.Connection) -> Claimed:
            now = self._now()
            return claim_step(db, step, taking(owner, lease, now=now), now=now)

        return await self._file.write(work)

    async def renew(
        self, step: StepRef, *, token: str, lease: timedelta, spent: BudgetTotals | None = None
    ) -> RunRecord:
        """See ``RunStore.renew``."""

        def work(db: sqlite3.Connection) -> RunRecord:
            check_held(db, step, token)
            now = self._now()
            db.execute(
                "UPDATE steps SET lease_until = ?, changed_at = ? WHERE run_id = ? AND step_id = ?",
                (now + lease // MICROSECOND, now, step.run_id, step.id),
            )
            if spent is not None:
                db.execute("UPDATE runs SET budget = ? WHERE run_id = ?", (spent.model_dump_json(), step.run_id))
            return read_run(db, step.run_id)[0]

        return await self._file.write(work)

    async def commit(self, step: StepRef, *, token: str, result: StepCommit) -> None:
        """See ``RunStore.commit``."""
        body = written(result)
        await self._file.write(
            lambda db: commit_step(db, step, token=token, result=result, body=body, now=self._now())
        )

    async def commit_and_claim(
        self, step: StepRef, *, token: str, result: StepCommit, run: RunRecord, owner: str, lease: timedelta
    ) -> Claimed | None:
        """See ``ClaimsAhead.commit_and_claim``."""
        body, now = written(result), self._now()
        hold, following = taking(owner, lease, now=now), result.next
        left = await self._file.write(
            lambda db: commit_step(db, step, token=token, result=result, body=body, now=now, hold=hold)
        )
        if following is None or not left.taken:
            return None
        changed = {
            "cursor_reading": following.reading,
            "cursor_stage": following.stage,
            "budget": result.budget,
            "cancel_requested": left.cancel_requested,
        }
        return Claimed(
            outcome=ClaimOutcome.CLAIMED,
            record=held(following, hold),
            run=run.model_copy(update=changed),
            token=hold.token,
            annotation_count=left.annotation_count,
        )

    async def release(self, step: StepRef, *, token: str, error: str) -> None:
        """See ``RunStore.release``."""

        def work(db: sqlite3.Connection) -> None:
            check_held(db, step, token)
            db.execute(
                "UPDATE steps SET state = ?, owner = NULL, token = NULL, lease_until = NULL, last_error = ?, "
                "changed_at = ? WHERE run_id = ? AND step_id = ?",
                (StepState.OPEN, error, self._now(), step.run_id, step.id),
            )

        await self._file.write(work)

    async def note_published(self, step: StepRef, *, since: datetime) -> bool:
        """See ``RunStore.note_published``."""
        query = "UPDATE steps SET changed_at = ? WHERE run_id = ? AND step_id = ? AND state = ? AND changed_at = ?"
        values = (self._now(), step.run_id, step.id, StepState.OPEN, micros(since))
        noted = await self._file.write(lambda db: db.execute(query, values).rowcount)
        return bool(noted)

    async def annotations(self, run_id: RunId, *, after: int = 0) -> list[Annotation]:
        """See ``RunStore.annotations``."""
        return await self._file.read(lambda db: read_annotations(db, run_id, after))

    async def steps(self, run_id: RunId) -> list[StepRecord]:
        """See ``RunStore.steps``."""
        query = f"SELECT {STEP_COLUMNS} FROM {STEPS} WHERE steps.run_id = ? ORDER BY steps.n"  # noqa: S608 - constants
        return await self._file.read(lambda db: [step_of(row) for row in db.execute(query, (run_id,))])

    async def add_event(self, run_id: RunId, event: ProgressEvent) -> int:
        """See ``RunStore.add_event``."""

        def work(db: sqlite3.Connection) -> int:
            row = db.execute(
                "UPDATE runs SET event_count = event_count + 1 WHERE run_id = ? "
                "RETURNING id, annotation_count, event_count",
                (run_id,),
            ).fetchall()
            if not row:
                raise not_found(run_id)
            ((number, annotation_count, n),) = row
            append_log(
                db, number, annotation_count=annotation_count, events=[event.model_dump_json()], event_count=n
            )
            return int(n)

        return await self._file.write(work)

    async def events(self, run_id: RunId, *, after: int = 0) -> list[tuple[int, ProgressEvent]]:
        """See ``RunStore.events``."""
        return await self._file.read(lambda db: read_events(db, run_id, after))

    async def progress(self, run_id: RunId, *, after: int = 0) -> tuple[RunRecord, list[tuple[int, ProgressEvent]]]:
        """See ``RunStore.progress``."""
        return await self.get(run_id), await self.events(run_id, after=after)

    async def request_cancel(self, run_id: RunId) -> RunRecord:
        """See ``RunStore.request_cancel``."""

        def work(db: sqlite3.Connection) -> RunRecord:
            db.execute(
                "UPDATE runs SET cancel_requested = 1 WHERE run_id = ? AND status = ?", (run_id, RunStatus.RUNNING)
            )
            return read_run(db, run_id)[0]

        return await self._file.write(work)

    async def stalled(self, *, waiting: timedelta, limit: int = 100) -> list[StepRecord]:
        """See ``RunStore.stalled``."""
        now = self._now()
        query = (
            f"SELECT {STEP_COLUMNS} FROM runs JOIN {STEPS} "  # noqa: S608 - constants
            "WHERE steps.run_id = runs.run_id AND runs.status = 'running' AND runs.expires_at > ? "
            "AND CASE steps.state WHEN ? THEN steps.lease_until <= ? WHEN ? THEN steps.changed_at <= ? END "
            "ORDER BY steps.changed_at LIMIT ?"
        )
        values = (now, StepState.CLAIMED, now, StepState.OPEN, now - waiting // MICROSECOND, limit)
        return await self._file.read(lambda db: [step_of(row) for row in db.execute(query, values)])

    async def recent(self, *, limit: int = 50) -> list[RunRecord]:
        """See ``RunStore.recent``."""
        now = self._now()
        query = (
            f"SELECT {RUN_COLUMNS} FROM runs WHERE expires_at > ? "  # noqa: S608 - a constant
            "ORDER BY created_at DESC, rowid DESC LIMIT ?"
        )
        return await self._file.read(lambda db: [run_of(row) for row in db.execute(query, (now, limit))])

    async def purge(self) -> int:
        """See ``RunStore.purge``."""
        now = self._now()
        return await self._file.write(
            lambda db: db.execute("DELETE FROM runs WHERE expires_at <= ?", (now,)).rowcount
        )

    async def close(self) -> None:
        """Close the file; operations after it raise ``StoreUnavailable``."""
        self._file.close()

    def _now(self) -> int:
        return micros(self._clock())
