"""Spans by OpenTelemetry, sent in batches by OTLP over HTTP."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

from opentelemetry.context import Context
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor
from opentelemetry.trace import (
    NonRecordingSpan,
    SpanContext,
    SpanKind,
    Status,
    StatusCode,
    TraceFlags,
    set_span_in_context,
)

from functions.hosting import tracecontext
from functions.hosting.telemetry import Kind
from functions.hosting.tracecontext import SpanId

FLUSH_SECONDS = 2.0
"""What sending the spans of one request may take: an instance may stand still as soon as it has answered."""


class ExportedSpans:
    """``Tracing`` by OpenTelemetry."""

    def __init__(self, function: str, version: str) -> None:
        resource = Resource.create({"service.name": f"neuralkg-{function}", "service.version": version})
        self._provider = TracerProvider(resource=resource, shutdown_on_exit=False)
        self._provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter(timeout=FLUSH_SECONDS)))
        self._tracer = self._provider.get_tracer("neuralkg", version)

    @contextmanager
    def span(self, name: str, *, kind: Kind, parent: SpanId | None, **fields: object) -> Iterator[SpanId]:
        """See ``Tracing.span``."""
        given = self._tracer.start_span(
            name, context=_context(parent), kind=SpanKind[kind.upper()], attributes=_attributes(fields)
        )
        found = given.get_span_context()
        span = SpanId(f"{found.trace_id:032x}", f"{found.span_id:016x}", found.trace_flags.sampled)
        try:
            with tracecontext.at(span, **fields):
                yield span
        except BaseException as error:
            # Its message may hold what was asked.
            given.set_status(Status(StatusCode.ERROR, type(error).__name__))
            raise
        finally:
            given.end()

    async def flush(self) -> None:
        """See ``Tracing.flush``; a collector that does not answer costs ``FLUSH_SECONDS`` and no request."""
        await asyncio.to_thread(self._provider.force_flush, int(FLUSH_SECONDS * 1000))

    async def close(self) -> None:
        """See ``Tracing.close``."""
        await asyncio.to_thread(self._provider.shutdown)


def _context(parent: SpanId | None) -> Context:
    if parent is None:
        return Context()
    flags = TraceFlags(TraceFlags.SAMPLED if parent.sampled else TraceFlags.DEFAULT)
    place = SpanContext(int(parent.trace, 16), int(parent.span, 16), is_remote=True, trace_flags=flags)
    return set_span_in_context(NonRecordingSpan(place), Context())


def _attributes(fields: Mapping[str, object]) -> dict[str, str | int]:
    return {f"neuralkg.{name}": value if isinstance(value, int) else str(value) for name, value in fields.items()}
