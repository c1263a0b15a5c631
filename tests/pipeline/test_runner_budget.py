"""What models have been paid for stays charged to the run, though the try that paid comes to nothing."""

from __future__ import annotations

import asyncio
from decimal import Decimal

import pytest

from shared.query.annotated import AskOptions
from shared.runtime.attempt import Pace
from shared.runtime.budget import Budget, Limits
from shared.runtime.records import BudgetTotals, StepRef
from shared.runtime.settings import PIPELINE
from tests.support.machine import machine, note, trivial

PRICE = Decimal("0.01")
OPTIONS = AskOptions()


def paid(context):
    context.budget.reserve(PRICE)
    context.budget.settle(reserved=PRICE, usd=PRICE, tokens=10, seconds=0.1)


def first(run):
    return StepRef(run_id=run.run_id, reading=-1, stage=PIPELINE[0])


def test_a_call_that_is_out_counts_at_its_worst_price() -> None:
    budget = Budget(Limits(), BudgetTotals(model_calls=1, usd=Decimal("0.5"), tokens=7))
    budget.reserve(PRICE)
    assert budget.at_most == BudgetTotals(model_calls=2, usd=Decimal("0.51"), tokens=7)
    budget.settle(reserved=PRICE, usd=Decimal("0.002"), tokens=3, seconds=1.0)
    assert budget.at_most == budget.used


async def stopped(m, run, began):
    """Work on the first step until its stage has paid, and stop the worker then."""
    began.clear()
    working = asyncio.create_task(m.runner.handle(first(run)))
    await began.wait()
    working.cancel()
    with pytest.raises(asyncio.CancelledError):
        await working


async def test_a_try_that_is_stopped_after_a_paid_call_leaves_it_charged_to_the_run(tmp_path):
    began, tries = asyncio.Event(), 0

    async def understand(query, context):
        nonlocal tries
        tries += 1
        paid(context)
        began.set()
        if tries == 1:
            await asyncio.sleep(30)
        return [note(query, "understand", "read")]

    async with machine(tmp_path, trivial(bodies={"understand": understand}), start=False) as m:
        run = await m.client.submit("?", OPTIONS)
        await stopped(m, run, began)
        failed = (await m.store.get(run.run_id)).budget
        assert (failed.model_calls, failed.usd) == (1, PRICE)
        await m.runner.handle(first(run))
        while (ended := await m.store.get(run.run_id)).answer is None:
            (*_, following) = await m.store.steps(run.run_id)
            await m.runner.handle(following.step)
        done = ended.budget
    assert (tries, done.model_calls, done.usd) == (2, 2, 2 * PRICE)
    usage = ended.answer["usage"]
    assert (usage["model_calls"], usage["tokens"], Decimal(usage["usd"])) == (2, 20, 2 * PRICE)
    (lost,) = (one for one in usage["models"] if one["model"] == "failed tries")
    assert (lost["calls"], lost["tokens"], Decimal(lost["usd"])) == (1, 10, PRICE)


async def test_a_call_that_is_out_when_its_worker_dies_is_charged_at_its_worst_price(tmp_path):
    began = asyncio.Event()

    async def understand(query, context):
        context.budget.reserve(PRICE)
        began.set()
        await asyncio.sleep(30)
        return []

    pace = Pace(lease=5.0, beat=0.02, grace=0.1)
    async with machine(tmp_path, trivial(bodies={"understand": understand}), pace=pace, start=False) as m:
        run = await m.client.submit("?", OPTIONS)
        working = asyncio.create_task(m.runner.handle(first(run)))
        await began.wait()
        await asyncio.sleep(0.2)
        # Nothing has been committed or given back: this is what another worker would find after a crash.
        charged = (await m.store.get(run.run_id)).budget
        working.cancel()
        await asyncio.gather(working, return_exceptions=True)
    assert (charged.model_calls, charged.usd) == (1, PRICE)


async def test_tries_that_are_stopped_cannot_together_spend_more_than_the_run_may(tmp_path):
    began, calls = asyncio.Event(), 0

    async def understand(query, context):
        nonlocal calls
        for _ in range(8):
            paid(context)
            calls += 1
        began.set()
        await asyncio.sleep(30)
        return []

    async with machine(tmp_path, trivial(bodies={"understand": understand}), start=False) as m:
        run = await m.client.submit("?", OPTIONS)
        await stopped(m, run, began)
        await stopped(m, run, began)
        await m.runner.handle(first(run))
        (step, *_) = await m.store.steps(run.run_id)
        annotations = await m.store.annotations(run.run_id)
    assert calls == Limits().model_calls
    assert step.attempts == 3
    assert "model calls are used up" in annotations[-1].model_dump_json()
