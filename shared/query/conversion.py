"""Amounts in a country's own currency, and what they are in US dollars at their publisher's official rate.

"Local currency" is no one currency: the amounts of two countries in it are in two. They are held against each other
only in dollars. What is converted is at current prices; the rate is of the figure's own country and year.
"""

from __future__ import annotations

from shared.query.evidence import Measure
from shared.query.quantity import UnitKind

CONVERTED_TYPES = frozenset({"comparison", "difference", "ratio", "yes_no"})
"""Types of which two figures may be brought to one currency."""
LOCAL = "LCU"
"""The currency of a measure that is in each country's own."""
DOLLARS = "USD"


def in_local_currency(measure: Measure) -> bool:
    """Whether a measure is money in each country's own currency, at whatever prices."""
    return measure.unit.kind is UnitKind.CURRENCY and measure.unit.currency == LOCAL


def is_convertible(measure: Measure) -> bool:
    """Whether an official rate applies: to amounts in local currency at current prices, not at constant ones."""
    return in_local_currency(measure) and measure.unit.price_basis == "current"


def in_dollars(measure: Measure) -> Measure:
    """The measure of the converted amounts. It keeps its variable, which is what was published."""
    unit = measure.unit.model_copy(
        update={
            "code": measure.unit.code.replace(LOCAL, DOLLARS),
            "currency": DOLLARS,
            "label": measure.unit.label.replace("local currency units", "US dollars").replace(LOCAL, "US dollars"),
        }
    )
    said = "US$ at the official rate"
    name = measure.name.replace(LOCAL, said) if LOCAL in measure.name else f"{measure.name}, in {said}"
    return measure.model_copy(update={"name": name, "unit": unit})
