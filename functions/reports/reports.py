"""The two reports over a ledger, each period's made at most once in a while."""

from __future__ import annotations

import asyncio
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from shared.accounting.added_up import Adder, sums_key
from shared.accounting.billing import billing
from shared.accounting.billing_report import BillingReport
from shared.accounting.ledger import Ledger, read_ledger
from shared.accounting.prices import PriceTable, load_prices
from shared.accounting.scaling import ScalingReport, scaling
from shared.accounting.window import Window
from shared.runtime.context import utc_now
from shared.runtime.settings import StageTable, load_stages

if TYPE_CHECKING:
    from shared.runtime.ports import Archive, VersionedArchive

FRESH_SECONDS = 60.0
"""How long the reports of a period are served before its records are read anew."""
REMEMBERED = 16
"""Periods whose reports are kept at hand."""
AT_ONCE = 2
"""Periods whose records are read at a time: they are what takes memory."""
MOST = 10_000
"""Records that a function makes its reports of, within the memory that it has."""

Source = Callable[[Window], Awaitable[Ledger]]
"""Reads the records of a period."""
AddUp = Callable[[], Awaitable[int]]
"""Adds up the records that came since it was done before, and tells how many they were."""


class Both(NamedTuple):
    """The reports of one period."""

    billing: BillingReport
    scaling: ScalingReport


class Reports:
    """Makes reports. Whoever asks for one period at the same time shares one reading of it."""

    def __init__(
        self, source: Source, *, table: StageTable | None = None, prices: PriceTable | None = None
    ) -> None:
        self._source = source
        self.table, self.prices = table or load_stages(), prices or load_prices()
        self._gate = asyncio.Semaphore(AT_ONCE)
        self._kept: OrderedDict[Window, tuple[float, asyncio.Task[Both]]] = OrderedDict()

    async def billing(self, window: Window) -> BillingReport:
        """What the runs of a period cost. Raises ``TooMany`` and ``ArchiveError``."""
        return (await self._both(window)).billing

    async def scaling(self, window: Window) -> ScalingReport:
        """How each stage kept up. Raises as ``billing``."""
        return (await self._both(window)).scaling

    async def _both(self, window: Window) -> Both:
        now = time.monotonic()
        kept = self._kept.get(window)
        if kept is None or now - kept[0] > FRESH_SECONDS or _failed(kept[1]):
            kept = self._kept[window] = (now, asyncio.create_task(self._make(window)))
            self._kept.move_to_end(window)
            while len(self._kept) > REMEMBERED:
                self._kept.popitem(last=False)
        # One who leaves does not stop it for the others.
        return await asyncio.shield(kept[1])

    async def _make(self, window: Window) -> Both:
        async with self._gate:
            ledger = await self._source(window)
            return await asyncio.to_thread(
                lambda: Both(billing(ledger, self.table, self.prices), scaling(ledger, self.table))
            )


def _failed(task: asyncio.Task[Both]) -> bool:
    return task.done() and (task.cancelled() or task.exception() is not None)


def reports_of(archive: Archive, *, most: int = MOST) -> Reports:
    """The reports over the records of an archive."""
    table, prices = load_stages(), load_prices()
    source = partial(read_ledger, archive, most=most, key=sums_key(table, prices))
    return Reports(source, table=table, prices=prices)


def adding_up(archive: VersionedArchive) -> AddUp:
    """Adds up the records of an archive, so that a period of many has its reports too."""
    adder = Adder(archive, load_stages(), load_prices())

    async def add() -> int:
        return await adder.add(now=utc_now())

    return add
