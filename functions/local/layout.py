"""Plain text layout for a terminal or a pipe: wrapping, tables, and text made safe to print."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from functions.ask.facts import figure_columns, thousands

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
    """A table within ``width`` columns: words wrap, figures stay whole; if even that is too wide, a list."""
    header = [safe(column) for column in columns]
    body = [[safe(cell) if cell is not None else MISSING for cell in row] for row in rows]
    numeric = [all(_NUMBER.match(row[i]) or row[i] == MISSING for row in body) for i in range(len(header))]
    grouped = figure_columns(header, body)
    body = [[thousands(cell) if i in grouped else cell for i, cell in enumerate(row)] for row in body]
    widths = [max([cells(header[i]), *(cells(row[i]) for row in body)]) for i in range(len(header))]
    while sum(widths) + 2 * len(widths) > width:
        broad = [i for i, w in enumerate(widths) if w > (_figure_width(i, body) if numeric[i] else MIN_TEXT_COLUMN)]
        if not broad:
            yield from _records(header, body, width)
            return
        widths[max(broad, key=widths.__getitem__)] -= 1
    yield from (Line(text, "heading") for text in _row(header, widths, numeric))
    for row in body:
        yield from (Line(text) for text in _row(row, widths, numeric))


def _figure_width(i: int, body: Sequence[Sequence[str]]) -> int:
    return max((cells(row[i]) for row in body), default=0)


def _row(row: Sequence[str], widths: Sequence[int], numeric: Sequence[bool]) -> Iterator[str]:
    """One row in as many lines as its longest cell needs."""
    columns = [list(_broken(cell, width)) for cell, width in zip(row, widths, strict=True)]
    for line in zip_longest(*columns, fillvalue=""):
        placed = (_placed(cell, width, right) for cell, width, right in zip(line, widths, numeric, strict=True))
        yield "  " + "  ".join(placed).rstrip()


def _broken(cell: str, width: int) -> Iterator[str]:
    """A cell in lines of at most ``width`` columns; a word that is too long for one is broken."""
    for line in wrapped(cell, width):
        rest = line
        while cells(rest) > width:
            fits = max(n for n in range(1, len(rest) + 1) if cells(rest[:n]) <= width)
            yield rest[:fits]
            rest = rest[fits:]
        yield rest


def _placed(text: str, width: int, right: bool) -> str:  # noqa: FBT001 - a column's alignment
    space = " " * (width - cells(text))
    return space + text if right else text + space


def _records(header: Sequence[str], body: Sequence[Sequence[str]], width: int) -> Iterator[Line]:
    for row in body:
        for i, (name, cell) in enumerate(zip(header, row, strict=True)):
            for text in wrapped(f"{name}: {cell}", width, first="  - " if i == 0 else "    ", rest="      "):
                yield Line(text)
