"""One service over a small corpus for the tests of a module."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest

from tests.support.finder_service import client, service, small_finder


@pytest.fixture
async def http(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with client(service(await small_finder(tmp_path), tmp_path)) as opened:
        yield opened
