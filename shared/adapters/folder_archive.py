"""The archive in a local folder: one file an object, written whole or not at all."""

from __future__ import annotations

import asyncio
import errno
import fcntl
import hashlib
import os
import secrets
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from typing import BinaryIO

from shared.adapters.object_names import TEMPORARY, checked_name
from shared.runtime.errors import ArchiveConflict, ArchiveError, ObjectMissing

SMALL = 256 * 1024
"""Bytes that are written at once: measured, that costs half of what handing them to a thread does."""

_TOLD = {
    errno.ENOSPC: "the disk is full",
    errno.EDQUOT: "the disk quota is used up",
    errno.EROFS: "the file system is read only",
    errno.EACCES: "access is not permitted",
    errno.EPERM: "access is not permitted",
    errno.ENOTDIR: "part of its name is already an object",
    errno.EEXIST: "part of its name is already an object",
    errno.EISDIR: "other objects lie beneath its name",
    errno.ENAMETOOLONG: "its name is too long",
}


class FolderArchive:
    """A ``VersionedArchive``; an object's version is the hash of its bytes.

    An object is written whole before its name appears, so no reader and no crash sees a half.

    It promises what the run store beside it promises: the death of any process loses nothing, and only a power
    cut may lose the last objects. Whoever reads a payload back checks its hash.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder.absolute()
        self._real = os.path.realpath(self.folder)

    async def put(
        self,
        name: str,
        data: bytes,
        *,
        content_type: str = "application/json",  # noqa: ARG002 - a folder keeps no types
    ) -> str:
        """See ``Archive.put``; the address is the file's path."""
        checked = checked_name(name)
        return self._put(checked, data) if len(data) <= SMALL else await asyncio.to_thread(self._put, checked, data)

    async def get(self, name: str) -> bytes:
        """See ``Archive.get``."""
        return await asyncio.to_thread(self._get, checked_name(name))

    async def read(self, name: str) -> tuple[bytes, str]:
        """See ``VersionedArchive.read``."""
        data = await self.get(name)
        return data, _version_of(data)

    async def swap(self, name: str, data: bytes, *, version: str | None) -> str:
        """See ``VersionedArchive.swap``."""
        return await asyncio.to_thread(self._swap, checked_name(name), data, version)

    async def delete(self, name: str) -> None:
        """See ``VersionedArchive.delete``."""
        await asyncio.to_thread(self._delete, checked_name(name))

    async def close(self) -> None:
        """See ``VersionedArchive.close``: nothing is held."""

    async def list(self, prefix: str) -> AsyncIterator[str]:
        """See ``Archive.list``. The prefix is plain text and may end in the middle of a part."""
        for name in await asyncio.to_thread(lambda: sorted(self._names(prefix))):
            yield name

    def _put(self, name: str, data: bytes) -> str:
        path = self._path(name)
        temporary = path.parent / f"{TEMPORARY}{secrets.token_hex(8)}"
        try:
            try:
                with _new(temporary) as file:
                    file.write(data)
                temporary.replace(path)
            except BaseException:
                temporary.unlink(missing_ok=True)
                raise
        except OSError as error:
            raise _explained("written", path, error) from error
        return str(path)

    def _get(self, name: str) -> bytes:
        path = self._path(name)
        try:
            return path.read_bytes()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            raise ObjectMissing(f"the archive {self.folder} has no object called {name}") from None
        except OSError as error:
            raise _explained("read", path, error) from error

    def _swap(self, name: str, data: bytes, version: str | None) -> str:
        lock = self._path(name).with_name(f"{TEMPORARY}lock")
        try:
            lock.parent.mkdir(parents=True, exist_ok=True)
            with lock.open("ab") as held:
                # Whoever swaps an object of this folder waits here; the kernel frees a dead one's lock.
                fcntl.flock(held, fcntl.LOCK_EX)
                try:
                    found: str | None = _version_of(self._get(name))
                except ObjectMissing:
                    found = None
                if found != version:
                    path = self._path(name)
                    raise ArchiveConflict(f"{path} cannot be written: another version stands there; read it anew")
                self._put(name, data)
        except OSError as error:
            raise _explained("written", self._path(name), error) from error
        return _version_of(data)

    def _delete(self, name: str) -> None:
        path = self._path(name)
        try:
            path.unlink(missing_ok=True)
        except (NotADirectoryError, IsADirectoryError):
            return
        except OSError as error:
            raise _explained("deleted", path, error) from error

    def _path(self, name: str) -> Path:
        """Where an object lies. A link within the folder that leads out of it is not followed."""
        path, here = self.folder / name, str(self.folder)
        if not any(os.path.islink(here := f"{here}/{part}") for part in name.split("/")):  # noqa: PTH114 - much faster
            return path
        real = os.path.realpath(path.parent)
        if (real != self._real and not real.startswith(self._real + os.sep)) or path.is_symlink():
            raise ArchiveError(f"the object {name} would lie outside the archive {self.folder}")
        return path

    def _names(self, prefix: str) -> Iterator[str]:
        beneath, _, _ = prefix.rpartition("/")
        top = self._path(checked_name(beneath)) if beneath else self.folder
        try:
            for folder, _, files in os.walk(top, onerror=_raise_unless_missing):
                for file in files:
                    name = Path(folder, file).relative_to(self.folder).as_posix()
                    if name.startswith(prefix) and not file.startswith(TEMPORARY):
                        yield name
        except OSError as error:
            raise _explained("listed", top, error) from error


def _version_of(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _new(path: Path) -> BinaryIO:
    """A new file, in a folder that is made when it is not there."""
    try:
        return path.open("xb")
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
        return path.open("xb")


def _raise_unless_missing(error: OSError) -> None:
    if not isinstance(error, FileNotFoundError | NotADirectoryError):
        raise error


def _explained(done: str, path: Path, error: OSError) -> ArchiveError:
    told = _TOLD.get(error.errno or 0, error.strerror or type(error).__name__)
    return ArchiveError(f"the archive's file {path} cannot be {done}: {told}")
