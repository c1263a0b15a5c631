"""Places and publishers take their article in sentences."""

import pytest

from shared.query.quantity import PlaceKind
from shared.query.readings import EntityMention, MeasureMention, PopulationMention
from shared.query.slots import Slot, SlotKind
from shared.text.articles import spoken, spoken_publisher

POPULATION = MeasureMention(text="population")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("World", "the world"),
        ("United States", "the United States"),
        ("Cayman Islands", "the Cayman Islands"),
        ("India", "India"),
    ],
)
def test_a_place_is_said_with_its_article(name, said):
    assert spoken(name) == said


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("World Bank", "the World Bank"),
        ("US Census Bureau", "the US Census Bureau"),
        ("Data Commons", "Data Commons"),
        ("REST Countries", "REST Countries"),
    ],
)
def test_a_publisher_is_said_with_its_article(name, said):
    assert spoken_publisher(name) == said


def about(name: str) -> EntityMention:
    return EntityMention(text=name, status="unknown")


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"measure": POPULATION, "entity": about("Puerto Rico")}, "population of Puerto Rico"),
        ({"measure": POPULATION, "entity": about("World")}, "population of the world"),
        (
            {
                "measure": POPULATION,
                "population": PopulationMention(member=PlaceKind.COUNTRY, text="countries in Africa"),
            },
            "population of countries in Africa",
        ),
        ({"relation": "borders", "entity": about("India")}, "borders of India"),
        ({}, "members"),
    ],
)
def test_a_slot_is_described_as_a_phrase(fields, said):
    assert Slot(id="slot:1", kind=SlotKind.VALUE, role="value", **fields).describes == said
