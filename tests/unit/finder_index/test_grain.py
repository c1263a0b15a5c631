"""Which kinds of places a search names, and which a table has figures of."""

from __future__ import annotations

import pytest

from finder_index.grain import EVERY, lacks, levels_asked, levels_held


@pytest.mark.parametrize(
    ("text", "levels"),
    [
        ("labor force of a county", {"county"}),
        ("rent in zip code 60601", {"zip"}),
        ("cancer in all census tracts of a county", {"tract", "county"}),
        ("median age by state", {"state"}),
        ("income in metropolitan areas", {"metro"}),
        ("revenue of the company", {"company"}),
        ("unemployment by city", {"city"}),
        ("population of the United States", set()),
        ("people in the largest city", set()),
        ("market value of listed companies", set()),
        ("spending of the state on schools", set()),
        ("gdp by country", set()),
    ],
)
def test_the_levels_of_a_search_are_those_that_it_names(text: str, levels: set[str]) -> None:
    assert levels_asked([text]) == levels


@pytest.mark.parametrize(
    ("terms", "levels"),
    [
        ({"grain": "county,place,census tract,zcta", "scope": "counties"}, {"county", "city", "tract", "zip"}),
        ({"grain": "nation", "scope": "the government of the United States"}, set()),
        ({"grain": "state", "scope": "states and counties of the United States"}, {"state", "county"}),
        ({"grain": "country,state", "scope": "places of every level"}, EVERY),
        ({"scope": "countries"}, EVERY),
    ],
)
def test_the_levels_of_a_table_are_those_of_its_grain_and_scope(terms: dict[str, str], levels: set[str]) -> None:
    assert levels_held(terms) == levels


def test_a_table_lacks_what_it_has_no_figures_of() -> None:
    counties = frozenset({"county"})
    assert lacks(counties, frozenset({"state"}))
    assert not lacks(counties, frozenset({"state", "county"}))
    assert not lacks(counties, EVERY)
    assert not lacks(frozenset(), frozenset())
