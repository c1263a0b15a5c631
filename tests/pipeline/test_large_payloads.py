"""Payloads that no document holds travel through the archive, with the runs in Firestore and a bucket."""

from __future__ import annotations

from uuid import uuid4

import pytest

from shared.adapters.firestore_store import FirestoreStore
from shared.query.annotated import Spilled
from shared.query.answer import AnswerStatus
from shared.runtime.attempt import Pace
from shared.runtime.errors import ArchiveError
from tests.support.archives import opened
from tests.support.machine import OPTIONS, machine, note, presented, trivial

MEBIBYTE = 1024 * 1024
PATIENT = Pace(lease=30.0, beat=0.05, grace=2.0, attempts=3)
LONGER = OPTIONS.model_copy(update={"deadline_seconds": 60})


@pytest.fixture
def store(firestore_emulator):
    return FirestoreStore(
        project=f"place-{uuid4().hex[:16]}",
        emulator=firestore_emulator.address,
        patience=30.0,
        call_seconds=20.0,
    )


def large(size):
    """An ``execute`` that writes an annotation of this size, and a ``combine`` that reads it."""
    seen = []

    async def execute(query, context):
        return [note(query, "execute", "é" * (size // 2))]

    async def combine(query, context):
        seen.append(next(a.payload.disclosure.text for a in query.annotations if a.stage == "execute"))
        return [note(query, "combine", "read")]

    return {"execute": execute, "combine": combine}, seen


@pytest.mark.parametrize("size", [MEBIBYTE + 1, 3 * MEBIBYTE])
async def test_an_annotation_over_a_mebibyte_reaches_the_next_stage_whole(
    tmp_path, store, size, request, monkeypatch
):
    bodies, seen = large(size)
    async with (
        opened("gcs", request, tmp_path, monkeypatch) as archive,
        machine(tmp_path, trivial(bodies=bodies), store=store, archive=archive, pace=PATIENT) as m,
    ):
        answer = await m.client.ask("?", LONGER)
        assert answer.status is AnswerStatus.COMPLETE
        assert [len(text.encode()) for text in seen] == [size // 2 * 2]
        kept = next(a for a in await m.store.annotations(answer.run_id) if a.stage == "execute")
        assert isinstance(kept.payload, Spilled)
        assert kept.payload.bytes > size


async def test_an_answer_over_a_mebibyte_is_read_back_whole(tmp_path, store, request, monkeypatch):
    async def present(query, context):
        return [presented(query, "complete", text="x" * (MEBIBYTE + 1))]

    async with (
        opened("gcs", request, tmp_path, monkeypatch) as archive,
        machine(tmp_path, trivial(bodies={"present": present}), store=store, archive=archive, pace=PATIENT) as m,
    ):
        answer = await m.client.ask("?", LONGER)
        assert len(answer.text) == MEBIBYTE + 1
        assert (await m.store.get(answer.run_id)).answer is None


async def test_a_large_annotation_and_an_archive_that_stays_full_end_the_run_visibly(tmp_path, store):
    class Full:
        async def put(self, name, data, *, content_type="application/json"):
            raise ArchiveError("the archive is full")

    bodies, _ = large(MEBIBYTE + 1)
    async with machine(tmp_path, trivial(bodies=bodies), store=store, archive=Full(), pace=PATIENT) as m:
        answer = await m.client.ask("?", LONGER)
        assert answer.status is AnswerStatus.FAILED
        assert "the archive is full" in answer.failures[0].reason
