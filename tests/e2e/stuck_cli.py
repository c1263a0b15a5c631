"""The command line over an application whose named stage never ends: ``-m tests.e2e.stuck_cli STAGE ask x``."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from types import ModuleType

from functions.local.cli import main
from functions.local.settings import Settings
from tests.support.scripted import ScriptedApplication, scripted, waiting

stage = sys.argv.pop(1)


@asynccontextmanager
async def open_application(settings: Settings, **_: object) -> AsyncIterator[ScriptedApplication]:
    async with scripted(settings.home, **{stage: waiting(asyncio.Event())}) as app:
        yield app


wiring = ModuleType("functions.local.wiring")
wiring.open_application = open_application  # type: ignore[attr-defined]
sys.modules["functions.local.wiring"] = wiring
main()
