"""Exact lookups, browsing, facets and documents: no meaning, no model, no way out of the corpus."""

from __future__ import annotations

from pathlib import Path
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from tests.support.finder_service import SOURCES, client, service, small_finder


async def test_a_variable_is_found_in_every_source(http: httpx.AsyncClient) -> None:
    found = (await http.get("/variable", params={"id": "shared"})).json()
    assert [entry["okf:source"] for entry in found["results"]] == ["alpha", "beta"]
    assert found["total"] == 2
    cut = (await http.get("/variable", params={"id": "shared", "limit": 1})).json()
    assert (len(cut["results"]), cut["total"]) == (1, 2)


async def test_an_unknown_variable_has_no_documents(http: httpx.AsyncClient) -> None:
    found = (await http.get("/variable", params={"id": "nothing"})).json()
    assert (found["results"], found["total"]) == ([], 0)


@pytest.mark.parametrize("query", ["", "id=", "id=%20", "id=a&limit=x", "id=a&limit=1.5"])
async def test_a_lookup_without_an_id_or_a_whole_limit_is_refused(http: httpx.AsyncClient, query: str) -> None:
    reply = await http.get(f"/variable?{query}")
    assert reply.status_code == 400
    assert reply.json()["errorCode"] == "INVALID_ARGUMENT"


def split_corpus(root: Path) -> None:
    """Variables of one quantity: the whole, by gender, and by gender and age."""
    folder = root / "corpus" / "sources" / "alpha"
    folder.mkdir(parents=True)
    constraints = {
        "whole": "",
        "women": "gender=Female",
        "men": "gender=Male",
        "girls": "age=Years5To14,gender=Female",
    }
    access = (
        "---\ntype: API\ntitle: A\nokf:source: alpha\nokf:publisher: P\nokf:publisherDomain: example.org\n"
        "okf:licence: CC0\nokf:scope: countries\nokf:operations:\n  - entity_value\n---\n"
    )
    (folder / "_access.md").write_text(access)
    for name, text in constraints.items():
        limited = f"okf:constraints: {text}\n" if text else ""
        (folder / f"{name}.md").write_text(
            f"---\ntype: Statistical Table\ntitle: People, {name}\ndescription: d\n"
            f"representativeQueries:\n  - {name}\n"
            f"okf:variable: {name}\nokf:populationType: Person\nokf:measuredProperty: count\n"
            f"okf:statType: measuredValue\n{limited}---\n"
        )


async def test_a_quantity_tells_how_it_is_split_and_by_which_variables(tmp_path: Path) -> None:
    split_corpus(tmp_path)
    app = service(await small_finder(tmp_path, tables={}), tmp_path)
    quantity = {"populationType": "Person", "measuredProperty": "count", "statType": "measuredValue"}
    async with client(app) as http:
        found = (await http.get("/variables", params=quantity)).json()
        assert found["dimensions"] == [
            {"constraints": [], "variables": 1},
            {"constraints": ["gender"], "variables": 2},
            {"constraints": ["age", "gender"], "variables": 1},
        ]
        by_both = (await http.get("/variables", params={**quantity, "constraints": "gender,age"})).json()
        assert [one["variable"] for one in by_both["variables"]] == ["girls"]
        whole = (await http.get("/variables", params={**quantity, "constraints": ""})).json()
        assert [one["variable"] for one in whole["variables"]] == ["whole"]
        cut = (await http.get("/variables", params={**quantity, "constraints": "gender", "limit": 1})).json()
        assert (len(cut["variables"]), cut["total"]) == (1, 2)
        unknown = (await http.get("/variables", params={**quantity, "statType": "mean"})).json()
        assert (unknown["dimensions"], unknown["total"]) == ([], 0)
        refused = await http.get("/variables", params={"populationType": "Person"})
        assert (refused.status_code, refused.json()["error"]) == (400, "quantity_missing")


async def test_publishers_are_listed_with_their_sources(http: httpx.AsyncClient) -> None:
    (publisher,) = (await http.get("/publishers")).json()["publishers"]
    assert publisher["publisher"] == "example.org"
    assert {one["source"] for one in publisher["sources"]} == {*SOURCES, "herds"}
    assert publisher["entries"] == 24


# ---- browsing ------------------------------------------------------------------------------------


async def test_pages_of_tables_cover_all_of_them_once(http: httpx.AsyncClient) -> None:
    seen: list[str] = []
    token = ""
    while True:
        page = (await http.get("/agents", params={"pageSize": 10, "pageToken": token})).json()
        assert page["total"] == 24
        seen += [item["identifier"] for item in page["items"]]
        assert all(("url" in item) != ("data" in item) for item in page["items"])
        token = page.get("pageToken", "")
        if not token:
            break
    assert len(seen) == len(set(seen)) == 24


@pytest.mark.parametrize(
    ("expression", "count"),
    [
        ("displayName = 'ZEBRA'", 1),
        ("source = 'alpha,beta'", 8),
        ("source = alpha AND displayName = 'banks'", 1),
        ("source != 'alpha' and displayName = \"banks\"", 6),
        ("publisherId = 'example.org'", 24),
        ("publisherId = 'nobody.example'", 0),
        ("type = 'text/markdown'", 24),
        ("type = 'application/mcp-server-card+json,text/markdown'", 24),
        ("updatedAfter > '2020-01-01'", 0),
        ("variable = 'shared'", 2),
    ],
)
async def test_a_filter_expression_is_obeyed(http: httpx.AsyncClient, expression: str, count: int) -> None:
    assert (await http.get("/agents", params={"filter": expression})).json()["total"] == count


@pytest.mark.parametrize(
    "params",
    [
        {"filter": "colour = 'red'"},
        {"filter": "displayName"},
        {"filter": "displayName = 'a' OR source = 'b'"},
        {"filter": "displayName > 'a'"},
        {"filter": "createdAfter > '2026-01-01'"},
        {"filter": "source = ','"},
        {"filter": "x" * 3000},
        {"orderBy": "size"},
        {"orderBy": "displayName UP"},
        {"pageToken": "!"},
        {"pageToken": "Zmlyc3Q9LTE="},
        {"pageSize": "many"},
    ],
)
async def test_what_cannot_be_browsed_by_is_refused(http: httpx.AsyncClient, params: dict[str, str]) -> None:
    reply = await http.get("/agents", params=params)
    assert (reply.status_code, reply.json()["errorCode"]) == (400, "INVALID_ARGUMENT")


async def test_an_order_is_kept_both_ways(http: httpx.AsyncClient) -> None:
    up = [i["displayName"] for i in (await http.get("/agents?orderBy=displayName&pageSize=100")).json()["items"]]
    down = [
        i["displayName"] for i in (await http.get("/agents?orderBy=displayName DESC&pageSize=100")).json()["items"]
    ]
    assert up == sorted(up, key=str.casefold)
    assert down == up[::-1]


async def test_one_entry_is_found_by_its_identifier(http: httpx.AsyncClient) -> None:
    entry = (await http.get("/agents/entry", params={"id": "urn:air:example.org:okf:herds.Z"})).json()
    assert entry["displayName"] == "Zebra herds of herds"
    assert entry["data"]["path"] == "sources/herds/Z.md"
    reply = await http.get("/agents/entry", params={"id": "urn:air:example.org:okf:herds.Y"})
    assert (reply.status_code, reply.json()["errorCode"]) == (404, "NOT_FOUND")
    assert (await http.get("/agents/entry")).status_code == 400


# ---- facets --------------------------------------------------------------------------------------


async def explore(http: httpx.AsyncClient, **body: Any) -> httpx.Response:
    return await http.post("/explore", json=body)


async def test_facets_count_every_table_when_nothing_is_asked(http: httpx.AsyncClient) -> None:
    facets = [{"field": "source", "limit": 2}, {"field": "publisher"}, {"field": "okf:unit"}, {"field": "type"}]
    found = (await explore(http, resultType={"facets": facets})).json()
    assert found["resultType"] == "facets"
    assert found["facets"]["source"] == {
        "buckets": [{"value": "alpha", "count": 4}, {"value": "beta", "count": 4}],
        "otherCount": 16,
    }
    assert found["facets"]["publisher"]["buckets"] == [{"value": "example.org", "count": 24}]
    assert found["facets"]["okf:unit"]["buckets"] == [{"value": "%", "count": 24}]
    assert set(found) == {"resultType", "facets"}


async def test_facets_of_a_text_have_the_searchs_cutoff(http: httpx.AsyncClient) -> None:
    found = (
        await explore(http, query={"text": "zebra herds"}, resultType={"facets": [{"field": "source"}]})
    ).json()
    reply = (await http.post("/search", json={"query": {"text": "zebra herds"}, "pageSize": 100})).json()
    assert sum(bucket["count"] for bucket in found["facets"]["source"]["buckets"]) == len(reply["results"])


async def test_facets_follow_filters_and_least_counts(http: httpx.AsyncClient) -> None:
    facets = [{"field": "source", "minCount": 4}]
    found = (await explore(http, resultType={"facets": facets})).json()["facets"]["source"]
    assert [bucket["value"] for bucket in found["buckets"]] == ["alpha", "beta"]
    query = {"filter": {"publisher": ["nobody.example"]}}
    found = (await explore(http, query=query, resultType={"facets": facets})).json()["facets"]["source"]
    assert found == {"buckets": []}


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"resultType": "facets"},
        {"resultType": {"facets": []}},
        {"resultType": {"facets": ["source"]}},
        {"resultType": {"facets": [{"field": "colour"}]}},
        {"resultType": {"facets": [{"field": "source", "limit": 0}]}},
        {"resultType": {"facets": [{"field": "source"}] * 21}},
        {"query": [], "resultType": {"facets": [{"field": "source"}]}, "x": 1} | {"query": ["a"]},
        {"query": {"filter": {"colour": "red"}}, "resultType": {"facets": [{"field": "source"}]}},
        {"query": {"text": "rate", "filter": {"colour": "red"}}, "resultType": {"facets": [{"field": "source"}]}},
    ],
)
async def test_what_is_no_exploration_is_refused(http: httpx.AsyncClient, body: dict[str, Any]) -> None:
    assert (await explore(http, **body)).status_code == 400


# ---- documents -----------------------------------------------------------------------------------


async def test_documents_are_listed_and_read(http: httpx.AsyncClient) -> None:
    assert (await http.get("/okf/index")).json()["dirs"] == ["sources"]
    listed = (await http.get("/okf/index", params={"dir": "sources/herds"})).json()
    assert listed["files"] == ["Z.md", "_access.md"]
    reply = await http.get("/okf/file", params={"path": "sources/herds/Z.md"})
    assert reply.headers["content-type"] == "text/markdown; charset=utf-8"
    assert reply.text.startswith("---\ntype: Statistical Table")


OUTSIDE = [
    "../secret.md", "sources/../../secret.md", "/etc/passwd", "sources/herds/../../../secret.md",
    "..", ".", "//secret.md",
    "sources\\..\\..\\secret.md", "sources/herds/link.md", "sources/out/secret.md", "built-in:../secret.md",
    "other:sources/herds/Z.md", "sources/herds/Z.md\x00.txt", "sources/herds", "sources/herds/plain.txt",
    "sources/herds/.hidden.md", "a/" * 400 + "b.md", "file:///etc/passwd", "sources/herds/nothing.md",
    "~/secret.md",
    "sources/herds/Z.md/", "%2e%2e/secret.md", "sources/herds/\nZ.md",
]  # fmt: skip


@pytest.mark.parametrize("path", OUTSIDE)
@pytest.mark.parametrize("route", ["/okf/file?path=", "/okf/index?dir="])
async def test_no_path_leads_out_of_the_corpus(tmp_path: Path, path: str, route: str) -> None:
    app = service(await small_finder(tmp_path), tmp_path)
    (tmp_path / "secret.md").write_text("secret")
    herds = tmp_path / "corpus" / "sources" / "herds"
    (herds / "plain.txt").write_text("secret")
    (herds / ".hidden.md").write_text("secret")
    (herds / "link.md").symlink_to(tmp_path / "secret.md")
    (tmp_path / "corpus" / "sources" / "out").symlink_to(tmp_path)
    async with client(app) as http:
        reply = await http.get(route + quote(path, safe=""))
    assert "secret" not in reply.text.replace("secret.md'", "").replace("secret.md", "")
    if not (route.startswith("/okf/index") and path in {".", "sources/herds"}) and path != "sources/herds/Z.md/":
        assert (reply.status_code, reply.json()["errorCode"]) == (404, "NOT_FOUND")


async def test_without_the_leaves_the_tables_are_found_all_the_same(tmp_path: Path) -> None:
    from functions.finder.server import create_finder
    from functions.finder.settings import FinderSettings

    app = create_finder(await small_finder(tmp_path), corpora={}, settings=FinderSettings())
    async with client(app) as http:
        found = (await http.post("/search", json={"query": {"text": "zebra herds"}})).json()
        assert found["results"][0]["data"]["markdown"] == ""
        assert (await http.get("/okf/index")).status_code == 404


async def test_a_margin_of_error_is_found_by_the_figures_that_it_belongs_to(tmp_path: Path) -> None:
    split_corpus(tmp_path)
    leaf = tmp_path / "corpus" / "sources" / "alpha" / "women.md"
    leaf.write_text(leaf.read_text().replace("okf:statType", "okf:marginOfError: women_moe\nokf:statType"))
    app = service(await small_finder(tmp_path, tables={}), tmp_path)
    async with client(app) as http:
        found = (await http.get("/variable", params={"id": "women_moe"})).json()
        assert (found["results"], found["total"]) == ([], 0)
        assert [one["okf:variable"] for one in found["companionOf"]] == ["women"]
        assert (await http.get("/variable", params={"id": "women"})).json()["companionOf"] == []


async def test_lookups_give_as_many_as_are_asked_for_up_to_their_limits(tmp_path: Path) -> None:
    tables = {f"s{number:02}": {"A.1": "Interest rate"} for number in range(52)}
    app = service(await small_finder(tmp_path, tables=tables), tmp_path)
    async with client(app) as http:
        shown = [
            len((await http.get("/variable", params={"id": "A.1", **limit})).json()["results"])
            for limit in ({}, {"limit": "1"}, {"limit": "50"}, {"limit": "500"})
        ]
        assert shown == [20, 1, 50, 50]
        assert (await http.get("/variable", params={"id": "A.1"})).json()["total"] == 52
