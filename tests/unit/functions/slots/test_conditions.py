"""A condition against another entity asks for that entity's figure beside the population's."""

import pytest
from pydantic import ValidationError

from functions.slots.table import slots_for
from shared.query.quantity import PlaceKind
from shared.query.readings import (
    AggregateOperation,
    AggregateReading,
    Comparator,
    Condition,
    EntityMention,
    FilteredListReading,
    MeasureMention,
    PopulationMention,
    Threshold,
)
from shared.query.slots import SlotKind
from shared.text.places import by_name

COUNTRIES = PopulationMention(member=PlaceKind.COUNTRY, text="countries")
LIFE, PEOPLE = MeasureMention(text="life expectancy"), MeasureMention(text="population")
OVER = Threshold(comparator=Comparator.GREATER, value=10_000_000, text="over 10 million")


def mention(name):
    return EntityMention(text=name, status="resolved", entity=by_name(name))


def test_the_reference_has_a_slot_that_shares_the_conditions_measure():
    reading = FilteredListReading(
        population=COUNTRIES,
        conditions=(
            Condition(measure=PEOPLE, threshold=OVER),
            Condition(measure=LIFE, reference=mention("Japan")),
        ),
    )
    people, life, japan = slots_for(reading)
    assert [slot.role for slot in (people, life, japan)] == ["condition", "condition", "reference"]
    assert [slot.kind for slot in (people, life, japan)] == [
        SlotKind.POPULATION,
        SlotKind.POPULATION,
        SlotKind.VALUE,
    ]
    assert (people.threshold, people.shared_key) == (OVER, None)
    assert life.threshold is None
    assert life.shared_key == japan.shared_key == "condition:2"
    assert japan.entity == mention("Japan")
    assert len({slot.id for slot in (people, life, japan)}) == 3


def test_a_count_of_members_asks_for_the_reference_too():
    reading = AggregateReading(
        operation=AggregateOperation.COUNT,
        population=COUNTRIES,
        conditions=(Condition(measure=LIFE, reference=mention("Japan")),),
    )
    assert [slot.role for slot in slots_for(reading)] == ["condition", "reference"]


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"threshold": OVER, "reference": mention("Japan")},
        {"reference": mention("Japan"), "comparator": Comparator.BETWEEN},
    ],
)
def test_a_condition_has_exactly_one_bound(fields):
    with pytest.raises(ValidationError):
        Condition(measure=PEOPLE, **fields)


def test_a_condition_written_before_references_reads_as_it_was():
    written = (
        '{"measure": {"text": "population"}, "threshold": {"comparator": ">", "value": "5", "text": "over 5"}}'
    )
    condition = Condition.model_validate_json(written)
    assert condition.reference is None
    assert condition == Condition.model_validate_json(condition.model_dump_json())
