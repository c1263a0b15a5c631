"""A cloud function asks the language models that its environment names, and loads nothing of them otherwise."""

from __future__ import annotations

import subprocess
import sys
from contextlib import AsyncExitStack

import pytest

from functions.hosting.settings import CloudSettings
from functions.hosting.wiring import open_models
from shared.runtime.errors import UsageError


async def test_no_model_is_opened_by_default():
    async with AsyncExitStack() as stack:
        models = await open_models(CloudSettings.from_environment({}), stack)
    assert models.panel == models.judges == ()


async def test_the_panel_and_the_judge_are_those_of_the_environment():
    settings = CloudSettings.from_environment({"NEURALKG_PROVIDER": "openrouter", "OPENROUTER_API_KEY": "sk-x"})
    async with AsyncExitStack() as stack:
        models = await open_models(settings, stack)
        assert [member.name for member in models.panel] == list(settings.models.models)
        assert [judge.name for judge in models.judges] == ["openai/gpt-oss-120b"]


def test_a_setting_that_cannot_be_used_is_told_when_the_function_opens():
    with pytest.raises(UsageError, match="NEURALKG_PROVIDER"):
        CloudSettings.from_environment({"NEURALKG_PROVIDER": "nobody"})


def test_a_function_without_models_loads_no_provider():
    script = (
        "import sys, functions.hosting.running\n"
        "print([m for m in sys.modules if m.startswith('shared.models.providers.') and not m.endswith('.chat')"
        " or m == 'shared.models.model_judge'])"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
