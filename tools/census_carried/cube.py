"""Cells gathered from several publications; two that disagree about one cell are an error."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

Key = tuple[str, str, str]
"""Product (``acs5``), vintage (``2023``) and level of geography (``county``)."""


@dataclass(slots=True)
class Cube:
    """``cells`` by product, vintage and level, then by area, then by column; ``None`` is a published blank."""

    canonical: Callable[[str, str], str]
    cells: dict[Key, dict[str, dict[str, str | None]]] = field(default_factory=lambda: defaultdict(dict))

    def put(self, key: Key, geoid: str, column: str, value: str | None) -> None:
        """Keep a cell under the column's own name among those of equal content.

        Raises ``ValueError`` when another publication has another value of it.
        """
        name = column if column == "NAME" else self.canonical(column, key[1])
        row = self.cells[key].setdefault(geoid, {})
        if name in row and not same(row[name], value) and name != "NAME":
            raise ValueError(f"{key} {geoid} {name} is {row[name]!r} and {value!r}")
        if name not in row:
            row[name] = value

    def columns(self, key: Key) -> list[str]:
        """The columns of a table that are not blank everywhere, sorted."""
        found = {name for row in self.cells[key].values() for name, value in row.items() if value is not None}
        return sorted(found - {"NAME"})

    def __iter__(self) -> Iterator[Key]:
        """Product, vintage and level of every table, sorted."""
        return iter(sorted(self.cells))


def same(one: str | None, other: str | None) -> bool:
    """Whether two cells say the same, however many zeros they end with."""
    if one is None or other is None or one == other:
        return one == other
    try:
        return float(one) == float(other)
    except ValueError:
        return False
