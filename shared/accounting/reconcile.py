"""Holds the billing report against what was billed: a Cloud Billing export to BigQuery.

Every row of the export ends in exactly one place: under a price of ours, among the SKUs that we do not know, among
taxes and adjustments, outside the period, under other labels, or among the rows that cannot be read. Credits are
shown apart and taken off nothing else.
"""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from decimal import Decimal
from pathlib import Path
from typing import NamedTuple

from shared.accounting.bill import BillRow, UnreadableRow
from shared.accounting.billing_report import BillingReport
from shared.accounting.prices import DAY_SECONDS, MONTH_SECONDS, SMALLEST, PriceTable
from shared.query.quantity import Exact, Frozen

SKUS_FILE = Path(__file__).parent / "data" / "google_cloud_skus.json"
REGULAR = "regular"
_GIB = Decimal(2**30)
_NOTHING = Decimal(0)

_UNITS: Mapping[tuple[str, str], Decimal] = {
    ("seconds", "vCPU-second"): Decimal(1),
    ("byte-seconds", "GiB-second"): _GIB,
    ("requests", "request"): Decimal(1),
    ("count", "request"): Decimal(1),
    ("bytes", "byte"): Decimal(1),
    ("count", "read"): Decimal(1),
    ("count", "write"): Decimal(1),
    ("count", "delete"): Decimal(1),
    ("requests", "operation"): Decimal(1),
    ("count", "operation"): Decimal(1),
    ("byte-seconds", "GiB-month"): _GIB * MONTH_SECONDS,
    ("count", "job-month"): MONTH_SECONDS / DAY_SECONDS,
}
"""How many of an export's usage units make one of ours; what is not here is compared by its cost alone."""


class Known(NamedTuple):
    """An SKU that we have a price for."""

    service: re.Pattern[str]
    sku: re.Pattern[str]
    price: str


class BillLine(Frozen):
    """One price: what was billed, before credits, beside what the report has, before and after what is free.

    Some free amounts are billed and credited, others are billed at nothing: the bill lies at one of the two.
    ``billed_used`` is ``None`` where the export counts in a unit that cannot be compared.
    """

    price: str
    skus: tuple[str, ...]
    rows: int
    billed_used: Exact | None
    reported_used: Exact
    billed_usd: Exact
    reported_usd: Exact
    reported_net_usd: Exact
    difference_usd: Exact


class UnknownSku(Frozen):
    """An SKU that we have no price for."""

    service: str
    sku_id: str
    sku: str
    rows: int
    billed_usd: Exact


class CreditLine(Frozen):
    """Credits of one kind; negative."""

    type: str
    name: str
    rows: int
    usd: Exact


class Apart(Frozen):
    """Rows that are told apart and not compared, such as taxes."""

    why: str
    rows: int
    billed_usd: Exact


class Reconciliation(Frozen):
    """``billed_usd`` is the sum of ``lines``, ``unknown`` and ``apart``; ``net_usd`` has the credits taken off."""

    rows: int
    billed_usd: Exact
    credits_usd: Exact
    net_usd: Exact
    lines: tuple[BillLine, ...]
    unknown: tuple[UnknownSku, ...]
    credits: tuple[CreditLine, ...]
    apart: tuple[Apart, ...]
    unreadable: tuple[UnreadableRow, ...]


def known_skus(path: Path = SKUS_FILE) -> tuple[Known, ...]:
    """The SKUs that we have a price for, in the order in which they are tried."""
    data = json.loads(path.read_text(encoding="utf-8"))
    return tuple(Known(re.compile(row["service"]), re.compile(row["sku"]), row["price"]) for row in data["skus"])


def reconcile(
    rows: Iterable[BillRow | UnreadableRow],
    report: BillingReport,
    prices: PriceTable,
    *,
    labels: Mapping[str, str] | None = None,
    skus: tuple[Known, ...] | None = None,
) -> Reconciliation:
    """Compare. With ``labels``, rows that do not carry all of them are told apart."""
    sorted_out = _Sorted(report, prices, labels or {}, skus or known_skus())
    for row in rows:
        sorted_out.add(row)
    return sorted_out.result()


class _Sorted:
    def __init__(
        self, report: BillingReport, prices: PriceTable, labels: Mapping[str, str], skus: tuple[Known, ...]
    ) -> None:
        self._report, self._prices, self._labels, self._skus = report, prices, labels, skus
        self._lines: defaultdict[str, list[BillRow]] = defaultdict(list)
        self._unknown: defaultdict[tuple[str, str, str], list[BillRow]] = defaultdict(list)
        self._apart: defaultdict[str, list[BillRow]] = defaultdict(list)
        self._credits: defaultdict[tuple[str, str], list[Decimal]] = defaultdict(list)
        self._unreadable: list[UnreadableRow] = []

    def add(self, row: BillRow | UnreadableRow) -> None:
        """Put a row where it belongs."""
        if isinstance(row, UnreadableRow):
            self._unreadable.append(row)
            return
        for credit in row.credits:
            usd = row.usd(credit.amount).quantize(SMALLEST)
            self._credits[credit.type or "(no type)", credit.name].append(usd)
        if (why := self._why_apart(row)) is not None:
            self._apart[why].append(row)
        elif (price := self._price(row)) is not None:
            self._lines[price].append(row)
        else:
            self._unknown[row.service.description, row.sku.id, row.sku.description].append(row)

    def result(self) -> Reconciliation:
        """All of it; the largest first."""
        lines = [self._line(price.id) for price in self._prices.prices if self._told_of(price.id)]
        unknown = [
            UnknownSku(service=service, sku_id=sku_id, sku=sku, rows=len(rows), billed_usd=_sum(rows))
            for (service, sku_id, sku), rows in self._unknown.items()
        ]
        apart = [Apart(why=why, rows=len(rows), billed_usd=_sum(rows)) for why, rows in self._apart.items()]
        credited = [
            CreditLine(type=kind, name=name, rows=len(amounts), usd=sum(amounts, _NOTHING))
            for (kind, name), amounts in self._credits.items()
        ]
        billed = (
            sum((line.billed_usd for line in lines), _NOTHING)
            + sum((sku.billed_usd for sku in unknown), _NOTHING)
            + sum((part.billed_usd for part in apart), _NOTHING)
        )
        taken_off = sum((one.usd for one in credited), _NOTHING)
        return Reconciliation(
            rows=sum(one.rows for one in lines) + sum(one.rows for one in unknown) + sum(one.rows for one in apart),
            billed_usd=billed,
            credits_usd=taken_off,
            net_usd=billed + taken_off,
            lines=tuple(lines),
            unknown=tuple(sorted(unknown, key=lambda one: (-one.billed_usd, one.service, one.sku))),
            credits=tuple(sorted(credited, key=lambda one: (one.usd, one.type, one.name))),
            apart=tuple(sorted(apart, key=lambda one: one.why)),
            unreadable=tuple(self._unreadable),
        )

    def _why_apart(self, row: BillRow) -> str | None:
        if row.cost_type != REGULAR:
            return f"{row.cost_type.replace('_', ' ')}, not usage"
        if not self._report.window.holds(row.started):
            return "outside the period"
        found = row.labelled()
        if any(found.get(key) != value for key, value in self._labels.items()):
            return "other labels"
        return None

    def _price(self, row: BillRow) -> str | None:
        return next(
            (
                known.price
                for known in self._skus
                if known.service.fullmatch(row.service.description) and known.sku.search(row.sku.description)
            ),
            None,
        )

    def _told_of(self, price: str) -> bool:
        service = next(one for one in self._report.services if one.price == price)
        return bool(self._lines.get(price)) or bool(service.used or service.standing)

    def _line(self, price: str) -> BillLine:
        rows = self._lines.get(price, [])
        ours = next(one for one in self._report.services if one.price == price)
        reported = ours.list_usd - ours.shared_usd + ours.standing_usd
        billed = _sum(rows)
        return BillLine(
            price=price,
            skus=tuple(sorted({row.sku.description for row in rows})),
            rows=len(rows),
            billed_used=_used(rows, ours.unit),
            reported_used=ours.used - ours.shared + ours.standing,
            billed_usd=billed,
            reported_usd=reported,
            reported_net_usd=ours.usd,
            difference_usd=billed - reported,
        )


def _sum(rows: Iterable[BillRow]) -> Decimal:
    return sum((row.usd(row.cost).quantize(SMALLEST) for row in rows), _NOTHING)


def _used(rows: Iterable[BillRow], unit: str) -> Decimal | None:
    total = _NOTHING
    for row in rows:
        factor = _UNITS.get((row.usage.unit, unit))
        if factor is None:
            return None
        total += row.usage.amount / factor
    return total
