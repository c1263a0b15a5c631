"""A step's way through the SQLite file: how it is claimed, and what a commit writes, each in one transaction."""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Sequence
from datetime import timedelta
from typing import NamedTuple

from shared.adapters.sqlite_rows import (
    ANSWER,
    MICROSECOND,
    MODELS,
    append_log,
    lost,
    moment,
    open_step,
    read_annotations,
    read_run,
    read_step,
)
from shared.runtime.records import (
    Claimed,
    ClaimOutcome,
    StepCommit,
    StepRecord,
    StepRef,
    StepState,
    outcome_of,
)


class Taking(NamedTuple):
    """Who takes a step, under which token, and until when, in microseconds."""

    owner: str
    token: str
    until: int


def taking(owner: str, lease: timedelta, *, now: int) -> Taking:
    """A new hold on a step."""
    return Taking(owner, secrets.token_hex(8), now + lease // MICROSECOND)


def claim_step(db: sqlite3.Connection, step: StepRef, hold: Taking, *, now: int) -> Claimed:
    """See ``RunStore.claim``."""
    run, annotation_count = read_run(db, step.run_id)
    record = read_step(db, step)
    outcome = outcome_of(run, record, moment(now))
    if record is None or outcome is not ClaimOutcome.CLAIMED:
        return Claimed(outcome=outcome, record=record, run=run)
    db.execute(
        "UPDATE steps SET state = 'claimed', owner = ?, token = ?, lease_until = ?, attempts = attempts + 1, "
        "changed_at = ? WHERE run_id = ? AND step_id = ?",
        (*hold, now, step.run_id, step.id),
    )
    return Claimed(
        outcome=outcome,
        record=held(step, hold, attempts=record.attempts + 1, last_error=record.last_error),
        run=run,
        token=hold.token,
        annotation_count=annotation_count,
    )


def held(step: StepRef, hold: Taking, *, attempts: int = 1, last_error: str | None = None) -> StepRecord:
    """A step that has just been claimed."""
    return StepRecord(
        step=step,
        state=StepState.CLAIMED,
        owner=hold.owner,
        token=hold.token,
        lease_until=moment(hold.until),
        attempts=attempts,
        last_error=last_error,
    )


class Written(NamedTuple):
    """What a commit writes, as text, so that the file is held for as short as can be."""

    annotations: Sequence[str]
    events: list[str]
    usage: str
    models: str
    budget: str
    answer: str | None


def written(result: StepCommit) -> Written:
    """A commit's parts as JSON."""
    return Written(
        result.bodies or [a.model_dump_json() for a in result.annotations],
        [event.model_dump_json() for event in result.events],
        result.stage_usage.model_dump_json(),
        MODELS.dump_json(result.model_usage).decode() if result.model_usage else "[]",
        result.budget.model_dump_json(),
        ANSWER.dump_json(result.answer).decode() if result.answer is not None else None,
    )


class Committed(NamedTuple):
    """How a run stands after a commit. ``taken`` is whether its follow-up was added."""

    annotation_count: int
    cancel_requested: bool
    taken: bool


def commit_step(
    db: sqlite3.Connection,
    step: StepRef,
    *,
    token: str,
    result: StepCommit,
    body: Written,
    now: int,
    hold: Taking | None = None,
) -> Committed:
    """See ``RunStore.commit``; ``hold`` takes the follow-up. What is raised undoes all of it."""
    following, annotations = result.next, body.annotations
    cursor = following or step
    # A step commits once, so what it writes under its own name cannot be there yet.
    if any(a.stage != step.stage or a.reading != step.reading for a in result.annotations):
        known = {a.key for a in read_annotations(db, step.run_id, 0)}
        keys = [a.key for a in result.annotations]
        annotations = [text for key, text in zip(keys, body.annotations, strict=True) if key not in known]
    rows = db.execute(
        "UPDATE runs SET cursor_reading = ?, cursor_stage = ?, budget = ?, "
        "annotation_count = annotation_count + ?, event_count = event_count + ?, step_count = step_count + ? "
        "WHERE run_id = ? AND status = 'running' "
        "RETURNING id, annotation_count, event_count, step_count, cancel_requested",
        (
            cursor.reading,
            cursor.stage,
            body.budget,
            len(annotations),
            len(body.events),
            following is not None,
            step.run_id,
        ),
    ).fetchall()
    if not rows:
        raise lost(step)
    ((number, annotation_count, event_count, step_count, cancelled),) = rows
    left = db.execute(
        "UPDATE steps SET state = 'done', owner = NULL, token = NULL, lease_until = NULL, next_id = ?, usage = ?, "
        "models = ?, annotation_count = ?, changed_at = ? "
        "WHERE run_id = ? AND step_id = ? AND state = 'claimed' AND token = ?",
        (
            following.id if following else None,
            body.usage,
            body.models,
            annotation_count,
            now,
            step.run_id,
            step.id,
            token,
        ),
    ).rowcount
    if not left:
        raise lost(step)
    append_log(
        db,
        number,
        annotations=annotations,
        annotation_count=annotation_count,
        events=body.events,
        event_count=event_count,
    )
    if result.ended is not None:
        # Apart, because a statement that names the status writes its index again.
        db.execute(
            "UPDATE runs SET status = ?, answer = ?, answer_blob = ? WHERE id = ?",
            (result.ended, body.answer, result.answer_blob, number),
        )
    added = following is not None and open_step(db, following, n=step_count, now=now, taken=hold)
    return Committed(annotation_count, bool(cancelled), added)
