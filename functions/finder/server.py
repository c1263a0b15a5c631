"""The finder's HTTP face: search, exact lookups, browsing, the registry standard, and a page for people."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from finder_index.index import CORPUS
from functions.finder import page, tools
from functions.finder.browsing import Browsing
from functions.finder.corpora import corpora_of
from functions.finder.faults import INTERNAL, fault_of, http_fault
from functions.finder.looking_up import LookingUp
from functions.finder.policy import HEADERS, PREFLIGHT
from functions.finder.port import port_routes
from functions.finder.searching import Searching
from functions.finder.service import Service
from functions.finder.serving import OneIndexEach
from functions.finder.settings import FinderSettings
from functions.finder.telling import Telling
from functions.hosting.envelope import Envelope
from shared.runtime.errors import Cancelled, NeuralKGError

if TYPE_CHECKING:
    from finder_index.finder import LocalFinder
    from functions.finder.published import IndexWatch

_GONE = 499
"""Nobody reads this status: whoever would have is gone."""


def create_finder(
    finder: LocalFinder,
    *,
    corpora: Mapping[str, Path] | None = None,
    settings: FinderSettings | None = None,
    watch: IndexWatch | None = None,
) -> Starlette:
    """The service over an opened finder.

    ``corpora`` are the folders of leaves by catalog, the built-in one first; by default the packaged leaves and
    those that ``ARD_CATALOGS`` mounts.

    ``watch`` follows the published index that the finder came from, for as long as the service runs.
    ``app.state.service`` is the ``Service``; its ``use`` changes the index without dropping a request.
    """
    service = Service.over(
        finder,
        corpora_of(CORPUS) if corpora is None else corpora,
        settings or FinderSettings.from_environment(),
    )
    service.watch = watch
    searching, looking_up, telling = Searching(service), LookingUp(service), Telling(service)
    browsing = Browsing(service, searching)
    mcp = tools.face(searching.search_tables, looking_up.find_variable, max_body=service.settings.max_body)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        tasks = [asyncio.create_task(service.keep_writing())]
        if watch is not None:
            tasks.append(asyncio.create_task(watch.keep_up(service)))
        async with mcp.lifespan():
            yield
        for task in tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task
        service.ledger.flush()

    registry = [
        Route("/search", searching.standard_search, methods=["POST"]),
        Route("/explore", browsing.explore, methods=["POST"]),
        Route("/agents", browsing.agents),
        Route("/agents/entry", browsing.entry),
    ]
    app = Starlette(
        routes=[
            Route("/", searching.home),
            Route("/style.css", page.stylesheet),
            Route("/search", searching.search, methods=["POST"]),
            Route("/ask", searching.ask, methods=["GET", "POST"]),
            Route("/mcp", mcp, methods=["POST"]),
            Route("/variable", looking_up.variable),
            Route("/variables", looking_up.variables),
            Route("/publishers", looking_up.publishers),
            Route("/agents", browsing.agents),
            Route("/agents/entry", browsing.entry),
            Route("/explore", browsing.explore, methods=["POST"]),
            Mount("/ard", routes=registry),
            Mount("/port", routes=port_routes(service, searching.caller)),
            Route("/.well-known/ard.json", telling.manifest),
            Route("/.well-known/ai-catalog.json", telling.manifest),
            Route("/robots.txt", telling.robots),
            Route("/okf/index", browsing.okf_index),
            Route("/okf/file", browsing.okf_file),
            Route("/health", telling.health),
            Route("/stats", telling.stats),
            Route("/stats.json", telling.stats_json),
        ],
        middleware=[
            Middleware(Envelope, headers=HEADERS, preflight=PREFLIGHT, fault=_fault),
            Middleware(OneIndexEach, service=service),
        ],
        exception_handlers={
            HTTPException: _http_problem,
            NeuralKGError: _designed_problem,
        },
        lifespan=lifespan,
    )
    app.state.service = service
    return app


async def _designed_problem(_: Request, error: Exception) -> Response:
    assert isinstance(error, NeuralKGError)  # noqa: S101 - registered for it
    if isinstance(error, Cancelled):
        return Response(status_code=_GONE)
    return fault_of(error).response()


async def _http_problem(_: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for it
    return http_fault(error.status_code, (error.headers or {}).get("Allow"), error.detail).response(error.headers)


async def _fault(_: Request, __: Exception) -> Response:
    return INTERNAL.response()
