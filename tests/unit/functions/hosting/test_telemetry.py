"""Spans: sent to a real collector when one is named, and otherwise nothing but the trace passed on."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator

import pytest

from functions.hosting import tracecontext
from functions.hosting.telemetry import Passed, TracedRequests, open_tracing
from functions.hosting.tracecontext import SpanId
from tests.support.collector import Collector, collecting

PARENT = SpanId("a1" * 16, "b2" * 8)


@pytest.fixture
def collector(monkeypatch) -> Iterator[Collector]:
    with collecting() as found:
        monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", found.url)
        yield found


async def test_a_span_continues_its_parents_trace(collector):
    tracing = open_tracing("slots", "1.2", traced=True)
    with tracing.span("slots", kind="consumer", parent=PARENT, run_id="r-1", attempt=2) as span:
        assert tracecontext.current() == span
        assert tracecontext.fields() == {"run_id": "r-1", "attempt": 2}
    await tracing.flush()
    (sent,) = collector.spans
    await tracing.close()
    assert (sent.service, sent.name) == ("neuralkg-slots", "slots")
    assert (sent.trace, sent.parent, sent.id) == (PARENT.trace, PARENT.span, span.span)
    assert sent.attributes == {"neuralkg.run_id": "r-1", "neuralkg.attempt": 2}


async def test_an_error_marks_the_span_and_its_words_stay_here(collector):
    tracing = open_tracing("slots", "1.2", traced=True)
    with pytest.raises(ValueError, match="hunter2"), tracing.span("slots", kind="consumer", parent=None):
        raise ValueError("hunter2")
    await tracing.close()
    (sent,) = collector.spans
    assert sent.error == "ValueError"
    assert b"hunter2" not in b"".join(collector.bodies)


async def test_what_is_not_sampled_is_not_sent(collector):
    tracing = open_tracing("slots", "1.2", traced=True)
    with tracing.span("slots", kind="consumer", parent=PARENT._replace(sampled=False)) as span:
        assert not span.sampled
        assert span.trace == PARENT.trace
    await tracing.close()
    assert collector.spans == []


async def test_without_a_collector_the_trace_is_passed_on_as_it_came():
    tracing = open_tracing("slots", "1.2", traced=False)
    assert isinstance(tracing, Passed)
    with tracing.span("slots", kind="consumer", parent=PARENT, run_id="r-1") as span:
        assert span == tracecontext.current() == PARENT
    with tracing.span("slots", kind="consumer", parent=None) as begun:
        assert begun.trace != PARENT.trace
    await tracing.flush()
    await tracing.close()


async def test_a_request_is_a_span_without_its_address(collector):
    tracing = open_tracing("ask", "1.2", traced=True)
    seen = []

    async def app(scope, receive, send):
        seen.append(tracecontext.current())

    scope = {
        "type": "http",
        "method": "GET",
        "path": "/ask",
        "query_string": b"q=hunter2",
        "headers": [(b"traceparent", PARENT.traceparent.encode())],
    }
    await TracedRequests(app, tracing, "ask")(scope, None, None)
    await TracedRequests(app, tracing, "ask")({**scope, "path": "/health"}, None, None)
    await tracing.close()
    (sent,) = collector.spans
    assert (sent.name, sent.trace, sent.parent) == ("ask GET", PARENT.trace, PARENT.span)
    assert seen == [SpanId(sent.trace, sent.id), None]
    assert b"hunter2" not in b"".join(collector.bodies)


def test_without_a_collector_nothing_of_the_library_is_loaded():
    code = (
        "import sys; from functions.hosting.telemetry import open_tracing; open_tracing('a', '1', traced=False);"
        "sys.exit(any(name.startswith('opentelemetry') for name in sys.modules))"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
