"""One function as a process of this machine: ``python -m functions.local.hosted NAME SOCKET``.

It loads the function as the cloud does, by the functions framework from ``functions/NAME/main.py``, and serves it
within its row of the table: so many requests at a time, each for so long. ``SOCKET`` is the number of a listening
socket that it was given: whoever started it keeps that open, so that a caller waits while it is started again.
"""

from __future__ import annotations

import asyncio
import socket
import sys
from typing import TYPE_CHECKING, Any

from shared.runtime.settings import STAGES_FILE, load_stages

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

    from shared.runtime.settings import FunctionSetting

TARGET = "handle"
STOP_SECONDS = 4
"""What requests at work get to end in when the process is asked to."""


class Bounded:
    """An application that serves no more at a time, and none for longer, than its instance in the cloud would.

    A request beyond that waits, as it would for another instance; one that takes too long is cut off.
    """

    def __init__(self, app: ASGIApp, row: FunctionSetting) -> None:
        self._app, self._row = app, row
        self._places = asyncio.Semaphore(row.concurrency)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        begun = False

        async def sending(message: Message) -> None:
            nonlocal begun
            begun = True
            await send(message)

        async with self._places:
            try:
                async with asyncio.timeout(self._row.timeout_seconds):
                    await self._app(scope, receive, sending)
            except TimeoutError:
                if begun:
                    raise
                await _too_long(send)


async def _too_long(send: Send) -> None:
    headers = [(b"content-type", b"text/plain")]
    await send({"type": "http.response.start", "status": 504, "headers": headers})
    await send({"type": "http.response.body", "body": b"The function took too long."})


def serve(name: str, descriptor: int, **options: Any) -> None:
    """Serve a function until asked to stop; ``options`` are uvicorn's."""
    import uvicorn
    from functions_framework.aio import create_asgi_app

    row = load_stages().get(name)
    source = STAGES_FILE.parents[1] / "functions" / name / "main.py"
    app = create_asgi_app(TARGET, str(source))  # type: ignore[no-untyped-call]
    config = uvicorn.Config(
        Bounded(app, row),
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=STOP_SECONDS,
        **options,
    )
    uvicorn.Server(config).run(sockets=[socket.socket(fileno=descriptor)])


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]))
