"""The variables of one table as a tree: what its labels say of totals and of the parts below them.

A label leads from the table's total down to a line: ``Estimate!!Total:!!Male:!!Under 5 years``. Headings such as
``AGE`` stand in a path without a variable of their own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from shared.runtime.errors import ResponseMalformed

Path = tuple[str, ...]

SEPARATOR = "!!"
_NO_PART = re.compile(r"\b(?:median|mean|average|ratio|rate|per 100)\b", re.IGNORECASE)
"""Lines that stand among the parts of a total and are none."""


class Kind(StrEnum):
    """What a variable is; margins and annotations are attributes of these."""

    ESTIMATE = "estimate"
    PERCENT = "percent"


@dataclass(frozen=True, slots=True)
class Line:
    """A variable with the words that lead to it, the outermost first, its kind left out."""

    variable: str
    path: Path

    @property
    def name(self) -> str:
        """What the line is called by itself."""
        return self.path[-1]


@dataclass(frozen=True, slots=True)
class Tree:
    """The lines of a table, of both kinds, in the table's own order."""

    table: str
    lines: Mapping[tuple[Kind, Path], Line]

    @classmethod
    def read(cls, table: str, body: object) -> Tree:
        """Read the API's answer about a group of variables (``{"variables": {name: {"label": ...}}}``).

        Raises ``ResponseMalformed`` for another form, or where the lines are of another table.
        """
        match body:
            case {"variables": dict(variables)}:
                pass
            case _:
                raise ResponseMalformed(f"the Census Bureau's list of the variables of {table} has another form")
        lines = {}
        for variable, about in sorted(variables.items()):
            label = about.get("label") if isinstance(about, dict) else None
            if not isinstance(label, str) or SEPARATOR not in label or not variable.endswith("E"):
                continue
            if not variable.startswith(f"{table}_"):
                raise ResponseMalformed(f"the variables of {table} were asked for and {variable} came")
            first, *rest = (words.strip().rstrip(":").strip() for words in label.split(SEPARATOR))
            kind = Kind.PERCENT if first.startswith("Percent") else Kind.ESTIMATE
            lines[kind, tuple(rest)] = Line(variable, tuple(rest))
        if not lines:
            raise ResponseMalformed(f"the Census Bureau's list of the variables of {table} has none")
        return cls(table, lines)

    def line(self, path: Path, kind: Kind = Kind.ESTIMATE) -> Line | None:
        """The line of a path, without regard to how its letters are set."""
        return self.lines.get((kind, path)) or next(
            (line for (of, words), line in self.lines.items() if of is kind and _same(words, path)), None
        )

    def below(self, path: Path, kind: Kind = Kind.ESTIMATE) -> list[Line]:
        """The lines one level below a path: no two of them have a member in common."""
        return [
            line
            for (of, words), line in self.lines.items()
            if of is kind
            and len(words) == len(path) + 1
            and _same(words[:-1], path)
            and not _NO_PART.search(line.name)
        ]


def _same(one: Path, other: Path) -> bool:
    return len(one) == len(other) and all(a.casefold() == b.casefold() for a, b in zip(one, other, strict=True))
