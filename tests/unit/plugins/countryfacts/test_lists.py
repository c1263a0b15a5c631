"""Whose list the members of a group are taken from is the body that keeps it, and never the group itself."""

from __future__ import annotations

import pytest

from plugins.countryfacts.lists import dated_list, group_response
from shared.text.places import by_code


@pytest.mark.parametrize(
    ("code", "list_name"),
    [
        ("US-TX", "the US Census Bureau's list of counties"),
        ("USA", "the US Census Bureau's list of states"),
    ],
)
def test_states_and_counties_are_those_that_the_census_bureau_lists(code: str, list_name: str) -> None:
    group = by_code(code)
    assert group is not None
    response = group_response(group)
    assert response.publisher == "US Census Bureau"
    assert response.page_url == "https://www.census.gov/library/reference/code-lists/ansi.html"
    assert dated_list(group) == list_name
