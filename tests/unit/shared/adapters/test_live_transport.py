"""The live transport meets servers that are slow, broken, refusing or hostile."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Iterator

import pytest

from plugins.worldbank.snapshot.responder import WorldBankResponder
from shared.adapters.live_transport import LiveTransport
from shared.runtime.deadline import Deadline
from shared.runtime.errors import (
    DeadlineExceeded,
    HostNotAllowed,
    NeuralKGError,
    PublisherRefused,
    PublisherUnreachable,
    ResponseMalformed,
)
from shared.runtime.http import HttpRequest
from tests.conformance.transport import local_server
from tests.conformance.transport.local_server import LocalPublisher, serve, status

PATH = "/v2/country/IND?format=json"


@pytest.fixture
def publisher() -> Iterator[LocalPublisher]:
    with serve(WorldBankResponder()) as running:
        yield running


@pytest.fixture
async def transport() -> AsyncIterator[LiveTransport]:
    async with LiveTransport(
        ["127.0.0.1"], allow_loopback_http=True, max_body=100_000, attempts=3, first_wait=0.01
    ) as live:
        yield live


def ask(publisher: LocalPublisher) -> HttpRequest:
    return HttpRequest.parse(publisher.base + PATH)


@pytest.mark.parametrize("code", [408, 425, 429, 500, 502, 503, 504])
async def test_a_passing_failure_is_tried_again(
    transport: LiveTransport, publisher: LocalPublisher, code: int
) -> None:
    publisher.script = [status(code)]
    response = await transport.send(ask(publisher), deadline=Deadline.after(10))
    assert response.status == 200
    assert publisher.seen == [PATH, PATH]


async def test_the_servers_own_waiting_time_is_honoured(
    transport: LiveTransport, publisher: LocalPublisher
) -> None:
    publisher.script = [status(503, {"retry-after": "1"})]
    began = time.monotonic()
    response = await transport.send(ask(publisher), deadline=Deadline.after(10))
    assert response.status == 200
    assert time.monotonic() - began >= 1.0


async def test_a_waiting_time_beyond_the_deadline_is_a_failure_at_once(
    transport: LiveTransport, publisher: LocalPublisher
) -> None:
    publisher.script = [status(503, {"retry-after": "600"})]
    began = time.monotonic()
    with pytest.raises(PublisherUnreachable, match="come back in 600 s"):
        await transport.send(ask(publisher), deadline=Deadline.after(10))
    assert time.monotonic() - began < 2


async def test_a_rate_limit_that_lasts_is_a_refusal(transport: LiveTransport, publisher: LocalPublisher) -> None:
    publisher.script = [status(429)] * 3
    with pytest.raises(PublisherRefused, match="429"):
        await transport.send(ask(publisher), deadline=Deadline.after(20))
    assert len(publisher.seen) == 3


@pytest.mark.parametrize("code", [401, 403])
async def test_refused_credentials_are_not_tried_again(
    transport: LiveTransport, publisher: LocalPublisher, code: int
) -> None:
    publisher.script = [status(code)]
    with pytest.raises(PublisherRefused, match=str(code)):
        await transport.send(ask(publisher), deadline=Deadline.after(10))
    assert len(publisher.seen) == 1


async def test_a_server_error_that_lasts_is_unreachable(
    transport: LiveTransport, publisher: LocalPublisher
) -> None:
    publisher.script = [status(503)] * 3
    with pytest.raises(PublisherUnreachable, match="HTTP 503"):
        await transport.send(ask(publisher), deadline=Deadline.after(20))


async def test_a_client_error_is_returned_once(transport: LiveTransport, publisher: LocalPublisher) -> None:
    publisher.script = [status(404, body=b"no such page")]
    response = await transport.send(ask(publisher), deadline=Deadline.after(10))
    assert (response.status, response.body, len(publisher.seen)) == (404, b"no such page", 1)


async def test_a_lost_connection_is_tried_again(transport: LiveTransport, publisher: LocalPublisher) -> None:
    publisher.script = [local_server.disconnect]
    response = await transport.send(ask(publisher), deadline=Deadline.after(10))
    assert response.status == 200


async def test_no_server_at_all_is_unreachable(transport: LiveTransport) -> None:
    with pytest.raises(PublisherUnreachable, match="connection could not be made"):
        await transport.send(HttpRequest("http://127.0.0.1:9/v2"), deadline=Deadline.after(20))


@pytest.mark.parametrize("behaviour", [local_server.slow, local_server.trickle])
async def test_a_slow_server_ends_at_the_deadline(
    transport: LiveTransport, publisher: LocalPublisher, behaviour: local_server.Behaviour
) -> None:
    publisher.script = [behaviour] * 3
    began = time.monotonic()
    with pytest.raises(DeadlineExceeded):
        await transport.send(ask(publisher), deadline=Deadline.after(0.4))
    assert time.monotonic() - began < 1.5


async def test_cancelling_closes_the_exchange(transport: LiveTransport, publisher: LocalPublisher) -> None:
    publisher.script = [local_server.slow]
    task = asyncio.create_task(transport.send(ask(publisher), deadline=Deadline.after(20)))
    while not publisher.seen:  # noqa: ASYNC110 - the server runs in a thread
        await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await transport.send(ask(publisher), deadline=Deadline.after(10))).status == 200


async def test_a_body_may_be_compressed(transport: LiveTransport, publisher: LocalPublisher) -> None:
    publisher.script = [local_server.gzipped(5_000)]
    response = await transport.send(ask(publisher), deadline=Deadline.after(10))
    assert response.body == b"0" * 5_000


@pytest.mark.parametrize("behaviour", [status(200, body=b"x" * 100_001), local_server.gzipped(50_000_000)])
async def test_a_body_beyond_the_bound_is_refused(
    transport: LiveTransport, publisher: LocalPublisher, behaviour: local_server.Behaviour
) -> None:
    publisher.script = [behaviour]
    with pytest.raises(ResponseMalformed, match="more than 100000 bytes"):
        await transport.send(ask(publisher), deadline=Deadline.after(10))


async def test_a_body_that_does_not_decompress_is_malformed(
    transport: LiveTransport, publisher: LocalPublisher
) -> None:
    publisher.script = [status(200, {"content-encoding": "gzip"}, b"not gzip")]
    with pytest.raises(ResponseMalformed, match="decompress"):
        await transport.send(ask(publisher), deadline=Deadline.after(10))


async def test_a_redirect_within_the_allowed_hosts_is_followed(
    transport: LiveTransport, publisher: LocalPublisher
) -> None:
    publisher.script = [status(302, {"location": "/v2/country/CHN?format=json"})]
    response = await transport.send(ask(publisher), deadline=Deadline.after(10))
    assert response.json()[1][0]["id"] == "CHN"


@pytest.mark.parametrize("target", ["https://example.org/x", "http://example.org/x", "file:///etc/hosts"])
async def test_a_redirect_to_elsewhere_is_not_followed(
    transport: LiveTransport, publisher: LocalPublisher, target: str
) -> None:
    publisher.script = [status(302, {"location": target})]
    with pytest.raises(NeuralKGError):
        await transport.send(ask(publisher), deadline=Deadline.after(10))
    assert len(publisher.seen) == 1


async def test_redirects_without_end_are_unreachable(transport: LiveTransport, publisher: LocalPublisher) -> None:
    publisher.script = [status(302, {"location": PATH})] * 10
    with pytest.raises(PublisherUnreachable, match="without end"):
        await transport.send(ask(publisher), deadline=Deadline.after(10))


@pytest.mark.parametrize(
    "url", ["http://127.0.0.1/v2", "http://api.worldbank.org/v2", "ftp://api.worldbank.org/v2", "no address"]
)
async def test_only_https_is_spoken(url: str) -> None:
    async with LiveTransport(["api.worldbank.org", "127.0.0.1"]) as strict:
        with pytest.raises(HostNotAllowed):
            await strict.send(HttpRequest(url), deadline=Deadline.after(5))


async def test_credentials_stay_out_of_errors_and_logs(
    publisher: LocalPublisher, transport: LiveTransport, caplog: pytest.LogCaptureFixture
) -> None:
    request = HttpRequest(
        publisher.base + "/v2/country/IND",
        params=(("format", "json"), ("key", "s3cret-param")),
        headers={"authorization": "Bearer s3cret-header"},
    )
    caplog.set_level(logging.DEBUG)
    logging.getLogger("httpcore").setLevel(logging.INFO)
    texts = []
    scripts = (
        [status(503)] * 3, [status(403)], [local_server.disconnect] * 3, [status(200, body=b"x" * 100_001)]
    )  # fmt: skip
    for script in scripts:
        publisher.script = list(script)
        with pytest.raises(NeuralKGError) as caught:
            await transport.send(request, deadline=Deadline.after(10))
        texts.append(str(caught.value))
        texts.append(repr(caught.value.__cause__))
    assert "s3cret" not in " ".join(texts) + caplog.text
