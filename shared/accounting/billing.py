"""What the runs of a period cost: per function, per model, per type of question, and per service of the cloud.

Every figure is a sum of the same lines, one for each run, function and price, so whichever way they are grouped
they add up to the same dollars. Model dollars are what the runs themselves say; the cloud's are their use at list
prices. What depends on more than one run comes after: instances that requests share, minimum instances, and what is
free.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from shared.accounting.billing_report import (
    BillingReport,
    FunctionCost,
    ModelCost,
    Moment,
    ServiceCost,
    Totals,
    TypeCost,
)
from shared.accounting.costs import HOUR, Costs, Dollars, FunctionSum, costs_of
from shared.accounting.footprint import ASSUMED
from shared.accounting.ledger import Ledger
from shared.accounting.prices import PriceTable
from shared.accounting.standing import standing
from shared.accounting.window import Window
from shared.runtime.settings import StageTable

UNTOLD = "(not told by model)"
_NOTHING = Decimal(0)


def billing(ledger: Ledger, table: StageTable, prices: PriceTable) -> BillingReport:
    """Work out the report. The records may be none: everything is zero then but what stands by itself."""
    costs = ledger.added_up.costs.plus(costs_of(ledger.records, table, prices))
    services = tuple(_services(costs, ledger.window, table, prices))
    return BillingReport(
        window=ledger.window,
        source=ledger.source,
        runs=costs.runs,
        added_up=ledger.added_up.costs.runs,
        statuses=dict(Counter(ledger.added_up.loads.statuses) + Counter(str(one.status) for one in ledger.records)),
        totals=_totals(costs.model_usd, services, runs=costs.runs),
        functions=tuple(_functions(costs, table)),
        models=tuple(_models(costs)),
        types=tuple(_types(costs)),
        services=services,
        moments=tuple(_moments(costs, ledger.window)),
        unreadable=ledger.unreadable,
        uncounted=costs.uncounted,
        unpriced=costs.unpriced,
        prices_as_of=prices.as_of.isoformat(),
        region=prices.region,
        uncertain=tuple(price.id for price in prices.prices if not price.certain),
        assumed=dict(ASSUMED),
    )


def _functions(costs: Costs, table: StageTable) -> Iterable[FunctionCost]:
    """Every function of the table in its order, then what lies around them."""
    names = [row.name for row in table.functions]
    for name in [*names, *sorted(set(costs.functions) - set(names))]:
        one = costs.functions.get(name, FunctionSum())
        yield FunctionCost(
            function=name,
            requests=one.requests,
            seconds=one.seconds if one.told else None,
            model_calls=one.model_calls,
            tokens=one.tokens,
            model_usd=one.model_usd,
            cloud_usd=one.cloud_usd,
        )


def _types(costs: Costs) -> Iterable[TypeCost]:
    """Every type that was asked, the dearest in all first."""
    for name, cost in sorted(costs.types.items(), key=lambda item: (-item[1].usd, item[0])):
        yield TypeCost(
            type=name,
            runs=cost.runs,
            model_usd=cost.model_usd,
            cloud_usd=cost.cloud_usd,
            per_thousand_usd=_thousand(cost.usd, cost.runs),
        )


def _moments(costs: Costs, window: Window) -> Iterable[Moment]:
    """The period in hours, or in days where it is longer than three."""
    step = HOUR if window.seconds <= 3 * 86400 else timedelta(days=1)
    kept: defaultdict[datetime, Dollars] = defaultdict(Dollars)
    for hour, cost in costs.hours.items():
        kept[_floor(hour, step)] = kept[_floor(hour, step)].plus(cost)
    start = _floor(window.start, step)
    while start < window.end:
        found = kept.get(start, Dollars())
        yield Moment(start=start, runs=found.runs, model_usd=found.model_usd, cloud_usd=found.cloud_usd)
        start += step


def _models(costs: Costs) -> Iterable[ModelCost]:
    """Each model and task, the dearest first; what no model accounts for stands by itself."""
    found = [
        ModelCost(model=model, task=task, calls=one.calls, tokens=one.tokens, seconds=one.seconds, usd=one.usd)
        for model, tasks in costs.models.items()
        for task, one in tasks.items()
    ]
    yield from sorted(found, key=lambda cost: (-cost.usd, -cost.calls, cost.model, cost.task))
    if costs.untold_usd:
        yield ModelCost(model=UNTOLD, task="", calls=0, tokens=0, seconds=0.0, usd=costs.untold_usd)


def _services(costs: Costs, window: Window, table: StageTable, prices: PriceTable) -> Iterable[ServiceCost]:
    always = standing(window, costs.busy, table)
    for price in prices.prices:
        used, listed = costs.used.get(price.id, _NOTHING), costs.list_usd.get(price.id, _NOTHING)
        shared, more = min(costs.shared.get(price.id, _NOTHING), used), always.get(price.id, _NOTHING)
        free = min(used - shared + more, price.free.within(window.seconds)) if price.free else _NOTHING
        # Lines are rounded one by one: what is taken off must not come to more than they do.
        shared_usd, standing_usd = min(price.of(shared), listed), price.of(more)
        yield ServiceCost(
            price=price.id,
            service=price.service,
            unit=price.unit,
            used=used,
            shared=shared,
            standing=more,
            free=free,
            list_usd=listed,
            shared_usd=shared_usd,
            standing_usd=standing_usd,
            free_usd=min(price.of(free), listed - shared_usd + standing_usd),
        )


def _totals(model_usd: Decimal, services: Sequence[ServiceCost], *, runs: int) -> Totals:
    net = model_usd + sum((one.usd for one in services), _NOTHING)
    return Totals(
        model_usd=model_usd,
        cloud_list_usd=sum((one.list_usd for one in services), _NOTHING),
        shared_usd=sum((one.shared_usd for one in services), _NOTHING),
        standing_usd=sum((one.standing_usd for one in services), _NOTHING),
        free_usd=sum((one.free_usd for one in services), _NOTHING),
        net_usd=net,
        per_thousand_usd=_thousand(net, runs) if runs else None,
    )


def _thousand(usd: Decimal, runs: int) -> Decimal:
    return (usd * 1000 / runs).quantize(Decimal("0.000001"))


def _floor(moment: datetime, step: timedelta) -> datetime:
    begin = datetime(2000, 1, 1, tzinfo=UTC)
    return moment - (moment - begin) % step
