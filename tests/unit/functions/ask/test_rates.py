"""A client may ask at a steady rate with a burst of one minute; others are untouched, and memory is bounded."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from functions.ask import rates
from functions.ask.rates import Rates, TooFast


class Clock:
    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def admitted(limit: Rates, client: str) -> bool:
    try:
        limit.admit(client)
    except TooFast:
        return False
    return True


def test_a_burst_of_one_minute_is_admitted_and_the_next_question_told_when_to_come_back():
    clock = Clock()
    limit = Rates(6, clock=clock)
    assert [admitted(limit, "a") for _ in range(7)] == [True] * 6 + [False]
    with pytest.raises(TooFast, match="6 questions a minute") as refused:
        limit.admit("a")
    assert refused.value.seconds == pytest.approx(10.0)
    clock.now += 9.9
    assert not admitted(limit, "a")
    clock.now += 0.2
    assert admitted(limit, "a")
    assert not admitted(limit, "a")


def test_clients_do_not_share_a_rate():
    limit = Rates(1, clock=Clock())
    assert admitted(limit, "a")
    assert admitted(limit, "b")
    assert not admitted(limit, "a")


def test_nought_admits_everything():
    limit = Rates(0, clock=Clock())
    assert all(admitted(limit, "a") for _ in range(1000))


@given(st.lists(st.floats(0, 30), max_size=60), st.integers(1, 10))
def test_no_window_of_a_minute_admits_more_than_two_minutes_worth(pauses, per_minute):
    clock = Clock()
    limit = Rates(per_minute, clock=clock)
    times = []
    for pause in pauses:
        clock.now += pause
        if admitted(limit, "a"):
            times.append(clock.now)
    for at in times:
        assert sum(at <= other < at + 60 for other in times) <= 2 * per_minute


def test_only_so_many_clients_are_remembered(monkeypatch):
    monkeypatch.setattr(rates, "REMEMBERED", 3)
    limit = Rates(1, clock=Clock())
    for client in "abcd":
        limit.admit(client)
    assert len(limit._paid_until) == 3
    assert not admitted(limit, "d")
    assert admitted(limit, "a")
