"""The application of a function that messages are pushed to, and the span in which each is worked on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from functions.hosting import tracecontext
from functions.hosting.instance import version

if TYPE_CHECKING:
    from functions.hosting.push import PushReceiver, Received
    from functions.hosting.telemetry import Tracing
    from shared.query.identifiers import RunId


class OfARun(Protocol):
    """What every message says."""

    @property
    def run_id(self) -> RunId:
        """The run that it is about."""

    @property
    def traceparent(self) -> str | None:
        """The trace that it belongs to."""


M = TypeVar("M", bound=OfARun)


def push_app(name: str, receivers: Mapping[str, PushReceiver[Any]], more: Sequence[Route] = ()) -> Starlette:
    """Messages go to the receiver of their path; ``GET /health`` tells name, version and what was received."""
    counts = {path: receiver.counts for path, receiver in receivers.items()}

    async def health(_: Request) -> Response:
        state = {"status": "ok", "name": name, "version": version(), "ports": "open", "messages": counts}
        return JSONResponse(state, headers={"Cache-Control": "no-store"})

    taking = [Route(path, receiver.__call__, methods=["POST"]) for path, receiver in receivers.items()]
    return Starlette(routes=[Route("/health", health), *taking, *more])


def traced(
    tracing: Tracing, name: str, work: Callable[[M], Awaitable[None]]
) -> Callable[[Received[M]], Awaitable[None]]:
    """Work on a message in a span that continues its trace, and send the span before the message is done with."""

    async def take(received: Received[M]) -> None:
        message = received.message
        about: dict[str, object] = {"run_id": message.run_id, "stage": name, "attempt": received.attempt or 1}
        try:
            with tracing.span(name, kind="consumer", parent=tracecontext.parsed(message.traceparent), **about):
                await work(message)
        finally:
            await tracing.flush()

    return take
