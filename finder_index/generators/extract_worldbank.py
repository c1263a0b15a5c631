"""Reduce the World Bank's tables to one line an indicator, from which the leaves are generated.

Run with the folder of the publisher's tables and the list of entities::

    python -m finder_index.generators.extract_worldbank FOLDER

The 2026-07 package comes first; the 2021-09-15 vintage is read only for indicators that the package lacks,
and those keep that vintage's titles, since a poverty line of one vintage is not that of another.
"""

from __future__ import annotations

import csv
import gzip
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

DATA = Path(__file__).parent / "data" / "worldbank_indicators.tsv.gz"
COLUMNS = (
    "code", "title", "topics", "vintage", "first_year", "last_year", "carried_first", "carried_last",
    "countries", "groups", "values",
)  # fmt: skip


@dataclass(slots=True)
class _Coverage:
    vintage: str
    years: set[int] = field(default_factory=set)
    countries: set[str] = field(default_factory=set)
    groups: set[str] = field(default_factory=set)
    values: int = 0


def _rows(path: Path) -> Iterator[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8") as lines:
        yield from csv.DictReader(lines)


def extract(folder: Path) -> list[tuple[str, ...]]:
    """One row per indicator with values, sorted by code, in the order of ``COLUMNS``."""
    entities = list(_rows(folder / "country_list_2026-04.csv"))
    aggregates = {row["iso3c"] for row in entities if row["region"] == "Aggregates"}
    index = {row["indicator_code"]: row for row in _rows(folder / "wdi_values_index_2026-07.csv.gz")}
    older = {row["indicator_code"]: row for row in _rows(folder / "wdi_indicator_metadata_2021-09-15.csv.gz")}
    coverage: dict[str, _Coverage] = {}

    def read(name: str, vintage: str, wanted: Callable[[str], bool]) -> None:
        for row in _rows(folder / name):
            code, entity = row["indicator_code"], row["country_code"]
            if wanted(code):
                known = coverage.setdefault(code, _Coverage(vintage))
                known.years.add(int(row["year"]))
                known.values += 1
                (known.groups if entity in aggregates else known.countries).add(entity)

    read("wdi_core_values_2026-07.csv.gz", "2026-07-01", lambda _: True)
    read("wdi_more_values_2010on_2026-07.csv.gz", "2026-07-01", lambda _: True)
    newer = set(coverage)
    read("wdi_values_2021-09-15.csv.gz", "2021-09-15", lambda code: code not in newer)
    return [_line(code, coverage[code], index.get(code), older.get(code)) for code in sorted(coverage)]


def _line(
    code: str, known: _Coverage, indexed: dict[str, str] | None, older: dict[str, str] | None
) -> tuple[str, ...]:
    described = indexed or older
    if described is None:
        raise ValueError(f"{code} has values but no title")
    title = indexed["title"] if indexed else described["indicator_name"]
    topics = ";".join(topic.strip() for topic in described["topics"].split(";") if topic.strip())
    first, last = min(known.years), max(known.years)
    published = (int(indexed["first_year"]), int(indexed["last_year"])) if indexed else (first, last)
    return (
        code, " ".join(title.split()), topics, known.vintage,
        str(min(published[0], first)), str(max(published[1], last)), str(first), str(last),
        str(len(known.countries)), str(len(known.groups)), str(known.values),
    )  # fmt: skip


def main() -> None:
    """Write the compact table beside this module."""
    lines = ["\t".join(COLUMNS), *("\t".join(line) for line in extract(Path(sys.argv[1])))]
    DATA.parent.mkdir(exist_ok=True)
    DATA.write_bytes(gzip.compress(("\n".join(lines) + "\n").encode(), 9, mtime=0))


if __name__ == "__main__":
    main()
