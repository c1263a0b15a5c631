"""A function is opened by its first request, once, and a failure to open is told and tried again."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route

from functions.hosting.instance import Opener, hosted
from functions.hosting.settings import CloudSettings
from functions.hosting.telemetry import Tracing
from shared.runtime.errors import UsageError


@pytest.fixture(autouse=True)
def plain_process(monkeypatch) -> Iterator[None]:
    """The test's process as it was: its environment, its logging and its signals."""
    for name in list(os.environ):
        if name.startswith(("NEURALKG_", "OTEL_", "GOOGLE_", "K_")):
            monkeypatch.delenv(name)
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    heard = {sign: signal.getsignal(sign) for sign in (signal.SIGTERM, signal.SIGINT)}
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    for sign, handler in heard.items():
        signal.signal(sign, handler)


class Life:
    """What happened to a function's ports, and how often opening them fails first."""

    def __init__(self, *, failures: int = 0, error: Exception | None = None) -> None:
        self.events: list[str] = []
        self.failures, self.error = failures, error or UsageError("NEURALKG_X is not set")
        self.working, self.go_on = asyncio.Event(), asyncio.Event()

    @property
    def opener(self) -> Opener:
        @asynccontextmanager
        async def opened(settings: CloudSettings, tracing: Tracing) -> AsyncIterator[Starlette]:
            await asyncio.sleep(0.01)
            if self.failures:
                self.failures -= 1
                raise self.error
            self.events.append("opened")

            async def slow(_):
                self.working.set()
                await self.go_on.wait()
                self.events.append("worked")
                return PlainTextResponse("done")

            async def fast(_):
                return PlainTextResponse("done")

            yield Starlette(routes=[Route("/", fast), Route("/slow", slow)])
            self.events.append("closed")

        return opened


def client(life: Life) -> httpx.AsyncClient:
    from functions_framework.aio import _create_asgi_app_with_function

    app = _create_asgi_app_with_function(hosted("slots", life.opener), "http", enable_id_logging=False)
    return httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url="http://slots.test")


async def test_many_first_requests_open_it_once():
    life = Life()
    async with client(life) as asking:
        replies = await asyncio.gather(*(asking.get("/") for _ in range(5)))
    assert [reply.text for reply in replies] == ["done"] * 5
    assert life.events == ["opened"]
    assert replies[0].headers["x-function"].startswith("slots/")


async def test_what_cannot_be_opened_says_why_and_is_tried_again(capsys):
    life = Life(failures=1)
    async with client(life) as asking:
        first, second = await asking.get("/health"), await asking.get("/")
    assert first.status_code == 503
    assert first.json() | {"version": ""} == {
        "status": "failed",
        "name": "slots",
        "version": "",
        "ports": "closed",
        "reason": "NEURALKG_X is not set",
    }
    assert second.status_code == 200


async def test_an_error_that_is_not_ours_is_told_by_its_kind_alone(capsys):
    life = Life(failures=1, error=RuntimeError("the key is hunter2"))
    async with client(life) as asking:
        reply = await asking.get("/")
    assert reply.status_code == 503
    assert reply.json()["reason"] == "RuntimeError"


async def test_a_setting_that_cannot_be_used_is_told(monkeypatch, capsys):
    monkeypatch.setenv("NEURALKG_CONCURRENCY", "many")
    async with client(Life()) as asking:
        reply = await asking.get("/health")
    assert reply.status_code == 503
    assert reply.json()["reason"].startswith("NEURALKG_CONCURRENCY is 'many'; allowed is a whole number")


async def test_a_client_that_leaves_while_it_opens_does_not_stop_the_opening():
    life = Life()
    async with client(life) as asking:
        leaving = asyncio.create_task(asking.get("/"))
        await asyncio.sleep(0)
        leaving.cancel()
        assert (await asking.get("/")).text == "done"
    assert life.events == ["opened"]


async def test_asked_to_stop_it_closes_after_the_last_request_and_the_servers_own_handler_is_called():
    life, served = Life(), []
    signal.signal(signal.SIGTERM, lambda *_: served.append("server"))
    async with client(life) as asking:
        working = asyncio.create_task(asking.get("/slow"))
        await life.working.wait()
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.sleep(0.05)
        assert life.events == ["opened"]
        life.go_on.set()
        assert (await working).text == "done"
        await asyncio.sleep(0.05)
    assert served == ["server"]
    assert life.events == ["opened", "worked", "closed"]
