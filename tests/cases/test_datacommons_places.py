"""Places of one name, places that were renamed or split, containers that are none, years that only some have."""

from __future__ import annotations

from pathlib import Path

from functions.ask.intake import checked_question, checked_sources
from functions.local.evaluate import evaluate, load_questions
from functions.local.settings import Settings
from functions.local.wiring import open_application
from shared.query.annotated import AskOptions
from shared.query.answer import Answer

CASES = Path(__file__).with_name("datacommons_places.jsonl")


async def test_each_is_told_apart_or_left_open_and_no_number_is_wrong(tmp_path: Path) -> None:
    async with open_application(Settings.from_environment({"NEURALKG_HOME": str(tmp_path)})) as app:

        async def ask(question: str, options: AskOptions) -> Answer:
            sources = checked_sources(options.sources, app.registry)
            return await app.ask(checked_question(question), options.model_copy(update={"sources": sources}))

        report = await evaluate(load_questions(CASES), ask)
    figures = report.figures()
    assert figures["failed"] == []
    assert figures["wrong_numbers"] == 0
    assert figures["cases"] > 20
