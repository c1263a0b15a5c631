"""The same questions embedded and through ``neuralkg up``: ``python -m tests.e2e.same_answers``.

The answers must be the same bytes but for what tells one run from another: ids, times, usage, the trace's place.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from functions.ask.intake import checked_question, checked_sources
from functions.local.evaluate import load_questions
from functions.local.question_cases import QuestionCase
from functions.local.settings import Settings
from functions.local.up import Plan, running
from functions.local.wiring import open_application
from shared.query.answer import Answer

CASES = Path(__file__).parents[1] / "cases" / "questions.jsonl"
OF_A_RUN = ("run_id", "asked_at", "usage", "trace")
AT_ONCE = 3
SECONDS = 120.0
AGAIN_SECONDS = 0.2


@dataclass
class Compared:
    """What came of it; ``seconds`` are those of each question through ``neuralkg up``."""

    asked: int = 0
    embedded_seconds: float = 0.0
    cloud_seconds: float = 0.0
    seconds: list[float] = field(default_factory=list)
    differing: dict[str, list[str]] = field(default_factory=dict)

    def text(self) -> str:
        """The figures, and each difference."""
        lines = [
            f"{self.asked - len(self.differing)} of {self.asked} answers are the same",
            f"embedded {self.embedded_seconds:.1f} s, through neuralkg up {self.cloud_seconds:.1f} s "
            f"({self.asked / (self.cloud_seconds or 1):.1f} a second, {AT_ONCE} at a time, "
            f"median {statistics.median(self.seconds):.2f} s)",
        ]
        return "\n".join(lines + [f"  {case}: {'; '.join(found)}" for case, found in self.differing.items()])


def lasting(answer: Answer) -> str:
    """The answer without what tells one run from another, as text."""
    made: dict[str, Any] = json.loads(answer.to_json())
    for key in OF_A_RUN:
        del made[key]
    for receipt in (*made["receipts"], *made["shared_receipts"]):
        del receipt["retrieved_at"]
    return json.dumps(made, indent=1, ensure_ascii=False)


def differences(one: str, other: str) -> list[str]:
    """The first lines in which two texts differ."""
    pairs = zip(one.splitlines(), other.splitlines(), strict=False)
    found = [f"{a.strip()} | {b.strip()}" for a, b in pairs if a != b]
    return [] if one == other else (found[:3] or ["one is longer than the other"])


def chosen(every: int) -> list[QuestionCase]:
    """Every so many'th case."""
    return load_questions(CASES)[::every]


async def embedded(cases: Iterable[QuestionCase], home: Path) -> list[Answer]:
    """Ask in this process."""
    async with open_application(Settings.from_environment({"NEURALKG_HOME": str(home)})) as app:
        return [
            await app.ask(
                checked_question(case.question),
                case.options.model_copy(update={"sources": checked_sources(case.options.sources, app.registry)}),
            )
            for case in cases
        ]


async def through(address: str, cases: Sequence[QuestionCase], seconds: list[float]) -> list[Answer]:
    """Ask the ask function at ``address``, a few at a time, as many as it takes at once."""
    turn = asyncio.Semaphore(AT_ONCE)
    async with httpx.AsyncClient(base_url=address, timeout=SECONDS, trust_env=False) as client:

        async def ask(case: QuestionCase) -> Answer:
            options = case.options.model_dump(mode="json", exclude_unset=True)
            body = {"question": case.question, "deadline_seconds": SECONDS} | options
            async with turn:
                began = time.monotonic()
                # A slot is free a moment after its answer has gone out.
                while (reply := await client.post("/ask", json=body)).status_code == 429:  # noqa: ASYNC110
                    await asyncio.sleep(AGAIN_SECONDS)
                seconds.append(time.monotonic() - began)
            reply.raise_for_status()
            return Answer.model_validate_json(reply.content)

        return list(await asyncio.gather(*(ask(case) for case in cases)))


async def compare(address: str, cases: Sequence[QuestionCase], home: Path) -> Compared:
    """Ask the cases both ways and hold the answers against each other."""
    made = Compared(asked=len(cases))
    began = time.monotonic()
    ones = await embedded(cases, home)
    made.embedded_seconds = time.monotonic() - began
    began = time.monotonic()
    others = await through(address, cases, made.seconds)
    made.cloud_seconds = time.monotonic() - began
    for case, one, other in zip(cases, ones, others, strict=True):
        if found := differences(lasting(one), lasting(other)):
            made.differing[case.id] = found
    return made


async def _main(every: int) -> int:
    def tell(text: str) -> None:
        print(text, file=sys.stderr, flush=True)  # noqa: T201 - progress

    with tempfile.TemporaryDirectory() as home:
        async with running(Plan(), tell=tell) as cloud:
            tell(f"everything answers after {cloud.seconds:.1f} s")
            made = await compare(cloud.front, chosen(every), Path(home))
    print(made.text())  # noqa: T201 - its result
    return 1 if made.differing else 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m tests.e2e.same_answers", description=__doc__)
    which = parser.add_mutually_exclusive_group()
    which.add_argument("--all", action="store_const", const=1, dest="every", help="every case")
    which.add_argument("--every", type=int, default=4, help="every so many'th case; 4 by default")
    os.environ.setdefault("NEURALKG_LOG", "warning")
    sys.exit(asyncio.run(_main(parser.parse_args().every)))
