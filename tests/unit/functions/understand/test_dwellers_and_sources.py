"""What ties members to their place, or a figure to its publisher, is no part of the quantity."""

from datetime import date

import pytest

from functions.discover.named_sources import named_sources
from functions.understand.reader import read
from shared.text.source_words import with_source_words

TODAY = date(2026, 7, 1)


@pytest.mark.parametrize(
    ("question", "quantity"),
    [
        ("How many women over 65 live in Florida?", "women over 65"),
        ("In Florida, how many women over 65 live?", "women over 65"),
        ("How many people over 65 live in Florida?", "population ages 65 and above"),
        ("How many children live in Texas?", "population ages 0-14"),
        ("How many households are there in Texas?", "households"),
        ("How many households there are in Texas?", "households"),
        ("How many seniors are living in Ohio?", "population ages 65 and above"),
        ("How many men reside in Ohio?", "male population"),
        ("How many people without health insurance lived in Texas in 2020?", "people without health insurance"),
        ("how many farms exist in Texas", "farms"),
    ],
)
def test_the_verb_that_ties_members_to_a_place_is_not_in_the_quantity(question, quantity):
    reading = read(question, today=TODAY).readings[0]
    assert (reading.type, reading.measure.text) == ("value", quantity)


@pytest.mark.parametrize(
    ("question", "quantity"),
    [
        ("cost of living in Kenya", "cost of living"),
        ("How long do people live in Japan?", "life expectancy"),
        ("How many live births were there in India in 2020?", "live births"),
    ],
)
def test_a_verb_that_tells_the_quantity_stays(question, quantity):
    assert read(question, today=TODAY).readings[0].measure.text == quantity


@pytest.mark.parametrize(
    ("introduced", "read_as"),
    [
        ("accordng to", "read “accordng” as “according”"),
        ("acording to", "read “acording” as “according”"),
        (", according too", "read “according too” as “according to”"),
        ("as reprted by", "read “reprted” as “reported”"),
        ("publised by", "read “publised” as “published”"),
        ("sorce:", "read “sorce” as “source”"),
    ],
)
def test_misspelt_words_before_a_publisher_introduce_it_all_the_same(introduced, read_as):
    question = f"population of India in 2023 {introduced} Wikipedia"
    found = read(question, today=TODAY)
    assert (found.readings[0].type, found.readings[0].measure.text) == ("value", "population")
    assert read_as in found.notes
    mended, _ = with_source_words(question)
    assert [one.words for one in named_sources(mended, ())] == ["Wikipedia"]


@pytest.mark.parametrize(
    "text",
    [
        "population of India according to Wikipedia",
        "What does access to electricity add to growth?",
        "crimes recorded by region: replaced by produced by punished by",
        "population added to Kenya",
    ],
)
def test_words_that_are_rightly_spelt_stay(text):
    assert with_source_words(text) == (text, ())
