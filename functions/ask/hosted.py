"""The application behind the ask function: a client over the cloud's store and bus; the stages run elsewhere."""

from __future__ import annotations

from typing import TYPE_CHECKING

from functions.hosting import tracecontext
from shared.runtime.client import RunClient

if TYPE_CHECKING:
    from functions.hosting.telemetry import Tracing
    from plugins.base import Registry
    from shared.query.annotated import AskOptions
    from shared.query.identifiers import RunId
    from shared.runtime.ports import Archive, Bus, Finder, RunStore
    from shared.runtime.records import RunRecord


class HostedApplication:
    """``Application`` over opened ports. Submitting a run is a span, and the stages' spans are its children."""

    def __init__(
        self, *, store: RunStore, bus: Bus, archive: Archive, finder: Finder, registry: Registry, tracing: Tracing
    ) -> None:
        self.store, self.archive, self.finder, self.registry = store, archive, finder, registry
        self._tracing = tracing
        self._client = RunClient(store=store, bus=bus, archive=archive)
        self.ask = self._client.ask
        self.wait = self._client.wait
        self.result = self._client.result
        self.watch = self._client.watch
        self.cancel = self._client.cancel

    async def submit(
        self,
        question: str,
        options: AskOptions | None = None,
        *,
        run_id: RunId | None = None,
        traceparent: str | None = None,
    ) -> RunRecord:
        """See ``RunClient.submit``; without a ``traceparent`` the run belongs to the trace of the request."""
        parent = tracecontext.parsed(traceparent) or tracecontext.current()
        with self._tracing.span("submit", kind="producer", parent=parent) as span:
            return await self._client.submit(question, options, run_id=run_id, traceparent=span.traceparent)
