"""What every run store promises, whatever holds it."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from decimal import Decimal

import pytest

from shared.query.annotated import Annotation, AskOptions, Noted, ProgressEvent
from shared.query.answer import ModelUsage, StageUsage
from shared.query.evidence import Disclosure, DisclosureKind
from shared.query.identifiers import RunId, StageName
from shared.runtime.errors import LeaseLost, RunNotFound
from shared.runtime.records import (
    BudgetTotals,
    ClaimOutcome,
    RunRecord,
    RunStatus,
    StepCommit,
    StepRef,
    StepState,
)
from tests.conformance.run_store.adapters import ADAPTERS, Clock

LEASE = timedelta(seconds=30)
WAITING = timedelta(seconds=10)
RUN = RunId("20260301T120000-abc")
FIRST = StepRef(run_id=RUN, reading=-1, stage=StageName("understand"))
SECOND = StepRef(run_id=RUN, reading=0, stage=StageName("slots"), traceparent="00-aa-bb-01")


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(params=sorted(ADAPTERS))
def opened(request, tmp_path, clock):
    """Opens a store over the test's place; a second call opens another over the same."""
    open_store = ADAPTERS[request.param](request)
    return lambda: open_store(tmp_path, clock)


@pytest.fixture
async def store(opened):
    store = opened()
    yield store
    await store.close()


def record(clock, run_id=RUN, **changes):
    return RunRecord(
        run_id=run_id,
        question="What is India's GDP? भारत 🇮🇳",
        options=AskOptions(sources=("worldbank",), assumptions={"measure": "NY.GDP.MKTP.CD"}),
        created_at=clock(),
        deadline_at=clock() + timedelta(seconds=60),
        expires_at=clock() + timedelta(days=7),
        cursor_stage=StageName("understand"),
        **changes,
    )


def note(text, n=0, stage="understand", reading=-1):
    payload = Noted(disclosure=Disclosure(kind=DisclosureKind.CAVEAT, text=text))
    return Annotation(reading=reading, stage=stage, n=n, payload=payload)


def said(clock, text):
    return ProgressEvent(stage="understand", text=text, at=clock())


def result(step=FIRST, *, annotations=(), events=(), following=SECOND, **changes):
    usage = StageUsage(stage=step.stage, reading=step.reading, seconds=0.25, model_calls=2, usd=Decimal("0.0031"))
    return StepCommit(
        annotations=tuple(annotations),
        events=tuple(events),
        stage_usage=usage,
        model_usage=(ModelUsage(model="m", task="t.v1", calls=2, tokens=10, usd=Decimal("0.0031"), seconds=0.2),),
        budget=BudgetTotals(model_calls=2, tokens=10, usd=Decimal("0.0031"), model_seconds=0.2),
        next=following,
        **changes,
    )


async def claimed(store, step=FIRST, owner="one"):
    claim = await store.claim(step, owner=owner, lease=LEASE)
    assert claim.outcome is ClaimOutcome.CLAIMED
    return claim


class TestRuns:
    async def test_a_run_is_read_back_as_it_was_created(self, store, clock):
        run = record(clock)
        assert await store.create(run) == run
        assert await store.get(RUN) == run

    async def test_creating_a_run_again_returns_the_stored_one_and_changes_nothing(self, store, clock):
        run = await store.create(record(clock))
        claim = await claimed(store)
        await store.commit(FIRST, token=claim.token, result=result())
        again = await store.create(record(clock).model_copy(update={"question": "another"}))
        assert again.question == run.question
        assert again.cursor_stage == "slots"

    async def test_a_run_that_was_never_created_is_not_found(self, store):
        nobody = FIRST.model_copy(update={"run_id": RunId("nobody")})
        with pytest.raises(RunNotFound, match="nobody"):
            await store.get(RunId("nobody"))
        with pytest.raises(RunNotFound):
            await store.claim(nobody, owner="one", lease=LEASE)
        with pytest.raises(RunNotFound):
            await store.request_cancel(RunId("nobody"))

    async def test_the_newest_runs_come_first(self, store, clock):
        for n in range(4):
            await store.create(record(clock, RunId(f"run-{n}")))
            clock.forward(1)
        assert [run.run_id for run in await store.recent(limit=3)] == ["run-3", "run-2", "run-1"]

    async def test_two_stores_over_one_place_see_the_same_run(self, opened, clock):
        one, other = opened(), opened()
        await one.create(record(clock))
        await claimed(one)
        assert (await other.get(RUN)).question.startswith("What is India")
        assert (await other.claim(FIRST, owner="other", lease=LEASE)).outcome is ClaimOutcome.BUSY
        await one.close()
        await other.close()

    async def test_what_was_committed_is_there_after_closing_and_opening_again(self, opened, clock):
        store = opened()
        await store.create(record(clock))
        claim = await claimed(store)
        await store.commit(FIRST, token=claim.token, result=result(annotations=[note("kept")]))
        await store.close()
        again = opened()
        assert await again.annotations(RUN) == [note("kept")]
        await again.close()


class TestClaims:
    async def test_a_claim_hands_over_the_run_a_token_and_the_count_of_annotations(self, store, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        assert claim.run == record(clock)
        assert claim.token
        assert claim.annotation_count == 0
        assert claim.record.attempts == 1
        assert claim.record.lease_until == clock() + LEASE

    async def test_a_step_with_an_unexpired_lease_is_busy_for_everyone(self, store, clock):
        await store.create(record(clock))
        await claimed(store, owner="one")
        clock.forward(29)
        for owner in ("one", "two"):
            assert (await store.claim(FIRST, owner=owner, lease=LEASE)).outcome is ClaimOutcome.BUSY

    async def test_a_lease_runs_out_by_itself_and_the_attempt_is_counted(self, store, clock):
        await store.create(record(clock))
        first = await claimed(store, owner="one")
        clock.forward(31)
        second = await claimed(store, owner="two")
        assert second.token != first.token
        assert second.record.attempts == 2

    async def test_a_step_that_nobody_scheduled_is_not_worked_on(self, store, clock):
        await store.create(record(clock))
        claim = await store.claim(SECOND, owner="one", lease=LEASE)
        assert claim.outcome is ClaimOutcome.NOT_SCHEDULED
        assert claim.token is None

    async def test_a_finished_step_is_done_and_tells_its_follow_up(self, store, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        await store.commit(FIRST, token=claim.token, result=result())
        again = await store.claim(FIRST, owner="two", lease=LEASE)
        assert again.outcome is ClaimOutcome.DONE
        assert again.token is None
        assert again.record.next == SECOND
        assert again.record.next_open_since == clock()
        clock.forward(1)
        await claimed(store, SECOND)
        assert (await store.claim(FIRST, owner="two", lease=LEASE)).record.next_open_since is None

    async def test_a_follow_up_that_was_given_back_stands_open_since_then(self, store, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        await store.commit(FIRST, token=claim.token, result=result())
        claim = await claimed(store, SECOND)
        clock.forward(3)
        await store.release(SECOND, token=claim.token, error="the archive is full")
        for found in (
            (await store.claim(FIRST, owner="two", lease=LEASE)).record,
            next(one for one in await store.steps(RUN) if one.step == FIRST),
        ):
            assert found.next_open_since == clock()

    async def test_of_all_who_see_a_step_open_one_is_to_publish_it_again(self, opened, clock):
        stores = [opened() for _ in range(3)]
        await stores[0].create(record(clock))
        claim = await claimed(stores[0])
        await stores[0].commit(FIRST, token=claim.token, result=result())
        since = clock()
        clock.forward(3)
        noted = await asyncio.gather(*(stores[n % 3].note_published(SECOND, since=since) for n in range(9)))
        assert sorted(noted) == [False] * 8 + [True]
        again = await stores[0].claim(FIRST, owner="two", lease=LEASE)
        assert again.record.next_open_since == clock()
        assert await stores[1].stalled(waiting=timedelta(seconds=1)) == []
        await claimed(stores[2], SECOND)
        assert not await stores[0].note_published(SECOND, since=clock())
        for store in stores:
            await store.close()

    async def test_of_many_claimers_that_race_exactly_one_wins(self, opened, clock):
        stores = [opened() for _ in range(4)]
        await stores[0].create(record(clock))
        claims = await asyncio.gather(*(stores[n % 4].claim(FIRST, owner=str(n), lease=LEASE) for n in range(24)))
        outcomes = [claim.outcome for claim in claims]
        assert outcomes.count(ClaimOutcome.CLAIMED) == 1
        assert outcomes.count(ClaimOutcome.BUSY) == 23
        for store in stores:
            await store.close()

    async def test_no_step_of_an_ended_run_is_claimed(self, store, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        ended = result(following=None, ended=RunStatus.ENDED, answer={"status": "complete"})
        await store.commit(FIRST, token=claim.token, result=ended)
        for step in (FIRST, SECOND):
            assert (await store.claim(step, owner="two", lease=LEASE)).outcome is ClaimOutcome.RUN_ENDED

    async def test_no_step_of_an_expired_run_is_claimed(self, store, clock):
        await store.create(record(clock))
        clock.forward(7 * 86_400)
        assert (await store.claim(FIRST, owner="one", lease=LEASE)).outcome is ClaimOutcome.RUN_ENDED

    async def test_a_renewed_lease_holds_on(self, store, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        clock.forward(25)
        assert (await store.renew(FIRST, token=claim.token, lease=LEASE)).run_id == RUN
        clock.forward(25)
        assert (await store.claim(FIRST, owner="two", lease=LEASE)).outcome is ClaimOutcome.BUSY

    async def test_what_a_try_has_spent_stays_charged_whoever_works_on_the_step_next(self, store, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        spent = BudgetTotals(model_calls=3, tokens=40, usd=Decimal("0.0125"), model_seconds=1.5)
        assert (await store.renew(FIRST, token=claim.token, lease=LEASE, spent=spent)).budget == spent
        assert (await store.renew(FIRST, token=claim.token, lease=LEASE)).budget == spent
        clock.forward(31)
        again = await store.claim(FIRST, owner="two", lease=LEASE)
        assert again.outcome is ClaimOutcome.CLAIMED
        assert again.run.budget == spent
        with pytest.raises(LeaseLost):
            await store.renew(FIRST, token=claim.token, lease=LEASE, spent=BudgetTotals())
        written = result()
        await store.commit(FIRST, token=again.token, result=written)
        assert (await store.get(RUN)).budget == written.budget

    async def test_a_lease_that_another_took_over_is_not_renewed(self, store, clock):
        await store.create(record(clock))
        late = await claimed(store, owner="one")
        clock.forward(31)
        await claimed(store, owner="two")
        with pytest.raises(LeaseLost):
            await store.renew(FIRST, token=late.token, lease=LEASE)

    async def test_a_step_given_back_is_claimed_at_once_and_tells_why(self, store, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        await store.release(FIRST, token=claim.token, error="the archive is full")
        again = await claimed(store, owner="two")
        assert again.record.last_error == "the archive is full"
        assert again.record.attempts == 2
        with pytest.raises(LeaseLost):
            await store.release(FIRST, token=claim.token, error="late")


class TestCommits:
    async def test_a_commit_writes_everything_together(self, store, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        written = result(annotations=[note("a"), note("b", n=1)], events=[said(clock, "one"), said(clock, "two")])
        await store.commit(FIRST, token=claim.token, result=written)
        run = await store.get(RUN)
        assert (run.cursor_reading, run.cursor_stage) == (0, "slots")
        assert run.budget == written.budget
        assert await store.annotations(RUN) == list(written.annotations)
        assert await store.events(RUN) == [(1, said(clock, "one")), (2, said(clock, "two"))]
        first, second = await store.steps(RUN)
        assert first.step.id == "-1.understand"
        assert first.state is StepState.DONE
        assert first.usage == written.stage_usage
        assert first.models == written.model_usage
        assert first.annotation_count == 2
        assert second.step == SECOND
        assert second.state is StepState.OPEN

    async def test_a_commit_without_the_lease_writes_nothing(self, store, clock):
        await store.create(record(clock))
        late = await claimed(store, owner="one")
        clock.forward(31)
        await claimed(store, owner="two")
        before = (await store.get(RUN), await store.steps(RUN))
        with pytest.raises(LeaseLost):
            await store.commit(
                FIRST, token=late.token, result=result(annotations=[note("late")], events=[said(clock, "late")])
            )
        assert (await store.get(RUN), await store.steps(RUN)) == before
        assert await store.annotations(RUN) == []
        assert await store.events(RUN) == []

    async def test_a_lease_that_ran_out_but_that_nobody_took_still_commits(self, store, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        clock.forward(31)
        await store.commit(FIRST, token=claim.token, result=result(annotations=[note("kept")]))
        assert await store.annotations(RUN) == [note("kept")]

    async def test_a_second_commit_of_one_claim_writes_nothing(self, store, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        await store.commit(FIRST, token=claim.token, result=result(annotations=[note("once")]))
        with pytest.raises(LeaseLost):
            await store.commit(FIRST, token=claim.token, result=result(annotations=[note("twice", n=1)]))
        assert await store.annotations(RUN) == [note("once")]

    async def test_an_annotation_whose_key_is_there_is_left_as_it_was(self, store, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        await store.commit(FIRST, token=claim.token, result=result(annotations=[note("first")]))
        claim = await claimed(store, SECOND)
        same_key, other = note("changed"), note("new", stage="slots", reading=0)
        plan = SECOND.model_copy(update={"stage": StageName("discover")})
        await store.commit(
            SECOND, token=claim.token, result=result(SECOND, annotations=[same_key, other], following=plan)
        )
        assert await store.annotations(RUN) == [note("first"), other]
        assert (await claimed(store, plan)).annotation_count == 2

    async def test_annotations_are_read_in_the_order_of_commits_and_from_any_point(self, store, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        written = [note(str(n), n=9 - n) for n in range(10)]
        await store.commit(FIRST, token=claim.token, result=result(annotations=written))
        assert await store.annotations(RUN) == written
        assert await store.annotations(RUN, after=7) == written[7:]
        assert await store.annotations(RUN, after=10) == []

    async def test_a_payload_of_a_quarter_megabyte_travels_whole(self, store, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        large = note("ß" * 125_000)
        await store.commit(FIRST, token=claim.token, result=result(annotations=[large]))
        assert await store.annotations(RUN) == [large]

    async def test_a_run_ends_with_its_answer(self, store, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        answer = {"status": "complete", "claims": [{"value": "3500906030644.76"}], "table": None}
        await store.commit(
            FIRST, token=claim.token, result=result(following=None, ended=RunStatus.ENDED, answer=answer)
        )
        run = await store.get(RUN)
        assert run.status is RunStatus.ENDED
        assert run.answer == answer
        assert run.answer_blob is None

    async def test_an_answer_too_large_for_a_document_is_named(self, store, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        ended = result(following=None, ended=RunStatus.ENDED, answer_blob="runs/x/answer.json")
        await store.commit(FIRST, token=claim.token, result=ended)
        run = await store.get(RUN)
        assert (run.answer, run.answer_blob) == (None, "runs/x/answer.json")

    async def test_many_runs_commit_side_by_side_and_lose_nothing(self, opened, clock):
        stores = [opened() for _ in range(3)]

        async def go(n):
            store, run_id = stores[n % 3], RunId(f"run-{n}")
            first = FIRST.model_copy(update={"run_id": run_id})
            following = SECOND.model_copy(update={"run_id": run_id})
            await store.create(record(clock, run_id))
            claim = await claimed(store, first)
            await store.commit(
                first,
                token=claim.token,
                result=result(first, annotations=[note(str(n))], events=[said(clock, "x")], following=following),
            )

        await asyncio.gather(*(go(n) for n in range(30)))
        for n in range(30):
            assert await stores[0].annotations(RunId(f"run-{n}")) == [note(str(n))]
        for store in stores:
            await store.close()


class TestEvents:
    async def test_events_are_numbered_from_one_without_gaps(self, opened, clock):
        one, other = opened(), opened()
        await one.create(record(clock))
        numbers = await asyncio.gather(
            *((one, other)[n % 2].add_event(RUN, said(clock, str(n))) for n in range(20))
        )
        assert sorted(numbers) == list(range(1, 21))
        claim = await claimed(one)
        await one.commit(FIRST, token=claim.token, result=result(events=[said(clock, "last")]))
        events = await other.events(RUN, after=18)
        assert [n for n, _ in events] == [19, 20, 21]
        assert events[-1][1].text == "last"
        await one.close()
        await other.close()

    async def test_progress_tells_the_run_and_what_is_new(self, opened, clock):
        store, other = opened(), opened()
        with pytest.raises(RunNotFound):
            await store.progress(RUN)
        run = await store.create(record(clock))
        assert await store.progress(RUN) == (run, [])
        await other.add_event(RUN, said(clock, "one"))
        await other.add_event(RUN, said(clock, "two"))
        assert await store.progress(RUN, after=1) == (run, [(2, said(clock, "two"))])
        assert await store.progress(RUN, after=2) == (run, [])
        claim = await claimed(other)
        ended = result(
            events=[said(clock, "end")], following=None, ended=RunStatus.ENDED, answer={"status": "complete"}
        )
        await other.commit(FIRST, token=claim.token, result=ended)
        run, events = await store.progress(RUN, after=2)
        assert (run.status, events) == (RunStatus.ENDED, [(3, said(clock, "end"))])
        clock.forward(7 * 86_400)
        with pytest.raises(RunNotFound):
            await store.progress(RUN)
        await store.close()
        await other.close()

    async def test_an_event_of_a_run_that_does_not_exist_is_refused(self, store, clock):
        with pytest.raises(RunNotFound):
            await store.add_event(RunId("nobody"), said(clock, "x"))


class TestCancelling:
    async def test_a_cancelled_run_is_flagged_for_whoever_works_on_it(self, store, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        flagged = await store.request_cancel(RUN)
        assert flagged.cancel_requested
        assert flagged.status is RunStatus.RUNNING
        assert (await store.renew(FIRST, token=claim.token, lease=LEASE)).cancel_requested

    async def test_a_flagged_run_is_still_claimed_so_that_it_can_be_ended(self, store, clock):
        await store.create(record(clock))
        await store.request_cancel(RUN)
        claim = await claimed(store)
        assert claim.run.cancel_requested
        await store.commit(
            FIRST,
            token=claim.token,
            result=result(following=None, ended=RunStatus.CANCELLED, answer={"status": "cancelled"}),
        )
        assert (await store.get(RUN)).status is RunStatus.CANCELLED

    async def test_a_commit_after_the_flag_keeps_the_flag(self, store, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        await store.request_cancel(RUN)
        await store.commit(FIRST, token=claim.token, result=result())
        assert (await store.get(RUN)).cancel_requested

    async def test_a_run_that_has_ended_is_returned_unchanged(self, store, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        await store.commit(
            FIRST, token=claim.token, result=result(following=None, ended=RunStatus.ENDED, answer={"status": "x"})
        )
        before = await store.get(RUN)
        assert await store.request_cancel(RUN) == before


class TestStalled:
    async def stalled(self, store):
        return [found.step.id for found in await store.stalled(waiting=WAITING)]

    async def test_a_step_at_work_or_just_scheduled_is_not_stalled(self, store, clock):
        await store.create(record(clock))
        assert await self.stalled(store) == []
        await claimed(store)
        clock.forward(29)
        assert await self.stalled(store) == []

    async def test_a_step_whose_message_was_lost_is_stalled(self, store, clock):
        await store.create(record(clock))
        clock.forward(11)
        assert await self.stalled(store) == ["-1.understand"]

    async def test_a_step_whose_worker_died_is_stalled_when_its_lease_runs_out(self, store, clock):
        await store.create(record(clock))
        await claimed(store)
        clock.forward(30)
        assert await self.stalled(store) == ["-1.understand"]

    async def test_a_follow_up_whose_message_was_lost_or_never_published_is_stalled(self, store, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        await store.commit(FIRST, token=claim.token, result=result())
        assert await self.stalled(store) == []
        clock.forward(11)
        (found,) = await store.stalled(waiting=WAITING)
        assert found.step == SECOND

    async def test_nothing_of_an_ended_run_is_stalled(self, store, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        await store.commit(FIRST, token=claim.token, result=result())
        claim = await claimed(store, SECOND)
        await store.commit(
            SECOND,
            token=claim.token,
            result=result(SECOND, following=None, ended=RunStatus.ENDED, answer={"status": "x"}),
        )
        clock.forward(100)
        assert await self.stalled(store) == []

    async def test_the_longest_stalled_come_first_and_no_more_than_asked_for(self, store, clock):
        for n in range(5):
            await store.create(record(clock, RunId(f"run-{n}")))
            clock.forward(1)
        clock.forward(20)
        found = await store.stalled(waiting=WAITING, limit=3)
        assert [record.step.run_id for record in found] == ["run-0", "run-1", "run-2"]


class TestExpiry:
    async def test_an_expired_run_is_neither_found_nor_listed_nor_stalled(self, store, clock):
        await store.create(record(clock))
        clock.forward(7 * 86_400)
        with pytest.raises(RunNotFound):
            await store.get(RUN)
        assert await store.recent() == []
        assert await store.stalled(waiting=WAITING) == []

    async def test_purging_deletes_expired_runs_and_nothing_else(self, store, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        await store.commit(FIRST, token=claim.token, result=result(annotations=[note("old")]))
        clock.forward(6 * 86_400)
        await store.create(record(clock, RunId("young")))
        clock.forward(2 * 86_400)
        await store.purge()
        assert await store.annotations(RUN) == []
        assert [run.run_id for run in await store.recent()] == ["young"]
        assert await store.purge() == 0
