"""What the sweep function drives on, and how what was given up ends."""

from __future__ import annotations

from datetime import timedelta

import pytest
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.routing import Route
from starlette.testclient import TestClient

from functions.sweep.duty import quitter, settle_letter, sweep_runs
from shared.query.answer import AnswerStatus
from shared.query.identifiers import RunId, StageName
from shared.runtime.context import utc_now
from shared.runtime.errors import BusError, StoreUnavailable
from shared.runtime.messages import Announced, Ended, Question
from shared.runtime.records import ClaimOutcome, RunStatus, StepRef
from shared.runtime.sweep import sweep
from tests.support.machine import OPTIONS, machine, trivial


class Recording:
    """A bus that remembers what was published, until it fails."""

    def __init__(self) -> None:
        self.steps: list[StepRef] = []
        self.broken = False

    async def publish(self, step: StepRef) -> None:
        if self.broken:
            raise BusError("publishing failed")
        self.steps.append(step)


class Desk:
    """What is told to the topics around the pipeline."""

    def __init__(self, built) -> None:
        self.announced: list[Announced] = []
        self.ended: list[RunId] = []
        self.bus = Recording()
        self._built = built
        self._runner = quitter(
            store=built.store, bus=built.bus, archive=built.archive, on_ended=self._told_of_the_end
        )

    async def _told_of_the_end(self, run_id: RunId) -> None:
        self.ended.append(run_id)

    async def _announce(self, message: Announced) -> None:
        self.announced.append(message)

    async def settle(self, letter, *, late: bool = True) -> None:
        """Settle it after the run's deadline, or before."""
        await settle_letter(
            letter,
            runner=self._runner,
            store=self._built.store,
            bus=self.bus,
            clock=lambda: utc_now() + timedelta(minutes=5 if late else 0),
            archive=self._built.archive,
            announce=self._announce,
        )


def first(run) -> StepRef:
    return StepRef(run_id=run.run_id, reading=-1, stage=StageName("understand"))


async def test_a_step_that_was_given_up_ends_its_run_with_a_failure_that_is_told(tmp_path):
    async with machine(tmp_path, trivial(), start=False) as built:
        desk = Desk(built)
        run = await built.client.submit("What is it?", OPTIONS)
        await desk.settle(first(run))
        ended, answer = await built.client.result(run.run_id)
        assert await built.archive.get(f"runs/{run.run_id}/trace.json")
    assert ended.status is RunStatus.ENDED
    assert answer is not None
    assert answer.status is AnswerStatus.FAILED
    assert "understand was tried too often and given up" in answer.failures[0].reason
    assert "tried too often" in answer.text
    assert desk.ended == [run.run_id]


async def test_a_step_that_was_given_up_while_its_run_has_time_goes_out_anew(tmp_path):
    async with machine(tmp_path, trivial(), start=False) as built:
        desk = Desk(built)
        run = await built.client.submit("What is it?", OPTIONS)
        await desk.settle(first(run), late=False)
        assert (await built.store.get(run.run_id)).status is RunStatus.RUNNING
    assert desk.bus.steps == [first(run)]
    assert not desk.ended


async def test_a_step_of_a_run_that_has_ended_does_not_go_out_anew(tmp_path):
    async with machine(tmp_path, trivial()) as built:
        desk = Desk(built)
        answer = await built.client.ask("What is it?", OPTIONS)
        await desk.settle(StepRef(run_id=answer.run_id, reading=0, stage=StageName("plan")), late=False)
    assert not desk.bus.steps


async def test_the_same_letter_again_ends_nothing_twice_and_tells_of_the_end_again(tmp_path):
    async with machine(tmp_path, trivial(), start=False) as built:
        desk = Desk(built)
        run = await built.client.submit("What is it?", OPTIONS)
        await desk.settle(first(run))
        _, answer = await built.client.result(run.run_id)
        await desk.settle(first(run))
        assert (await built.client.result(run.run_id))[1] == answer
    assert desk.ended == [run.run_id, run.run_id]


async def test_a_step_in_the_middle_is_given_up_with_what_its_last_try_said(tmp_path):
    async with machine(tmp_path, trivial(), start=False) as built:
        desk = Desk(built)
        run = await built.client.submit("What is it?", OPTIONS)
        await built.runner.handle(first(run))
        slots = StepRef(run_id=run.run_id, reading=0, stage=StageName("slots"))
        claimed = await built.store.claim(slots, owner="other", lease=timedelta(seconds=30))
        await built.store.release(slots, token=claimed.token, error="the archive is full")
        await desk.settle(slots)
        _, answer = await built.client.result(run.run_id)
    assert answer is not None
    assert answer.status is AnswerStatus.FAILED
    assert answer.failures[0].reason == "slots was tried too often and given up: the archive is full"
    assert answer.readings_tried[0].status is AnswerStatus.FAILED


async def test_a_step_that_somebody_works_on_is_left_alone(tmp_path):
    async with machine(tmp_path, trivial(), start=False) as built:
        desk = Desk(built)
        run = await built.client.submit("What is it?", OPTIONS)
        claimed = await built.store.claim(first(run), owner="other", lease=timedelta(seconds=30))
        assert claimed.outcome is ClaimOutcome.CLAIMED
        await desk.settle(first(run))
        assert (await built.store.get(run.run_id)).status is RunStatus.RUNNING
    assert not desk.ended


@pytest.mark.parametrize(
    "step",
    [
        StepRef(run_id=RunId("nobody"), reading=0, stage=StageName("plan")),
        StepRef(run_id=RunId("nobody"), reading=7, stage=StageName("present")),
    ],
)
async def test_a_step_of_a_run_that_does_not_exist_is_done_with(tmp_path, step):
    async with machine(tmp_path, trivial(), start=False) as built:
        desk = Desk(built)
        await desk.settle(step)
    assert not desk.ended
    assert not desk.announced


async def test_a_step_that_nobody_asked_for_ends_nothing(tmp_path):
    async with machine(tmp_path, trivial(), start=False) as built:
        desk = Desk(built)
        run = await built.client.submit("What is it?", OPTIONS)
        await desk.settle(StepRef(run_id=run.run_id, reading=0, stage=StageName("present")))
        assert (await built.store.get(run.run_id)).status is RunStatus.RUNNING


async def test_a_question_that_was_given_up_is_announced_as_rejected(tmp_path):
    async with machine(tmp_path, trivial(), start=False) as built:
        desk = Desk(built)
        await desk.settle(Question(RunId("q-7"), {"question": "Why?"}))
    (told,) = desk.announced
    assert (told.run_id, told.status, told.answer, told.question) == ("q-7", "rejected", None, "Why?")
    assert told.error is not None
    assert told.error["code"] == "question_not_taken"


async def test_a_run_whose_archiving_was_given_up_is_archived_after_all(tmp_path):
    async with machine(tmp_path, trivial()) as built:
        desk = Desk(built)
        answer = await built.client.ask("What is it?", OPTIONS)
        await desk.settle(Ended(answer.run_id))
        assert [name async for name in built.archive.list("usage/")]
    assert [told.status for told in desk.announced] == ["complete"]


async def test_a_question_whose_run_is_there_is_not_rejected_as_well(tmp_path):
    async with machine(tmp_path, trivial(), start=False) as built:
        desk = Desk(built)
        run = await built.client.submit("What is it?", OPTIONS, run_id=RunId("c-1"))
        await desk.settle(Question(run.run_id, {"question": "What is it?"}))
        await desk.settle(Question(RunId("c-2"), {"question": "And that?"}))
    assert [told.run_id for told in desk.announced] == ["c-2"]


async def test_a_stage_whose_topic_takes_nothing_keeps_no_other_stage_waiting(tmp_path):
    class Partly(Recording):
        async def publish(self, step: StepRef) -> None:
            self.broken = step.stage == "understand"
            await super().publish(step)

    async with machine(tmp_path, trivial(), start=False) as built:
        stuck = [await built.client.submit("What is it?", OPTIONS) for _ in range(3)]
        other = await built.client.submit("What is it?", OPTIONS)
        await built.runner.handle(first(other))
        bus = Partly()
        with pytest.raises(BusError, match="the steps of understand could not be driven on"):
            await sweep(built.store, bus, waiting=timedelta(0))
    assert len(stuck) == 3
    assert [(step.run_id, step.stage) for step in bus.steps] == [(other.run_id, "slots")]


async def test_a_store_that_is_away_brings_the_letter_again(tmp_path):
    async with machine(tmp_path, trivial(), start=False) as built:
        desk = Desk(built)
        run = await built.client.submit("What is it?", OPTIONS)

        async def away(*_, **__):
            raise StoreUnavailable("the store is away")

        built.store.claim = away
        with pytest.raises(StoreUnavailable):
            await desk.settle(first(run))


# ---- the scheduler's request -----------------------------------------------------------------------


def asked(store, bus, *, method: str = "POST", waiting: float = 0.0):
    async def endpoint(request: Request):
        return await sweep_runs(request, store=store, bus=bus, waiting=timedelta(seconds=waiting))

    app = Starlette(routes=[Route("/", endpoint, methods=["GET", "POST"])])
    return TestClient(app).request(method, "/")


async def test_the_schedulers_request_drives_stalled_steps_on(tmp_path):
    bus = Recording()
    async with machine(tmp_path, trivial(), start=False) as built:
        run = await built.client.submit("What is it?", OPTIONS)
        reply = asked(built.store, bus)
        again = asked(built.store, bus, waiting=60.0)
    assert (reply.status_code, reply.json()) == (200, {"published": 1, "purged": 0})
    assert [(step.run_id, step.stage) for step in bus.steps] == [(run.run_id, "understand")]
    assert again.json() == {"published": 0, "purged": 0}


async def test_a_sweep_that_cannot_be_made_is_asked_for_again(tmp_path):
    bus = Recording()
    bus.broken = True
    async with machine(tmp_path, trivial(), start=False) as built:
        await built.client.submit("What is it?", OPTIONS)
        reply = asked(built.store, bus)
    assert (reply.status_code, reply.headers["retry-after"]) == (503, "10")
    assert reply.json() == {"error": "the steps of understand could not be driven on: publishing failed"}


async def test_a_sweep_is_asked_for_by_post(tmp_path):
    async with machine(tmp_path, trivial(), start=False) as built:
        assert asked(built.store, Recording(), method="GET").status_code == 405
