"""The faults in one process: a worker for each stage that can die, on one SQLite file, with stages that cost.

A worker that dies takes all its work with it, is gone for a moment, and comes back without a memory.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from datetime import timedelta
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from shared.adapters.folder_archive import FolderArchive
from shared.adapters.inline_bus import InlineBus, Redelivery
from shared.adapters.sqlite_store import SqliteStore
from shared.models.tasks import Task
from shared.query.annotated import AnnotatedQuery, Annotation, AskOptions
from shared.query.answer import Answer, AnswerStatus
from shared.query.evidence import FailureStatus
from shared.query.identifiers import RunId
from shared.runtime.attempt import Pace
from shared.runtime.client import RunClient
from shared.runtime.context import RunContext
from shared.runtime.errors import DeadlineExceeded, StoreUnavailable
from shared.runtime.records import RunStatus, StepRef
from shared.runtime.runner import StageRunner
from shared.runtime.settings import PIPELINE
from shared.runtime.stage import Stage
from shared.runtime.sweep import keep_sweeping
from tests.faults.chances import Chances
from tests.faults.checks import used, violations
from tests.faults.ports import FAULTS, FaultyArchive, FaultyBus, FaultyStore, Harm
from tests.faults.report import Report
from tests.support.machine import NoPort, note, trivial

PACE = Pace(lease=0.4, beat=0.05, grace=0.5, attempts=30)
REDELIVERY = Redelivery(attempts=60, first=0.05, longest=0.3)
RATE = 0.02
"""How often each fault strikes a step, where nothing else is said."""
DOWN_SECONDS = 0.05
WAITING = timedelta(seconds=1)
LONG = AskOptions(deadline_seconds=600)
SHORT_SECONDS = 1.0
PATIENCE_SECONDS = 120.0
LARGE = 300_000
"""Characters of an annotation that travels through the archive."""
JUDGING = ("understand", "discover", "select", "resolve_entities", "combine")


class _Died(BaseException):
    """The worker is gone: nothing after this runs."""


class _Question(BaseModel):
    text: str


class _Reply(BaseModel):
    choice: str


_TASK = Task("weigh", 1, _Question, _Reply, validate=lambda _, reply: None if reply.choice else "empty")


class _PaidJudge:
    """Costs 7 tokens and $0.0003 a call, and never answers a question that says so."""

    name = "paid"

    def can(self, task: Task[Any, Any]) -> bool:
        return task.name == _TASK.name

    async def ask(self, task: Task[Any, Any], request: Any, context: RunContext, *, hint: str | None = None) -> Any:
        price = Decimal("0.0003")
        context.budget.reserve(price)
        if "no answer from select" in request.text:
            await asyncio.sleep(600)
        await asyncio.sleep(0.001)
        context.budget.settle(reserved=price, usd=price, tokens=7, seconds=0.001)
        return _Reply(choice="the first")


def _stages() -> list[Stage]:
    plain = {stage.name: stage for stage in trivial(statuses=["partial", "complete"])}

    async def judged(query: AnnotatedQuery, context: RunContext, *, name: str) -> list[Annotation]:
        # Only the stage that is meant hangs, so that what was used before it is known.
        asked = query.question if name == "select" else "a question"
        await context.judge(_TASK, _Question(text=asked))
        return await plain[name].function(query, context)

    async def execute(query: AnnotatedQuery, context: RunContext) -> list[Annotation]:
        if "execute hangs" in query.question:
            await asyncio.sleep(600)
        large = LARGE if "a large one" in query.question else 2_000
        return [note(query, "execute", "x" * large)]

    bodies: dict[str, Any] = {name: partial(judged, name=name) for name in JUDGING} | {"execute": execute}
    return [Stage(name, bodies.get(name, stage.function), stage.judging_allowed) for name, stage in plain.items()]


class _Worker:
    """One stage's process."""

    def __init__(self, stage: Stage, world: _World) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self.dead = False
        harm = Harm(die=self._die, freeze=asyncio.sleep)
        judges = (_PaidJudge(),)
        self._runner = StageRunner(
            [stage],
            store=_Mortal(FaultyStore(world.store, world.chances, harm), self),
            bus=FaultyBus(world.bus, world.chances, harm, spread=0.3, late=0.6),
            archive=FaultyArchive(world.archive, world.chances),
            context_factory=partial(
                RunContext, transport=NoPort(), finder=NoPort(), embedder=NoPort(), judges=judges, panel=judges
            ),
            pace=PACE,
            order=PIPELINE,
        )

    async def handle(self, step: StepRef) -> None:
        task = asyncio.ensure_future(self._runner.handle(step))
        self._tasks.add(task)
        try:
            await asyncio.wait({task})
        finally:
            self._tasks.discard(task)
            if not task.done():
                task.cancel()
        if self.dead:
            if not task.cancelled():
                task.exception()
            raise StoreUnavailable("the worker died")
        task.result()

    def _die(self) -> None:
        self.dead = True
        for task in self._tasks:
            if task is not asyncio.current_task():
                task.cancel()
        raise _Died


class _Mortal:
    """A store that a dead worker reaches no more."""

    def __init__(self, store: Any, worker: _Worker) -> None:
        self._store, self._worker = store, worker

    def __getattr__(self, name: str) -> Any:
        if self._worker.dead:
            raise _Died
        return getattr(self._store, name)


class _World:
    """What outlives every worker."""

    def __init__(self, folder: Path, chances: Chances) -> None:
        self.chances = chances
        self.store = SqliteStore(folder / "runs-3.sqlite3")
        self.archive = FolderArchive(folder / "archive")
        self.bus = InlineBus(concurrency=64, redelivery=REDELIVERY)
        self.client = RunClient(store=self.store, bus=self.bus, archive=self.archive, poll=0.05)
        self._workers: dict[str, _Worker] = {}

    async def start(self) -> None:
        self._stages = {stage.name: stage for stage in _stages()}
        self._workers = {name: _Worker(stage, self) for name, stage in self._stages.items()}
        await self.bus.subscribe(self._deliver)

    async def _deliver(self, step: StepRef) -> None:
        worker = self._workers[step.stage]
        if worker.dead:
            await asyncio.sleep(DOWN_SECONDS)
            if self._workers[step.stage] is worker:
                self._workers[step.stage] = _Worker(self._stages[step.stage], self)
            worker = self._workers[step.stage]
        await worker.handle(step)


def questions(count: int) -> list[str]:
    """Questions, some of which meet a model that gives no answer, a stage that hangs, or much data."""
    rare = {0: ", no answer from select", 7: ", execute hangs", 3: ", a large one", 13: ", a large one"}
    return [f"question {n}{rare.get(n % 20, '')}" for n in range(count)]


def hangs(question: str) -> bool:
    """Whether the question's time is up before it is answered."""
    return "no answer" in question or "hangs" in question


async def run(
    count: int, folder: Path, *, rates: Mapping[str, float], seed: int = 0, in_flight: int = 32
) -> Report:
    """Ask ``count`` questions among faults of these rates, and hold each run against one without."""
    report = Report(asked=count, how="embedded")
    asked = questions(count)
    kinds = {question.partition(",")[2]: question for question in asked if not hangs(question)}
    calm = await _asked(list(kinds.values()), folder / "calm", {}, seed, in_flight=in_flight)
    expected = {kind: calm[question][1] for kind, question in kinds.items()}
    began = time.monotonic()
    await _asked(asked, folder / "faults", rates, seed, in_flight=in_flight, report=report, expected=expected)
    report.seconds = time.monotonic() - began
    return report


async def _asked(
    asked: Sequence[str],
    folder: Path,
    rates: Mapping[str, float],
    seed: int,
    *,
    in_flight: int,
    report: Report | None = None,
    expected: Mapping[str, Any] | None = None,
) -> dict[str, tuple[RunId, dict[str, Any]]]:
    """Ask all; returns each question's run and what it used."""
    marks = folder / "marks"
    marks.mkdir(parents=True)
    world = _World(folder, Chances(marks, rates, seed))
    await world.start()
    sweeping = asyncio.create_task(keep_sweeping(world.store, world.bus, every=0.3, waiting=WAITING))
    turn = asyncio.Semaphore(in_flight)

    async def ask(number: int, question: str) -> tuple[RunId, dict[str, Any]]:
        options = AskOptions(deadline_seconds=SHORT_SECONDS) if hangs(question) else LONG
        async with turn:
            record = await world.client.submit(question, options, run_id=RunId(f"faults-{seed}-{number:05}"))
            answer = await _waited(world.client, record.run_id)
        if report is not None and hangs(question):
            report.hung += 1
            statuses = {failure.status for failure in answer.failures}
            if answer.status is not AnswerStatus.UNANSWERED or FailureStatus.DEADLINE not in statuses:
                report.wrong(record.run_id, [f"its time was up, and it ended {answer.status} with {statuses}"])
        elif answer.status is not AnswerStatus.COMPLETE and report is not None:
            report.wrong(record.run_id, [f"it ended {answer.status}"])
        return record.run_id, used(await world.store.steps(record.run_id))

    try:
        results = await asyncio.gather(*(ask(number, question) for number, question in enumerate(asked)))
        await world.bus.drained()
        if report is not None and expected is not None:
            for question, (run_id, _) in zip(asked, results, strict=True):
                meant = None if hangs(question) else expected[question.partition(",")[2]]
                report.wrong(run_id, await violations(world.store, world.archive, run_id, expected=meant))
                steps = await world.store.steps(run_id)
                report.attempts += sum(step.attempts for step in steps)
                report.steps += len(steps)
            report.stray = [
                run.run_id
                for run in await world.store.recent(limit=len(asked) + 1)
                if run.status is RunStatus.RUNNING
            ]
            report.struck = world.chances.counted()
            report.dead_letters = len(world.bus.dead_letters)
    finally:
        sweeping.cancel()
        with suppress(asyncio.CancelledError):
            await sweeping
        await world.bus.close()
        await world.store.close()
    return dict(zip(asked, results, strict=True))


async def _waited(client: RunClient, run_id: RunId) -> Answer:
    """Wait longer than a client would: dead workers take their time to be replaced."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            with suppress(DeadlineExceeded):
                return await client.wait(run_id)
            await asyncio.sleep(0.5)


def rates(each: float) -> dict[str, float]:
    """Every fault at the same rate; much fewer workers stand still, since that takes longest."""
    return dict.fromkeys(FAULTS, each) | {"stall-past-lease": each / 4}
