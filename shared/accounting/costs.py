"""What the records of many runs cost, in a form in which costs are added to costs."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from decimal import Decimal

from shared.accounting.additive import Additive
from shared.accounting.footprint import footprint, unknown_stages
from shared.accounting.prices import PriceTable
from shared.accounting.standing import busy_instances, shared_instances
from shared.accounting.usage_record import UsageRecord
from shared.query.quantity import Exact
from shared.runtime.settings import StageTable

NOT_READ = "(not read)"
HOUR = timedelta(hours=1)
_NOTHING = Decimal(0)


class Dollars(Additive):
    """What some runs cost at list prices."""

    runs: int = 0
    model_usd: Exact = _NOTHING
    cloud_usd: Exact = _NOTHING

    @property
    def usd(self) -> Decimal:
        """Models and cloud together."""
        return self.model_usd + self.cloud_usd


class FunctionSum(Additive):
    """What one function did. ``told`` of its ``seconds`` were measured."""

    requests: int = 0
    told: int = 0
    seconds: float = 0.0
    model_calls: int = 0
    tokens: int = 0
    model_usd: Exact = _NOTHING
    cloud_usd: Exact = _NOTHING


class ModelSum(Additive):
    """What one model did for one task."""

    calls: int = 0
    tokens: int = 0
    seconds: float = 0.0
    usd: Exact = _NOTHING


class Costs(Additive):
    """See the module. ``models`` is by model and then by task, ``hours`` by the hour (UTC) of the question.

    ``shared`` is by price what is billed once though several requests used it at the same time, ``busy`` by
    function the seconds for which instances were needed, ``untold_usd`` what was spent on models that no record
    names.
    """

    runs: int = 0
    uncounted: int = 0
    model_usd: Exact = _NOTHING
    untold_usd: Exact = _NOTHING
    used: dict[str, Exact] = {}
    list_usd: dict[str, Exact] = {}
    functions: dict[str, FunctionSum] = {}
    models: dict[str, dict[str, ModelSum]] = {}
    types: dict[str, Dollars] = {}
    hours: dict[datetime, Dollars] = {}
    shared: dict[str, Exact] = {}
    busy: dict[str, Exact] = {}
    unpriced: tuple[str, ...] = ()


def spent_on_models(record: UsageRecord) -> Decimal:
    """All model dollars of a run; what the finder itself spent, its stages do not count."""
    return record.usage.usd + record.finder.usd


def costs_of(records: Sequence[UsageRecord], table: StageTable, prices: PriceTable) -> Costs:
    """Each run, function and price is a line of dollars; whatever is added up is a sum of these lines."""
    lines = _Lines(prices)
    for record in records:
        lines.add(record, table)
    told = sum((one.usd for one in lines.models.values()), _NOTHING)
    return Costs(
        runs=len(records),
        uncounted=sum(record.kept is None for record in records),
        model_usd=lines.model_usd,
        untold_usd=sum(map(spent_on_models, records), _NOTHING) - told,
        used=dict(lines.used),
        list_usd=dict(lines.list_usd),
        functions=lines.functions(),
        models=_by_task(lines.models),
        types=dict(lines.types),
        hours=dict(lines.hours),
        shared=dict(shared_instances(records, table)),
        busy=dict(busy_instances(records, table)),
        unpriced=unknown_stages(records, table),
    )


class _Lines:
    """Adds up what each run used."""

    def __init__(self, prices: PriceTable) -> None:
        self._prices = prices.by_id
        self.used: defaultdict[str, Decimal] = defaultdict(Decimal)
        self.list_usd: defaultdict[str, Decimal] = defaultdict(Decimal)
        self.model_usd = _NOTHING
        self.models: dict[tuple[str, str], ModelSum] = {}
        self.types: defaultdict[str, Dollars] = defaultdict(Dollars)
        self.hours: defaultdict[datetime, Dollars] = defaultdict(Dollars)
        self._cloud: defaultdict[str, Decimal] = defaultdict(Decimal)
        self._requests: Counter[str] = Counter()
        self._told: defaultdict[str, list[tuple[float, int, int, Decimal]]] = defaultdict(list)

    def add(self, record: UsageRecord, table: StageTable) -> None:
        cloud = _NOTHING
        for use in footprint(record, table):
            usd = self._prices[use.price].of(use.quantity)
            self.used[use.price] += use.quantity
            self.list_usd[use.price] += usd
            self._cloud[use.function] += usd
            if use.price == "function.requests":
                self._requests[use.function] += int(use.quantity)
            cloud += usd
        finder, model = record.finder, record.finder.usd
        if finder.searches:
            self._told["finder"].append((finder.seconds, finder.model_calls, finder.tokens, finder.usd))
        for stage in record.usage.stages:
            self._told[stage.stage].append((stage.seconds, stage.model_calls, stage.tokens, stage.usd))
            model += stage.usd
        for told in record.usage.models:
            one = ModelSum(calls=told.calls, tokens=told.tokens, seconds=told.seconds, usd=told.usd)
            self.models[told.model, told.task] = self.models.get((told.model, told.task), ModelSum()).plus(one)
        self.model_usd += model
        cost = Dollars(runs=1, model_usd=model, cloud_usd=cloud)
        kind, hour = record.question_type or NOT_READ, hour_of(record.asked_at)
        self.types[kind] = self.types[kind].plus(cost)
        self.hours[hour] = self.hours[hour].plus(cost)

    def functions(self) -> dict[str, FunctionSum]:
        found = {}
        for name in sorted({*self._cloud, *self._told}):
            told = self._told.get(name, [])
            found[name] = FunctionSum(
                requests=self._requests[name],
                told=len(told),
                seconds=sum(seconds for seconds, *_ in told),
                model_calls=sum(calls for _, calls, _, _ in told),
                tokens=sum(tokens for _, _, tokens, _ in told),
                model_usd=sum((usd for *_, usd in told), _NOTHING),
                cloud_usd=self._cloud.get(name, _NOTHING),
            )
        return found


def _by_task(models: Mapping[tuple[str, str], ModelSum]) -> dict[str, dict[str, ModelSum]]:
    found: defaultdict[str, dict[str, ModelSum]] = defaultdict(dict)
    for (model, task), one in models.items():
        found[model][task] = one
    return dict(found)


def hour_of(moment: datetime) -> datetime:
    """The beginning of a moment's hour, UTC."""
    return moment.astimezone(UTC).replace(minute=0, second=0, microsecond=0)
