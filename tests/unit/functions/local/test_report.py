"""``neuralkg report`` over the runs answered here, and over an archive as a cloud keeps it."""

from __future__ import annotations

import asyncio
import json
import shutil
from datetime import timedelta
from pathlib import Path

import pytest
from pydantic_core import to_json
from typer.testing import CliRunner

from functions.local.cli import app
from functions.local.settings import Settings
from functions.local.usage import own_ledger
from shared.accounting.usage_record import day_folder
from shared.accounting.window import Window
from shared.adapters.folder_archive import FolderArchive
from shared.runtime.context import utc_now
from shared.runtime.errors import ArchiveError
from tests.support.machine import OPTIONS, machine, trivial
from tests.support.usage import mixed

EXPORT = Path(__file__).parents[2] / "shared" / "accounting" / "data" / "billing_export.jsonl"
PERIOD = ["--since", "2026-11-29", "--until", "2026-11-29"]


def report(*arguments: str, home: Path):
    return CliRunner().invoke(app, ["report", *arguments], env={"NEURALKG_HOME": str(home)})


@pytest.fixture
def cloud(tmp_path: Path) -> str:
    """An archive with a day's records."""

    async def keep() -> None:
        archive = FolderArchive(tmp_path / "cloud")
        for record in mixed(40).records:
            await archive.put(f"{day_folder(record.asked_at)}{record.run_id}.json", to_json(record))
        await archive.put("usage/2026/11/29/broken.json", b"{")

    asyncio.run(keep())
    return str(tmp_path / "cloud")


async def asked(home: Path, *, full: bool = False, times: int = 3) -> None:
    class Full(FolderArchive):
        async def put(self, name, data, *, content_type="application/json"):
            raise ArchiveError("the disk is full")

    archive = (Full if full else FolderArchive)(home / "archive")
    async with machine(home, trivial(), archive=archive) as built:
        for _ in range(times):
            await built.client.ask("What is it?", OPTIONS)


def test_the_runs_answered_here_are_reported_without_asking_anything_of_them(tmp_path):
    asyncio.run(asked(tmp_path))
    done = report("billing", "--json", home=tmp_path)
    assert done.exit_code == 0
    found = json.loads(done.stdout)
    assert (found["runs"], found["source"]) == (3, "traces")
    assert found["types"][0] | {"cloud_usd": None, "per_thousand_usd": None} == {
        "type": "value",
        "runs": 3,
        "model_usd": "0",
        "cloud_usd": None,
        "per_thousand_usd": None,
    }
    text = report("billing", home=tmp_path)
    assert "What 3 questions cost" in text.stdout
    assert "the cloud's part is what it would have been there" in " ".join(text.stdout.split())


async def test_a_run_whose_trace_was_not_kept_is_found_in_the_store(tmp_path):
    await asked(tmp_path, full=True, times=1)
    await asked(tmp_path, times=2)
    now = utc_now()
    settings = Settings.from_environment({"NEURALKG_HOME": str(tmp_path)})
    ledger = await own_ledger(settings, Window(start=now - timedelta(hours=1), end=now))
    assert [record.kept is not None for record in ledger.records] == [False, True, True]
    assert not ledger.unreadable
    shutil.rmtree(tmp_path / "archive")
    again = await own_ledger(settings, ledger.window)
    assert [record.run_id for record in again.records] == [record.run_id for record in ledger.records]


def test_nothing_is_made_where_nothing_was_asked(tmp_path):
    home = tmp_path / "nothing"
    done = report("billing", home=home)
    assert done.exit_code == 0
    assert "No question was asked in this period" in done.stdout
    assert not home.exists()


def test_an_archive_as_a_cloud_keeps_it_is_reported_with_what_could_not_be_read(tmp_path, cloud):
    done = report("billing", *PERIOD, "--archive", cloud, home=tmp_path)
    assert done.exit_code == 0
    assert "What 40 questions cost, 2026-11-29 00:00 to 2026-11-30 00:00 UTC" in done.stdout
    assert "1 records could not be read" in done.stdout
    assert "usage/2026/11/29/broken.json" in done.stdout.replace("\n", "").replace(" ", "")


def test_records_are_added_up_once_and_the_report_stays_the_same(tmp_path, cloud):
    before = report("billing", *PERIOD, "--archive", cloud, "--json", home=tmp_path)
    first, again = (report("sums", *PERIOD, "--archive", cloud, home=tmp_path) for _ in range(2))
    assert (first.exit_code, first.stdout, again.stdout) == (0, "41 records added up\n", "0 records added up\n")
    assert report("billing", *PERIOD, "--archive", cloud, "--json", home=tmp_path).stdout == before.stdout


def test_what_was_billed_stands_beside_the_report(tmp_path, cloud):
    arguments = ["billing", *PERIOD, "--archive", cloud, "--bill", str(EXPORT)]
    found = json.loads(report(*arguments, "--json", home=tmp_path).stdout)["bill"]
    assert found["rows"] == len(EXPORT.read_text().splitlines())
    labelled = [*arguments, "--label", "environment=dev", "--csv"]
    rows = report(*labelled, home=tmp_path).stdout.splitlines()
    assert any(row.startswith("bill_unknown,Cloud Logging,Log Storage cost,") for row in rows)
    assert any(row.startswith("bill_credits,PROMOTION,") for row in rows)
    assert any(row.startswith("bill_apart,other labels,1,1.25") for row in rows)


def test_a_plan_is_printed_with_what_breaks_first(tmp_path, cloud):
    done = report(
        "scaling", *PERIOD, "--archive", cloud, "--simulate", "20/s", "--latency", "5", "--model-limit", "600/min",
        home=tmp_path,
    )  # fmt: skip
    assert done.exit_code == 0
    for told in ("What binds first", "Simulated at 20 questions a second", "firestore", "model.calls", "1,000,000"):
        assert told in done.stdout
    found = json.loads(
        report("scaling", *PERIOD, "--archive", cloud, "--simulate", "20/s", "--json", home=tmp_path).stdout
    )
    assert found["plan"]["asked"]["rate"] == 20
    assert len(found["plan"]["scale"]) == 4


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["billing", "--since", "lately"], "it must be a span such as 90m"),
        (["billing", "--json", "--csv"], "cannot both be asked for"),
        (["billing", "--archive", "ftp://x"], "is no address of an archive"),
        (["billing", "--bill", "nowhere.json"], "cannot be read"),
        (["billing", "--label", "a=b"], "name the export with --bill"),
        (["billing", "--bill", str(EXPORT), "--label", "ab"], "it must be KEY=VALUE"),
        (["scaling", "--simulate", "quickly"], "50/s, 300/min or 1000000/day"),
        (["scaling", "--simulate", "5/s"], "ask for a longer period"),
        (["scaling", "--latency", "3"], "name its rate with --simulate"),
        (["scaling", "--since", "2030-01-01"], "is empty"),
    ],
)
def test_what_cannot_be_reported_is_told_with_what_to_do(tmp_path, arguments, told):
    done = report(*arguments, home=tmp_path)
    assert done.exit_code == 2
    assert told in " ".join(done.stderr.split())
    assert done.stdout == ""
