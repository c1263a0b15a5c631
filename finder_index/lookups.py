"""Exact lookups over every mounted catalog: by variable, and by the quantity that variables split."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from finder_index.columns import rows_of_identifier, rows_of_quantity, rows_with_companion
from finder_index.index import LoadedIndex
from finder_index.quantities import Quantity, constraint_names, key_of_quantity, key_of_split
from shared.query.discovery import TableDocument


@dataclass(frozen=True, slots=True)
class Split:
    """A set of dimensions that a quantity is split by, and how many variables do so; none for the whole."""

    constraints: tuple[str, ...]
    variables: int


@dataclass(frozen=True, slots=True)
class Lookups:
    """Answers exactly, with no embedding and no model, from what the build has written down."""

    index: LoadedIndex

    def by_identifier(self, identifier: str) -> TableDocument | None:
        """The table of an identifier, ``None`` when there is none."""
        rows = rows_of_identifier(self.index, identifier)
        return self.index.document(rows[0]) if rows else None

    def qualified_by(self, variable: str) -> list[TableDocument]:
        """The tables whose figures a variable qualifies: it is their margin of error, or their sample size."""
        return [self.index.document(row) for row in rows_with_companion(self.index, variable)]

    def splits(self, quantity: Quantity) -> list[Split]:
        """The dimensions that a quantity is split by, the fewest first."""
        import numpy as np  # noqa: PLC0415

        rows, keys = rows_of_quantity(self.index, key_of_quantity(quantity))
        _, firsts, counts = np.unique(keys, return_index=True, return_counts=True)
        found = [
            Split(constraint_names(self.index.entry(int(rows[first]))["terms"]), int(count))
            for first, count in zip(firsts, counts, strict=True)
        ]
        return sorted(found, key=lambda split: (len(split.constraints), split.constraints))

    def variables(self, quantity: Quantity, constraints: Sequence[str]) -> list[TableDocument]:
        """The variables of a quantity that are split by exactly these dimensions, in the order of the index."""
        rows, keys = rows_of_quantity(self.index, key_of_quantity(quantity))
        return [self.index.document(int(row)) for row in rows[keys == key_of_split(constraints)]]


def widest_first(documents: Iterable[TableDocument]) -> list[TableDocument]:
    """Documents by the number of places they cover, the most first, then by source and identifier."""
    return sorted(documents, key=lambda document: (-_places(document), document.source, document.identifier))


def _places(document: TableDocument) -> int:
    text = document.terms.get("places", "0").replace(",", "").strip()
    return int(text) if text.isdecimal() else 0
