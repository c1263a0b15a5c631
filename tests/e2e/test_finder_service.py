"""The finder's service as a process of its own, over a socket: the official client, many callers, a restart."""

from __future__ import annotations

import asyncio
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest

from tests.e2e.conftest import ROOT, environment

pytestmark = pytest.mark.slow


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def serving(home: Path, **more: str) -> Iterator[str]:
    port = free_port()
    command = [sys.executable, "-m", "functions.finder", "--port", str(port)]
    process = subprocess.Popen(command, cwd=ROOT, env=environment(home, **more), stderr=subprocess.PIPE, text=True)
    base = f"http://127.0.0.1:{port}"
    try:
        for _ in range(200):
            try:
                httpx.get(f"{base}/health", timeout=1).raise_for_status()
                break
            except httpx.HTTPError:
                if process.poll() is not None:
                    raise AssertionError(process.stderr.read() if process.stderr else "") from None
                time.sleep(0.1)
        yield base
    finally:
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with serving(tmp_path_factory.mktemp("home"), SEARCH_LIMIT_PER_DAY="0") as address:
        yield address


@pytest.mark.parametrize("mode", ["legacy", "auto", "2026-07-28"])
async def test_the_official_client_finds_tables(base: str, mode: str) -> None:
    client = pytest.importorskip("mcp.client")
    async with client.Client(f"{base}/mcp", mode=mode) as session:
        listed = await session.list_tools()
        assert [tool.name for tool in listed.tools] == ["search_tables", "find_variable"]
        found = await session.call_tool("search_tables", {"query": "gdp india"})
        assert found.is_error is False
        assert found.structured_content["results"][0]["okf:variable"] == "NY.GDP.MKTP.CD"
        refused = await session.call_tool("search_tables", {"query": "a" * 401})
        assert refused.is_error is True


async def test_two_hundred_callers_at_once_get_what_one_gets(base: str) -> None:
    body = {"query": {"text": "unemployment rate in Kenya"}, "pageSize": 5}
    limits = httpx.Limits(max_connections=200)
    async with httpx.AsyncClient(base_url=base, limits=limits, timeout=60) as http:
        alone = (await http.post("/search", json=body)).json()["results"]
        replies = await asyncio.gather(*(http.post("/search", json=body) for _ in range(200)))
    assert {reply.status_code for reply in replies} == {200}
    assert all(reply.json()["results"] == alone for reply in replies)


def test_a_client_that_leaves_does_not_stop_the_service(base: str) -> None:
    host, port = base.removeprefix("http://").split(":")
    body = b'{"query": {"text": "life expectancy"}}'
    for _ in range(20):
        with socket.create_connection((host, int(port))) as leaving:
            head = "POST /search HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n"
            head += f"Content-Length: {len(body)}\r\n\r\n"
            leaving.sendall(head.encode() + body)
    assert httpx.get(f"{base}/health", timeout=10).json()["status"] == "ok"
    found = httpx.post(f"{base}/search", json={"query": {"text": "life expectancy"}}, timeout=10).json()
    assert found["results"][0]["okf:variable"] == "SP.DYN.LE00.IN"


def test_hostile_paths_over_the_wire_stay_inside(base: str) -> None:
    for path in ("../../pyproject.toml", "%2e%2e/%2e%2e/pyproject.toml", "/etc/passwd", "..%2f..%2fpyproject.toml"):
        reply = httpx.get(f"{base}/okf/file?path={path}")
        assert reply.status_code == 404
        assert "[project]" not in reply.text


def test_every_packaged_table_is_a_sound_entry(base: str) -> None:
    urn = re.compile(r"^urn:air:[a-zA-Z0-9.-]+(:[a-zA-Z0-9._-]+)+$")
    token, seen = "", 0
    while True:
        page = httpx.get(f"{base}/ard/agents", params={"pageSize": 100, "pageToken": token}, timeout=10).json()
        for item in page["items"]:
            assert urn.match(item["identifier"])
            assert 2 <= len(item["representativeQueries"]) <= 5
        document = httpx.get(page["items"][0]["url"])
        assert document.status_code == 200
        assert document.text.startswith("---\n")
        seen += len(page["items"])
        token = page.get("pageToken", "")
        if not token:
            break
    assert seen == page["total"]


def test_counters_and_quota_survive_a_restart(tmp_path: Path) -> None:
    body = {"query": {"text": "gdp"}}
    with serving(tmp_path / "home", SEARCH_LIMIT_PER_DAY="2") as base:
        assert httpx.post(f"{base}/search", json=body, timeout=30).headers["x-ratelimit-remaining"] == "1"
    with serving(tmp_path / "home", SEARCH_LIMIT_PER_DAY="2") as base:
        assert httpx.get(f"{base}/health").json()["searches"]["total"] == 1
        assert httpx.post(f"{base}/search", json=body, timeout=30).headers["x-ratelimit-remaining"] == "0"
        assert httpx.post(f"{base}/search", json=body, timeout=30).status_code == 429


def test_an_index_that_cannot_be_used_is_told_in_a_line(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "functions.finder", "--index", str(tmp_path), "--port", "0"]
    ended = subprocess.run(
        command, cwd=ROOT, env=environment(tmp_path), capture_output=True, text=True, timeout=60, check=False
    )
    assert ended.returncode == 1
    assert "there is no index" in ended.stderr
    assert "Traceback" not in ended.stderr
    bad = subprocess.run(
        [sys.executable, "-m", "functions.finder"],
        cwd=ROOT,
        env=environment(tmp_path, AGENT_FINDER_PORT="many"),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (bad.returncode, "AGENT_FINDER_PORT" in bad.stderr) == (2, True)


CONFORMANCE = os.environ.get("ARD_CONFORMANCE_TOOL", "")


@pytest.mark.skipif(not CONFORMANCE, reason="ARD_CONFORMANCE_TOOL does not name the registry standard's own tool")
@pytest.mark.parametrize(
    "arguments",
    [
        ("registry", ""),
        ("registry", "/ard"),
        ("manifest", "/.well-known/ard.json"),
        ("manifest", "/.well-known/ai-catalog.json"),
    ],
)
def test_the_standards_own_tool_passes(base: str, arguments: tuple[str, str]) -> None:
    mode, path = arguments
    ended = subprocess.run(
        [sys.executable, CONFORMANCE, mode, f"{base}{path}"],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "CONFORMANCE STATUS: PASS" in ended.stdout
    assert "0 warnings" in ended.stdout


CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.mark.skipif(not CHROMIUM, reason="no Chromium is installed")
def test_a_browser_shows_the_search_page(base: str, tmp_path: Path) -> None:
    assert CHROMIUM
    flags = [
        "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--dump-dom",
        f"--user-data-dir={tmp_path}", "--virtual-time-budget=5000",
    ]  # fmt: skip
    for query, wanted in (
        ("gdp of kenya", "GDP (current US$)"),
        ("number of unicorns", "No table describes this."),
    ):
        shown = subprocess.run(
            [CHROMIUM, *flags, f"{base}/?q={query.replace(' ', '+')}"],
            capture_output=True,
            text=True,
            timeout=90,
            check=False,
        )
        assert wanted in shown.stdout, shown.stderr[-2000:]
        assert "<script" not in shown.stdout
        assert "Content Security Policy" not in shown.stderr
