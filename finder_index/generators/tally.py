"""What became of every row of a catalog: a leaf, part of another leaf, or left out with the reason."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

EXAMPLES = 3


@dataclass(slots=True)
class Tally:
    """Counts by reason, with a few examples of each. A generator writes into it as it goes."""

    rows: int = 0
    leaves: int = 0
    merged: Counter[str] = field(default_factory=Counter)
    left_out: Counter[str] = field(default_factory=Counter)
    examples: dict[str, list[str]] = field(default_factory=dict)
    notes: Counter[str] = field(default_factory=Counter)
    """What else was counted on the way, as phrasings used; no part of the balance of rows."""

    def read(self, rows: int = 1) -> None:
        """Count rows read from a catalog."""
        self.rows += rows

    def leaf(self, leaves: int = 1) -> None:
        """Count leaves made."""
        self.leaves += leaves

    def merge(self, reason: str, row: str) -> None:
        """A row whose content went into another row's leaf."""
        self.merged[reason] += 1
        self._remember(reason, row)

    def leave_out(self, reason: str, row: str) -> None:
        """A row that became no leaf."""
        self.left_out[reason] += 1
        self._remember(reason, row)

    def unaccounted(self) -> int:
        """Rows of which nothing was said; 0 when the generator dropped nothing in silence."""
        return self.rows - self.leaves - self.merged.total() - self.left_out.total()

    def _remember(self, reason: str, row: str) -> None:
        examples = self.examples.setdefault(reason, [])
        if len(examples) < EXAMPLES:
            examples.append(row)
