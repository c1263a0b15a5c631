"""The dated table of the cloud's list prices, with the source of each."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from decimal import Decimal
from functools import cached_property
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError, model_validator

from shared.query.quantity import Exact, Frozen
from shared.runtime.errors import NeuralKGError

PRICES_FILE = Path(__file__).parent / "data" / "google_cloud_prices.json"
MONTH_SECONDS = Decimal(2629800)
"""A twelfth of a year of 365.25 days: what monthly amounts are spread over."""
DAY_SECONDS = Decimal(86400)
SMALLEST = Decimal("1e-12")
"""Dollars that a line is rounded to; all sums are sums of such lines, so they agree to the last digit."""


class PricesInvalid(NeuralKGError):  # noqa: N818 - the name says what is wrong
    """The table of prices cannot be read; the message names the file, the row and the rule."""


class Free(Frozen):
    """What costs nothing: an amount every month or day, or at any time (``always``, for what is stored)."""

    amount: Exact = Field(ge=0)
    every: Literal["month", "day", "always"]

    def within(self, seconds: float) -> Decimal:
        """The part of it that belongs to a period of so many seconds."""
        share = Decimal(str(seconds))
        match self.every:
            case "day":
                return self.amount * share / DAY_SECONDS
            case _:
                return self.amount * share / MONTH_SECONDS


class Price(Frozen):
    """``usd`` for ``per`` units. ``certain`` is false where the figure was not seen on the publisher's page."""

    id: str
    service: str
    what: str
    unit: str
    usd: Exact = Field(ge=0)
    per: int = Field(ge=1)
    free: Free | None
    source: str = Field(pattern=r"^https://")
    read: date
    certain: bool

    def of(self, quantity: Decimal) -> Decimal:
        """What a quantity costs, in dollars."""
        return (quantity * self.usd / self.per).quantize(SMALLEST)


class PriceTable(Frozen):
    """List prices of one region."""

    currency: Literal["USD"]
    region: str
    as_of: date
    note: str
    prices: tuple[Price, ...]

    @model_validator(mode="after")
    def _one_of_each(self) -> PriceTable:
        names = [price.id for price in self.prices]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"listed twice: {', '.join(twice)}")
        return self

    @cached_property
    def by_id(self) -> Mapping[str, Price]:
        """Each price by its id."""
        return {price.id: price for price in self.prices}


def load_prices(path: Path = PRICES_FILE) -> PriceTable:
    """Read a table of prices. Raises ``PricesInvalid``."""
    try:
        return PriceTable.model_validate_json(path.read_bytes())
    except OSError as error:
        raise PricesInvalid(f"the table of prices {path} cannot be read: {error.strerror}") from error
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, one['loc'])) or 'it'}: {one['msg']}" for one in error.errors())
        raise PricesInvalid(f"the table of prices {path} is not valid: {faults}") from error
