"""What the store can never hold ends its run at once, visibly: it is not tried again."""

from __future__ import annotations

import asyncio
from uuid import uuid4

import pytest

from shared.adapters.firestore_store import FirestoreStore
from shared.adapters.sqlite_store import SqliteStore
from shared.query.answer import AnswerStatus
from shared.query.evidence import FailureStatus
from shared.runtime.attempt import LONGEST_LINE
from shared.runtime.errors import ArchiveError, StoreUnavailable, TooLarge
from shared.runtime.failures import LONGEST_REASON
from tests.pipeline.test_runner_faults import settled
from tests.support.machine import OPTIONS, machine, note, trivial


@pytest.fixture
def firestore(firestore_emulator):
    return FirestoreStore(project=f"large-{uuid4().hex[:12]}", emulator=firestore_emulator.address, patience=30.0)


class NoArchive:
    async def put(self, name, data, *, content_type="application/json"):
        raise ArchiveError("the disk is full")

    async def get(self, name):
        raise ArchiveError("the disk is full")


async def failed_at_once(m, options=OPTIONS):
    """The answer of a run that failed, each of its steps at the first attempt, with no message given up."""
    answer = await m.client.ask("?", options)
    await m.bus.drained()
    assert answer.status is AnswerStatus.FAILED
    assert [record.attempts for record in await m.store.steps(answer.run_id)] == [1] * len(m.delivered)
    assert not m.bus.dead_letters
    await settled(m, answer.run_id)
    return answer


async def test_a_step_that_writes_more_than_one_commit_takes(tmp_path, firestore):
    async def execute(query, context):
        context.say("asked the publisher")
        return [note(query, "execute", "x" * 250_000, n=n) for n in range(50)]

    options = OPTIONS.model_copy(update={"deadline_seconds": 60})
    async with machine(tmp_path, trivial(bodies={"execute": execute}), store=firestore) as m:
        answer = await failed_at_once(m, options)
        assert m.delivered[-1].stage == "execute"
        (failure,) = answer.failures
        assert (failure.stage, failure.status) == ("execute", FailureStatus.INTERNAL)
        assert "at most 10,485,760 in one commit" in failure.reason
        texts = [event.text for _, event in await m.store.events(answer.run_id)]
        assert texts[-2:] == [failure.reason, "the run has ended"]


async def test_an_answer_too_large_for_the_store_while_the_archive_is_down(tmp_path, firestore):
    async def execute(query, context):
        return [note(query, "execute", "x" * 200_000, n=n) for n in range(6)]

    async def combine(query, context):
        raise ZeroDivisionError

    bodies = {"execute": execute, "combine": combine}
    options = OPTIONS.model_copy(update={"deadline_seconds": 60})
    async with machine(tmp_path, trivial(bodies=bodies), store=firestore, archive=NoArchive()) as m:
        answer = await failed_at_once(m, options)
        assert m.delivered[-1].stage == "combine"
        (failure,) = answer.failures
        assert "would be a document of 1," in failure.reason
        (told,) = answer.disclosures
        assert told.text == "the trace of this answer was not kept: the disk is full"


async def test_progress_that_the_store_cannot_hold(tmp_path):
    class Small(SqliteStore):
        async def add_event(self, run_id, event):
            raise TooLarge("events/1 would be a document of 2,000,000 bytes")

        async def commit(self, step, *, token, result):
            if any(event.text == "a great deal" for event in result.events):
                raise TooLarge("events/1 would be a document of 2,000,000 bytes")
            await super().commit(step, token=token, result=result)

    async def execute(query, context):
        context.say("a great deal")
        await asyncio.sleep(30)
        return []

    store = Small(tmp_path / "runs-3.sqlite3")
    async with machine(tmp_path, trivial(bodies={"execute": execute}), store=store) as m:
        answer = await failed_at_once(m)
        assert "2,000,000 bytes" in answer.text


async def test_a_value_larger_than_a_sqlite_file_takes(tmp_path):
    async def execute(query, context):
        return [note(query, "execute", "x" * 200_000)]

    store = SqliteStore(tmp_path / "runs-3.sqlite3")
    store._file._connection.setlimit(0, 200_000)  # SQLITE_LIMIT_LENGTH
    async with machine(tmp_path, trivial(bodies={"execute": execute}), store=store) as m:
        answer = await failed_at_once(m)
        assert "takes no value as large as this" in answer.text


async def test_lines_and_reasons_are_cut_before_they_are_too_large(tmp_path):
    async def execute(query, context):
        context.say("x" * 2_000_000)
        raise StoreUnavailable("y" * 2_000_000)

    async with machine(tmp_path, trivial(bodies={"execute": execute})) as m:
        answer = await m.client.ask("?", OPTIONS)
        assert answer.failures[0].reason == "y" * (LONGEST_REASON - 1) + "…"
        texts = [event.text for _, event in await m.store.events(answer.run_id)]
        assert "x" * (LONGEST_LINE - 1) + "…" in texts
