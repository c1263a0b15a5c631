"""Measure whole questions on the embedded default: ``make bench`` prints medians, never a verdict.

Warm questions in one process, one question from the shell, the overhead of store and archive, and memory.
"""

from __future__ import annotations

import asyncio
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

QUESTIONS = (
    "What is India's GDP?",
    "population of Nigeria in 1990",
    "Compare life expectancy in Japan and Italy",
    "Which countries have the highest population?",
    "How did inflation in Turkey change since 2000?",
    "Which countries border India?",
    "Is the population of France larger than that of the UK?",
    "countries with population over 100 million in 2020",
    "correlation between gdp per capita and life expectancy across countries in 2019",
    "How many countries had more than 100 million people in 2020?",
)
ROUNDS = 5


def environment(home: Path) -> dict[str, str]:
    return {**os.environ, "NEURALKG_HOME": str(home)}


async def warm(home: Path) -> dict[str, float]:
    """Seconds of each question asked again and again in one process."""
    from functions.local.settings import Settings
    from functions.local.wiring import open_application
    from shared.query.annotated import AskOptions

    times: dict[str, list[float]] = {question: [] for question in QUESTIONS}
    async with open_application(Settings.from_environment(environment(home))) as app:
        for turn in range(ROUNDS + 1):
            for question in QUESTIONS:
                began = time.perf_counter()
                await app.ask(question, AskOptions())
                if turn:
                    times[question].append(time.perf_counter() - began)
    return {question: statistics.median(seconds) for question, seconds in times.items()}


def shell(home: Path) -> list[float]:
    """Seconds of ``neuralkg ask`` from the shell, everything built."""
    command = [str(Path(sys.executable).with_name("neuralkg")), "ask", QUESTIONS[0], "--json", "--quiet"]
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True, env=environment(home))
        times.append(time.perf_counter() - began)
    return times


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        by_question = asyncio.run(warm(home))
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        cold = shell(home)
    figures = {
        "warm question, median (ms)": round(statistics.median(by_question.values()) * 1000, 1),
        "warm question, slowest median (ms)": round(max(by_question.values()) * 1000, 1),
        "neuralkg ask from the shell, median (s)": round(statistics.median(cold), 2),
        "peak resident memory of the warm process (MB)": round(peak),
    }
    for question, seconds in by_question.items():
        print(f"{seconds * 1000:8.1f} ms  {question}")
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
