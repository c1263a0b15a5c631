"""Whose list a membership is, as a sentence says it."""

import pytest

from shared.text.places import by_code, by_name, group_list_name


@pytest.mark.parametrize(
    ("group", "said"),
    [
        ("European Union", "the European Union's list of member countries"),
        ("Euro area", "the European Union's list of countries using the euro"),
        ("NATO", "NATO's list of member countries"),
        ("BRICS", "the BRICS' list of members"),
        ("G7", "the Group of Seven"),
        ("Commonwealth of Nations", "the Commonwealth of Nations' list of member countries"),
        ("Africa", "the United Nations' M49 standard"),
        ("HIC", "the World Bank's country list"),
        ("Scandinavia", "customary use"),
    ],
)
def test_a_list_is_named_after_the_body_that_keeps_it(group, said):
    entity = by_name(group) or by_code(group)
    assert entity is not None
    assert group_list_name(entity) == said


def test_a_country_is_no_list():
    assert group_list_name(by_code("FRA")) is None
