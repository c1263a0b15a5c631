"""The question cases are well formed, cover every type, and hold the publisher's figures."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from functions.local.evaluate import load_questions
from shared.query.answer import AnswerStatus
from shared.query.readings import READING_TYPES

ROOT = Path(__file__).resolve().parents[2]
CASES = ROOT / "tests" / "cases" / "questions.jsonl"
DATA = ROOT.parent / "shared" / "data"


def test_every_type_is_asked_for_in_both_parts_of_the_split() -> None:
    cases = load_questions(CASES)
    for split in ("dev", "holdout"):
        asked = {case.expect.type for case in cases if case.split == split}
        assert asked >= set(READING_TYPES)


def test_a_third_is_held_out() -> None:
    parts = Counter(case.split for case in load_questions(CASES))
    assert 0.3 <= parts["holdout"] / parts.total() <= 0.35


def test_expected_statuses_and_types_exist() -> None:
    for case in load_questions(CASES):
        assert set(case.expect.status) <= {status.value for status in AnswerStatus}
        assert case.expect.type is None or case.expect.type in READING_TYPES


@pytest.mark.skipif(not DATA.is_dir(), reason="the published figures lie beside the repository, not in it")
def test_the_cases_are_what_the_published_figures_give(tmp_path: Path) -> None:
    made = tmp_path / "questions.jsonl"
    subprocess.run(
        [sys.executable, ROOT / "tools" / "make_cases.py", "--data", DATA, "--out", made],
        check=True,
        capture_output=True,
    )
    assert made.read_text(encoding="utf-8") == CASES.read_text(encoding="utf-8")
