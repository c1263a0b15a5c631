"""The Cloud Function ``archive``: completes the archive of each run that has ended, and announces its answer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

from functions.archive.archiving import archive_run
from functions.hosting import wiring
from functions.hosting.instance import hosted
from functions.hosting.push import PushReceiver, seconds_for
from functions.hosting.pushed_function import push_app, traced
from shared.runtime.messages import read_ended
from shared.runtime.settings import load_stages

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from functions.hosting.settings import CloudSettings
    from functions.hosting.telemetry import Tracing

NAME = "archive"


@asynccontextmanager
async def opened(settings: CloudSettings, tracing: Tracing) -> AsyncIterator[ASGIApp]:
    """Takes the messages of the topic ``ended``."""
    async with AsyncExitStack() as stack:
        store, bus = await wiring.open_store(settings, stack), await wiring.open_bus(settings, stack)
        work = partial(archive_run, store=store, archive=wiring.open_archive(settings), announce=bus.send)
        receiver = PushReceiver(
            function=NAME,
            reader=read_ended,
            take=traced(tracing, NAME, work),
            seconds=seconds_for(load_stages().get(NAME).timeout_seconds),
            dead_letters=bus.send,
        )
        yield push_app(NAME, {"/": receiver})


handle = hosted(NAME, opened)
