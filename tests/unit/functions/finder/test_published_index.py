"""A running finder on a published index: it follows the pointer, drops no request and refuses what is broken."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from finder_index.build import build_index
from finder_index.generations import PIECES, POINTER, RECORDS, PublishedIndex
from finder_index.publication import publish
from functions.finder.published import opened_index
from functions.finder.server import create_finder
from functions.finder.settings import FinderSettings
from shared.adapters.archives import open_archive
from shared.query.discovery import FinderRequest
from shared.runtime.deadline import Deadline
from shared.runtime.errors import IndexDamaged, NeuralKGError, UsageError
from tests.support.archives import address_of
from tests.support.finder_corpora import CountingEmbedder, make_corpus
from tests.support.finder_service import ScriptedJudge, client

POLL = 0.05


@pytest.fixture
async def published(request, tmp_path, monkeypatch):
    address = address_of(getattr(request, "param", "gcs"), request, tmp_path, monkeypatch)
    archive = open_archive(address)
    yield PublishedIndex(archive, address)
    await archive.close()


async def publish_titled(
    published: PublishedIndex, root: Path, title: str, *, embedder: CountingEmbedder | None = None
) -> str:
    """Publish an index whose only table about tea has this title; returns the generation."""
    tables = {"alpha": {f"a.{n}": f"Interest rate number {n}" for n in range(20)}, "beta": {"tea": title}}
    corpus = make_corpus(root / title.replace(" ", "-"), tables)
    index = corpus / "index"
    await build_index(corpus, index, embedder or CountingEmbedder())
    return (await publish(published, index, corpus=corpus)).generation


@asynccontextmanager
async def running(published: PublishedIndex, folder: Path, *, judges: Sequence[Any] = (), **settings: Any):
    """The finder as it runs, its watch included, and a client of it."""
    own = FinderSettings(index_folder=folder, **{"index_poll_seconds": POLL, "daily_limit": 0, **settings})
    async with opened_index(published.address, CountingEmbedder(), own, judges=judges) as index:
        app = create_finder(index.finder, corpora=index.corpora, settings=own, watch=index.watch)
        async with app.router.lifespan_context(app), client(app) as http:
            yield app, http


async def search(http: Any) -> str:
    """The title of the table about tea."""
    response = await http.post("/search", json={"query": {"text": "tea harvest"}})
    assert response.status_code == 200, response.text
    return response.json()["results"][0]["displayName"]


async def health(http: Any) -> dict[str, Any]:
    return (await http.get("/health")).json()["index"]


async def comes_true(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(20):
        while not holds():  # noqa: ASYNC110 - what is waited for tells nobody
            await asyncio.sleep(POLL)


async def until(http: Any, holds: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    """What ``/health`` tells of the index once something holds for it."""
    async with asyncio.timeout(20):
        while not holds(told := await health(http)):  # noqa: ASYNC110
            await asyncio.sleep(POLL)
    return told


async def test_health_and_stats_tell_the_generation(published, tmp_path):
    generation = await publish_titled(published, tmp_path, "Tea harvest")
    async with running(published, tmp_path / "local") as (_, http):
        told = await health(http)
        assert told["generation"] == generation
        assert told["address"] == published.address
        assert told["problem"] is None
        assert re.fullmatch(r"\d+", told["storage_version"])
        assert (await http.get("/stats.json")).json()["index"]["generation"] == generation


async def test_a_local_index_tells_no_generation(tmp_path):
    corpus = make_corpus(tmp_path / "corpus", {"alpha": {"a": "Tea harvest"}})
    await build_index(corpus, tmp_path / "index", CountingEmbedder())
    async with opened_index(str(tmp_path / "index"), CountingEmbedder(), FinderSettings(), corpus=corpus) as index:
        assert index.watch is None
        app = create_finder(index.finder, corpora=index.corpora, settings=FinderSettings())
        async with client(app) as http:
            assert set((await health(http)).values()) == {None}


@pytest.mark.parametrize("published", ["folder", "s3"], indirect=True)
async def test_other_stores_are_followed_in_the_same_way(published, tmp_path):
    await publish_titled(published, tmp_path, "Tea harvest of old")
    async with running(published, tmp_path / "local") as (_, http):
        assert await search(http) == "Tea harvest of old"
        second = await publish_titled(published, tmp_path, "Tea harvest of today")
        await until(http, lambda told: told["generation"] == second)
        assert await search(http) == "Tea harvest of today"


async def test_a_finder_moves_to_a_new_generation_without_dropping_a_search(published, tmp_path):
    first = await publish_titled(published, tmp_path, "Tea harvest of old")
    async with running(published, tmp_path / "local") as (_, http):
        seen: list[str] = []
        enough = asyncio.Event()

        async def ask_on() -> None:
            while not enough.is_set():
                seen.append(await search(http))

        loops = [asyncio.create_task(ask_on()) for _ in range(50)]
        await asyncio.sleep(0.2)
        second = await publish_titled(published, tmp_path, "Tea harvest of today")
        await until(http, lambda told: told["generation"] == second)
        await asyncio.sleep(0.2)
        before_end = len(seen)
        enough.set()
        await asyncio.gather(*loops)
        assert before_end > 50
        assert set(seen) == {"Tea harvest of old", "Tea harvest of today"}
        assert await search(http) == "Tea harvest of today"
        entry = (await http.get("/variable", params={"id": "tea"})).json()["results"][0]
        assert "Tea harvest of today" in str(entry)
        leaf = await http.get("/okf/file", params={"path": "sources/beta/tea.md"})
        assert "Tea harvest of today" in leaf.text
        await comes_true(lambda: not (tmp_path / "local" / first).exists())
        assert (tmp_path / "local" / second).exists()


async def test_a_request_ends_on_the_index_that_it_began_with_and_its_files_stay_until_then(published, tmp_path):
    first = await publish_titled(published, tmp_path, "Tea harvest of old")
    async with running(published, tmp_path / "local") as (app, http):
        service = app.state.service
        with service.pinned() as old:
            second = await publish_titled(published, tmp_path, "Tea harvest of today")
            await comes_true(lambda: service.serving is not old)
            await asyncio.sleep(4 * POLL)
            assert service.finder is old.finder
            assert "of old" in service.documents.text("sources/beta/tea.md")
            assert (tmp_path / "local" / first).exists()
        assert service.finder is service.serving.finder is not old.finder
        await comes_true(lambda: not (tmp_path / "local" / first).exists())
        assert (await health(http))["generation"] == second


async def test_a_rollback_is_followed_too(published, tmp_path):
    first = await publish_titled(published, tmp_path, "Tea harvest of old")
    second = await publish_titled(published, tmp_path, "Tea harvest of today")
    async with running(published, tmp_path / "local") as (_, http):
        assert (await health(http))["generation"] == second
        assert await published.roll_back() == first
        await until(http, lambda told: told["generation"] == first)
        assert await search(http) == "Tea harvest of old"


async def corrupt(published: PublishedIndex, name: str) -> None:
    record, _ = await published.record(name)
    piece = record.files["vectors.npy"].pieces[0]
    data = await published.archive.get(PIECES + piece)
    await published.archive.put(PIECES + piece, bytes(len(data)))


async def cut_short(published: PublishedIndex, name: str) -> None:
    record, _ = await published.record(name)
    piece = record.files["vectors.npy"].pieces[0]
    data = await published.archive.get(PIECES + piece)
    await published.archive.put(PIECES + piece, data[:-1])


async def lose_a_piece(published: PublishedIndex, name: str) -> None:
    record, _ = await published.record(name)
    await published.archive.delete(PIECES + record.files["vectors.npy"].pieces[0])


async def lose_the_record(published: PublishedIndex, name: str) -> None:
    await published.archive.delete(f"{RECORDS}{name}.json")


async def lose_the_pointer(published: PublishedIndex, _: str) -> None:
    await published.archive.delete(POINTER)


async def garble_the_pointer(published: PublishedIndex, _: str) -> None:
    await published.archive.put(POINTER, b'{"generation": "../../etc"}')


Break = Callable[[PublishedIndex, str], Awaitable[None]]
BROKEN: list[tuple[Break, str]] = [
    (corrupt, "has another sha256 than its record says"),
    (cut_short, "has another sha256 than its record says"),
    (lose_a_piece, "lacks a piece of vectors.npy"),
    (lose_the_record, "is not at gs://"),
    (lose_the_pointer, "the pointer at gs://"),
    (garble_the_pointer, "current.json at gs://"),
]


@pytest.mark.parametrize(("harm", "told"), BROKEN, ids=[harm.__name__ for harm, _ in BROKEN])
async def test_a_broken_generation_is_refused_and_the_old_one_kept_until_it_is_mended(
    published, tmp_path, harm, told
):
    first = await publish_titled(published, tmp_path, "Tea harvest of old")
    second = await publish_titled(published, tmp_path, "Tea harvest of today")
    _, record = await published.record(second)
    assert await published.roll_back() == first
    async with running(published, tmp_path / "local") as (_, http):
        await harm(published, second)
        if harm not in {lose_the_pointer, garble_the_pointer}:
            _, version = await published.standing()
            await published.point(second, record, version=version)
        state = await until(http, lambda found: found["problem"] is not None)
        assert told in state["problem"]
        assert state["generation"] == first
        assert await search(http) == "Tea harvest of old"
        mended = await publish_titled(published, tmp_path, "Tea harvest mended")
        state = await until(http, lambda found: found["generation"] == mended)
        assert state["problem"] is None
        assert await search(http) == "Tea harvest mended"


async def test_a_generation_of_another_model_is_refused(published, tmp_path):
    first = await publish_titled(published, tmp_path, "Tea harvest of old")
    async with running(published, tmp_path / "local") as (_, http):
        await publish_titled(published, tmp_path, "Tea harvest of today", embedder=CountingEmbedder("other-64"))
        state = await until(http, lambda found: found["problem"] is not None)
        assert "was embedded with other-64" in state["problem"]
        assert state["generation"] == first
        assert await search(http) == "Tea harvest of old"


async def test_a_start_without_a_usable_archive_serves_what_was_fetched_before_and_says_so(published, tmp_path):
    generation = await publish_titled(published, tmp_path, "Tea harvest")
    async with running(published, tmp_path / "local") as (_, http):
        assert await search(http) == "Tea harvest"
    await published.archive.delete(f"{RECORDS}{generation}.json")
    async with running(published, tmp_path / "local", index_poll_seconds=60) as (_, http):
        state = await health(http)
        assert state["generation"] == generation
        assert "is not at gs://" in state["problem"]
        assert await search(http) == "Tea harvest"


async def test_a_start_with_nothing_to_serve_fails(published, tmp_path):
    with pytest.raises(IndexDamaged, match="no index is published"):
        async with running(published, tmp_path / "local"):
            pass
    settings = FinderSettings(index_folder=tmp_path / "local")
    with pytest.raises(NeuralKGError, match=r"no such bucket|no index is published"):
        async with opened_index("gs://never-made-bucket/index", CountingEmbedder(), settings):
            pass


def test_the_settings_of_a_published_index_are_read_and_checked(tmp_path):
    found = FinderSettings.from_environment(
        {"NEURALKG_INDEX": "gs://bucket/index", "NEURALKG_INDEX_POLL": "5", "NEURALKG_HOME": str(tmp_path)}
    )
    assert found.index == "gs://bucket/index"
    assert found.index_poll_seconds == 5
    assert found.index_folder == tmp_path / "indexes"
    with pytest.raises(UsageError, match="NEURALKG_INDEX_POLL must be from"):
        FinderSettings.from_environment({"NEURALKG_INDEX_POLL": "0"})


async def test_the_judge_ranks_the_tables_of_each_generation(published, tmp_path):
    await publish_titled(published, tmp_path, "Tea one")
    judge = ScriptedJudge(
        lambda request: {
            "ranked": [{"i": card.number, "score": 90 if "Tea" in card.title else 5} for card in request.cards]
        }
    )
    async with running(published, tmp_path / "held", judges=[judge]) as (_, http):
        assert await search(http) == "Tea one"
        before = len(judge.asked)
        second = await publish_titled(published, tmp_path, "Tea two")
        await until(http, lambda told: told["generation"] == second)
        assert await search(http) == "Tea two"
    assert 0 < before < len(judge.asked)


async def test_the_judge_ranks_the_tables_of_an_index_in_a_folder(tmp_path):
    corpus = make_corpus(tmp_path / "corpus", {"beta": {"tea": "Tea harvest"}})
    await build_index(corpus, tmp_path / "index", CountingEmbedder())
    judge = ScriptedJudge()
    index = opened_index(str(tmp_path / "index"), CountingEmbedder(), FinderSettings(), judges=[judge])
    async with index as opened:
        await opened.finder.search(FinderRequest(texts=("tea",)), deadline=Deadline.after(5))
    assert len(judge.asked) == 1
