"""Costs and loads of the same runs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Self

from shared.accounting.additive import Additive
from shared.accounting.costs import Costs, costs_of
from shared.accounting.loads import Loads, loads_of
from shared.accounting.prices import PriceTable
from shared.accounting.usage_record import UsageRecord
from shared.runtime.settings import StageTable


class Sums(Additive):
    """All that the reports show of some runs."""

    costs: Costs = Costs()
    loads: Loads = Loads()

    @classmethod
    def of(cls, records: Sequence[UsageRecord], table: StageTable, prices: PriceTable) -> Self:
        """Those of some records."""
        return cls(costs=costs_of(records, table, prices), loads=loads_of(records).stored())
