"""The reports function serves both reports out of the usage records of a real archive."""

from __future__ import annotations

import asyncio
import csv
import io
from contextlib import asynccontextmanager
from datetime import timedelta
from decimal import Decimal
from functools import partial

import httpx
import pytest
from pydantic_core import to_json

from functions.archive.archiving import archive_run
from functions.hosting.settings import CloudSettings
from functions.hosting.telemetry import open_tracing
from functions.reports.face import create_reports
from functions.reports.main import opened
from functions.reports.reports import AT_ONCE, Reports
from functions.reports.scaling_sections import plan_sections, scaling_sections
from functions.reports.sections import billing_sections, dollars, shown
from functions.reports.tabular import as_csv
from shared.accounting.billing import billing
from shared.accounting.forecast import Forecaster
from shared.accounting.ledger import Ledger, read_ledger
from shared.accounting.limits import load_limits
from shared.accounting.prices import load_prices
from shared.accounting.record_files import Unreadable
from shared.accounting.scaling import scaling
from shared.accounting.window import Window
from shared.adapters.folder_archive import FolderArchive
from shared.runtime.context import utc_now
from shared.runtime.errors import ArchiveError
from shared.runtime.messages import Ended
from shared.runtime.settings import load_stages
from tests.support.machine import OPTIONS, machine, trivial
from tests.support.usage import DAY, mixed


async def nothing_new():
    """Adds up no records."""
    return 0


@asynccontextmanager
async def calling(app):
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://test") as client:
        yield client


async def no_announcement(_) -> None:
    pass


async def test_runs_that_were_archived_are_in_both_reports(tmp_path):
    async with machine(tmp_path, trivial()) as built:
        for _ in range(3):
            answer = await built.client.ask("What is it?", OPTIONS)
            await archive_run(
                Ended(answer.run_id), store=built.store, archive=built.archive, announce=no_announcement
            )
    settings = CloudSettings(archive_address=str(tmp_path / "archive"))
    async with opened(settings, open_tracing("reports", "0", traced=False)) as app, calling(app) as client:
        health = (await client.get("/health")).json()
        costs = (await client.get("/billing", params={"since": "1h"})).json()
        loads = (await client.get("/scaling")).json()
        added = (await client.post("/sums")).json()
        again = (await client.post("/sums")).json()
    assert (added, again) == ({"added": 3}, {"added": 0})
    assert (health["status"], health["name"]) == ("ok", "reports")
    assert (costs["runs"], costs["source"], costs["uncounted"]) == (3, "usage", 0)
    assert costs["types"][0]["type"] == "value"
    assert {stage["stage"]: stage["arrivals"] for stage in loads["stages"]} == dict.fromkeys(
        [row.name for row in load_stages().stages], 3
    )
    assert loads["stages"][0]["cold_starts"] == 1
    assert all(stage["queue"]["count"] == 3 for stage in loads["stages"])


@pytest.mark.parametrize(
    ("query", "told"),
    [("since=x", "it must be a span"), ("from=1h", "there is no parameter 'from'"), ("since=1h&until=3h", "empty")],
)
async def test_a_wrong_period_is_400_with_what_is_allowed(tmp_path, query, told):
    reports = Reports(partial(read_ledger, FolderArchive(tmp_path)))
    async with calling(create_reports(reports, nothing_new)) as client:
        response = await client.get(f"/billing?{query}")
    assert response.status_code == 400
    error = response.json()["error"]
    assert error["code"] == "bad_input"
    assert told in error["message"]


async def test_an_archive_that_does_not_answer_is_503(tmp_path):
    async def broken(_):
        raise ArchiveError("no answer from the bucket")

    async with calling(create_reports(Reports(broken), nothing_new)) as client:
        response = await client.get("/scaling")
    assert (response.status_code, response.headers["retry-after"]) == (503, "10")
    assert response.json()["error"]["code"] == "archive_unavailable"


async def test_those_who_ask_for_one_period_share_one_reading_and_few_periods_are_read_at_once():
    reading, most = 0, 0
    read = []

    async def source(window):
        nonlocal reading, most
        reading += 1
        most = max(most, reading)
        read.append(window)
        await asyncio.sleep(0.01)
        reading -= 1
        return Ledger(window=window, records=())

    reports = Reports(source)
    windows = [Window(start=DAY.start - timedelta(days=n), end=DAY.end) for n in range(5)]
    await asyncio.gather(*(reports.billing(w) for w in windows), *(reports.scaling(w) for w in windows))
    assert sorted(read, key=lambda w: w.start) == sorted(windows, key=lambda w: w.start)
    assert most == AT_ONCE


async def test_one_who_leaves_does_not_stop_the_report_for_the_others():
    release = asyncio.Event()

    async def source(window):
        await release.wait()
        return Ledger(window=window, records=())

    reports = Reports(source)
    leaving, staying = (asyncio.create_task(reports.billing(DAY)) for _ in range(2))
    await asyncio.sleep(0)
    leaving.cancel()
    await asyncio.sleep(0)
    release.set()
    assert (await staying).runs == 0


def test_csv_has_exact_dollars_and_every_table_under_its_name():
    report = billing(mixed(40), load_stages(), load_prices())
    rows = list(csv.reader(io.StringIO(as_csv(billing_sections(report, load_prices())))))
    by_table: dict[str, list[list[str]]] = {}
    for row in rows:
        if row and row[0] != "table":
            by_table.setdefault(row[0], []).append(row[1:])
    assert set(by_table) == {"totals", "functions", "models", "types", "services"}
    assert sum(Decimal(row[-1]) for row in by_table["models"]) == report.totals.model_usd
    assert Decimal({row[0]: row[1] for row in by_table["totals"]}["In all"]) == report.totals.net_usd


def test_a_spreadsheet_is_given_no_formula():
    report = billing(
        Ledger(window=DAY, records=(), unreadable=(Unreadable(name="=HYPERLINK(1)", why="+1"),)),
        load_stages(),
        load_prices(),
    )
    text = as_csv(billing_sections(report, load_prices()))
    assert "unreadable,'=HYPERLINK(1),'+1" in text


def test_every_table_fits_its_titles_and_can_be_shown():
    ledger = mixed(60)
    plan = Forecaster(ledger, load_prices(), load_limits(), model_calls=10.0).plan(
        load_stages(), 30.0, target_seconds=2.0
    )
    report = billing(ledger, load_stages(), load_prices())
    sections = [
        *billing_sections(report, load_prices()),
        *scaling_sections(scaling(ledger, load_stages())),
        *plan_sections(plan),
    ]
    for section in sections:
        for row in section.rows:
            assert len(row) == len(section.columns), section.id
            for cell, (_, kind) in zip(row, section.columns, strict=True):
                text = shown(cell, kind)
                assert text is None or isinstance(text, str)


def test_an_empty_period_says_so():
    empty = Ledger(window=DAY, records=())
    first = next(iter(billing_sections(billing(empty, load_stages(), load_prices()), load_prices())))
    assert any("No question was asked" in note for note in first.notes)
    first = next(iter(scaling_sections(scaling(empty, load_stages()))))
    assert first.notes == ("No question was asked in this period.",)


@pytest.mark.parametrize(
    ("usd", "told"),
    [
        ("0", "$0.00"),
        ("12345.678", "$12,345.68"),
        ("0.5", "$0.50"),
        ("0.0123", "$0.012"),
        ("-0.000066", "-$0.000066"),
    ],
)
def test_dollars_are_shown_to_the_cent_or_to_their_first_two_digits(usd, told):
    assert dollars(Decimal(usd)) == told


async def test_a_record_that_cannot_be_read_is_in_the_report(tmp_path):
    archive, now = FolderArchive(tmp_path), utc_now()
    await archive.put(f"usage/{now:%Y/%m/%d}/broken.json", b"{")
    record = mixed(1).records[0].model_copy(update={"asked_at": now - timedelta(minutes=1)})
    await archive.put(f"usage/{record.asked_at:%Y/%m/%d}/{record.run_id}.json", to_json(record))
    async with calling(create_reports(Reports(partial(read_ledger, archive)), nothing_new)) as client:
        costs = (await client.get("/billing?since=1h")).json()
    assert costs["runs"] == 1
    assert [one["name"].rpartition("/")[2] for one in costs["unreadable"]] == ["broken.json"]
