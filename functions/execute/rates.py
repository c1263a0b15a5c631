"""Official exchange rates of amounts in local currency that will be held against amounts in another one."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from functions.execute.outcome import Ask, Outcome
from shared.query.annotated import Bound, PlannedRequest
from shared.query.conversion import in_local_currency
from shared.query.evidence import Unanswerable
from shared.query.quantity import UnitKind
from shared.query.readings import PeriodAsked, PeriodKindAsked
from shared.query.slots import SlotKind


async def with_rates(outcomes: Sequence[Outcome], ask: Ask) -> None:
    """Ask for the rate of the country and year of each amount whose plan has one, and keep it beside the amount.

    Amounts of one country are in one currency and need none. A rate of another year is never taken: where that
    year has none, the amount says so.
    """
    local = [outcome for outcome in outcomes if _in_local_currency(outcome)]
    whose = {outcome.planned.requests[0].place for outcome in local}
    if len(whose) < 2 and not any(_in_other_money(outcome) for outcome in outcomes):
        return
    async with asyncio.TaskGroup() as group:
        for outcome in local:
            group.create_task(_with_rate(outcome, ask))


async def _with_rate(outcome: Outcome, ask: Ask) -> None:
    if outcome.executed is None or outcome.used is None:
        return
    request = _for_rate(outcome.used, outcome.executed.year)
    if request is None:
        return
    found = await ask(request)
    kept = {"no_rate": found.reason} if isinstance(found, Unanswerable) else {"rate": found}
    outcome.executed = outcome.executed.model_copy(update=kept)


def _in_local_currency(outcome: Outcome) -> bool:
    return outcome.executed is not None and in_local_currency(outcome.executed.measure)


def _in_other_money(outcome: Outcome) -> bool:
    if outcome.executed is None or _in_local_currency(outcome):
        return False
    return outcome.executed.measure.unit.kind is UnitKind.CURRENCY


def _for_rate(amount: PlannedRequest, year: int | None) -> PlannedRequest | None:
    """The request for the rate of an amount's own year, where its publisher has rates."""
    rate = amount.bound.rate
    if rate is None or year is None or amount.slot.kind is not SlotKind.VALUE:
        return None
    bound = Bound(
        meaning=amount.bound.meaning,
        measure=rate.measure,
        plugin=amount.bound.plugin,
        plugin_version=amount.bound.plugin_version,
        locator=rate.locator,
    )
    slot = amount.slot.model_copy(update={"period": PeriodAsked(kind=PeriodKindAsked.YEAR, start=year)})
    return amount.model_copy(update={"bound": bound, "slot": slot, "dataset": None})
