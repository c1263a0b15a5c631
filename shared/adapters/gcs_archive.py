"""The archive in a bucket of Cloud Storage: one object each, its checksum proved on both ways."""

from __future__ import annotations

import base64
import os
import threading
from collections.abc import AsyncIterator, Callable
from typing import TypeVar

import google_crc32c
import requests
import urllib3
from google.api_core.exceptions import GoogleAPICallError
from google.auth.exceptions import DefaultCredentialsError, GoogleAuthError, RefreshError, TransportError
from google.cloud.storage import Bucket, Client
from google.cloud.storage.exceptions import DataCorruption

from shared.adapters.blocking_calls import AT_ONCE, SECONDS, BlockingCalls
from shared.adapters.object_names import checked_name
from shared.adapters.object_troubles import (
    CUT_SHORT,
    DAMAGED,
    MISSING,
    NETWORK,
    NO_BUCKET,
    NO_CREDENTIALS,
    UNKNOWN_CALLER,
    Trouble,
    trouble_of,
)
from shared.runtime.errors import ArchiveConflict, ObjectMissing

PAGE = 1000
"""Names in one answer."""

T = TypeVar("T")
_Page = tuple[list[str], str | None]
"""Names, and the token of the page after them."""


class GcsArchive:
    """A ``VersionedArchive`` at ``gs://bucket/prefix``; an object's version is its generation.

    Credentials are those of the environment; with ``STORAGE_EMULATOR_HOST`` none are needed. Cloud Storage shows
    an object only when all of it has come and its CRC32C is the one announced.
    """

    def __init__(self, bucket: str, prefix: str = "", *, seconds: float = SECONDS, at_once: int = AT_ONCE) -> None:
        """``seconds`` bounds a whole call with its repetitions, ``at_once`` the calls under way."""
        self.bucket, self.prefix = bucket, f"{prefix}/" if prefix else ""
        self._calls = BlockingCalls(f"gcs-{bucket}", _trouble, seconds=seconds, at_once=at_once)
        self._client: Client | None = None
        self._opening = threading.Lock()

    async def put(self, name: str, data: bytes, *, content_type: str = "application/json") -> str:
        """See ``Archive.put``; the address is ``gs://bucket/name``."""
        await self._write(name, data, content_type, None)
        return self._address(name)

    async def get(self, name: str) -> bytes:
        """See ``Archive.get``."""
        data, _ = await self.read(name)
        return data

    async def read(self, name: str) -> tuple[bytes, str]:
        """See ``VersionedArchive.read``."""
        key = self.prefix + checked_name(name)

        def call(seconds: float) -> tuple[bytes, str]:
            blob = self._bucket().blob(key)
            data: bytes = blob.download_as_bytes(timeout=seconds, checksum="crc32c", retry=None, raw_download=True)
            return data, str(blob.generation)

        return await self._calls.run(f"{self._address(name)} cannot be read", call)

    async def swap(self, name: str, data: bytes, *, version: str | None) -> str:
        """See ``VersionedArchive.swap``."""
        try:
            return await self._write(name, data, "application/json", int(version) if version else 0)
        except ArchiveConflict:
            # The answer to a first try may have been lost, and the second try found the object of the first.
            try:
                found, now = await self.read(name)
            except ObjectMissing:
                found, now = b"", ""
            if found == data and now != version:
                return now
            raise

    async def delete(self, name: str) -> None:
        """See ``VersionedArchive.delete``."""
        key = self.prefix + checked_name(name)
        try:
            await self._calls.run(
                f"{self._address(name)} cannot be deleted",
                lambda seconds: self._bucket().blob(key).delete(timeout=seconds, retry=None),
            )
        except ObjectMissing:
            return

    async def list(self, prefix: str) -> AsyncIterator[str]:
        """See ``Archive.list``. Names come a thousand at a time, in the order of their UTF-8 bytes."""
        token: str | None = None
        what = f"{self._address(prefix)}* cannot be listed"
        while True:
            names, token = await self._calls.run(what, self._page_after(prefix, token))
            for name in names:
                # A folder that was made in a browser is an object whose name ends in a slash.
                if name and not name.endswith("/"):
                    yield name
            if token is None:
                return

    async def close(self) -> None:
        """See ``VersionedArchive.close``."""
        self._calls.close()
        if self._client is not None:
            self._client.close()

    def _page_after(self, prefix: str, token: str | None) -> Callable[[float], _Page]:
        def call(seconds: float) -> _Page:
            pages = self._bucket().list_blobs(
                prefix=self.prefix + prefix,
                page_size=PAGE,
                page_token=token,
                fields="items(name),nextPageToken",
                timeout=seconds,
                retry=None,
            )
            found = [blob.name.removeprefix(self.prefix) for blob in next(pages.pages, ())]
            return found, pages.next_page_token

        return self._of_bucket(call)

    async def _write(self, name: str, data: bytes, content_type: str, generation: int | None) -> str:
        key = self.prefix + checked_name(name)
        sum_of_data = google_crc32c.value(data).to_bytes(4, "big")

        def call(seconds: float) -> str:
            blob = self._bucket().blob(key)
            blob.upload_from_string(
                data,
                content_type=content_type,
                timeout=seconds,
                checksum="crc32c",
                retry=None,
                if_generation_match=generation,
            )
            if blob.crc32c is not None and base64.b64decode(blob.crc32c) != sum_of_data:
                # Only a store that does not check what it takes gets here; what it holds must not be read.
                blob.delete(timeout=seconds, retry=None, if_generation_match=blob.generation)
                raise DataCorruption(None, "the store holds other bytes than were sent")
            return str(blob.generation)

        what = f"{self._address(name)} cannot be written"
        return await self._calls.run(what, self._of_bucket(call), size=len(data))

    def _of_bucket(self, call: Callable[[float], T]) -> Callable[[float], T]:
        """A call for which only the bucket can be what is missing."""

        def made(seconds: float) -> T:
            try:
                return call(seconds)
            except GoogleAPICallError as error:
                if _trouble(error) is MISSING:
                    raise NO_BUCKET.told(f"gs://{self.bucket}") from error
                raise

        return made

    def _bucket(self) -> Bucket:
        with self._opening:
            if self._client is None:
                # Else each first use of a bucket asks for its metadata from a thread of its own, for traces that
                # are off, and needs a permission for it that nothing else here needs.
                os.environ.setdefault("DISABLE_GCS_PYTHON_CLIENT_OTEL_BUCKET_METADATA", "true")
                self._client = Client()
        return self._client.bucket(self.bucket)

    def _address(self, name: str) -> str:
        return f"gs://{self.bucket}/{self.prefix}{name}"


def _trouble(error: Exception) -> Trouble | None:
    if isinstance(error, GoogleAPICallError):
        if "bucket does not exist" in str(error.message).lower():
            return NO_BUCKET
        return trouble_of(int(error.code or 0), _reason(error))
    return next((trouble for kinds, trouble in _KINDS if isinstance(error, kinds)), None)


def _reason(error: GoogleAPICallError) -> str:
    """The store's own word for a failure; an upload's exception has it only in the answer it came from."""
    try:
        return str(error.response.json()["error"]["errors"][0]["reason"])
    except (AttributeError, KeyError, IndexError, TypeError, ValueError):
        return ""


# The first row that matches counts, so a class stands above its base.
_KINDS: tuple[tuple[tuple[type[Exception], ...], Trouble], ...] = (
    ((DataCorruption,), DAMAGED),
    ((requests.exceptions.ChunkedEncodingError, urllib3.exceptions.ProtocolError), CUT_SHORT),
    ((requests.exceptions.RequestException, urllib3.exceptions.HTTPError, ConnectionError, TimeoutError), NETWORK),
    ((TransportError,), NETWORK),
    ((DefaultCredentialsError,), NO_CREDENTIALS),
    ((RefreshError, GoogleAuthError), UNKNOWN_CALLER),
)
