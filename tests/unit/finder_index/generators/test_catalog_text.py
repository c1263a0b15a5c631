"""Texts survive the hand-written front matter, and names of files are safe."""

from __future__ import annotations

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from finder_index.generators.catalog_leaf import LeafFields, clean, file_name, leaf_text, scalar
from finder_index.generators.words import lower_first, plain_case, plural, range_words, split_words


@given(st.text())
def test_a_cleaned_text_is_read_back_from_yaml_as_it_was(text: str) -> None:
    kept = clean(text)
    if kept:
        assert yaml.safe_load(f"key: {scalar(kept)}") == {"key": kept}
        assert yaml.safe_load(f"key: [{scalar(kept)}, {scalar(kept)}]") == {"key": [kept, kept]}


@pytest.mark.parametrize(
    "text", ["no", "Yes", "null", "2024", "1e5", "a: b", "a #b", "- a", "[x]", "~", "=", "a, b"]
)
def test_what_yaml_would_misread_is_quoted(text: str) -> None:
    assert yaml.safe_load(f"- {scalar(text)}") == [text]


@given(st.text(min_size=1, max_size=400))
def test_a_file_name_has_only_characters_of_a_urn_and_fits_a_file_system(variable: str) -> None:
    name = file_name(variable)
    assert len(name.encode()) <= 140
    assert set(name) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._-")


def test_variables_that_differ_only_in_odd_characters_keep_different_files() -> None:
    assert file_name("dc/a") != file_name("dc_a")
    assert file_name("index") != "index.md"


LEAF = LeafFields("A", "Title", "What it is.", ["one", "two"], ["tag"])


def test_a_leaf_with_one_query_is_an_error() -> None:
    with pytest.raises(ValueError, match="a leaf needs a title, a description and two queries"):
        leaf_text(LeafFields("A", "Title", "What it is.", ["one", "One"], []))


def test_a_comma_in_a_list_of_terms_is_an_error() -> None:
    with pytest.raises(ValueError, match="okf:goals: lists of terms are joined by commas"):
        leaf_text(LeafFields("A", "Title", "What it is.", ["one", "two"], [], terms={"goals": ["1, 11"]}))


def test_empty_terms_are_not_written() -> None:
    text = leaf_text(LeafFields("A", "Title", "What it is.", ["one", "two"], [], terms={"unit": "", "goals": []}))
    assert "okf:unit" not in text
    assert "okf:goals" not in text


def test_an_alias_that_repeats_the_title_is_left_out() -> None:
    text = leaf_text(LeafFields("A", "Title", "What it is.", ["one", "two"], [], aliases=["title", "other, word"]))
    assert yaml.safe_load(text.split("---\n")[1])["okf:aliases"] == ["other word"]


@pytest.mark.parametrize(
    ("code", "words"),
    [
        ("Years25To34", "25 to 34 years"),
        ("Years85Onwards", "85 or more years"),
        ("YearsUpto5", "up to 5 years"),
        ("[10 14 Years]", "10 to 14 years"),
        ("[Person 1]", "1 people"),
        ("[- -5 Celsius]", "up to -5 degrees Celsius"),
        ("USDollar10000To14999", "$10,000 to $14,999"),
        ("Date2000Onwards", "2000 or later"),
        ("SchoolGrade7", "grade 7"),
        ("RatioToPovertyLineUpto0.5", "up to 0.5 times the poverty line"),
        ("Female", None),
        ("ToBeDetermined", None),
    ],
)
def test_ranges_are_read(code: str, words: str | None) -> None:
    assert range_words(code) == words


@given(st.text())
def test_no_value_breaks_the_reading_of_ranges(value: str) -> None:
    range_words(value)


def test_words_of_a_code_keep_abbreviations_and_names() -> None:
    assert split_words("BlackOrAfricanAmericanAlone") == "black or African American alone"
    assert split_words("NAICSProfessional") == "NAICS professional"


def test_first_letters_and_plurals() -> None:
    assert lower_first("GDP per head") == "GDP per head"
    assert lower_first("Arthritis among adults") == "arthritis among adults"
    assert plain_case("Median Household Income") == "median household income"
    assert [plural(noun) for noun in ("city", "class", "household", "day")] == [
        "cities",
        "classes",
        "households",
        "days",
    ]
