"""An ASGI application really served: uvicorn on a free port, on the test's own event loop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import uvicorn

from functions.local.emulators import free_port


class _Server(uvicorn.Server):
    """Leaves the process's signals alone."""

    def install_signal_handlers(self) -> None:
        pass


@asynccontextmanager
async def served(app: Any) -> AsyncIterator[str]:
    """The address, for as long as the block lasts."""
    port = free_port()
    config = uvicorn.Config(
        app, host="127.0.0.1", port=port, log_level="error", ws="none", timeout_graceful_shutdown=1
    )
    server = _Server(config)
    task = asyncio.create_task(server._serve())
    while not server.started:
        if task.done():
            task.result()
            raise AssertionError("the server ended before it began")
        await asyncio.sleep(0.01)
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        await task
