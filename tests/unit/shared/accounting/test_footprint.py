"""A run is billed for the reads and writes that the store counts when each stage is a worker of its own."""

from __future__ import annotations

import random
from datetime import timedelta
from decimal import Decimal
from functools import partial

import pytest

from functions.archive.archiving import archive_run
from shared.accounting.footprint import POLLS_A_SECOND, billed_seconds, footprint, reads, writes
from shared.accounting.ledger import read_ledger
from shared.accounting.window import Window
from shared.adapters.firestore_store import FirestoreStore
from shared.adapters.folder_archive import FolderArchive
from shared.query.annotated import AskOptions
from shared.runtime.client import RunClient
from shared.runtime.context import RunContext, utc_now
from shared.runtime.messages import Ended
from shared.runtime.records import StepRef
from shared.runtime.runner import StageRunner
from shared.runtime.settings import PIPELINE, load_stages
from tests.support.machine import NoPort, trivial
from tests.support.usage import run


@pytest.mark.parametrize(
    ("seconds", "billed"), [(0, "0.1"), (0.1, "0.1"), (0.100001, "0.2"), (1.25, "1.3"), (Decimal("2.0"), "2.0")]
)
def test_a_request_is_billed_by_the_tenth_of_a_second_that_it_began(seconds, billed):
    assert billed_seconds(seconds) == Decimal(billed)


def test_a_record_that_does_not_tell_what_was_left_has_no_reads_rather_than_none():
    record = run(random.Random(1), kept=False)
    prices = {use.price for use in footprint(record, load_stages())}
    assert "function.cpu" in prices
    assert not any(price.startswith(("firestore", "storage")) for price in prices)


async def test_reads_and_writes_are_what_the_store_counts(tmp_path, firestore_emulator):
    def store() -> FirestoreStore:
        return FirestoreStore(project="footprint", emulator=firestore_emulator.address)

    archive = _Counting(tmp_path)
    stages = {stage.name: stage for stage in trivial(statuses=("unanswered", "complete"))}
    stores = {name: store() for name in (*PIPELINE, "ask", "archive")}
    context = partial(RunContext, transport=NoPort(), finder=NoPort(), embedder=NoPort(), judges=(), panel=())
    workers = {
        name: StageRunner(
            [stages[name]],
            store=stores[name],
            bus=_Passing(),
            archive=archive,
            context_factory=context,
            order=PIPELINE,
        )
        for name in PIPELINE
    }
    client = RunClient(store=stores["ask"], bus=_Passing(), archive=archive)
    submitted = await client.submit("?", AskOptions(deadline_seconds=60))
    step: StepRef | None = StepRef(run_id=submitted.run_id, reading=-1, stage=PIPELINE[0])
    looking = store()
    while step is not None:
        await workers[step.stage].handle(step)
        done = {record.step.id: record for record in await looking.steps(submitted.run_id)}
        step = done[step.id].next

    async def announce(_) -> None:
        pass

    await archive_run(Ended(submitted.run_id), store=stores["archive"], archive=archive, announce=announce)
    operations = (archive.class_a, archive.class_b)
    now = utc_now()
    (record,) = (
        await read_ledger(archive, Window(start=now - timedelta(hours=1), end=now + timedelta(minutes=1)))
    ).records
    counted = [one.operations for one in stores.values()]
    for one in (*stores.values(), looking):
        await one.close()
    assert record.kept is not None
    deliveries = len(record.usage.stages)
    assert deliveries == 19
    polls = int(record.usage.seconds * POLLS_A_SECOND) + 1
    assert writes(record, record.kept, deliveries) == sum(one.writes for one in counted)
    # What a worker of the last stage knows already it does not read again for the trace.
    most = reads(record, record.kept, deliveries) - polls
    assert most * 0.8 <= sum(one.reads for one in counted) <= most
    used = {use.price: use.quantity for use in footprint(record, load_stages()) if use.function == "files"}
    assert (used["storage.class_a"], used["storage.class_b"]) == operations


class _Counting(FolderArchive):
    """An archive that counts as Cloud Storage bills: writing and listing, and reading."""

    class_a = class_b = 0

    async def put(self, name, data, *, content_type="application/json"):
        self.class_a += 1
        return await super().put(name, data, content_type=content_type)

    async def list(self, prefix):
        self.class_a += 1
        async for name in super().list(prefix):
            yield name

    async def get(self, name):
        self.class_b += 1
        return await super().get(name)


class _Passing:
    """A bus whose messages the test carries itself."""

    async def publish(self, step: StepRef) -> None:
        pass

    async def subscribe(self, handler) -> None:
        pass

    async def close(self) -> None:
        pass
