"""The archive in a bucket of S3, or of a store that speaks its protocol; its SHA-256 is proved on both ways."""

from __future__ import annotations

import base64
import hashlib
import threading
from collections.abc import AsyncIterator
from contextlib import closing
from typing import Any

import boto3
import urllib3
from botocore.config import Config
from botocore.exceptions import (
    BotoCoreError,
    ClientError,
    FlexibleChecksumError,
    HTTPClientError,
    IncompleteReadError,
    NoCredentialsError,
    PartialCredentialsError,
    ReadTimeoutError,
    ResponseStreamingError,
)
from botocore.exceptions import (
    ConnectionError as NoConnection,
)

from shared.adapters.blocking_calls import AT_ONCE, SECONDS, TRY_SECONDS, BlockingCalls
from shared.adapters.object_names import checked_name
from shared.adapters.object_troubles import (
    CUT_SHORT,
    DAMAGED,
    NETWORK,
    NO_BUCKET,
    NO_CREDENTIALS,
    Trouble,
    trouble_of,
)
from shared.runtime.errors import ArchiveConflict, ArchiveError, ObjectMissing

PAGE = 1000
"""Names in one answer: the most that S3 gives."""


class S3Archive:
    """A ``VersionedArchive`` at ``s3://bucket/prefix``; an object's version is its entity tag.

    Credentials, region and ``AWS_ENDPOINT_URL_S3`` are those of the environment. S3 shows an object only when all
    of it has come and its SHA-256 is the one announced.
    """

    def __init__(self, bucket: str, prefix: str = "", *, seconds: float = SECONDS, at_once: int = AT_ONCE) -> None:
        """``seconds`` bounds a whole call with its repetitions, ``at_once`` the calls under way."""
        self.bucket, self.prefix = bucket, f"{prefix}/" if prefix else ""
        self._calls = BlockingCalls(f"s3-{bucket}", _trouble, seconds=seconds, at_once=at_once)
        self._client: Any = None
        self._opening = threading.Lock()
        # Repetitions are ours, so that they end with the call's time.
        waits = min(TRY_SECONDS, seconds)
        self._config = Config(
            connect_timeout=waits,
            read_timeout=waits,
            retries={"total_max_attempts": 1},
            max_pool_connections=at_once,
        )

    async def put(self, name: str, data: bytes, *, content_type: str = "application/json") -> str:
        """See ``Archive.put``; the address is ``s3://bucket/name``."""
        await self._write(name, data, content_type, {})
        return self._address(name)

    async def get(self, name: str) -> bytes:
        """See ``Archive.get``."""
        data, _ = await self.read(name)
        return data

    async def read(self, name: str) -> tuple[bytes, str]:
        """See ``VersionedArchive.read``."""
        key = self.prefix + checked_name(name)

        def call(_: float) -> tuple[bytes, str]:
            answer = self._s3().get_object(Bucket=self.bucket, Key=key, ChecksumMode="ENABLED")
            # As a context manager the body would give the bare stream, whose bytes nobody checks.
            with closing(answer["Body"]) as body:
                data: bytes = body.read()
            if len(data) != answer["ContentLength"]:
                raise IncompleteReadError(actual_bytes=len(data), expected_bytes=answer["ContentLength"])
            return data, str(answer["ETag"])

        return await self._calls.run(f"{self._address(name)} cannot be read", call)

    async def swap(self, name: str, data: bytes, *, version: str | None) -> str:
        """See ``VersionedArchive.swap``."""
        condition = {"IfMatch": version} if version else {"IfNoneMatch": "*"}
        try:
            return await self._write(name, data, "application/json", condition)
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
        await self._calls.run(
            f"{self._address(name)} cannot be deleted",
            lambda _: self._s3().delete_object(Bucket=self.bucket, Key=key),
        )

    async def list(self, prefix: str) -> AsyncIterator[str]:
        """See ``Archive.list``. Names come a thousand at a time, in the order of their UTF-8 bytes."""
        asked: dict[str, Any] = {"Bucket": self.bucket, "Prefix": self.prefix + prefix, "MaxKeys": PAGE}
        what = f"{self._address(prefix)}* cannot be listed"
        while True:
            page = await self._calls.run(what, lambda _: self._s3().list_objects_v2(**asked))
            for found in page.get("Contents", ()):
                name = str(found["Key"]).removeprefix(self.prefix)
                # A folder that was made in a browser is an object whose name ends in a slash.
                if name and not name.endswith("/"):
                    yield name
            if not page.get("IsTruncated"):
                return
            asked["ContinuationToken"] = page["NextContinuationToken"]

    async def close(self) -> None:
        """See ``VersionedArchive.close``."""
        self._calls.close()
        if self._client is not None:
            self._client.close()

    async def _write(self, name: str, data: bytes, content_type: str, condition: dict[str, str]) -> str:
        key = self.prefix + checked_name(name)
        checksum = base64.b64encode(hashlib.sha256(data).digest()).decode()

        def call(_: float) -> str:
            answer = self._s3().put_object(
                Bucket=self.bucket,
                Key=key,
                Body=data,
                ContentType=content_type,
                ChecksumSHA256=checksum,
                **condition,
            )
            return str(answer["ETag"])

        what = f"{self._address(name)} cannot be written"
        try:
            return await self._calls.run(what, call, size=len(data))
        except ObjectMissing as error:
            if condition.get("IfMatch"):
                raise ArchiveConflict(f"{what}: the version it was to replace is gone; read it anew") from error
            raise ArchiveError(f"{what}: {NO_BUCKET.reason}; {NO_BUCKET.do}") from error

    def _s3(self) -> Any:
        with self._opening:
            if self._client is None:
                self._client = boto3.client("s3", config=self._config)
        return self._client

    def _address(self, name: str) -> str:
        return f"s3://{self.bucket}/{self.prefix}{name}"


def _trouble(error: Exception) -> Trouble | None:
    if isinstance(error, ClientError):
        status = int(error.response.get("ResponseMetadata", {}).get("HTTPStatusCode", 0))
        return trouble_of(status, str(error.response.get("Error", {}).get("Code", "")))
    return next((trouble for kinds, trouble in _KINDS if isinstance(error, kinds)), None)


# The first row that matches counts, so a class stands above its base.
_KINDS: tuple[tuple[tuple[type[Exception], ...], Trouble], ...] = (
    ((FlexibleChecksumError,), DAMAGED),
    ((ReadTimeoutError,), NETWORK),
    ((IncompleteReadError, ResponseStreamingError, urllib3.exceptions.HTTPError), CUT_SHORT),
    ((HTTPClientError, NoConnection, ConnectionError, TimeoutError), NETWORK),
    ((NoCredentialsError, PartialCredentialsError), NO_CREDENTIALS),
    ((BotoCoreError,), Trouble("the settings of S3 cannot be used", "check the AWS variables of the environment")),
)
