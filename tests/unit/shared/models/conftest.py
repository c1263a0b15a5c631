"""A small task, a run's context, and judges over the stand-in server in every provider's format."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any, Literal, cast

import pytest
from pydantic import BaseModel

from shared.models import model_judge
from shared.models.model_judge import ModelJudge
from shared.models.opening import open_models
from shared.models.settings import ModelSettings
from shared.models.tasks import Task
from shared.query.annotated import AskOptions
from shared.runtime.budget import Budget
from shared.runtime.context import RunContext
from shared.runtime.deadline import Deadline
from shared.runtime.ports import Embedder, Finder, Transport
from tests.support.model_server import ModelServer, Script, model_server

PROVIDERS = ("openai", "openrouter", "anthropic", "ollama")
KEY = "sk-canary-7Qz"


class Pick(BaseModel):
    words: str
    ids: tuple[str, ...]


class Picked(BaseModel):
    chosen: str
    sure: Literal["yes", "no"] = "yes"
    why: str = ""


def _offered_only(request: Pick, reply: Picked) -> str | None:
    return None if reply.chosen in request.ids else f"{reply.chosen} was not offered"


PICK: Task[Pick, Picked] = Task(
    name="pick_one",
    version=3,
    request=Pick,
    reply=Picked,
    validate=_offered_only,
    effort="low",
    instructions="Pick the id that fits the words best.",
    offered=lambda request: {"chosen": request.ids},
    fallback=True,
    max_tokens=64,
)
REQUEST = Pick(words="the first of them", ids=("a", "b"))


@pytest.fixture
def context() -> Callable[..., RunContext]:
    """A stage's context; what it says is kept in ``context.said``."""

    def make(*, judges: Any = (), seconds: float = 20.0, budget: Budget | None = None, **more: Any) -> RunContext:
        said: list[str] = more.pop("said", [])
        return RunContext(
            options=AskOptions(),
            deadline=Deadline.after(seconds),
            transport=cast("Transport", None),
            finder=cast("Finder", None),
            embedder=cast("Embedder", None),
            judges=judges,
            panel=more.pop("panel", ()),
            say=said.append,
            budget=budget or Budget(),
            **more,
        )

    return make


@pytest.fixture(autouse=True)
def _no_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    """Repetitions come at once: how long they wait is tested where it matters."""
    monkeypatch.setattr(model_judge, "FIRST_WAIT", 0.0)
    monkeypatch.setitem(ModelJudge.__init__.__kwdefaults__, "first_wait", 0.0)  # type: ignore[arg-type]


@asynccontextmanager
async def standing(
    provider: str, script: Script, *, key: str = KEY, models: str = "stand-in", **variables: str
) -> AsyncIterator[tuple[ModelServer, ModelJudge]]:
    """The stand-in and a judge that asks it as ``provider`` is asked, made from the environment as any other."""
    async with model_server(script) as server, AsyncExitStack() as stack:
        environment = {
            "NEURALKG_PROVIDER": provider,
            "NEURALKG_MODEL_URL": server.url,
            "NEURALKG_MODELS": models,
            "NEURALKG_MODEL_KEY": key,
            **variables,
        }
        opened = await open_models(ModelSettings.from_environment(environment), stack)
        yield server, cast("ModelJudge", opened.judges[0])
