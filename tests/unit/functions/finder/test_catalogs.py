"""A mounted catalog is searched, looked up, counted and read like the built-in one."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from finder_index.rerank_task import RerankRequest
from functions.finder.server import create_finder
from functions.finder.settings import FinderSettings
from tests.support.finder_service import ScriptedJudge, client, everything, mounted_finder, small_finder


@pytest.fixture
async def http(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    finder, corpora = await mounted_finder(tmp_path)
    async with client(create_finder(finder, corpora=corpora, settings=FinderSettings())) as opened:
        yield opened


async def test_a_variable_is_looked_up_in_every_catalog(http: httpx.AsyncClient) -> None:
    found = (await http.get("/variable", params={"id": "shared"})).json()
    assert {entry["okf:source"] for entry in found["results"]} == {"alpha", "beta", "india"}
    assert found["catalogs"] == ["built-in", "more"]


async def test_catalogs_limit_a_search_and_unknown_ones_are_refused(http: httpx.AsyncClient) -> None:
    search = {"query": {"text": "tea harvest of india"}}
    found = (await http.post("/search", json={**search, "catalogs": ["more"]})).json()
    assert {entry["okf:source"] for entry in found["results"]} == {"india"}
    found = (await http.post("/search", json={**search, "catalogs": ["built-in"]})).json()
    assert "india" not in {entry["okf:source"] for entry in found["results"]}
    refused = await http.post("/search", json={**search, "catalogs": ["less"]})
    assert (refused.status_code, refused.json()["allowed"]) == (400, ["built-in", "more"])


async def test_a_mounted_document_is_read_under_its_catalogs_name(http: httpx.AsyncClient) -> None:
    (entry,) = (await http.get("/variable", params={"id": "Tea"})).json()["results"]
    assert entry["identifier"] == "urn:air:example.org:okf:more:india.Tea"
    assert entry["data"]["path"] == "more:sources/india/Tea.md"
    assert entry["data"]["markdown"] == "# Schema"
    text = (await http.get("/okf/file", params={"path": entry["data"]["path"]})).text
    assert "okf:variable: Tea" in text
    assert (await http.get("/okf/index", params={"dir": "more:sources/india"})).json()["total"] == 3
    outside = await http.get("/okf/file", params={"path": "more:../corpus/sources/alpha/alpha.0.md"})
    assert outside.status_code == 404
    again = await http.get("/agents/entry", params={"id": entry["identifier"]})
    assert again.json()["displayName"] == "Tea harvest of india"


async def test_health_counts_each_catalog(http: httpx.AsyncClient) -> None:
    health = (await http.get("/health")).json()
    assert health["catalogs"] == {"built-in": 24, "more": 2}
    assert health["entries"] == 26


async def test_an_index_is_exchanged_without_dropping_a_search(tmp_path: Path) -> None:
    finder, corpora = await mounted_finder(tmp_path)
    judge = ScriptedJudge()
    going, may_end = asyncio.Event(), asyncio.Event()

    async def rank(request: RerankRequest) -> object:
        going.set()
        await may_end.wait()
        return everything(80)(request)

    judge.rank = rank
    old = await small_finder(tmp_path / "old", judge)
    app = create_finder(old, corpora=corpora, settings=FinderSettings())
    body = {"query": {"text": "interest rate"}}
    async with client(app) as http:
        running = asyncio.create_task(http.post("/search", json=body))
        await asyncio.wait_for(going.wait(), timeout=5)
        app.state.service.use(finder)
        assert (await http.get("/health")).json()["entries"] == 26
        assert (await http.post("/search", json=body)).status_code == 200
        may_end.set()
        assert (await running).json()["results"][0]["score"] == 80
