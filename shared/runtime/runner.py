"""Works on one step for each message: claim, run, commit, publish.

Delivery is at least once and effects are exactly once. A step is claimed with a lease (``claiming``); its run's
annotations are loaded (``loading``); its stage runs (``attempt``); what it decided and used, and which step comes
next (``route``), is committed in one transaction, and that step's message is published (``settling``). Wherever a
worker dies, a redelivery or ``sweep`` carries on, and no stage that was committed runs again.
"""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from datetime import datetime, timedelta

from shared.query.annotated import AnnotatedQuery
from shared.query.identifiers import StageName
from shared.runtime.attempt import Attempt, ContextFactory, Pace, run_stage
from shared.runtime.budget import Limits
from shared.runtime.charging import charge, uncharged
from shared.runtime.claiming import Claims, Ended, Taken
from shared.runtime.context import utc_now
from shared.runtime.errors import (
    ArchiveError,
    Cancelled,
    DeadlineExceeded,
    LeaseLost,
    NeuralKGError,
    ObjectDamaged,
    ObjectMissing,
    StoreCorrupt,
    StoreError,
)
from shared.runtime.failures import Fault, fault_of, internal
from shared.runtime.history import History, Spent
from shared.runtime.loading import Loading, query_of
from shared.runtime.ports import Archive, Bus, ClaimsAhead, RunStore
from shared.runtime.records import StepRecord, StepRef
from shared.runtime.route import Route
from shared.runtime.settling import Settling, unbroken
from shared.runtime.signals import Signals
from shared.runtime.spill import unspill
from shared.runtime.stage import Stage

log = logging.getLogger(__name__)

_LOST = (StoreCorrupt, ObjectMissing, ObjectDamaged)
"""What cannot be read now can never be: the run that needs it ends, since trying again would not help."""

LONGEST_ERROR = 1_000
"""Characters that are kept of why a step was given back."""


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
        self._stages = {stage.name: stage for stage in stages}
        self._store, self._bus, self._archive = store, bus, archive
        self._context_factory = context_factory
        self._clock = clock
        self._limits, self._pace = limits or Limits(), pace or Pace()
        self._signals = signals or Signals()
        self._cold = True
        self._route = Route(order or [stage.name for stage in stages])
        self._loading = Loading(store, archive)
        lease = timedelta(seconds=self._pace.lease)
        self._claims = Claims(
            store=store,
            bus=bus,
            owner=owner or f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(3)}",
            lease=lease,
            clock=clock,
            stages=self._stages,
            ahead=ahead,
            on_ended=on_ended,
        )
        self._settling = Settling(
            store=store,
            archive=archive,
            claims=self._claims,
            loading=self._loading,
            route=self._route,
            signals=self._signals,
            lease=lease,
            clock=clock,
            on_ended=on_ended,
        )

    async def start(self) -> None:
        """Take messages from the bus."""
        await self._bus.subscribe(self.handle)

    async def stop(self) -> None:
        """Give back what was taken ahead and not begun; called when the bus delivers no more."""
        await self._claims.let_all_go()

    async def handle(self, step: StepRef) -> None:
        """Work on one message. Returning means that it is done with; a raise means that it must come again.

        Raises ``StepBusy`` while another worker holds the step or what follows it is not taken up, and what the
        store, the archive or the bus raises.
        """
        taken = await self._claims.take(step)
        if taken is not None:
            await self._work(taken, self._run)

    async def give_up(self, step: StepRef) -> None:
        """End the run of a message that was given up, visibly. What others hold or have done is left alone."""

        async def fail(attempt: Attempt, record: StepRecord) -> None:
            attempt.fault = _tried_too_often(step, record)

        try:
            taken = await self._claims.take_anew(step)
            if taken is not None:
                await self._work(taken, fail)
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
        return query_of(await self._store.get(step.run_id), step, await unspill(self._archive, stored))

    async def _work(self, taken: Taken, work: Callable[[Attempt, StepRecord], Awaitable[None]]) -> None:
        """Load a step, work on it and commit what came of it; give it back if that cannot be done."""
        step, record = taken.step, taken.record
        attempt: Attempt | None = None
        try:
            history = taken.history
            if step.stage == self._route.first and record.attempts == 1:
                history = History()
            fault: Fault | None = None
            try:
                query = await self._loading.query(taken.run, step, taken.annotation_count)
            except (StoreCorrupt, ArchiveError) as error:
                if not isinstance(error, _LOST) and record.attempts <= self._pace.attempts:
                    raise
                log.exception("what step %s of run %s works on cannot be read", step.id, step.run_id)
                fault = internal(step.stage, f"what the run has found so far cannot be read: {error}")
                query, history = query_of(taken.run, step, []), await self._spent(step)
            attempt = Attempt(
                step,
                taken.token,
                taken.run,
                query,
                record.attempts,
                self._clock,
                self._signals,
                history,
                record.lease_until,
                cold=self._cold,
            )
            self._cold = False
            attempt.fault = fault
            if fault is None:
                await work(attempt, record)
            # A worker that is being shut down still finishes what it has begun to write.
            await unbroken(self._settling.settle(attempt))
        except LeaseLost:
            self._loading.forget(step.run_id)
            log.warning("step %s of run %s was taken over by another worker", step.id, step.run_id)
        except (Exception, asyncio.CancelledError) as error:
            self._loading.forget(step.run_id)
            await unbroken(self._give_back(taken, attempt, error))
            raise

    async def _spent(self, step: StepRef) -> History:
        """What a run has used so far, where what it has found cannot be read."""
        try:
            records = await self._store.steps(step.run_id)
        except StoreCorrupt:
            return History()
        return History([Spent(record.usage, record.models, record.attempts) for record in records if record.usage])

    async def _give_back(self, taken: Taken, attempt: Attempt | None, error: BaseException) -> None:
        """Give a step back, and leave to the run what this try has spent of its budget."""
        told = str(error) if isinstance(error, NeuralKGError) else type(error).__name__
        if attempt is not None and (spent := uncharged(attempt)) is not None:
            with suppress(StoreError):
                await charge(attempt, self._store, spent, self._pace)
        with suppress(StoreError):
            await self._store.release(taken.step, token=taken.token, error=told[:LONGEST_ERROR])

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
        elif left <= 0 and step.stage != self._route.last:
            attempt.fault = fault_of(DeadlineExceeded("the run's time is up"), step.stage)
        else:
            await run_stage(
                attempt,
                stage,
                context_factory=self._context_factory,
                store=self._store,
                seconds=max(left, self._pace.grace) if step.stage == self._route.last else left,
                limits=self._limits,
                pace=self._pace,
            )
        if attempt.fault is None:
            attempt.fault = self._route.missing(attempt)


def _tried_too_often(step: StepRef, record: StepRecord) -> Fault:
    why = record.last_error or "its worker died each time"
    return internal(step.stage, f"{step.stage} was tried too often and given up: {why}")
