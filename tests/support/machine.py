"""A whole embedded machine over trivial stages, for the tests of the runner."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

from shared.adapters.folder_archive import FolderArchive
from shared.adapters.inline_bus import InlineBus, Redelivery
from shared.adapters.sqlite_store import SqliteStore
from shared.query.annotated import (
    AnnotatedQuery,
    Annotation,
    AskOptions,
    Noted,
    Presented,
    Understood,
)
from shared.query.answer import Answer, AnswerStatus, Usage
from shared.query.evidence import Disclosure, DisclosureKind
from shared.query.readings import EntityMention, MeasureMention, ValueReading
from shared.runtime.attempt import Pace
from shared.runtime.client import RunClient
from shared.runtime.context import RunContext, utc_now
from shared.runtime.records import StepRef
from shared.runtime.runner import StageRunner
from shared.runtime.settings import PIPELINE
from shared.runtime.signals import Signals
from shared.runtime.stage import Stage

Body = Callable[[AnnotatedQuery, RunContext], Awaitable[list[Annotation]]]

FAST = Pace(lease=5.0, beat=0.02, grace=1.0, attempts=4)
QUICK = Redelivery(attempts=4, first=0.01, longest=0.05)


def note(query: AnnotatedQuery, stage: str, text: str, n: int = 0) -> Annotation:
    disclosure = Disclosure(kind=DisclosureKind.CAVEAT, text=text)
    return Annotation(reading=query.reading, stage=stage, n=n, payload=Noted(disclosure=disclosure))


def reading(entity: str) -> ValueReading:
    return ValueReading(entity=EntityMention(text=entity, status="unknown"), measure=MeasureMention(text="gdp"))


def presented(query: AnnotatedQuery, status: str, why: str = "", text: str = "It is 7.") -> Annotation:
    current = query.understood()
    answer = Answer(
        run_id=query.run_id,
        question=query.question,
        asked_at=query.asked_at,
        status=AnswerStatus(status),
        reading=current.readings[query.reading] if current and query.reading >= 0 else None,
        text=text,
        failures=tuple(query.failures()),
        disclosures=tuple(query.disclosures()),
        usage=Usage(seconds=0, model_calls=0, tokens=0, usd=Decimal(0)),
    )
    return Annotation(
        reading=query.reading,
        stage="present",
        payload=Presented(answer=answer.model_dump(mode="json"), status=status, why=why),
    )


def trivial(
    *, bodies: dict[str, Body] | None = None, statuses: Sequence[str] = ("complete",), size: int = 20
) -> list[Stage]:
    """The ten stages, each writing one note of ``size`` characters.

    Understanding finds one reading for each of ``statuses``, and each reading is presented with its status.
    ``bodies`` replaces what single stages do.
    """
    bodies = bodies or {}

    async def understand(query: AnnotatedQuery, context: RunContext) -> list[Annotation]:
        context.say("read the question")
        readings = tuple(reading(f"India {n}") for n in range(len(statuses)))
        return [Annotation(reading=-1, stage="understand", payload=Understood(readings=readings))]

    async def present(query: AnnotatedQuery, context: RunContext) -> list[Annotation]:
        if query.reading < 0:
            return [presented(query, "unanswered", text="It could not be read.")]
        failed = [f for f in query.failures() if f.stage != "present"]
        status = "unanswered" if failed else statuses[query.reading]
        why = failed[-1].reason if failed else f"reading {query.reading} was {status}"
        return [presented(query, status, why)]

    async def other(query: AnnotatedQuery, context: RunContext, *, name: str) -> list[Annotation]:
        context.say(f"did {name}")
        return [note(query, name, name[0] * size)]

    table: dict[str, Body] = {name: partial(other, name=name) for name in PIPELINE}
    table |= {"understand": understand, "present": present} | bodies
    return [Stage(name, table[name], name not in {"execute", "plan", "slots", "present"}) for name in PIPELINE]


class NoPort:
    """Stands for a port that the trivial stages never touch."""

    def __getattr__(self, name: str) -> Any:
        raise AssertionError(f"the port was asked for {name}")


@dataclass
class Machine:
    store: Any
    bus: InlineBus
    archive: Any
    runner: StageRunner
    client: RunClient
    signals: Signals
    delivered: list[StepRef] = field(default_factory=list)


@asynccontextmanager
async def machine(
    folder: Path,
    stages: list[Stage],
    *,
    clock: Callable[[], datetime] = utc_now,
    pace: Pace = FAST,
    store: Any = None,
    bus: InlineBus | None = None,
    archive: Any = None,
    copies: int = 1,
    judges: Sequence[Any] = (),
    start: bool = True,
    poll: float = 0.02,
    ahead: bool = False,
):
    """Build the machine, and deliver each message ``copies`` times."""
    store = store or SqliteStore(folder / "runs-3.sqlite3", clock=clock)
    bus = bus or InlineBus(redelivery=QUICK)
    archive = archive or FolderArchive(folder / "archive")
    signals = Signals()
    context = partial(
        RunContext, transport=NoPort(), finder=NoPort(), embedder=NoPort(), judges=judges, panel=judges
    )
    runner = StageRunner(
        stages,
        store=store,
        bus=bus,
        archive=archive,
        context_factory=context,
        clock=clock,
        pace=pace,
        signals=signals,
        ahead=store if ahead else None,
    )
    client = RunClient(store=store, bus=bus, archive=archive, clock=clock, signals=signals, poll=poll)
    built = Machine(store, bus, archive, runner, client, signals)

    async def deliver(step: StepRef) -> None:
        built.delivered.append(step)
        if copies == 1:
            await runner.handle(step)
            return
        results = await asyncio.gather(*(runner.handle(step) for _ in range(copies)), return_exceptions=True)
        for result in results:
            if isinstance(result, BaseException):
                raise result

    if start:
        await bus.subscribe(deliver)
        await bus.on_dead_letter(runner.give_up)
    try:
        yield built
    finally:
        await bus.close()
        await runner.stop()
        await store.close()


OPTIONS = AskOptions(deadline_seconds=20)
