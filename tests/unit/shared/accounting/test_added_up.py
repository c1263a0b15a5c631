"""Reports read from sums say what they would say of the records; late and unreadable records are not lost."""

from __future__ import annotations

import asyncio
import random
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from pydantic_core import to_json

from shared.accounting import added_up
from shared.accounting.added_up import Adder, sums_key
from shared.accounting.billing import billing
from shared.accounting.forecast import Forecaster
from shared.accounting.ledger import Ledger, read_ledger
from shared.accounting.limits import load_limits
from shared.accounting.prices import load_prices
from shared.accounting.record_files import TooMany
from shared.accounting.scaling import scaling
from shared.accounting.usage_record import day_folder
from shared.accounting.window import Window
from shared.adapters.folder_archive import FolderArchive
from shared.runtime.errors import UsageError
from shared.runtime.settings import load_stages
from tests.support.usage import DAY, mixed, run

TABLE, PRICES = load_stages(), load_prices()
KEY = sums_key(TABLE, PRICES)
SOON = DAY.end + timedelta(minutes=7)
LATER = DAY.end + timedelta(days=3)


async def keep(archive, records):
    for record in records:
        await archive.put(f"{day_folder(record.asked_at)}{record.run_id}.json", to_json(record))


def counting(archive):
    """The archive's own reads, by the folder that was read from."""
    read = []
    get = archive.get

    async def told(name):
        read.append(name)
        return await get(name)

    archive.get = told
    return read


async def test_a_report_of_sums_is_the_report_of_the_records(tmp_path):
    archive, ledger = FolderArchive(tmp_path), mixed(300)
    await keep(archive, ledger.records)
    assert await Adder(archive, TABLE, PRICES).add(now=SOON) == 300
    found = await read_ledger(archive, DAY, most=100, key=KEY)
    assert (found.records, found.window, found.added_up.costs.runs) == ((), DAY, 300)
    true, told = billing(ledger, TABLE, PRICES), billing(found, TABLE, PRICES)
    assert told.added_up == told.runs == 300
    for part in ("statuses", "types", "moments", "uncounted", "unpriced"):
        assert getattr(told, part) == getattr(true, part), part
    assert told.totals.model_usd == true.totals.model_usd
    assert told.totals.cloud_list_usd == true.totals.cloud_list_usd
    for mine, theirs in zip(told.functions, true.functions, strict=True):
        assert mine.model_copy(update={"seconds": None}) == theirs.model_copy(update={"seconds": None})
        assert mine.seconds == pytest.approx(theirs.seconds)
    assert [(m.model, m.task, m.calls, m.tokens, m.usd) for m in told.models] == [
        (m.model, m.task, m.calls, m.tokens, m.usd) for m in true.models
    ]
    # Requests that share an instance over the turn of an hour are the only thing that sums of hours cannot know.
    saved = true.totals.shared_usd - told.totals.shared_usd
    assert Decimal(0) <= saved <= true.totals.shared_usd / 20
    loads, busy = scaling(ledger, TABLE), scaling(found, TABLE)
    assert (busy.runs, busy.binds, busy.busiest_minute) == (300, loads.binds, loads.busiest_minute)
    for mine, theirs in zip(busy.stages, loads.stages, strict=True):
        assert (mine.arrivals, mine.cold_starts, mine.failed_tries, mine.busiest_minute) == (
            theirs.arrivals, theirs.cold_starts, theirs.failed_tries, theirs.busiest_minute
        )  # fmt: skip
        assert mine.seconds is not None
        assert theirs.seconds is not None
        assert mine.seconds.p95 == pytest.approx(theirs.seconds.p95, rel=0.0101)


async def test_records_that_come_later_are_added_and_none_counts_twice(tmp_path):
    archive, records = FolderArchive(tmp_path), mixed(120).records
    adder = Adder(archive, TABLE, PRICES)
    shuffled = random.Random(3).sample(records, len(records))
    await keep(archive, shuffled[:50])
    assert await adder.add(now=SOON) == 50
    assert await adder.add(now=SOON) == 0
    await keep(archive, shuffled[50:90])
    assert await adder.add(now=SOON + timedelta(hours=1)) == 40
    await keep(archive, shuffled[90:])
    found = await read_ledger(archive, DAY, most=60, key=KEY)
    assert (len(found.records), found.added_up.costs.runs) == (30, 90)
    assert billing(found, TABLE, PRICES).totals.model_usd == billing(mixed(120), TABLE, PRICES).totals.model_usd


async def test_two_who_add_up_at_once_count_each_record_once(tmp_path):
    archive = FolderArchive(tmp_path)
    await keep(archive, mixed(60).records)
    done = await asyncio.gather(*(Adder(archive, TABLE, PRICES).add(now=SOON) for _ in range(4)))
    assert sorted(done) == [0, 0, 0, 60]
    assert (await read_ledger(archive, DAY, most=10, key=KEY)).added_up.costs.runs == 60


async def test_so_many_records_are_added_up_in_parts(tmp_path, monkeypatch):
    monkeypatch.setattr(added_up, "PART", 7)
    archive = FolderArchive(tmp_path)
    await keep(archive, mixed(40).records)
    assert await Adder(archive, TABLE, PRICES).add(now=SOON) == 40
    assert len([name async for name in archive.list(f"usage-sums/{KEY}/2026/11/29/")]) == 6
    assert (await read_ledger(archive, DAY, most=10, key=KEY)).added_up.costs.runs == 40


async def test_a_period_of_few_records_is_read_from_them_and_keeps_its_minutes(tmp_path):
    archive, records = FolderArchive(tmp_path), mixed(40).records
    await keep(archive, records)
    await Adder(archive, TABLE, PRICES).add(now=SOON)
    odd = Window(start=DAY.start + timedelta(minutes=13), end=DAY.end - timedelta(minutes=1))
    found = await read_ledger(archive, odd, most=40, key=KEY)
    assert found.window == odd
    assert found.records == tuple(record for record in records if odd.holds(record.asked_at))
    many = await read_ledger(archive, odd, most=39, key=KEY)
    assert many.window.start == DAY.start
    assert many.window.end in {DAY.end, odd.end}
    assert (many.records, many.added_up.costs.runs) == ((), 40)


async def test_an_unreadable_record_is_told_from_the_sums_too(tmp_path):
    archive = FolderArchive(tmp_path)
    await keep(archive, mixed(20).records)
    await archive.put(f"{day_folder(DAY.start)}broken.json", b"{")
    assert await Adder(archive, TABLE, PRICES).add(now=SOON) == 21
    found = await read_ledger(archive, DAY, most=5, key=KEY)
    assert [one.name.rpartition("/")[2] for one in found.unreadable] == ["broken.json"]
    assert found.added_up.costs.runs == 20


async def test_a_day_long_over_is_read_without_its_records_and_looked_at_once_a_day(tmp_path):
    archive = FolderArchive(tmp_path)
    adder = Adder(archive, TABLE, PRICES)
    await keep(archive, mixed(30).records)
    assert await adder.add(now=SOON) == 30
    assert await adder.add(now=LATER) == 0
    late = run(random.Random(9), 99)
    await keep(archive, [late])
    read = counting(archive)
    assert (await read_ledger(archive, DAY, most=5, key=KEY)).added_up.costs.runs == 30
    assert all(name.startswith("usage-sums/") for name in read)
    assert await adder.add(now=LATER + timedelta(hours=23)) == 0
    assert await adder.add(now=LATER + timedelta(hours=25)) == 1
    assert (await read_ledger(archive, DAY, most=5, key=KEY)).added_up.costs.runs == 31


async def test_a_day_that_is_over_is_listed_every_six_hours_and_a_report_reads_what_came_between(tmp_path):
    archive = FolderArchive(tmp_path)
    adder = Adder(archive, TABLE, PRICES)
    await keep(archive, mixed(30).records)
    evening = DAY.end + timedelta(hours=3)
    assert await adder.add(now=evening) == 30
    await keep(archive, [run(random.Random(9), 99)])
    assert await adder.add(now=evening + timedelta(hours=5)) == 0
    found = await read_ledger(archive, DAY, most=5, key=KEY)
    assert (len(found.records), found.added_up.costs.runs) == (1, 30)
    assert await adder.add(now=evening + timedelta(hours=6)) == 1
    # Without news it is left alone all the same.
    assert await adder.add(now=evening + timedelta(hours=12)) == 0
    await keep(archive, [run(random.Random(8), 98)])
    assert await adder.add(now=evening + timedelta(hours=17)) == 0
    assert await adder.add(now=evening + timedelta(hours=18)) == 1


async def test_a_day_is_looked_at_as_soon_as_reports_need_not_list_it_again(tmp_path):
    archive = FolderArchive(tmp_path)
    adder = Adder(archive, TABLE, PRICES)
    await keep(archive, mixed(30).records)
    end = DAY.end + added_up.YOUNG
    assert await adder.add(now=end - timedelta(minutes=5)) == 30
    await keep(archive, [run(random.Random(9), 99)])
    assert await adder.add(now=end + timedelta(minutes=55)) == 1
    found = await added_up.read_sums(archive, DAY, KEY)
    assert found.is_complete(DAY.start.date())
    # Of a day that is not listed again, no names are kept.
    assert (found.records, len(found.names)) == (31, 0)


async def test_without_sums_of_these_sizes_and_prices_too_many_records_are_refused(tmp_path):
    archive = FolderArchive(tmp_path)
    await keep(archive, mixed(20).records)
    await Adder(archive, TABLE, PRICES).add(now=SOON)
    rows = tuple(row.model_copy(update={"memory_mb": row.memory_mb * 2}) for row in TABLE.functions)
    other = sums_key(TABLE.model_copy(update={"functions": rows}), PRICES)
    assert other != KEY
    with pytest.raises(TooMany, match="neuralkg report sums"):
        await read_ledger(archive, DAY, most=5, key=other)


@pytest.mark.parametrize("spoilt", [b"", b"{}", b'{"schema_version": 2}'])
async def test_a_part_that_cannot_be_read_counts_for_nothing_and_its_records_are_added_anew(tmp_path, spoilt):
    archive = FolderArchive(tmp_path)
    await keep(archive, mixed(20).records)
    adder = Adder(archive, TABLE, PRICES)
    await adder.add(now=SOON)
    (name,) = [name async for name in archive.list(f"usage-sums/{KEY}/2026/11/29/")]
    await archive.put(name, spoilt)
    assert await adder.add(now=SOON) == 20
    assert (await read_ledger(archive, DAY, most=5, key=KEY)).added_up.costs.runs == 20


async def test_a_plan_is_not_made_of_sums(tmp_path):
    archive = FolderArchive(tmp_path)
    await keep(archive, mixed(20).records)
    await Adder(archive, TABLE, PRICES).add(now=SOON)
    found: Ledger = await read_ledger(archive, DAY, most=5, key=KEY)
    with pytest.raises(UsageError, match="shorter period"):
        Forecaster(found, PRICES, load_limits())


async def test_a_report_over_a_day_of_many_questions_reads_a_few_files(tmp_path):
    archive, chance = FolderArchive(tmp_path), random.Random(4)
    start = datetime(2026, 11, 29, 10, tzinfo=UTC)
    one = run(chance, asked_at=start)
    records = [
        one.model_copy(update={"run_id": f"r{n:05d}", "asked_at": start + timedelta(seconds=n)})
        for n in range(2000)
    ]
    await keep(archive, records)
    await Adder(archive, TABLE, PRICES).add(now=SOON)
    read = counting(archive)
    found = await read_ledger(archive, DAY, most=1000, key=KEY)
    assert len(read) == 1
    assert found.added_up.costs.model_usd == 2000 * (one.usage.usd + one.finder.usd)
