"""What the archive function leaves behind for a run that has ended."""

from __future__ import annotations

import json
import logging
from contextlib import asynccontextmanager
from datetime import timedelta

import pytest

from functions.archive.archiving import archive_run
from functions.hosting.logs import JsonLines
from shared.accounting.usage_record import UsageRecord, usage_name
from shared.query.identifiers import RunId
from shared.runtime.context import utc_now
from shared.runtime.errors import ArchiveError, BusError
from shared.runtime.messages import Announced, Ended
from tests.support.machine import OPTIONS, machine, trivial


class Announcer:
    def __init__(self) -> None:
        self.heard: list[Announced] = []
        self.broken: Exception | None = None

    async def __call__(self, message: Announced) -> None:
        if self.broken is not None:
            raise self.broken
        self.heard.append(message)


class Full:
    """An archive that is full, until it is not."""

    def __init__(self, inner) -> None:
        self.inner, self.full = inner, False

    async def put(self, name, data, *, content_type="application/json"):
        if self.full:
            raise ArchiveError("the bucket is full")
        return await self.inner.put(name, data, content_type=content_type)

    def __getattr__(self, name):
        return getattr(self.inner, name)


@asynccontextmanager
async def ended_run(folder, *, full: bool = False, size: int = 20):
    """A machine whose one run has ended, with an archive that may have been full by then."""
    from shared.adapters.folder_archive import FolderArchive

    archive = Full(FolderArchive(folder / "archive"))
    archive.full = full
    async with machine(folder, trivial(size=size), archive=archive) as built:
        answer = await built.client.ask("What is it?", OPTIONS)
        archive.full = False
        yield built, RunId(answer.run_id), archive


async def names(archive) -> list[str]:
    return [name async for name in archive.list("")]


async def test_usage_is_kept_under_the_day_of_the_question_and_the_answer_is_announced(tmp_path):
    announce = Announcer()
    async with ended_run(tmp_path) as (built, run_id, archive):
        await archive_run(Ended(run_id), store=built.store, archive=archive, announce=announce)
        run = await built.store.get(run_id)
        record = UsageRecord.model_validate_json(await archive.get(usage_name(run)))
        answer = json.loads(await archive.get(f"runs/{run_id}/answer.json"))
        assert answer == run.answer
    assert usage_name(run) == f"usage/{run.created_at:%Y/%m/%d}/{run_id}.json"
    assert (record.run_id, record.status, record.asked_at) == (run_id, "complete", run.created_at)
    assert record.usage.model_dump(mode="json") == answer["usage"]
    assert [stage.stage for stage in record.usage.stages][::9] == ["understand", "present"]
    assert record.attempts["0.present"] == 1
    assert len(record.attempts) == 10
    (told,) = announce.heard
    assert (told.run_id, told.status, told.error) == (run_id, "complete", None)
    assert told.answer
    assert told.answer.endswith(f"runs/{run_id}/answer.json")


async def test_the_same_message_again_changes_nothing_and_announces_nothing(tmp_path):
    announce = Announcer()
    async with ended_run(tmp_path) as (built, run_id, archive):
        await archive_run(Ended(run_id), store=built.store, archive=archive, announce=announce)
        before = {name: await archive.get(name) for name in await names(archive)}
        await archive_run(Ended(run_id), store=built.store, archive=archive, announce=announce)
        assert {name: await archive.get(name) for name in await names(archive)} == before
    assert len(announce.heard) == 1


async def test_what_a_run_cost_is_told_once_in_a_line_that_quotes_neither_question_nor_answer(tmp_path, caplog):
    lines = JsonLines(function="archive", project="p")
    told = []

    class Told(logging.Handler):
        def emit(self, record):
            told.append(json.loads(lines.format(record)))

    log = logging.getLogger("functions.archive.archiving")
    with caplog.at_level(logging.INFO, log.name):
        log.addHandler(handler := Told())
        try:
            async with ended_run(tmp_path) as (built, run_id, archive):
                for _ in range(2):
                    await archive_run(Ended(run_id), store=built.store, archive=archive, announce=Announcer())
                record = UsageRecord.model_validate_json(
                    await archive.get(usage_name(await built.store.get(run_id)))
                )
        finally:
            log.removeHandler(handler)
    (line,) = [one for one in told if "usd" in one]
    assert line["usd"] == float(record.usage.usd + record.finder.usd)
    assert (line["seconds"], line["status"]) == (record.usage.seconds, "complete")
    assert line["message"] == f"run {run_id} was archived"
    assert line["logger"] == "functions.archive.archiving"


async def test_a_trace_and_an_answer_that_were_not_archived_are_archived_afterwards(tmp_path):
    announce = Announcer()
    async with ended_run(tmp_path, full=True) as (built, run_id, archive):
        assert await names(archive) == []
        await archive_run(Ended(run_id), store=built.store, archive=archive, announce=announce)
        run = await built.store.get(run_id)
        trace = json.loads(await archive.get(f"runs/{run_id}/trace.json"))
        assert json.loads(await archive.get(f"runs/{run_id}/answer.json")) == run.answer
    assert trace["answer"] == run.answer
    assert trace["run"]["status"] == "ended"
    assert [step["attempts"] for step in trace["steps"]] == [1] * 10
    assert trace["annotations"][0]["stage"] == "understand"
    assert trace["events"]
    assert len(announce.heard) == 1


async def test_a_trace_made_afterwards_has_the_form_of_one_made_at_the_end(tmp_path):
    announce = Announcer()
    async with ended_run(tmp_path) as (built, run_id, archive):
        made = json.loads(await archive.get(f"runs/{run_id}/trace.json"))
        (tmp_path / "archive" / f"runs/{run_id}/trace.json").unlink()
        await archive_run(Ended(run_id), store=built.store, archive=archive, announce=announce)
        again = json.loads(await archive.get(f"runs/{run_id}/trace.json"))
    # The answer within the first cannot name the trace that it stands in.
    del made["answer"]["trace"], again["answer"]["trace"]
    made["run"].pop("cursor_stage"), again["run"].pop("cursor_stage")
    made["run"].pop("cursor_reading"), again["run"].pop("cursor_reading")
    assert again == made


async def test_an_archive_that_is_still_full_brings_the_message_again_and_announces_nothing(tmp_path):
    announce = Announcer()
    async with ended_run(tmp_path, full=True) as (built, run_id, archive):
        archive.full = True
        with pytest.raises(ArchiveError):
            await archive_run(Ended(run_id), store=built.store, archive=archive, announce=announce)
        assert not announce.heard
        archive.full = False
        await archive_run(Ended(run_id), store=built.store, archive=archive, announce=announce)
    assert len(announce.heard) == 1


async def test_an_answer_that_could_not_be_announced_is_announced_by_the_next_try(tmp_path):
    announce = Announcer()
    async with ended_run(tmp_path) as (built, run_id, archive):
        announce.broken = BusError("publishing failed")
        with pytest.raises(BusError):
            await archive_run(Ended(run_id), store=built.store, archive=archive, announce=announce)
        announce.broken = None
        await archive_run(Ended(run_id), store=built.store, archive=archive, announce=announce)
    assert len(announce.heard) == 1


async def test_a_run_that_does_not_exist_is_passed_over(tmp_path):
    announce = Announcer()
    async with machine(tmp_path, trivial()) as built:
        await archive_run(Ended(RunId("run-1")), store=built.store, archive=built.archive, announce=announce)
        assert await names(built.archive) == []
    assert not announce.heard


async def test_a_run_that_goes_on_is_passed_over(tmp_path):
    announce = Announcer()
    async with machine(tmp_path, trivial(), start=False) as built:
        run = await built.client.submit("What is it?", OPTIONS)
        await archive_run(Ended(run.run_id), store=built.store, archive=built.archive, announce=announce)
        assert await names(built.archive) == []
    assert not announce.heard


async def test_the_day_of_a_question_is_that_of_utc(tmp_path):
    from datetime import timezone

    async with machine(tmp_path, trivial(), start=False) as built:
        run = await built.client.submit("What is it?", OPTIONS)
    late = utc_now().replace(year=2026, month=3, day=1, hour=23, minute=30)
    there = late.astimezone(timezone(timedelta(hours=9)))
    assert usage_name(run.model_copy(update={"created_at": there})) == f"usage/2026/03/01/{run.run_id}.json"


async def test_what_a_late_worker_left_in_the_archive_is_not_taken_for_the_answer(tmp_path):
    announce = Announcer()
    async with ended_run(tmp_path) as (built, run_id, archive):
        run = await built.store.get(run_id)
        late = run.answer | {"status": "failed", "text": "It could not be answered."}
        trace = json.loads(await archive.get(f"runs/{run_id}/trace.json"))
        await archive.put(f"runs/{run_id}/answer.json", json.dumps(late).encode())
        await archive.put(f"runs/{run_id}/trace.json", json.dumps(trace | {"answer": late}).encode())
        await archive_run(Ended(run_id), store=built.store, archive=archive, announce=announce)
        assert json.loads(await archive.get(f"runs/{run_id}/answer.json")) == run.answer
        assert json.loads(await archive.get(f"runs/{run_id}/trace.json"))["answer"] == run.answer
    assert [told.status for told in announce.heard] == ["complete"]


async def test_a_trace_that_is_the_runs_own_is_left_as_it_is(tmp_path):
    async with ended_run(tmp_path) as (built, run_id, archive):
        before = await archive.get(f"runs/{run_id}/trace.json")
        await archive_run(Ended(run_id), store=built.store, archive=archive, announce=Announcer())
        assert await archive.get(f"runs/{run_id}/trace.json") == before


async def test_an_answer_too_large_for_the_store_is_the_one_that_was_committed(tmp_path):
    announce = Announcer()
    async with ended_run(tmp_path, size=40_000) as (built, run_id, archive):
        run = await built.store.get(run_id)
        assert run.answer is None
        await archive.put(f"runs/{run_id}/answer.json", b"{}")
        await archive_run(Ended(run_id), store=built.store, archive=archive, announce=announce)
        assert await archive.get(f"runs/{run_id}/answer.json") == await archive.get(run.answer_blob)
    assert [told.status for told in announce.heard] == ["complete"]
