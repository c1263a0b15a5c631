"""Rows of a Cloud Billing export to BigQuery, as ``bq`` writes them: JSON a line, or one JSON array.

The form is that of the standard and the detailed usage cost tables; columns that are not needed are passed over.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from shared.query.quantity import Exact, Frozen
from shared.runtime.errors import UsageError

MAX_BYTES = 512 * 2**20


class BillUnreadable(UsageError):  # noqa: N818 - the name says what is wrong
    """The file is no billing export."""


class UnreadableRow(Frozen):
    """A row that could not be read; its cost is not in the sums."""

    row: int
    why: str


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


def _moment(value: object) -> object:
    """BigQuery's own way of writing a time, ``2026-11-29 10:00:00 UTC``."""
    return value.replace(" UTC", "+00:00") if isinstance(value, str) else value


Moment = Annotated[datetime, BeforeValidator(_moment)]


class Described(_Part):
    """A service or an SKU."""

    id: str = ""
    description: str = ""


class Label(_Part):
    """A label of a resource or a project."""

    key: str
    value: str | None = None


class Project(_Part):
    """The project, which rows such as taxes do not have."""

    id: str | None = None
    labels: tuple[Label, ...] = ()


class Amount(_Part):
    """What was used, in the usage unit."""

    amount: Exact = Decimal(0)
    unit: str = ""


class Credit(_Part):
    """Something taken off, negative; ``type`` is such as ``FREE_TIER``, ``PROMOTION`` or ``DISCOUNT``."""

    name: str = ""
    amount: Exact
    type: str = ""


class BillRow(_Part):
    """One row."""

    service: Described
    sku: Described
    usage_start_time: Moment
    usage_end_time: Moment
    project: Project | None = None
    labels: tuple[Label, ...] = ()
    usage: Amount = Amount()
    cost: Exact
    currency: str = "USD"
    currency_conversion_rate: Exact = Field(default=Decimal(1), gt=0)
    credits: tuple[Credit, ...] = ()
    cost_type: str = "regular"

    def usd(self, amount: Decimal) -> Decimal:
        """An amount of this row's currency in dollars; the rate is local currency for a dollar."""
        return amount if self.currency == "USD" else amount / self.currency_conversion_rate

    @property
    def started(self) -> datetime:
        """When its usage began; a time without a zone is UTC, as BigQuery means it."""
        start = self.usage_start_time
        return start if start.tzinfo else start.replace(tzinfo=UTC)

    def labelled(self) -> dict[str, str]:
        """Its labels, those of its project included."""
        of_project = self.project.labels if self.project else ()
        return {label.key: label.value or "" for label in (*of_project, *self.labels)}


def read_bill(path: Path) -> Iterator[BillRow | UnreadableRow]:
    """The rows of an export. Raises ``BillUnreadable`` for a file that is none, or cannot be read."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise BillUnreadable(f"the billing export {path} is larger than {MAX_BYTES // 2**20} MiB; export less")
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BillUnreadable(f"the billing export {path} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BillUnreadable(f"the billing export {path} is not text: {error.reason}") from error
    found = 0
    for n, row in _rows(path, text):
        read = row if isinstance(row, UnreadableRow) else _row(n, row)
        found += isinstance(read, BillRow)
        yield read
    if not found:
        raise BillUnreadable(
            f"the billing export {path} has no row of the form of a Cloud Billing export (service, sku, cost, "
            "usage_start_time); write it with: bq query --format=json, or bq extract to JSON"
        )


def _rows(path: Path, text: str) -> Iterator[tuple[int, Any]]:
    """The rows as JSON; numbers keep their digits."""
    if text.lstrip().startswith("["):
        try:
            rows = json.loads(text, parse_float=Decimal)
        except ValueError as error:
            raise BillUnreadable(f"the billing export {path} is not JSON: {error}") from error
        yield from enumerate(rows, 1)
        return
    for n, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            yield n, json.loads(line, parse_float=Decimal)
        except ValueError as error:
            yield n, UnreadableRow(row=n, why=f"it is not JSON: {error}")


def _row(n: int, data: Any) -> BillRow | UnreadableRow:
    # BigQuery writes what is missing as null; then the default counts.
    given = {key: value for key, value in data.items() if value is not None} if isinstance(data, dict) else data
    try:
        return BillRow.model_validate(given)
    except ValidationError as error:
        fault = error.errors()[0]
        return UnreadableRow(row=n, why=f"{'.'.join(map(str, fault['loc'])) or 'it'}: {fault['msg']}")
