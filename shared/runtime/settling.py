"""Settles an attempt: commits what came of a step with what follows from it, then publishes that.

What the store can never hold ends the run at once, visibly: trying again would not make it smaller.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from datetime import datetime, timedelta
from typing import Any, TypeVar

from shared.query.annotated import Annotation, Failed
from shared.query.answer import AnswerStatus
from shared.runtime.attempt import Attempt, judgments
from shared.runtime.claiming import Claims, Ended
from shared.runtime.closing import close_run, final_status
from shared.runtime.errors import TooLarge
from shared.runtime.failures import Fault, fault_of
from shared.runtime.loading import Loading
from shared.runtime.ports import Archive, RunStore
from shared.runtime.records import StepCommit, StepRef
from shared.runtime.route import Route
from shared.runtime.signals import Signals
from shared.runtime.spill import spill

log = logging.getLogger(__name__)

T = TypeVar("T")


class Settling:
    """Writes down what one worker's attempts have come to."""

    def __init__(
        self,
        *,
        store: RunStore,
        archive: Archive,
        claims: Claims,
        loading: Loading,
        route: Route,
        signals: Signals,
        lease: timedelta,
        clock: Callable[[], datetime],
        on_ended: Ended | None,
    ) -> None:
        self._store, self._archive = store, archive
        self._claims, self._loading, self._route, self._signals = claims, loading, route, signals
        self._lease, self._clock, self._on_ended = lease, clock, on_ended

    async def settle(self, attempt: Attempt) -> None:
        """Commit and publish. Raises ``LeaseLost``, and what the store, the archive or the bus raises."""
        known = len(attempt.query.annotations)
        try:
            following = await self._commit(attempt)
        except TooLarge as error:
            log.exception("step %s of run %s cannot be stored", attempt.step.id, attempt.step.run_id)
            del attempt.query.annotations[known:]
            attempt.refused(fault_of(error, attempt.step.stage))
            following = await self._commit(attempt)
        run_id = attempt.step.run_id
        self._signals.moved(run_id, ended=following is None)
        if following is not None:
            self._loading.remember(run_id, attempt.query.annotations)
            await self._claims.publish(following)
            return
        self._loading.forget(run_id)
        if self._on_ended is not None:
            await self._on_ended(run_id)

    async def _commit(self, attempt: Attempt) -> StepRef | None:
        """Commit the step; returns what follows, ``None`` when the run ends with it."""
        step, fault = attempt.step, attempt.fault
        if fault is not None:
            attempt.say(fault.failure.reason)
            if fault.stop is not AnswerStatus.CANCELLED:
                attempt.written = [_failed(step, fault)]
                attempt.written += judgments(attempt.judged, step, attempt.written)
        before = len(attempt.query.annotations)
        attempt.query.append(attempt.written)
        following = self._route.after(attempt, now=self._clock())
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
        await self._claims.commit(attempt, result)
        return following

    async def _hold_on(self, attempt: Attempt) -> None:
        """Raise ``LeaseLost`` if the step was taken over; only a worker that stood still need ask.

        A run's trace and answer are archived before they are committed: one that comes back late would write over
        those of the worker that ended the run.
        """
        if attempt.lease_until is not None and attempt.lease_until <= self._clock():
            await self._store.renew(attempt.step, token=attempt.token, lease=self._lease)


async def unbroken(work: Coroutine[Any, Any, T]) -> T:
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


def _failed(step: StepRef, fault: Fault) -> Annotation:
    payload = Failed(failure=fault.failure, final=fault.final)
    return Annotation(reading=step.reading, stage=step.stage, payload=payload)
