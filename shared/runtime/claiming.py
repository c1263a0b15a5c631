"""Takes steps for one worker: by a claim, or ahead, together with the commit that opens them.

A duplicate of a step that is done must not simply publish what follows again: each of its copies would, and so each
of theirs. The follow-up's message is on its way, or the worker that committed died before it published. So whoever
finds the follow-up open waits until it has stood so for ``RESENT``, and then one of all publishes it, and it
counts as open from then on: a message a step and time, however many copies there are. The others come again, until
the follow-up is taken up: none is done with while it may be the last that knows of it.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Container
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta

from shared.query.identifiers import RunId, StageName
from shared.runtime.attempt import Attempt
from shared.runtime.errors import LeaseLost, RunNotFound, StepBusy, StoreError
from shared.runtime.history import History, Spent
from shared.runtime.ports import Bus, ClaimsAhead, RunStore
from shared.runtime.records import Claimed, ClaimOutcome, RunRecord, StepCommit, StepRecord, StepRef, StepState

log = logging.getLogger(__name__)

RESENT = timedelta(seconds=2)
"""How long a follow-up stands open before a duplicate of the step before it publishes it again."""

FRESH = 0.05
"""Seconds for which a step that was taken ahead is begun without a look at the store."""

Ended = Callable[[RunId], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Taken:
    """A step that this worker holds. ``since`` is on the monotonic clock, for a step that was taken ahead."""

    step: StepRef
    run: RunRecord
    record: StepRecord
    token: str
    annotation_count: int
    since: float = 0.0
    history: History | None = None
    """What was committed before it, when this worker has done all of it."""


class Claims:
    """One worker's hold on steps. ``ahead`` and ``on_ended`` are as the runner has them, ``stages`` its own."""

    def __init__(
        self,
        *,
        store: RunStore,
        bus: Bus,
        owner: str,
        lease: timedelta,
        clock: Callable[[], datetime],
        stages: Container[StageName],
        ahead: ClaimsAhead | None,
        on_ended: Ended | None,
    ) -> None:
        self._store, self._bus = store, bus
        self._owner, self._lease, self._clock = owner, lease, clock
        self._stages, self._ahead, self._on_ended = stages, ahead, on_ended
        self._waiting: dict[tuple[RunId, str], Taken] = {}
        """What was taken ahead and not begun."""

    async def take(self, step: StepRef) -> Taken | None:
        """The step of a message, held by this worker; ``None`` when the message is done with.

        Raises ``StepBusy`` when the message must come again.
        """
        ready = self._waiting.pop((step.run_id, step.id), None)
        if ready is not None and (begun := await self._begun(ready)) is not None:
            return begun
        return await self._claim(step)

    async def take_anew(self, step: StepRef) -> Taken | None:
        """As ``take``, for a message that will not come again: what is busy, or under way, is left alone."""
        await self.let_go(step)
        try:
            return await self._claim(step)
        except StepBusy:
            return None

    async def commit(self, attempt: Attempt, result: StepCommit) -> None:
        """Commit, and take the follow-up with it where this worker is to carry on."""
        step, following = attempt.step, result.next
        if self._ahead is None or following is None or following.stage not in self._stages:
            await self._store.commit(step, token=attempt.token, result=result)
            return
        claimed = await self._ahead.commit_and_claim(
            step, token=attempt.token, result=result, run=attempt.run, owner=self._owner, lease=self._lease
        )
        if claimed is None:
            return
        if attempt.history is not None:
            spent = Spent(result.stage_usage, result.model_usage, attempt.number)
            attempt.history.add(spent, result.annotations, attempt.told)
        self._waiting[following.run_id, following.id] = _taken(
            following, claimed, since=time.monotonic(), history=attempt.history
        )

    async def publish(self, following: StepRef) -> None:
        """Publish a follow-up; when that fails it is not held on to. Raises what the bus raises."""
        try:
            await self._bus.publish(following)
        except BaseException:
            await self.let_go(following)
            raise

    async def let_go(self, step: StepRef) -> None:
        """Give back a step that was taken ahead, so that whoever gets its message may take it at once."""
        taken = self._waiting.pop((step.run_id, step.id), None)
        if taken is not None:
            with suppress(StoreError):
                await self._store.release(step, token=taken.token, error="it was not begun")

    async def let_all_go(self) -> None:
        """Give back everything that was taken ahead."""
        for taken in list(self._waiting.values()):
            await self.let_go(taken.step)

    async def _begun(self, ready: Taken) -> Taken | None:
        """A step that was taken ahead; one that had to wait is renewed, and a cancellation seen by that."""
        if time.monotonic() - ready.since < FRESH:
            return ready
        try:
            run = await self._store.renew(ready.step, token=ready.token, lease=self._lease)
        except LeaseLost:
            return None
        return Taken(ready.step, run, ready.record, ready.token, ready.annotation_count, ready.since, ready.history)

    async def _claim(self, step: StepRef) -> Taken | None:
        try:
            claimed = await self._store.claim(step, owner=self._owner, lease=self._lease)
        except RunNotFound:
            log.warning("a message names run %s, which does not exist or has expired", step.run_id)
            return None
        match claimed.outcome:
            case ClaimOutcome.CLAIMED:
                return _taken(step, claimed)
            case ClaimOutcome.BUSY:
                raise StepBusy(f"step {step.id} of run {step.run_id} is being worked on")
            case ClaimOutcome.DONE:
                await self._followed(claimed.record)
            case ClaimOutcome.RUN_ENDED:
                await self._ended(claimed.record)
        log.info("step %s of run %s is not worked on: %s", step.id, step.run_id, claimed.outcome)
        return None

    async def _followed(self, record: StepRecord | None) -> None:
        """See that a finished step's follow-up is on its way. Raises ``StepBusy`` while that is not certain."""
        if record is None or record.next is None or record.next_open_since is None:
            return
        following, since = record.next, record.next_open_since
        if self._clock() - since < RESENT or not await self._store.note_published(following, since=since):
            raise StepBusy(f"what follows step {record.step.id} of run {record.step.run_id} is not taken up yet")
        log.info("step %s of run %s is published again", following.id, following.run_id)
        await self._bus.publish(following)

    async def _ended(self, record: StepRecord | None) -> None:
        """Tell again that a run ended, when this is the step that ended it."""
        if record is None or record.state is not StepState.DONE or record.next is not None:
            return
        if self._on_ended is not None:
            await self._on_ended(record.step.run_id)


def _taken(step: StepRef, claimed: Claimed, *, since: float = 0.0, history: History | None = None) -> Taken:
    run, record, token = claimed.run, claimed.record, claimed.token
    if run is None or record is None or token is None:
        raise TypeError("a claimed step comes with its run, its record and its token")
    return Taken(step, run, record, token, claimed.annotation_count, since, history)
