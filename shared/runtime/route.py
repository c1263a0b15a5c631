"""The way of a run through the pipeline's stages: which step follows, and what a stage must have written for it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from itertools import pairwise

from shared.query.annotated import Presented
from shared.query.evidence import Failure, FailureStatus
from shared.query.identifiers import StageName
from shared.runtime.attempt import Attempt
from shared.runtime.ending import following_reading
from shared.runtime.failures import Fault, internal
from shared.runtime.records import StepRef


class Route:
    """``order`` names the pipeline's stages: the first understands, the last presents."""

    def __init__(self, order: Sequence[StageName]) -> None:
        self.first, self._second, self.last = order[0], order[1], order[-1]
        self._after: dict[StageName, StageName] = dict(pairwise(order))

    def after(self, attempt: Attempt, *, now: datetime) -> StepRef | None:
        """The step after this one, or ``None`` when the run ends with it."""
        step, fault = attempt.step, attempt.fault
        if fault is not None and fault.stop is not None:
            return None
        if step.stage == self.last:
            reading = None if fault else following_reading(attempt.query)
            if reading is None or now >= attempt.run.deadline_at:
                return None
            attempt.say("this reading of the question was not answered; trying the next one")
            return _step(step, reading, self._second)
        if fault is not None:
            return _step(step, step.reading, self.last)
        if step.stage == self.first:
            understood = attempt.query.understood()
            readable = understood is not None and understood.readings
            return _step(step, 0, self._second) if readable else _step(step, step.reading, self.last)
        return _step(step, step.reading, self._after[step.stage])

    def missing(self, attempt: Attempt) -> Fault | None:
        """The fault of a first or last stage that did not write what the run goes on with."""
        step = attempt.step
        if step.stage == self.last and not any(isinstance(a.payload, Presented) for a in attempt.written):
            return internal(step.stage, f"{step.stage} wrote no answer")
        if step.stage == self.first and not attempt.written:
            reason = "the question could not be read"
            return Fault(
                Failure(stage=step.stage, source=None, slot=None, status=FailureStatus.UNREADABLE, reason=reason)
            )
        return None


def _step(before: StepRef, reading: int, stage: StageName) -> StepRef:
    return StepRef(run_id=before.run_id, reading=reading, stage=stage, traceparent=before.traceparent)
