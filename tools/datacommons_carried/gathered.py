"""Figures as they are gathered: by variable, facet, place and date, each as the digits that were published."""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

Row = dict[str, str]
FNV_START, FNV_PRIME = 0x811C9DC5, 0x01000193


def facet_id(wire: dict[str, Any]) -> str:
    """The id that Data Commons gives a facet: the 32-bit FNV-1a hash of its parts joined by hyphens."""
    parts = (wire.get(name, "") for name in
             ("importName", "measurementMethod", "observationPeriod", "scalingFactor", "unit"))  # fmt: skip
    found = FNV_START
    for byte in "-".join(parts).encode():
        found = ((found ^ byte) * FNV_PRIME) & 0xFFFFFFFF
    return str(found)


@dataclass(slots=True)
class Gathered:
    """``values[variable][facet][place][date]``. What was recorded from the API itself is never overwritten."""

    values: dict[str, dict[str, dict[str, dict[str, str]]]] = field(default_factory=dict)
    facets: dict[str, dict[str, Any]] = field(default_factory=dict)
    order: dict[str, list[str]] = field(default_factory=dict)

    def add(self, variable: str, facet: str, place: str, date: str, value: str) -> None:
        """Add one figure; raises ``ValueError`` when another one of the same facet, place and date is there."""
        cells = self.values.setdefault(variable, {}).setdefault(facet, {}).setdefault(place, {})
        if cells.setdefault(date, value) != value and float(cells[date]) != float(value):
            raise ValueError(f"{variable} of {place} on {date} in facet {facet}: {cells[date]} and {value}")

    def has(self, variable: str, facet: str, place: str, date: str) -> bool:
        """Whether a figure is there."""
        return date in self.values.get(variable, {}).get(facet, {}).get(place, {})


def read_json(path: Path) -> Any:
    """A JSON file whose numbers stay the digits that were written."""
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode()
    return json.loads(text, parse_float=str, parse_int=str)


def read_rows(path: Path, *, delimiter: str = ",") -> Iterator[Row]:
    """The rows of a table with a header line, gzip by its suffix."""
    raw = path.read_bytes()
    text = (gzip.decompress(raw) if path.suffix == ".gz" else raw).decode("utf-8-sig")
    yield from csv.DictReader(io.StringIO(text), delimiter=delimiter)


def whole(text: str) -> str:
    """A count without thousands commas and without a decimal zero; empty for what is no number."""
    plain = text.replace(",", "").strip()
    plain = plain.removesuffix(".0")
    return plain if plain.replace(".", "", 1).lstrip("-").isdigit() and float(plain) >= 0 else ""
