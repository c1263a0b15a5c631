"""A judge's own words: figures nobody gave it, markup and steering characters are no part of what is shown."""

from decimal import Decimal

import pytest

from shared.text.remarks import MOST_CHARACTERS, fault_of, known_number, numbers_of, own_figures

QUESTION = "Did German inflation exceed 6% in 2023?"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("it is 43.7 percent", "figure"),
        ("it is 4,123,456", "figure"),
        ("it is \u0664\u0663\u0667", "figure"),
        ("<script>alert()</script>", "markup"),
        ("see https://example.org", "markup"),
        ("[here](page)", "markup"),
        ("\x1b[31mred", "control"),
        ("turned \u202eround", "control"),
        ("x" * (MOST_CHARACTERS + 1), "characters"),
    ],
)
def test_a_text_with_what_nobody_gave_is_not_shown(text, why):
    assert why in (fault_of(text, (QUESTION,)) or "")


@pytest.mark.parametrize(
    "text", ["richer is taken to be about GDP per person", "6% is the bound, in 2023", "CO2 and the G7", ""]
)
def test_a_text_of_words_and_given_figures_is_shown(text):
    assert fault_of(text, (QUESTION,)) is None


def test_markup_that_was_given_is_only_repeated():
    assert fault_of("population of <b>Kenya</b>", ("population of <b>Kenya</b>",)) is None


def test_a_figure_of_two_digits_may_name_a_quantity_and_none_of_more():
    for name in ("population ages 65 and above", "deaths per 100,000 people"):
        assert own_figures(name, (), naming=True) == []
        assert own_figures(name, ())
    assert own_figures("gdp 417", (), naming=True)


def test_numbers_are_known_in_words_and_in_the_scale_beside_them():
    known = numbers_of(["between 80 and 100 million", "five"])
    assert known_number(Decimal(5), known)
    assert known_number(Decimal(80_000_000), known)
    assert not known_number(Decimal(81_000_000), known)
