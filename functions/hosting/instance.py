"""One function in one process: opened by its first request, once, and closed when the process is asked to stop.

The functions framework loads ``main.py`` before it forks, starts no lifespan of ours and calls ``handle`` with each
request. What ``handle`` returns is called as an ASGI application (docs/decisions/0012), so a whole application with
routes and streams is a function like any other.
"""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from functools import lru_cache, partial
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as version_of
from types import FrameType
from typing import TYPE_CHECKING

import functions_framework.aio
from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from functions.hosting.logs import log_as_json
from functions.hosting.settings import CloudSettings
from functions.hosting.telemetry import Tracing, open_tracing
from shared.runtime.errors import NeuralKGError

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger(__name__)

Opened = AbstractAsyncContextManager["ASGIApp"]
Opener = Callable[[CloudSettings, Tracing], Opened]
"""Opens a function's ports and gives its application, for as long as the block lasts."""

Handle = Callable[[Request], Awaitable[Response]]

OPENING_SECONDS = 60.0
"""What opening may take; a request that waits longer is answered 503."""


def hosted(name: str, opener: Opener) -> Handle:
    """The target of the functions framework for the function ``name``.

    Every request goes to the application, which answers ``GET /health``; the header ``X-Function`` of each response
    tells name and version. While the ports cannot be opened every request is answered 503 with the reason, so that
    a message comes again, and the next request tries anew.
    """
    instance = Instance(name, opener)

    async def handle(request: Request) -> Response:
        del request  # the application reads it by itself
        return await instance.answer()

    functions_framework.aio.http(handle)
    return handle


@lru_cache(maxsize=1)
def version() -> str:
    """The version of this program."""
    try:
        return version_of("neuralkg")
    except PackageNotFoundError:
        return "unknown"


class Instance:
    """Holds what one process has opened. One task opens it and closes it, as cancel scopes need."""

    def __init__(self, name: str, opener: Opener) -> None:
        self._name, self._opener = name, opener
        self._ready: asyncio.Future[ASGIApp] | None = None
        self._keeper: asyncio.Task[None] | None = None
        self._leaving = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._active = 0

    async def answer(self) -> Response:
        """What answers a request."""
        try:
            async with asyncio.timeout(OPENING_SECONDS):
                app = await asyncio.shield(self._opening())
        except Exception as error:  # noqa: BLE001 - whatever it is, the next request may find it mended
            return self._closed(error)
        return _Whole(partial(self._counted, app))

    def _opening(self) -> asyncio.Future[ASGIApp]:
        """The application, once it is open; a failure is not kept."""
        if self._ready is None or (self._ready.done() and self._ready.exception() is not None):
            self._ready = asyncio.get_running_loop().create_future()
            self._keeper = asyncio.create_task(self._keep(self._ready), name=f"ports of {self._name}")
        return self._ready

    async def _keep(self, ready: asyncio.Future[ASGIApp]) -> None:
        """Open, wait until the process is asked to stop and nobody is at work, and close."""
        tracing: Tracing | None = None
        try:
            settings = CloudSettings.from_environment()
            log_as_json(function=self._name, project=settings.project_id, level=settings.log_level)
            tracing = open_tracing(self._name, version(), traced=settings.traced)
            async with self._opener(settings, tracing) as app:
                self._hear_signals()
                ready.set_result(app)
                await self._leaving.wait()
                await self._idle.wait()
        except Exception as error:
            if ready.done():
                log.exception("%s could not be closed in order", self._name)
            else:
                ready.set_exception(error)
        finally:
            if tracing is not None:
                await tracing.close()

    def _hear_signals(self) -> None:
        """Hear of the end as well as the server does, which tells nobody else and then ends the process."""
        loop = asyncio.get_running_loop()
        for sign in (signal.SIGTERM, signal.SIGINT):
            before = signal.getsignal(sign)
            if not callable(before) or before is signal.default_int_handler:
                continue

            def heard(
                number: int, frame: FrameType | None, before: Callable[[int, FrameType | None], object] = before
            ) -> None:
                before(number, frame)
                loop.call_soon_threadsafe(self._leaving.set)

            signal.signal(sign, heard)

    async def _counted(self, app: ASGIApp, scope: Scope, receive: Receive, send: Send) -> None:
        async def named(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message)["X-Function"] = f"{self._name}/{version()}"
            await send(message)

        self._active += 1
        self._idle.clear()
        try:
            await app(scope, receive, named)
        finally:
            self._active -= 1
            if not self._active:
                self._idle.set()

    def _closed(self, error: Exception) -> JSONResponse:
        """The answer while the ports are not open. What is not ours to tell stands in the log alone."""
        designed = isinstance(error, NeuralKGError)
        log.error("%s cannot be opened: %s", self._name, error, exc_info=None if designed else error)
        told = str(error) if designed else type(error).__name__
        state = {"name": self._name, "version": version(), "ports": "closed", "reason": told}
        return JSONResponse({"status": "failed", **state}, status_code=503, headers={"Retry-After": "1"})


class _Whole(Response):
    """A response that is a whole application: it reads the request and answers it, as a stream if it likes."""

    def __init__(self, app: ASGIApp) -> None:
        super().__init__()
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        await self._app(scope, receive, send)
