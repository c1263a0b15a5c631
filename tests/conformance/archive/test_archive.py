"""What every archive promises, wherever its objects lie."""

from __future__ import annotations

import asyncio

import pytest

from shared.runtime.errors import ArchiveConflict, ArchiveError, ObjectMissing
from shared.runtime.ports import Archive
from tests.support.archives import opened


@pytest.fixture(params=["folder", "gcs", "s3"])
async def archive(request, tmp_path, monkeypatch):
    """Each adapter on a place that is new and empty; the stores' emulators start only for their own."""
    async with opened(request.param, request, tmp_path, monkeypatch) as archive:
        yield archive


async def names(archive: Archive, prefix: str) -> list[str]:
    return [name async for name in archive.list(prefix)]


@pytest.mark.parametrize("data", [b"", b"{}", bytes(range(256)), b"x" * 5_000_000])
async def test_an_object_is_read_back_byte_for_byte(archive, data):
    address = await archive.put("runs/a/trace.json", data)
    assert await archive.get("runs/a/trace.json") == data
    assert address


async def test_writing_again_replaces_the_whole_object(archive):
    await archive.put("a", b"a long first version")
    await archive.put("a", b"short")
    assert await archive.get("a") == b"short"


async def test_writing_the_same_name_gives_the_same_address(archive):
    assert await archive.put("a/b", b"1") == await archive.put("a/b", b"2")


async def test_an_object_that_is_not_there_cannot_be_read(archive):
    with pytest.raises(ArchiveError, match="nothing-here"):
        await archive.get("runs/nothing-here")
    await archive.put("runs/a/trace.json", b"1")
    with pytest.raises(ArchiveError):
        await archive.get("runs/a")
    with pytest.raises(ArchiveError):
        await archive.get("runs/a/trace.json/deeper")


async def test_names_are_listed_sorted_by_prefix(archive):
    for name in ("runs/b/trace.json", "runs/a/trace.json", "runs/a/answer.json", "blobs/1", "runs2/x"):
        await archive.put(name, b"1")
    assert await names(archive, "runs/") == ["runs/a/answer.json", "runs/a/trace.json", "runs/b/trace.json"]
    assert await names(archive, "runs/a") == ["runs/a/answer.json", "runs/a/trace.json"]
    assert await names(archive, "runs/a/an") == ["runs/a/answer.json"]
    assert len(await names(archive, "")) == 5
    assert await names(archive, "nothing/at/all") == []


async def test_an_empty_archive_lists_nothing(archive):
    assert await names(archive, "") == []
    assert await names(archive, "runs/") == []


@pytest.mark.parametrize(
    "name", ["données/préfecture.json", "数据/印度.json", "a b/c+d %2F?.json", "x" * 200, "a/b/c/d/e/f"]
)
async def test_a_name_may_hold_any_letters(archive, name):
    await archive.put(name, b"1")
    assert await archive.get(name) == b"1"
    assert await names(archive, name[:3]) == [name]


HOSTILE = [
    "",
    "/etc/passwd",
    "../out",
    "runs/../../out",
    "runs/./a",
    "runs//a",
    "runs/",
    "a\x00b",
    "a\nb",
    "a\\b",
    "..",
    ".",
    "x" * 201,
    "a/" * 600 + "a",
    "\ud800",
]


@pytest.mark.parametrize("name", HOSTILE)
async def test_a_hostile_name_is_refused_for_writing_and_reading(archive, name, tmp_path):
    with pytest.raises(ArchiveError):
        await archive.put(name, b"1")
    with pytest.raises(ArchiveError):
        await archive.get(name)
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


async def test_a_reader_sees_the_old_object_or_the_new_one_and_never_a_mixture(archive):
    versions = [bytes([65 + n]) * 200_000 for n in range(8)]
    await archive.put("a", versions[0])
    seen: set[bytes] = set()

    async def read() -> None:
        for _ in range(20):
            seen.add(await archive.get("a"))

    await asyncio.gather(read(), *(archive.put("a", version) for version in versions), read())
    assert seen <= set(versions)


async def test_many_writers_lose_nothing(archive):
    await asyncio.gather(*(archive.put(f"many/{n:03}", str(n).encode()) for n in range(60)))
    assert len(await names(archive, "many/")) == 60
    assert await archive.get("many/042") == b"42"


async def test_more_names_than_one_page_holds_are_listed_once_each_and_sorted(archive, monkeypatch):
    for module in ("gcs_archive", "s3_archive"):
        monkeypatch.setattr(f"shared.adapters.{module}.PAGE", 7)
    wanted = sorted(f"paged/{n:03}-é" for n in range(20))
    await asyncio.gather(*(archive.put(name, b"1") for name in reversed(wanted)))
    assert await names(archive, "paged/") == wanted


async def test_an_object_is_read_with_a_version_that_changes_with_it(archive):
    with pytest.raises(ObjectMissing, match="current"):
        await archive.read("current")
    first = await archive.swap("current", b"1", version=None)
    assert await archive.read("current") == (b"1", first)
    second = await archive.swap("current", b"2", version=first)
    assert second != first
    assert await archive.read("current") == (b"2", second)


async def test_an_object_is_swapped_only_by_whoever_knows_what_stands_there(archive):
    first = await archive.swap("current", b"1", version=None)
    with pytest.raises(ArchiveConflict, match="another version"):
        await archive.swap("current", b"mine", version=None)
    await archive.swap("current", b"2", version=first)
    with pytest.raises(ArchiveConflict, match="another version"):
        await archive.swap("current", b"mine", version=first)
    with pytest.raises(ArchiveConflict):
        await archive.swap("never-there", b"mine", version=first)
    assert await archive.get("current") == b"2"
    assert await names(archive, "") == ["current"]


async def test_of_many_that_swap_at_once_one_wins(archive):
    first = await archive.swap("current", b"0", version=None)
    tries = [archive.swap("current", str(n).encode(), version=first) for n in range(1, 9)]
    outcomes = await asyncio.gather(*tries, return_exceptions=True)
    assert sum(isinstance(outcome, str) for outcome in outcomes) == 1
    assert sum(isinstance(outcome, ArchiveConflict) for outcome in outcomes) == 7


async def test_a_deleted_object_is_gone_and_may_be_deleted_again(archive):
    await archive.put("a/b", b"1")
    await archive.delete("a/b")
    await archive.delete("a/b")
    assert await names(archive, "") == []
    with pytest.raises(ObjectMissing):
        await archive.get("a/b")
