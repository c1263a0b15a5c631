"""What becomes of streamed runs when the process that asked for them ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest

from functions.ask.worker import Worker
from shared.query.annotated import AskOptions


class Endless:
    """An application whose runs go on until they are cancelled."""

    def __init__(self) -> None:
        self.cancelled: list[str] = []

    async def submit(self, question: str, options: AskOptions | None = None) -> Any:
        return SimpleNamespace(run_id=question)

    async def watch(self, run_id: str, *, after: int = 0) -> AsyncIterator[Any]:
        await asyncio.Event().wait()
        yield

    async def cancel(self, run_id: str) -> None:
        self.cancelled.append(run_id)


@pytest.mark.parametrize(("elsewhere", "cancelled"), [(False, ["a"]), (True, [])])
async def test_a_streamed_run_outlives_its_face_only_where_others_work_on_it(elsewhere, cancelled):
    app = Endless()
    worker = Worker(app, concurrency=2, elsewhere=elsewhere)  # type: ignore[arg-type]
    run_id = await worker.start("a", AskOptions(), streamed=True)
    async with worker.watching(run_id):
        pass
    await asyncio.sleep(0)
    await worker.close()
    assert app.cancelled == cancelled
    assert worker.free == 2
