import re
from datetime import UTC, datetime, timedelta

import pytest

from shared.query.annotated import AskOptions
from shared.runtime.client import new_run_id
from shared.runtime.errors import DeadlineExceeded, RunNotFound
from shared.runtime.records import RunStatus, StepRef
from tests.support.machine import machine, trivial


def test_run_ids_sort_by_time_and_are_safe_in_names():
    early, late = datetime(2026, 3, 1, tzinfo=UTC), datetime(2026, 3, 1, 0, 0, 1, tzinfo=UTC)
    ids = [new_run_id(at) for at in (early, late)]
    assert ids == sorted(ids)
    assert re.fullmatch(r"20260301T000000-[0-9a-f]{12}", ids[0])
    assert new_run_id(early) != new_run_id(early)


async def test_submitting_creates_the_run_and_publishes_its_first_step(tmp_path):
    now = datetime(2026, 3, 1, tzinfo=UTC)
    async with machine(tmp_path, trivial(), clock=lambda: now, start=False) as m:
        published = []
        m.client._bus = type("Bus", (), {"publish": staticmethod(lambda step: _append(published, step))})
        options = AskOptions(deadline_seconds=30, sources=("worldbank",))
        run = await m.client.submit("?", options, run_id="r", traceparent="00-a-b-01")
        assert published == [StepRef(run_id="r", reading=-1, stage="understand", traceparent="00-a-b-01")]
        assert run.deadline_at == now + timedelta(seconds=30)
        assert run.options == options
        assert await m.store.get("r") == run


async def _append(items, item):
    items.append(item)


async def test_a_run_that_nobody_works_on_is_not_waited_for_for_ever(tmp_path):
    now = [datetime(2026, 3, 1, tzinfo=UTC)]

    def clock():
        now[0] += timedelta(seconds=1)
        return now[0]

    async with machine(tmp_path, trivial(), clock=clock, start=False) as m:
        with pytest.raises(DeadlineExceeded, match="has not ended 10 s after its deadline"):
            await m.client.ask("?", AskOptions(deadline_seconds=5))


async def test_a_run_that_nobody_works_on_is_not_watched_for_ever(tmp_path):
    now = [datetime(2026, 3, 1, tzinfo=UTC)]

    def clock():
        now[0] += timedelta(seconds=1)
        return now[0]

    async with machine(tmp_path, trivial(), clock=clock, start=False) as m:
        run = await m.client.submit("?", AskOptions(deadline_seconds=5))
        with pytest.raises(DeadlineExceeded, match="has not ended 10 s after its deadline"):
            [event async for event in m.client.watch(run.run_id)]


async def test_a_run_that_goes_on_has_no_answer_yet(tmp_path):
    async with machine(tmp_path, trivial(), start=False) as m:
        run = await m.client.submit("?")
        found, answer = await m.client.result(run.run_id)
        assert (found.status, answer) == (RunStatus.RUNNING, None)


async def test_a_run_that_does_not_exist_is_told(tmp_path):
    async with machine(tmp_path, trivial(), start=False) as m:
        for asked in (m.client.result("nobody"), m.client.wait("nobody"), m.client.cancel("nobody")):
            with pytest.raises(RunNotFound, match="nobody"):
                await asked
        with pytest.raises(RunNotFound):
            _ = [event async for event in m.client.watch("nobody")]
