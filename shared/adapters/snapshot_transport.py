"""The transport that needs no network: recorded figures answer the publishers' own URLs."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Protocol
from urllib.parse import urlsplit

from shared.runtime.deadline import Deadline
from shared.runtime.errors import HostNotAllowed
from shared.runtime.http import HttpRequest, HttpResponse


class SnapshotResponder(Protocol):
    """Recorded figures of one publisher, answering in its API's wire form, its errors included."""

    @property
    def hosts(self) -> frozenset[str]:
        """The hosts it stands in for; ``host/path`` where it has only what lies under a path of the host."""

    def respond(self, request: HttpRequest) -> HttpResponse:
        """Answer at once, without waiting on anything; ``snapshot_as_of`` dates the figures."""


class SnapshotTransport:
    """Routes each request to the responder of its host. The newest figures it can give are the recorded ones."""

    def __init__(self, responders: Sequence[SnapshotResponder]) -> None:
        self._by_host: dict[str, SnapshotResponder] = {}
        for responder in responders:
            for host in responder.hosts:
                if host in self._by_host:
                    raise ValueError(f"two snapshots answer for {host}")
                self._by_host[host] = responder

    async def send(self, request: HttpRequest, *, deadline: Deadline) -> HttpResponse:
        """Answer from the recorded figures; raises ``HostNotAllowed`` or ``DeadlineExceeded``."""
        deadline.check()
        address = f"{request.host}{urlsplit(request.url).path}"
        under = [part for part in self._by_host if "/" in part and address.startswith(f"{part}/")]
        responder = self._by_host.get(max(under, key=len) if under else request.host)
        if responder is None:
            known = ", ".join(sorted(self._by_host)) or "none"
            raise HostNotAllowed(f"no recorded figures answer for {request.host!r}; the known hosts are {known}")
        # A responder takes milliseconds; yielding first keeps cancellation and other runs prompt.
        await asyncio.sleep(0)
        return responder.respond(request)

    async def close(self) -> None:
        """Nothing is held."""
