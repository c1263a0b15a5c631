"""The asking side of the machine: submits a question, follows its run, waits for the answer, cancels.

It needs a store and a bus, not a runner: whoever takes the messages does the work, in this process or elsewhere.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from datetime import datetime, timedelta

from shared.query.annotated import AskOptions, ProgressEvent
from shared.query.answer import Answer
from shared.query.identifiers import RunId, StageName
from shared.runtime.closing import answer_of
from shared.runtime.context import utc_now
from shared.runtime.errors import DeadlineExceeded, NeuralKGError, RunError
from shared.runtime.ports import Archive, Bus, RunStore
from shared.runtime.records import RunRecord, RunStatus, StepRef
from shared.runtime.signals import Ear, Listener, Signals

log = logging.getLogger(__name__)

KEPT = timedelta(days=7)
"""How long a run stays in the store; its archived trace stays longer."""

LATE = 10.0
"""Seconds after its deadline in which a run must have ended; then it is waited for no longer."""

ABANDONING = 3.0
"""Seconds that a client who leaves gives the run to stop."""


class RunClient:
    """Asks. ``poll`` is how often, in seconds, the store is looked at when no signal comes."""

    def __init__(
        self,
        *,
        store: RunStore,
        bus: Bus,
        archive: Archive,
        clock: Callable[[], datetime] = utc_now,
        signals: Signals | None = None,
        first_stage: StageName = StageName("understand"),  # noqa: B008 - a string
        poll: float = 0.25,
    ) -> None:
        self._store, self._bus, self._archive = store, bus, archive
        self._clock = clock
        self._signals = signals or Signals()
        self._first_stage = first_stage
        self._poll = poll

    async def submit(
        self,
        question: str,
        options: AskOptions | None = None,
        *,
        run_id: RunId | None = None,
        traceparent: str | None = None,
    ) -> RunRecord:
        """Create a run and publish its first step; under a ``run_id`` already used, return that run."""
        options = options or AskOptions()
        now = self._clock()
        run = await self._store.create(
            RunRecord(
                run_id=run_id or new_run_id(now),
                question=question,
                options=options,
                created_at=now,
                deadline_at=now + timedelta(seconds=options.deadline_seconds),
                expires_at=now + KEPT,
                cursor_stage=self._first_stage,
            )
        )
        if run.status is RunStatus.RUNNING:
            await self._bus.publish(
                StepRef(run_id=run.run_id, reading=-1, stage=self._first_stage, traceparent=traceparent)
            )
        return run

    async def ask(
        self, question: str, options: AskOptions | None = None, *, on_event: Listener | None = None
    ) -> Answer:
        """Ask and wait for the answer; ``on_event`` hears each line of progress as it is said.

        A caller that is cancelled takes the run with it. Raises what the store or the archive raises, and
        ``DeadlineExceeded`` when the run has not ended soon after its deadline.
        """
        run_id = new_run_id(self._clock())
        with self._signals.listening(run_id, on_event) as ear:
            try:
                run = await self.submit(question, options, run_id=run_id)
                run = await self._ended(run, ear)
            except asyncio.CancelledError:
                await self._abandon(run_id, ear)
                raise
        return await self._answer(run)

    async def wait(self, run_id: RunId) -> Answer:
        """Wait for a run's answer. Raises as ``ask`` does, and ``RunNotFound``; leaving does not cancel."""
        with self._signals.listening(run_id) as ear:
            return await self._answer(await self._ended(await self._store.get(run_id), ear))

    async def result(self, run_id: RunId) -> tuple[RunRecord, Answer | None]:
        """A run and its answer, ``None`` while it goes on. Raises ``RunNotFound`` or ``ArchiveError``."""
        run = await self._store.get(run_id)
        return run, await answer_of(run, self._archive)

    async def watch(self, run_id: RunId, *, after: int = 0) -> AsyncIterator[tuple[int, ProgressEvent]]:
        """The run's progress events above ``after`` with their numbers, until the run has ended.

        Raises as ``wait`` does.
        """
        with self._signals.listening(run_id) as ear:
            while True:
                ear.news.clear()
                run, events = await self._store.progress(run_id, after=after)
                for number, event in events:
                    after = number
                    yield number, event
                if run.status is not RunStatus.RUNNING:
                    return
                self._check(run, ear)
                await _heard(ear.news, self._poll)

    async def cancel(self, run_id: RunId) -> RunRecord:
        """Ask a run to stop: a stage at work is stopped at its next wait, a waiting step is not begun.

        Returns the run as it then stands; one that has ended is unchanged. Raises ``RunNotFound``.
        """
        run = await self._store.request_cancel(run_id)
        if run.status is RunStatus.RUNNING:
            self._signals.stop(run_id)
            # Nobody may be at work on it any more: whoever takes this message ends the run.
            step = StepRef(run_id=run_id, reading=run.cursor_reading, stage=run.cursor_stage)
            await self._bus.publish(step)
        return run

    async def _ended(self, run: RunRecord, ear: Ear) -> RunRecord:
        while run.status is RunStatus.RUNNING:
            self._check(run, ear)
            await _heard(ear.ended, self._poll)
            run = await self._store.get(run.run_id)
        return run

    def _check(self, run: RunRecord, ear: Ear) -> None:
        """Raise why a run that goes on need not be waited for any longer."""
        if ear.trouble is not None:
            raise ear.trouble
        if self._clock() >= run.deadline_at + timedelta(seconds=LATE):
            raise DeadlineExceeded(f"run {run.run_id} has not ended {LATE:g} s after its deadline")

    async def _answer(self, run: RunRecord) -> Answer:
        answer = await answer_of(run, self._archive)
        if answer is None:
            raise RunError(f"run {run.run_id} has ended without an answer")
        return answer

    async def _abandon(self, run_id: RunId, ear: Ear) -> None:
        """Cancel the run of a client that leaves, and give it a moment to be written down."""
        with suppress(NeuralKGError):
            run = await self.cancel(run_id)
            until = asyncio.get_running_loop().time() + ABANDONING
            while run.status is RunStatus.RUNNING and asyncio.get_running_loop().time() < until:
                await _heard(ear.ended, 0.05)
                run = await self._store.get(run_id)


def new_run_id(now: datetime) -> RunId:
    """A fresh id; ids sort by the time of their question and are safe in file names and addresses."""
    # Not strftime: it looks the time zone up again each time, which costs more than all the rest of asking.
    second = f"{now.year:04}{now.month:02}{now.day:02}T{now.hour:02}{now.minute:02}{now.second:02}"
    return RunId(f"{second}-{secrets.token_hex(6)}")


async def _heard(news: asyncio.Event, seconds: float) -> None:
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await news.wait()
