"""Two wordings of one thing come to one form; what a rate is per is read apart."""

from __future__ import annotations

import pytest

from plugins.choice.wording import denominator, key, same, words


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("children under five", "under-5s"),
        ("GDP per head", "gross domestic product per capita"),
        ("share of seniors", "percentage of people aged 65 and above"),
        ("poverty at $3 a day", "poverty at $3.00 a day"),
        ("economic growth", "GDP growth"),
        ("vaccination", "immunisation"),
        ("kilometres", "kilometres"),
        ("CO\N{SUBSCRIPT TWO} emissions", "carbon dioxide emissions"),
    ],
)
def test_two_wordings_are_the_same(one: str, other: str) -> None:
    assert same(one, other), (key(one), key(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("exports", "imports"),
        ("male literacy", "female literacy"),
        ("part-time work", "share of work"),
        ("land below 5 meters", "children under 5"),
        ("GDP", "GNI"),
    ],
)
def test_two_quantities_are_not(one: str, other: str) -> None:
    assert words(one) != words(other)


@pytest.mark.parametrize(
    ("text", "number", "rest"),
    [
        ("deaths per 1,000 live births", 1_000, "deaths"),
        ("deaths of children per 1000 births", 1_000, "deaths of children"),
        ("murders per 100k people", 100_000, "murders"),
        ("researchers per million inhabitants", 1_000_000, "researchers"),
        ("beds for every thousand people", 1_000, "beds"),
    ],
)
def test_the_whole_of_a_rate_is_read(text: str, number: int, rest: str) -> None:
    assert denominator(text) == (number, rest)


@pytest.mark.parametrize("text", ["gdp in 2014", "people aged 15 to 24", "cities of 1 million", "births per woman"])
def test_years_and_ages_are_no_whole(text: str) -> None:
    assert denominator(text) is None
