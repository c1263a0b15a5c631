"""What every response carries, whatever made it: a request id and the headers that keep a browser strict.

The id stands in the log lines of its request too, so that who is told it can find them.
"""

from __future__ import annotations

import logging
import re
import secrets
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request

from functions.hosting import tracecontext

if TYPE_CHECKING:
    from starlette.responses import Response
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

log = logging.getLogger(__name__)

POLICY = (
    "default-src 'none'; style-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; "
    "frame-ancestors 'none'"
)
_HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
}
_REQUEST_ID = re.compile(r"^[A-Za-z0-9._-]{1,64}$")


class Envelope:
    """Adds the headers. A request id that the client sent is kept when it is a plain one.

    ``fault`` makes the response to an error that nobody foresaw, so that it has them too.
    """

    def __init__(self, app: ASGIApp, fault: Callable[[Request, Exception], Awaitable[Response]]) -> None:
        self._app, self._fault = app, fault

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        given = Headers(scope=scope).get("x-request-id", "")
        request_id = given if _REQUEST_ID.match(given) else secrets.token_hex(8)

        begun = False

        async def send_enveloped(message: Message) -> None:
            nonlocal begun
            if message["type"] == "http.response.start":
                begun = True
                headers = MutableHeaders(scope=message)
                headers["X-Request-Id"] = request_id
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        with tracecontext.at(tracecontext.current(), request_id=request_id):
            try:
                await self._app(scope, receive, send_enveloped)
            except Exception as error:
                log.exception("a request failed unexpectedly")
                if begun:
                    raise
                response = await self._fault(Request(scope), error)
                await response(scope, receive, send_enveloped)
