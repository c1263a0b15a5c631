"""A function's process whose ports go wrong: what ``functions.local.hosted`` is, with faults around its ports.

``python -m tests.faults.injected NAME SOCKET``, with the chances in ``NEURALKG_TEST_FAULTS``. The function itself
is the production one; only what opens its ports, and its pace, is replaced before it is loaded.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from datetime import timedelta
from decimal import Decimal
from functools import partial
from typing import Any

from functions.hosting import running, wiring
from functions.local.hosted import serve
from shared.models.builtin import BuiltinJudge
from shared.query.annotated import AnnotatedQuery, Annotation
from shared.runtime.attempt import Pace
from shared.runtime.context import RunContext
from shared.runtime.errors import ModelUnavailable
from shared.runtime.runner import StageRunner
from shared.runtime.stage import Stage
from tests.faults.chances import Chances
from tests.faults.ports import FaultyArchive, FaultyBus, FaultyStore, Harm

VARIABLE = "NEURALKG_TEST_FAULTS"
PACE = Pace(lease=3.0, beat=0.25, grace=2.0, attempts=60)
HANGS_SECONDS = 7.25
"""A question that may take just so long meets a stage that never ends."""
HANGING_STAGE = "execute"
NO_ANSWER = "the model gave no answer in time"
WAITING = timedelta(seconds=5)
COPY_SECONDS = 2.0
"""Each message comes again within this time."""
PRICE = Decimal("0.0002")


class PaidJudge(BuiltinJudge):
    """The built-in judge at a price, so that paying twice would be seen; now and then it gives no answer."""

    chances: Chances

    async def ask(self, task: Any, request: Any, context: RunContext, *, hint: str | None = None) -> Any:
        context.budget.reserve(PRICE)
        place = f"{task.id} {time.time_ns()}"
        if self.chances.strikes("model-times-out", place):
            context.budget.release(reserved=PRICE)
            raise ModelUnavailable(NO_ANSWER)
        reply = await super().ask(task, request, context, hint=hint)
        context.budget.settle(reserved=PRICE, usd=PRICE, tokens=11, seconds=0.0)
        return reply


def _stage(name: Any, function: Any, judging_allowed: bool) -> Stage:
    async def perhaps(query: AnnotatedQuery, context: RunContext) -> list[Annotation]:
        if name == HANGING_STAGE and query.options.deadline_seconds == HANGS_SECONDS:
            await asyncio.sleep(600)
        found: list[Annotation] = await function(query, context)
        return found

    return Stage(name, perhaps, judging_allowed)


def _sweep_soon() -> None:
    """Let the sweep drive on what has waited for a few seconds."""
    from functions.sweep import duty

    duty.sweep_runs = partial(duty.sweep_runs, waiting=WAITING)  # type: ignore[assignment]


def _die() -> None:
    os.kill(os.getpid(), signal.SIGKILL)
    time.sleep(60)  # nothing after this runs


async def _freeze(seconds: float) -> None:
    time.sleep(seconds)  # noqa: ASYNC251 - the whole process stands still, as a machine that swaps does


def inject(chances: Chances) -> None:
    """Put the faults around what opens the ports."""
    harm = Harm(die=_die, freeze=_freeze)
    open_store, open_bus, open_archive = wiring.open_store, wiring.open_bus, wiring.open_archive

    async def store(*given: Any) -> Any:
        return FaultyStore(await open_store(*given), chances, harm)

    async def bus(*given: Any) -> Any:
        return FaultyBus(await open_bus(*given), chances, harm, spread=COPY_SECONDS, late=3.0)

    def archive(*given: Any) -> Any:
        return FaultyArchive(open_archive(*given), chances)

    PaidJudge.chances = chances
    for module, name, replaced in (
        (wiring, "open_store", store),
        (wiring, "open_bus", bus),
        (wiring, "open_archive", archive),
        (running, "StageRunner", partial(StageRunner, pace=PACE)),
        (running, "BuiltinJudge", PaidJudge),
        (running, "Stage", _stage),
    ):
        assert hasattr(module, name), f"{module.__name__} has no {name} any more"
        setattr(module, name, replaced)


if __name__ == "__main__":
    inject(Chances.from_json(os.environ[VARIABLE]))
    if sys.argv[1] == "sweep":
        _sweep_soon()
    serve(sys.argv[1], int(sys.argv[2]))
