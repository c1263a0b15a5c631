"""The wire protocol against a real language model: SmolLM2-135M, served by llama.cpp on this machine.

So small a model judges no better than chance. What is proved is that requests, schemas and replies are understood
by a real server, and that whatever such a model says, no figure appears that no publisher gave.

The server runs in an environment of its own, which ``make`` keeps in ``.venv/local-model``;
``NEURALKG_LOCAL_MODEL_PYTHON`` names the interpreter of another.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import cast

import pytest

from functions.combine.tasks import QUANTITY_ADDS_UP, AddsUpRequest
from shared.models.opening import open_models
from shared.models.settings import ModelSettings
from shared.models.tasks import Task
from shared.query.annotated import AskOptions
from shared.runtime.context import RunContext
from shared.runtime.deadline import Deadline
from shared.runtime.ports import Embedder, Finder, Transport
from tests.unit.shared.models.conftest import PICK, Pick

ROOT = Path(__file__).parents[2]
VARIABLE = "NEURALKG_LOCAL_MODEL_PYTHON"
PATIENCE = 240.0
"""Seconds for a judgment: a busy machine writes a token a second."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    python = Path(os.environ.get(VARIABLE) or ROOT / ".venv" / "local-model" / "bin" / "python")
    if VARIABLE not in os.environ and not python.exists():
        pytest.skip(f"there is no server of a local model: make local-model, or set {VARIABLE}")
    server = subprocess.Popen(
        [python, ROOT / "tests" / "support" / "local_model_server.py"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    assert server.stdin is not None
    assert server.stdout is not None
    try:
        first = server.stdout.readline().strip()
        assert first.startswith("http://127.0.0.1:"), f"the local model's server did not start: {first!r}"
        yield first
    finally:
        server.stdin.close()
        server.kill()  # it would first end the reply that it may be writing
        server.wait()
        server.stdout.close()


def settings(address: str) -> ModelSettings:
    return ModelSettings.from_environment(
        {
            "NEURALKG_PROVIDER": "openai",
            "NEURALKG_MODEL_URL": address,
            "NEURALKG_MODEL_SECONDS": str(PATIENCE),
        }
    )


async def judged(address: str, task: Task, request):
    """A real model's judgment and what it used."""
    async with AsyncExitStack() as stack:
        models = await open_models(settings(address), stack)
        run = RunContext(
            options=AskOptions(),
            deadline=Deadline.after(PATIENCE),
            transport=cast("Transport", None),
            finder=cast("Finder", None),
            embedder=cast("Embedder", None),
            judges=models.judges,
            panel=models.panel,
            say=lambda _: None,
        )
        return await run.judge(task, request), run


async def test_a_real_server_is_held_to_the_ids_that_are_offered(address):
    request = Pick(words="the second one", ids=("zeta-41", "kappa-17"))
    reply, run = await judged(address, PICK, request)
    assert reply.chosen in request.ids
    assert {use.model for use in run.meter.models} == {"smollm2-135m"}
    assert run.budget.used.tokens > 100
    assert run.budget.used.usd == 0


async def test_a_real_server_judges_one_of_the_products_tasks(address):
    request = AddsUpRequest(
        measure="population", definition="", unit="people", unit_kind="count", per=None, members=("France", "Spain")
    )
    reply, run = await judged(address, QUANTITY_ADDS_UP, request)
    assert reply.adds_up in {"yes", "no", "unknown"}
    assert run.budget.used.model_calls >= 1


def test_a_question_is_asked_with_a_real_model_and_every_figure_has_its_receipt(address, tmp_path):
    asked = subprocess.run(
        [
            sys.executable, "-m", "functions.local.cli", "ask", "--provider", "openai", "--base-url", address,
            "--json", "--deadline", "45", "What is India's GDP?",
        ],
        env={**os.environ, "NEURALKG_HOME": str(tmp_path), "NEURALKG_MODEL_SECONDS": "8"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )  # fmt: skip
    assert asked.returncode in {0, 3, 4}, asked.stderr
    answer = json.loads(asked.stdout)
    assert answer["usage"]["model_calls"] >= 1
    assert any("smollm2" in use["model"] for use in answer["usage"]["models"])
    evidence = {one["id"] for one in (*answer["receipts"], *answer["computations"])}
    for claim in answer["claims"]:
        assert claim["evidence"]
        assert set(claim["evidence"]) <= evidence
