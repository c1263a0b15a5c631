"""The budget of a run: set aside before a call, settled after it."""

from __future__ import annotations

from decimal import Decimal

import pytest

from shared.runtime.budget import Budget, Limits
from shared.runtime.errors import BudgetExhausted

CENT = Decimal("0.01")


def settled(budget: Budget, **used):
    budget.reserve(CENT)
    return budget.settle(reserved=CENT, **{"usd": Decimal(0), "tokens": 1, "seconds": 0.0, **used})


def test_the_defaults_are_twenty_calls_one_dollar_and_ninety_seconds():
    assert Limits() == Limits(model_calls=20, usd=Decimal("1.00"), model_seconds=90.0)


def test_a_call_within_the_limits_is_nothing_to_tell():
    assert settled(Budget()) is None


def test_the_call_that_crosses_the_time_is_kept_told_once_and_the_last():
    budget = Budget(Limits(model_seconds=10.0))
    assert settled(budget, seconds=9.0) is None
    assert settled(budget, seconds=3.0) == "12.0 s of 10 s of model time are used"
    with pytest.raises(BudgetExhausted, match="10 s of model time"):
        budget.reserve(CENT)


def test_the_call_that_crosses_the_dollars_is_told():
    budget = Budget(Limits(usd=Decimal("0.05")))
    assert settled(budget, usd=Decimal("0.07")) == "$0.07 of $0.05 are spent"
    assert budget.used.usd == Decimal("0.07")
    with pytest.raises(BudgetExhausted, match=r"\$0\.05"):
        budget.reserve(Decimal(0))


def test_what_is_set_aside_counts_until_it_is_settled_or_given_back():
    budget = Budget(Limits(usd=CENT))
    budget.reserve(CENT)
    with pytest.raises(BudgetExhausted):
        budget.reserve(CENT)
    budget.release(reserved=CENT)
    budget.reserve(CENT)
    assert budget.reserved_calls == 1
