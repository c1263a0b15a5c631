"""Exactly once in effect: whatever is delivered twice, killed, delayed or cancelled."""

from __future__ import annotations

import asyncio
import json
import time
from datetime import UTC, datetime, timedelta

import pytest

from shared.adapters.inline_bus import InlineBus
from shared.adapters.sqlite_store import SqliteStore
from shared.query.answer import Answer, AnswerStatus
from shared.query.evidence import FailureStatus
from shared.runtime import errors
from shared.runtime.attempt import Pace
from shared.runtime.closing import trace_name
from shared.runtime.records import RunStatus, StepRef, StepState
from shared.runtime.settings import PIPELINE
from shared.runtime.sweep import sweep
from tests.support.machine import FAST, OPTIONS, QUICK, machine, note, presented, trivial

NOTHING = timedelta(0)


def counting(calls):
    """Stages that count how often each was run."""

    def body(name):
        async def run(query, context):
            calls.append(f"{query.reading}.{name}")
            return [note(query, name, name)]

        return run

    return {name: body(name) for name in PIPELINE[1:-1]}


async def settled(m, run_id):
    """Nothing of the run is left leased or open, and every step was committed once."""
    steps = await m.store.steps(run_id)
    assert {record.state for record in steps} == {StepState.DONE}
    assert all(record.token is None for record in steps)
    keys = [annotation.key for annotation in await m.store.annotations(run_id)]
    assert len(keys) == len(set(keys))


class TestDuplicates:
    async def test_every_message_delivered_three_times_changes_nothing(self, tmp_path):
        calls: list[str] = []
        async with machine(
            tmp_path, trivial(bodies=counting(calls), statuses=["partial", "complete"]), copies=3
        ) as m:
            answer = await m.client.ask("?", OPTIONS)
            await m.bus.drained()
            assert answer.status is AnswerStatus.COMPLETE
            assert sorted(calls) == sorted(f"{r}.{name}" for r in (0, 1) for name in PIPELINE[1:-1])
            assert len(answer.usage.stages) == 1 + 2 * 9
            assert not m.bus.dead_letters
            await settled(m, answer.run_id)

    async def test_a_duplicate_of_an_ended_run_changes_nothing(self, tmp_path):
        async with machine(tmp_path, trivial()) as m:
            answer = await m.client.ask("?", OPTIONS)
            for step in list(m.delivered):
                await m.runner.handle(step)
            await m.bus.drained()
            assert len(m.delivered) == len(PIPELINE)
            assert (await m.client.result(answer.run_id))[1] == answer

    async def test_foreign_messages_are_done_with_and_change_nothing(self, tmp_path):
        async with machine(tmp_path, trivial(), start=False) as m:
            run = await m.client.submit("?", OPTIONS)
            for run_id, reading, stage in (
                ("nobody", -1, "understand"),
                (run.run_id, 0, "present"),
                (run.run_id, 7, "x"),
            ):
                await m.runner.handle(StepRef(run_id=run_id, reading=reading, stage=stage))
            assert await m.store.annotations(run.run_id) == []

    async def test_a_message_for_a_step_at_work_must_come_again(self, tmp_path):
        async with machine(tmp_path, trivial(), start=False) as m:
            run = await m.client.submit("?", OPTIONS)
            step = StepRef(run_id=run.run_id, reading=-1, stage=PIPELINE[0])
            await m.store.claim(step, owner="another", lease=timedelta(seconds=60))
            with pytest.raises(errors.StepBusy):
                await m.runner.handle(step)

    async def test_a_duplicate_comes_again_while_what_follows_may_be_lost_and_one_publishes_it(self, tmp_path):
        now = [datetime(2026, 3, 1, tzinfo=UTC)]
        async with machine(tmp_path, trivial(), clock=lambda: now[0], start=False) as m:
            run = await m.client.submit("?", OPTIONS)
            step = StepRef(run_id=run.run_id, reading=-1, stage=PIPELINE[0])
            published: list[StepRef] = []

            async def publish(step):
                published.append(step)

            m.bus.publish = publish
            await m.runner.handle(step)
            published.clear()  # as if the worker had died before it published
            now[0] += timedelta(seconds=1.9)
            with pytest.raises(errors.StepBusy, match="not taken up yet"):
                await m.runner.handle(step)
            assert published == []
            now[0] += timedelta(seconds=0.2)
            results = await asyncio.gather(*(m.runner.handle(step) for _ in range(5)), return_exceptions=True)
            assert [str(p.stage) for p in published] == ["slots"]
            assert sum(result is None for result in results) == 1
            now[0] += timedelta(seconds=1)
            with pytest.raises(errors.StepBusy):
                await m.runner.handle(step)
            await m.runner.handle(published[0])
            await m.runner.handle(step)  # taken up: it is done with
            assert [str(p.stage) for p in published] == ["slots", "discover"]

    async def test_submitting_again_under_one_id_is_one_run(self, tmp_path):
        calls: list[str] = []
        async with machine(tmp_path, trivial(bodies=counting(calls))) as m:
            await asyncio.gather(*(m.client.submit("?", OPTIONS, run_id="one") for _ in range(5)))
            answer = await m.client.wait("one")
            await m.bus.drained()
            assert answer.status is AnswerStatus.COMPLETE
            assert len(calls) == 8


class Died(BaseException):
    """The process is gone: no code after this runs."""


class CrashingStore(SqliteStore):
    """Dies (raises something no code expects) before or after a commit of one stage, once."""

    def __init__(self, path, *, stage, when, **rest):
        super().__init__(path, **rest)
        self.stage, self.when, self.crashed = stage, when, False

    def crash(self, step, when):
        if step.stage == self.stage and when == self.when and not self.crashed:
            self.crashed = True
            raise Died

    async def commit(self, step, *, token, result):
        self.crash(step, "before commit")
        await super().commit(step, token=token, result=result)
        self.crash(step, "after commit")

    async def release(self, step, *, token, error):
        """A dead process gives nothing back."""


class TestCrashes:
    @pytest.mark.parametrize("stage", PIPELINE)
    async def test_a_crash_before_the_commit_is_healed_by_redelivery_after_the_lease(self, tmp_path, stage):
        await self.crash_and_heal(tmp_path, stage, "before commit", by_redelivery=True)

    @pytest.mark.parametrize("stage", PIPELINE[:-1])
    async def test_a_crash_after_the_commit_before_the_publish_is_healed_by_redelivery(self, tmp_path, stage):
        await self.crash_and_heal(tmp_path, stage, "after commit", by_redelivery=True)

    @pytest.mark.parametrize("when", ["before commit", "after commit"])
    @pytest.mark.parametrize("stage", PIPELINE[:-1])
    async def test_a_crash_anywhere_is_healed_by_the_sweep(self, tmp_path, stage, when):
        await self.crash_and_heal(tmp_path, stage, when, by_redelivery=False)

    async def crash_and_heal(self, tmp_path, stage, when, *, by_redelivery):
        now = datetime(2026, 3, 1, tzinfo=UTC)
        calls: list[str] = []
        stages = trivial(bodies=counting(calls))
        crashing = CrashingStore(tmp_path / "runs-3.sqlite3", stage=stage, when=when, clock=lambda: now)
        async with machine(tmp_path, stages, store=crashing, clock=lambda: now, start=False) as m:
            run = await m.client.submit("?", OPTIONS)
            step = StepRef(run_id=run.run_id, reading=-1, stage=PIPELINE[0])
            # The messages are carried by hand, and the queue dies with the process.
            while not crashing.crashed:
                try:
                    await m.runner.handle(step)
                except Died:
                    break
                record = next(r for r in await m.store.steps(run.run_id) if r.step.id == step.id)
                step = record.next
        crashed_at = step
        later = now + timedelta(seconds=6)
        async with machine(tmp_path, stages, clock=lambda: later) as m:
            if by_redelivery:
                await m.bus.publish(crashed_at)
            else:
                swept = await sweep(m.store, m.bus, waiting=timedelta(seconds=5))
                assert swept.published >= 1
            answer = await m.client.wait(run.run_id)
            await m.bus.drained()
            assert answer.status is AnswerStatus.COMPLETE
            assert [usage.stage for usage in answer.usage.stages] == list(PIPELINE)
            # Only the stage that had not committed ran again.
            again = 1 if when == "before commit" and stage in PIPELINE[1:-1] else 0
            assert len(calls) == 8 + again
            await settled(m, run.run_id)

    async def test_a_step_that_kills_its_worker_every_time_ends_the_run_visibly(self, tmp_path):
        now = [datetime(2026, 3, 1, tzinfo=UTC)]
        async with machine(tmp_path, trivial(), clock=lambda: now[0], start=False) as m:
            run = await m.client.submit("?", OPTIONS)
            step = StepRef(run_id=run.run_id, reading=-1, stage=PIPELINE[0])
            for _ in range(FAST.attempts):
                await m.store.claim(step, owner="dies", lease=timedelta(seconds=1))
                now[0] += timedelta(seconds=1)
            await m.runner.handle(step)
            _, answer = await m.client.result(run.run_id)
            assert answer.status is AnswerStatus.FAILED
            assert "tried too often and given up: its worker died each time" in answer.failures[0].reason

    async def test_a_dead_letter_ends_the_run_visibly(self, tmp_path):
        class FullArchive:
            async def put(self, name, data, *, content_type="application/json"):
                raise errors.ArchiveError("the disk is full")

        async def execute(query, context):
            return [note(query, "execute", "x" * 300_000)]

        async with machine(tmp_path, trivial(bodies={"execute": execute}), archive=FullArchive()) as m:
            answer = await m.client.ask("?", OPTIONS)
            assert [letter.step.stage for letter in m.bus.dead_letters] == ["execute"]
            assert answer.status is AnswerStatus.FAILED
            assert "execute was tried too often and given up: the disk is full" in answer.failures[0].reason

    async def test_a_store_that_fails_for_good_is_told_to_whoever_waits(self, tmp_path):
        class FullStore(SqliteStore):
            async def commit(self, step, *, token, result):
                raise errors.StoreUnavailable("the disk is full")

        store = FullStore(tmp_path / "runs-3.sqlite3")
        async with machine(tmp_path, trivial(), store=store) as m:
            began = time.monotonic()
            with pytest.raises(errors.StoreUnavailable, match="the disk is full"):
                await m.client.ask("?", OPTIONS)
            assert time.monotonic() - began < 5

    async def test_a_store_that_fails_in_passing_costs_nothing(self, tmp_path):
        class Flaky(SqliteStore):
            fails = 3

            async def commit(self, step, *, token, result):
                if step.stage == "plan" and self.fails:
                    self.fails -= 1
                    raise errors.StoreUnavailable("is held by another process")
                await super().commit(step, token=token, result=result)

        async with machine(tmp_path, trivial(), store=Flaky(tmp_path / "runs-3.sqlite3")) as m:
            answer = await m.client.ask("?", OPTIONS)
            assert answer.status is AnswerStatus.COMPLETE
            await settled(m, answer.run_id)

    @pytest.mark.parametrize(("lease", "calls"), [(5.0, 1), (0.1, 2)])
    async def test_a_store_that_is_away_stops_no_stage_before_its_lease_has_run_out(self, tmp_path, lease, calls):
        class Away(SqliteStore):
            away = False

            async def get(self, run_id):
                if self.away:
                    raise errors.StoreUnavailable("the store is away")
                return await super().get(run_id)

            async def renew(self, step, *, token, lease):
                if self.away:
                    raise errors.StoreUnavailable("the store is away")
                return await super().renew(step, token=token, lease=lease)

        store, begun = Away(tmp_path / "runs-3.sqlite3"), 0

        async def understand(query, context):
            nonlocal begun
            begun += 1
            store.away = begun == 1
            await asyncio.sleep(0.4)
            store.away = False
            return [note(query, "understand", "read")]

        pace = Pace(lease=lease, beat=0.02, grace=1.0, attempts=4)
        stages = trivial(bodies={"understand": understand})
        async with machine(tmp_path, stages, store=store, pace=pace, start=False) as m:
            run = await m.client.submit("?", OPTIONS)
            step = StepRef(run_id=run.run_id, reading=-1, stage=PIPELINE[0])
            if calls > 1:
                with pytest.raises(errors.StoreUnavailable):
                    await m.runner.handle(step)
                store.away = False
            await m.runner.handle(step)
            (first, *_) = await m.store.steps(run.run_id)
        assert (begun, first.attempts, first.state) == (calls, calls, StepState.DONE)

    async def test_a_worker_that_comes_back_late_changes_nothing(self, tmp_path):
        entered, go_on = asyncio.Event(), asyncio.Event()
        calls: list[str] = []

        async def slots(query, context):
            calls.append("slots")
            if len(calls) == 1:
                entered.set()
                await go_on.wait()
            return [note(query, "slots", f"by attempt {len(calls)}")]

        pace = Pace(lease=0.05, beat=60, grace=1, attempts=9)  # never renews: as if its process were frozen
        async with machine(tmp_path, trivial(bodies={"slots": slots}), pace=pace) as m:
            asking = asyncio.create_task(m.client.ask("?", OPTIONS))
            await entered.wait()
            await asyncio.sleep(0.1)
            await m.bus.publish(m.delivered[-1])
            answer = await asking
            go_on.set()
            await m.bus.drained()
            assert answer.status is AnswerStatus.COMPLETE
            written = [a for a in await m.store.annotations(answer.run_id) if a.stage == "slots"]
            assert [a.payload.disclosure.text for a in written] == ["by attempt 2"]
            await settled(m, answer.run_id)

    async def test_a_worker_that_comes_back_late_leaves_the_archived_answer_alone(self, tmp_path):
        entered, go_on = asyncio.Event(), asyncio.Event()
        calls: list[str] = []

        async def present(query, context):
            calls.append("present")
            late = len(calls) == 1
            if late:
                entered.set()
                await go_on.wait()
            return [presented(query, "complete", text="too late" if late else "in time")]

        pace = Pace(lease=0.05, beat=60, grace=1, attempts=9)  # never renews: as if its process were frozen
        async with machine(tmp_path, trivial(bodies={"present": present}), pace=pace) as m:
            asking = asyncio.create_task(m.client.ask("?", OPTIONS))
            await entered.wait()
            await asyncio.sleep(0.1)
            await m.bus.publish(m.delivered[-1])
            answer = await asking
            go_on.set()
            await m.bus.drained()
            assert answer.text == "in time"
            trace = json.loads(await m.archive.get(trace_name(answer.run_id)))
            assert Answer.model_validate(trace["answer"] | {"trace": answer.trace}) == answer

    async def test_a_slow_stage_holds_its_lease_and_streams_its_progress(self, tmp_path):
        async def execute(query, context):
            context.say("asking the publisher")
            await asyncio.sleep(0.4)
            return []

        pace = Pace(lease=0.1, beat=0.02, grace=1, attempts=4)
        async with machine(tmp_path, trivial(bodies={"execute": execute}), pace=pace) as m:
            run = await m.client.submit("?", OPTIONS)
            seen = []
            async for _, event in m.client.watch(run.run_id):
                if event.text == "asking the publisher":
                    seen.append((await m.store.get(run.run_id)).status)
                    step = next(s for s in m.delivered if s.stage == "execute")
                    await m.bus.publish(step)
            assert seen == [RunStatus.RUNNING]
            assert [s.attempts for s in await m.store.steps(run.run_id)] == [1] * 10


class TestCancelling:
    @pytest.mark.parametrize("stage", PIPELINE)
    @pytest.mark.parametrize("how", ["in this process", "in another process", "by leaving"])
    async def test_a_run_is_cancelled_in_any_stage_at_its_next_wait(self, tmp_path, stage, how):
        entered = asyncio.Event()
        stopped = []

        async def waits(query, context):
            entered.set()
            try:
                await asyncio.sleep(30)
            except asyncio.CancelledError:
                stopped.append(stage)
                raise
            return []

        async with machine(tmp_path, trivial(bodies={stage: waits})) as m:
            asking = asyncio.create_task(m.client.ask("?", OPTIONS))
            await entered.wait()
            began = time.monotonic()
            run_id = m.delivered[-1].run_id
            if how == "in this process":
                await m.client.cancel(run_id)
            elif how == "in another process":
                await m.store.request_cancel(run_id)
            else:
                asking.cancel()
            if how == "by leaving":
                with pytest.raises(asyncio.CancelledError):
                    await asking
                run, answer = await m.client.result(run_id)
            else:
                answer = await asking
                run = await m.store.get(run_id)
            assert time.monotonic() - began < 2
            assert stopped == [stage]
            assert run.status is RunStatus.CANCELLED
            assert answer.status is AnswerStatus.CANCELLED
            assert m.delivered[-1].stage == stage
            await settled(m, run_id)

    async def test_a_run_that_nobody_works_on_is_ended_by_its_cancellation(self, tmp_path):
        calls: list[str] = []
        async with machine(tmp_path, trivial(bodies=counting(calls)), start=False) as m:
            run = await m.client.submit("?", OPTIONS)
            await m.client.cancel(run.run_id)
            await m.runner.start()
            assert (await m.client.wait(run.run_id)).status is AnswerStatus.CANCELLED
            assert calls == []

    async def test_an_ended_run_cannot_be_cancelled(self, tmp_path):
        async with machine(tmp_path, trivial()) as m:
            answer = await m.client.ask("?", OPTIONS)
            assert (await m.client.cancel(answer.run_id)).status is RunStatus.ENDED
            assert (await m.client.result(answer.run_id))[1] == answer

    async def test_cancelling_outweighs_an_earlier_partial_answer(self, tmp_path):
        async def slots(query, context):
            if query.reading == 1:
                raise errors.Cancelled("the client left")
            return []

        async with machine(tmp_path, trivial(bodies={"slots": slots}, statuses=["partial", "complete"])) as m:
            assert (await m.client.ask("?", OPTIONS)).status is AnswerStatus.CANCELLED

    async def test_closing_in_the_middle_gives_the_step_back_and_the_next_process_goes_on(self, tmp_path):
        entered = asyncio.Event()

        async def waits(query, context):
            entered.set()
            await asyncio.sleep(30)
            return []

        async with machine(tmp_path, trivial(bodies={"select": waits})) as m:
            run = await m.client.submit("?", OPTIONS)
            await entered.wait()
        async with machine(tmp_path, trivial()) as m:
            assert (await sweep(m.store, m.bus, waiting=NOTHING)).published == 1
            assert (await m.client.wait(run.run_id)).status is AnswerStatus.COMPLETE


class TestDeadlines:
    @pytest.mark.parametrize("stage", PIPELINE[:-1])
    async def test_time_that_is_up_in_any_stage_ends_the_run_with_what_is_known(self, tmp_path, stage):
        async def waits(query, context):
            await asyncio.sleep(30)
            return []

        options = OPTIONS.model_copy(update={"deadline_seconds": 0.3})
        async with machine(tmp_path, trivial(bodies={stage: waits}, statuses=["x", "complete"])) as m:
            began = time.monotonic()
            answer = await m.client.ask("?", options)
            assert time.monotonic() - began < 3
            assert answer.status is AnswerStatus.UNANSWERED
            assert (answer.failures[0].stage, answer.failures[0].status) == (stage, FailureStatus.DEADLINE)
            assert m.delivered[-1].stage == "present"
            assert {step.reading for step in m.delivered} <= {-1, 0}
            await settled(m, answer.run_id)

    async def test_presenting_gets_a_moment_of_grace_and_no_more(self, tmp_path):
        async def waits(query, context):
            await asyncio.sleep(30)
            return []

        options = OPTIONS.model_copy(update={"deadline_seconds": 0.1})
        pace = Pace(lease=5, beat=0.02, grace=0.3, attempts=4)
        async with machine(tmp_path, trivial(bodies={"present": waits}), pace=pace) as m:
            answer = await m.client.ask("?", options)
            assert answer.status is AnswerStatus.UNANSWERED
            assert "time is up" in answer.text

    async def test_no_further_reading_is_begun_when_the_time_is_up(self, tmp_path):
        async def present(query, context):
            await asyncio.sleep(0.3)
            return [presented(query, "partial")]

        options = OPTIONS.model_copy(update={"deadline_seconds": 0.2})
        async with machine(tmp_path, trivial(bodies={"present": present}, statuses=["x", "y"])) as m:
            assert (await m.client.ask("?", options)).status is AnswerStatus.PARTIAL

    async def test_a_run_left_behind_long_ago_is_ended_visibly_by_the_sweep(self, tmp_path):
        async with machine(tmp_path, trivial(), start=False) as m:
            run = await m.client.submit("?", OPTIONS)
        later = datetime.now(UTC) + timedelta(hours=3)
        calls: list[str] = []
        async with machine(tmp_path, trivial(bodies=counting(calls)), clock=lambda: later) as m:
            await sweep(m.store, m.bus)
            await m.bus.drained()
            _, answer = await m.client.result(run.run_id)
            assert answer.status is AnswerStatus.UNANSWERED
            assert answer.failures[0].status is FailureStatus.DEADLINE
            assert calls == []

    async def test_a_stage_that_will_not_stop_is_left_behind(self, tmp_path):
        released = asyncio.Event()

        async def stubborn(query, context):
            while not released.is_set():
                try:
                    await released.wait()
                except asyncio.CancelledError:
                    continue
            return []

        options = OPTIONS.model_copy(update={"deadline_seconds": 0.1})
        pace = Pace(lease=5, beat=0.02, grace=0.2, attempts=4)
        async with machine(tmp_path, trivial(bodies={"execute": stubborn}), pace=pace) as m:
            answer = await m.client.ask("?", options)
            assert answer.failures[0].status is FailureStatus.DEADLINE
            released.set()


class TestSweep:
    async def test_nothing_is_driven_again_while_all_is_well(self, tmp_path):
        async with machine(tmp_path, trivial()) as m:
            await m.client.ask("?", OPTIONS)
            swept = await sweep(m.store, m.bus)
            assert (swept.published, swept.purged) == (0, 0)

    async def test_sweeping_twice_at_once_does_no_harm(self, tmp_path):
        calls: list[str] = []
        async with machine(
            tmp_path, trivial(bodies=counting(calls)), bus=InlineBus(redelivery=QUICK), start=False
        ) as m:
            run = await m.client.submit("?", OPTIONS)
            await asyncio.gather(*(sweep(m.store, m.bus, waiting=NOTHING) for _ in range(3)))
            await m.runner.start()
            await m.client.wait(run.run_id)
            await m.bus.drained()
            assert len(calls) == 8
