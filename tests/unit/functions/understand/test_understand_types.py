"""Each labelled question is read as its type; ``none`` marks what cannot be read."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from functions.understand.reader import read
from shared.runtime.errors import CannotRead

TODAY = date(2026, 6, 1)
QUESTIONS = [
    tuple(line.split("\t"))
    for line in (Path(__file__).parent / "questions.tsv").read_text("utf-8").splitlines()[1:]
]


@pytest.mark.parametrize(("kind", "question"), QUESTIONS)
def test_a_question_is_read_as_its_type(kind: str, question: str) -> None:
    if kind == "none":
        with pytest.raises(CannotRead):
            read(question, today=TODAY)
    else:
        assert read(question, today=TODAY).readings[0].type == kind
