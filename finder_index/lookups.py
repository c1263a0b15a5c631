"""Exact lookups over every mounted catalog: by variable, and by the quantity that variables split."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from threading import Lock

from finder_index.index import LoadedIndex
from shared.query.discovery import TableDocument

Quantity = tuple[str, str, str]
"""populationType, measuredProperty, statType."""


@dataclass(frozen=True, slots=True)
class Split:
    """A set of dimensions that a quantity is split by, and how many variables do so; none for the whole."""

    constraints: tuple[str, ...]
    variables: int


@dataclass(slots=True)
class Lookups:
    """Answers exactly, with no embedding and no model. What it needs of all entries is read at the first call."""

    index: LoadedIndex
    _families: dict[Quantity, dict[tuple[str, ...], list[int]]] | None = None
    _reading: Lock = field(default_factory=Lock)

    def by_identifier(self, identifier: str) -> TableDocument | None:
        """The table of an identifier, ``None`` when there is none."""
        # Most leaves are named after their variable, and a variable is found without reading them all.
        stem = identifier.rpartition(":")[2].partition(".")[2]
        for row in self.index.rows_of_variable(stem) if stem else ():
            if self.index.entry(row)["identifier"] == identifier:
                return self.index.document(row)
        needle = f'{identifier.rpartition(":")[2]}"'.encode()
        for row in range(len(self.index)):
            if needle in self.index.line(row) and self.index.entry(row)["identifier"] == identifier:
                return self.index.document(row)
        return None

    def splits(self, quantity: Quantity) -> list[Split]:
        """The dimensions that a quantity is split by, the fewest first."""
        found = self._read().get(quantity, {})
        return [
            Split(names, len(rows)) for names, rows in sorted(found.items(), key=lambda item: (len(item[0]), item))
        ]

    def variables(self, quantity: Quantity, constraints: Sequence[str]) -> list[TableDocument]:
        """The variables of a quantity that are split by exactly these dimensions, in the order of the index."""
        rows = self._read().get(quantity, {}).get(tuple(sorted(constraints)), [])
        return [self.index.document(row) for row in rows]

    def _read(self) -> dict[Quantity, dict[tuple[str, ...], list[int]]]:
        with self._reading:
            if self._families is None:
                families: dict[Quantity, dict[tuple[str, ...], list[int]]] = {}
                for row in range(len(self.index)):
                    terms = self.index.entry(row)["terms"]
                    quantity = quantity_of(terms)
                    if quantity is not None:
                        families.setdefault(quantity, {}).setdefault(constraint_names(terms), []).append(row)
                self._families = families
            return self._families


def quantity_of(terms: Mapping[str, str]) -> Quantity | None:
    """The quantity that a table's terms name, ``None`` when they do not name it in full."""
    parts = (terms.get("populationType", ""), terms.get("measuredProperty", ""), terms.get("statType", ""))
    return parts if all(parts) else None


def constraint_names(terms: Mapping[str, str]) -> tuple[str, ...]:
    """The dimensions that a table is limited in, sorted: ``gender=Female,age=15To24`` gives age and gender."""
    parts = (part.partition("=")[0].strip() for part in terms.get("constraints", "").split(","))
    return tuple(sorted({part for part in parts if part}))


def widest_first(documents: Iterable[TableDocument]) -> list[TableDocument]:
    """Documents by the number of places they cover, the most first, then by source and identifier."""
    return sorted(documents, key=lambda document: (-_places(document), document.source, document.identifier))


def _places(document: TableDocument) -> int:
    text = document.terms.get("places", "0").replace(",", "").strip()
    return int(text) if text.isdecimal() else 0
