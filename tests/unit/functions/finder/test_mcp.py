"""The tool protocol over one POST, in both of its eras, and plain-text search."""

from __future__ import annotations

import json
from typing import Any

import httpx
import pytest

MODERN = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


async def call(http: httpx.AsyncClient, method: str, params: dict[str, Any] | None = None, **headers: str) -> Any:
    body = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params or {}}
    given = {name.replace("_", "-"): value for name, value in headers.items()} | {"Mcp-Method": method}
    return await http.post("/mcp", json=body, headers=given)


async def tool(http: httpx.AsyncClient, name: str, **arguments: Any) -> Any:
    return (await call(http, "tools/call", {"name": name, "arguments": arguments})).json()["result"]


@pytest.mark.parametrize(("asked", "agreed"), [("2025-06-18", "2025-06-18"), ("1999-01-01", "2025-11-25")])
async def test_a_handshake_agrees_on_a_version(http: httpx.AsyncClient, asked: str, agreed: str) -> None:
    client = {"protocolVersion": asked, "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    result = (await call(http, "initialize", client)).json()["result"]
    assert result["protocolVersion"] == agreed
    assert result["serverInfo"]["name"] == "neuralkg-finder"
    assert "tools" in result["capabilities"]


async def test_a_self_contained_request_needs_no_handshake(http: httpx.AsyncClient) -> None:
    found = (await call(http, "server/discover", {"_meta": MODERN}, MCP_Protocol_Version="2026-07-28")).json()[
        "result"
    ]
    assert "2026-07-28" in found["supportedVersions"]
    assert found["resultType"] == "complete"
    listed = (await call(http, "tools/list", {"_meta": MODERN}, MCP_Protocol_Version="2026-07-28")).json()["result"]
    assert [one["name"] for one in listed["tools"]] == ["search_tables", "find_variable"]
    assert listed["cacheScope"] == "public"


async def test_search_tables_gives_the_same_entries_as_the_route(http: httpx.AsyncClient) -> None:
    result = await tool(http, "search_tables", query="interest rate", pageSize=3)
    route = (await http.post("/search", json={"query": {"text": "interest rate"}, "pageSize": 3})).json()
    assert result["isError"] is False
    assert result["structuredContent"]["results"] == route["results"]
    assert json.loads(result["content"][0]["text"])["eligibility"] == route["eligibility"]


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ({}, "query_invalid"),
        ({"query": ""}, "query_invalid"),
        ({"query": "a" * 401}, "query_too_long"),
        ({"query": "rate", "sources": ["nowhere"]}, "source_unknown"),
        ({"query": "rate", "pageSize": "x"}, "pagesize_invalid"),
    ],
)
async def test_a_bad_argument_is_an_error_that_the_caller_may_mend(
    http: httpx.AsyncClient, arguments: dict[str, Any], error: str
) -> None:
    result = await tool(http, "search_tables", **arguments)
    assert (result["isError"], result["structuredContent"]["error"]) == (True, error)


async def test_find_variable_is_exact(http: httpx.AsyncClient) -> None:
    assert (await tool(http, "find_variable", id="shared"))["structuredContent"]["total"] == 2
    assert (await tool(http, "find_variable"))["structuredContent"]["error"] == "id_missing"


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        (b"{", 400, -32700),
        (b"[]", 400, -32602),
        (b'{"method": "ping", "id": 1}', 400, -32602),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "resources/list"}', 200, -32601),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": [1]}', 400, -32602),
        (b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "rm"}}', 200, -32602),
        (
            b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call",'
            b' "params": {"name": "search_tables", "arguments": [1]}}',
            200,
            -32602,
        ),
    ],
)  # fmt: skip
async def test_what_is_no_request_of_the_protocol_is_an_error_of_it(
    http: httpx.AsyncClient, body: bytes, status: int, code: int
) -> None:
    reply = await http.post("/mcp", content=body, headers={"Content-Type": "application/json"})
    assert (reply.status_code, reply.json()["error"]["code"]) == (status, code)


async def test_a_version_that_is_not_served_is_told_with_those_that_are(http: httpx.AsyncClient) -> None:
    future = MODERN | {"io.modelcontextprotocol/protocolVersion": "2030-01-01"}
    reply = await call(http, "ping", {"_meta": future}, MCP_Protocol_Version="2030-01-01")
    assert (reply.status_code, reply.json()["error"]["code"]) == (400, -32022)
    assert "2026-07-28" in reply.json()["error"]["data"]["supported"]


async def test_a_notification_is_accepted_and_a_stream_is_not_offered(http: httpx.AsyncClient) -> None:
    reply = await http.post("/mcp", json={"jsonrpc": "2.0", "method": "notifications/initialized"})
    assert (reply.status_code, reply.content) == (202, b"")
    assert (await http.get("/mcp")).status_code == 405


async def test_a_large_body_is_refused_here_too(http: httpx.AsyncClient) -> None:
    assert (await http.post("/mcp", content=b" " * 70_000)).status_code == 413


# ---- plain words ----------------------------------------------------------------------------------


async def test_plain_words_are_searched_by_get_and_post(http: httpx.AsyncClient) -> None:
    got = (await http.get("/ask", params={"q": "interest rate", "pageSize": 2, "source": "alpha"})).json()
    posted = (await http.post("/ask", json={"query": "interest rate", "pageSize": 2, "sources": ["alpha"]})).json()
    assert got["results"] == posted["results"]
    assert len(got["results"]) == 2


async def test_plain_words_end_at_400_characters(http: httpx.AsyncClient) -> None:
    assert (await http.get("/ask", params={"q": "a" * 400})).status_code == 200
    for reply in (
        await http.get("/ask", params={"q": "a" * 401}),
        await http.post("/ask", json={"query": "a" * 401}),
    ):
        assert (reply.status_code, reply.json()["error"]) == (400, "query_too_long")
    assert (await http.get("/ask")).status_code == 400
    assert (await http.head("/ask", params={"q": "rate"})).status_code == 405


# ---- pages ----------------------------------------------------------------------------------------


async def test_the_page_works_without_a_script_and_under_a_strict_policy(http: httpx.AsyncClient) -> None:
    form = await http.get("/")
    assert "<script" not in form.text
    assert "default-src 'none'" in form.headers["content-security-policy"]
    assert "style=" not in form.text
    found = await http.get("/", params={"q": "zebra herds"})
    assert "Zebra herds of herds" in found.text
    assert "About this search" in found.text
    assert (await http.get("/style.css")).headers["content-type"].startswith("text/css")


async def test_what_was_typed_is_escaped(http: httpx.AsyncClient) -> None:
    page = await http.get("/", params={"q": '"><script>alert(1)</script>', "source": "<b>"})
    assert "<script" not in page.text
    assert "&lt;b&gt;" in page.text
    assert page.status_code == 400


async def test_the_page_says_when_nothing_describes_it(http: httpx.AsyncClient) -> None:
    page = await http.get("/", params={"q": "qqqq wwww"})
    assert "No table describes this." in page.text
    refused = await http.get("/", params={"q": " "})
    assert (refused.status_code, 'role="alert"' in refused.text) == (400, True)


async def test_health_tells_what_is_served(http: httpx.AsyncClient) -> None:
    health = (await http.get("/health")).json()
    assert (health["status"], health["entries"], health["catalogs"]) == ("ok", 24, {"built-in": 24})
    assert (health["model"], health["dimension"], health["reranker"]) == ("words-64", 64, "builtin")
    assert health["latency_seconds"] == {"median": None, "p95": None}
    assert health["kept"]["survives_restart"] is False
