"""A runner of one stage over ports that are open, in a function of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING

from functions.hosting import wiring
from functions.hosting.settings import CloudSettings
from functions.hosting.unopened import Unopened
from shared.models.builtin import BuiltinJudge, BuiltinRule
from shared.models.opening import OpenModels
from shared.query.identifiers import StageName
from shared.runtime.context import RunContext
from shared.runtime.runner import StageRunner
from shared.runtime.settings import PIPELINE, load_stages
from shared.runtime.stage import Stage, StageFunction

if TYPE_CHECKING:
    from plugins.base import Registry
    from shared.adapters.pubsub_bus import PubSubBus
    from shared.adapters.snapshot_transport import SnapshotResponder
    from shared.models.tasks import Judge


@dataclass(frozen=True, slots=True)
class Needs:
    """What a stage uses besides the run: only that is imported and opened.

    ``sources`` gives the plugins that it is bound to, ``recorded`` the publishers' recorded figures for a stage
    that sends requests, ``rules`` those of the built-in judge, ``panel`` the readers of a question.
    """

    sources: Callable[[], Registry] | None = None
    recorded: Callable[[], Sequence[SnapshotResponder]] | None = None
    rules: Mapping[str, BuiltinRule] = field(default_factory=dict)
    panel: Callable[[], Sequence[Judge]] | None = None
    embedder: bool = False
    finder: bool = False


async def open_runner(
    name: str,
    function: Callable[..., object],
    needs: Needs,
    settings: CloudSettings,
    stack: AsyncExitStack,
) -> tuple[StageRunner, PubSubBus]:
    """The runner of the stage ``name`` and its bus; what they hold is closed with ``stack``."""
    store = await wiring.open_store(settings, stack)
    bus = await wiring.open_bus(settings, stack)
    unopened = Unopened(name)
    registry = needs.sources() if needs.sources else None
    bound: StageFunction = partial(function, registry=registry) if registry is not None else function  # type: ignore[assignment]
    transport = (
        await wiring.open_transport(settings, stack, registry, needs.recorded)
        if registry is not None and needs.recorded is not None
        else unopened
    )

    judging = load_stages().get(name).judging_allowed
    models = await wiring.open_models(settings, stack) if judging else OpenModels()
    builtin = needs.panel() if needs.panel else ()
    runner = StageRunner(
        [Stage(StageName(name), bound, judging_allowed=judging)],
        store=store,
        bus=bus,
        archive=wiring.open_archive(settings),
        context_factory=partial(
            RunContext,
            transport=transport,
            finder=await wiring.open_finder(settings, stack) if needs.finder else unopened,
            embedder=wiring.open_embedder() if needs.embedder else unopened,
            judges=(*models.judges, *((BuiltinJudge(needs.rules),) if needs.rules else ())),
            panel=models.panel or builtin,
            panel_stand_in=builtin if models.panel else (),
        ),
        order=PIPELINE,
        on_ended=wiring.ended_by(bus),
    )
    return runner, bus
