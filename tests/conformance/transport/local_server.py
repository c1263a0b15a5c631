"""A publisher on loopback: it serves a snapshot responder, or misbehaves as a test scripts it."""

from __future__ import annotations

import contextlib
import gzip
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from shared.adapters.snapshot_transport import SnapshotResponder
from shared.runtime.http import HttpRequest

Behaviour = Callable[["Handler"], None]


@dataclass
class LocalPublisher:
    """``script`` holds one behaviour for each coming request; when it is empty the responder answers."""

    responder: SnapshotResponder
    script: list[Behaviour] = field(default_factory=list)
    seen: list[str] = field(default_factory=list)
    bodies: list[bytes] = field(default_factory=list)
    """What was posted, in the order of the requests; nothing for a GET."""
    headers: list[dict[str, str]] = field(default_factory=list)
    base: str = ""
    released: threading.Event = field(default_factory=threading.Event)


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    publisher: LocalPublisher

    def do_GET(self) -> None:
        self.serve(b"")

    def do_POST(self) -> None:
        self.serve(self.rfile.read(int(self.headers["content-length"])))

    def serve(self, body: bytes) -> None:
        self.publisher.seen.append(self.path)
        self.publisher.bodies.append(body)
        self.publisher.headers.append({name.lower(): value for name, value in self.headers.items()})
        if self.publisher.script:
            self.publisher.script.pop(0)(self)
            return
        (host,) = self.publisher.responder.hosts
        asked = HttpRequest.parse(f"https://{host}{self.path}")
        if self.command == "POST":
            asked = HttpRequest(asked.url, method="POST", params=asked.params, body=body)
        answer = self.publisher.responder.respond(asked)
        self.answer(answer.status, answer.body, dict(answer.headers))

    def answer(self, status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        with contextlib.suppress(ConnectionError):  # who is sent too much goes away
            self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - named by the base class
        """Keep the test output quiet."""


def status(code: int, headers: dict[str, str] | None = None, body: bytes = b"") -> Behaviour:
    """Answer with this status."""
    return lambda handler: handler.answer(code, body, headers)


def slow(handler: Handler) -> None:
    """Say nothing until the test is over."""
    handler.publisher.released.wait(20)
    handler.close_connection = True


def trickle(handler: Handler) -> None:
    """Send a byte at a time, without end."""
    handler.send_response(200)
    handler.send_header("content-length", "1000000")
    handler.end_headers()
    handler.close_connection = True
    with contextlib.suppress(OSError):
        while not handler.publisher.released.is_set():
            handler.wfile.write(b"x")
            handler.wfile.flush()
            time.sleep(0.05)


def disconnect(handler: Handler) -> None:
    """Close in the middle of a body."""
    handler.send_response(200)
    handler.send_header("content-length", "1000")
    handler.end_headers()
    handler.wfile.write(b"half")
    handler.close_connection = True


def gzipped(size: int) -> Behaviour:
    """Answer with ``size`` zeros, compressed."""
    return lambda handler: handler.answer(200, gzip.compress(b"0" * size), {"content-encoding": "gzip"})


@contextlib.contextmanager
def serve(responder: SnapshotResponder) -> Iterator[LocalPublisher]:
    """Run the publisher on a free port of loopback."""
    publisher = LocalPublisher(responder)
    handler = type("BoundHandler", (Handler,), {"publisher": publisher})
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    server.daemon_threads = True
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    publisher.base = f"http://127.0.0.1:{server.server_address[1]}"
    try:
        yield publisher
    finally:
        publisher.released.set()
        server.shutdown()
        server.server_close()
        thread.join(5)
