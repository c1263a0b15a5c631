"""The simulation agrees with queueing theory where that has an answer, and repeats itself with the same seed."""

from __future__ import annotations

import random
from statistics import mean

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.accounting.simulation import UNBOUNDED, Station, Visit, drawn, poisson, simulate, throughput


def station(name="a", *, concurrency=1, warm=1, most=1, cold=0.0, speed=1.0) -> Station:
    return Station(name, concurrency, warm, most, cold, speed)


def test_a_question_that_meets_nobody_takes_its_own_time():
    script = (Visit("a", 0.1, 0.2, 0.3), Visit("b", 0.05, 0.0, 1.0))
    found = simulate([script], [5.0], {"a": station("a"), "b": station("b", speed=0.5)})
    assert found.latency.p50 == pytest.approx(1.65)
    assert found.throughput == pytest.approx(1 / 1.65)
    assert [one.waited.p99 for one in found.stations] == [0.0, 0.0]
    assert found.saturated is None


def test_one_place_at_random_arrivals_waits_as_theory_says():
    """M/M/1 at a load of 0.6: the mean time within is 1 / (mu - lambda)."""
    chance = random.Random(4)
    scripts = [(Visit("a", 0.0, 0.0, chance.expovariate(1.0)),) for _ in range(40_000)]
    found = simulate(scripts, poisson(0.6, runs=len(scripts), seed=5), {"a": station()})
    assert found.latency.mean == pytest.approx(1 / (1 - 0.6), rel=0.07)
    assert found.throughput == pytest.approx(0.6, rel=0.03)


def test_many_instances_of_one_place_wait_as_theory_says():
    """M/M/3 at a load of 0.8: by Erlang's formula a request waits 1.0787 service times in the mean."""
    chance = random.Random(14)
    scripts = [(Visit("a", 0.0, 0.0, chance.expovariate(1.0)),) for _ in range(60_000)]
    found = simulate(scripts, poisson(2.4, runs=len(scripts), seed=15), {"a": station(warm=3, most=3)})
    assert mean([found.stations[0].waited.mean]) == pytest.approx(1.0787, rel=0.1)


def test_little_s_law_holds():
    chance = random.Random(6)
    scripts = [(Visit("a", 0.0, chance.uniform(0, 0.3), chance.uniform(0, 2)),) for _ in range(5000)]
    found = simulate(scripts, poisson(3.0, runs=5000, seed=7), {"a": station(concurrency=UNBOUNDED)})
    (one,) = found.stations
    assert one.processor == pytest.approx(3.0 * 0.15 * found.seconds / one.busy_seconds, rel=0.05)


def test_work_on_one_processor_is_done_one_after_the_other_and_waiting_is_not():
    work = [(Visit("a", 0.0, 1.0, 0.0),)] * 3
    waits = [(Visit("a", 0.0, 0.0, 1.0),)] * 3
    places = {"a": station(concurrency=8)}
    assert simulate(work, [0.0] * 3, places).latency.p99 == pytest.approx(3.0)
    assert simulate(waits, [0.0] * 3, places).latency.p99 == pytest.approx(1.0)


def test_stages_of_one_event_loop_take_turns():
    script = (Visit("a", 0.0, 1.0, 0.0), Visit("b", 0.0, 1.0, 0.0))
    loop = station("loop", concurrency=UNBOUNDED)
    found = simulate([script, script], [0.0, 0.0], {"a": loop, "b": loop})
    assert [one.station for one in found.stations] == ["loop"]
    # a1 a2 b1 b2: the first ends after three, the second after four.
    assert found.latency.mean == pytest.approx(3.5)


def test_a_cold_start_is_waited_for_and_an_instance_that_is_warm_is_not():
    scripts = [(Visit("a", 0.0, 0.0, 10.0),)] * 2
    cold = simulate(scripts, [0.0, 1.0], {"a": station(warm=1, most=2, cold=3.0)})
    assert cold.stations[0].cold_starts == 1
    assert cold.latency.p99 == pytest.approx(13.0)
    warm = simulate(scripts, [0.0, 1.0], {"a": station(warm=2, most=2, cold=3.0)})
    assert warm.latency.p99 == pytest.approx(10.0)
    assert warm.stations[0].instances == 2


def test_a_starting_instance_takes_all_that_it_has_places_for():
    scripts = [(Visit("a", 0.0, 0.0, 1.0),)] * 8
    found = simulate(scripts, [0.0] * 8, {"a": station(concurrency=4, warm=0, most=9, cold=2.0)})
    assert found.stations[0].cold_starts == 2
    assert found.latency.p99 == pytest.approx(3.0)


def test_more_than_can_be_done_piles_up_at_its_station_and_nowhere_else():
    scripts = [(Visit("a", 0.0, 0.0, 0.1), Visit("b", 0.0, 0.0, 1.0))] * 300
    stations = {"a": station("a", concurrency=10), "b": station("b", concurrency=2)}
    found = simulate(scripts, poisson(5.0, runs=300, seed=1), stations)
    assert found.saturated == "b"
    assert found.throughput == pytest.approx(2.0, rel=0.05)
    calm = simulate(scripts, poisson(1.0, runs=300, seed=1), stations)
    assert calm.saturated is None


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 10_000), runs=st.integers(1, 60))
def test_every_question_is_answered_once_and_the_same_seed_gives_the_same_course(seed, runs):
    chance = random.Random(seed)
    known = [
        tuple(
            Visit(chance.choice("ab"), chance.uniform(0, 0.1), chance.uniform(0, 0.2), chance.uniform(0, 0.2))
            for _ in range(chance.randint(1, 5))
        )
        for _ in range(5)
    ]
    stations = {
        name: station(name, concurrency=chance.randint(1, 3), warm=chance.randint(0, 1), most=2, cold=0.5)
        for name in "ab"
    }
    scripts, arrivals = drawn(known, runs=runs, seed=seed), poisson(4.0, runs=runs, seed=seed)
    found = simulate(scripts, arrivals, stations)
    assert found.latency.count == runs
    assert sum(one.visits for one in found.stations) == sum(map(len, scripts))
    least = min(sum(v.hop + v.cpu + v.other for v in script) for script in scripts)
    assert found.latency.p50 >= least * (1 - 1e-9)
    assert simulate(scripts, arrivals, stations) == found


def test_what_cannot_be_simulated_is_refused():
    with pytest.raises(ValueError, match="needs questions"):
        simulate([], [], {})
    with pytest.raises(KeyError):
        simulate([(Visit("a", 0, 0, 0),)], [0.0], {})


def test_throughput_is_between_the_first_end_and_the_last():
    assert throughput([1.0, 2.0, 3.0], since=0.0) == pytest.approx(1.0)
    assert throughput([4.0], since=2.0) == pytest.approx(0.5)
