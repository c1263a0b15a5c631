"""Whichever way the dollars are grouped they add up to what the runs themselves say."""

from __future__ import annotations

import random
from decimal import Decimal
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.accounting.billing import UNTOLD, billing
from shared.accounting.costs import NOT_READ
from shared.accounting.footprint import footprint
from shared.accounting.forecast import Forecaster
from shared.accounting.ledger import Ledger
from shared.accounting.limits import load_limits
from shared.accounting.prices import load_prices
from shared.accounting.scaling import scaling
from shared.runtime.settings import load_stages
from tests.support.usage import DAY, mixed, run

TABLE, PRICES = load_stages(), load_prices()
NOTHING = Decimal(0)


def total(values) -> Decimal:
    return sum(values, NOTHING)


def own_usd(record) -> Decimal:
    """A run's model dollars as its own record has them, read apart from the report."""
    data = record.model_dump(mode="json")["usage"]
    return Decimal(data["usd"]) + Decimal(data["finder"].get("usd", "0"))


def check_sums(ledger: Ledger) -> None:
    report = billing(ledger, TABLE, PRICES)
    model = total(own_usd(record) for record in ledger.records)
    cloud = total(
        PRICES.by_id[use.price].of(use.quantity) for record in ledger.records for use in footprint(record, TABLE)
    )
    assert report.totals.model_usd == model
    assert total(one.usd for one in report.models) == model
    for groups in (report.functions, report.types, report.moments):
        assert total(one.model_usd for one in groups) == model
        assert total(one.cloud_usd for one in groups) == cloud
    assert total(one.list_usd for one in report.services) == report.totals.cloud_list_usd == cloud
    assert report.totals.net_usd == model + total(one.usd for one in report.services)
    assert all(one.usd >= 0 for one in report.services)
    assert sum(one.runs for one in report.types) == sum(one.runs for one in report.moments) == report.runs
    assert sum(one.model_calls for one in report.functions if one.function != "finder") == sum(
        record.usage.model_calls for record in ledger.records
    )
    assert sum(one.tokens for one in report.models if one.model != UNTOLD) == sum(
        record.usage.tokens for record in ledger.records
    )


def test_the_sums_of_two_hundred_mixed_runs_equal_the_runs_own_usage_to_the_cent():
    ledger = mixed(200)
    assert total(map(own_usd, ledger.records)) > 1
    check_sums(ledger)


@settings(max_examples=30, deadline=None)
@given(seed=st.integers(0, 10_000), count=st.integers(0, 12))
def test_the_sums_agree_whatever_the_runs(seed, count):
    check_sums(mixed(count, seed=seed))


def test_a_period_without_questions_costs_what_stands_by_itself():
    report = billing(Ledger(window=DAY, records=()), TABLE, PRICES)
    assert (report.runs, report.types, report.models) == (0, (), ())
    assert report.totals.model_usd == report.totals.cloud_list_usd == 0
    assert report.totals.per_thousand_usd is None
    # understand and ask have one idle CPU each, finder two, all day; 1, 0.5 and 2 GiB.
    idle = {one.price: one.standing for one in report.services if "idle" in one.price}
    assert idle == {"function.idle_cpu": 4 * 86400, "function.idle_memory": Decimal("3.5") * 86400}
    assert report.totals.standing_usd > report.totals.free_usd > 0
    assert report.totals.net_usd == report.totals.standing_usd - report.totals.free_usd


def test_the_free_amount_is_that_of_the_period_and_never_more_than_was_used():
    report = billing(mixed(200), TABLE, PRICES)
    services = {one.price: one for one in report.services}
    month = Decimal(86400) / Decimal(2629800)
    assert services["firestore.writes"].free == min(services["firestore.writes"].used, 20000)
    assert services["firestore.deletes"].free == services["function.idle_cpu"].free == 0
    assert services["storage.class_a"].free == pytest.approx(5000 * month)
    assert services["pubsub.bytes"].free_usd == services["pubsub.bytes"].list_usd


def test_requests_that_share_an_instance_are_billed_once():
    chance = random.Random(1)
    together = tuple(run(chance, n, asked_at=DAY.start, waits=0.001) for n in range(6))
    report = billing(Ledger(window=DAY, records=together), TABLE, PRICES)
    services = {one.price: one for one in report.services}
    assert services["function.cpu"].used > services["function.cpu"].shared > 0
    ask = next(row for row in TABLE.functions if row.name == "ask")
    assert ask.concurrency > len(together)
    alone = billing(Ledger(window=DAY, records=together[:1]), TABLE, PRICES)
    assert {one.price: one.shared_usd for one in alone.services}["function.cpu"] == 0


def test_what_no_model_accounts_for_is_shown_by_itself():
    chance = random.Random(3)
    record = next(one for n in range(99) if (one := run(chance, n)).usage.models)
    silent = record.model_copy(update={"usage": record.usage.model_copy(update={"models": ()})})
    report = billing(Ledger(window=DAY, records=(silent,)), TABLE, PRICES)
    assert [(one.model, one.usd) for one in report.models] == [(UNTOLD, own_usd(record))]


def test_runs_that_do_not_tell_what_they_left_are_counted_and_a_question_that_was_not_read_has_a_name():
    chance = random.Random(5)
    records = tuple(run(chance, n, kept=n > 0).model_copy(update={"question_type": None}) for n in range(3))
    report = billing(Ledger(window=DAY, records=records), TABLE, PRICES)
    assert report.uncounted == 1
    assert [one.type for one in report.types] == [NOT_READ]
    assert report.uncertain


def test_a_failed_try_is_paid_for_too():
    chance = random.Random(9)
    once = run(chance).model_copy(update={"attempts": {}})
    thrice = once.model_copy(update={"attempts": {"-1.understand": 3}})
    costs = [
        {one.function: one for one in billing(Ledger(window=DAY, records=(r,)), TABLE, PRICES).functions}
        for r in (once, thrice)
    ]
    assert [cost["understand"].requests for cost in costs] == [1, 3]
    assert costs[1]["understand"].cloud_usd == 3 * costs[0]["understand"].cloud_usd


@pytest.mark.parametrize("days", [1, 20])
def test_the_course_of_time_has_hours_or_days_without_gaps(days):
    window = DAY.model_copy(update={"end": DAY.start.replace(day=29) + days * (DAY.end - DAY.start)})
    moments = billing(Ledger(window=window, records=mixed(20).records), TABLE, PRICES).moments
    assert len(moments) == (24 if days == 1 else 20)
    steps = {b.start - a.start for a, b in pairwise(moments)}
    assert len(steps) == 1


def test_a_stage_that_the_table_does_not_know_is_named_and_its_models_are_paid():
    record = next(one for n in range(99) if (one := run(random.Random(n), n)).usage.stages[0].usd)
    first, *rest = record.usage.stages
    stages = (first.model_copy(update={"stage": "literature"}), *rest)
    renamed = record.model_copy(update={"usage": record.usage.model_copy(update={"stages": stages})})
    ledger = Ledger(window=DAY, records=(renamed,) * 6)
    check_sums(ledger)
    report = billing(ledger, TABLE, PRICES)
    assert report.unpriced == scaling(ledger, TABLE).unknown == ("literature",)
    assert next(one for one in report.functions if one.function == "literature").model_usd == 6 * first.usd
    plan = Forecaster(ledger, PRICES, load_limits()).plan(TABLE, 1.0)
    assert "literature" not in {one.station for one in plan.asked.simulated.stations}
