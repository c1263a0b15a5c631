"""Stages that each run in a process of their own see what stages in one process see."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from functions.local.settings import Settings
from functions.local.wiring import open_application
from shared.runtime import loading

QUESTIONS = (
    "What is India's GDP?",
    "Which countries border India?",
    "Is Japan's population larger than Mexico's?",
    "What is the correlation between GDP per capita and life expectancy across countries?",
    "What is the airspeed of an unladen swallow?",
)


def lasting(answer: Any) -> dict[str, Any]:
    """The answer without ids, times and usage."""
    data = json.loads(re.sub(r'"retrieved_at": "[^"]*"', '"retrieved_at": null', answer.to_json()))
    return {key: value for key, value in data.items() if key not in {"run_id", "asked_at", "usage", "trace"}}


@pytest.mark.slow
async def test_reading_everything_back_before_each_stage_changes_no_answer(tmp_path, monkeypatch):
    settings = Settings.from_environment({"NEURALKG_HOME": str(tmp_path), "HOME": str(tmp_path)})
    async with open_application(settings) as application:
        at_hand = [await application.ask(question) for question in QUESTIONS]
        monkeypatch.setattr(loading, "REMEMBERED", 0)
        read_back = [await application.ask(question) for question in QUESTIONS]
    assert [lasting(answer) for answer in read_back] == [lasting(answer) for answer in at_hand]
