"""The three worked examples of the design's measured table, by stage: ``python -m tests.bench.worked_examples``.

Each is asked of every source and of Data Commons alone, warm, on the embedded default. The last lines rank and
correlate all counties, in seconds by the clock and of the processor.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from functions.local.settings import Settings
from functions.local.wiring import Application, open_application
from shared.query.annotated import AskOptions
from shared.query.answer import Answer

EXAMPLES = (
    "What is India's GDP?",
    "What are the 10 most populous counties in the US?",
    "What is the age distribution in the USA?",
)
COUNTIES = (
    "What are the 10 most populous counties in the US?",
    "correlation between poverty rate and median household income across US counties",
)
RESTRICTIONS: tuple[tuple[str, ...], ...] = ((), ("datacommons",))
TOGETHER = {"combine": "combine, present", "present": "combine, present"}


@dataclass(frozen=True, slots=True)
class Measured:
    """One question asked several times: the last answer and the seconds of each round."""

    answer: Answer
    stages: dict[str, float]
    wall: float
    cpu: float

    @property
    def usd(self) -> Decimal:
        return self.answer.usage.usd


def figures(answer: Answer) -> int:
    """How many published figures the answer has a receipt of, by itself or in a row."""
    return sum(1 for _ in answer.figures())


async def measured(app: Application, question: str, sources: tuple[str, ...], rounds: int) -> Measured:
    """Medians over ``rounds`` after one that warms up."""
    walls, processors, stages = [], [], defaultdict[str, list[float]](list)
    answer = await app.ask(question, AskOptions(sources=sources))
    for _ in range(rounds):
        began, spent = time.perf_counter(), time.process_time()
        answer = await app.ask(question, AskOptions(sources=sources))
        walls.append(time.perf_counter() - began)
        processors.append(time.process_time() - spent)
        sums: dict[str, float] = defaultdict(float)
        for used in answer.usage.stages:
            sums[TOGETHER.get(used.stage, used.stage).replace("_", " ")] += used.seconds
        for stage, seconds in sums.items():
            stages[stage].append(seconds)
    medians = {stage: statistics.median(seconds) for stage, seconds in stages.items()}
    return Measured(answer, medians, statistics.median(walls), statistics.median(processors))


def table(questions: Sequence[str], found: Sequence[Measured]) -> str:
    """A Markdown table: one column a question, one row a stage, in milliseconds."""
    lines = [f"| stage | {' | '.join(questions)} |", f"|---|{'---:|' * len(questions)}"]
    for stage in found[0].stages:
        cells = [f"{one.stages.get(stage, 0.0) * 1000:.1f} ms" for one in found]
        lines.append(f"| {stage} | {' | '.join(cells)} |")
    totals = [
        f"{one.wall * 1000:.0f} ms, {one.cpu * 1000:.0f} ms CPU, ${one.usd.normalize():f}, "
        f"{one.answer.usage.model_calls} calls"
        for one in found
    ]
    kinds = [f"{one.answer.status.value}, {figures(one.answer)} figures receipted" for one in found]
    return "\n".join([*lines, f"| total | {' | '.join(totals)} |", f"| answer | {' | '.join(kinds)} |"])


async def report(rounds: int) -> None:
    with tempfile.TemporaryDirectory() as home:
        async with open_application(Settings.from_environment({"NEURALKG_HOME": home})) as app:
            for sources in RESTRICTIONS:
                print(f"\n{', '.join(sources) or 'all sources'}, medians of {rounds}\n")
                found = [await measured(app, question, sources, rounds) for question in EXAMPLES]
                print(table(EXAMPLES, found))
            print("\nall counties\n")
            for question in COUNTIES:
                one = await measured(app, question, (), rounds)
                requests = sum(stage.requests for stage in one.answer.usage.stages)
                print(
                    f"{one.wall * 1000:7.0f} ms  {one.cpu * 1000:7.0f} ms CPU  {requests:3} requests  "
                    f"{figures(one.answer):5} figures receipted  {len(one.answer.to_json(indent=None)):9,} bytes  "
                    f"{question}"
                )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    asyncio.run(report(parser.parse_args().rounds))


if __name__ == "__main__":
    main()
