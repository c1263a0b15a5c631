"""The labelled questions about one publisher each, through the whole embedded program."""

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

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
DATA = ROOT.parent / "shared" / "data"
FIGURES = {"census": DATA, "datacommons": DATA, "unsdg": DATA / "unsdg"}
"""Where the published figures lie that the expectations of each publisher's questions were made from."""
LEAST = 25


@pytest.mark.parametrize("publisher", FIGURES)
async def test_all_of_them_are_answered_right_and_no_number_is_wrong(tmp_path: Path, publisher: str) -> None:
    async with open_application(Settings.from_environment({"NEURALKG_HOME": str(tmp_path)})) as app:

        async def ask(question: str, options: AskOptions) -> Answer:
            sources = checked_sources(options.sources, app.registry)
            return await app.ask(checked_question(question), options.model_copy(update={"sources": sources}))

        report = await evaluate(load_questions(HERE / f"{publisher}.jsonl"), ask)
    figures = report.figures()
    assert figures["cases"] >= LEAST
    assert figures["failed"] == []
    assert figures["wrong_numbers"] == 0


@pytest.mark.skipif(not DATA.is_dir(), reason="the published figures lie beside the repository, not in it")
@pytest.mark.parametrize("publisher", FIGURES)
def test_the_cases_are_what_the_published_figures_give(tmp_path: Path, publisher: str) -> None:
    made = tmp_path / "cases.jsonl"
    tool = ROOT / "tools" / f"make_{publisher}_cases.py"
    subprocess.run(
        [sys.executable, tool, "--data", FIGURES[publisher], "--out", made], check=True, capture_output=True
    )
    assert made.read_text(encoding="utf-8") == (HERE / f"{publisher}.jsonl").read_text(encoding="utf-8")
