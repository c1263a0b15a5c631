"""A distribution keeps its percentiles within one per cent in little room, however it was put together."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.accounting.distribution import FEW, Distribution, percentile

SECONDS = st.floats(min_value=1e-6, max_value=3600, allow_nan=False)


def test_few_values_are_kept_as_they_are():
    kept = Distribution.of(float(n) for n in range(1, FEW + 1)).stored()
    assert kept.classes == {}
    assert kept.spread() == Distribution.of(float(n) for n in range(FEW, 0, -1)).spread()


@pytest.mark.parametrize("share", [0.50, 0.95, 0.99])
def test_percentiles_read_off_classes_are_within_one_per_cent(share):
    chance = random.Random(5)
    values = [chance.lognormvariate(-3, 1.5) for _ in range(20_000)]
    stored = Distribution.of(values).stored()
    assert stored.values == ()
    found = stored.spread()
    assert found is not None
    assert getattr(found, f"p{share * 100:.0f}") == pytest.approx(percentile(sorted(values), share), rel=0.0101)
    assert found.mean == pytest.approx(sum(values) / len(values))


@settings(max_examples=50, deadline=None)
@given(st.lists(SECONDS, max_size=60), st.lists(SECONDS, min_size=FEW + 1, max_size=FEW + 60), st.booleans())
def test_what_was_put_together_is_what_was_put_in(few, many, turned):
    one, other = Distribution.of(few), Distribution.of(many).stored()
    both = other.plus(one) if turned else one.plus(other)
    assert both.count == len(few) + len(many)
    assert sum(both.classes.values()) == both.count
    assert Distribution.model_validate_json(both.model_dump_json()) == both
    found, true = both.spread(), Distribution.of(few + many).spread()
    assert found is not None
    assert true is not None
    for name in ("mean", "p50", "p95", "p99"):
        assert getattr(found, name) == pytest.approx(getattr(true, name), rel=0.0101)


def test_no_value_has_no_spread_and_one_of_nothing_is_the_least_there_is():
    assert Distribution().spread() is None
    zero = Distribution.of([0.0] * (FEW + 1)).stored().spread()
    assert zero is not None
    assert zero.p99 == pytest.approx(1e-6, rel=0.0101)
