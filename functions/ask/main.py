"""The Cloud Function ``ask``: questions over HTTP, their progress as a stream, runs and pages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from functions.ask.hosted import HostedApplication
from functions.ask.server import create_app
from functions.hosting import wiring
from functions.hosting.instance import hosted
from functions.hosting.telemetry import TracedRequests
from plugins.mounted import mounted_plugins

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from functions.hosting.settings import CloudSettings
    from functions.hosting.telemetry import Tracing


@asynccontextmanager
async def opened(settings: CloudSettings, tracing: Tracing) -> AsyncIterator[ASGIApp]:
    """The face over the cloud's store, bus, archive and finder."""
    async with AsyncExitStack() as stack:
        app = HostedApplication(
            store=await wiring.open_store(settings, stack),
            bus=await wiring.open_bus(settings, stack),
            archive=wiring.open_archive(settings),
            finder=await wiring.open_finder(settings, stack),
            registry=mounted_plugins(),
            tracing=tracing,
        )
        face = create_app(app, concurrency=settings.concurrency, deadline_seconds=settings.deadline_seconds)
        await stack.enter_async_context(face.router.lifespan_context(face))
        yield TracedRequests(face, tracing, "ask")


handle = hosted("ask", opened)
