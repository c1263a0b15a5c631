"""The table from query type to slots."""

import pytest

from functions.slots.aspects import ASPECTS, SYNONYMS, measures_of
from functions.slots.table import MISSING_ACCESS_PATH, SLOT_RULES, ends_of, slots_for
from shared.query.quantity import Entity, PlaceKind
from shared.query.readings import (
    READING_TYPES,
    ComparisonReading,
    DifferenceReading,
    EntityMention,
    MeasureMention,
    PeriodAsked,
    PeriodKindAsked,
    RatioReading,
    ValueReading,
    YesNoReading,
)
from shared.query.slots import SlotKind


def mention(name: str, code: str) -> EntityMention:
    return EntityMention(
        text=name,
        status="resolved",
        entity=Entity(name=name, kind=PlaceKind.COUNTRY, keys={"iso3": code}),
    )


INDIA, CHINA = mention("India", "IND"), mention("China", "CHN")
GDP = MeasureMention(text="gdp")


def test_every_type_has_slots_or_a_reason_why_it_has_none() -> None:
    assert set(SLOT_RULES) | set(MISSING_ACCESS_PATH) == set(READING_TYPES)
    assert not set(SLOT_RULES) & set(MISSING_ACCESS_PATH)


def test_a_comparison_needs_one_value_an_entity_under_one_shared_measure() -> None:
    slots = slots_for(ComparisonReading(entities=(INDIA, CHINA), measure=GDP))
    assert [slot.entity.label for slot in slots if slot.entity] == ["India", "China"]
    assert {slot.shared_key for slot in slots} == {"measure"}
    assert {slot.kind for slot in slots} == {SlotKind.VALUE}


def test_a_ratio_of_different_measures_does_not_share_one() -> None:
    reading = RatioReading(
        numerator_entity=INDIA,
        numerator=GDP,
        denominator_entity=INDIA,
        denominator=MeasureMention(text="population"),
    )
    numerator, denominator = slots_for(reading)
    assert (numerator.role, denominator.role) == ("numerator", "denominator")
    assert numerator.shared_key is None


def test_the_capital_of_a_country_is_a_fact_not_a_figure() -> None:
    (slot,) = slots_for(ValueReading(entity=INDIA, measure=MeasureMention(text="Capital")))
    assert slot.kind is SlotKind.FACT
    assert slot.relation == "capital"


def test_yes_or_no_against_another_entity_needs_both_values_of_one_measure() -> None:
    slots = slots_for(YesNoReading(entity=INDIA, measure=GDP, other=CHINA))
    assert [slot.role for slot in slots] == ["value", "other"]
    assert {slot.shared_key for slot in slots} == {"measure"}


@pytest.mark.parametrize(
    ("period", "first", "last"),
    [
        (PeriodAsked(kind=PeriodKindAsked.RANGE, start=2000, end=2010), 2000, 2010),
        (PeriodAsked(kind=PeriodKindAsked.SINCE, start=1990), 1990, None),
    ],
)
def test_a_difference_over_time_asks_for_both_ends(period: PeriodAsked, first: int, last: int | None) -> None:
    slots = slots_for(DifferenceReading(entities=(INDIA,), measure=GDP, period=period))
    assert [slot.period.explicit_year for slot in slots] == [first, last]


def test_ten_years_ago_is_counted_back_from_the_newest_figure() -> None:
    before, after = ends_of(PeriodAsked(kind=PeriodKindAsked.YEARS_AGO, count=10))
    assert (before.kind, before.count) == (PeriodKindAsked.YEARS_AGO, 10)
    assert after.kind is PeriodKindAsked.LATEST


def test_aspects_are_answered_by_quantities_and_synonyms_lead_to_aspects() -> None:
    assert measures_of("economy")[0] == "gdp"
    assert measures_of("population; gdp") == ("population", "gdp")
    assert measures_of("rainfall") == ("rainfall",)
    assert set(SYNONYMS.values()) <= set(ASPECTS)
