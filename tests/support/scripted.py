"""An application over the real runner, store and archive, whose stages only do what a test tells them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from plugins.base import Publisher, Registry
from shared.query.annotated import AnnotatedQuery, Annotation, Presented
from shared.query.answer import Answer
from shared.runtime.context import RunContext
from tests.support.machine import Machine, machine, trivial


class _Source:
    version = "1"
    slot_kinds: frozenset[Any] = frozenset()
    hosts: frozenset[str] = frozenset()

    def __init__(self, name: str, *aliases: str) -> None:
        self.name = name
        self.publisher = Publisher(
            name=name.title(), aliases=aliases, licence="CC BY 4.0", home="https://example.org"
        )


REGISTRY = Registry([_Source("worldbank", "WDI"), _Source("countryfacts")])  # type: ignore[list-item]


class ScriptedApplication:
    """What ``functions.ask.application.Application`` asks for."""

    def __init__(self, built: Machine) -> None:
        self._built = built
        self.store, self.archive, self.finder, self.registry = built.store, built.archive, None, REGISTRY

    def __getattr__(self, name: str) -> Any:
        return getattr(self._built.client, name)


def presenting(make: Callable[[AnnotatedQuery], Answer]) -> Callable[..., Awaitable[list[Annotation]]]:
    """A last stage that presents the answer that ``make`` returns."""

    async def present(query: AnnotatedQuery, context: RunContext) -> list[Annotation]:
        made = make(query).model_copy(update={"run_id": query.run_id, "question": query.question})
        payload = Presented(answer=made.model_dump(mode="json"), status=made.status.value)
        return [Annotation(reading=query.reading, stage="present", payload=payload)]

    return present


def waiting(gate: asyncio.Event) -> Callable[..., Awaitable[list[Annotation]]]:
    """A stage that says that it began and does not end before ``gate`` is set."""

    async def wait(query: AnnotatedQuery, context: RunContext) -> list[Annotation]:
        context.say("waiting")
        await gate.wait()
        return []

    return wait


@asynccontextmanager
async def scripted(folder: Path, **bodies: Any) -> AsyncIterator[ScriptedApplication]:
    """The application, with some stages replaced by ``bodies``."""
    async with machine(folder, trivial(bodies=bodies)) as built:
        yield ScriptedApplication(built)
