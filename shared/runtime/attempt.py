"""Runs one claimed stage: under its deadline, its phase, its budget and the run's cancellation."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Literal, Protocol

from shared.accounting.usage import merge_models, stage_usage
from shared.query.annotated import AnnotatedQuery, Annotation, AskOptions, Judged, Noted, ProgressEvent
from shared.query.answer import AnswerStatus, ModelUsage, StageUsage
from shared.query.evidence import Disclosure, DisclosureKind
from shared.runtime.budget import Budget, Limits
from shared.runtime.charging import charge, uncharged
from shared.runtime.context import RunContext
from shared.runtime.deadline import Deadline
from shared.runtime.errors import Cancelled, NeuralKGError, StoreError, StoreUnavailable, TooLarge
from shared.runtime.failures import Fault, fault_of, internal
from shared.runtime.history import History
from shared.runtime.phase import Phase
from shared.runtime.ports import RunStore
from shared.runtime.records import BudgetTotals, RunRecord, StepRef
from shared.runtime.signals import Signals
from shared.runtime.stage import Stage

log = logging.getLogger(__name__)

LONGEST_LINE = 10_000
"""Characters of a line of progress; the rest of it is cut."""


class ContextFactory(Protocol):
    """Makes a stage's context: ``functools.partial(RunContext, transport=..., finder=..., ...)``."""

    def __call__(
        self,
        *,
        options: AskOptions,
        deadline: Deadline,
        say: Callable[[str], None],
        phase: Phase,
        budget: Budget,
        cancelled: asyncio.Event,
    ) -> RunContext:
        """The context of one stage of one run."""


@dataclass(frozen=True, slots=True)
class Pace:
    """The runner's times, in seconds, and how often a step may be tried.

    ``lease`` is how long a dead worker's step stays taken; a live one renews it. Every ``beat`` a slow stage's
    progress is stored and its run looked at for a cancellation. ``grace`` is what presenting may take when the
    run's time is up, and what a stopped stage gets to put things in order.
    """

    lease: float = 30.0
    beat: float = 0.25
    grace: float = 5.0
    attempts: int = 6


@dataclass(slots=True)
class Attempt:
    """One claimed step, and what has come of it so far."""

    step: StepRef
    token: str
    run: RunRecord
    query: AnnotatedQuery
    number: int
    """Which attempt at the step this is, counted from 1."""
    clock: Callable[[], datetime]
    signals: Signals
    history: History | None = None
    """What was committed before this step, when this worker has done all of it."""
    lease_until: datetime | None = None
    """When the lease runs out that it was claimed with; a slow stage's is renewed since."""
    cold: bool = False
    """Whether it is the first that its worker does."""
    told: list[ProgressEvent] = field(default_factory=list)
    """All progress of this attempt."""
    said: list[ProgressEvent] = field(default_factory=list)
    """Progress that is not in the store yet."""
    written: list[Annotation] = field(default_factory=list)
    judged: tuple[Judged, ...] = ()
    """What language models judged for the stage; told of one that ended in a fault too."""
    fault: Fault | None = None
    reduced: bool = False
    """Whether the store has refused what came of it as too large."""
    measured: StageUsage | None = None
    """What the stage used, once it has run."""
    models: tuple[ModelUsage, ...] = ()
    budget: BudgetTotals = field(init=False)
    charged: BudgetTotals = field(init=False)
    """What the store has down as used by the run."""
    spending: Budget | None = None
    """What the stage spends from, while it runs."""

    def __post_init__(self) -> None:
        self.budget = self.charged = self.run.budget

    @property
    def usage(self) -> StageUsage:
        """What the stage used; nothing when it was not run."""
        step = self.step
        return self.measured or StageUsage(stage=step.stage, reading=step.reading, seconds=0.0, usd=Decimal(0))

    def say(self, text: str, kind: Literal["progress", "answer", "error"] = "progress") -> None:
        """Add a line of progress; those who listen in this process hear it at once."""
        if len(text) > LONGEST_LINE:
            text = text[: LONGEST_LINE - 1] + "…"
        event = ProgressEvent(
            stage=self.step.stage, text=text, at=self.clock(), reading=self.step.reading, kind=kind
        )
        self.told.append(event)
        self.said.append(event)
        self.signals.said(self.run.run_id, event)

    def refused(self, fault: Fault) -> None:
        """What came of it is too large for the store: it has failed, and what is not stored yet is dropped."""
        if self.said:
            del self.told[-len(self.said) :]
        self.said, self.written, self.judged = [], [], ()
        self.fault, self.reduced = fault, True


async def run_stage(
    attempt: Attempt,
    stage: Stage,
    *,
    context_factory: ContextFactory,
    store: RunStore,
    seconds: float,
    limits: Limits,
    pace: Pace,
) -> None:
    """Run ``stage`` for at most ``seconds`` and keep what came of it in ``attempt``.

    Whatever the stage raises becomes a fault. Raises only the passing trouble that the store has while a slow stage
    is watched.
    """
    budget = attempt.spending = Budget(limits=limits, used=attempt.run.budget)
    context = context_factory(
        options=attempt.run.options,
        deadline=Deadline.after(seconds),
        say=attempt.say,
        phase=Phase(),
        budget=budget,
        cancelled=asyncio.Event(),
    )
    watch = _Watch(attempt, context, store, pace)
    began_at, cpu, began = attempt.clock(), time.process_time(), time.perf_counter()
    log.info("run %s: stage %s begins", attempt.run.run_id, attempt.step.id)
    try:
        with context.phase.during(stage.name, judging_allowed=stage.judging_allowed):
            written = await watch.over(stage.function(attempt.query, context))
    except Exception as error:
        if watch.trouble is not None and not isinstance(watch.trouble, TooLarge):
            raise watch.trouble from error
        attempt.fault = fault_of(error, stage.name)
        if not isinstance(error, NeuralKGError) or attempt.fault.stop is AnswerStatus.FAILED:
            log.exception("stage %s of run %s failed", attempt.step.id, attempt.run.run_id)
    else:
        written = [*written, *disclosures(context.told, attempt.step, written)]
        written += judgments(context.judged, attempt.step, written)
        attempt.fault = misplaced(written, attempt.step)
        attempt.written = [] if attempt.fault else written
    attempt.judged = tuple(context.judged)
    usage = attempt.measured = stage_usage(
        attempt.step,
        seconds=time.perf_counter() - began,
        meter=context.meter,
        before=attempt.run.budget,
        after=budget.used,
        began_at=began_at,
        cpu_seconds=time.process_time() - cpu,
        cold=attempt.cold,
    )
    log.info(
        "run %s: stage %s ended after %.3f s: %s",
        attempt.run.run_id,
        attempt.step.id,
        usage.seconds,
        # The reason may quote what was asked; it stands in the answer.
        attempt.fault.failure.status if attempt.fault else f"{len(attempt.written)} annotations",
    )
    attempt.models, attempt.budget = merge_models(context.meter.models), budget.used


def judgments(judged: Sequence[Judged], step: StepRef, written: Sequence[Annotation]) -> list[Annotation]:
    """What language models judged for a stage, as annotations under keys that are left free."""
    first = 1 + max((annotation.n for annotation in written), default=-1)
    return [
        Annotation(reading=step.reading, stage=step.stage, n=first + n, payload=one) for n, one in enumerate(judged)
    ]


def disclosures(told: Sequence[str], step: StepRef, written: Sequence[Annotation]) -> list[Annotation]:
    """What a stage's judgments have the answer say, as annotations under keys that the stage left free."""
    first = 1 + max((annotation.n for annotation in written), default=-1)
    return [
        Annotation(
            reading=step.reading,
            stage=step.stage,
            n=first + n,
            payload=Noted(disclosure=Disclosure(kind=DisclosureKind.CAVEAT, text=text)),
        )
        for n, text in enumerate(told)
    ]


def misplaced(written: Sequence[Annotation], step: StepRef) -> Fault | None:
    """The fault of a stage that wrote under another's name, or two annotations under one key."""
    for annotation in written:
        if annotation.stage != step.stage or annotation.reading != step.reading:
            return internal(step.stage, f"{step.stage} wrote the annotation {annotation.key}, which is not its own")
    keys = [annotation.key for annotation in written]
    twice = next((key for key in keys if keys.count(key) > 1), None) if len(set(keys)) < len(keys) else None
    return internal(step.stage, f"{step.stage} wrote two annotations called {twice}") if twice else None


class _Watch:
    """Stands beside a running stage and stops it when it must not go on."""

    def __init__(self, attempt: Attempt, context: RunContext, store: RunStore, pace: Pace) -> None:
        self._attempt, self._context, self._store, self._pace = attempt, context, store, pace
        self._renewed = time.monotonic()
        self.trouble: StoreError | None = None
        """What the store raised, as told apart from what the stage raised."""

    async def over(self, work: Awaitable[list[Annotation]]) -> list[Annotation]:
        """Await ``work``. Raises ``DeadlineExceeded``, ``Cancelled``, the store's trouble or the stage's own."""
        task = asyncio.ensure_future(work)
        cancelled = self._context.cancelled

        def stop() -> None:
            cancelled.set()
            task.cancel()

        try:
            with self._attempt.signals.stoppable(self._attempt.run.run_id, stop):
                # Most stages wait for nothing and are done at once; only the others need a timer.
                await asyncio.sleep(0)
                while not task.done() and not cancelled.is_set():
                    left = self._context.deadline.remaining
                    await asyncio.wait({task}, timeout=min(self._pace.beat, left))
                    if not task.done() and not cancelled.is_set():
                        self._context.deadline.check()
                        await self._beat(stop)
        finally:
            if not task.done():
                task.cancel()
                await asyncio.wait({task}, timeout=self._pace.grace)
        if not task.done() or task.cancelled():
            if cancelled.is_set():
                raise Cancelled("the run was cancelled")
            raise RuntimeError("the stage cancelled itself")
        return task.result()

    async def _beat(self, stop: Callable[[], None]) -> None:
        """Store what has been said, hold the lease, and stop the stage when the client has left."""
        run_id, said = self._attempt.run.run_id, self._attempt.said
        try:
            while said:
                await self._store.add_event(run_id, said[0])
                said.pop(0)
                self._attempt.signals.moved(run_id, ended=False)
            now = time.monotonic()
            if (spent := uncharged(self._attempt)) is not None:
                # Should this worker die, the next one must not spend it once more.
                run = await charge(self._attempt, self._store, spent, self._pace)
                self._renewed = now
            elif now - self._renewed >= self._pace.lease / 3:
                run = await self._store.renew(
                    self._attempt.step, token=self._attempt.token, lease=timedelta(seconds=self._pace.lease)
                )
                self._renewed = now
            else:
                run = await self._store.get(run_id)
        except StoreError as error:
            held = time.monotonic() - self._renewed < self._pace.lease
            if isinstance(error, StoreUnavailable) and held:
                # What the stage has paid for so far is not thrown away while nobody else can have taken the step.
                log.warning("run %s: stage %s goes on without the store", run_id, self._attempt.step.id)
                return
            self.trouble = error
            raise
        if run.cancel_requested:
            stop()
