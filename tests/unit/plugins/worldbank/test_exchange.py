"""Which rate belongs to an amount in local currency, and which years have none of its currency."""

from __future__ import annotations

from decimal import Decimal
from itertools import pairwise

import pytest

from plugins.worldbank.exchange import CHANGED, INDICATOR, SEVERAL, is_rate, of_many_currencies, rate_of
from plugins.worldbank.snapshot.figures import value_table
from shared.query.annotated import EntityResolved
from shared.query.conversion import in_dollars, in_local_currency, is_convertible
from shared.query.discovery import TableDocument
from shared.query.evidence import FailureStatus, Measure
from shared.query.identifiers import SlotId
from shared.query.quantity import Entity, PlaceKind, Unit, UnitKind
from shared.query.slots import Slot, SlotKind

LCU = Unit(
    kind=UnitKind.CURRENCY, code="LCU", label="current local currency units", currency="LCU", price_basis="current"
)
INDIA = Entity(name="India", kind=PlaceKind.COUNTRY, keys={"iso3": "IND", "wb": "IND"})
ASIA = Entity(name="Asia", kind=PlaceKind.COUNTRY_GROUP)
FALLS = {
    ("LAO", 1977): "no amounts are published of those years",
    ("LAO", 1980): "no amounts are published of those years",
}
"""Falls of a rate that are no change of the currency that amounts are in."""


def measure(unit: Unit = LCU, name: str = "GDP (current LCU)") -> Measure:
    return Measure(source="worldbank", variable="NY.GDP.MKTP.CN", name=name, unit=unit)


def slot(kind: SlotKind = SlotKind.VALUE) -> Slot:
    return Slot(id=SlotId("slot:1"), kind=kind, role="value")


def test_an_amount_of_one_country_has_its_publishers_rate() -> None:
    rate = rate_of(slot(), EntityResolved(entity=INDIA), measure(), source="worldbank")
    assert rate is not None
    assert (rate.measure.variable, rate.locator["indicator"]) == (INDICATOR, INDICATOR)
    assert is_rate(rate.locator)
    assert not is_rate({"indicator": INDICATOR})


@pytest.mark.parametrize(
    ("kind", "resolved", "unit"),
    [
        (SlotKind.SERIES, EntityResolved(entity=INDIA), {}),
        (SlotKind.VALUE, EntityResolved(entity=ASIA), {}),
        (SlotKind.VALUE, EntityResolved(entity=INDIA, sum_of_members=True), {}),
        (SlotKind.VALUE, EntityResolved(expression="all"), {}),
        (SlotKind.VALUE, EntityResolved(entity=INDIA), {"price_basis": "constant"}),
        (SlotKind.VALUE, EntityResolved(entity=INDIA), {"price_basis": None}),
        (SlotKind.VALUE, EntityResolved(entity=INDIA), {"currency": "USD", "code": "USD"}),
        (SlotKind.VALUE, EntityResolved(entity=INDIA), {"currency": "INT$", "price_basis": "ppp-current"}),
        (SlotKind.VALUE, EntityResolved(entity=INDIA), {"kind": UnitKind.RATE}),
    ],
)
def test_nothing_else_has_one(kind: SlotKind, resolved: EntityResolved, unit: dict[str, object]) -> None:
    assert rate_of(slot(kind), resolved, measure(LCU.model_copy(update=unit)), source="worldbank") is None


def test_every_fall_of_a_carried_rate_is_a_known_change_of_currency() -> None:
    """A rate that falls by more than two fifths from one year to the next is of another currency than before."""
    table = value_table(INDICATOR)
    unknown = []
    for code in table.lines:
        cells = sorted(table.cells(code).items())
        for (_, before), (year, after) in pairwise(cells):
            fell = Decimal(after) < Decimal(before) / Decimal("1.7")
            known = code in SEVERAL or (code, year) in FALLS or year <= CHANGED.get(code, (0, ""))[0]
            if fell and not known:
                unknown.append((code, year))
    assert unknown == []


@pytest.mark.parametrize("code", sorted(CHANGED))
def test_a_change_of_currency_is_of_a_country_whose_rates_are_carried(code: str) -> None:
    first, currency = CHANGED[code]
    cells = value_table(INDICATOR).cells(code)
    assert any(year < first for year in cells)
    if currency == "the euro" and first in cells:
        assert cells[first][:12] == value_table(INDICATOR).cells("EMU")[first][:12]


def test_sets_of_countries_are_not_held_side_by_side_in_their_own_currencies() -> None:
    document = TableDocument(
        identifier="d", source="worldbank", variable="CN", title="GDP (current LCU)", description="",
        terms={"unit": "LCU"},
    )  # fmt: skip
    refused = of_many_currencies(slot(SlotKind.POPULATION), [document])
    assert refused is not None
    assert refused.status is FailureStatus.NOT_COMPARABLE
    assert of_many_currencies(slot(), [document]) is None
    assert of_many_currencies(slot(SlotKind.POPULATION), [document.model_copy(update={"terms": {}})]) is None


def test_a_converted_measure_is_in_dollars_and_keeps_its_variable() -> None:
    made = in_dollars(measure())
    assert (made.name, made.variable) == ("GDP (current US$ at the official rate)", "NY.GDP.MKTP.CN")
    assert (made.unit.code, made.unit.currency, made.unit.label) == ("USD", "USD", "current US dollars")
    assert not in_local_currency(made)
    assert not is_convertible(made)
    assert in_dollars(measure(name="Rent")).name == "Rent, in US$ at the official rate"
