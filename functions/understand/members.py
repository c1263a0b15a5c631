"""The built-in members of the understanding panel.

``rules`` is the deterministic reader. ``examples`` takes the type from the nearest labelled examples by sentence
embedding, ``lexical`` from those with the most words in common; both then fill the type's fields with the
reader's own extractors, and abstain when the examples are not near, not of one mind, or the fields stay empty.
"""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

from pydantic import BaseModel

from functions.understand import reader
from functions.understand.examples import store
from functions.understand.scan import Scan
from functions.understand.task import UNDERSTAND, UnderstandReply, UnderstandRequest
from shared.models.tasks import Judge, Task
from shared.runtime.context import RunContext
from shared.runtime.errors import CannotRead, ModelUnavailable

NEIGHBOURS = 7
NEAR_BY_MEANING = 0.62
NEAR_BY_WORDS = 0.34
MAJORITY = 0.55


class _Member(ABC):
    """What the built-in members share: they answer one task, and give the same answer again."""

    name = ""

    def can(self, task: Task[Any, Any]) -> bool:
        """Only understanding is read here."""
        return task.name == UNDERSTAND.name

    async def ask(
        self, task: Task[Any, Any], request: BaseModel, context: RunContext, *, hint: str | None = None
    ) -> Any:
        """Read the question. Raises ``CannotRead`` to abstain."""
        del hint
        if not isinstance(request, UnderstandRequest):
            raise ModelUnavailable(f"{self.name} cannot judge {task.id}")
        return await self.reading(request, context)

    @abstractmethod
    async def reading(self, request: UnderstandRequest, context: RunContext) -> UnderstandReply:
        """The member's reading of the question."""


class Rules(_Member):
    """The deterministic reader as a member of the panel."""

    name = "rules"

    async def reading(self, request: UnderstandRequest, context: RunContext) -> UnderstandReply:
        """Read by rule."""
        del context
        found = reader.read(request.question, today=request.today)
        return UnderstandReply(readings=found.readings, notes=found.notes)


class Examples(_Member):
    """Reads by the nearest labelled examples in the space of the sentence-embedding model."""

    name = "examples"

    async def reading(self, request: UnderstandRequest, context: RunContext) -> UnderstandReply:
        """Vote among the nearest examples by meaning."""
        found, notes = reader.prepared(request.question, request.today)
        vector = (await context.embedder.embed([store.veiled(found)]))[0]
        scores = store.vectors(context.embedder.model) @ vector
        nearest = scores.argsort()[::-1][:NEIGHBOURS]
        kind = elected(
            ((store.examples()[index].kind, float(scores[index])) for index in nearest), near=NEAR_BY_MEANING
        )
        return _filled(kind, found, notes)


class Lexical(_Member):
    """Reads by the labelled examples that share most runs of one to three words, rare ones counting more."""

    name = "lexical"

    async def reading(self, request: UnderstandRequest, context: RunContext) -> UnderstandReply:
        """Vote among the nearest examples by words."""
        del context
        found, notes = reader.prepared(request.question, request.today)
        kind = elected(alike(store.veiled(found))[:NEIGHBOURS], near=NEAR_BY_WORDS)
        return _filled(kind, found, notes)


def builtin_panel() -> tuple[Judge, ...]:
    """The members of the embedded default, in the order in which they are asked."""
    return (Rules(), Examples(), Lexical())


def elected(nearest: Iterable[tuple[str, float]], *, near: float) -> str:
    """The type that the nearest examples agree on, each weighing by how near it is.

    Raises ``CannotRead`` when none is near enough or no type has a clear majority.
    """
    votes = list(nearest)
    if not votes or votes[0][1] < near:
        raise CannotRead("no labelled example is near this question", [])
    weights: defaultdict[str, float] = defaultdict(float)
    for kind, score in votes:
        if score > 0:
            weights[kind] += score**4
    kind, weight = max(weights.items(), key=lambda item: item[1])
    if weight < MAJORITY * sum(weights.values()):
        raise CannotRead("the labelled examples near this question are of several types", [])
    return kind


def _filled(kind: str, found: Scan, notes: tuple[str, ...]) -> UnderstandReply:
    reading = reader.read_as(kind, found)
    if reading is None:
        raise CannotRead(f"it looks like a {kind} and lacks what that needs", [])
    return UnderstandReply(readings=(reading,), notes=notes)


# Likeness by words ----------------------------------------------------------------------------------


def alike(text: str) -> list[tuple[str, float]]:
    """The types of the examples with their cosine likeness to ``text``, most alike first."""
    weigh, rows = _weighed()
    asked = _vector(text, weigh)
    scored = [
        (example.kind, sum(weight * asked[run] for run, weight in row.items() if run in asked))
        for example, row in zip(store.examples(), rows, strict=True)
    ]
    return sorted(scored, key=lambda item: -item[1])


def _runs(text: str) -> Counter[str]:
    words = text.lower().replace(",", " ,").replace("'s", " 's").split()
    return Counter(" ".join(words[at : at + size]) for size in (1, 2, 3) for at in range(len(words) - size + 1))


@lru_cache(maxsize=1)
def _weighed() -> tuple[dict[str, float], Sequence[dict[str, float]]]:
    """The weight of each run of words (rare ones weigh more) and each example's unit vector."""
    counted = [_runs(example.masked) for example in store.examples()]
    holders = Counter(run for runs in counted for run in runs)
    weigh = {run: math.log(1 + len(counted) / count) for run, count in holders.items()}
    return weigh, [_vector(example.masked, weigh) for example in store.examples()]


def _vector(text: str, weigh: dict[str, float]) -> dict[str, float]:
    unknown = max(weigh.values(), default=1.0)
    raw = {run: (1 + math.log(count)) * weigh.get(run, unknown) for run, count in _runs(text).items()}
    length = math.sqrt(sum(weight * weight for weight in raw.values())) or 1.0
    return {run: weight / length for run, weight in raw.items()}
