"""The run store's documents: their names, their fields, and the queries over them.

``runs/{hash}-{run_id}`` with ``steps/{reading.stage}``, ``annotations/{key}`` and ``events/{n}`` under it. What has
parts of its own (options, budget, usage, an annotation) is one string of JSON, exact and of any depth; beside it
stand the few fields that are counted, compared or searched by. ``infra/firestore.json`` lists every field, which of
them are indexed, and by which one the database deletes what has expired.

Nothing that rises with time is written side by side: run ids do, so a hash stands before them in the documents'
names, and what queries order by time is indexed apart for each ``shard``, a number that a run has by its hash.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from hashlib import sha256
from typing import Any
from urllib.parse import quote

from pydantic import TypeAdapter, ValidationError

from shared.adapters.firestore_values import SHARDS, Fields, Query, Stored
from shared.query.annotated import Annotation, AskOptions, ProgressEvent
from shared.query.answer import ModelUsage, StageUsage
from shared.query.identifiers import RunId
from shared.runtime.errors import RunNotFound, StoreCorrupt
from shared.runtime.records import BudgetTotals, RunRecord, StepRecord, StepRef, StepState, known_form

STEPS = Query("steps", "n")
ANNOTATIONS = Query("annotations", "n")
EVENTS = Query("events", "n")
NEWEST = Query("runs", "created_at", descending=True, sharded=True)
LEASED = Query("steps", "lease_until", group=True, sharded=True)
"""Claimed steps, by when their lease runs out: only these have the field."""
OPEN = Query("steps", "open_since", group=True, sharded=True)
"""Open steps, by since when: only these have the field."""

LONGEST_ID = 1500
"""Bytes of a document's id."""

_models = TypeAdapter(tuple[ModelUsage, ...])
_answer = TypeAdapter(dict[str, Any])


def run_path(run_id: RunId) -> str:
    """Where a run stands. Raises ``RunNotFound`` for what can be no run's id, as a foreign message may name."""
    name = quote(run_id, safe="")
    spread = f"{_hash(run_id):04x}-{name}"
    if not name or name in {".", ".."} or len(spread) > LONGEST_ID:
        raise not_found(run_id)
    return f"runs/{spread}"


def shard_of(run_id: RunId) -> int:
    """Which of the ``SHARDS`` a run and its steps are in."""
    return _hash(run_id) % SHARDS


def _hash(run_id: RunId) -> int:
    return int.from_bytes(sha256(run_id.encode()).digest()[:2])


def step_path(step: StepRef) -> str:
    """Where a step stands. Raises ``RunNotFound`` as ``run_path`` does."""
    return f"{run_path(step.run_id)}/steps/{quote(step.id, safe='')[:LONGEST_ID]}"


def annotation_path(run: Stored, annotation: Annotation) -> str:
    """Where an annotation stands: under its key, so that it is one document however often it is written."""
    return f"{run.path}/annotations/{quote(annotation.key, safe='')}"


def event_path(run: Stored, n: int) -> str:
    """Where a progress event stands."""
    return f"{run.path}/events/{n}"


def not_found(run_id: RunId) -> RunNotFound:
    """The error for a run that is not there."""
    return RunNotFound(f"there is no run {run_id[:200]}")


# ---- runs ----------------------------------------------------------------------------------------


def run_fields(run: RunRecord) -> Fields:
    """A new run's fields; it has one step, which is open."""
    return {
        "run_id": run.run_id,
        "shard": shard_of(run.run_id),
        "question": run.question,
        "options": run.options.model_dump_json(),
        "created_at": run.created_at,
        "deadline_at": run.deadline_at,
        "expires_at": run.expires_at,
        "status": run.status.value,
        "cursor_reading": run.cursor_reading,
        "cursor_stage": run.cursor_stage,
        "budget": run.budget.model_dump_json(),
        "cancel_requested": run.cancel_requested,
        "answer": answer_json(run.answer),
        "answer_blob": run.answer_blob,
        "schema_version": run.schema_version,
        "annotation_count": 0,
        "event_count": 0,
        "step_count": 1,
    }


def run_of(document: Stored) -> RunRecord:
    """The run of a document. Raises ``StoreCorrupt``, ``StoreNewer``."""
    with _reading(document) as fields:
        known_form(str(fields.get("run_id")), fields.get("schema_version"))
        answer = fields.get("answer")
        return RunRecord.model_validate(
            {name: fields.get(name) for name in RunRecord.model_fields if name in fields}
            | {
                "options": AskOptions.model_validate_json(fields["options"]),
                "budget": BudgetTotals.model_validate_json(fields["budget"]),
                "answer": _answer.validate_json(answer) if answer is not None else None,
            }
        )


def answer_json(answer: dict[str, Any] | None) -> str | None:
    """An answer as a field."""
    return _answer.dump_json(answer).decode() if answer is not None else None


def counted(document: Stored, name: str) -> int:
    """One of a run's counts. Raises ``StoreCorrupt``."""
    count = document.fields.get(name)
    if not isinstance(count, int):
        raise StoreCorrupt(f"the document {document.path} cannot be read (it has no {name})")
    return count


def expiry_of(document: Stored) -> datetime:
    """When a document counts as gone, whether it is deleted by then or later. Raises ``StoreCorrupt``."""
    at = document.fields.get("expires_at")
    if not isinstance(at, datetime):
        raise StoreCorrupt(f"the document {document.path} cannot be read (it has no expires_at)")
    return at


def expired(document: Stored, now: datetime) -> bool:
    """Whether a document counts as gone. Raises ``StoreCorrupt``."""
    return expiry_of(document) <= now


# ---- steps ---------------------------------------------------------------------------------------


def open_step(step: StepRef, *, n: int, now: datetime, expires_at: datetime) -> Fields:
    """The fields of the run's step number ``n``, which nobody has taken yet."""
    return {
        "n": n,
        "ref": step.model_dump_json(),
        "shard": shard_of(step.run_id),
        "state": StepState.OPEN.value,
        "open_since": now,
        "attempts": 0,
        "changed_at": now,
        "expires_at": expires_at,
    }


def step_of(document: Stored) -> StepRecord:
    """The step of a document. Raises ``StoreCorrupt``."""
    with _reading(document) as fields:
        following, usage, models = fields.get("next"), fields.get("usage"), fields.get("models")
        return StepRecord(
            step=StepRef.model_validate_json(fields["ref"]),
            state=fields["state"],
            owner=fields.get("owner"),
            token=fields.get("token"),
            lease_until=fields.get("lease_until"),
            attempts=fields["attempts"],
            next=StepRef.model_validate_json(following) if following is not None else None,
            last_error=fields.get("last_error"),
            usage=StageUsage.model_validate_json(usage) if usage is not None else None,
            models=_models.validate_json(models) if models is not None else (),
            annotation_count=fields.get("annotation_count"),
        )


def open_since(document: Stored) -> datetime | None:
    """Since when a step has stood open, if it does. Raises ``StoreCorrupt``."""
    with _reading(document) as fields:
        at: datetime | None = fields["open_since"] if fields["state"] == StepState.OPEN else None
        return at


def models_json(models: tuple[ModelUsage, ...]) -> str:
    """The use of models as a field."""
    return _models.dump_json(models).decode()


# ---- annotations and events ----------------------------------------------------------------------


def line(n: int, body: str, run: Stored) -> Fields:
    """The fields of the run's annotation or event number ``n``; ``body`` is JSON."""
    return {"n": n, "body": body, "expires_at": expiry_of(run)}


def annotation_of(document: Stored) -> Annotation:
    """The annotation of a document. Raises ``StoreCorrupt``."""
    with _reading(document) as fields:
        return Annotation.model_validate_json(fields["body"])


def event_of(document: Stored) -> tuple[int, ProgressEvent]:
    """The event of a document with its number. Raises ``StoreCorrupt``."""
    with _reading(document) as fields:
        return fields["n"], ProgressEvent.model_validate_json(fields["body"])


@contextmanager
def _reading(document: Stored) -> Iterator[dict[str, Any]]:
    try:
        yield document.fields
    except ValidationError as error:
        # What is in the document stays out of the message.
        raise StoreCorrupt(f"the document {document.path} cannot be read ({error.title})") from error
    except KeyError as error:
        raise StoreCorrupt(f"the document {document.path} cannot be read (it has no {error.args[0]})") from error
