from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.accounting.usage import FAILED_TRIES, finder_usage, merge_models, run_usage, stage_usage
from shared.query.annotated import Annotation, Discovered
from shared.query.answer import ModelUsage, StageUsage
from shared.query.discovery import FinderUsage
from shared.runtime.context import Meter
from shared.runtime.records import BudgetTotals, StepRef

uses = st.builds(
    ModelUsage,
    model=st.sampled_from(["builtin", "m1"]),
    task=st.sampled_from(["choose.v1", "understand.v17"]),
    calls=st.integers(0, 5),
    tokens=st.integers(0, 5000),
    usd=st.decimals(0, 1, places=6),
    seconds=st.floats(0, 10),
)


@given(st.lists(uses))
def test_merging_models_loses_no_call_and_no_cent(models):
    merged = merge_models(models)
    assert len({(use.model, use.task) for use in merged}) == len(merged)
    assert sum(use.calls for use in merged) == sum(use.calls for use in models)
    assert sum((use.usd for use in merged), Decimal(0)) == sum((use.usd for use in models), Decimal(0))


def test_a_stage_is_charged_with_what_it_added_to_the_budget():
    step = StepRef(run_id="r", reading=0, stage="select")
    before = BudgetTotals(model_calls=2, tokens=100, usd="0.01", model_seconds=1)
    after = BudgetTotals(model_calls=5, tokens=350, usd="0.0125", model_seconds=3)
    used = stage_usage(step, seconds=1.5, meter=Meter(requests=2, bytes_received=900), before=before, after=after)
    assert (used.model_calls, used.tokens, used.usd) == (3, 250, Decimal("0.0025"))
    assert (used.requests, used.bytes_received, used.seconds) == (2, 900, 1.5)


def test_a_run_is_the_sum_of_its_stages():
    stages = [
        StageUsage(stage="a", reading=0, seconds=1, model_calls=1, tokens=10, usd="0.1"),
        StageUsage(stage="b", reading=0, seconds=2, model_calls=2, tokens=20, usd="0.2"),
    ]
    usage = run_usage(stages, [], [], seconds=4.5)
    assert (usage.model_calls, usage.tokens, usage.usd, usage.seconds) == (3, 30, Decimal("0.3"), 4.5)
    assert usage.stages == tuple(stages)


@pytest.mark.parametrize(
    ("budget", "lost"),
    [
        (BudgetTotals(model_calls=2, tokens=20, usd="0.2"), None),
        (BudgetTotals(model_calls=5, tokens=50, usd="0.25"), (3, 30, Decimal("0.05"))),
        (None, None),
    ],
)
def test_what_tries_that_came_to_nothing_have_spent_stands_among_the_models(budget, lost):
    stages = [StageUsage(stage="a", reading=0, seconds=1, model_calls=2, tokens=20, usd="0.2")]
    usage = run_usage(stages, [], [], seconds=1, budget=budget)
    found = [(one.calls, one.tokens, one.usd) for one in usage.models if one.model == FAILED_TRIES]
    assert found == ([lost] if lost else [])
    assert usage.model_calls == (budget.model_calls if budget else 2)
    assert usage.usd == (budget.usd if budget else Decimal("0.2"))


def test_a_search_that_slots_share_is_counted_once():
    paid = Discovered(documents=(), usage=FinderUsage(seconds=0.25, model_calls=1, tokens=5, usd="0.001"))
    shared = Discovered(documents=())
    annotations = [
        Annotation(reading=0, stage="discover", source=source, payload=payload)
        for source, payload in (("a", paid), ("b", shared), ("c", paid))
    ]
    assert finder_usage(annotations) == {
        "searches": 2,
        "seconds": 0.5,
        "model_calls": 2,
        "tokens": 10,
        "usd": "0.002",
    }
