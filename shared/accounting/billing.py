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
from shared.accounting.footprint import ASSUMED, footprint, unknown_stages
from shared.accounting.ledger import Ledger
from shared.accounting.prices import PriceTable
from shared.accounting.standing import shared_instances, standing
from shared.accounting.usage_record import UsageRecord
from shared.accounting.window import Window
from shared.runtime.settings import StageTable

NOT_READ = "(not read)"
UNTOLD = "(not told by model)"
_NOTHING = Decimal(0)


def billing(ledger: Ledger, table: StageTable, prices: PriceTable) -> BillingReport:
    """Work out the report. The records may be none: everything is zero then but what stands by itself."""
    lines = _Lines(prices)
    for record in ledger.records:
        lines.add(record, table)
    services = tuple(_services(lines, ledger, table, prices))
    return BillingReport(
        window=ledger.window,
        source=ledger.source,
        runs=len(ledger.records),
        statuses=dict(Counter(str(record.status) for record in ledger.records)),
        totals=_totals(lines.model_usd, services, runs=len(ledger.records)),
        functions=tuple(lines.functions(table)),
        models=tuple(_models(ledger.records)),
        types=tuple(lines.types()),
        services=services,
        moments=tuple(lines.moments(ledger.window)),
        unreadable=ledger.unreadable,
        uncounted=sum(record.kept is None for record in ledger.records),
        unpriced=unknown_stages(ledger.records, table),
        prices_as_of=prices.as_of.isoformat(),
        region=prices.region,
        uncertain=tuple(price.id for price in prices.prices if not price.certain),
        assumed=dict(ASSUMED),
    )


class _Lines:
    """Adds up what each run used."""

    def __init__(self, prices: PriceTable) -> None:
        self._prices = prices.by_id
        self.used: defaultdict[str, Decimal] = defaultdict(Decimal)
        self.list_usd: defaultdict[str, Decimal] = defaultdict(Decimal)
        self.model_usd = Decimal(0)
        self._cloud_by_function: defaultdict[str, Decimal] = defaultdict(Decimal)
        self._requests: Counter[str] = Counter()
        self._stages: defaultdict[str, list[tuple[float, int, int, Decimal]]] = defaultdict(list)
        self._by_type: defaultdict[str, list[tuple[Decimal, Decimal]]] = defaultdict(list)
        self._by_time: list[tuple[datetime, Decimal, Decimal]] = []

    def add(self, record: UsageRecord, table: StageTable) -> None:
        """Add a run."""
        cloud = Decimal(0)
        for use in footprint(record, table):
            usd = self._prices[use.price].of(use.quantity)
            self.used[use.price] += use.quantity
            self.list_usd[use.price] += usd
            self._cloud_by_function[use.function] += usd
            if use.price == "function.requests":
                self._requests[use.function] += int(use.quantity)
            cloud += usd
        model = record.finder.usd
        finder = record.finder
        if finder.searches:
            self._stages["finder"].append((finder.seconds, finder.model_calls, finder.tokens, model))
        for stage in record.usage.stages:
            self._stages[stage.stage].append((stage.seconds, stage.model_calls, stage.tokens, stage.usd))
            model += stage.usd
        self.model_usd += model
        self._by_type[record.question_type or NOT_READ].append((model, cloud))
        self._by_time.append((record.asked_at, model, cloud))

    def functions(self, table: StageTable) -> Iterable[FunctionCost]:
        """Every function of the table in its order, then what lies around them."""
        names = [row.name for row in table.functions]
        others = sorted((set(self._cloud_by_function) | set(self._stages)) - set(names))
        for name in [*names, *others]:
            told = self._stages.get(name, [])
            yield FunctionCost(
                function=name,
                requests=self._requests[name],
                seconds=sum(seconds for seconds, *_ in told) if told else None,
                model_calls=sum(calls for _, calls, _, _ in told),
                tokens=sum(tokens for _, _, tokens, _ in told),
                model_usd=sum((usd for *_, usd in told), _NOTHING),
                cloud_usd=self._cloud_by_function.get(name, _NOTHING),
            )

    def types(self) -> Iterable[TypeCost]:
        """Every type that was asked, the dearest in all first."""
        for name, runs in sorted(self._by_type.items(), key=lambda item: (-sum(map(sum, item[1])), item[0])):
            model, cloud = sum((m for m, _ in runs), _NOTHING), sum((c for _, c in runs), _NOTHING)
            yield TypeCost(
                type=name,
                runs=len(runs),
                model_usd=model,
                cloud_usd=cloud,
                per_thousand_usd=_thousand(model + cloud, len(runs)),
            )

    def moments(self, window: Window) -> Iterable[Moment]:
        """The period in hours, or in days where it is longer than three."""
        step = timedelta(hours=1) if window.seconds <= 3 * 86400 else timedelta(days=1)
        kept: defaultdict[datetime, list[tuple[Decimal, Decimal]]] = defaultdict(list)
        for asked_at, model, cloud in self._by_time:
            kept[_floor(asked_at, step)].append((model, cloud))
        start = _floor(window.start, step)
        while start < window.end:
            found = kept.get(start, [])
            yield Moment(
                start=start,
                runs=len(found),
                model_usd=sum((m for m, _ in found), _NOTHING),
                cloud_usd=sum((c for _, c in found), _NOTHING),
            )
            start += step


def spent_on_models(record: UsageRecord) -> Decimal:
    """All model dollars of a run; what the finder itself spent, its stages do not count."""
    return record.usage.usd + record.finder.usd


def _models(records: Iterable[UsageRecord]) -> Iterable[ModelCost]:
    """Each model and task, the dearest first; what no model accounts for stands by itself."""
    found: dict[tuple[str, str], ModelCost] = {}
    untold = Decimal(0)
    for record in records:
        untold += spent_on_models(record)
        for use in record.usage.models:
            known = found.get((use.model, use.task))
            untold -= use.usd
            found[use.model, use.task] = ModelCost(
                model=use.model,
                task=use.task,
                calls=use.calls + (known.calls if known else 0),
                tokens=use.tokens + (known.tokens if known else 0),
                seconds=use.seconds + (known.seconds if known else 0.0),
                usd=use.usd + (known.usd if known else 0),
            )
    yield from sorted(found.values(), key=lambda cost: (-cost.usd, -cost.calls, cost.model, cost.task))
    if untold:
        yield ModelCost(model=UNTOLD, task="", calls=0, tokens=0, seconds=0.0, usd=untold)


def _services(lines: _Lines, ledger: Ledger, table: StageTable, prices: PriceTable) -> Iterable[ServiceCost]:
    saved = shared_instances(ledger.records, table)
    always = standing(ledger, table)
    for price in prices.prices:
        used, listed = lines.used[price.id], lines.list_usd[price.id]
        shared, more = min(saved.get(price.id, _NOTHING), used), always.get(price.id, _NOTHING)
        free = min(used - shared + more, price.free.within(ledger.window.seconds)) if price.free else _NOTHING
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
