"""The labelled questions for the Census Bureau, through the whole embedded program."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from functions.ask.intake import checked_question, checked_sources
from functions.local.evaluate import evaluate, load_questions
from functions.local.settings import Settings
from functions.local.wiring import open_application
from shared.query.annotated import AskOptions
from shared.query.answer import Answer

ROOT = Path(__file__).resolve().parents[2]
CASES = Path(__file__).with_name("census.jsonl")
DATA = ROOT.parent / "shared" / "data"


async def test_all_of_them_are_answered_right_and_no_number_is_wrong(tmp_path: Path) -> None:
    async with open_application(Settings.from_environment({"NEURALKG_HOME": str(tmp_path)})) as app:

        async def ask(question: str, options: AskOptions) -> Answer:
            sources = checked_sources(options.sources, app.registry)
            return await app.ask(checked_question(question), options.model_copy(update={"sources": sources}))

        report = await evaluate(load_questions(CASES), ask)
    figures = report.figures()
    assert figures["failed"] == []
    assert figures["wrong_numbers"] == 0


@pytest.mark.skipif(not DATA.is_dir(), reason="the published figures lie beside the repository, not in it")
def test_the_cases_are_what_the_published_figures_give(tmp_path: Path) -> None:
    made = tmp_path / "census.jsonl"
    subprocess.run(
        [sys.executable, ROOT / "tools" / "make_census_cases.py", "--data", DATA, "--out", made],
        check=True,
        capture_output=True,
    )
    assert made.read_text(encoding="utf-8") == CASES.read_text(encoding="utf-8")
