"""The carried tables of values: one compressed file an indicator, one line an entity.

A table's header names its years; a cell is the value as published, or empty where nothing was published.
Only the lines that a request needs are split into cells.
"""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True, slots=True)
class ValueTable:
    """The values of one indicator. ``years`` are the columns, oldest first, without gaps."""

    years: tuple[int, ...]
    lines: dict[str, str]

    def cells(self, entity: str) -> dict[int, str]:
        """The published values of an entity by year; empty when it has none."""
        line = self.lines.get(entity)
        if line is None:
            return {}
        return {year: cell for year, cell in zip(self.years, line.split("\t")[1:], strict=False) if cell}

    @property
    def newest_year(self) -> int:
        """The newest year in which any entity has a value."""
        return self.years[-1]


@lru_cache(maxsize=16)
def value_table(indicator: str) -> ValueTable:
    """The carried table of an indicator; raises ``FileNotFoundError`` when it is not carried."""
    text = gzip.decompress((DATA / "values" / f"{indicator}.tsv.gz").read_bytes()).decode()
    header, *lines = text.splitlines()
    return ValueTable(
        years=tuple(int(year) for year in header.split("\t")[1:]),
        lines={line.split("\t", 1)[0]: line for line in lines},
    )
