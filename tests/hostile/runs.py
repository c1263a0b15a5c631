"""Questions asked of hostile models: what must hold of every answer, and the runs of which it did not."""

from __future__ import annotations

import os
import re
import time
import unicodedata
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from decimal import Decimal
from html import unescape
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING

from functions.ask.incoming import Incoming
from functions.ask.intake import checked_question, checked_sources
from functions.ask.pages import answered
from functions.local.render import render
from functions.local.settings import Settings
from functions.local.wiring import Application, open_application
from plugins.mounted import recorded_figures
from shared.adapters.snapshot_transport import SnapshotTransport
from shared.models.settings import ModelSettings
from shared.query.answer import AnswerStatus
from shared.runtime.budget import Limits
from shared.runtime.spill import unspill
from shared.text.figures import find_figures
from tests.hostile.evidence import Witness, violations
from tests.hostile.model import MARK, Hostile
from tests.support.handwritten import case_of, well_read, wordings
from tests.support.model_server import Asked, Reply, model_server

if TYPE_CHECKING:
    from shared.query.answer import Answer

PROVIDERS = ("openai", "openrouter", "anthropic", "ollama")
PANEL = ("m1", "m2", "m3")
PANEL_VARIABLE = "NEURALKG_PANEL_DEADLINE_SECONDS"
MALICE = (0.25, 0.6, 1.0)
DEADLINE_SECONDS = 12.0
GRACE_SECONDS = 2.0
"""What a run may take beyond its deadline on a machine with other work."""
_LIMITS = Limits()


@dataclass
class Report:
    """What came of the runs: how they ended, what was done to them, and what did not hold, by seed."""

    endings: Counter[str] = field(default_factory=Counter)
    did: Counter[str] = field(default_factory=Counter)
    faults: dict[int, list[str]] = field(default_factory=dict)
    slowest: float = 0.0
    calls: int = 0

    @property
    def runs(self) -> int:
        """How many there were."""
        return self.endings.total()

    def text(self) -> str:
        """The same for people."""
        ended = ", ".join(f"{count} {status}" for status, count in self.endings.most_common())
        lines = [
            f"{self.runs} runs against hostile models, {self.calls} calls: {ended}; the slowest took "
            f"{self.slowest:.1f} s",
            "what was done: " + ", ".join(f"{kind} {count}" for kind, count in sorted(self.did.items())),
        ]
        lines += [f"seed {seed}: {fault}" for seed, faults in self.faults.items() for fault in faults]
        lines.append(
            "no number appeared that no publisher returned" if not self.faults else f"{len(self.faults)} BAD"
        )
        return "\n".join(lines)


@dataclass
class _Stage:
    """A program of one provider, and the model that its server plays just now."""

    app: Application
    witness: Witness
    playing: Callable[[Hostile | None], None]
    others: list[Hostile] = field(default_factory=list)


async def run(seeds: Iterable[int], home: Path, *, tell: Callable[[str], None] = lambda _: None) -> Report:
    """Ask one question for each seed, whose draw settles the provider, the question and what the model does."""
    report, known, stages = Report(), wordings(), dict[str, _Stage]()
    honest = well_read(PANEL)
    os.environ[PANEL_VARIABLE] = "1"
    try:
        async with AsyncExitStack() as stack:
            for seed in seeds:
                draw = Random(seed)
                provider, wording = draw.choice(PROVIDERS), draw.choice(known)
                if provider not in stages:
                    stages[provider] = await _opened(provider, home / provider, stack)
                stage = stages[provider]
                model = Hostile(seed, honest, known, malice=draw.choice(MALICE))
                stage.playing(model)
                stage.witness.forget()
                options = case_of(wording).options
                sources = checked_sources(options.sources, stage.app.registry)
                began = time.perf_counter()
                answer = await stage.app.ask(
                    checked_question(wording.question),
                    options.model_copy(
                        update={
                            "sources": sources,
                            "deadline_seconds": DEADLINE_SECONDS,
                            "on_ambiguity": draw.choice(["answer", "all", "ask"]),
                        }
                    ),
                )
                took = time.perf_counter() - began
                stage.playing(None)
                faults = await _faults(stage, answer, model, took)
                report.endings[answer.status.value] += 1
                report.did.update(kind.rpartition(": ")[2] for kind in model.did)
                report.slowest, report.calls = max(report.slowest, took), report.calls + len(model.did)
                if faults:
                    done = "; ".join(model.did)
                    report.faults[seed] = [f"{wording.question!r} by {provider} ({done}): {one}" for one in faults]
                    tell(f"seed {seed}: {faults[0]}")
    finally:
        os.environ.pop(PANEL_VARIABLE, None)
    return report


async def _opened(provider: str, home: Path, stack: AsyncExitStack) -> _Stage:
    now: list[Hostile | None] = [None]

    async def script(asked: Asked) -> Reply:
        # A call of a run that has ended is answered by nobody.
        return await now[0](asked) if now[0] is not None else Reply("")

    server = await stack.enter_async_context(model_server(script))
    environment = {
        "NEURALKG_PROVIDER": provider,
        "NEURALKG_MODEL_URL": server.url,
        "NEURALKG_MODELS": ",".join(PANEL),
        "NEURALKG_MODEL_SECONDS": "1.5",
    }
    models = ModelSettings.from_environment(environment)
    settings = Settings(home=home, store=home / "runs.sqlite3", archive=home / "archive", models=models)
    witness = Witness(SnapshotTransport(recorded_figures()))
    app = await stack.enter_async_context(open_application(settings, transport=witness))

    def playing(model: Hostile | None) -> None:
        now[0] = model
        server.asked.clear()

    return _Stage(app, witness, playing)


async def _faults(stage: _Stage, answer: Answer, model: Hostile, took: float) -> list[str]:
    annotations = await unspill(stage.app.archive, await stage.app.store.annotations(answer.run_id))
    found = violations(answer, annotations, stage.witness.returned())
    found += [f"the answer shows its number {number}" for number in _shown(answer, model)]
    found += list(_on_the_page(answer, stage))
    if answer.status in {AnswerStatus.FAILED, AnswerStatus.CANCELLED}:
        found.append(f"the run is {answer.status.value}: {answer.text}")
    if took > DEADLINE_SECONDS + GRACE_SECONDS:
        found.append(f"it took {took:.1f} s of {DEADLINE_SECONDS:g} s")
    if answer.usage.model_calls > _LIMITS.model_calls:
        found.append(f"it made {answer.usage.model_calls} calls of {_LIMITS.model_calls}")
    return found


def _shown(answer: Answer, model: Hostile) -> Iterator[str]:
    """Its numbers that stand anywhere in the answer, in whatever digits, or as a rounding in one of its texts."""
    written = "".join(_plain(letter) for letter in unescape(answer.model_dump_json()) if letter not in ",_ ")
    yield from (number for number in sorted(model.numbers) if number in written)
    own = [Decimal(number) for number in model.numbers]
    texts = [answer.text, *(claim.text for claim in answer.claims), *(one.text for one in answer.disclosures)]
    for figure in (figure for text in texts for figure in find_figures(text)):
        if len((figure.value / figure.step).normalize().as_tuple().digits) >= _TELLING:
            yield from (f"{number} as {figure.text}" for number in own if figure.shows(number))


_TELLING = 5
"""Digits from which a rounding shows one of its numbers and not, by chance, a publisher's."""


def _plain(letter: str) -> str:
    return str(unicodedata.digit(letter)) if letter.isdigit() and not letter.isascii() else letter


_MARKUP = re.compile(rf"<[^>]*{MARK}|<(?:script|b)>\s*{MARK}", re.IGNORECASE)


def _on_the_page(answer: Answer, stage: _Stage) -> Iterator[str]:
    """Its markup as markup, its addresses as links, its control characters on a terminal."""
    given = Incoming(answer.question)
    page = bytes(answered(answer, given, [plugin.name for plugin in stage.app.registry], drawn=True).body).decode()
    if found := _MARKUP.search(page):
        yield f"the page has its markup: {page[max(0, found.start() - 60) : found.end() + 60]!r}"
    for line in render(answer):
        if steering := [letter for letter in line.text if unicodedata.category(letter) in {"Cc", "Cf"}]:
            yield f"the terminal gets {steering!r} in {line.text!r}"
