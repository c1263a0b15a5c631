"""What code adds to a model's reading: the gazetteer's identifiers for its names, and no others."""

import pytest

from functions.understand.task import UNDERSTAND, UnderstandReply, UnderstandRequest
from shared.query.quantity import Entity, PlaceKind
from shared.query.readings import EntityMention, MeasureMention, ValueReading

REQUEST = UnderstandRequest(question="any", today="2026-11-30")


def settled(name, kind, keys=None):
    mention = EntityMention(text=name, status="resolved", entity=Entity(name=name, kind=kind, keys=keys or {}))
    reply = UnderstandReply(readings=(ValueReading(entity=mention, measure=MeasureMention(text="population")),))
    return UNDERSTAND.settle(REQUEST, reply).readings[0].entity.entity


@pytest.mark.parametrize(
    ("name", "kind", "key"),
    [
        ("Kenya", PlaceKind.COUNTRY, ("iso3", "KEN")),
        ("Côte d'Ivoire", PlaceKind.COUNTRY, ("iso3", "CIV")),
        ("Low income", PlaceKind.COUNTRY_GROUP, ("wb", "LIC")),
        ("low-income countries", PlaceKind.COUNTRY_GROUP, ("wb", "LIC")),
        ("Orleans Parish, Louisiana", PlaceKind.US_COUNTY, ("fips", "22071")),
        ("Phoenix, Arizona", PlaceKind.CITY, ("city", "phoenix-az")),
        ("Census Tract 1011.10, Los Angeles County, California", PlaceKind.PLACE, ("fips", "06037101110")),
    ],
)
def test_a_name_gets_the_gazetteers_identifiers_however_a_model_writes_it(name, kind, key):
    scheme, code = key
    assert settled(name, kind).keys[scheme] == code


@pytest.mark.parametrize("name", ["Atlantis", "Kenya and Uganda", "the population of Kenya", "Keny", ""])
def test_a_name_that_is_no_place_of_the_gazetteer_keeps_none_and_takes_none_from_the_model(name):
    entity = settled(name, PlaceKind.COUNTRY, {"iso3": "KEN"})
    assert entity.name == name
    assert entity.keys == {}
