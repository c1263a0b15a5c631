"""A worker that takes each follow-up with the commit that opens it promises what one does that claims each step."""

from __future__ import annotations

import asyncio
import json
from datetime import UTC, datetime, timedelta

import pytest

from shared.adapters.sqlite_store import SqliteStore
from shared.query.answer import AnswerStatus
from shared.runtime import claiming
from shared.runtime.closing import trace_name
from shared.runtime.records import StepRef, StepState
from shared.runtime.settings import PIPELINE
from shared.runtime.sweep import sweep
from tests.pipeline.test_runner_faults import Died, counting, settled
from tests.support.machine import FAST, OPTIONS, machine, note, trivial


def first(run):
    return StepRef(run_id=run.run_id, reading=-1, stage=PIPELINE[0])


async def open_step(m, run_id):
    (record,) = [r for r in await m.store.steps(run_id) if r.state is not StepState.DONE]
    return record


class Counting(SqliteStore):
    """Counts claims, and dies once, right after it has committed a named stage."""

    def __init__(self, path, *, dies_after=None, **rest):
        super().__init__(path, **rest)
        self.claims, self.dies_after, self.dead = 0, dies_after, False

    async def claim(self, step, *, owner, lease):
        self.claims += 1
        return await super().claim(step, owner=owner, lease=lease)

    async def commit_and_claim(self, step, **rest):
        taken = await super().commit_and_claim(step, **rest)
        if step.stage == self.dies_after and not self.dead:
            self.dead = True
            raise Died
        return taken

    async def release(self, step, *, token, error):
        if not self.dead:  # a dead process gives nothing back
            await super().release(step, token=token, error=error)


async def test_a_run_is_claimed_once_and_its_messages_all_travel(tmp_path):
    store = Counting(tmp_path / "runs-3.sqlite3")
    async with machine(tmp_path, trivial(statuses=["partial", "complete"]), store=store, ahead=True) as m:
        answer = await m.client.ask("?", OPTIONS)
        assert answer.status is AnswerStatus.COMPLETE
        assert store.claims == 1
        assert len(m.delivered) == 1 + 2 * 9
        await settled(m, answer.run_id)


async def test_every_message_delivered_three_times_changes_nothing(tmp_path):
    calls: list[str] = []
    stages = trivial(bodies=counting(calls), statuses=["partial", "complete"])
    async with machine(tmp_path, stages, copies=3, ahead=True) as m:
        answer = await m.client.ask("?", OPTIONS)
        await m.bus.drained()
        assert answer.status is AnswerStatus.COMPLETE
        assert sorted(calls) == sorted(f"{r}.{name}" for r in (0, 1) for name in PIPELINE[1:-1])
        await settled(m, answer.run_id)


@pytest.mark.parametrize("stage", PIPELINE[:-1])
async def test_a_crash_after_the_commit_is_healed_by_the_sweep_when_the_lease_has_run_out(tmp_path, stage):
    now = datetime(2026, 3, 1, tzinfo=UTC)
    calls: list[str] = []
    stages = trivial(bodies=counting(calls))
    store = Counting(tmp_path / "runs-3.sqlite3", dies_after=stage, clock=lambda: now)
    async with machine(tmp_path, stages, store=store, clock=lambda: now, start=False, ahead=True) as m:
        run = await m.client.submit("?", OPTIONS)
        step = first(run)
        while not store.dead:
            try:
                await m.runner.handle(step)
            except Died:
                break
            step = (await open_step(m, run.run_id)).step
    now += timedelta(seconds=FAST.lease - 1)
    async with machine(tmp_path, stages, clock=lambda: now, ahead=True) as m:
        assert (await sweep(m.store, m.bus, waiting=timedelta(0))).published == 0
        now += timedelta(seconds=2)
        assert (await sweep(m.store, m.bus, waiting=timedelta(0))).published == 1
        assert (await m.client.wait(run.run_id)).status is AnswerStatus.COMPLETE
        assert sorted(calls) == sorted(f"0.{name}" for name in PIPELINE[1:-1])
        await settled(m, run.run_id)


async def test_a_follow_up_that_cannot_be_published_is_given_back(tmp_path, monkeypatch):
    monkeypatch.setattr(claiming, "RESENT", timedelta(0))
    async with machine(tmp_path, trivial(), start=False, ahead=True) as m:
        run = await m.client.submit("?", OPTIONS)

        async def refuse(step):
            raise ConnectionError("no bus")

        m.bus.publish, publish = refuse, m.bus.publish
        with pytest.raises(ConnectionError):
            await m.runner.handle(first(run))
        assert (await open_step(m, run.run_id)).state is StepState.OPEN
        m.bus.publish = publish
        await m.runner.handle(first(run))  # the redelivery publishes what follows
        await m.runner.start()
        assert (await m.client.wait(run.run_id)).status is AnswerStatus.COMPLETE


async def test_a_worker_that_stops_gives_back_what_it_has_not_begun(tmp_path):
    async with machine(tmp_path, trivial(), start=False, ahead=True) as m:
        run = await m.client.submit("?", OPTIONS)
        await m.runner.handle(first(run))
        assert (await open_step(m, run.run_id)).state is StepState.CLAIMED
        await m.runner.stop()
        left = await open_step(m, run.run_id)
        assert (left.state, left.token, left.last_error) == (StepState.OPEN, None, "it was not begun")


async def test_a_step_that_waited_sees_a_cancellation_before_it_begins(tmp_path, monkeypatch):
    monkeypatch.setattr(claiming, "FRESH", 0.0)
    calls: list[str] = []
    async with machine(tmp_path, trivial(bodies=counting(calls)), start=False, ahead=True) as m:
        run = await m.client.submit("?", OPTIONS)
        await m.runner.handle(first(run))
        await m.store.request_cancel(run.run_id)
        await m.runner.handle((await open_step(m, run.run_id)).step)
        assert (await m.client.wait(run.run_id)).status is AnswerStatus.CANCELLED
        assert calls == []


async def test_a_step_that_waited_past_its_lease_is_left_to_whoever_took_it(tmp_path, monkeypatch):
    monkeypatch.setattr(claiming, "FRESH", 0.0)
    now = datetime(2026, 3, 1, tzinfo=UTC)
    async with machine(tmp_path, trivial(), clock=lambda: now, start=False, ahead=True) as m:
        run = await m.client.submit("?", OPTIONS)
        await m.runner.handle(first(run))
        step = (await open_step(m, run.run_id)).step
        now += timedelta(seconds=FAST.lease + 1)
        other = await m.store.claim(step, owner="another", lease=timedelta(seconds=60))
        with pytest.raises(claiming.StepBusy):
            await m.runner.handle(step)
        assert (await open_step(m, run.run_id)).token == other.token


async def test_a_trace_is_the_same_whether_it_was_kept_at_hand_or_read_back(tmp_path):
    async def execute(query, context):
        context.say("at work")
        await asyncio.sleep(0.05)  # longer than a beat: what was said is stored before the commit
        return [note(query, "execute", "x" * 300_000), note(query, "execute", "small", n=1)]

    def told(text):
        trace = json.loads(text)
        trace["run"] = trace["answer"] = None
        for event in trace["events"]:
            event["at"] = None
        for step in trace["steps"]:
            step["usage"] |= {"seconds": 0, "began_at": None, "cpu_seconds": None, "cold": False}
        return trace

    traces = []
    for ahead in (True, False):
        stages = trivial(bodies={"execute": execute}, statuses=["partial", "complete"])
        async with machine(tmp_path / str(ahead), stages, ahead=ahead) as m:
            answer = await m.client.ask("?", OPTIONS)
            traces.append(told(await m.archive.get(trace_name(answer.run_id))))
    at_hand, read_back = traces
    for trace in traces:
        large = [a["payload"] for a in trace["annotations"] if a["payload"]["kind"] == "spilled"]
        assert [payload["of"] for payload in large] == ["noted", "presented"] * 2
        for payload in large[1::2]:  # what was presented names its run
            payload["blob"] = payload["sha256"] = None
    assert at_hand == read_back
