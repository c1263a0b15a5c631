"""Archives against a store that misbehaves on the wire: what is tried again, what is told, how long it takes."""

from __future__ import annotations

import asyncio
import base64
import hashlib
import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import google_crc32c
import pytest

from shared.adapters.archives import open_archive
from shared.adapters.folder_archive import FolderArchive
from shared.adapters.gcs_archive import GcsArchive
from shared.adapters.s3_archive import S3Archive
from shared.runtime.errors import ArchiveConflict, ArchiveError, ObjectMissing, UsageError

BODY = b"the bytes of an object" * 100
SHA = base64.b64encode(hashlib.sha256(BODY).digest()).decode()
CRC = base64.b64encode(google_crc32c.value(BODY).to_bytes(4, "big")).decode()


@dataclass
class Said:
    """One answer of the server; ``cut`` bytes are left out of the body, ``after`` is how long it waits."""

    status: int = 200
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    cut: int = 0
    after: float = 0.0


class Store:
    """A server that gives the answers of its script in turn, the last one for ever."""

    def __init__(self) -> None:
        self.script: list[Said] = []
        self.asked: list[tuple[str, str, dict[str, str]]] = []
        self.at_once = self.most_at_once = 0
        self._lock = threading.Lock()
        self._gone, self.was_asked = threading.Event(), threading.Event()
        store = self

        class Handler(BaseHTTPRequestHandler):
            def answer(self) -> None:
                self.rfile.read(int(self.headers.get("Content-Length") or 0))
                with store._lock:
                    store.at_once += 1
                    store.most_at_once = max(store.most_at_once, store.at_once)
                    store.was_asked.set()
                    store.asked.append((self.command, self.path, dict(self.headers)))
                    said = store.script.pop(0) if len(store.script) > 1 else store.script[0]
                store._gone.wait(said.after)
                with store._lock:
                    store.at_once -= 1
                try:
                    self.send_response(said.status)
                    self.send_header("Content-Length", str(len(said.body)))
                    self.send_header("Connection", "close")
                    for name, value in said.headers.items():
                        self.send_header(name, value)
                    self.end_headers()
                    self.wfile.write(said.body[: len(said.body) - said.cut])
                except OSError:
                    pass  # whoever asked has given up

            do_GET = do_PUT = do_POST = do_DELETE = answer  # noqa: N815

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.02}).start()

    def close(self) -> None:
        self._gone.set()
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def store() -> Iterator[Store]:
    store = Store()
    yield store
    store.close()


Make = Callable[..., Any]


@pytest.fixture(params=["gcs", "s3"])
def kind(request) -> str:
    return request.param


@pytest.fixture
async def make(kind, store, monkeypatch):
    """Opens an archive of a kind whose store is the server of the test."""
    monkeypatch.setattr("shared.adapters.blocking_calls.FIRST_WAIT", 0.01)
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", store.url)
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", store.url)
    for name in ("AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY"):
        monkeypatch.setenv(name, "secret-of-the-test")
    monkeypatch.setenv("AWS_DEFAULT_REGION", "us-east-1")
    opened = []

    def open_one(**settings: Any) -> Any:
        archive = {"gcs": GcsArchive, "s3": S3Archive}[kind]("bucket", **settings)
        opened.append(archive)
        return archive

    yield open_one
    for archive in opened:
        await archive.close()


def object_read(body: bytes = BODY, **changes: Any) -> Said:
    """An object as both stores send it, with the checksums of ``BODY``."""
    headers = {"X-Goog-Hash": f"crc32c={CRC}", "X-Goog-Generation": "7", "ETag": '"e"'}
    headers["x-amz-checksum-sha256"] = SHA
    return Said(200, body, headers, **changes)


def object_written(kind: str, crc: str = CRC) -> Said:
    if kind == "s3":
        return Said(200, b"", {"ETag": '"e"'})
    made = {"name": "a", "bucket": "bucket", "crc32c": crc, "generation": "7"}
    return Said(200, json.dumps(made).encode(), {"Content-Type": "application/json"})


def refusal(kind: str, status: int, code: str = "") -> Said:
    if kind == "s3":
        text = f"<Error><Code>{code}</Code><Message>no</Message></Error>"
        return Said(status, text.encode(), {"Content-Type": "application/xml"})
    told = {"error": {"code": status, "message": "no", "errors": [{"reason": code, "message": "no"}]}}
    return Said(status, json.dumps(told).encode(), {"Content-Type": "application/json"})


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
async def test_a_passing_failure_is_tried_again(make, store, kind, status):
    store.script = [refusal(kind, status), refusal(kind, status), object_read()]
    assert await make().get("a") == BODY
    assert len(store.asked) == 3


async def test_a_write_is_tried_again_and_sends_its_checksum(make, store, kind):
    store.script = [refusal(kind, 503), object_written(kind)]
    assert await make().put("a", BODY) == f"{'gs' if kind == 'gcs' else 's3'}://bucket/a"
    assert len(store.asked) == 2
    if kind == "s3":
        assert all("x-amz-checksum-sha256" in {key.lower() for key in headers} for _, _, headers in store.asked)


@pytest.mark.parametrize(
    "case",
    [
        (401, "", "credentials"),
        (403, "", "access is not permitted; let its account read"),
        (403, "quotaExceeded", "quota is used up; raise the quota"),
        (403, "QuotaExceeded", "quota is used up; raise the quota"),
        (507, "XMinioStorageFull", "quota is used up"),
        (404, "NoSuchBucket", "no such bucket; create the bucket"),
        (418, "Teapot", "answered 418"),
    ],
)
async def test_a_lasting_failure_is_told_at_once_with_what_to_do(make, store, kind, case):
    status, code, told = case
    store.script = [refusal(kind, status, code)]
    with pytest.raises(ArchiveError, match=told) as caught:
        await make().put("runs/a", BODY)
    assert len(store.asked) == 1
    assert "secret-of-the-test" not in str(caught.value)


async def test_a_missing_object_is_named_and_not_looked_for_again(make, store, kind):
    store.script = [refusal(kind, 404, "NoSuchKey")]
    with pytest.raises(ObjectMissing, match="runs/a"):
        await make().get("runs/a")
    assert len(store.asked) == 1


async def test_a_store_that_is_always_busy_is_given_up_when_the_time_is_up(make, store, kind):
    store.script = [refusal(kind, 429)]
    began = time.monotonic()
    with pytest.raises(ArchiveError, match="fewer calls"):
        await make(seconds=2).get("a")
    assert time.monotonic() - began < 4
    assert len(store.asked) > 2


@pytest.mark.parametrize("do", ["get", "put", "list"])
async def test_a_store_that_says_nothing_is_given_up_when_the_time_is_up(make, store, do):
    store.script = [Said(after=30)]
    archive = make(seconds=0.4)
    calls = {
        "get": lambda: archive.get("a"),
        "put": lambda: archive.put("a", BODY),
        "list": lambda: anext(archive.list("")),
    }
    began = time.monotonic()
    with pytest.raises(ArchiveError, match=r"did not answer within|cannot be reached"):
        await calls[do]()
    assert time.monotonic() - began < 2


async def test_an_answer_that_is_cut_short_is_asked_for_again(make, store):
    store.script = [object_read(cut=500), object_read(cut=1), object_read()]
    assert await make().get("a") == BODY
    assert len(store.asked) == 3


async def test_an_answer_that_is_always_cut_short_is_never_taken_for_the_object(make, store):
    store.script = [object_read(cut=500)]
    with pytest.raises(ArchiveError, match="cut short"):
        await make(seconds=2).get("a")


async def test_bytes_that_do_not_fit_their_checksum_are_asked_for_again(make, store):
    store.script = [object_read(BODY[:-1] + b"!"), object_read()]
    assert await make().get("a") == BODY


async def test_bytes_that_never_fit_their_checksum_are_refused(make, store):
    store.script = [object_read(BODY[:-1] + b"!")]
    with pytest.raises(ArchiveError, match="damaged on its way"):
        await make(seconds=2).get("a")


@pytest.mark.parametrize("kind", ["gcs"])
async def test_what_a_store_holds_otherwise_than_sent_is_removed_and_sent_again(make, store, kind):
    store.script = [object_written(kind, "AAAAAA=="), Said(204), object_written(kind)]
    await make().put("a", BODY)
    assert [(method, "generation" in path) for method, path, _ in store.asked] == [
        ("POST", False),
        ("DELETE", True),
        ("POST", False),
    ]


async def test_a_swap_says_which_version_it_replaces_and_loses_to_another(make, store, kind):
    store.script = [refusal(kind, 412, "PreconditionFailed"), object_read()]
    with pytest.raises(ArchiveConflict):
        await make().swap("a", b"mine", version="7")
    _, path, headers = store.asked[0]
    told = {key.lower(): value for key, value in headers.items()}
    assert told.get("if-match") == "7" if kind == "s3" else "ifGenerationMatch=7" in path


async def test_a_swap_whose_first_answer_was_lost_has_won(make, store, kind):
    store.script = [refusal(kind, 503), refusal(kind, 412, "PreconditionFailed"), object_read()]
    assert await make().swap("a", BODY, version="3") == ("7" if kind == "gcs" else '"e"')


async def test_no_more_calls_than_agreed_are_under_way(make, store):
    store.script = [object_read(after=0.03)]
    archive = make(at_once=3)
    await asyncio.gather(*(archive.get(f"a/{n}") for n in range(12)))
    assert store.most_at_once == 3


async def test_a_call_that_nobody_waits_for_is_not_repeated(make, store, kind):
    store.script = [refusal(kind, 503)]
    archive = make()
    task = asyncio.create_task(archive.get("a"))
    await asyncio.to_thread(store.was_asked.wait, 10)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    await asyncio.sleep(0.1)
    seen = len(store.asked)
    await asyncio.sleep(0.4)
    assert len(store.asked) <= seen + 1


async def test_a_store_that_nobody_runs_is_told_as_the_network(kind, monkeypatch, make, store):
    dead = "http://127.0.0.1:9"
    monkeypatch.setenv("STORAGE_EMULATOR_HOST", dead)
    monkeypatch.setenv("AWS_ENDPOINT_URL_S3", dead)
    store.script = [Said()]
    with pytest.raises(ArchiveError, match="cannot be reached; check the network"):
        await make(seconds=1.5).get("a")


def test_an_address_chooses_the_archive():
    assert isinstance(open_archive("some/folder"), FolderArchive)
    gcs, s3 = open_archive("gs://my-bucket/a/b/"), open_archive("s3://my-bucket")
    assert isinstance(gcs, GcsArchive)
    assert (gcs.bucket, gcs.prefix) == ("my-bucket", "a/b/")
    assert isinstance(s3, S3Archive)
    assert (s3.bucket, s3.prefix) == ("my-bucket", "")


@pytest.mark.parametrize(
    "address",
    ["", "  ", "https://host/a", "gs:bucket", "gs://", "s3:///a", "gs://B", "gs://bucket/../a", "ftp://a"],
)
def test_another_address_is_refused_with_the_forms_that_are_allowed(address):
    with pytest.raises(UsageError, match=r"gs://bucket|names no bucket|is no address"):
        open_archive(address)
