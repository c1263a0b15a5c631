"""What the Census Data API says, as values: cells, rows, tables, and its refusals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import NamedTuple

from shared.query.evidence import RequestMade
from shared.runtime.errors import RequestRejected


class CensusRejects(RequestRejected):
    """The API's plain-text error for a request that it does not take (``error: unknown variable 'X'``)."""

    def __init__(self, what: str, message: str) -> None:
        self.message = message
        super().__init__(f"the Census Bureau rejects the request for {what}: {message}")

    @property
    def unknown_variable(self) -> bool:
        """Whether the variable is none of this data set and vintage."""
        return "unknown variable" in self.message

    @property
    def unknown_geography(self) -> bool:
        """Whether the level of geography, or what it was asked inside, is none that is served."""
        return "geography" in self.message


class NoVintage(RequestRejected):
    """The data set has no such vintage (yet), or there is no such data set."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """How an answer came: its requests without their key, when, and of what date recorded figures are.

    ``note`` is what recorded figures say of themselves; the live API sends none.
    """

    requests: tuple[RequestMade, ...]
    retrieved_at: datetime
    snapshot_as_of: date | None = None
    note: str = ""


class Estimate(NamedTuple):
    """One figure with its margin of error at 90% confidence.

    Exactly one of ``value`` and ``missing`` is set. ``margin`` is ``None`` where none was published;
    ``margin_note`` says why there is none, or that the estimate has no sampling error. ``bounds`` are those of a
    90% confidence interval, which some programs publish in place of a margin. ``remark`` continues a sentence
    about a figure of businesses: by how much it was changed, or how wide its error is.
    """

    value: Decimal | None
    missing: str | None = None
    margin: Decimal | None = None
    margin_note: str | None = None
    bounds: tuple[Decimal, Decimal] | None = None
    remark: str | None = None


@dataclass(frozen=True, slots=True)
class Row:
    """The cells of one area as text, by column; ``geoid`` joins its codes from the largest area down."""

    geoid: str
    cells: Mapping[str, str | None]

    @property
    def name(self) -> str:
        """The area's name as the API writes it, empty where it was not asked for."""
        return self.cells.get("NAME") or ""


@dataclass(frozen=True, slots=True)
class Published:
    """A published file: its lines as text by column."""

    lines: tuple[Mapping[str, str], ...]
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class Table:
    """The rows of one answer; none for an answer without content."""

    rows: tuple[Row, ...]
    provenance: Provenance

    def row(self, geoid: str) -> Row | None:
        """The row of an area."""
        return next((row for row in self.rows if row.geoid == geoid), None)
