"""Plain text layout for a terminal or a pipe: wrapping, tables, and text made safe to print."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

MIN_TEXT_COLUMN = 8
_NUMBER = re.compile(r"^[^\w\s]{0,3}\d[\d,.\s]*\s?[%\w$€£]{0,12}$")

_DIRECTIONS = frozenset(map(chr, (0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF)))
MISSING = "n/a"


@dataclass(frozen=True, slots=True)
class Line:
    """One line to print; ``style`` is one of ``screen.STYLES``, or empty."""

    text: str = ""
    style: str = ""


def safe(text: str) -> str:
    """``text`` without control characters and direction overrides, which could take over a terminal."""
    return "".join(
        " " if c in "\n\t" else c for c in text if c in "\n\t" or unicodedata.category(c) not in {"Cc", "Cf"}
    )


def _steers(character: str) -> bool:
    return character in _DIRECTIONS or unicodedata.category(character) == "Cc"


def cells(text: str) -> int:
    """How many terminal columns ``text`` takes: wide characters take two, combining marks none."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in {"W", "F"} else 1 for c in text
    )


def wrapped(text: str, width: int, *, first: str = "", rest: str | None = None) -> Iterator[str]:
    """``text`` in lines of at most ``width`` columns; a word that is longer, such as an address, stays whole."""
    rest = " " * cells(first) if rest is None else rest
    line, empty = first, True
    for word in safe(text).split():
        if not empty and cells(line) + 1 + cells(word) > width:
            yield line.rstrip()
            line, empty = rest, True
        line = line + word if empty else f"{line} {word}"
        empty = False
    yield line.rstrip()


def table(columns: Sequence[str], rows: Sequence[Sequence[str | None]], width: int) -> Iterator[Line]:
    """A table within ``width`` columns. Figures are never cut; when they do not fit, each row becomes a list."""
    header = [safe(column) for column in columns]
    body = [[safe(cell) if cell is not None else MISSING for cell in row] for row in rows]
    numeric = [all(_NUMBER.match(row[i]) or row[i] == MISSING for row in body) for i in range(len(header))]
    widths = [max([cells(header[i]), *(cells(row[i]) for row in body)]) for i in range(len(header))]
    surplus = sum(widths) + 2 * len(widths) - width
    for i in sorted(range(len(header)), key=lambda i: -widths[i]):
        if surplus > 0 and not numeric[i]:
            cut = min(surplus, max(0, widths[i] - MIN_TEXT_COLUMN))
            widths[i] -= cut
            surplus -= cut
    if surplus > 0:
        yield from _records(header, body, width)
        return
    yield Line(_row(header, widths, numeric), "heading")
    for row in body:
        yield Line(_row(row, widths, numeric))


def _row(row: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> str:
    return (
        "  "
        + "  ".join(
            _fit(cell, width, right) for cell, width, right in zip(row, widths, numeric, strict=True)
        ).rstrip()
    )


def _fit(cell: str, width: int, right: bool) -> str:  # noqa: FBT001 - a column's alignment
    while cells(cell) > width:
        cell = cell[: -2 if cell.endswith("…") else -1].rstrip() + "…"
    space = " " * (width - cells(cell))
    return space + cell if right else cell + space


def _records(header: Sequence[str], body: Sequence[Sequence[str]], width: int) -> Iterator[Line]:
    for row in body:
        for i, (name, cell) in enumerate(zip(header, row, strict=True)):
            for text in wrapped(f"{name}: {cell}", width, first="  - " if i == 0 else "    ", rest="      "):
                yield Line(text)
