"""The Cloud Function ``reports``: what the runs cost and how each stage keeps up, as JSON."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from functions.hosting import wiring
from functions.hosting.instance import hosted
from functions.hosting.telemetry import TracedRequests
from functions.reports.face import create_reports
from functions.reports.reports import adding_up, reports_of

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from functions.hosting.settings import CloudSettings
    from functions.hosting.telemetry import Tracing

NAME = "reports"


@asynccontextmanager
async def opened(settings: CloudSettings, tracing: Tracing) -> AsyncIterator[ASGIApp]:
    """The reports over the archive's usage records."""
    archive = wiring.open_archive(settings)
    try:
        yield TracedRequests(create_reports(reports_of(archive), adding_up(archive)), tracing, NAME)
    finally:
        await archive.close()


handle = hosted(NAME, opened)
