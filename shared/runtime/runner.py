"""Works on one step for each message: claim, run, commit, publish.

Delivery is at least once and effects are exactly once. A step is claimed with a lease; what its stage decided, what
it used and which step comes next are committed in one transaction; then that step's message is published. Wherever
a worker dies, a redelivery or ``sweep`` carries on, and no stage that was committed runs again.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import Any, TypeVar

from shared.query.annotated import AnnotatedQuery, Annotation, Failed, Presented
from shared.query.answer import AnswerStatus
from shared.query.evidence import Failure, FailureStatus
from shared.query.identifiers import RunId, StageName
from shared.runtime.attempt import Attempt, ContextFactory, Pace, run_stage
from shared.runtime.budget import Limits
from shared.runtime.closing import close_run, final_status
from shared.runtime.context import utc_now
from shared.runtime.ending import following_reading
from shared.runtime.errors import (
    ArchiveError,
    Cancelled,
    DeadlineExceeded,
    LeaseLost,
    NeuralKGError,
    RunNotFound,
    StepBusy,
    StoreError,
)
from shared.runtime.failures import Fault, fault_of, internal
from shared.runtime.history import History, Spent
from shared.runtime.ports import Archive, Bus, ClaimsAhead, RunStore
from shared.runtime.records import (
    Claimed,
    ClaimOutcome,
    RunRecord,
    StepCommit,
    StepRecord,
    StepRef,
    StepState,
)
from shared.runtime.signals import Signals
from shared.runtime.spill import spill, unspill
from shared.runtime.stage import Stage

log = logging.getLogger(__name__)

T = TypeVar("T")

REMEMBERED = 64
"""Runs whose annotations a worker keeps at hand between their stages."""

FRESH = 0.05
"""Seconds for which a step that was taken ahead is begun without a look at the store."""


Ended = Callable[[RunId], Awaitable[None]]


class StageRunner:
    """Works on steps. ``order`` names the pipeline's stages: the first understands, the last presents.

    A worker that has only some of the stages gives the ``order`` of all; otherwise it is that of ``stages``.
    ``on_ended`` is told of each run that this worker ends, at least once: again when the message that ended it is
    delivered again. ``ahead`` is the store once more where this worker takes each follow-up with the commit that
    opens it: its message then finds the step taken, by this very worker.
    """

    def __init__(
        self,
        stages: Sequence[Stage],
        *,
        store: RunStore,
        bus: Bus,
        archive: Archive,
        context_factory: ContextFactory,
        clock: Callable[[], datetime] = utc_now,
        owner: str | None = None,
        limits: Limits | None = None,
        pace: Pace | None = None,
        signals: Signals | None = None,
        order: Sequence[StageName] = (),
        on_ended: Ended | None = None,
        ahead: ClaimsAhead | None = None,
    ) -> None:
        order = order or [stage.name for stage in stages]
        self._stages = {stage.name: stage for stage in stages}
        self._first, self._second, self._last = order[0], order[1], order[-1]
        self._after: dict[StageName, StageName] = dict(pairwise(order))
        self._store, self._bus, self._archive = store, bus, archive
        self._context_factory = context_factory
        self._clock = clock
        self._owner = owner or f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(3)}"
        self._limits, self._pace = limits or Limits(), pace or Pace()
        self._lease = timedelta(seconds=self._pace.lease)
        self._signals = signals or Signals()
        self._on_ended = on_ended
        self._known: OrderedDict[RunId, list[Annotation]] = OrderedDict()
        self._ahead = ahead
        self._cold = True
        self._taken: dict[tuple[RunId, str], _Taken] = {}
        """What was taken ahead and not begun."""

    async def start(self) -> None:
        """Take messages from the bus."""
        await self._bus.subscribe(self.handle)

    async def stop(self) -> None:
        """Give back what was taken ahead and not begun; called when the bus delivers no more."""
        for taken in list(self._taken.values()):
            await self._let_go(taken.step)

    async def handle(self, step: StepRef) -> None:
        """Work on one message. Returning means that it is done with; a raise means that it must come again.

        Raises ``StepBusy`` while another worker holds the step, and what the store or the archive raises.
        """
        taken = self._taken.pop((step.run_id, step.id), None)
        claimed = await self._begun(taken) if taken else None
        if taken is None or claimed is None:
            taken, claimed = None, await self._claim(step)
        if claimed is None:
            return
        if claimed.outcome is ClaimOutcome.BUSY:
            raise StepBusy(f"step {step.id} of run {step.run_id} is being worked on")
        await self._take(step, claimed, self._run, history=taken.history if taken else None)

    async def give_up(self, step: StepRef) -> None:
        """End the run of a message that was given up, visibly. What others hold or have done is left alone."""

        async def fail(attempt: Attempt, record: StepRecord) -> None:
            attempt.fault = _tried_too_often(step, record)

        try:
            await self._let_go(step)
            claimed = await self._claim(step)
            if claimed is not None and claimed.outcome is ClaimOutcome.CLAIMED:
                await self._take(step, claimed, fail)
        except (StoreError, ArchiveError) as error:
            self._signals.broken(step.run_id, error)
            raise

    async def snapshot(self, step: StepRef) -> AnnotatedQuery:
        """The annotated query exactly as it stood when this step was committed.

        Annotations are only ever appended, so a step's commit is its snapshot. Raises ``LookupError`` for a
        step that was not committed.
        """
        record = next((r for r in await self._store.steps(step.run_id) if r.step.id == step.id), None)
        if record is None or record.annotation_count is None:
            raise LookupError(f"step {step.id} of run {step.run_id} was not committed")
        stored = (await self._store.annotations(step.run_id))[: record.annotation_count]
        return _query(await self._store.get(step.run_id), step, await unspill(self._archive, stored))

    # ---- claim ---------------------------------------------------------------------------------

    async def _claim(self, step: StepRef) -> Claimed | None:
        """Claim a step, or learn that it is busy; ``None`` when there is nothing to work on.

        For a step that is done, its follow-up is published again unless somebody has taken it up.
        """
        try:
            claimed = await self._store.claim(step, owner=self._owner, lease=self._lease)
        except RunNotFound:
            log.warning("a message names run %s, which does not exist or has expired", step.run_id)
            return None
        if claimed.outcome in {ClaimOutcome.CLAIMED, ClaimOutcome.BUSY}:
            return claimed
        record = claimed.record
        if claimed.outcome is ClaimOutcome.DONE and record is not None and record.next and not record.next_claimed:
            await self._bus.publish(record.next)
        ended = claimed.outcome is ClaimOutcome.RUN_ENDED and record is not None and record.state is StepState.DONE
        if ended and record is not None and record.next is None and self._on_ended is not None:
            await self._on_ended(step.run_id)
        log.info("step %s of run %s is not worked on: %s", step.id, step.run_id, claimed.outcome)
        return None

    async def _begun(self, taken: _Taken) -> Claimed | None:
        """A step that was taken ahead; one that had to wait is renewed, and a cancellation seen by that."""
        if time.monotonic() - taken.since < FRESH:
            return taken.claimed
        try:
            run = await self._store.renew(taken.step, token=taken.token, lease=self._lease)
        except LeaseLost:
            return None
        return taken.claimed.model_copy(update={"run": run})

    async def _let_go(self, step: StepRef) -> None:
        """Give back a step that was taken ahead, so that whoever gets its message may take it at once."""
        taken = self._taken.pop((step.run_id, step.id), None)
        if taken is not None:
            with suppress(StoreError, LeaseLost):
                await self._store.release(step, token=taken.token, error="it was not begun")

    async def _take(
        self,
        step: StepRef,
        claimed: Claimed,
        work: Callable[[Attempt, StepRecord], Awaitable[None]],
        *,
        history: History | None = None,
    ) -> None:
        """Load a claimed step, work on it and commit what came of it; give it back if that cannot be done."""
        run, record, token = claimed.run, claimed.record, claimed.token
        if run is None or record is None or token is None:
            raise TypeError("a claimed step comes with its run, its record and its token")
        try:
            query = _query(run, step, await self._load(run.run_id, claimed.annotation_count))
            if step.stage == self._first and record.attempts == 1:
                history = History()
            attempt = Attempt(
                step,
                token,
                run,
                query,
                record.attempts,
                self._clock,
                self._signals,
                history,
                record.lease_until,
                cold=self._cold,
            )
            self._cold = False
            await work(attempt, record)
            # A worker that is being shut down still finishes what it has begun to write.
            await _unbroken(self._settle(attempt))
        except LeaseLost:
            self._known.pop(step.run_id, None)
            log.warning("step %s of run %s was taken over by another worker", step.id, step.run_id)
        except (Exception, asyncio.CancelledError) as error:
            self._known.pop(step.run_id, None)
            await _unbroken(self._give_back(step, token, error))
            raise

    async def _load(self, run_id: RunId, count: int) -> list[Annotation]:
        """The run's ``count`` annotations; those that this worker knows already are not read again."""
        # What is stored is only ever appended to, so what is known is a beginning of it.
        known = self._known.get(run_id, [])[:count]
        if len(known) < count:
            new = await self._store.annotations(run_id, after=len(known))
            known = [*known, *await unspill(self._archive, new)]
        return known

    async def _give_back(self, step: StepRef, token: str, error: BaseException) -> None:
        told = str(error) if isinstance(error, NeuralKGError) else type(error).__name__
        with suppress(StoreError):
            await self._store.release(step, token=token, error=told)

    # ---- run -----------------------------------------------------------------------------------

    async def _run(self, attempt: Attempt, record: StepRecord) -> None:
        """Run the stage, unless the run must not go on; whatever goes wrong is kept as the attempt's fault."""
        step, run = attempt.step, attempt.run
        stage = self._stages.get(step.stage)
        left = (run.deadline_at - self._clock()).total_seconds()
        if run.cancel_requested:
            attempt.fault = fault_of(Cancelled("the run was cancelled"), step.stage)
        elif stage is None:
            attempt.fault = internal(step.stage, f"this version has no stage called {step.stage}")
        elif record.attempts > self._pace.attempts:
            attempt.fault = _tried_too_often(step, record)
        elif left <= 0 and step.stage != self._last:
            attempt.fault = fault_of(DeadlineExceeded("the run's time is up"), step.stage)
        else:
            await run_stage(
                attempt,
                stage,
                context_factory=self._context_factory,
                store=self._store,
                seconds=max(left, self._pace.grace) if step.stage == self._last else left,
                limits=self._limits,
                pace=self._pace,
            )
        if attempt.fault is None:
            attempt.fault = self._missing(attempt)

    def _missing(self, attempt: Attempt) -> Fault | None:
        """The fault of a first or last stage that did not write what the run goes on with."""
        step, payloads = attempt.step, [annotation.payload for annotation in attempt.written]
        if step.stage == self._last and not any(isinstance(p, Presented) for p in payloads):
            return internal(step.stage, f"{step.stage} wrote no answer")
        if step.stage == self._first and not payloads:
            reason = "the question could not be read"
            return Fault(
                Failure(stage=step.stage, source=None, slot=None, status=FailureStatus.UNREADABLE, reason=reason)
            )
        return None

    # ---- commit and publish --------------------------------------------------------------------

    async def _settle(self, attempt: Attempt) -> None:
        """Commit what came of a step with what follows from it, then publish that."""
        step, fault = attempt.step, attempt.fault
        if fault is not None:
            attempt.say(fault.failure.reason)
            if fault.stop is not AnswerStatus.CANCELLED:
                attempt.written = [_failed(step, fault)]
        before = len(attempt.query.annotations)
        attempt.query.append(attempt.written)
        following = self._following(attempt)
        stored = await spill(self._archive, attempt.query.annotations[before:])
        answer, blob, ended = None, None, None
        if following is None:
            await self._hold_on(attempt)
            stop = (fault.stop or AnswerStatus.UNANSWERED) if fault is not None else None
            attempt.say("the run has ended", "error" if stop else "answer")
            answer, blob = await close_run(
                attempt,
                stop=stop,
                stored=stored.annotations,
                store=self._store,
                archive=self._archive,
                now=self._clock(),
            )
            ended = final_status(stop)
        result = StepCommit(
            annotations=stored.annotations,
            bodies=stored.bodies,
            events=tuple(attempt.said),
            stage_usage=attempt.usage,
            model_usage=attempt.models,
            budget=attempt.budget,
            next=following,
            ended=ended,
            answer=answer,
            answer_blob=blob,
        )
        await self._commit(attempt, result)
        self._remember(step.run_id, attempt.query.annotations if following else None)
        self._signals.moved(step.run_id, ended=following is None)
        if following is not None:
            await self._publish(following)
        elif self._on_ended is not None:
            await self._on_ended(step.run_id)

    async def _hold_on(self, attempt: Attempt) -> None:
        """Raise ``LeaseLost`` if the step was taken over; only a worker that stood still need ask.

        A run's trace and answer are archived before they are committed: one that comes back late would write over
        those of the worker that ended the run.
        """
        if attempt.lease_until is not None and attempt.lease_until <= self._clock():
            await self._store.renew(attempt.step, token=attempt.token, lease=self._lease)

    async def _commit(self, attempt: Attempt, result: StepCommit) -> None:
        """Commit, and take the follow-up with it where this worker is to carry on."""
        step, following = attempt.step, result.next
        if self._ahead is None or following is None or following.stage not in self._stages:
            await self._store.commit(step, token=attempt.token, result=result)
            return
        claimed = await self._ahead.commit_and_claim(
            step, token=attempt.token, result=result, run=attempt.run, owner=self._owner, lease=self._lease
        )
        if claimed is None or claimed.token is None:
            return
        if attempt.history is not None:
            spent = Spent(result.stage_usage, result.model_usage, attempt.number)
            attempt.history.add(spent, result.annotations, attempt.told)
        taken = _Taken(following, claimed, claimed.token, time.monotonic(), attempt.history)
        self._taken[following.run_id, following.id] = taken

    async def _publish(self, following: StepRef) -> None:
        try:
            await self._bus.publish(following)
        except BaseException:
            await self._let_go(following)
            raise

    def _following(self, attempt: Attempt) -> StepRef | None:
        """The step after this one, or ``None`` when the run ends with it."""
        step, fault = attempt.step, attempt.fault
        if fault is not None and fault.stop is not None:
            return None
        if step.stage == self._last:
            reading = None if fault else following_reading(attempt.query)
            if reading is None or self._clock() >= attempt.run.deadline_at:
                return None
            attempt.say("this reading of the question was not answered; trying the next one")
            return _step(step, reading, self._second)
        if fault is not None:
            return _step(step, step.reading, self._last)
        if step.stage == self._first:
            understood = attempt.query.understood()
            readable = understood is not None and understood.readings
            return _step(step, 0, self._second) if readable else _step(step, step.reading, self._last)
        return _step(step, step.reading, self._after[step.stage])

    def _remember(self, run_id: RunId, annotations: list[Annotation] | None) -> None:
        """Keep a run's annotations at hand for its next stage; forget those of a run that has ended."""
        self._known.pop(run_id, None)
        if annotations is not None:
            self._known[run_id] = annotations
            if len(self._known) > REMEMBERED:
                self._known.popitem(last=False)


@dataclass(frozen=True, slots=True)
class _Taken:
    """A step that was taken ahead. ``since`` is on the monotonic clock."""

    step: StepRef
    claimed: Claimed
    token: str
    since: float
    history: History | None


def _query(run: RunRecord, step: StepRef, annotations: list[Annotation]) -> AnnotatedQuery:
    return AnnotatedQuery(
        run_id=run.run_id,
        question=run.question,
        asked_at=run.created_at,
        options=run.options,
        reading=step.reading,
        annotations=annotations,
    )


def _step(before: StepRef, reading: int, stage: StageName) -> StepRef:
    return StepRef(run_id=before.run_id, reading=reading, stage=stage, traceparent=before.traceparent)


def _failed(step: StepRef, fault: Fault) -> Annotation:
    payload = Failed(failure=fault.failure, final=fault.final)
    return Annotation(reading=step.reading, stage=step.stage, payload=payload)


def _tried_too_often(step: StepRef, record: StepRecord) -> Fault:
    why = record.last_error or "its worker died each time"
    return internal(step.stage, f"{step.stage} was tried too often and given up: {why}")


async def _unbroken(work: Coroutine[Any, Any, T]) -> T:
    """Await ``work`` to its end even when the waiting task is cancelled meanwhile."""
    task = asyncio.ensure_future(work)
    try:
        # Where nothing is waited for it is done at once, and needs no shield.
        await asyncio.sleep(0)
        return task.result() if task.done() else await asyncio.shield(task)
    except asyncio.CancelledError:
        if not task.done():
            await asyncio.wait({task})
        raise
