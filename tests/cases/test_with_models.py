"""Labelled questions with language models that are competent: every answer right, and no number wrong.

The models are the stand-in server's, over HTTP and the real provider's code. What a question means was read by
hand (``readings.jsonl``), the figures that are right are those of the labelled cases; ``handwritten`` tells how.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

from functions.ask.intake import checked_question, checked_sources
from functions.hosting.task_table import TASKS
from functions.local.judging import judge, place_names
from functions.local.settings import Settings
from functions.local.wiring import open_application
from shared.models.settings import ModelSettings
from shared.query.readings import READING_TYPES
from tests.support.handwritten import JUDGED, READ, Wording, case_of, well_read, wordings
from tests.support.model_server import model_server

PANEL = ("m1", "m2", "m3")
SOURCES = {"worldbank", "countryfacts", "datacommons", "census", "unsdg"}
_OF_OTHERS = ("no language model could be", "gave no reading", "had not answered")


async def asked(
    home: Path, provider: str, chosen: Sequence[Wording]
) -> list[tuple[Wording, Mapping[str, Any], set[str]]]:
    """Each wording with its answer and the models that read the question, from one program and one server."""
    found: list[tuple[Wording, Mapping[str, Any], set[str]]] = []
    async with model_server(well_read(PANEL)) as server:
        environment = {
            "NEURALKG_PROVIDER": provider,
            "NEURALKG_MODEL_URL": server.url,
            "NEURALKG_MODELS": ",".join(PANEL),
        }
        models = ModelSettings.from_environment(environment)
        settings = Settings(home=home, store=home / "runs.sqlite3", archive=home / "archive", models=models)
        async with open_application(settings) as app:
            for wording in chosen:
                server.asked.clear()
                case = case_of(wording)
                sources = checked_sources(case.options.sources, app.registry)
                options = case.options.model_copy(update={"sources": sources})
                answer = await app.ask(checked_question(wording.question), options)
                readers = {one.model for one in server.asked if one.task == "understand"}
                found.append((wording, answer.model_dump(mode="json"), readers))
    return found


def faults(wording: Wording, answer: Mapping[str, Any]) -> list[str]:
    """What is amiss with an answer, the rules standing in for a model among it."""
    why = list(judge(answer, case_of(wording), place_names).why)
    return why + [one["text"] for one in answer["disclosures"] if any(part in one["text"] for part in _OF_OTHERS)]


async def test_with_a_competent_model_plain_and_harder_wordings_are_answered_right_and_no_number_is_wrong(
    tmp_path: Path,
) -> None:
    chosen = wordings()
    kinds = Counter(one.kind for one in chosen)
    assert kinds["plain"] >= 150
    assert kinds.total() - kinds["plain"] >= 60
    sources: set[str] = set()
    types: set[str] = set()
    for wording, answer, readers in await asked(tmp_path, "openai", chosen):
        assert not faults(wording, answer), wording.question
        sources |= {receipt["source"] for receipt in (*answer["receipts"], *answer["shared_receipts"])}
        types.add(answer["reading"]["type"])
        differ = len(wording.replies) > 1
        assert readers == (set(PANEL) if differ else set(PANEL[:2])), wording.question
    assert sources == SOURCES
    assert types >= set(READING_TYPES) - {"topical", "grant_graph"}


@pytest.mark.parametrize("provider", ["openrouter", "anthropic", "ollama"])
async def test_every_provider_carries_the_hard_wordings_of_a_panel_that_differs(
    tmp_path: Path, provider: str
) -> None:
    chosen = [one for one in wordings() if one.kind in {"panel", "several"}]
    assert len(chosen) >= 10
    for wording, answer, _ in await asked(tmp_path, provider, chosen):
        assert not faults(wording, answer), wording.question


def test_the_competent_model_has_learnt_every_judgment() -> None:
    """A new one belongs in ``tests/support/handwritten.py``: what a competent model would say to its request."""
    assert {row.task.name for row in TASKS} <= {*JUDGED, *READ}
