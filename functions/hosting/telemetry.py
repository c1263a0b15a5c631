"""Spans, so that one question is one trace across the functions that worked on it.

Each function continues the trace of the message or request that it got. Spans are made and sent by OpenTelemetry
when ``OTEL_EXPORTER_OTLP_ENDPOINT`` is set, and its own variables hold for the rest (headers, time-outs, sampler);
without it no library of it is loaded, and what is left is passing the trace on. A span tells the function, the run,
the stage and the attempt: no question, no answer, no address of a request.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Literal, Protocol

from functions.hosting import tracecontext
from functions.hosting.tracecontext import SpanId

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Receive, Scope, Send

Kind = Literal["server", "consumer", "producer"]


class Tracing(Protocol):
    """Makes spans."""

    def span(
        self, name: str, *, kind: Kind, parent: SpanId | None, **fields: object
    ) -> AbstractContextManager[SpanId]:
        """A context manager: within it this task is at the new span, a child of ``parent``; gives its ``SpanId``.

        ``fields`` go to the span's attributes and to the log lines. An exception that leaves it marks the span.
        """

    async def flush(self) -> None:
        """Send what has ended."""

    async def close(self) -> None:
        """Send the rest and stop."""


def open_tracing(function: str, version: str, *, traced: bool) -> Tracing:
    """Tracing that exports where ``traced`` says so."""
    if not traced:
        return Passed()
    from functions.hosting.exported_spans import ExportedSpans  # noqa: PLC0415 - its library is loaded where it is used

    return ExportedSpans(function, version)


class Passed:
    """Makes no spans: the trace is passed on as it came, or begun, so that log lines still join up."""

    @contextmanager
    def span(self, name: str, *, kind: Kind, parent: SpanId | None, **fields: object) -> Iterator[SpanId]:
        """See ``Tracing.span``."""
        del name, kind
        span = parent or tracecontext.fresh()
        with tracecontext.at(span, **fields):
            yield span

    async def flush(self) -> None:
        """Nothing is held."""

    async def close(self) -> None:
        """Nothing is held."""


class TracedRequests:
    """An application whose requests are spans that continue the trace of their ``traceparent``."""

    def __init__(self, app: ASGIApp, tracing: Tracing, name: str) -> None:
        self._app, self._tracing, self._name = app, tracing, name

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """See ASGI. Asking for the health makes no span."""
        if scope["type"] != "http" or scope["path"] == "/health":
            await self._app(scope, receive, send)
            return
        given = next((value for key, value in scope["headers"] if key == b"traceparent"), b"")
        parent = tracecontext.parsed(given.decode("latin-1"))
        try:
            with self._tracing.span(f"{self._name} {scope['method']}", kind="server", parent=parent):
                await self._app(scope, receive, send)
        finally:
            await self._tracing.flush()
