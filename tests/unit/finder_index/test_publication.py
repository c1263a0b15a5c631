"""The published index in real stores: generations, pieces, the pointer, and how they are fetched."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from finder_index import publication
from finder_index.build import build_index
from finder_index.fetching import fetch, local_generations, remove_unused
from finder_index.finder import LocalFinder
from finder_index.generations import PIECES, POINTER, RECORDS, PublishedIndex
from finder_index.index import damaged_files
from finder_index.publication import publish
from shared.adapters.archives import open_archive
from shared.query.discovery import FinderRequest
from shared.runtime.deadline import Deadline
from shared.runtime.errors import ArchiveConflict, FinderError, IndexDamaged, UsageError
from tests.support.archives import address_of
from tests.support.finder_corpora import CountingEmbedder, make_corpus

TABLES = {"alpha": {"a.1": "Interest rate of banks", "a.2": "Zebra herds"}, "beta": {"b.1": "Tea harvest"}}


@pytest.fixture(autouse=True)
def _small_pieces(monkeypatch):
    """Files of several pieces without large files."""
    monkeypatch.setattr(publication, "PIECE_BYTES", 1000)


@pytest.fixture(params=["gcs"])
async def published(request, tmp_path, monkeypatch):
    address = address_of(request.param, request, tmp_path, monkeypatch)
    archive = open_archive(address)
    yield PublishedIndex(archive, address)
    await archive.close()


async def built(root: Path, tables: dict[str, dict[str, str]] | None = None) -> Path:
    await build_index(make_corpus(root / "corpus", tables or TABLES), root / "index", CountingEmbedder())
    return root / "index"


def changed(title: str) -> dict[str, dict[str, str]]:
    return {**TABLES, "beta": {"b.1": title}}


async def names(published: PublishedIndex, prefix: str = "") -> list[str]:
    return [name async for name in published.archive.list(prefix)]


@pytest.mark.parametrize("published", ["folder", "gcs", "s3"], indirect=True)
async def test_what_was_published_is_fetched_byte_for_byte_and_can_be_searched(published, tmp_path):
    index = await built(tmp_path)
    report = await publish(published, index, corpus=tmp_path / "corpus")
    assert report.uploaded == report.pieces > 8
    current = await published.current()
    fetched = await fetch(published, current.generation, tmp_path / "local")
    assert fetched.path.name == report.generation == current.pointer.generation
    for file in index.iterdir():
        assert (fetched.path / file.name).read_bytes() == file.read_bytes()
    assert damaged_files(fetched.path) == []
    leaves = sorted(path.relative_to(tmp_path / "corpus") for path in (tmp_path / "corpus").rglob("*.md"))
    assert sorted(path.relative_to(fetched.corpus) for path in fetched.corpus.rglob("*.md")) == leaves
    finder = LocalFinder.open(CountingEmbedder(), path=fetched.path, corpus=fetched.corpus, mounts=())
    reply = await finder.search(FinderRequest(texts=("tea harvest",)), deadline=Deadline.after(5))
    assert reply.results[0].variable == "b.1"
    fetched.release()


async def test_the_same_files_are_not_published_again(published, tmp_path):
    index = await built(tmp_path)
    first = await publish(published, index)
    before = await published.pointer()
    again = await publish(published, index)
    assert again.unchanged
    assert again.generation == first.generation
    assert await published.pointer() == before
    assert len(await published.generations()) == 1


async def test_pieces_that_did_not_change_are_neither_uploaded_nor_downloaded_again(
    published, tmp_path, monkeypatch
):
    tables = {"alpha": {f"a.{n}": f"Quantity number {n}" for n in range(60)}}
    await publish(published, await built(tmp_path, tables))
    first = await fetch(published, (await published.current()).generation, tmp_path / "local")
    tables["alpha"]["a.59"] = "Another quantity"
    report = await publish(published, await built(tmp_path, tables))
    assert 0 < report.uploaded < report.pieces / 2
    asked: list[str] = []
    get = published.archive.get

    async def counted(name: str) -> bytes:
        asked.append(name)
        return await get(name)

    monkeypatch.setattr(published.archive, "get", counted)
    current = await published.current()
    second = await fetch(published, current.generation, tmp_path / "local")
    assert sum(name.startswith(PIECES) for name in asked) <= report.uploaded
    assert damaged_files(second.path) == []
    first.release()
    second.release()


async def test_an_index_that_is_damaged_is_not_published(published, tmp_path):
    index = await built(tmp_path)
    (index / "entries.jsonl").write_bytes(b"{}\n")
    with pytest.raises(IndexDamaged, match=r"entries\.jsonl is not the file that was built"):
        await publish(published, index)
    assert await names(published) == []


async def test_nothing_published_is_told_with_the_command_that_does_it(published):
    with pytest.raises(IndexDamaged, match=r"no index is published at gs://.* neuralkg index publish"):
        await published.current()


async def test_of_two_publishers_at_once_one_wins_and_the_other_is_told(published, tmp_path):
    await publish(published, await built(tmp_path / "first"))
    ours, theirs = await built(tmp_path / "a", changed("Ours")), await built(tmp_path / "b", changed("Theirs"))
    outcomes = await asyncio.gather(publish(published, ours), publish(published, theirs), return_exceptions=True)
    won = [outcome for outcome in outcomes if isinstance(outcome, publication.Published)]
    lost = [outcome for outcome in outcomes if isinstance(outcome, ArchiveConflict)]
    assert (len(won), len(lost)) == (1, 1)
    assert "another publication to gs://" in str(lost[0])
    assert "publish again" in str(lost[0])
    current = await published.current()
    assert current.pointer.generation == won[0].generation
    fetched = await fetch(published, current.generation, tmp_path / "local")
    fetched.release()


async def test_a_publisher_that_lost_may_publish_again(published, tmp_path, monkeypatch):
    await publish(published, await built(tmp_path / "first"))
    theirs = await built(tmp_path / "theirs", changed("Theirs"))
    point = published.point

    async def overtaken(name: str, record: bytes, *, version: str | None) -> None:
        monkeypatch.setattr(published, "point", point)
        await publish(published, theirs)
        await point(name, record, version=version)

    monkeypatch.setattr(published, "point", overtaken)
    ours = await built(tmp_path / "ours", changed("Ours"))
    with pytest.raises(ArchiveConflict):
        await publish(published, ours)
    report = await publish(published, ours)
    assert report.uploaded == 0
    assert (await published.current()).pointer.generation == report.generation


async def test_a_rollback_goes_to_the_generation_before_or_to_one_by_name(published, tmp_path):
    made = [
        (await publish(published, await built(tmp_path / title, changed(title)))).generation
        for title in ("One", "Two", "Three")
    ]
    assert await published.generations() == sorted(made)
    assert await published.roll_back() == made[1]
    assert await published.roll_back() == made[0]
    with pytest.raises(UsageError, match=f"no generation to go back to .*{made[2]}"):
        await published.roll_back()
    with pytest.raises(UsageError, match="no generation 'nowhere'"):
        await published.roll_back("nowhere")
    assert await published.roll_back(made[2]) == made[2]
    assert (await published.current()).pointer.generation == made[2]


async def test_the_last_generations_are_kept_and_what_only_older_ones_had_goes(published, tmp_path):
    made = [
        (await publish(published, await built(tmp_path / str(n), changed(f"Title {n}")), keep=2)).generation
        for n in range(4)
    ]
    assert await published.generations() == made[2:]
    needed = set()
    for name in made[2:]:
        record, _ = await published.record(name)
        needed |= record.pieces
        assert not await published.missing(record)
    assert {name.removeprefix(PIECES) for name in await names(published, PIECES)} == needed
    with pytest.raises(UsageError, match="at least one generation"):
        await publish(published, tmp_path / "0" / "index", keep=0)


async def test_a_corrupted_piece_is_refused_and_named(published, tmp_path):
    await publish(published, await built(tmp_path))
    current = await published.current()
    piece = current.generation.files["vectors.npy"].pieces[0]
    await published.archive.put(PIECES + piece, b"x" * 1000)
    with pytest.raises(IndexDamaged, match=r"a piece of vectors\.npy .* another sha256"):
        await fetch(published, current.generation, tmp_path / "local")
    assert not (tmp_path / "local" / current.generation.name).exists()


async def test_a_missing_piece_is_refused_and_named(published, tmp_path):
    await publish(published, await built(tmp_path))
    current = await published.current()
    await published.archive.delete(PIECES + current.generation.files["rows.npy"].pieces[0])
    with pytest.raises(IndexDamaged, match=r"lacks a piece of rows\.npy.*neuralkg index rollback"):
        await fetch(published, current.generation, tmp_path / "local")


async def test_a_pointer_to_nowhere_is_told(published, tmp_path):
    report = await publish(published, await built(tmp_path))
    await published.archive.delete(f"{RECORDS}{report.generation}.json")
    with pytest.raises(IndexDamaged, match=f"generation {report.generation} is not at gs://"):
        await published.current()


async def test_a_changed_record_is_told(published, tmp_path):
    report = await publish(published, await built(tmp_path))
    name = f"{RECORDS}{report.generation}.json"
    record = json.loads(await published.archive.get(name))
    record["entries"] += 1
    await published.archive.put(name, json.dumps(record).encode())
    with pytest.raises(IndexDamaged, match="is not the one that was published"):
        await published.current()


@pytest.mark.parametrize(
    "pointer",
    [b"", b"[]", b"{}", b'{"format":2,"generation":"x"}', b"\xff\xfe"],
)
async def test_a_pointer_that_is_no_pointer_is_told_and_can_be_replaced(published, tmp_path, pointer):
    await published.archive.put(POINTER, pointer)
    with pytest.raises(IndexDamaged, match=r"current\.json at gs://.* is not in the form"):
        await published.current()
    report = await publish(published, await built(tmp_path))
    assert (await published.current()).pointer.generation == report.generation


@pytest.mark.parametrize("name", ["../outside", "/etc/passwd", "a/b.npy", ".hidden", "Vectors.npy"])
async def test_a_record_cannot_name_a_file_outside_of_its_folder(published, tmp_path, name):
    report = await publish(published, await built(tmp_path))
    record = json.loads((await published.record(report.generation))[1])
    record["files"][name] = record["files"].pop("rows.npy")
    await published.archive.put(f"{RECORDS}{report.generation}.json", json.dumps(record).encode())
    with pytest.raises(IndexDamaged, match="is not in the form"):
        await published.record(report.generation)


async def test_a_fetch_that_was_cut_off_goes_on_where_it_was(published, tmp_path, monkeypatch):
    await publish(published, await built(tmp_path))
    current = await published.current()
    get, left = published.archive.get, 5

    async def failing(name: str) -> bytes:
        nonlocal left
        if left == 0:
            raise IndexDamaged("the line is cut")
        left -= 1
        return await get(name)

    monkeypatch.setattr(published.archive, "get", failing)
    with pytest.raises(IndexDamaged, match="the line is cut"):
        await fetch(published, current.generation, tmp_path / "local")
    partial = next((tmp_path / "local").glob(".fetching-*"))
    assert list((tmp_path / "local").glob("2*Z-*")) == [tmp_path / "local" / f"{current.generation.name}.lock"]
    # A file that was cut in the middle of a piece is fetched from that piece on.
    cut = next(path for path in partial.iterdir() if path.stat().st_size)
    cut.write_bytes(cut.read_bytes()[:-1])
    asked = 0

    async def counted(name: str) -> bytes:
        nonlocal asked
        asked += 1
        return await get(name)

    monkeypatch.setattr(published.archive, "get", counted)
    fetched = await fetch(published, current.generation, tmp_path / "local")
    assert asked < len(current.generation.pieces)
    assert damaged_files(fetched.path) == []
    assert not partial.exists()
    fetched.release()


async def test_a_local_generation_that_was_damaged_is_fetched_anew(published, tmp_path):
    await publish(published, await built(tmp_path))
    current = await published.current()
    first = await fetch(published, current.generation, tmp_path / "local")
    first.release()
    (first.path / "rows.npy").write_bytes(b"not this")
    again = await fetch(published, current.generation, tmp_path / "local")
    assert damaged_files(again.path) == []
    again.release()


async def test_two_fetches_at_once_give_one_generation(published, tmp_path):
    await publish(published, await built(tmp_path))
    current = await published.current()
    both = await asyncio.gather(*(fetch(published, current.generation, tmp_path / "local") for _ in range(2)))
    assert both[0].path == both[1].path
    assert damaged_files(both[0].path) == []
    for one in both:
        one.release()


async def test_a_generation_that_somebody_holds_is_not_removed(published, tmp_path):
    await publish(published, await built(tmp_path / "a", changed("One")))
    first = await fetch(published, (await published.current()).generation, tmp_path / "local")
    await publish(published, await built(tmp_path / "b", changed("Two")))
    second = await fetch(published, (await published.current()).generation, tmp_path / "local")
    found = list(local_generations(tmp_path / "local"))
    for one in found:
        one.release()
    assert [one.generation.name for one in found] == [second.generation.name, first.generation.name]
    assert remove_unused(tmp_path / "local", keep=second.generation.name) == []
    first.release()
    assert remove_unused(tmp_path / "local", keep=second.generation.name) == [first.generation.name]
    assert not first.path.exists()
    assert second.path.exists()
    second.release()


async def test_a_folder_that_cannot_be_written_is_told(published, tmp_path):
    await publish(published, await built(tmp_path))
    (tmp_path / "local").write_bytes(b"a file")
    with pytest.raises(FinderError, match=r"cannot be kept in .*NEURALKG_INDEX_FOLDER"):
        await fetch(published, (await published.current()).generation, tmp_path / "local")
