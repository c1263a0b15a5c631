from __future__ import annotations

import math
import random
from datetime import timedelta
from statistics import median

import pytest

from shared.accounting.calibration import alone, calibrated, needed, station
from shared.accounting.distribution import Distribution, percentile
from shared.accounting.footprint import writes
from shared.accounting.forecast import Forecaster, busy_instances, changed_table, parsed_rate
from shared.accounting.ledger import Ledger
from shared.accounting.limits import Ramp, load_limits, per_run, reached
from shared.accounting.loads import steps_of
from shared.accounting.prices import PricesInvalid, load_prices
from shared.accounting.scaling import scaling
from shared.accounting.window import Window
from shared.adapters.firestore_values import SHARDS
from shared.runtime.errors import UsageError
from shared.runtime.settings import load_stages
from tests.support.usage import DAY, mixed, run

TABLE, PRICES, LIMITS = load_stages(), load_prices(), load_limits()


def steady(count: int, *, seed: int = 3, source: str = "usage") -> Ledger:
    chance = random.Random(seed)
    records = tuple(run(chance, n, asked_at=DAY.start + timedelta(minutes=n)) for n in range(count))
    return Ledger(window=DAY, records=records, source=source)


def test_concurrency_is_arrivals_times_the_time_they_stay():
    hour = Window(start=DAY.start, end=DAY.start + timedelta(hours=1))
    record = run(random.Random(1), asked_at=DAY.start)
    stages = tuple(s.model_copy(update={"seconds": 1.97}) for s in record.usage.stages)
    record = record.model_copy(
        update={"usage": record.usage.model_copy(update={"stages": stages}), "attempts": {"0.slots": 3}}
    )
    report = scaling(Ledger(window=hour, records=(record,) * 18), TABLE)
    loads = {one.stage: one for one in report.stages}
    # 18 runs an hour, each 1.97 s and 0.03 s about it; three tries of slots.
    assert loads["discover"].concurrency == pytest.approx(18 * 2 / 3600)
    assert loads["slots"].arrivals == 54
    assert loads["slots"].failed_tries == 36
    assert loads["slots"].concurrency == pytest.approx(54 * 2 / 3600)
    # A try that waited for its predecessor's failure is no measure of the queue.
    assert loads["slots"].queue is None
    assert loads["discover"].queue is not None


def test_a_step_waits_from_the_end_of_the_one_before_and_the_first_from_the_question():
    record = run(random.Random(2), asked_at=DAY.start)
    steps = list(steps_of(record))
    first, second = record.usage.stages[:2]
    assert steps[0].waited == pytest.approx((first.began_at - record.asked_at).total_seconds())
    between = (second.began_at - first.began_at).total_seconds() - first.seconds
    assert steps[1].waited == pytest.approx(between)


def test_records_that_do_not_tell_when_steps_began_leave_the_queue_unknown_and_not_zero():
    records = tuple(run(random.Random(n), n, began=False) for n in range(5))
    report = scaling(Ledger(window=DAY, records=records), TABLE)
    assert {one.queue for one in report.stages} == {None}
    assert {one.cpu for one in report.stages} == {None}
    assert report.stages[0].seconds.count == 5


def test_what_binds_first_is_the_stage_with_the_fullest_row():
    tight = changed_table(TABLE, ())
    rows = tuple(
        row.model_copy(update={"max_instances": 1, "concurrency": 1}) if row.name == "select" else row
        for row in tight.functions
    )
    report = scaling(mixed(100), tight.model_copy(update={"functions": rows}))
    assert report.binds == "select"
    select = next(one for one in report.stages if one.stage == "select")
    assert report.holds_until == pytest.approx(report.busiest_minute / select.load)


def test_the_spread_is_of_the_values_themselves():
    found = Distribution.of(float(n) for n in range(1, 101)).spread()
    assert (found.p50, found.p95, found.p99, found.mean, found.count) == (50, 95, 99, 50.5, 100)
    assert Distribution.of([]).spread() is None
    assert percentile([7.0], 0.99) == 7.0


@pytest.mark.parametrize(
    ("text", "rate"), [("50/s", 50), ("300/min", 5), ("1,000,000/day", 1_000_000 / 86400), ("0.5/s", 0.5)]
)
def test_a_rate_is_a_number_by_a_time(text, rate):
    assert parsed_rate(text) == pytest.approx(rate)


@pytest.mark.parametrize("text", ["", "50", "fast", "-3/s", "0/s", "50/fortnight", "9999999/s", "1e3/s"])
def test_a_rate_that_cannot_be_is_told_with_what_is_allowed(text):
    with pytest.raises(UsageError, match=r"50/s, 300/min or 1000000/day"):
        parsed_rate(text)


def test_too_few_runs_are_no_ground_for_a_plan():
    with pytest.raises(UsageError, match="4 runs that tell when their steps began"):
        Forecaster(steady(4), PRICES, LIMITS)


def test_a_message_takes_what_was_measured_but_no_longer_than_its_median():
    ledger = steady(30)
    warm = [r for r in ledger.records if not any(stage.cold for stage in r.usage.stages)]
    told = [s.waited for r in warm for s in steps_of(r) if s.usage.stage == "select" and s.tries == 1]
    hops = [v.hop for script in calibrated(ledger, hop=None) for v in script if v.stage == "select"]
    assert max(hops) == pytest.approx(median(told))
    assert min(hops) == pytest.approx(min(told))
    assert {v.hop for script in calibrated(ledger, hop=0.1) for v in script} == {0.1}


def test_runs_with_a_cold_step_are_left_out_while_there_are_others():
    ledger = steady(60)
    cold = [r for r in ledger.records if any(s.cold for s in r.usage.stages)]
    assert cold
    assert len(calibrated(ledger, hop=None)) == 60 - len(cold)
    assert len(calibrated(ledger.model_copy(update={"records": tuple(cold)}), hop=None)) == len(cold)


def test_instances_follow_from_places_or_from_the_processor_whichever_is_more():
    scripts = calibrated(steady(40), hop=0.0)
    row = TABLE.get("select")
    places, processors = needed(row, scripts, 10.0)
    assert needed(row.model_copy(update={"concurrency": 1}), scripts, 10.0)[0] == pytest.approx(
        places * row.concurrency
    )
    assert needed(row, scripts, 20.0) == pytest.approx((2 * places, 2 * processors))
    assert station(row, scripts, 1e9).warm == row.max_instances


def test_a_rate_beyond_the_table_piles_up_and_the_suggested_change_carries_it():
    forecaster = Forecaster(steady(60), PRICES, LIMITS)
    plan = forecaster.plan(TABLE, 3000.0, target_seconds=10.0)
    assert plan.asked.binds is not None
    changes = {(one.function, one.field): one for one in plan.suggested}
    grown = changes[plan.asked.binds, "max_instances"]
    assert grown.to > grown.now == TABLE.get(plan.asked.binds).max_instances
    assert plan.changed is not None
    assert plan.changed.simulated.throughput > plan.asked.simulated.throughput
    assert plan.changed.binds is None
    assert plan.reaches_target
    assert changes["slots", "min_instances"].to == 1
    assert plan.changed.first_seconds < plan.asked.first_seconds


def test_a_wish_that_no_scaling_can_meet_is_told_so():
    plan = Forecaster(steady(60), PRICES, LIMITS).plan(TABLE, 1.0, target_seconds=0.001)
    assert plan.reaches_target is False
    assert plan.floor_seconds > 0.001
    assert plan.floor_seconds == alone(calibrated(steady(60), hop=None), 0.95)


def test_the_plan_goes_to_a_million_questions_a_day_and_says_what_breaks_first():
    plan = Forecaster(steady(60), PRICES, LIMITS, model_calls=20.0).plan(TABLE, 1.0)
    assert [round(one.month_rate * 86400) for one in plan.scale] == [1_000, 10_000, 100_000, 1_000_000]
    costs = [one.month_usd for one in plan.scale]
    assert costs == sorted(costs)
    assert plan.scale[0].per_thousand_usd > plan.scale[-1].per_thousand_usd
    million = plan.scale[-1]
    assert million.limits[0].reached_at == min(one.reached_at for one in million.limits)
    assert {one.id for one in million.limits if one.share > 1} == {"model.calls"}
    assert million.ramp_minutes > 0


def test_the_month_s_cost_without_questions_to_speak_of_is_what_stands_by_itself():
    plan = Forecaster(steady(60), PRICES, LIMITS).forecast(TABLE, 0.001, month_rate=1e-9)
    # Four idle CPUs and 3.5 GiB for a month, at 0.0000025 dollars a second of each.
    assert float(plan.month_usd) == pytest.approx(7.5 * 2629800 * 0.0000025, rel=0.02)


def test_a_limit_is_met_at_what_it_sustains_by_what_a_question_takes():
    takes = per_run(steady(50).records)
    found = {one.id: one for one in reached(takes, LIMITS, rate=10.0, model_calls=5.0)}
    index = found["firestore.sequential_index"]
    assert index.reached_at == pytest.approx(500 * SHARDS / takes.step_writes)
    assert index.share == pytest.approx(10 / index.reached_at)
    assert found["model.calls"].reached_at == pytest.approx(5.0 / takes.model_calls)
    records = steady(50).records
    measured = [
        writes(r, r.kept, sum(max(1, r.attempts[f"{s.reading}.{s.stage}"]) for s in r.usage.stages))
        for r in records
    ]
    assert takes.writes == pytest.approx(sum(measured) / 50)


def test_traffic_grows_by_half_every_five_minutes():
    ramp = Ramp(start_per_second=500, growth=1.5, every_minutes=5, source="", read="2026-11-30", certain=True)
    assert ramp.minutes_to(500) == 0
    assert ramp.minutes_to(750) == 5
    assert ramp.minutes_to(10_000) == 40


@pytest.mark.parametrize("load", [load_prices, load_limits])
def test_a_table_that_cannot_be_read_is_told_with_its_file(tmp_path, load):
    broken = tmp_path / "table.json"
    with pytest.raises(PricesInvalid, match=r"table\.json cannot be read"):
        load(broken)
    broken.write_text("{}")
    with pytest.raises(PricesInvalid, match=r"table\.json is not valid"):
        load(broken)


def test_instances_are_billed_while_they_have_any_request():
    # With one place each, every request is an instance; with many, an instance is busy unless there is none.
    assert busy_instances(3.0, 1) == pytest.approx(3.0)
    assert busy_instances(0.5, 80) == pytest.approx(1 - math.exp(-0.5))
    assert busy_instances(1e-9, 8) == pytest.approx(1e-9, rel=1e-3)
    below, above = busy_instances(159.9, 8), busy_instances(160.1, 8)
    assert below == pytest.approx(above, rel=0.01)
    assert busy_instances(160.0, 8) == pytest.approx(20.4, rel=0.02)
