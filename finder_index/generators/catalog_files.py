"""Read a publisher's catalog as it lies in the data folder: tables and JSON, packed or not."""

from __future__ import annotations

import csv
import gzip
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any


def read_text(path: Path) -> str:
    """The text of a file, unpacked when its name ends in ``.gz``."""
    data = path.read_bytes()
    return (gzip.decompress(data) if path.suffix == ".gz" else data).decode("utf-8-sig")


def read_json(path: Path) -> Any:
    """A JSON file of any shape."""
    return json.loads(read_text(path))


def read_tsv(path: Path) -> Iterator[dict[str, str]]:
    """Rows of a tab-separated table without quoting. Raises ``ValueError`` with file and line for a ragged row."""
    lines = read_text(path).split("\n")
    columns = lines[0].rstrip("\r").split("\t")
    for number, line in enumerate(lines[1:], start=2):
        if not line:
            continue
        cells = line.rstrip("\r").split("\t")
        if len(cells) != len(columns):
            raise ValueError(f"{path.name}:{number}: {len(cells)} cells, expected {len(columns)}")
        yield dict(zip(columns, cells, strict=True))


def read_csv(path: Path) -> Iterator[dict[str, str]]:
    """Rows of a comma-separated table. Raises ``ValueError`` with file and line for a ragged row."""
    reader = csv.DictReader(read_text(path).splitlines(keepends=True))
    for row in reader:
        if None in row or any(value is None for value in row.values()):
            raise ValueError(f"{path.name}:{reader.line_num}: the row does not have the columns of the header")
        yield row
