"""Census tracts, the counties of a state, former counties, and surveys that a question names."""

from __future__ import annotations

import pytest

from shared.query.quantity import PlaceKind
from shared.text.places import find_mentions


def codes_of(text: str) -> list[str]:
    """Each place of a text as its code, or as its name where it has none."""
    return [one.entity.keys.get("fips") or one.entity.name for one in find_mentions(text) if one.entity]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("population of census tract 1011.10 in Los Angeles County, California", "06037101110"),
        ("tract 101110, Los Angeles County", "06037101110"),
        ("Census Tract 5 in Harris County, Texas", "48201000500"),
        ("median income of tract 31 of New York County", "36061003100"),
    ],
)
def test_a_tract_is_its_county_and_its_number(text: str, code: str) -> None:
    (found,) = find_mentions(text)
    assert found.entity is not None
    assert (found.entity.kind, found.entity.keys["fips"]) == (PlaceKind.PLACE, code)
    assert found.entity.name.startswith("Census Tract ")


@pytest.mark.parametrize(
    "text", ["census tracts in Harris County, Texas", "how many tracts are there in Harris County, Texas"]
)
def test_tracts_without_a_number_leave_the_county_as_it_is(text: str) -> None:
    (found,) = find_mentions(text)
    assert found.entity is not None
    assert found.entity.keys["fips"] == "48201"


@pytest.mark.parametrize(
    ("text", "name"), [("across Texas counties", "Texas"), ("Which Ohio counties are poorest?", "Ohio")]
)
def test_the_counties_of_a_state_are_no_county_of_its_name(text: str, name: str) -> None:
    (found,) = find_mentions(text)
    assert found.entity is not None
    assert (found.entity.name, found.entity.kind) == (name, PlaceKind.US_STATE)


def test_a_county_that_is_no_more_is_known_by_its_old_name() -> None:
    found = {
        text: find_mentions(text)[0].entity for text in ("Shannon County, South Dakota", "Shannon County, Missouri")
    }
    assert [entity.keys["fips"] for entity in found.values() if entity] == ["46113", "29203"]


@pytest.mark.parametrize("name", ["the ACS", "the American Community Survey", "the 1-year ACS", "the Census"])
def test_a_survey_that_is_named_is_no_place(name: str) -> None:
    texas, survey = find_mentions(f"median household income of Texas according to {name}")
    assert texas.entity is not None
    assert survey.entity is not None
    assert survey.entity.kind is PlaceKind.ORGANIZATION


def test_a_city_that_is_its_own_county_is_no_state_beside_a_city() -> None:
    assert codes_of("population of Richmond city, Virginia") == ["51760"]
    assert codes_of("St. Louis city, Missouri vs Baltimore city, Maryland") == ["29510", "24510"]
    assert codes_of("median age of Norton city, VA") == ["51720"]
    assert codes_of("population of Carson City, Nevada") == ["32510"]
    # Without its state, or in another, it is a city like others.
    assert codes_of("population of Baltimore city") == ["Baltimore"]
    assert "51775" not in codes_of("population of Salem city, Oregon")
    assert codes_of("population of New York City, New York") == ["New York City"]
