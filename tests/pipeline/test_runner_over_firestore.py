"""Exactly once in effect with the runs in Firestore: duplicates, deaths, late workers and cancellations."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from shared.adapters.firestore_store import FirestoreStore
from shared.query.answer import AnswerStatus
from shared.runtime.attempt import Pace
from shared.runtime.context import utc_now
from shared.runtime.errors import StepBusy
from shared.runtime.records import RunStatus, StepRef
from shared.runtime.settings import PIPELINE
from shared.runtime.sweep import sweep
from tests.pipeline.test_runner_faults import Died, counting, settled
from tests.support.machine import OPTIONS, machine, note, trivial

PATIENT = Pace(lease=30.0, beat=0.05, grace=2.0, attempts=4)


class Mortal(FirestoreStore):
    """Dies before or after the commit of one stage, and then gives nothing back."""

    def __init__(self, *, stage, when, **rest):
        super().__init__(**rest)
        self.stage, self.when, self.dead = stage, when, False

    def die(self, step, when):
        if (step.stage, when) == (self.stage, self.when) and not self.dead:
            self.dead = True
            raise Died

    async def commit(self, step, *, token, result):
        self.die(step, "before commit")
        await super().commit(step, token=token, result=result)
        self.die(step, "after commit")

    async def release(self, step, *, token, error):
        """A dead process does nothing."""


@pytest.fixture
def opened(firestore_emulator):
    """Opens stores over one place; each machine closes its own."""
    place = f"place-{uuid4().hex[:16]}"

    def go(kind=FirestoreStore, clock=utc_now, **rest):
        return kind(
            project=place,
            emulator=firestore_emulator.address,
            clock=clock,
            patience=30.0,
            call_seconds=20.0,
            **rest,
        )

    return go


async def following(m, step):
    """The step after one that is done; ``None`` after the last."""
    return next(record for record in await m.store.steps(step.run_id) if record.step.id == step.id).next


async def test_every_message_delivered_three_times_at_once_changes_nothing(tmp_path, opened):
    calls: list[str] = []
    stages = trivial(bodies=counting(calls), statuses=["partial", "complete"])
    async with machine(tmp_path, stages, store=opened(), pace=PATIENT, start=False) as m:
        run = await m.client.submit("?", OPTIONS.model_copy(update={"deadline_seconds": 300}))
        step = StepRef(run_id=run.run_id, reading=-1, stage=PIPELINE[0])
        while step is not None:
            ends = await asyncio.gather(*(m.runner.handle(step) for _ in range(3)), return_exceptions=True)
            assert {type(end) for end in ends} <= {type(None), StepBusy}
            step = await following(m, step)
        _, answer = await m.client.result(run.run_id)
        assert answer.status is AnswerStatus.COMPLETE
        assert sorted(calls) == sorted(f"{r}.{name}" for r in (0, 1) for name in PIPELINE[1:-1])
        assert len(answer.usage.stages) == 1 + 2 * 9
        await settled(m, run.run_id)


async def test_twenty_questions_at_once_each_get_their_own_answer(tmp_path, opened):
    options = OPTIONS.model_copy(update={"deadline_seconds": 120})
    async with machine(tmp_path, trivial(), store=opened(), pace=PATIENT) as m:
        answers = await asyncio.gather(*(m.client.ask(f"question {n}", options) for n in range(20)))
        assert [answer.question for answer in answers] == [f"question {n}" for n in range(20)]
        assert {answer.status for answer in answers} == {AnswerStatus.COMPLETE}


@pytest.mark.parametrize("when", ["before commit", "after commit"])
@pytest.mark.parametrize("stage", ["understand", "execute", "combine"])
async def test_a_death_is_healed_by_the_sweep_and_no_committed_stage_runs_again(tmp_path, opened, stage, when):
    now = datetime(2026, 3, 1, tzinfo=UTC)
    later = now + timedelta(seconds=40)
    calls: list[str] = []
    stages = trivial(bodies=counting(calls))
    dying = opened(Mortal, clock=lambda: now, stage=stage, when=when)
    options = OPTIONS.model_copy(update={"deadline_seconds": 300})
    async with machine(tmp_path, stages, store=dying, clock=lambda: now, pace=PATIENT, start=False) as m:
        run = await m.client.submit("?", options)
        step = StepRef(run_id=run.run_id, reading=-1, stage=PIPELINE[0])
        # The messages are carried by hand, and the queue dies with the process.
        while not dying.dead:
            with suppress(Died):
                await m.runner.handle(step)
                step = await following(m, step)
    store = opened(clock=lambda: later)
    async with machine(tmp_path, stages, store=store, clock=lambda: later, pace=PATIENT) as m:
        assert (await sweep(m.store, m.bus)).published == 1
        answer = await m.client.wait(run.run_id)
        await m.bus.drained()
        assert answer.status is AnswerStatus.COMPLETE
        assert [usage.stage for usage in answer.usage.stages] == list(PIPELINE)
        assert len(calls) == 8 + (when == "before commit" and stage in PIPELINE[1:-1])
        await settled(m, run.run_id)


async def test_a_worker_that_comes_back_late_changes_nothing(tmp_path, opened):
    entered, go_on = asyncio.Event(), asyncio.Event()
    calls: list[str] = []
    now = [datetime.now(UTC)]

    async def slots(query, context):
        calls.append("slots")
        if len(calls) == 1:
            entered.set()
            await go_on.wait()
        return [note(query, "slots", f"by attempt {len(calls)}")]

    pace = Pace(lease=5.0, beat=60, grace=1, attempts=9)  # never renews: as if its process were frozen
    async with machine(
        tmp_path,
        trivial(bodies={"slots": slots}),
        store=opened(clock=lambda: now[0]),
        pace=pace,
        clock=lambda: now[0],
    ) as m:
        asking = asyncio.create_task(m.client.ask("?", OPTIONS))
        await entered.wait()
        now[0] += timedelta(seconds=6)
        await m.bus.publish(m.delivered[-1])
        answer = await asking
        go_on.set()
        await m.bus.drained()
        assert answer.status is AnswerStatus.COMPLETE
        written = [a for a in await m.store.annotations(answer.run_id) if a.stage == "slots"]
        assert [a.payload.disclosure.text for a in written] == ["by attempt 2"]
        await settled(m, answer.run_id)


async def test_a_slow_stage_holds_its_lease_and_streams_its_progress(tmp_path, opened):
    async def execute(query, context):
        context.say("asking the publisher")
        await asyncio.sleep(2.0)
        return []

    pace = Pace(lease=1.5, beat=0.1, grace=2, attempts=4)
    async with machine(tmp_path, trivial(bodies={"execute": execute}), store=opened(), pace=pace) as m:
        run = await m.client.submit("?", OPTIONS)
        seen = []
        async for _, event in m.client.watch(run.run_id):
            if event.text == "asking the publisher":
                seen.append((await m.store.get(run.run_id)).status)
        assert seen == [RunStatus.RUNNING]
        assert [step.attempts for step in await m.store.steps(run.run_id)] == [1] * 10


@pytest.mark.parametrize("how", ["in this process", "in another process", "by leaving"])
async def test_a_run_is_cancelled_at_its_next_wait(tmp_path, opened, how):
    entered = asyncio.Event()
    stopped = []

    async def waits(query, context):
        entered.set()
        try:
            await asyncio.sleep(60)
        except asyncio.CancelledError:
            stopped.append("select")
            raise
        return []

    async with machine(tmp_path, trivial(bodies={"select": waits}), store=opened(), pace=PATIENT) as m:
        asking = asyncio.create_task(m.client.ask("?", OPTIONS))
        await entered.wait()
        run_id = m.delivered[-1].run_id
        if how == "in this process":
            await m.client.cancel(run_id)
        elif how == "in another process":
            elsewhere = opened()
            await elsewhere.request_cancel(run_id)
            await elsewhere.close()
        else:
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
        await m.client.wait(run_id)
        run, answer = await m.client.result(run_id)
        assert stopped == ["select"]
        assert run.status is RunStatus.CANCELLED
        assert answer.status is AnswerStatus.CANCELLED
        await settled(m, run_id)


async def test_a_run_of_ten_stages_costs_no_more_than_it_must(tmp_path, opened):
    """Each stage reads its run and its step, and writes them, its follow-up, what it found and what it said."""
    store = opened()
    async with machine(tmp_path, trivial(), store=store, pace=PATIENT, start=False) as m:
        run = await m.client.submit("?", OPTIONS)
        step = StepRef(run_id=run.run_id, reading=-1, stage=PIPELINE[0])
        while step is not None:
            await m.runner.handle(step)
            before = store.operations.reads, store.operations.writes
            step = await following(m, step)
            store.operations.reads, store.operations.writes = before
        annotations, events = len(await m.store.annotations(run.run_id)), len(await m.store.events(run.run_id))
        # Ten claims of two reads each; at the end the steps, the events and the annotations for the trace, unless
        # the worker knows them from having done it all.
        assert before[0] <= 10 * 2 + 10 + (events - 1) + (annotations - 1)
        # The run and its first step; ten claims; ten commits of the run and the step, nine with a follow-up.
        assert before[1] == 2 + 10 + 10 * 2 + 9 + annotations + events
