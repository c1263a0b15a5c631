"""Every labelled question about the UN's SDG database, through the whole embedded program."""

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
CASES = Path(__file__).with_name("unsdg.jsonl")
DATA = ROOT.parent / "shared" / "data" / "unsdg"


async def test_the_questions_are_answered_right_or_refused_with_the_true_reason(tmp_path: Path) -> None:
    async with open_application(Settings.from_environment({"NEURALKG_HOME": str(tmp_path)})) as app:

        async def ask(question: str, options: AskOptions) -> Answer:
            sources = checked_sources(options.sources, app.registry)
            return await app.ask(checked_question(question), options.model_copy(update={"sources": sources}))

        report = await evaluate(load_questions(CASES), ask)
    figures = report.figures()
    assert figures["cases"] >= 25
    assert figures["wrong_numbers"] == 0, figures["failed"]
    assert figures["failed"] == []


@pytest.mark.skipif(not DATA.is_dir(), reason="the published figures lie beside the repository, not in it")
def test_the_cases_are_what_the_published_figures_give(tmp_path: Path) -> None:
    made = tmp_path / "unsdg.jsonl"
    tool = ROOT / "tools" / "make_unsdg_cases.py"
    subprocess.run([sys.executable, tool, "--data", DATA, "--out", made], check=True, capture_output=True)
    assert made.read_text(encoding="utf-8") == CASES.read_text(encoding="utf-8")
