"""``POST /search`` checks, charges, searches and says what it did not do."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from finder_index.limits import Limits
from shared.runtime.errors import ModelUnavailable
from tests.support.finder_corpora import CountingEmbedder
from tests.support.finder_service import SOURCES, ScriptedJudge, client, everything, hang, service, small_finder

RATE = {"query": {"text": "interest rate"}}


async def test_a_search_returns_entries_eligibility_scale_and_usage(http: httpx.AsyncClient) -> None:
    reply = await http.post("/search", json={**RATE, "pageSize": 3})
    assert reply.status_code == 200
    found = reply.json()
    assert len(found["results"]) == 3
    first = found["results"][0]
    assert first["identifier"].startswith("urn:air:example.org:okf:")
    assert ("url" in first, "data" in first) == (False, True)
    assert 2 <= len(first["representativeQueries"]) <= 5
    assert isinstance(first["score"], int)
    assert first["okf:unit"] == "%"
    assert first["okf:keyType"] == "iso3"
    assert first["data"]["markdown"] == "# Schema"
    assert found["eligibility"] == {
        "status": "match",
        "threshold": 50.0,
        "topScore": pytest.approx(found["eligibility"]["topScore"]),
    }
    assert found["scoreScale"] == "rerank"
    assert found["usage"]["model_calls"] == 1
    assert [step["step"] for step in found["usage"]["steps"]] == ["embed", "rank", "rerank"]


async def test_several_phrasings_are_searched_and_the_text_is_background(tmp_path: Path) -> None:
    judge = ScriptedJudge()
    async with client(service(await small_finder(tmp_path, judge), tmp_path)) as http:
        body = {"query": {"text": "Find tables. The question is long.", "texts": ["interest rate", "rate"]}}
        assert (await http.post("/search", json=body)).status_code == 200
    assert judge.asked[0].texts == ("interest rate", "rate")
    assert judge.asked[0].background == "Find tables. The question is long."


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({}, "query_invalid"),
        ({"query": "gdp"}, "query_invalid"),
        ({"query": {}}, "query_text_invalid"),
        ({"query": {"text": "  "}}, "query_text_invalid"),
        ({"query": {"text": 5}}, "query_text_invalid"),
        ({"query": {"text": "a", "texts": []}}, "query_texts_invalid"),
        ({"query": {"text": "a", "texts": ["a", ""]}}, "query_texts_invalid"),
        ({"query": {"text": "a", "texts": ["a"] * 5}}, "query_texts_invalid"),
        ({"query": {"text": "a", "texts": "a"}}, "query_texts_invalid"),
        ({**RATE, "pageSize": "ten"}, "pagesize_invalid"),
        ({**RATE, "pageSize": True}, "pagesize_invalid"),
        ({**RATE, "pageSize": 2.5}, "pagesize_invalid"),
        ({**RATE, "rerank": "yes"}, "rerank_invalid"),
        ({**RATE, "federation": "all"}, "federation_invalid"),
        ({**RATE, "sources": ["alpha", 3]}, "sources_invalid"),
        ({**RATE, "sources": ["alpha"] * 51}, "sources_invalid"),
        ({**RATE, "excludeSources": ["alpha"] * 51}, "excludesources_invalid"),
        ({**RATE, "sources": {"alpha": 1}}, "sources_invalid"),
        ({"query": {"text": "a", "filter": ["x"]}}, "query_filter_invalid"),
        ({"query": {"text": "a", "filter": {"tags": [1]}}}, "query_filter_tags_invalid"),
        ({"query": {"text": "a", "filter": {"tags": []}}}, "query_filter_tags_invalid"),
        ({**RATE, "pageToken": "x"}, "pagetoken_invalid"),
        ({**RATE, "pageToken": 7}, "pagetoken_invalid"),
        ({**RATE, "catalogs": ["nowhere"]}, "catalog_unknown"),
    ],
)
async def test_what_is_no_search_is_refused_by_name(http: httpx.AsyncClient, body: Any, error: str) -> None:
    reply = await http.post("/search", json=body)
    assert reply.status_code == 400
    assert reply.json()["error"] == error
    assert reply.json()["errorCode"] == "INVALID_ARGUMENT"
    assert reply.json()["message"]


@pytest.mark.parametrize(
    "data", [b"", b"{", b"[]", b'"a"', b"\xff\xfe", b'{"query": {"text": "\\ud800"}}', b"[" * 50_000]
)
async def test_a_body_that_is_no_object_is_refused(http: httpx.AsyncClient, data: bytes) -> None:
    reply = await http.post("/search", content=data, headers={"Content-Type": "application/json"})
    assert reply.status_code == 400
    assert reply.json()["error"] == "body_not_json"


async def test_a_body_of_another_type_is_refused(http: httpx.AsyncClient) -> None:
    reply = await http.post(
        "/search", content="text=a", headers={"Content-Type": "application/x-www-form-urlencoded"}
    )
    assert (reply.status_code, reply.json()["error"]) == (415, "content_type_unsupported")


async def test_a_body_over_64_kilobytes_is_refused_declared_or_not(http: httpx.AsyncClient) -> None:
    async def chunks() -> Any:
        for _ in range(70):
            yield b" " * 1024

    for content in (b" " * 65_537, chunks()):
        reply = await http.post("/search", content=content, headers={"Content-Type": "application/json"})
        assert (reply.status_code, reply.json()["errorCode"]) == (413, "PAYLOAD_TOO_LARGE")


@pytest.mark.parametrize("key", ["sources", "excludeSources"])
async def test_an_unknown_source_is_refused_with_the_valid_names(http: httpx.AsyncClient, key: str) -> None:
    reply = await http.post("/search", json={**RATE, key: ["alpha", "nowhere"]})
    assert reply.status_code == 400
    assert reply.json()["error"] == "source_unknown"
    assert set(SOURCES) <= set(reply.json()["allowed"])
    assert "alpha" in reply.json()["message"]


@pytest.mark.parametrize(("asked", "used"), [(0, 1), (-5, 1), (1000, 100), (100, 100)])
async def test_the_page_size_is_held_between_1_and_100_and_a_change_is_said(
    http: httpx.AsyncClient, asked: int, used: int
) -> None:
    found = (await http.post("/search", json={**RATE, "pageSize": asked})).json()
    assert len(found["results"]) <= used
    assert any(f"pageSize {asked}" in note for note in found["notes"]) == (asked != used)


async def test_sources_limit_and_exclude(http: httpx.AsyncClient) -> None:
    found = (await http.post("/search", json={**RATE, "sources": ["alpha", "beta"]})).json()
    assert {entry["okf:source"] for entry in found["results"]} == {"alpha", "beta"}
    found = (await http.post("/search", json={**RATE, "excludeSources": ["alpha"]})).json()
    assert "alpha" not in {entry["okf:source"] for entry in found["results"]}


async def test_filters_hold_and_those_without_meaning_are_reported(http: httpx.AsyncClient) -> None:
    query = {"text": "interest rate", "filter": {"publisher": "example.org", "colour": ["red"]}}
    found = (await http.post("/search", json={"query": query})).json()
    assert found["results"]
    assert found["filter"] == {"applied": {"publisher": ["example.org"]}, "ignored": ["colour"]}


@pytest.mark.parametrize(
    "wanted",
    [{"publisher": ["nobody.example"]}, {"tags": ["nothing"]}, {"type": ["application/mcp-server-card+json"]}],
)
async def test_filters_that_leave_nothing_are_no_match_without_a_model_ranking(
    tmp_path: Path, wanted: dict[str, list[str]]
) -> None:
    judge = ScriptedJudge()
    async with client(service(await small_finder(tmp_path, judge), tmp_path)) as http:
        found = (await http.post("/search", json={"query": {"text": "rate", "filter": wanted}})).json()
    assert found["results"] == []
    assert found["eligibility"] == {"status": "no_match", "threshold": 50.0, "topScore": None}
    assert not judge.asked
    assert any("no table is left" in note for note in found["notes"])


async def test_nothing_relevant_is_no_match_with_threshold_and_best_score(tmp_path: Path) -> None:
    async with client(service(await small_finder(tmp_path, ScriptedJudge(everything(31))), tmp_path)) as http:
        found = (await http.post("/search", json=RATE)).json()
    assert found["eligibility"] == {"status": "no_match", "threshold": 50.0, "topScore": 31.0}
    assert found["widening"]


async def test_without_rerank_the_other_scale_is_named(http: httpx.AsyncClient) -> None:
    found = (await http.post("/search", json={**RATE, "rerank": False})).json()
    assert found["scoreScale"] == "embedding"
    assert found["eligibility"]["threshold"] is None
    assert any("no threshold holds" in note for note in found["notes"])


async def test_sources_past_the_fifth_and_failed_ones_are_named(tmp_path: Path) -> None:
    judge = ScriptedJudge()
    judge.rank = lambda request: ModelUnavailable("429") if len(judge.asked) == 2 else everything(70)(request)
    async with client(service(await small_finder(tmp_path, judge), tmp_path)) as http:
        found = (await http.post("/search", json=RATE)).json()
    assert len(found["notLookedAt"]["sources"]) == 3
    assert [one["reason"] for one in found["notLookedAt"]["failed"]] == ["429"]


async def test_ranking_items_that_were_skipped_are_listed(tmp_path: Path) -> None:
    judge = ScriptedJudge(lambda _: {"ranked": [{"i": 1, "score": 80}, {"i": 2}]})
    async with client(service(await small_finder(tmp_path, judge), tmp_path)) as http:
        found = (await http.post("/search", json={**RATE, "sources": ["alpha"]})).json()
    (item,) = found["notLookedAt"]["items"]
    assert item["source"] == "alpha"
    assert "score of card 2" in item["reason"]


async def test_a_key_without_meaning_is_said(http: httpx.AsyncClient) -> None:
    found = (await http.post("/search", json={**RATE, "limit": 3})).json()
    assert any("limit" in note and "ignored" in note for note in found["notes"])


async def test_pages_follow_each_other_and_do_not_overlap(http: httpx.AsyncClient) -> None:
    first = (await http.post("/search", json={**RATE, "pageSize": 4})).json()
    second = (await http.post("/search", json={**RATE, "pageSize": 4, "pageToken": first["pageToken"]})).json()
    assert len(second["results"]) == 4
    pages = [{entry["identifier"] for entry in page["results"]} for page in (first, second)]
    assert not pages[0] & pages[1]
    other = await http.post(
        "/search", json={"query": {"text": "zebra"}, "pageSize": 4, "pageToken": first["pageToken"]}
    )
    assert other.json()["error"] == "page_token_foreign"


# ---- failures ------------------------------------------------------------------------------------


class DownEmbedder(CountingEmbedder):
    async def embed(self, texts: Any) -> Any:
        raise ModelUnavailable("no connection")


async def test_an_embedding_that_is_down_is_503_with_usage(tmp_path: Path) -> None:
    async with client(service(await small_finder(tmp_path, embedder=DownEmbedder()), tmp_path)) as http:
        reply = await http.post("/search", json=RATE)
    assert (reply.status_code, reply.json()["error"]) == (503, "embedding_failed")
    assert reply.json()["errorCode"] == "UNAVAILABLE"
    assert reply.json()["usage"]["model_calls"] == 1
    assert reply.headers["retry-after"]


@pytest.mark.parametrize("broken", [ModelUnavailable("down"), {"ranked": []}, {"ranked": [17]}, "nonsense"])
async def test_a_reranker_that_fails_is_503_and_no_embedding_order_stands_in(tmp_path: Path, broken: Any) -> None:
    async with client(service(await small_finder(tmp_path, ScriptedJudge(lambda _: broken)), tmp_path)) as http:
        reply = await http.post("/search", json=RATE)
    assert (reply.status_code, reply.json()["error"]) == (503, "relevance_scoring_failed")
    assert reply.json()["usage"]["model_calls"] >= 2
    assert "results" not in reply.json()


async def test_a_search_past_its_time_is_504_with_usage(tmp_path: Path) -> None:
    finder = await small_finder(tmp_path, ScriptedJudge(hang))
    async with client(service(finder, tmp_path, query_seconds=0.3)) as http:
        reply = await http.post("/search", json=RATE)
    assert (reply.status_code, reply.json()["error"]) == (504, "query_cancelled")
    assert reply.json()["errorCode"] == "DEADLINE_EXCEEDED"
    assert reply.json()["usage"]["model_calls"] >= 1


async def test_a_model_call_that_outlasts_its_own_limit_is_503(tmp_path: Path) -> None:
    finder = await small_finder(tmp_path, ScriptedJudge(hang), limits=Limits(call_seconds=0.2))
    async with client(service(finder, tmp_path)) as http:
        reply = await http.post("/search", json=RATE)
    assert (reply.status_code, reply.json()["error"]) == (503, "relevance_scoring_failed")


async def test_an_unforeseen_failure_tells_nothing_of_the_inside(tmp_path: Path) -> None:
    judge = ScriptedJudge(lambda _: RuntimeError("secret path"))
    async with client(service(await small_finder(tmp_path, judge), tmp_path)) as http:
        reply = await http.post("/search", json=RATE)
        assert (await http.get("/health")).json()["failures_by_status"] == {"500": 1}
    assert (reply.status_code, reply.json()["errorCode"]) == (500, "INTERNAL_ERROR")
    assert "secret" not in reply.text
    assert "X-Request-Id" in reply.json()["do"]
    assert reply.headers["x-request-id"]
    assert reply.headers["access-control-allow-origin"] == "*"


async def test_failures_are_counted_by_status(tmp_path: Path) -> None:
    async with client(service(await small_finder(tmp_path, embedder=DownEmbedder()), tmp_path)) as http:
        await http.post("/search", json=RATE)
        health = (await http.get("/health")).json()
    assert health["failures_by_status"] == {"503": 1}
    assert health["searches"]["total"] == 1


# ---- quota ---------------------------------------------------------------------------------------


async def test_the_quota_is_charged_after_validation_and_by_address(tmp_path: Path) -> None:
    app = service(await small_finder(tmp_path), tmp_path, daily_limit=2)
    async with client(app) as http, client(app, address="192.0.2.2") as other:
        for body in ({}, {**RATE, "sources": ["nowhere"]}, {**RATE, "catalogs": ["nowhere"]}):
            assert (await http.post("/search", json=body)).status_code == 400
        remaining = [(await http.post("/search", json=RATE)).headers["x-ratelimit-remaining"] for _ in range(2)]
        assert remaining == ["1", "0"]
        refused = await http.post("/search", json=RATE)
        assert (refused.status_code, refused.json()["errorCode"]) == (429, "RATE_LIMIT_EXCEEDED")
        assert 0 < int(refused.headers["retry-after"]) <= 86_401
        assert (await http.post("/search", json={})).status_code == 400
        assert (await other.post("/search", json=RATE)).status_code == 200
        assert (await http.get("/health")).json()["refused_by_quota"] == 1


async def test_zero_is_no_quota(tmp_path: Path) -> None:
    async with client(service(await small_finder(tmp_path), tmp_path, daily_limit=0)) as http:
        reply = await http.post("/search", json=RATE)
    assert reply.status_code == 200
    assert "x-ratelimit-limit" not in reply.headers


@pytest.mark.parametrize(("proxies", "status"), [(0, 429), (1, 200)])
async def test_a_forwarded_address_counts_only_behind_a_proxy(tmp_path: Path, proxies: int, status: int) -> None:
    app = service(await small_finder(tmp_path), tmp_path, daily_limit=1, trusted_proxies=proxies)
    async with client(app) as http:
        await http.post("/search", json=RATE, headers={"X-Forwarded-For": "198.51.100.1"})
        reply = await http.post("/search", json=RATE, headers={"X-Forwarded-For": "198.51.100.1, 198.51.100.2"})
    assert reply.status_code == status


# ---- many callers, and one that leaves -------------------------------------------------------------


async def test_two_hundred_searches_at_once_are_all_answered_alike(tmp_path: Path) -> None:
    async with client(service(await small_finder(tmp_path), tmp_path)) as http:
        alone = (await http.post("/search", json=RATE)).json()["results"]
        replies = await asyncio.gather(*(http.post("/search", json=RATE) for _ in range(200)))
        assert (await http.get("/health")).json()["searches"]["total"] == 201
    assert {reply.status_code for reply in replies} == {200}
    assert all(reply.json()["results"] == alone for reply in replies)


async def test_a_search_whose_client_leaves_is_cancelled_and_counted(tmp_path: Path) -> None:
    judge = ScriptedJudge()
    asked, cancelled = asyncio.Event(), asyncio.Event()

    async def wait(_: Any) -> None:
        asked.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            cancelled.set()
            raise

    judge.rank = wait
    app = service(await small_finder(tmp_path, judge), tmp_path)
    messages: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    body = b'{"query": {"text": "interest rate"}}'
    messages.put_nowait({"type": "http.request", "body": body, "more_body": False})

    async def send(_: Any) -> None: ...

    scope = {
        "type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "method": "POST", "path": "/search",
        "raw_path": b"/search", "query_string": b"", "root_path": "", "scheme": "http", "server": ("test", 80),
        "client": ("192.0.2.1", 1), "headers": [(b"content-type", b"application/json")],
    }  # fmt: skip
    serving = asyncio.create_task(app(scope, messages.get, send))
    await asyncio.wait_for(asked.wait(), timeout=3)
    messages.put_nowait({"type": "http.disconnect"})
    await asyncio.wait_for(cancelled.wait(), timeout=3)
    await serving
    assert app.state.service.ledger.summary()["outcomes"] == {"left": 1}
