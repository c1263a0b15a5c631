"""Attributes in words ask for facts, in the singular and in the plural."""

import pytest

from functions.slots.table import fact_named, slots_for
from shared.query.readings import ComparisonReading, EntityMention, MeasureMention
from shared.query.slots import SlotKind
from shared.text.places import by_name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("capital", "capital"),
        ("Capitals", "capital"),
        ("capital cities", "capital city"),
        ("currencies", "currency"),
        ("official languages", "official language"),
        ("calling codes", "calling code"),
        ("gdp", None),
        ("capital formation", None),
        ("energy supplies", None),
    ],
)
def test_a_fact_is_named_in_the_singular_or_the_plural(text, name):
    assert fact_named(text) == name


def test_capitals_of_two_countries_are_facts_of_each():
    pair = tuple(EntityMention(text=name, status="resolved", entity=by_name(name)) for name in ("France", "Spain"))
    made = slots_for(ComparisonReading(entities=pair, measure=MeasureMention(text="capitals")))
    assert [(slot.kind, slot.relation) for slot in made] == [(SlotKind.FACT, "capital")] * 2
