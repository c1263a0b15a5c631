"""A step's way through its documents: what a claim makes of it, who holds it, what is written when it is left."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.adapters.firestore_documents import (
    annotation_path,
    answer_json,
    counted,
    event_path,
    expired,
    expiry_of,
    line,
    models_json,
    open_step,
    step_path,
)
from shared.adapters.firestore_values import ABSENT, Fields, Put, Stored
from shared.query.identifiers import RunId
from shared.runtime.errors import LeaseLost
from shared.runtime.records import RunStatus, StepCommit, StepRecord, StepRef, StepState

REMEMBERED = 256
"""Held steps whose documents a store keeps at hand."""


@dataclass(slots=True)
class Held:
    """A step that ``token`` holds, with its run, as they stood when last seen."""

    token: str
    run: Stored
    step: Stored


class HeldSteps:
    """The steps that a store claimed last, one of a run; the oldest is forgotten, which costs a read later on."""

    def __init__(self) -> None:
        self._steps: OrderedDict[RunId, Held] = OrderedDict()

    def remember(self, run_id: RunId, held: Held) -> None:
        """Keep a step at hand."""
        self._steps[run_id] = held
        self._steps.move_to_end(run_id)
        if len(self._steps) > REMEMBERED:
            self._steps.popitem(last=False)

    def of(self, run_id: RunId) -> Held | None:
        """The step of a run that is at hand."""
        return self._steps.get(run_id)

    def take(self, run_id: RunId, token: str) -> Held | None:
        """The step that ``token`` holds, which is no longer kept: what it is taken for changes its documents."""
        held = self._steps.get(run_id)
        return self._steps.pop(run_id) if held is not None and held.token == token else None


def holding(step: StepRef, token: str, run: Stored | None, found: Stored | None) -> Held:
    """The documents of a step that ``token`` holds. Raises ``LeaseLost``."""
    if run is None or found is None or run.fields.get("status") != RunStatus.RUNNING or not holds(found, token):
        raise LeaseLost(f"step {step.id} of run {step.run_id} is no longer held by this worker")
    return Held(token, run, found)


def holds(found: Stored, token: str) -> bool:
    """Whether a step is claimed under ``token``, be its lease run out or not."""
    return found.fields.get("state") == StepState.CLAIMED and found.fields.get("token") == token


def taken(record: StepRecord, owner: str, token: str, now: datetime, lease: timedelta) -> Fields:
    """What changes when a step is claimed."""
    return {
        "state": StepState.CLAIMED.value,
        "owner": owner,
        "token": token,
        "lease_until": now + lease,
        "open_since": None,
        "attempts": record.attempts + 1,
        "changed_at": now,
    }


def given_back(token: str, error: str, now: datetime) -> Fields:
    """What changes when a step is given back."""
    return _left(StepState.OPEN, token, now) | opened_now(now) | {"last_error": error}


def opened_now(now: datetime) -> Fields:
    """What changes when an open step counts as open since ``now``."""
    return {"open_since": now, "changed_at": now}


def committed(held: Held, result: StepCommit, *, present: Mapping[str, Stored], now: datetime) -> list[Put]:
    """Everything that a commit writes: annotations, events, the run, the step, and its follow-up, open.

    ``present`` are documents that are known to be there: what is the same by its key is left as it was, and what
    is only left over from a run that has expired is replaced.
    """
    run, following, puts = held.run, result.next, list[Put]()
    annotations, events = counted(run, "annotation_count"), counted(run, "event_count")
    steps = counted(run, "step_count")
    for path, body in by_path(run, result).items():
        there = present.get(path)
        if there is None or expired(there, now):
            annotations += 1
            puts.append(Put(path, line(annotations, body, run), there.version if there else ABSENT))
    for event in result.events:
        events += 1
        puts.append(Put(event_path(run, events), line(events, event.model_dump_json(), run)))
    if following is not None:
        steps += 1
        path = step_path(following)
        there = present.get(path)
        if there is None or expired(there, now):
            fields = open_step(following, n=steps, now=now, expires_at=expiry_of(run))
            puts.append(Put(path, fields, there.version if there else ABSENT))
    step_changes = _left(StepState.DONE, held.token, now) | {
        "next": following.model_dump_json() if following else None,
        "usage": result.stage_usage.model_dump_json(),
        "models": models_json(result.model_usage),
        "annotation_count": annotations,
    }
    run_changes: Fields = {
        "budget": result.budget.model_dump_json(),
        "annotation_count": annotations,
        "event_count": events,
        "step_count": steps,
        "status": (result.ended or RunStatus.RUNNING).value,
        "answer": answer_json(result.answer),
        "answer_blob": result.answer_blob,
    }
    if following is not None:
        run_changes |= {"cursor_reading": following.reading, "cursor_stage": following.stage}
    return [
        *puts,
        Put(held.step.path, held.step.fields | step_changes, held.step.version),
        Put(run.path, run.fields | run_changes, run.version),
    ]


def by_path(run: Stored, result: StepCommit) -> dict[str, str]:
    """A commit's annotations as JSON by where they stand; of two with one key, the first."""
    bodies = result.bodies or [annotation.model_dump_json() for annotation in result.annotations]
    paths: dict[str, str] = {}
    for annotation, body in zip(result.annotations, bodies, strict=True):
        paths.setdefault(annotation_path(run, annotation), body)
    return paths


def _left(state: StepState, token: str, now: datetime) -> Fields:
    """What changes when a step is left; ``left_by`` tells its last holder that it was itself who left it."""
    return {
        "state": state.value,
        "owner": None,
        "token": None,
        "lease_until": None,
        "left_by": token,
        "changed_at": now,
    }
