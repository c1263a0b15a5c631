"""The client behind the ask function."""

from __future__ import annotations

import pytest

from functions.ask.hosted import HostedApplication
from functions.hosting.telemetry import Passed
from shared.query.identifiers import RunId
from shared.runtime.errors import BusError
from tests.support.machine import OPTIONS, machine, trivial
from tests.support.scripted import REGISTRY


class Broken:
    async def publish(self, step: object) -> None:
        raise BusError("publishing failed")


@pytest.mark.parametrize(("run_id", "cancelled"), [(None, True), (RunId("q-1"), False)])
async def test_a_question_that_could_not_be_sent_on_is_not_answered_later_unless_its_message_comes_again(
    tmp_path, run_id, cancelled
):
    async with machine(tmp_path, trivial(), start=False) as built:
        app = HostedApplication(
            store=built.store,
            bus=Broken(),
            archive=built.archive,
            finder=None,
            registry=REGISTRY,
            tracing=Passed(),
        )
        with pytest.raises(BusError):
            await app.submit("What is it?", OPTIONS, run_id=run_id)
        (run,) = await built.store.recent()
    assert run.cancel_requested is cancelled
