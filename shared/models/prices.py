"""What models cost: one table of dollars per million tokens, each row with its source and date.

``NEURALKG_MODEL_PRICES`` names a file of the same form whose rows come first. A model without a price is reserved
for as if it were the dearest, so that a run cannot spend more than it may; what a provider itself reports as the
price of a reply goes before any table.
"""

from __future__ import annotations

import csv
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from pathlib import Path

from shared.models.providers.chat import Spent
from shared.runtime.errors import UsageError

PRICES_FILE = Path(__file__).with_name("prices.tsv")
COLUMNS = ("model", "input", "output", "cache_read", "cache_write", "source", "date")
MILLION = Decimal(1_000_000)


@dataclass(frozen=True, slots=True)
class Price:
    """Dollars per million tokens: read, written, read from the server's cache and put into it."""

    read: Decimal
    written: Decimal
    cached: Decimal
    stored: Decimal
    source: str = ""
    date: str = ""

    def of(self, spent: Spent) -> Decimal:
        """The price of a call. ``spent.read`` counts all tokens read, those of the cache among them."""
        fresh = max(0, spent.read - spent.cached - spent.stored)
        return (
            fresh * self.read
            + spent.cached * self.cached
            + spent.stored * self.stored
            + spent.written * self.written
        ) / MILLION

    def at_most(self, *, read: int, written: int) -> Decimal:
        """The most that a call of so many tokens can cost."""
        return (read * max(self.read, self.stored) + written * self.written) / MILLION


TYPICAL_READING = (2_000, 250)
"""Tokens read and written by one member that reads a question, as measured by ``make bench-models``."""
TYPICAL_JUDGMENT = (1_500, 200)
"""The same for one other judgment."""
FEWEST_JUDGMENTS, MOST_JUDGMENTS = 1, 6

FREE = Price(Decimal(0), Decimal(0), Decimal(0), Decimal(0), source="a server of one's own")


class PriceTable:
    """Prices by model name."""

    def __init__(self, prices: dict[str, Price]) -> None:
        self._prices = prices

    @classmethod
    def read(cls, override: Path | None = None) -> PriceTable:
        """The table, with the rows of ``override`` before its own. Raises ``UsageError`` naming file and row."""
        prices = _rows(PRICES_FILE)
        if override is not None:
            prices |= _rows(override)
        return cls(prices)

    def get(self, model: str) -> Price | None:
        """A model's price, or ``None``. A variant (``name:nitro``) costs what its model costs, unless listed."""
        return self._prices.get(model) or self._prices.get(model.partition(":")[0])

    @property
    def dearest(self) -> Price:
        """What a model without a price is taken to cost at most."""
        return max(self._prices.values(), key=lambda price: price.written)


def question_cost(panel: Sequence[Price], judge: Price) -> tuple[Decimal, Decimal]:
    """What a question costs in dollars: a plain one, and one with many judgments; ``panel`` are asked first."""
    reading = sum(
        (price.of(Spent(read=TYPICAL_READING[0], written=TYPICAL_READING[1])) for price in panel), Decimal(0)
    )
    judgment = judge.of(Spent(read=TYPICAL_JUDGMENT[0], written=TYPICAL_JUDGMENT[1]))
    return reading + FEWEST_JUDGMENTS * judgment, reading + MOST_JUDGMENTS * judgment


def _rows(path: Path) -> dict[str, Price]:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"the price table {path} cannot be read: {type(error).__name__}") from error
    found: dict[str, Price] = {}
    lines = csv.DictReader(text.splitlines(), delimiter="\t", quoting=csv.QUOTE_NONE)
    if tuple(lines.fieldnames or ()) != COLUMNS:
        raise UsageError(f"the price table {path} must have the columns {', '.join(COLUMNS)}, parted by tabs")
    for row in lines:
        try:
            found[row["model"]] = _price(row)
        except (InvalidOperation, ValueError, TypeError) as error:
            raise UsageError(
                f"{path}:{lines.line_num}: input, output and cache prices are dollars, 0 or more"
            ) from error
    return found


def _price(row: dict[str, str]) -> Price:
    read, written = Decimal(row["input"]), Decimal(row["output"])
    cached = Decimal(row["cache_read"]) if row["cache_read"] else read
    stored = Decimal(row["cache_write"]) if row["cache_write"] else read
    if not all(part.is_finite() and part >= 0 for part in (read, written, cached, stored)):
        raise ValueError("no price")
    return Price(read, written, cached, stored, source=row["source"], date=row["date"])
