"""The Cloud Function ``finder``: the table finder, its index fetched once an instance."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from finder_index.finder import LocalFinder
from finder_index.index import CORPUS, CURRENT
from functions.finder.server import corpora_of, create_finder
from functions.hosting import wiring
from functions.hosting.instance import hosted
from functions.hosting.telemetry import TracedRequests

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from functions.hosting.settings import CloudSettings
    from functions.hosting.telemetry import Tracing


@asynccontextmanager
async def opened(settings: CloudSettings, tracing: Tracing) -> AsyncIterator[ASGIApp]:
    """The service over the packaged index or that of ``NEURALKG_INDEX``."""
    path = Path(settings.index) if settings.index else CURRENT
    corpus = CORPUS if path == CURRENT else None
    finder = await asyncio.to_thread(partial(LocalFinder.open, wiring.open_embedder(), path=path, corpus=corpus))
    service = create_finder(finder, corpora=corpora_of(corpus))
    async with service.router.lifespan_context(service):
        yield TracedRequests(service, tracing, "finder")


handle = hosted("finder", opened)
