"""Archives of every kind for tests, each on a place that is new and empty."""

from __future__ import annotations

import secrets
import urllib.request
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from shared.adapters.archives import open_archive
from shared.runtime.ports import VersionedArchive


@asynccontextmanager
async def opened(
    kind: str, request: pytest.FixtureRequest, place: Path, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[VersionedArchive]:
    """The archive of a kind: folder, gcs or s3. Only the emulator of that kind is started."""
    archive = open_archive(address_of(kind, request, place, monkeypatch))
    try:
        yield archive
    finally:
        await archive.close()


def address_of(kind: str, request: pytest.FixtureRequest, place: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The address of a new empty archive; the environment leads the clients to the emulator."""
    if kind == "folder":
        return str(place / "archive")
    emulator = request.getfixturevalue({"gcs": "storage_emulator", "s3": "s3_emulator"}[kind])
    for name, value in emulator.environment.items():
        monkeypatch.setenv(name, value)
    for name in ("http_proxy", "https_proxy", "HTTP_PROXY", "HTTPS_PROXY"):
        monkeypatch.delenv(name, raising=False)
    bucket = f"test-{secrets.token_hex(6)}"
    if kind == "s3":
        ask = urllib.request.Request(f"{emulator.url}/{bucket}", method="PUT")
    else:
        body = f'{{"name": "{bucket}"}}'.encode()
        ask = urllib.request.Request(
            f"{emulator.url}/storage/v1/b", body, {"Content-Type": "application/json"}, method="POST"
        )
    with urllib.request.urlopen(ask, timeout=10):
        pass
    return f"{'gs' if kind == 'gcs' else 's3'}://{bucket}/some/prefix"
