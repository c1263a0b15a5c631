"""Which sentence of a question asks."""

import pytest

from shared.text.sentences import as_sentence, asking_sentence


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("What is India's GDP?", "What is India's GDP?"),
        ("I live in Oslo. How many people live in Kenya? Thanks.", "How many people live in Kenya?"),
        ("population nigeria 1990", "population nigeria 1990"),
        ("First this. population of Chad", "population of Chad"),
        (
            "number of jobless people in St. Clair County, Missouri",
            "number of jobless people in St. Clair County, Missouri",
        ),
        ("U.S. population vs. that of Mt. Airy", "U.S. population vs. that of Mt. Airy"),
        (
            "I know the U.S. How many people live in St. Louis? Thanks.",
            "I know the U.S. How many people live in St. Louis?",
        ),
        ("This is the last. How many people live in Kenya", "How many people live in Kenya"),
        ("", ""),
    ],
)
def test_the_sentence_with_the_question_mark_asks_else_the_last(text: str, asked: str) -> None:
    assert asking_sentence(text) == asked


@pytest.mark.parametrize(
    ("reason", "told"),
    [
        ("the disk is full", "The disk is full."),
        (" Is it? ", "Is it?"),
        ("Stop!", "Stop!"),
        ("  ", "Something failed."),
    ],
)
def test_a_reason_becomes_a_sentence(reason: str, told: str) -> None:
    assert as_sentence(reason) == told
