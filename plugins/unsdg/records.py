"""What the SDG API says, as values: areas, cells with everything that is said of them, and whole answers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import NamedTuple

from shared.query.evidence import RequestMade
from shared.runtime.errors import RequestRejected

TOTAL = "_T"
"""The code of a dimension's total in the statistical agencies' own standard (SDMX)."""
TOTALS = frozenset({TOTAL, "ALLAGE", "BOTHSEX", "ALLAREA", "TOTAL"})
"""The same as the database writes it."""
UNSPECIFIED = frozenset({"NOTSPEC", "_X", "_U"})
"""Codes that say nothing of a part."""

_NUMBER = re.compile(r"[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?")
_BOUND = re.compile(r"(?P<sign><=|>=|<|>|≤|≥)\s*(?P<number>[+-]?\d+(?:\.\d+)?)")
_NOTHING = frozenset({"", "NAN", "N/A", "NA", "..", "...", "-", "\N{EN DASH}", "NULL", "NONE"})
_BELOW = {"<": "below", "<=": "at most", "≤": "at most", ">": "above", ">=": "at least", "≥": "at least"}


class UnSdgRejects(RequestRejected):
    """The API refuses the request."""


class Figure(NamedTuple):
    """What a cell's ``value`` says: a number, or a bound (``below`` its ``limit``), or why there is neither."""

    value: Decimal | None = None
    bound: str | None = None
    limit: Decimal | None = None
    missing: str | None = None

    def times(self, multiplier: int) -> Figure:
        """The same in plain units, where it is published in thousands or millions; every digit is kept."""
        value = None if self.value is None else self.value * multiplier
        limit = None if self.limit is None else self.limit * multiplier
        return self._replace(value=value, limit=limit)

    def in_words(self, sign: str = "") -> str:
        """``below 2.5%``, for a figure that is a bound."""
        return "" if self.limit is None else f"{self.bound} {self.limit.normalize():f}{sign}"


def read_figure(said: object) -> Figure:
    """Read a published value. Nothing published is never zero, and a bound is never the number behind its sign.

    A binary float can only be JSON's bare ``NaN``: decimal numbers are read as ``Decimal``.
    """
    if said is None or isinstance(said, float):
        return Figure(missing="not reported")
    if isinstance(said, int | Decimal) and not isinstance(said, bool):
        return Figure(value=Decimal(said))
    text = str(said).strip()
    plain = text.replace(",", "") if re.fullmatch(r"[+-]?\d{1,3}(?:,\d{3})+(?:\.\d+)?", text) else text
    if _NUMBER.fullmatch(plain):
        return Figure(value=Decimal(plain))
    if text.upper() in _NOTHING:
        return Figure(missing="not reported")
    if text.upper() == "N":
        return Figure(missing="published as not relevant (“N”)")
    if bound := _BOUND.fullmatch(text):
        return Figure(bound=_BELOW[bound["sign"]], limit=Decimal(bound["number"]))
    return Figure(missing=f"published as “{text}”, which is no number")


@dataclass(frozen=True, slots=True)
class Area:
    """A country or a group of countries. ``code`` is its M49 code as the API writes it, without leading zeros."""

    code: str
    name: str


@dataclass(frozen=True, slots=True)
class Cell:
    """One row of values. ``dimensions`` are the publisher's codes, ``nature`` and ``unit`` its attributes."""

    area: str
    name: str
    year: int
    figure: Figure
    dimensions: Mapping[str, str]
    nature: str
    unit: str
    source: str = ""
    footnotes: tuple[str, ...] = ()

    @property
    def reported(self) -> bool:
        """Whether a number or a bound is published."""
        return self.figure.missing is None


@dataclass(frozen=True, slots=True)
class Code:
    """One value of a dimension or attribute: what it is called, and whether it is the dimension's total."""

    code: str
    description: str
    is_total: bool


@dataclass(frozen=True, slots=True)
class Provenance:
    """What was sent, when it was answered, and of which date recorded figures are (``None`` when live)."""

    requests: tuple[RequestMade, ...]
    retrieved_at: datetime
    snapshot_as_of: date | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SeriesData:
    """All rows of one series for the areas and years asked.

    ``dimensions`` lists the codes of each dimension of the whole series, ``description`` is what the publisher
    calls it now, ``spans`` counts rows of spans that are no calendar year, which are left out.
    """

    series: str
    description: str
    cells: tuple[Cell, ...]
    dimensions: Mapping[str, tuple[Code, ...]]
    natures: Mapping[str, str]
    provenance: Provenance
    spans: int = 0

    def called(self, dimension: str, code: str) -> str:
        """What the publisher calls a code, or the code."""
        known = {one.code: one.description for one in self.dimensions.get(dimension, ())}
        return known.get(code) or code


@dataclass(frozen=True, slots=True)
class Listed:
    """One line of a list: a goal, a target, an indicator or a series, by its code and what it says."""

    code: str
    title: str
    parents: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Listing:
    """Lines of one list with their provenance."""

    rows: tuple[Listed, ...]
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class Areas:
    """The areas of the database with their provenance; ``countries`` are the codes of single countries."""

    by_code: Mapping[str, Area]
    provenance: Provenance
    countries: frozenset[str] = field(default_factory=frozenset)
