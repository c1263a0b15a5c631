"""Records are read as the archive keeps them; one that cannot be read is shown and never dropped."""

from __future__ import annotations

import json
import random
from datetime import timedelta

import pytest
from pydantic_core import to_json

from shared.accounting.ledger import ledger_of_traces, read_ledger
from shared.accounting.record_files import TooMany
from shared.accounting.usage_record import day_folder, record_of_trace
from shared.accounting.window import Window
from shared.adapters.folder_archive import FolderArchive
from shared.runtime.context import utc_now
from shared.runtime.errors import ArchiveError
from tests.support.machine import OPTIONS, machine, trivial
from tests.support.usage import DAY, mixed, run


async def kept(archive, record, name=None):
    name = name or f"{day_folder(record.asked_at)}{record.run_id}.json"
    await archive.put(name, to_json(record))
    return name


async def test_the_records_of_a_period_come_back_as_they_were_kept_in_the_order_of_their_questions(tmp_path):
    archive, records = FolderArchive(tmp_path), mixed(40).records
    for record in random.Random(2).sample(records, len(records)):
        await kept(archive, record)
    day = await read_ledger(archive, DAY)
    assert day.records == records
    noon = DAY.start + timedelta(hours=12)
    half = await read_ledger(archive, Window(start=noon, end=DAY.end))
    assert half.records == tuple(record for record in records if record.asked_at >= noon)
    assert 0 < len(half.records) < 40


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "Invalid JSON"),
        (b"[]", "should be an object"),
        (b'{"schema_version": 2}', "schema_version"),
        (b"\xff\xfe", "Invalid JSON"),
    ],
)
async def test_a_record_that_cannot_be_read_is_shown_with_the_reason(tmp_path, data, why):
    archive, name = FolderArchive(tmp_path), "usage/2026/11/29/broken.json"
    await kept(archive, good := run(random.Random(1)))
    await archive.put(name, data)
    ledger = await read_ledger(archive, DAY)
    assert ledger.records == (good,)
    ((found, reason),) = [(one.name, one.why) for one in ledger.unreadable]
    assert found == name
    assert why in reason


async def test_a_record_under_another_runs_name_or_with_a_broken_part_is_not_counted(tmp_path):
    archive, record = FolderArchive(tmp_path), run(random.Random(1))
    await kept(archive, record, "usage/2026/11/29/other.json")
    data = json.loads(to_json(record))
    for n, change in enumerate(({"finder": {"searches": "many"}}, {"usd": "a lot"}, {"finder": {"cents": 3}})):
        broken = data | {"run_id": f"r{n}", "usage": data["usage"] | change}
        await archive.put(f"usage/2026/11/29/r{n}.json", json.dumps(broken).encode())
    naive = data | {"run_id": "r9", "asked_at": "2026-11-29T10:00:00"}
    await archive.put("usage/2026/11/29/r9.json", json.dumps(naive).encode())
    ledger = await read_ledger(archive, DAY)
    assert ledger.records == ()
    assert {one.name.rpartition("/")[2] for one in ledger.unreadable} == {
        "other.json", "r0.json", "r1.json", "r2.json", "r9.json"
    }  # fmt: skip


async def test_an_empty_archive_has_an_empty_ledger_and_a_period_of_too_many_runs_is_refused(tmp_path):
    archive = FolderArchive(tmp_path)
    assert (await read_ledger(archive, DAY)).records == ()
    for record in mixed(5).records:
        await kept(archive, record)
    with pytest.raises(TooMany, match="more than 4 runs"):
        await read_ledger(archive, DAY, most=4)


async def test_an_archive_that_fails_is_not_an_empty_one(tmp_path):
    class Broken(FolderArchive):
        async def get(self, name):
            raise ArchiveError("the disk is gone")

    await kept(FolderArchive(tmp_path), run(random.Random(1)))
    with pytest.raises(ArchiveError):
        await read_ledger(Broken(tmp_path), DAY)


async def test_a_program_without_an_archive_function_has_the_same_records_by_its_traces(tmp_path):
    async with machine(tmp_path, trivial(statuses=("unanswered", "complete"))) as built:
        answer = await built.client.ask("What is it?", OPTIONS)
        now = utc_now()
        ledger = await ledger_of_traces(built.archive, Window(start=now - timedelta(hours=1), end=now))
        before = await ledger_of_traces(
            built.archive, Window(start=now - timedelta(hours=3), end=now - timedelta(hours=2))
        )
    (record,) = ledger.records
    assert ledger.source == "traces"
    assert before.records == ()
    assert (record.run_id, record.status, record.usage) == (answer.run_id, answer.status, answer.usage)
    assert record.question_type == "value"
    assert len(record.attempts) == len(record.usage.stages) == 19
    assert record.kept is not None
    assert record.kept.found[:3] == (0, 1, 2)
    assert all(stage.began_at and stage.cpu_seconds is not None for stage in record.usage.stages)
    assert [stage.cold for stage in record.usage.stages] == [True] + [False] * 18


@pytest.mark.parametrize("data", [b"{}", b"[]", b'"x"', b'{"run": {}, "answer": 1, "steps": []}'])
def test_what_is_no_trace_is_no_record(data):
    with pytest.raises(ValueError, match="trace"):
        record_of_trace(data)


async def test_a_trace_that_cannot_be_read_is_shown(tmp_path):
    archive = FolderArchive(tmp_path)
    await archive.put("runs/chosen-by-a-client/trace.json", b"{}")
    await archive.put("runs/20261129T101500-0123456789ab/trace.json", b"not JSON")
    await archive.put("runs/20261101T101500-0123456789ab/trace.json", b"of another day")
    ledger = await ledger_of_traces(archive, DAY)
    assert [one.name.split("/")[1] for one in ledger.unreadable] == [
        "20261129T101500-0123456789ab",
        "chosen-by-a-client",
    ]
