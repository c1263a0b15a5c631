"""Slightly misspelt names are understood, and nothing else is bent into a country."""

from pathlib import Path

import pytest

from shared.text.places import find_mentions, suggest
from shared.text.places.spelling import lookalikes, nearest


@pytest.mark.parametrize(
    ("text", "iso3"),
    [
        ("Germny gdp", "DEU"),
        ("Phillipines population", "PHL"),
        ("Urugay", "URY"),
        ("gdp of afganistan", "AFG"),
        ("switserland's inflation", "CHE"),
        ("Bangaldesh", "BGD"),
        ("Kyrgystan", "KGZ"),
        ("Guatamala", "GTM"),
        ("Argentena", "ARG"),
        ("Untied States debt", "USA"),
        ("Saudia Arabia oil", "SAU"),
        ("New Zeland", "NZL"),
        ("south koera", "KOR"),
        ("Lybia", "LBY"),
        ("Hondurus", "HND"),
    ],
)
def test_a_slip_is_understood_and_keeps_the_askers_words(text: str, iso3: str) -> None:
    [match] = find_mentions(text)
    assert match.entity is not None
    assert match.entity.keys["iso3"] == iso3
    assert match.mention.text == text[match.start : match.end]


@pytest.mark.parametrize("text", ["Califronia", "Massachusets", "Pensylvania", "Conneticut", "Tennesee"])
def test_a_states_slip_is_understood(text: str) -> None:
    [match] = find_mentions(text)
    assert match.entity is not None
    assert match.entity.keys["iso3166_2"].startswith("US-")


ORDINARY = (Path(__file__).parent / "data" / "ordinary_words.txt").read_text(encoding="utf-8").split()


@pytest.mark.parametrize("word", ORDINARY)
def test_an_ordinary_word_is_never_taken_for_a_misspelt_country(word: str) -> None:
    assert nearest(word) == ()


@pytest.mark.parametrize(
    "name", ["Granada", "Colombo", "Cameron", "Francis", "Germaine", "Angela", "Jordana", "Bolivar", "Solomon"]
)
def test_another_real_name_is_never_taken_for_a_country(name: str) -> None:
    assert nearest(name.lower()) == ()


def test_the_lookalikes_are_lower_case_and_sorted() -> None:
    assert all(word == word.lower() for word in lookalikes())
    assert {"grease", "hungry", "finish", "granada"} <= lookalikes()


@pytest.mark.parametrize(
    ("name", "first"),
    [("Atlantis", None), ("Wakanda", None), ("Rusia", "Russia"), ("Frnce", "France"), ("Brazl", "Brazil")],
)
def test_a_suggestion_is_the_nearest_known_name(name: str, first: str | None) -> None:
    found = [entity.name for entity in suggest(name)]
    if first is None:
        assert name not in found
    else:
        assert found[0] == first
