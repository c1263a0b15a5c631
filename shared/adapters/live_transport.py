"""The transport to the publishers' live APIs: HTTPS, allow-listed hosts, bounded in time and size.

A request's headers and parameters may hold credentials, so errors and logs name only its method, host and path.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from types import TracebackType
from urllib.parse import urlsplit

import httpx
import stamina

from shared.runtime.deadline import Deadline
from shared.runtime.errors import (
    DeadlineExceeded,
    HostNotAllowed,
    PublisherRefused,
    PublisherUnreachable,
    ResponseMalformed,
)
from shared.runtime.http import HttpRequest, HttpResponse

log = logging.getLogger(__name__)

RETRIED = frozenset({408, 425, 429, 500, 502, 503, 504})
REFUSED = frozenset({401, 403, 429})
REDIRECTS = frozenset({301, 302, 303, 307, 308})
LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})
MOST_REDIRECTS = 5
# Waits the client does not sleep through: a server that asks for more is treated as refusing.
LONGEST_WAIT = 30.0
CONNECT_SECONDS = 5.0


class _TryAgain(Exception):  # noqa: N818 - a signal between an attempt and its retry
    """An attempt failed in a passing way. ``response`` is set when the server answered."""

    def __init__(self, reason: str, *, status: int | None = None, wait: float | None = None) -> None:
        self.reason, self.status, self.wait = reason, status, wait
        super().__init__(reason)


class LiveTransport:
    """Sends requests over the network to the hosts that the mounted plugins declared.

    ``max_body`` bytes bound a decoded answer. Plain HTTP is spoken only to loopback addresses, and only
    when ``allow_loopback_http`` is set. Passing failures are tried ``attempts`` times in all, with
    growing waits or the server's own ``Retry-After``, never beyond the deadline.
    """

    def __init__(
        self,
        hosts: Collection[str],
        *,
        max_body: int = 64 * 1024 * 1024,
        attempts: int = 4,
        first_wait: float = 0.25,
        allow_loopback_http: bool = False,
        client: httpx.AsyncClient | None = None,
    ) -> None:
        self._hosts = frozenset(host.lower() for host in hosts)
        self._max_body = max_body
        self._attempts = attempts
        self._first_wait = first_wait
        self._loopback = allow_loopback_http
        # The client library would log whole URLs, whose parameters may be credentials.
        logging.getLogger("httpx").addFilter(_drop)
        self._client = client or httpx.AsyncClient(
            follow_redirects=False,
            trust_env=True,
            headers={"user-agent": "neuralkg", "accept-encoding": "gzip, deflate"},
            limits=httpx.Limits(max_connections=16, max_keepalive_connections=8),
        )

    async def __aenter__(self) -> LiveTransport:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def send(self, request: HttpRequest, *, deadline: Deadline) -> HttpResponse:
        """Send one request.

        Raises ``HostNotAllowed`` for a host, scheme or redirect that is not allowed, ``PublisherRefused``
        for 401, 403 and a 429 that lasts, ``PublisherUnreachable`` when no answer or only server errors
        came, ``ResponseMalformed`` for an answer that is too large, ``DeadlineExceeded`` when time is up.
        Any other answer is returned as it came.
        """
        deadline.check()
        self._allow(request.url)
        label = _label(request)
        try:
            async with asyncio.timeout(deadline.remaining):
                async for attempt in stamina.retry_context(
                    on=_backoff,
                    attempts=self._attempts,
                    timeout=None,
                    wait_initial=self._first_wait,
                    wait_max=LONGEST_WAIT,
                    wait_jitter=self._first_wait,
                ):
                    with attempt:
                        return await self._attempt(request, label, deadline)
        except TimeoutError as error:
            raise DeadlineExceeded(f"{label} did not answer before the run's time was up") from error
        except _TryAgain as last:
            if last.status in REFUSED:
                raise PublisherRefused(f"{label} refuses for now: {last.reason}") from None
            raise PublisherUnreachable(f"{label} gave no answer in {self._attempts} tries: {last.reason}") from None
        raise AssertionError("the retry loop ends by returning or raising")

    def _allow(self, url: str) -> None:
        parts = urlsplit(url)
        host = (parts.hostname or "").lower()
        if host not in self._hosts:
            raise HostNotAllowed(f"no mounted source declared the host {host!r}")
        if parts.scheme == "https" or (parts.scheme == "http" and self._loopback and host in LOOPBACK):
            return
        raise HostNotAllowed(f"requests to {host!r} must use https, not {parts.scheme!r}")

    async def _attempt(self, request: HttpRequest, label: str, deadline: Deadline) -> HttpResponse:
        try:
            response = await self._exchange(request, label, deadline)
        except (httpx.TimeoutException, httpx.NetworkError, httpx.RemoteProtocolError) as error:
            # The library's own message may quote the URL with its parameters.
            raise _TryAgain(_fault(error)) from None
        except httpx.DecodingError:
            raise ResponseMalformed(f"{label} sent a body that does not decompress") from None
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise PublisherUnreachable(f"{label} cannot be asked: {type(error).__name__}") from None
        if response.status in RETRIED:
            wait = _retry_after(response.headers.get("retry-after"))
            if wait is not None and wait > min(LONGEST_WAIT, deadline.remaining):
                kind = PublisherRefused if response.status in REFUSED else PublisherUnreachable
                raise kind(f"{label} answered {response.status} and asks to come back in {wait:.0f} s")
            log.info("%s answered %s; trying again", label, response.status)
            raise _TryAgain(f"HTTP {response.status}", status=response.status, wait=wait)
        if response.status in REFUSED:
            raise PublisherRefused(f"{label} refuses access (HTTP {response.status})")
        return response

    async def _exchange(self, request: HttpRequest, label: str, deadline: Deadline) -> HttpResponse:
        """One request with its redirects; a redirect may not leave the allowed hosts."""
        url, method, body = request.full_url, request.method, request.body
        for _ in range(MOST_REDIRECTS + 1):
            async with self._client.stream(
                method,
                url,
                headers=dict(request.headers),
                content=body,
                timeout=httpx.Timeout(max(0.001, deadline.remaining), connect=CONNECT_SECONDS),
            ) as response:
                if response.status_code in REDIRECTS and response.next_request is not None:
                    url = str(response.next_request.url)
                    method = response.next_request.method
                    body = None if method == "GET" else body
                    self._allow(url)
                    continue
                return HttpResponse(
                    status=response.status_code,
                    body=await self._read(response, label),
                    retrieved_at=datetime.now(UTC),
                    headers={name.lower(): value for name, value in response.headers.items()},
                )
        raise PublisherUnreachable(f"{label} redirects without end")

    async def _read(self, response: httpx.Response, label: str) -> bytes:
        chunks, size = [], 0
        async for chunk in response.aiter_bytes():
            size += len(chunk)
            if size > self._max_body:
                raise ResponseMalformed(f"{label} sent more than {self._max_body} bytes")
            chunks.append(chunk)
        return b"".join(chunks)


def _backoff(error: Exception) -> bool | timedelta:
    """Tell stamina which failures are retried, and after how long where the server said so."""
    if not isinstance(error, _TryAgain):
        return False
    return timedelta(seconds=error.wait) if error.wait is not None else True


def _drop(_record: logging.LogRecord) -> bool:
    return False


def _label(request: HttpRequest) -> str:
    """What errors and logs call a request: never its parameters, headers or body."""
    parts = urlsplit(request.url)
    return f"{request.method} {parts.hostname}{parts.path}"


def _fault(error: httpx.HTTPError) -> str:
    if isinstance(error, httpx.TimeoutException):
        return "it took too long"
    if isinstance(error, httpx.ConnectError):
        return "the connection could not be made"
    return "the connection was lost"


def _retry_after(text: str | None) -> float | None:
    """Seconds to wait, from a number of seconds or an HTTP date; ``None`` when absent or unreadable."""
    if not text:
        return None
    if text.strip().isdigit():
        return float(text)
    try:
        at = parsedate_to_datetime(text)
    except ValueError:
        return None
    if at.tzinfo is None:
        at = at.replace(tzinfo=UTC)
    return max(0.0, (at - datetime.now(UTC)).total_seconds())
