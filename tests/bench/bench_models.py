"""Measure what the product adds to its language models: ``make bench-models`` prints figures, never a verdict.

The stand-in server plays a competent model with fixed delays, as a real one would take: what a question takes
beyond the time in which at least one call was under way is the product's own. On a machine with other work to do,
most of that is waiting for a processor; the processor time is what it comes to on an idle one, and more, for it
counts the stand-in's work too. Dollars are of the configured prices.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from functions.local.settings import Settings
from functions.local.wiring import open_application
from shared.models.settings import PROVIDERS, ModelSettings
from shared.query.annotated import AskOptions
from tests.support.competent import competent
from tests.support.model_server import Asked, Reply, model_server

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

    from functions.local.wiring import Application
    from shared.query.answer import Answer

READING_SECONDS, JUDGING_SECONDS = 2.0, 1.5
"""What a call takes: those of the documented runs took 1.6 to 2.4 s and 2.8 to 3.7 s."""

QUESTIONS = {
    "value": "What is India's GDP?",
    "comparison": "Compare life expectancy in Japan and Italy",
    "ranking": "Which countries have the highest population?",
    "population value": "population of the countries in South America",
    "trend": "How did inflation in Turkey change since 2000?",
    "difference": "How much bigger is the population of Nigeria than that of Kenya?",
    "ratio": "ratio of exports to imports in Germany",
    "yes or no": "Is the population of France larger than that of the UK?",
    "filtered list": "countries with population over 100 million in 2020",
    "correlation": "correlation between gdp per capita and life expectancy across countries in 2019",
    "item list": "Which countries border India?",
    "aggregate": "How many countries had more than 100 million people in 2020?",
    "split": "What is the population of the United States by age?",
    "five meanings": "How much bigger is the GDP of France than that of Germany?",
    "open name": "What is the population of Georgia?",
    "unlisted group": "What is the population of New England?",
    "five aspects": "Tell me about the economy of France",
}
SEVERAL_SOURCES = "What is the population of Kenya?"


@dataclass
class Watched:
    """A competent model whose calls are timed: ``spans`` are their begins and ends, by task."""

    delays: dict[str, float] = field(default_factory=dict)
    spans: list[tuple[str, float, float]] = field(default_factory=list)

    async def __call__(self, asked: Asked) -> Reply:
        began = time.perf_counter()
        usual = READING_SECONDS if asked.task == "understand" else JUDGING_SECONDS
        delay = self.delays.get(asked.model, usual)
        self.spans.append((asked.task, began, began + delay))
        made = await competent()(asked)  # type: ignore[misc]
        return replace(made, after=max(0.0, delay - (time.perf_counter() - began)))

    def busy(self) -> float:
        """Seconds in which at least one call was under way."""
        total, until = 0.0, 0.0
        for _, began, ended in sorted(self.spans, key=lambda span: span[1]):
            total += max(0.0, ended - max(began, until))
            until = max(until, ended)
        return total

    def side_by_side(self, task: str) -> int:
        """The most calls of a task that were under way at one time."""
        spans = [(began, ended) for name, began, ended in self.spans if name == task]
        return max((sum(a <= began < b for a, b in spans) for began, _ in spans), default=0)


@asynccontextmanager
async def asking(home: Path, watched: Watched) -> AsyncIterator[Application]:
    """The program, with the models of OpenRouter's row at the stand-in."""
    async with model_server(watched) as server:
        environment = {"NEURALKG_PROVIDER": "openrouter", "NEURALKG_MODEL_URL": server.url}
        models = ModelSettings.from_environment(environment)
        settings = Settings(home=home, store=home / "runs.sqlite3", archive=home / "archive", models=models)
        async with open_application(settings) as app:
            yield app


async def by_type(home: Path) -> dict[str, dict[str, Any]]:
    """Each question's time, the product's share of it, and what it used."""
    watched, found = Watched(), {}
    async with asking(home, watched) as app:
        await app.ask(SEVERAL_SOURCES, AskOptions())
        for name, question in QUESTIONS.items():
            watched.spans.clear()
            began, worked = time.perf_counter(), time.process_time()
            answer = await app.ask(question, AskOptions())
            took, worked = time.perf_counter() - began, time.process_time() - worked
            own = took - watched.busy()
            found[name] = {
                "status": str(answer.status),
                "seconds": round(took, 2),
                "own_ms": round(own * 1000),
                "own_share": round(own / took, 4),
                "processor_ms": round(worked * 1000),
                "processor_share": round(worked / (watched.busy() + worked), 4),
                "calls": answer.usage.model_calls,
                "tokens": answer.usage.tokens,
                "usd": round(float(answer.usage.usd), 5),
                "finder_calls": answer.usage.finder["model_calls"],
                "finder_usd": answer.usage.finder["usd"],
                "choices_at_once": watched.side_by_side("select_source_documents"),
            }
    return found


async def with_a_member_that_never_answers(home: Path) -> float:
    """Seconds that understanding takes when the second member of the panel is silent."""
    silent = PROVIDERS["openrouter"].panel[1]
    async with asking(home, Watched(delays={silent: 600.0})) as app:
        answer: Answer = await app.ask(QUESTIONS["value"], AskOptions())
    return next(stage.seconds for stage in answer.usage.stages if stage.stage == "understand")


async def measured(home: Path) -> dict[str, Any]:
    types = await by_type(home)
    rows = list(types.values())
    return {
        "by question type": types,
        "seconds of a call (reading, judging)": [READING_SECONDS, JUDGING_SECONDS],
        "own share of a run, median": statistics.median(row["own_share"] for row in rows),
        "own share of a run, largest": max(row["own_share"] for row in rows),
        "processor time's share of a run, median and largest": [
            statistics.median(row["processor_share"] for row in rows),
            max(row["processor_share"] for row in rows),
        ],
        "calls of a question, fewest, median and most": [
            min(row["calls"] for row in rows),
            statistics.median(row["calls"] for row in rows),
            max(row["calls"] for row in rows),
        ],
        "dollars of a question, mean": round(statistics.mean(row["usd"] for row in rows), 5),
        "choices side by side, most": max(row["choices_at_once"] for row in rows),
        "understanding with a silent member (s)": round(await with_a_member_that_never_answers(home), 2),
    }


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        figures = asyncio.run(measured(Path(folder)))
    for name, row in figures.pop("by question type").items():
        print(f"{name:17} {json.dumps(row)}")
    print(json.dumps(figures, indent=2))


if __name__ == "__main__":
    main()
