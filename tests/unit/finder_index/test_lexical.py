"""Wordings of one phrase share a key; words that tell tables apart are kept."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from finder_index.lexical import content, phrase_hash, phrase_key, qualifiers, words

TEXT = st.text(max_size=80)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("What is the population of", "population"),
        ("total population", "population"),
        ("Labour force", "labor force"),
        ("births per 1,000 women", "birth per 1,000 woman"),
        ("gdp in 2019", "gdp"),
        ("economic growth since 2010", "economic growth"),
        ("percentage of elderly people", "percent elderly people"),
        ("How many people live in", "people live"),
    ],
)
def test_wordings_of_one_phrase_share_a_key(one: str, other: str) -> None:
    assert phrase_key(one) == phrase_key(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("unemployment", "female unemployment"),
        ("gdp", "gdp growth"),
        ("exports", "imports"),
        ("rural population", "urban population"),
        ("poverty rate at $3.20 a day", "poverty rate at $5.50 a day"),
        ("top 10% income share", "top 20% income share"),
    ],
)
def test_different_quantities_have_different_keys(one: str, other: str) -> None:
    assert phrase_key(one) != phrase_key(other)


def test_words_that_name_no_quantity_carry_no_content() -> None:
    assert content("What is the total number of people in the largest country in 2019?") == ["people"]


def test_qualifiers_are_read_from_any_wording() -> None:
    assert qualifiers("women's literacy rate, rural") == {"female", "rural", "education"}
    assert "male" not in qualifiers("female unemployment")
    assert "percapita" in qualifiers("CO2 emissions per person")


@given(TEXT)
def test_any_text_has_a_key_and_the_key_of_a_key_is_itself_in_content(text: str) -> None:
    assert isinstance(phrase_key(text), str)
    assert words(text) == words(" ".join(text.split()))


@given(TEXT, TEXT)
def test_hashes_are_stable_and_64_bit(one: str, other: str) -> None:
    assert phrase_hash(one) == phrase_hash(one) < 2**64
    assert one == other or phrase_hash(one) != phrase_hash(other)
