import errno
import os
from pathlib import Path

import pytest

from shared.adapters.folder_archive import FolderArchive
from shared.runtime.errors import ArchiveError


async def names(archive, prefix=""):
    return [name async for name in archive.list(prefix)]


async def test_an_object_lies_at_the_address_that_was_told(tmp_path):
    address = await FolderArchive(tmp_path).put("runs/a/trace.json", b"{}")
    assert address == str(tmp_path / "runs" / "a" / "trace.json")
    assert (tmp_path / "runs" / "a" / "trace.json").read_bytes() == b"{}"


async def test_a_write_that_fails_leaves_the_old_object_and_no_rest(tmp_path, monkeypatch):
    archive = FolderArchive(tmp_path)
    await archive.put("a", b"old")

    def full(self, target):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "replace", full)
    with pytest.raises(ArchiveError, match="cannot be written: the disk is full"):
        await archive.put("a", b"new")
    assert await archive.get("a") == b"old"
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


async def test_what_a_killed_writer_left_is_not_an_object(tmp_path):
    archive = FolderArchive(tmp_path)
    await archive.put("runs/a", b"1")
    (tmp_path / "runs" / ".writing-0123").write_bytes(b"half")
    assert await names(archive) == ["runs/a"]
    with pytest.raises(ArchiveError):
        await archive.get("runs/.writing-0123")


async def test_a_link_out_of_the_folder_is_not_followed(tmp_path):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret").write_text("s")
    archive = FolderArchive(tmp_path / "archive")
    await archive.put("a", b"1")
    (tmp_path / "archive" / "link").symlink_to(outside)
    (tmp_path / "archive" / "secret").symlink_to(outside / "secret")
    for name in ("link/secret", "secret"):
        with pytest.raises(ArchiveError, match="outside the archive"):
            await archive.get(name)
        with pytest.raises(ArchiveError, match="outside the archive"):
            await archive.put(name, b"x")
    assert (outside / "secret").read_text() == "s"


async def test_an_object_cannot_lie_beneath_another(tmp_path):
    archive = FolderArchive(tmp_path)
    await archive.put("a", b"1")
    with pytest.raises(ArchiveError, match="part of its name is already an object"):
        await archive.put("a/b", b"1")
    await archive.put("c/d", b"1")
    with pytest.raises(ArchiveError, match="other objects lie beneath its name"):
        await archive.put("c", b"1")


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may write anywhere")
async def test_a_folder_that_is_read_only_is_told(tmp_path):
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(ArchiveError, match="access is not permitted"):
            await FolderArchive(tmp_path).put("a/b", b"1")
    finally:
        tmp_path.chmod(0o700)
