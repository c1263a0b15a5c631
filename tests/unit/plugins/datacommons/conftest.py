"""A stage's context whose judgments are the built-in rules', or a model's behind the stand-in server."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from typing import Any, cast

import pytest

from plugins.choice.builtin_rules import BUILTIN_RULES
from plugins.datacommons.split_tasks import SPLIT_RULES
from shared.models.builtin import BuiltinJudge
from shared.query.annotated import AskOptions
from shared.runtime.context import RunContext
from shared.runtime.deadline import Deadline
from shared.runtime.ports import Embedder, Finder, Transport
from tests.support.model_server import Asked, ModelServer, Reply, right
from tests.unit.shared.models.conftest import standing

Answering = Callable[[Asked], Any]
Judged = Callable[[Answering], AbstractAsyncContextManager[tuple[RunContext, ModelServer]]]


def context_of(*judges: Any, finder: Finder | None = None) -> RunContext:
    """A context with these judges and the built-in one after them."""
    return RunContext(
        options=AskOptions(),
        deadline=Deadline.after(60),
        transport=cast("Transport", None),
        finder=cast("Finder", finder),
        embedder=cast("Embedder", None),
        judges=(*judges, BuiltinJudge({**BUILTIN_RULES, **SPLIT_RULES})),
        panel=(),
        say=lambda _: None,
    )


@pytest.fixture
def context() -> RunContext:
    """Judgments by the built-in rules alone."""
    return context_of()


@pytest.fixture
def judged() -> Judged:
    """A context whose judge is a model that answers each request with what a function gives for it."""

    @asynccontextmanager
    async def make(answering: Answering) -> AsyncIterator[tuple[RunContext, ModelServer]]:
        async def script(asked: Asked) -> Reply:
            return right(answering(asked))

        async with standing("openai", script) as (server, judge):
            yield context_of(judge), server

    return make
