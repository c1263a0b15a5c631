"""The carried figures: one compressed table a product, vintage and level, one line an area.

The columns are those of the API; of columns that hold the same published estimate only one is kept, and
``equal.tsv`` names the others. An empty cell was not recorded, ``~`` is published without a figure.
"""

from __future__ import annotations

import gzip
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

DATA = Path(__file__).parent / "data"
FIGURES = "*-*-*.tsv.gz"
COLONS_FROM = 2019
"""The first vintage whose labels end the name of a total with a colon."""
ENDINGS = ("EA", "MA", "E", "M")
BLANK = "~"


@dataclass(frozen=True, slots=True)
class Recorded:
    """A table as it is kept: its columns with their places, and the uncut line of each area."""

    places: Mapping[str, int]
    lines: Mapping[str, str]


@lru_cache(maxsize=8)
def table(product: str, vintage: str, level: str) -> Recorded | None:
    """A carried table, or ``None``."""
    path = DATA / f"{product}-{vintage}-{level.replace(' ', '_')}.tsv.gz"
    if not path.is_file():
        return None
    header, *lines = gzip.decompress(path.read_bytes()).decode().splitlines()
    places = {name: place for place, name in enumerate(header.split("\t"))}
    return Recorded(places, {line.partition("\t")[0]: line for line in lines})


@lru_cache(maxsize=1)
def vintages() -> frozenset[tuple[str, str]]:
    """Product and vintage of every carried table."""
    names = (path.name.split("-") for path in DATA.glob(FIGURES))
    return frozenset((product, vintage) for product, vintage, _ in names)


@lru_cache(maxsize=1)
def _equal() -> tuple[tuple[str, str, int, int], ...]:
    rows = (line.split("\t") for line in (DATA / "equal.tsv").read_text(encoding="utf-8").splitlines()[1:])
    return tuple((column, same_as, int(first), int(last)) for column, same_as, first, last in rows)


@lru_cache(maxsize=1)
def known() -> frozenset[str]:
    """Every variable that some carried table holds or whose label is carried, without its ending."""
    found: set[str] = set()
    for path in DATA.glob(FIGURES):
        with gzip.open(path, "rt", encoding="utf-8") as file:
            found.update(split(name)[0] for name in next(file).rstrip("\n").split("\t")[2:])
    labelled = {split(name)[0] for variables in _labels().values() for name in variables}
    return frozenset(found | labelled | {column for column, *_ in _equal()})


@lru_cache(maxsize=1)
def _labels() -> Mapping[str, Mapping[str, str]]:
    lines = gzip.decompress((DATA / "labels.tsv.gz").read_bytes()).decode().splitlines()[1:]
    found: dict[str, dict[str, str]] = {}
    for table_name, variable, label in (line.split("\t") for line in lines):
        found.setdefault(table_name, {})[variable] = label
    return found


def labels(table_name: str, vintage: str) -> Mapping[str, str]:
    """The labels of a table's variables as a vintage writes them; none for a table whose labels are not carried."""
    found = _labels().get(table_name, {})
    if int(vintage) >= COLONS_FROM:
        return found
    return {name: label.replace(":!!", "!!").removesuffix(":") for name, label in found.items()}


def published_file(name: str) -> bytes | None:
    """A carried file of comma-separated values by its published name, or ``None``."""
    path = DATA / f"{Path(name).name}.gz"
    return gzip.decompress(path.read_bytes()) if name.endswith(".csv") and path.is_file() else None


def split(column: str) -> tuple[str, str]:
    """A column without its ending, and the ending."""
    for ending in ENDINGS:
        if column.endswith(ending) and "_" in column:
            return column[: -len(ending)], ending
    return column, ""


def kept_as(column: str, vintage: str) -> str:
    """The column under which an estimate is kept."""
    base, ending = split(column)
    year = int(vintage)
    return next((s + ending for c, s, first, last in _equal() if c == base and first <= year <= last), column)
