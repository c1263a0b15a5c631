"""What every response carries, whatever made it: a request id and the headers that keep a browser strict.

The id stands in the log lines of its request too, so that who is told it can find them.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Awaitable, Callable, Mapping
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response

from functions.hosting import tracecontext

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger(__name__)

_REQUEST_ID = re.compile(r"^[A-Za-z0-9._-]{1,64}$")


class Envelope:
    """Adds ``headers`` where a response has none of its own, and the request's id.

    An id that the client sent is kept when it is a plain one. ``fault`` makes the response to an error that nobody
    foresaw, so that it has them too. With ``preflight`` a browser's preflights are answered with these headers.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        headers: Mapping[str, str],
        fault: Callable[[Request, Exception], Awaitable[Response]],
        preflight: Mapping[str, str] | None = None,
    ) -> None:
        self._app, self._headers, self._fault, self._preflight = app, headers, fault, preflight

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        asked = Headers(scope=scope)
        given = asked.get("x-request-id", "")
        request_id = given if _REQUEST_ID.match(given) else secrets.token_hex(8)

        begun = False

        async def send_enveloped(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                made = MutableHeaders(scope=message)
                made["X-Request-Id"] = request_id
                for name, value in self._headers.items():
                    made.setdefault(name, value)
            await send(message)

        if self._preflight and scope["method"] == "OPTIONS" and "access-control-request-method" in asked:
            await Response(status_code=204, headers=self._preflight)(scope, receive, send_enveloped)
            return
        with tracecontext.at(tracecontext.current(), request_id=request_id):
            try:
                await self._app(scope, receive, send_enveloped)
            except Exception as error:
                log.exception("a request failed unexpectedly")
                if begun:
                    raise
                response = await self._fault(Request(scope), error)
                await response(scope, receive, send_enveloped)
