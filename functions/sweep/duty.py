"""What the sweep function does: drives stalled runs on, and ends visibly what the bus has given up."""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, NoReturn

from starlette.responses import JSONResponse, Response

from functions.archive.archiving import archive_run
from shared.runtime.claiming import Ended as OnEnded
from shared.runtime.context import utc_now
from shared.runtime.errors import NeuralKGError, RunNotFound
from shared.runtime.messages import REJECTED, Announced, Ended, Question
from shared.runtime.records import RunStatus, StepRef
from shared.runtime.runner import StageRunner
from shared.runtime.settings import PIPELINE
from shared.runtime.sweep import WAITING, sweep

if TYPE_CHECKING:
    from datetime import datetime, timedelta

    from starlette.requests import Request

    from shared.runtime.ports import Archive, Bus, RunStore

log = logging.getLogger(__name__)

LARGEST_SWEEP = 500
"""Steps driven on by one request; the next minute's takes the rest."""
SHOWN_QUESTION = 2_000
"""Characters of a question that its rejection repeats."""


async def sweep_runs(request: Request, *, store: RunStore, bus: Bus, waiting: timedelta = WAITING) -> Response:
    """Answer the scheduler's POST: 200 and what was done, or 503 so that it calls again."""
    if request.method != "POST":
        return Response("A sweep is asked for by POST.\n", 405, {"Allow": "POST"}, "text/plain")
    try:
        swept = await sweep(store, bus, waiting=waiting, limit=LARGEST_SWEEP)
    except NeuralKGError as error:
        log.warning("the sweep could not be made: %s", error)
        return JSONResponse({"error": str(error)}, 503, {"Retry-After": "10"})
    if swept.published or swept.purged:
        log.info("%d steps were driven on, %d expired runs deleted", swept.published, swept.purged)
    return JSONResponse({"published": swept.published, "purged": swept.purged})


def quitter(*, store: RunStore, bus: Bus, archive: Archive, on_ended: OnEnded) -> StageRunner:
    """A runner that has no stage: it can only give steps up."""
    return StageRunner(
        (), store=store, bus=bus, archive=archive, context_factory=_never, order=PIPELINE, on_ended=on_ended
    )


async def settle_letter(
    letter: StepRef | Question | Ended,
    *,
    runner: StageRunner,
    store: RunStore,
    bus: Bus,
    archive: Archive,
    announce: Callable[[Announced], Awaitable[object]],
    clock: Callable[[], datetime] = utc_now,
) -> None:
    """See to what the bus gave up. Raises what the ports raise, so that the letter comes again.

    A step goes out anew while its run has time; then the run ends as failed, unless somebody works on the step or
    has done it. A question that has no run is announced as rejected. A run that had ended is archived after all:
    the archive may be back by now.
    """
    match letter:
        case StepRef():
            await _settle_step(letter, runner=runner, store=store, bus=bus, now=clock())
        case Question():
            await _settle_question(letter, store=store, announce=announce)
        case Ended():
            await archive_run(letter, store=store, archive=archive, announce=announce)


async def _settle_step(step: StepRef, *, runner: StageRunner, store: RunStore, bus: Bus, now: datetime) -> None:
    # The bus counts deliveries, not tries: a message that came while a dead worker's lease still held, or while the
    # store was away, is given up although its step was hardly begun. Steps that were tried too often end by
    # themselves, and the run's deadline bounds the rest.
    try:
        run = await store.get(step.run_id)
    except RunNotFound:
        log.warning("a dead letter names run %s, which does not exist or has expired", step.run_id)
        return
    if run.status is RunStatus.RUNNING and now < run.deadline_at:
        log.warning("step %s of run %s was given up by the bus and goes out anew", step.id, step.run_id)
        await bus.publish(step)
        return
    log.error("step %s of run %s is given up", step.id, step.run_id)
    await runner.give_up(step)


async def _settle_question(
    question: Question, *, store: RunStore, announce: Callable[[Announced], Awaitable[object]]
) -> None:
    try:
        await store.get(question.run_id)
    except RunNotFound:
        log.error("a question was given up by the bus; run %s was to answer it", question.run_id)  # noqa: TRY400
        await announce(_not_taken(question))
    else:
        # Only its first step was not sent. The next sweep does that, and an answer must not follow a rejection.
        log.warning("a question was given up by the bus, and its run %s is there", question.run_id)


def _not_taken(question: Question) -> Announced:
    asked = question.body.get("question")
    error = {
        "code": "question_not_taken",
        "message": "The question could not be taken: every try failed.",
        "allowed": None,
        "do": "Ask again later.",
    }
    return Announced(
        question.run_id, REJECTED, error=error, question=asked[:SHOWN_QUESTION] if isinstance(asked, str) else None
    )


def _never(**_: object) -> NoReturn:
    """No stage is run here, so none gets a context."""
    raise AssertionError("the sweep function runs no stage")
