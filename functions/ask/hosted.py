"""The application behind the ask function: a client over the cloud's store and bus; the stages run elsewhere."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING

from functions.hosting import tracecontext
from shared.runtime.client import RunClient, new_run_id
from shared.runtime.context import utc_now
from shared.runtime.errors import BusError, StoreError

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
            named = run_id or new_run_id(utc_now())
            try:
                return await self._client.submit(question, options, run_id=named, traceparent=span.traceparent)
            except BusError:
                if run_id is None:
                    # The run is in the store: who is told no must not be answered, and paid for, all the same. A
                    # message's own run waits for its redelivery.
                    with suppress(StoreError):
                        await self.store.request_cancel(named)
                raise
