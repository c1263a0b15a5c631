"""How runs and steps lie in the rows of the SQLite file, and the statements that several operations share."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from pydantic import TypeAdapter

from shared.query.annotated import Annotation, AskOptions, ProgressEvent
from shared.query.answer import ModelUsage, StageUsage
from shared.query.identifiers import RunId
from shared.runtime.errors import LeaseLost, RunNotFound
from shared.runtime.records import BudgetTotals, RunRecord, StepRecord, StepRef, StepState, known_form

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)

MODELS = TypeAdapter(tuple[ModelUsage, ...])
ANSWER = TypeAdapter(dict[str, Any])
ANNOTATIONS = TypeAdapter(list[Annotation])
EVENTS = TypeAdapter(list[ProgressEvent])

LOG_SHIFT = 32
"""A row of the log is ``run's number << LOG_SHIFT | its place``, so a run's rows lie together and in order."""

RUN_COLUMNS = (
    "run_id, question, options, created_at, deadline_at, expires_at, status, cursor_reading, cursor_stage, "
    "budget, cancel_requested, answer, answer_blob, schema_version"
)
STEP_COLUMNS = (
    "steps.ref, steps.state, steps.owner, steps.token, steps.lease_until, steps.attempts, following.ref, "
    "following.state, following.changed_at, steps.last_error, steps.usage, steps.models, steps.annotation_count"
)
STEPS = (
    "steps LEFT JOIN steps AS following ON following.run_id = steps.run_id AND following.step_id = steps.next_id"
)
LOG = "runs JOIN log ON log.id > runs.id << 32 AND log.id < (runs.id + 1) << 32"
HELD = (
    "run_id = ? AND status = 'running' AND EXISTS "
    "(SELECT 1 FROM steps WHERE run_id = ? AND step_id = ? AND state = 'claimed' AND token = ?)"
)
"""Of ``runs``: the run of a step that a token holds. Its values are those of ``held_by``."""


def not_found(run_id: RunId) -> RunNotFound:
    """The error for a run that is not there."""
    return RunNotFound(f"there is no run {run_id}")


def micros(at: datetime) -> int:
    """Whole microseconds since 1970, exactly."""
    return (at - EPOCH) // MICROSECOND


def moment(micros: int) -> datetime:
    """The time that is so many microseconds after the beginning of 1970."""
    return EPOCH + micros * MICROSECOND


def run_row(run: RunRecord) -> Sequence[object]:
    """The values of ``RUN_COLUMNS``."""
    return (
        run.run_id,
        run.question,
        run.options.model_dump_json(),
        micros(run.created_at),
        micros(run.deadline_at),
        micros(run.expires_at),
        run.status,
        run.cursor_reading,
        run.cursor_stage,
        run.budget.model_dump_json(),
        run.cancel_requested,
        ANSWER.dump_json(run.answer).decode() if run.answer is not None else None,
        run.answer_blob,
        run.schema_version,
    )


def run_of(row: Sequence[Any]) -> RunRecord:
    """The run in a row of ``RUN_COLUMNS``; raises ``StoreNewer``."""
    known_form(row[0], row[13])
    return RunRecord(
        run_id=row[0],
        question=row[1],
        options=AskOptions.model_validate_json(row[2]),
        created_at=moment(row[3]),
        deadline_at=moment(row[4]),
        expires_at=moment(row[5]),
        status=row[6],
        cursor_reading=row[7],
        cursor_stage=row[8],
        budget=BudgetTotals.model_validate_json(row[9]),
        cancel_requested=bool(row[10]),
        answer=ANSWER.validate_json(row[11]) if row[11] is not None else None,
        answer_blob=row[12],
        schema_version=row[13],
    )


def read_run(db: sqlite3.Connection, run_id: RunId) -> tuple[RunRecord, int]:
    """A run with the number of its annotations; raises ``RunNotFound``."""
    row = db.execute(
        f"SELECT {RUN_COLUMNS}, annotation_count FROM runs WHERE run_id = ?",  # noqa: S608 - a constant
        (run_id,),
    ).fetchone()
    if row is None:
        raise not_found(run_id)
    return run_of(row), row[-1]


def step_of(row: Sequence[Any]) -> StepRecord:
    """The step in a row of ``STEP_COLUMNS``."""
    return StepRecord(
        step=StepRef.model_validate_json(row[0]),
        state=row[1],
        owner=row[2],
        token=row[3],
        lease_until=moment(row[4]) if row[4] is not None else None,
        attempts=row[5],
        next=StepRef.model_validate_json(row[6]) if row[6] is not None else None,
        next_open_since=moment(row[8]) if row[7] == StepState.OPEN else None,
        last_error=row[9],
        usage=StageUsage.model_validate_json(row[10]) if row[10] is not None else None,
        models=MODELS.validate_json(row[11]) if row[11] is not None else (),
        annotation_count=row[12],
    )


def read_step(db: sqlite3.Connection, step: StepRef) -> StepRecord | None:
    """A step, ``None`` when nothing scheduled it."""
    row = db.execute(
        f"SELECT {STEP_COLUMNS} FROM {STEPS} WHERE steps.run_id = ? AND steps.step_id = ?",  # noqa: S608 - constants
        (step.run_id, step.id),
    ).fetchone()
    return step_of(row) if row is not None else None


def open_step(
    db: sqlite3.Connection,
    step: StepRef,
    *,
    n: int,
    now: int,
    taken: tuple[str, str, int] | None = None,
) -> bool:
    """Add a step, open or ``taken`` (by whom, under which token, until when); ``False`` if it is there already."""
    owner, token, until = taken or (None, None, None)
    state = StepState.CLAIMED if taken else StepState.OPEN
    return bool(
        db.execute(
            "INSERT OR IGNORE INTO steps (run_id, step_id, n, ref, state, owner, token, lease_until, attempts, "
            "changed_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (step.run_id, step.id, n, step.model_dump_json(), state, owner, token, until, taken is not None, now),
        ).rowcount
    )


def held_by(step: StepRef, token: str) -> Sequence[str]:
    """The values of ``HELD``."""
    return step.run_id, step.run_id, step.id, token


def lost(step: StepRef) -> LeaseLost:
    """The error for a step that is not held."""
    return LeaseLost(f"step {step.id} of run {step.run_id} is no longer held by this worker")


def check_held(db: sqlite3.Connection, step: StepRef, token: str) -> None:
    """Raise ``LeaseLost`` unless ``token`` holds the step."""
    if db.execute(f"SELECT 1 FROM runs WHERE {HELD}", held_by(step, token)).fetchone() is None:  # noqa: S608
        raise lost(step)


def append_log(
    db: sqlite3.Connection,
    number: int,
    *,
    annotations: Sequence[str] = (),
    annotation_count: int,
    events: Sequence[str],
    event_count: int,
) -> None:
    """Write what is added to a run as one row, none for nothing. The counts are the run's with what is added."""
    if annotations or events:
        db.execute(
            "INSERT INTO log (id, annotation_count, annotations, event_count, events) VALUES (?, ?, ?, ?, ?)",
            (
                # Each row adds to a count, so no two rows have one place.
                (number << LOG_SHIFT) + annotation_count + event_count,
                annotation_count,
                f"[{','.join(annotations)}]" if annotations else None,
                event_count,
                f"[{','.join(events)}]" if events else None,
            ),
        )


def read_annotations(db: sqlite3.Connection, run_id: RunId, after: int) -> list[Annotation]:
    """A run's annotations in order, without the first ``after``."""
    found: list[Annotation] = []
    for end, body in db.execute(
        f"SELECT log.annotation_count, annotations FROM {LOG} "  # noqa: S608 - a constant
        "WHERE run_id = ? AND annotations IS NOT NULL AND log.annotation_count > ? ORDER BY log.id",
        (run_id, after),
    ):
        row = ANNOTATIONS.validate_json(body)
        found += row[max(0, after - (end - len(row))) :]
    return found


def read_events(db: sqlite3.Connection, run_id: RunId, after: int) -> list[tuple[int, ProgressEvent]]:
    """A run's events numbered above ``after``."""
    found: list[tuple[int, ProgressEvent]] = []
    for end, body in db.execute(
        f"SELECT log.event_count, events FROM {LOG} "  # noqa: S608 - a constant
        "WHERE run_id = ? AND events IS NOT NULL AND log.event_count > ? ORDER BY log.id",
        (run_id, after),
    ):
        row = EVENTS.validate_json(body)
        found += [(n, event) for n, event in enumerate(row, end - len(row) + 1) if n > after]
    return found
