"""The Cloud Function ``finder``: the table finder, its index fetched once an instance."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from functions.finder.published import opened_index
from functions.finder.server import create_finder
from functions.finder.settings import FinderSettings
from functions.hosting import wiring
from functions.hosting.instance import hosted
from functions.hosting.telemetry import TracedRequests

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from functions.hosting.settings import CloudSettings
    from functions.hosting.telemetry import Tracing


@asynccontextmanager
async def opened(settings: CloudSettings, tracing: Tracing) -> AsyncIterator[ASGIApp]:
    """The service over the packaged index or that of ``NEURALKG_INDEX``; the environment's model ranks tables."""
    own = FinderSettings.from_environment()
    async with AsyncExitStack() as stack:
        models = await wiring.open_models(settings, stack)
        index = await stack.enter_async_context(
            opened_index(settings.index, wiring.open_embedder(), own, judges=models.judges)
        )
        service = create_finder(index.finder, corpora=index.corpora, settings=own, watch=index.watch)
        async with service.router.lifespan_context(service):
            yield TracedRequests(service, tracing, "finder")


handle = hosted("finder", opened)
