"""A measure adds up where its unit and its statistic do; an amount of money has a currency."""

from __future__ import annotations

import pytest

from plugins.reporting.measures import measure_in, unit_in
from shared.query.discovery import TableDocument
from shared.query.quantity import UnitKind


def document(**terms: str) -> TableDocument:
    return TableDocument(
        identifier="urn:air:a.org:okf:a.b",
        source="a",
        variable="b",
        title="Title",
        description="Long.",
        terms=terms,
    )


@pytest.mark.parametrize(
    ("terms", "adds_up"),
    [
        ({"unitKind": "count", "statType": "measuredValue"}, True),
        ({"unitKind": "count", "statType": "mean"}, False),
        ({"unitKind": "currency", "unit": "USD", "per": "person"}, False),
        ({"unitKind": "percent"}, False),
        ({}, False),
    ],
)
def test_members_are_summed_only_in_what_adds_up(terms: dict[str, str], adds_up: bool) -> None:
    table = document(**terms)
    measure = measure_in(table, unit_in(table), averages=frozenset({"mean"}), source="a", meaning="m")
    assert measure.additive is adds_up
    assert (measure.source, measure.variable, measure.name, measure.meaning) == ("a", "b", "Title", "m")


def test_a_unit_has_the_documents_own_words_and_a_currency_only_for_money() -> None:
    money = unit_in(document(unit="USD", unitKind="currency", unitLabel="US dollars"), currency="USD")
    assert (money.kind, money.label, money.currency) == (UnitKind.CURRENCY, "US dollars", "USD")
    share = unit_in(document(unit="%", unitKind="percent"), currency="USD")
    assert (share.label, share.currency) == ("%", None)
    assert unit_in(document(unitKind="nonsense")).kind is UnitKind.NONE
