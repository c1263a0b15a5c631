"""What requests are answered from: a finder with its documents, and how many requests are on it just now."""

from __future__ import annotations

import asyncio
from types import TracebackType
from typing import TYPE_CHECKING, Self

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

    from finder_index.finder import LocalFinder
    from functions.finder.documents import Documents
    from functions.finder.service import Service


class Serving:
    """One index in use. Entered by each request that begins on it, left when that request ends."""

    __slots__ = ("_idle", "_under_way", "documents", "finder")

    def __init__(self, finder: LocalFinder, documents: Documents) -> None:
        self.finder, self.documents = finder, documents
        self._under_way = 0
        self._idle = asyncio.Event()
        self._idle.set()

    def __enter__(self) -> Self:
        self._under_way += 1
        self._idle.clear()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._under_way -= 1
        if not self._under_way:
            self._idle.set()

    async def ended(self) -> None:
        """Wait until no request is on it."""
        await self._idle.wait()


class OneIndexEach:
    """Lets each request see one index from its beginning to its end, whatever is put in use meanwhile."""

    def __init__(self, app: ASGIApp, *, service: Service) -> None:
        self._app, self._service = app, service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        with self._service.pinned():
            await self._app(scope, receive, send)
