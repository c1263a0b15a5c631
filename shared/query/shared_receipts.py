"""One receipt for the figures of many: what they share is told once, with a row for each.

The figures of a population come by the thousand from a few requests. A receipt of its own for each would repeat the
request, publisher, licence and measure as often. A row is cited as ``<id of the receipt>:<n>``, where ``n`` is the
figure's position among those that were read; that is the id that its own receipt would have. In the publisher's
reply it is found by the code of its place.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from datetime import date, datetime
from typing import Any, Self

from pydantic import Field, StrictBool, model_validator
from pydantic_core import to_json

from shared.query.evidence import Receipt, RequestMade
from shared.query.identifiers import ReceiptId
from shared.query.quantity import Frozen


class Rows(Frozen):
    """The figures, column by column: the cells at one place of all columns are one row."""

    n: tuple[int, ...] = Field(min_length=1, description="position among the figures that were read, ascending")
    entity: tuple[str, ...]
    entity_code: tuple[str, ...]
    value: tuple[StrictBool | str, ...] = Field(
        description="yes or no, an exact number as a string of digits, or words; exactly as published"
    )
    period: tuple[str, ...] | None = Field(default=None, description="where not all rows are of one period")
    request: tuple[int, ...] | None = Field(
        default=None, description="which of the requests, from 0, where not all rows came by the first"
    )
    note: tuple[str | None, ...] | None = Field(default=None, description="the publisher's remark on the figure")

    @model_validator(mode="after")
    def _one_shape(self) -> Self:
        columns = (self.entity, self.entity_code, self.value, self.period, self.request, self.note)
        if any(column is not None and len(column) != len(self.n) for column in columns):
            raise ValueError("the columns of shared rows are of different lengths")
        if self.n[0] < 0 or list(self.n) != sorted(set(self.n)):
            raise ValueError("the positions of shared rows do not ascend")
        return self


class SharedReceipt(Frozen):
    """What many figures of one measure share, and a row for each: all that is needed to check any of them.

    ``sha256`` is of the rows and of what says how they are read, so that a figure that was altered after it was
    receipted is told: such a receipt is refused wherever it is read.
    """

    id: ReceiptId
    source: str
    publisher: str
    requests: tuple[RequestMade, ...] = Field(min_length=1)
    retrieved_at: datetime
    as_of: date | None
    snapshot: bool
    unit: str | None
    currency: str | None
    period: str | None = Field(description="of all rows; null where each row has its own")
    measure: str
    variable: str
    dataset: str | None = None
    licence: str
    page_url: str | None
    rows: Rows
    sha256: str

    @classmethod
    def sealed(cls, **fields: Any) -> SharedReceipt:
        """A new one of its fields but the last, which it computes."""
        made = cls.model_construct(**fields)
        return made.model_copy(update={"sha256": made.seal()})

    @model_validator(mode="after")
    def _as_receipted(self) -> Self:
        rows = self.rows
        if (self.period is None) == (rows.period is None):
            raise ValueError(f"{self.id} has its period neither once nor in every row, or twice")
        if rows.request is not None and not all(0 <= one < len(self.requests) for one in rows.request):
            raise ValueError(f"a row of {self.id} came by a request that it does not name")
        if self.sha256 != self.seal():
            raise ValueError(f"the rows of {self.id} are not those that were receipted")
        return self

    def seal(self) -> str:
        """SHA-256 of what was receipted, as hexadecimal digits."""
        rows = self.rows
        head = (self.id, self.source, self.variable, self.measure, self.unit, self.currency, self.period)
        asked = [(made.method, made.url, made.body) for made in self.requests]
        columns = (rows.n, rows.entity, rows.entity_code, rows.value, rows.period, rows.request, rows.note)
        return hashlib.sha256(to_json((head, asked, columns))).hexdigest()

    @property
    def count(self) -> int:
        """How many figures there are."""
        return len(self.rows.n)

    def row_id(self, place: int) -> str:
        """What the row at a place is cited as: ``receipt_id`` of its figure."""
        return f"{self.id}:{self.rows.n[place]}"

    def row_ids(self) -> list[str]:
        """What each row is cited as, in order."""
        prefix = f"{self.id}:"
        return [f"{prefix}{n}" for n in self.rows.n]

    def place(self, cited: str) -> int | None:
        """Where the row that is cited so stands among the rows; ``None`` for what is none of them."""
        of, _, n = cited.rpartition(":")
        if of != self.id or not n.isdecimal():
            return None
        place = bisect_left(self.rows.n, int(n))
        found = place < self.count and self.row_id(place) == cited
        return place if found else None

    def receipt(self, place: int) -> Receipt:
        """The row at a place as a receipt of its own. Raises ``IndexError``."""
        rows = self.rows
        period = self.period if rows.period is None else rows.period[place]
        return Receipt(
            id=ReceiptId(self.row_id(place)),
            source=self.source,
            publisher=self.publisher,
            request=self.requests[0 if rows.request is None else rows.request[place]],
            retrieved_at=self.retrieved_at,
            as_of=self.as_of,
            snapshot=self.snapshot,
            value=rows.value[place],  # digits are read as the number that they are
            unit=self.unit,
            currency=self.currency,
            entity=rows.entity[place],
            entity_code=rows.entity_code[place],
            period=str(period),
            measure=self.measure,
            variable=self.variable,
            licence=self.licence,
            page_url=self.page_url,
        )
