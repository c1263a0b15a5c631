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
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from shared.adapters.sqlite_file import BUSY_CODES, code_of, explained, open_file
from shared.query.annotated import Annotation, AskOptions, ProgressEvent
from shared.query.answer import ModelUsage, StageUsage
from shared.query.identifiers import RunId
from shared.runtime.context import utc_now
from shared.runtime.errors import LeaseLost, RunNotFound, StoreCorrupt, StoreUnavailable
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

T = TypeVar("T")

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)

_models = TypeAdapter(tuple[ModelUsage, ...])
_answer = TypeAdapter(dict[str, Any])

RUN_COLUMNS = (
    "run_id, question, options, created_at, deadline_at, expires_at, status, cursor_reading, cursor_stage, "
    "budget, cancel_requested, answer, answer_blob, schema_version"
)
STEP_COLUMNS = (
    "steps.ref, steps.state, steps.owner, steps.token, steps.lease_until, steps.attempts, following.ref, "
    "following.state, steps.last_error, steps.usage, steps.models, steps.annotation_count"
)
STEPS = (
    "steps LEFT JOIN steps AS following ON following.run_id = steps.run_id AND following.step_id = steps.next_id"
)


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
                _run_row(run),
            ).rowcount
            if inserted:
                first = StepRef(run_id=run.run_id, reading=run.cursor_reading, stage=run.cursor_stage)
                _open_step(db, first, n=1, now=self._now())
                return run
            return _read_run(db, run.run_id)[0]

        return await self._transact(work)

    async def get(self, run_id: RunId) -> RunRecord:
        """See ``RunStore.get``."""

        def work(db: sqlite3.Connection) -> RunRecord:
            run, _ = _read_run(db, run_id)
            if run.expires_at <= self._clock():
                raise _not_found(run_id)
            return run

        return await self._read(work)

    async def claim(self, step: StepRef, *, owner: str, lease: timedelta) -> Claimed:
        """See ``RunStore.claim``."""

        def work(db: sqlite3.Connection) -> Claimed:
            run, annotation_count = _read_run(db, step.run_id)
            record = _read_step(db, step)
            now = self._now()
            if run.status is not RunStatus.RUNNING or _micros(run.expires_at) <= now:
                return Claimed(outcome=ClaimOutcome.RUN_ENDED, record=record, run=run)
            if record is None:
                return Claimed(outcome=ClaimOutcome.NOT_SCHEDULED, run=run)
            if record.state is StepState.DONE:
                return Claimed(outcome=ClaimOutcome.DONE, record=record, run=run)
            if (
                record.state is StepState.CLAIMED
                and record.lease_until is not None
                and _micros(record.lease_until) > now
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
                    "lease_until": _datetime(until),
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
            _held(db, step, token)
            now = self._now()
            db.execute(
                "UPDATE steps SET lease_until = ?, changed_at = ? WHERE run_id = ? AND step_id = ?",
                (now + lease // MICROSECOND, now, step.run_id, step.id),
            )
            return _read_run(db, step.run_id)[0]

        return await self._transact(work)

    async def commit(self, step: StepRef, *, token: str, result: StepCommit) -> None:
        """See ``RunStore.commit``."""
        # Written out before the transaction begins, so that the file is held for as short as can be.
        annotations = [(a.key, a.model_dump_json()) for a in result.annotations]
        events = [event.model_dump_json() for event in result.events]

        def work(db: sqlite3.Connection) -> None:
            annotation_count, event_count = _held(db, step, token)
            now = self._now()
            for key, body in annotations:
                annotation_count += db.execute(
                    "INSERT OR IGNORE INTO annotations (run_id, n, key, body) VALUES (?, ?, ?, ?)",
                    (step.run_id, annotation_count + 1, key, body),
                ).rowcount
            db.executemany(
                "INSERT INTO events (run_id, n, body) VALUES (?, ?, ?)",
                [(step.run_id, n, body) for n, body in enumerate(events, event_count + 1)],
            )
            following = result.next
            db.execute(
                "UPDATE steps SET state = ?, owner = NULL, token = NULL, lease_until = NULL, next_id = ?, "
                "usage = ?, models = ?, annotation_count = ?, changed_at = ? "
                "WHERE run_id = ? AND step_id = ?",
                (
                    StepState.DONE,
                    following.id if following else None,
                    result.stage_usage.model_dump_json(),
                    _models.dump_json(result.model_usage).decode(),
                    annotation_count,
                    now,
                    step.run_id,
                    step.id,
                ),
            )
            cursor = following or step
            ((steps,),) = db.execute(
                "UPDATE runs SET cursor_reading = ?, cursor_stage = ?, budget = ?, annotation_count = ?, "
                "event_count = ?, step_count = step_count + ?, status = ?, answer = ?, answer_blob = ? "
                "WHERE run_id = ? RETURNING step_count",
                (
                    cursor.reading,
                    cursor.stage,
                    result.budget.model_dump_json(),
                    annotation_count,
                    event_count + len(events),
                    following is not None,
                    result.ended or RunStatus.RUNNING,
                    _answer.dump_json(result.answer).decode() if result.answer is not None else None,
                    result.answer_blob,
                    step.run_id,
                ),
            ).fetchall()
            if following is not None:
                _open_step(db, following, n=steps, now=now)

        await self._transact(work)

    async def release(self, step: StepRef, *, token: str, error: str) -> None:
        """See ``RunStore.release``."""

        def work(db: sqlite3.Connection) -> None:
            _held(db, step, token)
            db.execute(
                "UPDATE steps SET state = ?, owner = NULL, token = NULL, lease_until = NULL, last_error = ?, "
                "changed_at = ? WHERE run_id = ? AND step_id = ?",
                (StepState.OPEN, error, self._now(), step.run_id, step.id),
            )

        await self._transact(work)

    async def annotations(self, run_id: RunId, *, after: int = 0) -> list[Annotation]:
        """See ``RunStore.annotations``."""
        query = "SELECT body FROM annotations WHERE run_id = ? AND n > ? ORDER BY n"
        return await self._read(
            lambda db: [Annotation.model_validate_json(body) for (body,) in db.execute(query, (run_id, after))]
        )

    async def steps(self, run_id: RunId) -> list[StepRecord]:
        """See ``RunStore.steps``."""
        query = f"SELECT {STEP_COLUMNS} FROM {STEPS} WHERE steps.run_id = ? ORDER BY steps.n"  # noqa: S608 - constants
        return await self._read(lambda db: [_step(row) for row in db.execute(query, (run_id,))])

    async def add_event(self, run_id: RunId, event: ProgressEvent) -> int:
        """See ``RunStore.add_event``."""

        def work(db: sqlite3.Connection) -> int:
            row = db.execute(
                "UPDATE runs SET event_count = event_count + 1 WHERE run_id = ? RETURNING event_count", (run_id,)
            ).fetchall()
            if not row:
                raise _not_found(run_id)
            n: int = row[0][0]
            db.execute(
                "INSERT INTO events (run_id, n, body) VALUES (?, ?, ?)", (run_id, n, event.model_dump_json())
            )
            return n

        return await self._transact(work)

    async def events(self, run_id: RunId, *, after: int = 0) -> list[tuple[int, ProgressEvent]]:
        """See ``RunStore.events``."""
        query = "SELECT n, body FROM events WHERE run_id = ? AND n > ? ORDER BY n"
        return await self._read(
            lambda db: [
                (n, ProgressEvent.model_validate_json(body)) for n, body in db.execute(query, (run_id, after))
            ]
        )

    async def request_cancel(self, run_id: RunId) -> RunRecord:
        """See ``RunStore.request_cancel``."""

        def work(db: sqlite3.Connection) -> RunRecord:
            db.execute(
                "UPDATE runs SET cancel_requested = 1 WHERE run_id = ? AND status = ?", (run_id, RunStatus.RUNNING)
            )
            return _read_run(db, run_id)[0]

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
        return await self._read(lambda db: [_step(row) for row in db.execute(query, values)])

    async def recent(self, *, limit: int = 50) -> list[RunRecord]:
        """See ``RunStore.recent``."""
        now = self._now()
        query = (
            f"SELECT {RUN_COLUMNS} FROM runs WHERE expires_at > ? "  # noqa: S608 - a constant
            "ORDER BY created_at DESC, rowid DESC LIMIT ?"
        )
        return await self._read(lambda db: [_run(row) for row in db.execute(query, (now, limit))])

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
        return _micros(self._clock())

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


def _not_found(run_id: RunId) -> RunNotFound:
    return RunNotFound(f"there is no run {run_id}")


def _micros(at: datetime) -> int:
    """Whole microseconds since 1970, exactly."""
    return (at - EPOCH) // MICROSECOND


def _datetime(micros: int) -> datetime:
    return EPOCH + micros * MICROSECOND


def _run_row(run: RunRecord) -> Sequence[object]:
    return (
        run.run_id,
        run.question,
        run.options.model_dump_json(),
        _micros(run.created_at),
        _micros(run.deadline_at),
        _micros(run.expires_at),
        run.status,
        run.cursor_reading,
        run.cursor_stage,
        run.budget.model_dump_json(),
        run.cancel_requested,
        _answer.dump_json(run.answer).decode() if run.answer is not None else None,
        run.answer_blob,
        run.schema_version,
    )


def _run(row: Sequence[Any]) -> RunRecord:
    return RunRecord(
        run_id=row[0],
        question=row[1],
        options=AskOptions.model_validate_json(row[2]),
        created_at=_datetime(row[3]),
        deadline_at=_datetime(row[4]),
        expires_at=_datetime(row[5]),
        status=row[6],
        cursor_reading=row[7],
        cursor_stage=row[8],
        budget=BudgetTotals.model_validate_json(row[9]),
        cancel_requested=bool(row[10]),
        answer=_answer.validate_json(row[11]) if row[11] is not None else None,
        answer_blob=row[12],
        schema_version=row[13],
    )


def _read_run(db: sqlite3.Connection, run_id: RunId) -> tuple[RunRecord, int]:
    """A run with the number of its annotations; raises ``RunNotFound``."""
    row = db.execute(
        f"SELECT {RUN_COLUMNS}, annotation_count FROM runs WHERE run_id = ?",  # noqa: S608
        (run_id,),
    ).fetchone()
    if row is None:
        raise _not_found(run_id)
    return _run(row), row[-1]


def _step(row: Sequence[Any]) -> StepRecord:
    return StepRecord(
        step=StepRef.model_validate_json(row[0]),
        state=row[1],
        owner=row[2],
        token=row[3],
        lease_until=_datetime(row[4]) if row[4] is not None else None,
        attempts=row[5],
        next=StepRef.model_validate_json(row[6]) if row[6] is not None else None,
        next_claimed=row[7] not in {None, StepState.OPEN},
        last_error=row[8],
        usage=StageUsage.model_validate_json(row[9]) if row[9] is not None else None,
        models=_models.validate_json(row[10]) if row[10] is not None else (),
        annotation_count=row[11],
    )


def _read_step(db: sqlite3.Connection, step: StepRef) -> StepRecord | None:
    row = db.execute(
        f"SELECT {STEP_COLUMNS} FROM {STEPS} WHERE steps.run_id = ? AND steps.step_id = ?",  # noqa: S608 - constants
        (step.run_id, step.id),
    ).fetchone()
    return _step(row) if row is not None else None


def _open_step(db: sqlite3.Connection, step: StepRef, *, n: int, now: int) -> None:
    db.execute(
        "INSERT OR IGNORE INTO steps (run_id, step_id, n, ref, state, changed_at) VALUES (?, ?, ?, ?, ?, ?)",
        (step.run_id, step.id, n, step.model_dump_json(), StepState.OPEN, now),
    )


def _held(db: sqlite3.Connection, step: StepRef, token: str) -> tuple[int, int]:
    """How many annotations and events the run of a step has that ``token`` holds; raises ``LeaseLost``."""
    row = db.execute(
        "SELECT annotation_count, event_count FROM runs WHERE run_id = ? AND status = 'running' AND EXISTS "
        "(SELECT 1 FROM steps WHERE run_id = ? AND step_id = ? AND state = ? AND token = ?)",
        (step.run_id, step.run_id, step.id, StepState.CLAIMED, token),
    ).fetchone()
    if row is None:
        raise LeaseLost(f"step {step.id} of run {step.run_id} is no longer held by this worker")
    annotation_count, event_count = row
    return annotation_count, event_count
