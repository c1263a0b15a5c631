"""Reports as CSV, for spreadsheets: exact figures, one block of rows a table."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from decimal import Decimal

from functions.reports.sections import Cell, Section

_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def as_csv(sections: Iterable[Section]) -> str:
    """Each table with its titles above and its name in the first column, an empty line between them."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    for n, section in enumerate(sections):
        if n:
            out.write("\n")
        writer.writerow(["table", *(title or "what" for title, _ in section.columns)])
        writer.writerows([section.id, *map(_plain, row)] for row in section.rows)
    return out.getvalue()


def _plain(cell: Cell) -> str:
    match cell:
        case None:
            return ""
        case Decimal():
            return format(cell, "f")
        case str():
            # A spreadsheet would run what a record's text may begin with.
            return f"'{cell}" if cell.startswith(_FORMULA) else cell
        case _:
            return str(cell)
