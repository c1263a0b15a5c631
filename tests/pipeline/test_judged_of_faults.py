"""What language models judged for a stage is written down, also where the stage ends in a fault."""

from __future__ import annotations

import pytest

from shared.query.annotated import AskOptions, Failed, Judged
from shared.query.evidence import FailureStatus
from shared.runtime.errors import DeadlineExceeded, ModelUnavailable, TooLarge
from tests.support.machine import machine, trivial

JUDGED = Judged(task="choose.v1", by="m1", offered={"id": ("a", "b")}, chosen={"id": ("a",)}, accepted=True, why="")


@pytest.mark.parametrize("error", [ModelUnavailable("down"), DeadlineExceeded("late"), ValueError("a fault")])
async def test_a_stage_that_ends_in_a_fault_keeps_what_was_judged_for_it(tmp_path, error):
    async def select(query, context):
        context.judged += [JUDGED, JUDGED.model_copy(update={"accepted": False, "why": "an id not offered"})]
        raise error

    async with machine(tmp_path, trivial(bodies={"select": select})) as m:
        run = await m.client.submit("?", AskOptions())
        await m.client.wait(run.run_id)
        written = [one for one in await m.store.annotations(run.run_id) if one.stage == "select"]
    assert [type(one.payload) for one in written] == [Failed, Judged, Judged]
    assert [one.payload.accepted for one in written[1:]] == [True, False]
    assert len({one.key for one in written}) == 3


async def test_of_what_is_too_large_for_the_store_only_the_fault_is_kept(tmp_path):
    async def select(query, context):
        context.judged.append(JUDGED)
        raise TooLarge("too large")

    async with machine(tmp_path, trivial(bodies={"select": select})) as m:
        run = await m.client.submit("?", AskOptions())
        await m.client.wait(run.run_id)
        (failed, *_) = [one.payload for one in await m.store.annotations(run.run_id) if one.stage == "select"]
    assert isinstance(failed, Failed)
    assert failed.failure.status is FailureStatus.INTERNAL
