"""The run store in one SQLite file, safe for several processes.

Each operation is one short transaction, run where it is called: measured, a commit costs about 40 µs, and handing
it to a thread costs three times as much. The event loop never waits for a lock, though: a busy file is tried again
after a pause that lets other work go on.
"""

from __future__ import annotations

import asyncio
import random
import secrets
import sqlite3
import threading
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from shared.adapters.sqlite_file import BUSY_CODES, code_of, explained, open_file
from shared.adapters.sqlite_rows import (
    HELD,
    MICROSECOND,
    RUN_COLUMNS,
    STEP_COLUMNS,
    STEPS,
    append_log,
    check_held,
    held_by,
    lost,
    micros,
    moment,
    not_found,
    open_step,
    read_annotations,
    read_events,
    read_run,
    read_step,
    run_of,
    run_row,
    step_of,
    written,
)
from shared.query.annotated import Annotation, ProgressEvent
from shared.query.identifiers import RunId
from shared.runtime.context import utc_now
from shared.runtime.errors import StoreCorrupt, StoreUnavailable
from shared.runtime.records import (
    Claimed,
    ClaimOutcome,
    RunRecord,
    RunStatus,
    StepCommit,
    StepRecord,
    StepRef,
    StepState,
)

T = TypeVar("T")


class SqliteStore:
    """A ``RunStore``. ``patience`` is how many seconds a file held by another process is waited for."""

    def __init__(self, path: Path, *, clock: Callable[[], datetime] = utc_now, patience: float = 5.0) -> None:
        self.path = path
        self._clock = clock
        self._patience = patience
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = open_file(path, patience=patience)

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

        return await self._transact(work)

    async def get(self, run_id: RunId) -> RunRecord:
        """See ``RunStore.get``."""

        def work(db: sqlite3.Connection) -> RunRecord:
            run, _ = read_run(db, run_id)
            if run.expires_at <= self._clock():
                raise not_found(run_id)
            return run

        return await self._read(work)

    async def claim(self, step: StepRef, *, owner: str, lease: timedelta) -> Claimed:
        """See ``RunStore.claim``."""

        def work(db: sqlite3.Connection) -> Claimed:
            run, annotation_count = read_run(db, step.run_id)
            record = read_step(db, step)
            now = self._now()
            if run.status is not RunStatus.RUNNING or micros(run.expires_at) <= now:
                return Claimed(outcome=ClaimOutcome.RUN_ENDED, record=record, run=run)
            if record is None:
                return Claimed(outcome=ClaimOutcome.NOT_SCHEDULED, run=run)
            if record.state is StepState.DONE:
                return Claimed(outcome=ClaimOutcome.DONE, record=record, run=run)
            if (
                record.state is StepState.CLAIMED
                and record.lease_until is not None
                and micros(record.lease_until) > now
            ):
                return Claimed(outcome=ClaimOutcome.BUSY, record=record, run=run)
            token = secrets.token_hex(8)
            until = now + lease // MICROSECOND
            db.execute(
                "UPDATE steps SET state = ?, owner = ?, token = ?, lease_until = ?, attempts = attempts + 1, "
                "changed_at = ? WHERE run_id = ? AND step_id = ?",
                (StepState.CLAIMED, owner, token, until, now, step.run_id, step.id),
            )
            claimed = record.model_copy(
                update={
                    "state": StepState.CLAIMED,
                    "owner": owner,
                    "token": token,
                    "lease_until": moment(until),
                    "attempts": record.attempts + 1,
                }
            )
            return Claimed(
                outcome=ClaimOutcome.CLAIMED,
                record=claimed,
                run=run,
                token=token,
                annotation_count=annotation_count,
            )

        return await self._transact(work)

    async def renew(self, step: StepRef, *, token: str, lease: timedelta) -> RunRecord:
        """See ``RunStore.renew``."""

        def work(db: sqlite3.Connection) -> RunRecord:
            check_held(db, step, token)
            now = self._now()
            db.execute(
                "UPDATE steps SET lease_until = ?, changed_at = ? WHERE run_id = ? AND step_id = ?",
                (now + lease // MICROSECOND, now, step.run_id, step.id),
            )
            return read_run(db, step.run_id)[0]

        return await self._transact(work)

    async def commit(self, step: StepRef, *, token: str, result: StepCommit) -> None:
        """See ``RunStore.commit``."""
        await self._commit(step, token, result, None)

    async def commit_and_claim(
        self, step: StepRef, *, token: str, result: StepCommit, run: RunRecord, owner: str, lease: timedelta
    ) -> Claimed | None:
        """See ``ClaimsAhead.commit_and_claim``."""
        following = result.next
        if following is None:
            await self._commit(step, token, result, None)
            return None
        now = self._now()
        taken = (owner, secrets.token_hex(8), now + lease // MICROSECOND)
        found = await self._commit(step, token, result, taken)
        if found is None:
            return None
        annotation_count, cancelled = found
        record = StepRecord(
            step=following,
            state=StepState.CLAIMED,
            owner=owner,
            token=taken[1],
            lease_until=moment(taken[2]),
            attempts=1,
        )
        changed = {
            "cursor_reading": following.reading,
            "cursor_stage": following.stage,
            "budget": result.budget,
            "cancel_requested": cancelled,
        }
        return Claimed(
            outcome=ClaimOutcome.CLAIMED,
            record=record,
            run=run.model_copy(update=changed),
            token=taken[1],
            annotation_count=annotation_count,
        )

    async def _commit(
        self, step: StepRef, token: str, result: StepCommit, taken: tuple[str, str, int] | None
    ) -> tuple[int, bool] | None:
        """Commit, and take the follow-up for whom ``taken`` names.

        Returns how many annotations the run then has and whether its cancellation was asked for, or ``None`` when
        no follow-up was added.
        """
        body, following = written(result), result.next
        # A step commits once, so what it writes under its own name cannot be there yet.
        foreign = any(a.stage != step.stage or a.reading != step.reading for a in result.annotations)

        def work(db: sqlite3.Connection) -> tuple[int, bool] | None:
            annotations, cursor, now = body.annotations, following or step, self._now()
            if foreign:
                known = {a.key for a in read_annotations(db, step.run_id, 0)}
                keys = [a.key for a in result.annotations]
                annotations = [b for key, b in zip(keys, body.annotations, strict=True) if key not in known]
            rows = db.execute(
                "UPDATE runs SET cursor_reading = ?, cursor_stage = ?, budget = ?, "  # noqa: S608 - a constant
                "annotation_count = annotation_count + ?, event_count = event_count + ?, "
                f"step_count = step_count + ? WHERE {HELD} "
                "RETURNING id, annotation_count, event_count, step_count, cancel_requested",
                (
                    cursor.reading,
                    cursor.stage,
                    body.budget,
                    len(annotations),
                    len(body.events),
                    following is not None,
                    *held_by(step, token),
                ),
            ).fetchall()
            if not rows:
                raise lost(step)
            ((number, annotation_count, event_count, step_count, cancelled),) = rows
            append_log(
                db,
                number,
                annotations=annotations,
                annotation_count=annotation_count,
                events=body.events,
                event_count=event_count,
            )
            db.execute(
                "UPDATE steps SET state = 'done', owner = NULL, token = NULL, lease_until = NULL, next_id = ?, "
                "usage = ?, models = ?, annotation_count = ?, changed_at = ? WHERE run_id = ? AND step_id = ?",
                (
                    following.id if following else None,
                    body.usage,
                    body.models,
                    annotation_count,
                    now,
                    step.run_id,
                    step.id,
                ),
            )
            if result.ended is not None:
                # Apart, because a statement that names the status writes its index again.
                db.execute(
                    "UPDATE runs SET status = ?, answer = ?, answer_blob = ? WHERE id = ?",
                    (result.ended, body.answer, result.answer_blob, number),
                )
            if following is None:
                return None
            added = open_step(db, following, n=step_count, now=now, taken=taken)
            return (annotation_count, bool(cancelled)) if added else None

        return await self._transact(work)

    async def release(self, step: StepRef, *, token: str, error: str) -> None:
        """See ``RunStore.release``."""

        def work(db: sqlite3.Connection) -> None:
            check_held(db, step, token)
            db.execute(
                "UPDATE steps SET state = ?, owner = NULL, token = NULL, lease_until = NULL, last_error = ?, "
                "changed_at = ? WHERE run_id = ? AND step_id = ?",
                (StepState.OPEN, error, self._now(), step.run_id, step.id),
            )

        await self._transact(work)

    async def annotations(self, run_id: RunId, *, after: int = 0) -> list[Annotation]:
        """See ``RunStore.annotations``."""
        return await self._read(lambda db: read_annotations(db, run_id, after))

    async def steps(self, run_id: RunId) -> list[StepRecord]:
        """See ``RunStore.steps``."""
        query = f"SELECT {STEP_COLUMNS} FROM {STEPS} WHERE steps.run_id = ? ORDER BY steps.n"  # noqa: S608 - constants
        return await self._read(lambda db: [step_of(row) for row in db.execute(query, (run_id,))])

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

        return await self._transact(work)

    async def events(self, run_id: RunId, *, after: int = 0) -> list[tuple[int, ProgressEvent]]:
        """See ``RunStore.events``."""
        return await self._read(lambda db: read_events(db, run_id, after))

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

        return await self._transact(work)

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
        return await self._read(lambda db: [step_of(row) for row in db.execute(query, values)])

    async def recent(self, *, limit: int = 50) -> list[RunRecord]:
        """See ``RunStore.recent``."""
        now = self._now()
        query = (
            f"SELECT {RUN_COLUMNS} FROM runs WHERE expires_at > ? "  # noqa: S608 - a constant
            "ORDER BY created_at DESC, rowid DESC LIMIT ?"
        )
        return await self._read(lambda db: [run_of(row) for row in db.execute(query, (now, limit))])

    async def purge(self) -> int:
        """See ``RunStore.purge``."""
        now = self._now()
        return await self._transact(
            lambda db: db.execute("DELETE FROM runs WHERE expires_at <= ?", (now,)).rowcount
        )

    async def close(self) -> None:
        """Close the file; operations after it raise ``StoreUnavailable``."""
        with self._lock:
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()

    def _now(self) -> int:
        return micros(self._clock())

    async def _transact(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run ``work`` in one writing transaction: whole or not at all."""

        def transaction(db: sqlite3.Connection) -> T:
            db.execute("BEGIN IMMEDIATE")
            try:
                result = work(db)
                db.execute("COMMIT")
            except BaseException:
                # A full disk may have rolled the transaction back already.
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise
            return result

        return await self._read(transaction)

    async def _read(self, work: Callable[[sqlite3.Connection], T]) -> T:
        """Run ``work``, and again after a pause while another process holds the file."""
        until = time.monotonic() + self._patience
        pause = 0.0005
        while True:
            try:
                with self._lock:
                    if self._connection is None:
                        raise StoreUnavailable(f"the run store {self.path} is closed")
                    return work(self._connection)
            except ValidationError as error:
                raise StoreCorrupt(
                    f"the run store {self.path} holds a row that cannot be read ({error.title})"
                ) from error
            except sqlite3.Error as error:
                if code_of(error) not in BUSY_CODES or time.monotonic() >= until:
                    raise explained(error, self.path) from error
            await asyncio.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311 - spreads waiters, no secret
            pause = min(pause * 2, 0.05)
