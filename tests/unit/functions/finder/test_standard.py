"""The registry standard: manifest, entries, responses of nothing but its keys, referrals, error codes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import httpx
import jsonschema
import pytest
import yaml

from functions.finder.entries import queries_of
from functions.finder.settings import Upstream
from shared.query.discovery import TableDocument
from tests.support.finder_service import client, service, small_finder

SCHEMAS = Path(__file__).parents[4].parent / "shared" / "data" / "ard_spec"
URN = re.compile(r"^urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._-]+)+$")
ENTRY_KEYS = {
    "identifier", "displayName", "type", "url", "data", "description", "tags", "capabilities",
    "representativeQueries",     "version", "updatedAt", "metadata", "trustManifest",
}  # fmt: skip


def check_entry(entry: dict[str, Any]) -> None:
    assert URN.match(entry["identifier"])
    assert entry["displayName"]
    assert entry["type"]
    assert ("url" in entry) != ("data" in entry)
    assert 2 <= len(entry["representativeQueries"]) <= 5
    assert all(isinstance(value, str | int | float | bool | None) for value in entry.get("metadata", {}).values())


@pytest.mark.parametrize("path", ["/.well-known/ard.json", "/.well-known/ai-catalog.json"])
async def test_the_manifest_names_the_registry_and_the_tool(http: httpx.AsyncClient, path: str) -> None:
    found = (await http.get(path)).json()
    assert found["specVersion"] == "1.0"
    for entry in found["entries"]:
        check_entry(entry)
    registry, tool = found["entries"]
    assert (registry["type"], registry["url"]) == ("application/ai-registry+json", "http://finder.test/ard")
    assert tool["type"] == "application/mcp-server-card+json"
    assert tool["data"]["remotes"][0]["url"] == "http://finder.test/mcp"


async def test_robots_and_pages_point_at_the_manifest(http: httpx.AsyncClient) -> None:
    assert "Agentmap: http://finder.test/.well-known/ard.json" in (await http.get("/robots.txt")).text
    assert '<link rel="ard" href="/.well-known/ard.json">' in (await http.get("/")).text


async def test_a_standard_search_has_nothing_but_the_standards_keys(http: httpx.AsyncClient) -> None:
    body = {"query": {"text": "interest rate"}, "federation": "none", "pageSize": 3}
    reply = await http.post("/ard/search", json=body)
    found = reply.json()
    assert set(found) <= {"results", "referrals", "pageToken"}
    assert len(found["results"]) == 3
    for entry in found["results"]:
        check_entry(entry)
        assert set(entry) <= ENTRY_KEYS | {"score", "source"}
        assert isinstance(entry["score"], int)
        assert 0 <= entry["score"] <= 100
        assert entry["source"] == "http://finder.test"
    assert reply.headers["x-finder-eligibility"] == "match"


async def test_a_filter_that_the_standards_reply_could_not_report_is_refused(http: httpx.AsyncClient) -> None:
    body = {"query": {"text": "interest rate", "filter": {"trustManifest.identity": ["x"]}}}
    reply = await http.post("/ard/search", json=body)
    assert (reply.status_code, reply.json()["errorCode"]) == (400, "INVALID_ARGUMENT")
    assert reply.json()["allowed"] == ["publisher", "type", "tags"]


async def test_the_older_search_carries_the_standards_keys_too(http: httpx.AsyncClient) -> None:
    found = (await http.post("/search", json={"query": {"text": "interest rate"}})).json()
    for entry in found["results"]:
        check_entry(entry)
        assert isinstance(entry["score"], int)
        assert entry["source"] == "http://finder.test"


@pytest.mark.parametrize("root", ["", "/ard"])
async def test_the_registry_is_served_at_both_addresses(http: httpx.AsyncClient, root: str) -> None:
    assert (await http.get(f"{root}/agents")).json()["total"] == 24
    body = {"resultType": {"facets": [{"field": "type"}]}}
    assert (await http.post(f"{root}/explore", json=body)).json()["resultType"] == "facets"


async def test_referrals_are_given_when_asked_for_and_else_only_mentioned(tmp_path: Path) -> None:
    upstream = Upstream("other", "https://other.example/search")
    app = service(await small_finder(tmp_path), tmp_path, upstreams=(upstream,))
    async with client(app) as http:
        search = {"query": {"text": "interest rate"}}
        found = (await http.post("/search", json={**search, "federation": "referrals"})).json()
        assert found["referrals"] == [
            {
                "identifier": "urn:air:other.example:registry:other",
                "displayName": "other",
                "type": "application/ai-registry+json",
                "url": "https://other.example/search",
            }
        ]
        auto = (await http.post("/search", json=search)).json()
        assert "referrals" not in auto
        assert any("other registries were not asked" in note for note in auto["notes"])
        none = (await http.post("/search", json={**search, "federation": "none"})).json()
        assert "referrals" not in none
        assert not any("registries" in note for note in none["notes"])


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/nowhere", 404, "NOT_FOUND"),
        ("GET", "/search", 405, "METHOD_NOT_ALLOWED"),
        ("DELETE", "/mcp", 405, "METHOD_NOT_ALLOWED"),
        ("GET", "/agents/entry?id=urn:air:a:b:c", 404, "NOT_FOUND"),
        ("GET", "/okf/file", 400, "INVALID_ARGUMENT"),
    ],
)
async def test_every_error_has_the_standards_shape(
    http: httpx.AsyncClient, method: str, path: str, status: int, code: str
) -> None:
    reply = await http.request(method, path)
    assert (reply.status_code, reply.json()["errorCode"]) == (status, code)
    assert set(reply.json()) == {"errorCode", "message", "error", "allowed", "do", "usage"}


async def test_any_origin_may_ask(http: httpx.AsyncClient) -> None:
    for reply in (await http.get("/health"), await http.post("/search", json={}), await http.get("/nowhere")):
        assert reply.headers["access-control-allow-origin"] == "*"
        assert reply.headers["x-request-id"]
    preflight = await http.options(
        "/search", headers={"Origin": "https://a.example", "Access-Control-Request-Method": "POST"}
    )
    assert preflight.status_code == 204
    assert "POST" in preflight.headers["access-control-allow-methods"]
    assert "Content-Type" in preflight.headers["access-control-allow-headers"]


def document(*queries: str, **terms: str) -> TableDocument:
    return TableDocument(
        identifier="urn:air:a.org:okf:a.b",
        source="a",
        variable="b",
        title="T",
        description="d",
        queries=queries,
        terms=terms,
    )


def test_an_entry_has_two_to_five_queries_whatever_its_leaf_has() -> None:
    assert queries_of(document()) == ["T", "T, by place and year"]
    assert queries_of(document("q", measuredProperty="m")) == ["q", "T"]
    assert len(queries_of(document(*"abcdefgh"))) == 5


@pytest.mark.skipif(not SCHEMAS.is_dir(), reason="the standard's schemas are not beside this checkout")
async def test_the_standards_own_schemas_accept_what_is_served(http: httpx.AsyncClient) -> None:
    schema = json.loads((SCHEMAS / "ai-catalog.schema.json").read_text())
    entry = {"$ref": "#/$defs/catalogEntry", "$defs": schema["$defs"]}
    api = yaml.safe_load((SCHEMAS / "ard.openapi.yaml").read_text())["components"]["schemas"]
    jsonschema.validate((await http.get("/.well-known/ard.json")).json(), schema)
    search = (await http.post("/ard/search", json={"query": {"text": "interest rate"}})).json()
    listed = (await http.get("/ard/agents")).json()
    for item in (*search["results"], *listed["items"]):
        jsonschema.validate(item, entry)
    assert set(search) <= set(api["SearchResponse"]["properties"])
    facets = [{"field": "tags"}, {"field": "source", "limit": 2}]
    explored = (await http.post("/ard/explore", json={"resultType": {"facets": facets}})).json()
    inlined = json.loads(json.dumps(api).replace("#/components/schemas/", "#/$defs/"))
    jsonschema.validate(explored, {**inlined["ExploreResponse"], "$defs": {**inlined, "catalogEntry": {}}})
    error = (await http.post("/ard/search", json={})).json()
    jsonschema.validate(error, inlined["Error"])
