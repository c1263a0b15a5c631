"""The billing report's form. Dollars are exact; in JSON they are strings of digits."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from shared.accounting.record_files import Unreadable
from shared.accounting.window import Window
from shared.query.quantity import Exact, Frozen

_NOTHING = Decimal(0)


class FunctionCost(Frozen):
    """What one function, or what lies around them, cost. ``cloud_usd`` is at list prices, before adjustments.

    ``seconds`` is what was measured, ``None`` where nothing was.
    """

    function: str
    requests: int = 0
    seconds: float | None = None
    model_calls: int = 0
    tokens: int = 0
    model_usd: Exact = _NOTHING
    cloud_usd: Exact = _NOTHING

    @property
    def usd(self) -> Decimal:
        """Both together."""
        return self.model_usd + self.cloud_usd


class ModelCost(Frozen):
    """What one model cost for one task. The built-in judge costs nothing and is listed too."""

    model: str
    task: str
    calls: int
    tokens: int
    seconds: float
    usd: Exact


class TypeCost(Frozen):
    """What the questions of one type cost, and what a thousand of them would."""

    type: str
    runs: int
    model_usd: Exact
    cloud_usd: Exact
    per_thousand_usd: Exact


class ServiceCost(Frozen):
    """One price: how much was used, and what that costs before and after what is free.

    ``shared`` is used by several requests at once and so billed once; ``standing`` is used whether anybody asks or
    not; ``free`` is the part of the free amount that belongs to the period. ``usd`` is ``list_usd`` less
    ``shared_usd``, with ``standing_usd``, less ``free_usd``.
    """

    price: str
    service: str
    unit: str
    used: Exact
    shared: Exact
    standing: Exact
    free: Exact
    list_usd: Exact
    shared_usd: Exact
    standing_usd: Exact
    free_usd: Exact

    @property
    def usd(self) -> Decimal:
        """What is left to pay."""
        return self.list_usd - self.shared_usd + self.standing_usd - self.free_usd


class Moment(Frozen):
    """What the questions of one hour or day cost at list prices, and how many there were."""

    start: datetime
    runs: int
    model_usd: Exact
    cloud_usd: Exact


class Totals(Frozen):
    """The sums in dollars. ``net_usd`` is what would be paid."""

    model_usd: Exact
    cloud_list_usd: Exact
    shared_usd: Exact
    standing_usd: Exact
    free_usd: Exact
    net_usd: Exact
    per_thousand_usd: Exact | None
    """Net, by a thousand questions; ``None`` when there was none."""


class BillingReport(Frozen):
    """What the runs of a period cost, as ``billing`` works it out."""

    window: Window
    source: str
    runs: int
    added_up: int
    """Of them, those whose records were added up before; the period then is one of whole hours."""
    statuses: dict[str, int]
    totals: Totals
    functions: tuple[FunctionCost, ...]
    models: tuple[ModelCost, ...]
    types: tuple[TypeCost, ...]
    services: tuple[ServiceCost, ...]
    moments: tuple[Moment, ...]
    unreadable: tuple[Unreadable, ...]
    uncounted: int
    """Runs whose record does not tell what they left: their reads, writes and files are missing."""
    unpriced: tuple[str, ...]
    """Stages that the table of functions has no row for: their models are counted, their instances are not."""
    prices_as_of: str
    region: str
    uncertain: tuple[str, ...]
    assumed: dict[str, str]
