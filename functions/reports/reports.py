"""The two reports over a ledger, each made at most once in a while for the same period."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta

from shared.accounting.billing import billing
from shared.accounting.billing_report import BillingReport
from shared.accounting.ledger import Ledger
from shared.accounting.prices import PriceTable, load_prices
from shared.accounting.scaling import ScalingReport, scaling
from shared.accounting.window import Window
from shared.runtime.settings import StageTable, load_stages

FRESH_SECONDS = 60.0
"""How long the records of a period are served before they are read anew."""
REMEMBERED = 8
"""Periods that are kept at hand."""
STEP = timedelta(minutes=1)

Source = Callable[[Window], Awaitable[Ledger]]
"""Reads the records of a period."""


class Reports:
    """Makes reports. Whoever asks for one period at the same time shares one reading of it."""

    def __init__(
        self, source: Source, *, table: StageTable | None = None, prices: PriceTable | None = None
    ) -> None:
        self._source = source
        self.table, self.prices = table or load_stages(), prices or load_prices()
        self._kept: OrderedDict[Window, tuple[float, asyncio.Task[Ledger]]] = OrderedDict()

    async def billing(self, window: Window) -> BillingReport:
        """What the runs of a period cost. Raises ``TooMany`` and ``ArchiveError``."""
        return await asyncio.to_thread(billing, await self.ledger(window), self.table, self.prices)

    async def scaling(self, window: Window) -> ScalingReport:
        """How each stage kept up. Raises as ``billing``."""
        return await asyncio.to_thread(scaling, await self.ledger(window), self.table)

    async def ledger(self, window: Window) -> Ledger:
        """The records of a period, at most ``FRESH_SECONDS`` old. A failure is not kept."""
        now = time.monotonic()
        kept = self._kept.get(window)
        if kept is None or now - kept[0] > FRESH_SECONDS or _failed(kept[1]):
            kept = self._kept[window] = (now, asyncio.ensure_future(self._source(window)))
            self._kept.move_to_end(window)
            while len(self._kept) > REMEMBERED:
                self._kept.popitem(last=False)
        return await asyncio.shield(kept[1])


def settled(now: datetime) -> datetime:
    """The end of this minute: what "now" means to a report, so that those asked for together are of one period."""
    return now.replace(second=0, microsecond=0) + STEP


def _failed(task: asyncio.Task[Ledger]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)
