"""The labels that place the variables of the tables that splits are planned from."""

from __future__ import annotations

import csv
import gzip
from pathlib import Path

LABELS = Path(__file__).with_name("labels.tsv")
"""Labels of subject tables and profiles, of which no catalog is at hand; sums of recorded figures bear them out."""
DETAILED = ("B01001", "B02001", "B03003", "B11001", "B16010", "B17001", "B25003")
YEARS = (2019, 2022, 2023, 2024)
"""The catalogs of detailed tables."""

Labels = list[tuple[str, str, str]]
"""Table, variable and label."""


def labels(source: Path) -> Labels:
    """All labels as the newest catalog sets their letters; raises ``ValueError`` where two differ in more."""
    found = [_detailed(source, year) for year in reversed(YEARS)]
    if len({str(one).casefold() for one in found}) > 1:
        raise ValueError("the catalogs of several vintages differ about the tables that splits are planned from")
    with LABELS.open(encoding="utf-8") as file:
        written = [(row["table"], row["variable"], row["label"]) for row in csv.DictReader(file, delimiter="\t")]
    return sorted([*found[0], *written])


def _detailed(source: Path, year: int) -> Labels:
    path = source / "census" / f"acs{year}_5yr_census_column_metadata.csv.gz"
    with gzip.open(path, "rt", encoding="utf-8") as file:
        rows = {row["column_id"]: row for row in csv.DictReader(file) if row["table_id"] in DETAILED}
    made = []
    for column, row in rows.items():
        path_down, at = [row["column_title"]], row["parent_column_id"]
        while at:
            path_down.insert(0, rows[at]["column_title"])
            at = rows[at]["parent_column_id"]
        table = row["table_id"]
        made.append((table, f"{table}_{column.removeprefix(table)}E", "!!".join(("Estimate", *path_down))))
    return sorted(made)
