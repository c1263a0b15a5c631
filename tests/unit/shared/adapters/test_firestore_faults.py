"""A Firestore that refuses, stays silent, loses answers or is faster for others: what the store makes of it."""

from __future__ import annotations

import asyncio
import time
from datetime import timedelta
from uuid import uuid4

import grpc
import pytest

from functions.local.emulators import free_port
from shared.adapters.firestore_store import FirestoreStore
from shared.query.identifiers import RunId
from shared.runtime.errors import LeaseLost, StoreError, StoreUnavailable
from shared.runtime.records import ClaimOutcome, RunStatus, StepState
from tests.conformance.run_store.adapters import Clock
from tests.conformance.run_store.test_run_store import FIRST, LEASE, RUN, SECOND, note, record, result, said
from tests.support.firestore_faults import Refuse, Silence, faulty

Code = grpc.StatusCode
PASSING = [Code.ABORTED, Code.RESOURCE_EXHAUSTED, Code.DEADLINE_EXCEEDED, Code.UNAVAILABLE, Code.INTERNAL]
LOST = Refuse(Code.UNAVAILABLE, after=True)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
async def wire(firestore_emulator):
    async with faulty(firestore_emulator.address) as wire:
        yield wire


@pytest.fixture
async def open_store(clock):
    """Opens stores over one place; they are closed when the test is over."""
    opened, project = [], f"place-{uuid4().hex[:16]}"

    def go(address, *, patience=30.0, call_seconds=20.0):
        opened.append(
            FirestoreStore(
                project=project, clock=clock, emulator=address, patience=patience, call_seconds=call_seconds
            )
        )
        return opened[-1]

    yield go
    for store in opened:
        await store.close()


@pytest.fixture
def store(open_store, wire):
    return open_store(wire.address)


@pytest.fixture
def other(open_store, firestore_emulator):
    """Another worker, whose calls all go well."""
    return open_store(firestore_emulator.address)


async def claimed(store, step=FIRST):
    claim = await store.claim(step, owner="one", lease=LEASE)
    assert claim.outcome is ClaimOutcome.CLAIMED
    return claim


OPERATIONS = {
    "create": lambda store, clock: store.create(record(clock)),
    "get": lambda store, clock: store.get(RUN),
    "claim": lambda store, clock: store.claim(FIRST, owner="one", lease=LEASE),
    "renew": lambda store, clock: store.renew(FIRST, token="t", lease=LEASE),
    "commit": lambda store, clock: store.commit(FIRST, token="t", result=result()),
    "release": lambda store, clock: store.release(FIRST, token="t", error="x"),
    "annotations": lambda store, clock: store.annotations(RUN),
    "steps": lambda store, clock: store.steps(RUN),
    "add_event": lambda store, clock: store.add_event(RUN, said(clock, "x")),
    "events": lambda store, clock: store.events(RUN),
    "request_cancel": lambda store, clock: store.request_cancel(RUN),
    "stalled": lambda store, clock: store.stalled(waiting=LEASE),
    "recent": lambda store, clock: store.recent(),
}


async def outcomes(store, clock):
    """What comes of every operation, all begun at once."""
    return await asyncio.gather(
        *(operation(store, clock) for operation in OPERATIONS.values()), return_exceptions=True
    )


class TestTroubleThatStays:
    async def test_a_store_that_never_answers_is_given_up_in_time_by_every_operation(self, open_store, clock):
        async with faulty() as wire:
            wire.always = Silence()
            store = open_store(wire.address, patience=1.5, call_seconds=0.5)
            began = time.monotonic()
            for error in await outcomes(store, clock):
                assert isinstance(error, StoreUnavailable)
                assert "did not answer in time" in str(error)
            assert time.monotonic() - began < 3.0
            assert len(wire.calls) >= 2 * len(OPERATIONS)

    @pytest.mark.parametrize("code", PASSING, ids=lambda code: code.name)
    async def test_passing_trouble_that_stays_is_told_as_such_by_every_operation(self, open_store, clock, code):
        async with faulty() as wire:
            wire.always = Refuse(code)
            store = open_store(wire.address, patience=1.0)
            told = "did not answer in time" if code is Code.DEADLINE_EXCEEDED else "told by the test"
            for error in await outcomes(store, clock):
                assert isinstance(error, StoreUnavailable)
                assert told in str(error)
            assert len(wire.calls) >= 2 * len(OPERATIONS)

    @pytest.mark.parametrize(
        ("code", "what_to_do"),
        [
            (Code.PERMISSION_DENIED, "roles/datastore.user"),
            (Code.UNAUTHENTICATED, "does not accept the credentials: renew them"),
            (
                Code.NOT_FOUND,
                "create the database in Native mode, or name another with NEURALKG_FIRESTORE_DATABASE",
            ),
            (Code.FAILED_PRECONDITION, "the indexes of infra/firestore.json"),
            (Code.INVALID_ARGUMENT, "calls the request invalid"),
        ],
        ids=lambda value: value.name if isinstance(value, Code) else "",
    )
    @pytest.mark.parametrize("operation", ["create", "get", "claim", "stalled"])
    async def test_what_does_not_pass_is_told_at_once_with_what_to_do(
        self, open_store, clock, operation, code, what_to_do
    ):
        async with faulty() as wire:
            wire.always = Refuse(code)
            store = open_store(wire.address)
            began = time.monotonic()
            with pytest.raises(StoreError, match=what_to_do) as caught:
                await OPERATIONS[operation](store, clock)
            assert not isinstance(caught.value, StoreUnavailable)
            assert time.monotonic() - began < 2.0
            assert len(wire.calls) <= 2

    async def test_a_store_that_is_not_there_is_unavailable(self, open_store):
        store = open_store(f"127.0.0.1:{free_port()}", patience=0.3)
        with pytest.raises(StoreUnavailable, match="cannot be reached"):
            await store.get(RUN)

    async def test_a_caller_that_leaves_does_not_wait_for_an_answer(self, open_store):
        async with faulty() as wire:
            wire.always = Silence()
            waiting = asyncio.create_task(open_store(wire.address).get(RUN))
            await asyncio.sleep(0.3)
            waiting.cancel()
            began = time.monotonic()
            with pytest.raises(asyncio.CancelledError):
                await waiting
            assert time.monotonic() - began < 0.5

    async def test_a_document_that_others_keep_changing_is_told_as_contended(self, open_store, wire, other, clock):
        await other.create(record(clock))

        async def faster(method):
            if method == "Commit":
                await other.add_event(RUN, said(clock, "mine first"))

        wire.between = faster
        with pytest.raises(StoreUnavailable, match="others kept changing the same documents"):
            await open_store(wire.address, patience=2.0).add_event(RUN, said(clock, "never"))


class TestTroubleThatPasses:
    @pytest.mark.parametrize("code", PASSING, ids=lambda code: code.name)
    async def test_a_run_goes_its_way_although_every_call_fails_at_first(self, store, wire, clock, code):
        for method in ("Commit", "BatchGetDocuments", "RunQuery"):
            wire.next(method, Refuse(code), Refuse(code))
        await store.create(record(clock))
        wire.next("Commit", Refuse(code))
        wire.next("BatchGetDocuments", Refuse(code))
        claim = await claimed(store)
        wire.next("Commit", Refuse(code))
        await store.commit(FIRST, token=claim.token, result=result(annotations=[note("a")]))
        assert await store.annotations(RUN) == [note("a")]
        assert [step.attempts for step in await store.steps(RUN)] == [1, 0]

    async def test_silence_costs_one_call_and_not_the_operation(self, open_store, wire, other, clock):
        await other.create(record(clock))
        wire.next("BatchGetDocuments", Silence())
        assert (await open_store(wire.address, call_seconds=0.5).get(RUN)).run_id == RUN

    async def test_a_store_that_comes_back_is_found_again(self, open_store, firestore_emulator, clock):
        async with faulty(firestore_emulator.address) as wire:
            address = wire.address
            store = open_store(address)
            await store.create(record(clock))
        getting = asyncio.create_task(store.get(RUN))
        await asyncio.sleep(0.2)
        assert not getting.done()
        server = grpc.aio.server()
        assert server.add_insecure_port(address)
        await server.start()
        # It is back but knows nothing: any answer shows that the channel found it.
        with pytest.raises(StoreError, match="failed"):
            await getting
        await server.stop(0)


@pytest.mark.parametrize("lost", [LOST, Silence(after=True)], ids=["refused", "silent"])
class TestLostAnswers:
    """The write was done, and its answer did not come: the operation must know its own work."""

    @pytest.fixture
    def store(self, open_store, wire):
        return open_store(wire.address, call_seconds=0.5)

    async def test_a_run_is_created_once(self, store, wire, clock, lost):
        wire.next("Commit", lost)
        assert await store.create(record(clock)) == record(clock)
        assert (await store.get(RUN)) == record(clock)

    async def test_a_claim_is_one_claim(self, store, wire, clock, lost):
        await store.create(record(clock))
        wire.next("Commit", lost)
        claim = await claimed(store)
        assert claim.record.attempts == 1
        await store.commit(FIRST, token=claim.token, result=result())
        assert (await store.steps(RUN))[0].attempts == 1

    async def test_a_commit_is_one_commit(self, store, wire, clock, lost):
        await store.create(record(clock))
        claim = await claimed(store)
        wire.next("Commit", lost)
        written = result(annotations=[note("a"), note("b", n=1)], events=[said(clock, "x")])
        await store.commit(FIRST, token=claim.token, result=written)
        assert await store.annotations(RUN) == [note("a"), note("b", n=1)]
        assert await store.events(RUN) == [(1, said(clock, "x"))]
        assert [step.step for step in await store.steps(RUN)] == [FIRST, SECOND]
        with pytest.raises(LeaseLost):
            await store.commit(FIRST, token=claim.token, result=written)

    async def test_a_commit_is_known_although_its_follow_up_was_taken_meanwhile(
        self, store, wire, other, clock, lost
    ):
        await store.create(record(clock))
        claim = await claimed(store)
        wire.next("Commit", lost)
        committing = asyncio.create_task(store.commit(FIRST, token=claim.token, result=result()))
        async with asyncio.timeout(5):
            while (await other.claim(SECOND, owner="two", lease=LEASE)).outcome is not ClaimOutcome.CLAIMED:
                await other.get(RUN)
        await committing

    async def test_a_commit_that_ends_the_run_is_one_commit(self, store, wire, clock, lost):
        await store.create(record(clock))
        claim = await claimed(store)
        wire.next("Commit", lost)
        ended = result(following=None, ended=RunStatus.ENDED, answer={"status": "complete"})
        await store.commit(FIRST, token=claim.token, result=ended)
        assert (await store.get(RUN)).answer == {"status": "complete"}

    async def test_a_renewal_holds(self, store, wire, clock, lost):
        await store.create(record(clock))
        claim = await claimed(store)
        clock.forward(20)
        wire.next("Commit", lost)
        await store.renew(FIRST, token=claim.token, lease=LEASE)
        await store.commit(FIRST, token=claim.token, result=result())

    async def test_a_step_is_given_back_once(self, store, wire, clock, lost):
        await store.create(record(clock))
        claim = await claimed(store)
        wire.next("Commit", lost)
        await store.release(FIRST, token=claim.token, error="the archive is full")
        assert (await store.steps(RUN))[0].state is StepState.OPEN
        with pytest.raises(LeaseLost):
            await store.release(FIRST, token=claim.token, error="late")

    async def test_an_event_is_one_event(self, store, wire, clock, lost):
        await store.create(record(clock))
        wire.next("Commit", lost)
        assert await store.add_event(RUN, said(clock, "x")) == 1
        assert await store.add_event(RUN, said(clock, "y")) == 2
        assert await store.events(RUN) == [(1, said(clock, "x")), (2, said(clock, "y"))]

    async def test_an_event_of_a_held_step_is_one_event(self, store, wire, clock, lost):
        await store.create(record(clock))
        claim = await claimed(store)
        wire.next("Commit", lost)
        assert await store.add_event(RUN, said(clock, "x")) == 1
        await store.commit(FIRST, token=claim.token, result=result(events=[said(clock, "y")]))
        assert [event.text for _, event in await store.events(RUN)] == ["x", "y"]

    async def test_a_cancellation_is_flagged(self, store, wire, clock, lost):
        await store.create(record(clock))
        wire.next("Commit", lost)
        assert (await store.request_cancel(RUN)).cancel_requested


class TestRaces:
    """Another worker writes between what this one read and what it writes."""

    async def test_a_commit_after_anothers_event_and_cancellation_keeps_both(self, store, other, clock):
        await store.create(record(clock))
        claim = await claimed(store)
        assert await other.add_event(RUN, said(clock, "theirs")) == 1
        await other.request_cancel(RUN)
        await store.commit(FIRST, token=claim.token, result=result(events=[said(clock, "mine")]))
        assert [event.text for _, event in await store.events(RUN)] == ["theirs", "mine"]
        assert (await store.get(RUN)).cancel_requested

    async def test_a_claim_that_another_makes_first_is_busy(self, store, wire, other, clock):
        await other.create(record(clock))

        async def faster(method):
            if method == "Commit" and not taken:
                taken.append(await claimed(other))

        taken = []
        wire.between = faster
        assert (await store.claim(FIRST, owner="late", lease=LEASE)).outcome is ClaimOutcome.BUSY
        assert (await other.steps(RUN))[0].token == taken[0].token

    async def test_a_commit_whose_step_is_taken_over_at_the_last_moment_writes_nothing(
        self, store, wire, other, clock
    ):
        await store.create(record(clock))
        claim = await claimed(store)
        clock.forward(31)

        async def faster(method):
            if method == "Commit" and not taken:
                taken.append(await claimed(other))

        taken = []
        wire.between = faster
        with pytest.raises(LeaseLost):
            await store.commit(FIRST, token=claim.token, result=result(annotations=[note("late")]))
        assert await other.annotations(RUN) == []

    async def test_many_waiters_of_one_step_end_with_one_holder(self, open_store, wire, clock):
        stores = [open_store(wire.address) for _ in range(8)]
        await stores[0].create(record(clock, RunId("busy")))
        step = FIRST.model_copy(update={"run_id": RunId("busy")})
        claims = await asyncio.gather(
            *(stores[n % 8].claim(step, owner=str(n), lease=timedelta(seconds=30)) for n in range(32))
        )
        assert [claim.outcome for claim in claims].count(ClaimOutcome.CLAIMED) == 1


async def test_an_operation_that_is_under_way_when_the_store_is_closed_ends_as_unavailable(open_store):
    async with faulty() as wire:
        wire.always = Silence()
        store = open_store(wire.address)
        waiting = asyncio.create_task(store.get(RUN))
        await asyncio.sleep(0.3)
        await store.close()
        with pytest.raises(StoreUnavailable):
            await asyncio.wait_for(waiting, 5)
