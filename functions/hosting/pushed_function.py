"""The application of a function that messages are pushed to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from functions.hosting.instance import version

if TYPE_CHECKING:
    from functions.hosting.push import PushReceiver


def push_app(name: str, receivers: Mapping[str, PushReceiver[Any]]) -> Starlette:
    """Messages go to the receiver of their path; ``GET /health`` tells name, version and what was received."""
    counts = {path: receiver.counts for path, receiver in receivers.items()}

    async def health(_: Request) -> Response:
        state = {"status": "ok", "name": name, "version": version(), "ports": "open", "messages": counts}
        return JSONResponse(state, headers={"Cache-Control": "no-store"})

    return Starlette(
        routes=[
            Route("/health", health),
            *(Route(path, receiver.__call__, methods=["POST"]) for path, receiver in receivers.items()),
        ]
    )
