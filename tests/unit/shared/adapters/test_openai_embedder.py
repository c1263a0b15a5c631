"""Vectors come from an OpenAI-compatible server over real HTTP, and each way in which it fails is a typed error."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from shared.adapters.openai_embedder import OpenAIEmbedder
from shared.runtime.errors import ModelUnavailable, UsageError

Answer = tuple[int, dict[str, str], bytes]


class Server:
    """Answers each request with the next of ``answers``, or with vectors that tell texts apart by their length."""

    def __init__(self) -> None:
        self.answers: list[Answer | None] = []
        self.bodies: list[dict[str, Any]] = []
        self.keys: list[str | None] = []
        server = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                server.bodies.append(body | {"path": self.path})
                server.keys.append(self.headers.get("Authorization"))
                scripted = server.answers.pop(0) if server.answers else None
                status, headers, data = scripted or (200, {}, vectors(body["input"]))
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            def log_message(self, *args: object) -> None:
                pass

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.http.serve_forever, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.http.server_port}/v1"


def vectors(texts: list[str]) -> bytes:
    # Out of order, as the index of each allows.
    items = [{"index": place, "embedding": [3.0, 4.0 * len(text)]} for place, text in enumerate(texts)]
    return json.dumps({"data": items[::-1]}).encode()


@pytest.fixture
def server() -> Iterator[Server]:
    found = Server()
    yield found
    found.http.shutdown()
    found.http.server_close()


@pytest.fixture
def make(server: Server) -> Callable[..., OpenAIEmbedder]:
    def made(**more: Any) -> OpenAIEmbedder:
        return OpenAIEmbedder(server.url, "small", 2, key="secret", **{"wait": 0.01, **more})

    return made


async def test_vectors_come_in_the_order_of_the_texts_and_at_length_one(
    server: Server, make: Callable[..., OpenAIEmbedder]
) -> None:
    found = await make(batch=2).embed(["a", "bb", "ccc"])
    np.testing.assert_allclose(found[:, 1] / found[:, 0], [4 / 3, 8 / 3, 12 / 3], rtol=1e-6)
    np.testing.assert_allclose(np.linalg.norm(found, axis=1), 1.0, rtol=1e-6)
    assert sorted(len(body["input"]) for body in server.bodies) == [1, 2]
    assert {(body["path"], body["model"]) for body in server.bodies} == {("/v1/embeddings", "small")}
    assert set(server.keys) == {"Bearer secret"}


async def test_no_texts_ask_nothing(server: Server, make: Callable[..., OpenAIEmbedder]) -> None:
    assert (await make().embed([])).shape == (0, 2)
    assert server.bodies == []


async def test_a_passing_failure_is_tried_again(server: Server, make: Callable[..., OpenAIEmbedder]) -> None:
    server.answers = [(503, {}, b""), (429, {"Retry-After": "0"}, b"")]
    assert (await make().embed(["a"])).shape == (1, 2)
    assert len(server.bodies) == 3


@pytest.mark.parametrize(
    ("answer", "complaint", "asked"),
    [
        ((500, {}, b""), "answered 500, 4 times", 4),
        ((401, {}, b"secret"), "answered 401 for the model small", 1),
        ((200, {}, b"<html>"), "not JSON", 1),
        ((200, {}, b'{"data": [{"index": 0}]}'), "not a list of vectors", 1),
        ((200, {}, b'{"data": []}'), "not a list of vectors", 1),
        ((200, {}, b'{"data": [{"index": 0, "embedding": [1, 2, 3]}]}'), r"shape \(1, 3\)", 1),
        ((200, {}, b'{"data": [{"index": 0, "embedding": [0, 0]}]}'), "zero", 1),
    ],
)
async def test_each_failure_is_a_typed_error_that_does_not_tell_the_key(
    server: Server, make: Callable[..., OpenAIEmbedder], answer: Answer, complaint: str, asked: int
) -> None:
    server.answers = [answer] * 4
    with pytest.raises(ModelUnavailable, match=complaint) as failure:
        await make().embed(["a"])
    assert "secret" not in str(failure.value)
    assert len(server.bodies) == asked


async def test_a_server_that_is_not_there_is_told(make: Callable[..., OpenAIEmbedder]) -> None:
    embedder = make(attempts=2)
    embedder.url = "http://127.0.0.1:9/v1"
    with pytest.raises(ModelUnavailable, match="cannot be reached"):
        await embedder.embed(["a"])


async def test_repeated_waits_end_with_the_time_given(server: Server, make: Callable[..., OpenAIEmbedder]) -> None:
    server.answers = [(503, {"Retry-After": "20"}, b"")]
    with pytest.raises(ModelUnavailable, match=r"did not answer in 0\.3 s"):
        await make(seconds=0.3).embed(["a"])


def test_the_environment_names_the_endpoint_whole_or_not_at_all() -> None:
    assert OpenAIEmbedder.from_environment({}) is None
    named = {
        "NEURALKG_EMBEDDING_URL": "https://models.example/v1",
        "NEURALKG_EMBEDDING_MODEL": "small",
        "NEURALKG_EMBEDDING_DIMENSION": "1536",
        "NEURALKG_EMBEDDING_KEY": "k",
    }
    embedder = OpenAIEmbedder.from_environment(named)
    assert embedder is not None
    assert (embedder.model, embedder.dimension, embedder.key) == ("small", 1536, "k")
    assert "key" not in repr(embedder)
    for lacking in ("NEURALKG_EMBEDDING_MODEL", "NEURALKG_EMBEDDING_DIMENSION"):
        with pytest.raises(UsageError, match=lacking):
            OpenAIEmbedder.from_environment({name: value for name, value in named.items() if name != lacking})
    with pytest.raises(UsageError, match="https://"):
        OpenAIEmbedder.from_environment(named | {"NEURALKG_EMBEDDING_URL": "models.example"})
