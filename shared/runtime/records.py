"""What the run store holds: runs, steps and their outcomes.

A *step* is one stage of one reading of one run. Delivery is at least once; effects are exactly once: a step is
claimed with a lease, its annotations, usage and the run's cursor are committed together with its follow-up, which
is then open, and the follow-up's message is published. A duplicate of a finished step publishes that again only
when the follow-up has stood open for long.
"""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Any

from pydantic import Field

from shared.query.annotated import Annotation, AskOptions, ProgressEvent
from shared.query.answer import ModelUsage, StageUsage
from shared.query.identifiers import RunId, StageName
from shared.query.quantity import Exact, Frozen
from shared.runtime.errors import StoreNewer

SCHEMA_VERSION = 2
"""The form of what is stored of a run. A version that meets a later one leaves the run to whoever wrote it.

Form 2 has answers with shared receipts; this version reads both.
"""


class RunStatus(StrEnum):
    """Where a run stands."""

    RUNNING = "running"
    ENDED = "ended"
    CANCELLED = "cancelled"


class StepRef(Frozen):
    """Names one step; the body of a message. ``traceparent`` joins the spans of all stages."""

    run_id: RunId
    reading: int
    stage: StageName
    traceparent: str | None = None

    @property
    def id(self) -> str:
        """``reading.stage``: the step's key within its run."""
        return f"{self.reading}.{self.stage}"


class BudgetTotals(Frozen):
    """What a run has used so far, held against its limits: 20 model calls, $1.00, 90 s of model time."""

    model_calls: int = 0
    tokens: int = 0
    usd: Exact = Field(default="0", validate_default=True)
    model_seconds: float = 0.0


class RunRecord(Frozen):
    """One question being answered."""

    run_id: RunId
    question: str
    options: AskOptions
    created_at: datetime
    deadline_at: datetime
    expires_at: datetime
    status: RunStatus = RunStatus.RUNNING
    cursor_reading: int = -1
    cursor_stage: StageName
    budget: BudgetTotals = BudgetTotals()
    cancel_requested: bool = False
    answer: dict[str, Any] | None = None
    """The final answer as JSON once the run has ended, unless it is too large for a document."""
    answer_blob: str | None = None
    """The archive's name for an answer that is too large for a document."""
    schema_version: int = SCHEMA_VERSION


def known_form(run_id: str, version: object) -> None:
    """Raise ``StoreNewer`` when a run was stored in a later form than this version reads."""
    if isinstance(version, int) and version > SCHEMA_VERSION:
        raise StoreNewer(
            f"run {run_id} was stored in form {version} by a later version of this program, and this one reads "
            f"{SCHEMA_VERSION}; run the later version"
        )


class StepState(StrEnum):
    """A step is open from when the step before it commits (or the run is created) until it is claimed."""

    OPEN = "open"
    CLAIMED = "claimed"
    DONE = "done"


class StepRecord(Frozen):
    """The state of one step."""

    step: StepRef
    state: StepState
    owner: str | None = None
    token: str | None = None
    lease_until: datetime | None = None
    attempts: int = 0
    next: StepRef | None = None
    next_open_since: datetime | None = None
    """Since when the follow-up has stood open; ``None`` when it was taken up. An old one's message may be lost."""
    last_error: str | None = None
    usage: StageUsage | None = None
    models: tuple[ModelUsage, ...] = ()
    annotation_count: int | None = None
    """How many annotations the run had right after this step's commit: the snapshot that it left."""


class StepCommit(Frozen):
    """Everything a finished step writes, in one transaction.

    ``next`` is ``None`` exactly when the run ends with it, and then ``ended`` and an answer are set.
    """

    annotations: tuple[Annotation, ...] = ()
    bodies: tuple[str, ...] = ()
    """Each annotation as JSON, in order, where the worker has them already; else none."""
    events: tuple[ProgressEvent, ...] = ()
    stage_usage: StageUsage
    model_usage: tuple[ModelUsage, ...] = ()
    budget: BudgetTotals
    next: StepRef | None = None
    ended: RunStatus | None = None
    answer: dict[str, Any] | None = None
    answer_blob: str | None = None


class ClaimOutcome(StrEnum):
    """What happened to an attempt to take a step."""

    CLAIMED = "claimed"
    BUSY = "busy"
    """Another worker holds an unexpired lease."""
    DONE = "done"
    """Already committed; ``record.next`` may have to be published again if it still stands open."""
    RUN_ENDED = "run_ended"
    """The run has ended, was cancelled, or has expired."""
    NOT_SCHEDULED = "not_scheduled"
    """No step before it asked for this one: the message is foreign and must not be worked on."""


class Claimed(Frozen):
    """The outcome of a claim; ``token`` and ``run`` are set when it was claimed.

    ``annotation_count`` lets a worker that knows the run's annotations already read only the new ones.
    """

    outcome: ClaimOutcome
    record: StepRecord | None = None
    run: RunRecord | None = None
    token: str | None = None
    annotation_count: int = 0


def outcome_of(run: RunRecord, record: StepRecord | None, now: datetime) -> ClaimOutcome:
    """What comes of an attempt to take a step; ``CLAIMED`` when nothing stands against it."""
    if run.status is not RunStatus.RUNNING or run.expires_at <= now:
        return ClaimOutcome.RUN_ENDED
    if record is None:
        return ClaimOutcome.NOT_SCHEDULED
    if record.state is StepState.DONE:
        return ClaimOutcome.DONE
    if record.state is StepState.CLAIMED and record.lease_until is not None and record.lease_until > now:
        return ClaimOutcome.BUSY
    return ClaimOutcome.CLAIMED
