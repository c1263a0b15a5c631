"""The carried figures: the recorded lists, the carried series, and one table of values a series.

A table has one line an area and combination of dimensions: the area's M49 code, ``Dimension=CODE`` joined by
semicolons, the unit's code, and then the cells, each ``year|value|nature`` as published.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class CarriedLine:
    """The published cells of one area and combination of dimensions: ``(year, value, nature)``, oldest first."""

    area: str
    dimensions: dict[str, str]
    unit: str
    cells: tuple[tuple[int, str, str], ...]


@lru_cache(maxsize=8)
def recorded(name: str) -> Any:
    """The recorded answer of one list (``Goal_List``, ``GeoArea_Tree``...)."""
    return json.loads(gzip.decompress((DATA / f"{name}.json.gz").read_bytes()))


@lru_cache(maxsize=1)
def carried_series() -> dict[str, dict[str, Any]]:
    """The carried series by code in capitals: ``code``, ``description``, ``goal``, ``target``, ``indicator``."""
    lines = (DATA / "series.ndjson").read_text(encoding="utf-8").splitlines()
    return {row["code"].upper(): row for row in map(json.loads, lines)}


@lru_cache(maxsize=1)
def area_names() -> dict[str, str]:
    """Names of areas by M49 code without leading zeros."""
    return {row["geoAreaCode"]: row["geoAreaName"] for row in recorded("GeoArea_List")}


@lru_cache(maxsize=8)
def value_lines(series: str) -> tuple[str, ...]:
    """The lines of a carried table; raises ``FileNotFoundError`` for a series that is not carried."""
    path = DATA / "values" / f"{series.upper()}.tsv.gz"
    return tuple(gzip.decompress(path.read_bytes()).decode().splitlines())


@lru_cache(maxsize=32)
def dimension_codes(series: str) -> dict[str, tuple[str, ...]]:
    """The codes of each dimension that any value of the series has."""
    found: dict[str, set[str]] = {}
    for line in value_lines(series):
        for name, code in _pairs(line.split("\t", 2)[1]).items():
            found.setdefault(name, set()).add(code)
    return {name: tuple(sorted(codes)) for name, codes in sorted(found.items())}


def read_line(line: str, wanted: Callable[[int], bool] = lambda _: True) -> CarriedLine:
    """One line of a table with its cells of the wanted years."""
    area, dimensions, unit, *cells = line.split("\t")
    split = [cell.split("|") for cell in cells if wanted(int(cell[:4]))]
    return CarriedLine(
        area, _pairs(dimensions), unit, tuple((int(year), value, nature) for year, value, nature in split)
    )


def _pairs(text: str) -> dict[str, str]:
    return dict(part.split("=", 1) for part in text.split(";") if part)
