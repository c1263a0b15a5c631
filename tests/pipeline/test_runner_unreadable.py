"""What was stored and cannot be read any more ends its run, visibly, and keeps nobody else waiting."""

from __future__ import annotations

import sqlite3

import pytest

from shared.adapters.folder_archive import FolderArchive
from shared.query.answer import AnswerStatus
from shared.query.identifiers import StageName
from shared.runtime.errors import ArchiveError, StoreNewer
from shared.runtime.records import SCHEMA_VERSION, RunStatus, StepRef
from shared.runtime.spill import LIMIT
from tests.support.machine import OPTIONS, machine, trivial


def step(run, stage: str, reading: int = 0) -> StepRef:
    return StepRef(run_id=run.run_id, reading=reading, stage=StageName(stage))


async def test_an_annotation_of_a_later_version_ends_its_run_as_failed_and_says_so(tmp_path):
    async with machine(tmp_path, trivial(), start=False) as built:
        run = await built.client.submit("What is it?", OPTIONS)
        await built.runner.handle(step(run, "understand", -1))
        with sqlite3.connect(tmp_path / "runs-3.sqlite3") as database:
            database.execute("UPDATE log SET annotations = replace(annotations, 'understood', 'foreseen')")
        built.runner._loading.forget(run.run_id)
        await built.runner.handle(step(run, "slots"))
        ended, answer = await built.client.result(run.run_id)
        record = (await built.store.steps(run.run_id))[-1]
    assert ended.status is RunStatus.ENDED
    assert answer is not None
    assert answer.status is AnswerStatus.FAILED
    assert "what the run has found so far cannot be read" in answer.failures[0].reason
    assert [stage.stage for stage in answer.usage.stages] == ["understand", "slots"]
    assert record.attempts == 1


@pytest.mark.parametrize("how", ["deleted", "changed"])
async def test_a_payload_that_the_archive_lost_ends_its_run_as_failed(tmp_path, how):
    async with machine(tmp_path, trivial(size=LIMIT + 1), start=False) as built:
        run = await built.client.submit("What is it?", OPTIONS)
        await built.runner.handle(step(run, "understand", -1))
        await built.runner.handle(step(run, "slots"))
        (blob,) = (tmp_path / "archive" / "blobs").iterdir()
        if how == "deleted":
            blob.unlink()
        else:
            blob.write_bytes(b"{}")
        built.runner._loading.forget(run.run_id)
        await built.runner.handle(step(run, "discover"))
        ended, answer = await built.client.result(run.run_id)
    assert ended.status is RunStatus.ENDED
    assert answer is not None
    assert answer.status is AnswerStatus.FAILED
    assert "cannot be read" in answer.text


class Away(FolderArchive):
    """An archive that cannot be read, which may pass."""

    async def get(self, name: str) -> bytes:
        raise ArchiveError("the store cannot be reached")


async def test_an_archive_that_is_away_is_tried_as_often_as_a_step_may_be_and_no_more(tmp_path):
    archive = Away(tmp_path / "archive")
    async with machine(tmp_path, trivial(size=LIMIT + 1), archive=archive, start=False) as built:
        run = await built.client.submit("What is it?", OPTIONS)
        await built.runner.handle(step(run, "understand", -1))
        await built.runner.handle(step(run, "slots"))
        built.runner._loading.forget(run.run_id)
        for _ in range(4):
            with pytest.raises(ArchiveError):
                await built.runner.handle(step(run, "discover"))
        await built.runner.handle(step(run, "discover"))
        assert (await built.store.get(run.run_id)).status is RunStatus.ENDED


async def test_a_run_of_a_later_version_is_left_alone(tmp_path):
    async with machine(tmp_path, trivial(), start=False) as built:
        run = await built.client.submit("What is it?", OPTIONS)
        with sqlite3.connect(tmp_path / "runs-3.sqlite3") as database:
            database.execute("UPDATE runs SET schema_version = ?", (SCHEMA_VERSION + 1,))
        with pytest.raises(StoreNewer, match=f"form {SCHEMA_VERSION + 1} by a later version"):
            await built.runner.handle(step(run, "understand", -1))
        with sqlite3.connect(tmp_path / "runs-3.sqlite3") as database:
            assert database.execute("SELECT attempts, state FROM steps").fetchall() == [(0, "open")]
