"""Bad input: what is refused before reading, and that no text brings the reader down."""

from __future__ import annotations

import time
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import functions.understand
from functions.understand.question import MAX_LENGTH, plain, validate_question
from functions.understand.reader import read
from shared.runtime.errors import CannotRead, UsageError

TODAY = date(2026, 6, 1)
_WORDS = """
    what which how many much is was the of in by than and or vs per gdp population inflation France Kenya EU
    countries states highest top 10 richest more less over under 5% $1 trillion 2010 since 1990 between 2000 2020
    share percentage ratio difference correlation border landlocked average total people live E0 G1 T2 Y3 ' , ? ( )
    not Georgia us
"""
WORDS = st.sampled_from(_WORDS.split())


@given(st.text(max_size=300))
@settings(max_examples=300, deadline=None)
def test_no_text_raises_anything_but_that_it_cannot_be_read(text: str) -> None:
    try:
        found = read(validate_question(text), today=TODAY)
    except (CannotRead, UsageError):
        return
    assert 1 <= len(found.readings) <= 4


@given(st.lists(WORDS, min_size=1, max_size=18).map(" ".join))
@settings(max_examples=400, deadline=None)
def test_no_jumble_of_question_words_brings_the_reader_down(text: str) -> None:
    try:
        found = read(validate_question(text), today=TODAY)
    except (CannotRead, UsageError):
        return
    assert 1 <= len(found.readings) <= 4


@pytest.mark.parametrize(
    "text", ["", "   \n\t ", "x" * (MAX_LENGTH + 1), "gdp of \x00India", "gdp \x1b[31m of India"]
)
def test_empty_too_long_and_control_characters_are_bad_usage(text: str) -> None:
    with pytest.raises(UsageError):
        validate_question(text)


def test_a_question_of_the_longest_length_is_read_in_reasonable_time() -> None:
    text = ("GDP " * (MAX_LENGTH // 4)).strip()
    began = time.perf_counter()
    with pytest.raises(CannotRead):
        read(validate_question(text), today=TODAY)
    assert time.perf_counter() - began < 3


def test_markup_is_taken_as_text_around_the_question() -> None:
    assert plain("<b>population of spain</b> &amp; <script>alert(1)</script>") == "population of spain & alert(1)"
    assert read("<b>population of spain in 2001</b>", today=TODAY).readings[0].type == "value"


def test_a_less_than_sign_is_no_markup() -> None:
    assert read("countries with inflation <2% and gdp growth >3%", today=TODAY).readings[0].type == "filtered_list"


_SOURCES = """
    worldbank, world bank, datacommons, data commons, census bureau, us census, edgar, eurostat, oecd.org, imf,
    countryfacts, restcountries, usaspending, propublica, wikidata, pxweb, statbank, singstat, unsdg, fred,
    treasury, cdc places, nih reporter, unesco, undata, faostat
"""
SOURCES = tuple(" ".join(name.split()) for name in _SOURCES.split(","))


def test_understanding_names_no_source() -> None:
    folder = Path(functions.understand.__file__).parent
    named = []
    for path in sorted(folder.rglob("*")):
        if path.suffix not in {".py", ".tsv", ".txt"} or path.name == "PROVENANCE.tsv":
            continue
        text = f" {path.read_text('utf-8').lower()} ".replace("\n", " ").replace("\\b", " ")
        named += [f"{path.name}: {source}" for source in SOURCES if _word_in(source, text)]
    assert named == []


def _word_in(word: str, text: str) -> bool:
    at = text.find(word)
    while at >= 0:
        if not text[at - 1].isalnum() and not text[at + len(word)].isalnum():
            return True
        at = text.find(word, at + 1)
    return False
