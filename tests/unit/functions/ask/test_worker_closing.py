"""What becomes of streamed runs and their slots when the process ends, the store is away or nobody watches."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest

from functions.ask import worker as workers
from functions.ask.worker import Worker
from shared.query.annotated import AskOptions
from shared.runtime.errors import StoreUnavailable


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


async def test_a_streamed_run_whose_client_left_before_its_stream_began_is_cancelled(monkeypatch):
    monkeypatch.setattr(workers, "UNWATCHED_SECONDS", 0.05)
    app = Endless()
    worker = Worker(app, concurrency=2, grace=0.01)  # type: ignore[arg-type]
    await worker.start("watched", AskOptions(), streamed=True)
    await worker.start("left", AskOptions(), streamed=True)
    async with worker.watching("watched"):  # type: ignore[arg-type]
        await asyncio.sleep(0.3)
        assert app.cancelled == ["left"]
    await worker.close()


async def test_a_slot_is_held_while_the_store_is_away_and_no_longer_than_its_run_may_take(monkeypatch):
    class Away(Endless):
        async def watch(self, run_id: str, *, after: int = 0) -> AsyncIterator[Any]:
            raise StoreUnavailable("the store is away")
            yield

    monkeypatch.setattr(workers, "AGAIN_SECONDS", 0.01)
    monkeypatch.setattr(workers, "LATE", 0.3)
    worker = Worker(Away(), concurrency=1, patience=0.05)  # type: ignore[arg-type]
    await worker.start("a", AskOptions(deadline_seconds=0.1))
    with pytest.raises(workers.Busy):
        await worker.start("b", AskOptions())
    for _ in range(100):
        if worker.free:
            break
        await asyncio.sleep(0.02)
    assert worker.free == 1
