"""Units, periods and places: what must travel with every number."""

from __future__ import annotations

from decimal import Decimal
from enum import StrEnum
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, PlainSerializer, StrictBool


class Frozen(BaseModel):
    """A value: immutable, hashable where its fields are, and strict about unknown fields."""

    model_config = ConfigDict(frozen=True, extra="forbid")


def exact_decimal(value: object) -> Decimal:
    """Read a number as the publisher wrote it.

    Accepts ``Decimal``, ``int`` and decimal strings. A binary float is refused, since it no longer
    holds the digits that were published; booleans, NaN and infinities are refused too.
    """
    if type(value) is Decimal and value.is_finite():
        return value
    if isinstance(value, bool | float):
        raise ValueError(f"{value!r} is not an exact number: pass an int, a Decimal or a decimal string")
    if not isinstance(value, int | str | Decimal):
        raise ValueError(f"{value!r} is not a number")
    try:
        number = Decimal(value)
    except ArithmeticError as error:
        raise ValueError(f"{value!r} is not a decimal number") from error
    if not number.is_finite():
        raise ValueError(f"{value!r} is not a finite number")
    return number


def plain_digits(value: Decimal) -> str:
    """Write a decimal without an exponent, keeping every digit: ``Decimal('1E+3')`` gives ``'1000'``."""
    return format(value, "f")


Exact = Annotated[
    Decimal, BeforeValidator(exact_decimal), PlainSerializer(plain_digits, return_type=str, when_used="json")
]
"""A finite decimal; in JSON a string of digits, so that no reader rounds it on the way."""


Printed = Annotated[StrictBool | Exact | str, Field(union_mode="left_to_right")]
"""What a cell holds: a yes or no, an exact number, or words; tried in this order, so that JSON reads back alike."""


class UnitKind(StrEnum):
    """What a unit measures; only units of one kind and code are ever compared or combined."""

    CURRENCY = "currency"
    PERCENT = "percent"
    COUNT = "count"
    RATE = "rate"
    INDEX = "index"
    PHYSICAL = "physical"
    NONE = "none"


class Unit(Frozen):
    """A unit of measure.

    ``code`` is the short form that tests and clients compare (``USD``, ``%``, ``people``, ``years``);
    ``label`` is what people read. ``currency`` is an ISO 4217 code for money. ``price_basis`` tells
    current from constant prices and market from purchasing-power dollars, which never mix.
    """

    kind: UnitKind
    code: str
    label: str
    currency: str | None = None
    price_basis: Literal["current", "constant", "ppp-current", "ppp-constant"] | None = None
    per: str | None = None
    """The denominator of a rate or a per-head amount: ``person``, ``1,000 people``, ``sq. km``."""


class PeriodKind(StrEnum):
    """The calendar that a period belongs to; a fiscal year is not a calendar year of the same number."""

    YEAR = "year"
    FISCAL_YEAR = "fiscal_year"
    QUARTER = "quarter"
    MONTH = "month"
    DAY = "day"
    UNDATED = "undated"


_YEAR = PeriodKind.YEAR
"""Looked up once: thousands of figures are asked for their year."""


class Period(Frozen):
    """One span of time as the publisher names it: ``2023``, ``FY2023``, ``2023-Q3``, ``2023-09-30``."""

    kind: PeriodKind
    text: str

    @classmethod
    def year(cls, year: int) -> Period:
        """The calendar year ``year``."""
        return cls(kind=PeriodKind.YEAR, text=str(year))

    @classmethod
    def undated(cls) -> Period:
        """For facts that carry no date of their own."""
        return cls(kind=PeriodKind.UNDATED, text="undated")

    @property
    def calendar_year(self) -> int | None:
        """The year number for a calendar year, else ``None``."""
        return int(self.text) if self.kind is _YEAR else None

    def __str__(self) -> str:
        return self.text

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Period):
            return NotImplemented
        return self is other or (self.text == other.text and self.kind is other.kind)

    def __hash__(self) -> int:
        # Thousands of figures are counted by their period.
        return hash(self.text)


class PlaceKind(StrEnum):
    """Kinds of entity a question may name."""

    COUNTRY = "country"
    COUNTRY_GROUP = "country_group"
    US_STATE = "us_state"
    US_COUNTY = "us_county"
    CITY = "city"
    COMPANY = "company"
    ORGANIZATION = "organization"
    PLACE = "place"

    @property
    def words(self) -> str:
        """The kind as a reader says it: ``US state``."""
        return self.value.replace("_", " ").replace("us ", "US ")


class Entity(Frozen):
    """A resolved entity: a common name and every identifier known for it.

    ``keys`` maps a key scheme (``iso3``, ``iso2``, ``fips``, ``cik``, ``wb``) to the identifier in it.
    """

    name: str
    kind: PlaceKind
    keys: dict[str, str] = {}

    @property
    def code(self) -> str:
        """The best identifier for matching: ISO3, then FIPS, then the first key, then the name."""
        keys = self.keys
        return keys.get("iso3") or keys.get("fips") or next(iter(keys.values()), self.name)

    def __hash__(self) -> int:
        return hash((self.name, self.kind, self.code))
