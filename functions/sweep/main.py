"""The Cloud Function ``sweep``: drives stalled runs on by schedule, and ends visibly what the bus has given up."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from functions.hosting import wiring
from functions.hosting.instance import hosted
from functions.hosting.push import PushReceiver, seconds_for
from functions.hosting.pushed_function import push_app, traced
from functions.sweep.duty import quitter, settle_letter, sweep_runs
from shared.runtime.messages import read_letter
from shared.runtime.settings import load_stages
from shared.runtime.topology import DEAD_LETTERS, PUSH_PATHS

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from functions.hosting.settings import CloudSettings
    from functions.hosting.telemetry import Tracing

NAME = "sweep"


@asynccontextmanager
async def opened(settings: CloudSettings, tracing: Tracing) -> AsyncIterator[ASGIApp]:
    """Takes the scheduler's POST at ``/``, and the dead letters at a path of their own."""
    async with AsyncExitStack() as stack:
        store, bus = await wiring.open_store(settings, stack), await wiring.open_bus(settings, stack)
        archive = wiring.open_archive(settings)
        runner = quitter(store=store, bus=bus, archive=archive, on_ended=wiring.ended_by(bus))
        settle = partial(settle_letter, runner=runner, store=store, bus=bus, archive=archive, announce=bus.send)
        # What is foreign here stays in the kept subscription of the dead letters: it is counted and logged.
        letters = PushReceiver(
            function=NAME,
            reader=read_letter,
            take=traced(tracing, NAME, settle),
            seconds=seconds_for(load_stages().get(NAME).timeout_seconds),
        )

        async def sweep(request: Request) -> Response:
            return await sweep_runs(request, store=store, bus=bus)

        yield push_app(NAME, {PUSH_PATHS[DEAD_LETTERS]: letters}, [Route("/", sweep, methods=["GET", "POST"])])


handle = hosted(NAME, opened)
