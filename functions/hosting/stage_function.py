"""The function of one stage: a message pushed to ``POST /`` is worked on before it is acknowledged."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from functions.hosting.instance import Handle, hosted
from functions.hosting.push import PushReceiver, seconds_for
from functions.hosting.pushed_function import push_app, traced
from functions.hosting.running import Needs, open_runner
from shared.query.identifiers import StageName
from shared.runtime.messages import read_step
from shared.runtime.settings import load_stages

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from functions.hosting.settings import CloudSettings
    from functions.hosting.telemetry import Tracing
    from plugins.base import Registry
    from shared.adapters.snapshot_transport import SnapshotResponder
    from shared.models.builtin import BuiltinRule
    from shared.models.tasks import Judge


def stage_function(
    name: str,
    function: Callable[..., Any],
    *,
    sources: Callable[[], Registry] | None = None,
    recorded: Callable[[], Sequence[SnapshotResponder]] | None = None,
    rules: Mapping[str, BuiltinRule] | None = None,
    panel: Callable[[], Sequence[Judge]] | None = None,
    embedder: bool = False,
    finder: bool = False,
) -> Handle:
    """The functions framework's target for the stage ``name``, which is done by ``function``.

    The rest is what the stage uses, and only that is opened: see ``Needs``.
    """
    needs = Needs(
        sources=sources, recorded=recorded, rules=rules or {}, panel=panel, embedder=embedder, finder=finder
    )

    @asynccontextmanager
    async def opened(settings: CloudSettings, tracing: Tracing) -> AsyncIterator[ASGIApp]:
        async with AsyncExitStack() as stack:
            runner, bus = await open_runner(name, function, needs, settings, stack)
            receiver = PushReceiver(
                function=name,
                reader=partial(read_step, only=StageName(name)),
                take=traced(tracing, name, runner.handle),
                seconds=seconds_for(load_stages().get(name).timeout_seconds),
                dead_letters=bus.send,
            )
            yield push_app(name, {"/": receiver})

    return hosted(name, opened)
