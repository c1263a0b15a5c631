"""The carried figures: one compressed file a variable, a table for each facet, one line a place.

A table begins with ``#facet``, its id and its dates; then each line is a place and a value for each date, empty
where nothing was published. Tables stand in Data Commons' order of preference. Only the lines that a request
needs are split into cells.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"
HEAD = "#facet"


@dataclass(frozen=True, slots=True)
class FacetTable:
    """The values that one facet has of a variable; ``dates`` are the columns, oldest first."""

    facet: str
    dates: tuple[str, ...]
    lines: dict[str, str]

    def cells(self, place: str) -> list[tuple[str, str]]:
        """Date and published value of a place, oldest first; empty when it has none."""
        line = self.lines.get(place)
        if line is None:
            return []
        return [(date, cell) for date, cell in zip(self.dates, line.split("\t"), strict=False) if cell]


def file_name(variable: str) -> str:
    """The file of a variable: its id with what no file name may hold written as ``~``."""
    return f"{variable.replace('/', '~')}.tsv.gz"


@lru_cache(maxsize=64)
def tables(variable: str) -> tuple[FacetTable, ...]:
    """The tables of a variable in order of preference; none for a variable that is not carried."""
    path = DATA / "values" / file_name(variable)
    if not path.is_file():
        return ()
    found: list[FacetTable] = []
    lines: dict[str, str] = {}
    for line in gzip.decompress(path.read_bytes()).decode().splitlines():
        first, _, rest = line.partition("\t")
        if first == HEAD:
            facet, *dates = rest.split("\t")
            lines = {}
            found.append(FacetTable(facet, tuple(dates), lines))
        else:
            lines[first] = rest
    return tuple(found)


@lru_cache(maxsize=1)
def facets() -> dict[str, dict[str, Any]]:
    """The carried facets by id, each as the API describes it."""
    found: dict[str, dict[str, Any]] = json.loads((DATA / "facets.json").read_text(encoding="utf-8"))
    return found


@lru_cache(maxsize=1)
def notes() -> dict[tuple[str, str], str]:
    """By variable and facet, what must be known of the carried figures."""
    rows = json.loads((DATA / "notes.json").read_text(encoding="utf-8"))
    return {(row["variable"], row["facet"]): row["note"] for row in rows}
