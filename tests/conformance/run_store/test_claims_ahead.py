"""What every store promises that takes a follow-up with the commit that opens it."""

from __future__ import annotations

from datetime import timedelta

import pytest

from shared.adapters.sqlite_store import SqliteStore
from shared.runtime.errors import LeaseLost
from shared.runtime.records import ClaimOutcome, RunStatus, StepState
from tests.conformance.run_store.adapters import Clock
from tests.conformance.run_store.test_run_store import (
    FIRST,
    LEASE,
    RUN,
    SECOND,
    WAITING,
    claimed,
    note,
    record,
    result,
    said,
)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
async def store(tmp_path, clock):
    store = SqliteStore(tmp_path / "runs.sqlite3", clock=clock)
    await store.create(record(clock))
    yield store
    await store.close()


async def ahead(store, claim, step=FIRST, owner="one", **changes):
    return await store.commit_and_claim(
        step, token=claim.token, result=result(step, **changes), run=claim.run, owner=owner, lease=LEASE
    )


async def test_it_hands_over_what_a_claim_would_and_keeps_others_off(store, clock):
    claim = await claimed(store)
    taken = await ahead(store, claim, annotations=[note("a"), note("b", n=1)], events=[said(clock, "x")])
    stored = await store.get(RUN)
    assert taken.outcome is ClaimOutcome.CLAIMED
    assert taken.run == stored
    assert taken.annotation_count == 2
    assert (taken.record.step, taken.record.state, taken.record.attempts) == (SECOND, StepState.CLAIMED, 1)
    assert taken.record.lease_until == clock() + LEASE
    assert taken.token == taken.record.token != claim.token
    other = await store.claim(SECOND, owner="two", lease=LEASE)
    assert other.outcome is ClaimOutcome.BUSY
    assert other.record == taken.record
    assert [event.text for _, event in await store.events(RUN)] == ["x"]


async def test_what_was_taken_commits_is_renewed_and_is_given_back(store):
    taken = await ahead(store, await claimed(store))
    await store.renew(SECOND, token=taken.token, lease=LEASE)
    await store.release(SECOND, token=taken.token, error="not begun")
    again = await claimed(store, SECOND, owner="two")
    assert again.record.attempts == 2
    with pytest.raises(LeaseLost):
        await ahead(store, taken, SECOND, following=None, ended=RunStatus.ENDED, answer={})


async def test_its_lease_runs_out_by_itself_and_the_step_is_then_stalled(store, clock):
    await ahead(store, await claimed(store))
    clock.forward(LEASE.total_seconds() - 1)
    assert await store.stalled(waiting=WAITING) == []
    clock.forward(1)
    assert [stalled.step for stalled in await store.stalled(waiting=WAITING)] == [SECOND]
    assert (await claimed(store, SECOND, owner="two")).record.attempts == 2


async def test_a_worker_that_lost_its_step_neither_commits_nor_takes(store, clock):
    late = await claimed(store)
    clock.forward(LEASE.total_seconds() + 1)
    await claimed(store, owner="two")
    with pytest.raises(LeaseLost):
        await ahead(store, late, annotations=[note("late")])
    assert await store.annotations(RUN) == []
    assert [step.step for step in await store.steps(RUN)] == [FIRST]


async def test_a_cancellation_asked_for_meanwhile_is_handed_over(store):
    claim = await claimed(store)
    await store.request_cancel(RUN)
    assert (await ahead(store, claim)).run.cancel_requested


async def test_the_end_of_a_run_takes_nothing(store):
    claim = await claimed(store)
    assert await ahead(store, claim, following=None, ended=RunStatus.ENDED, answer={"text": "7"}) is None
    assert (await store.get(RUN)).answer == {"text": "7"}


async def test_a_follow_up_that_was_there_before_is_not_taken(store):
    taken = await ahead(store, await claimed(store))
    assert await ahead(store, taken, SECOND, following=FIRST) is None
    assert (await store.claim(FIRST, owner="two", lease=timedelta(seconds=1))).outcome is ClaimOutcome.DONE
