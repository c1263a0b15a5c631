"""Every response has a request's id and the service's headers, also one to an error that nobody foresaw."""

from __future__ import annotations

import logging
import re
from typing import Any

import httpx
import pytest
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from functions.hosting.envelope import Envelope

HEADERS = {"Referrer-Policy": "no-referrer", "Content-Security-Policy": "default-src 'none'"}


async def _fault(_: Request, __: Exception) -> Response:
    return PlainTextResponse("it failed", status_code=500)


async def _own(_: Request) -> Response:
    return PlainTextResponse("fine", headers={"Content-Security-Policy": "default-src 'self'"})


async def _breaks(_: Request) -> Response:
    raise RuntimeError("a secret path")


def client(**more: Any) -> httpx.AsyncClient:
    app = Starlette(
        routes=[Route("/own", _own, methods=["GET", "OPTIONS"]), Route("/breaks", _breaks)],
        middleware=[Middleware(Envelope, headers=HEADERS, fault=_fault, **more)],
    )
    return httpx.AsyncClient(transport=httpx.ASGITransport(app=app), base_url="http://service.test")


async def test_a_header_of_the_responses_own_stands_and_the_others_are_added() -> None:
    async with client() as http:
        reply = await http.get("/own")
    assert reply.headers["content-security-policy"] == "default-src 'self'"
    assert reply.headers["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize(("sent", "kept"), [("a.b-C_1", True), ("x" * 65, False), ("a b", False), ("<b>", False)])
async def test_a_plain_id_of_the_client_is_kept_and_any_other_is_replaced(sent: str, kept: bool) -> None:
    async with client() as http:
        reply = await http.get("/own", headers={"X-Request-Id": sent})
    given = reply.headers["x-request-id"]
    assert (given == sent) is kept
    assert kept or re.fullmatch(r"[0-9a-f]{16}", given)


async def test_an_unforeseen_error_is_logged_and_told_with_the_id_and_the_headers(
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with client() as http:
        reply = await http.get("/breaks")
    assert (reply.status_code, reply.text) == (500, "it failed")
    assert reply.headers["referrer-policy"] == "no-referrer"
    assert reply.headers["x-request-id"]
    (record,) = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert record.exc_info is not None
    assert "a secret path" in str(record.exc_info[1])


async def test_a_preflight_is_answered_where_the_service_is_open_to_other_origins() -> None:
    asked = {"Access-Control-Request-Method": "POST", "Origin": "https://elsewhere.example"}
    async with client(preflight={"Access-Control-Allow-Methods": "POST"}) as http:
        reply = await http.options("/own", headers=asked)
        plain = await http.options("/own")
    assert (reply.status_code, reply.headers["access-control-allow-methods"]) == (204, "POST")
    assert plain.text == "fine"
    async with client() as http:
        assert (await http.options("/own", headers=asked)).text == "fine"
