"""Puts the embedded program together: ports, plugins, judges and stages. The one place that knows every part."""

from __future__ import annotations

import asyncio
import gc
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial

from finder_index.finder import LocalFinder
from functions.combine.stage import combine
from functions.discover.stage import discover
from functions.execute.stage import execute
from functions.hosting.task_table import builtin_rules
from functions.local.settings import Settings
from functions.plan.stage import plan
from functions.present.stage import present
from functions.resolve_attributes.stage import resolve_attributes
from functions.resolve_entities.stage import resolve_entities
from functions.select.stage import select
from functions.slots.stage import slots
from functions.understand.members import builtin_panel
from functions.understand.stage import understand
from plugins.base import Registry
from plugins.mounted import mounted_plugins, recorded_figures
from shared.adapters.folder_archive import FolderArchive
from shared.adapters.inline_bus import InlineBus
from shared.adapters.packaged_embedder import PackagedEmbedder
from shared.adapters.snapshot_transport import SnapshotTransport
from shared.adapters.sqlite_store import SqliteStore
from shared.models.builtin import BuiltinJudge
from shared.models.opening import open_models
from shared.query.identifiers import StageName
from shared.runtime.client import RunClient
from shared.runtime.context import RunContext
from shared.runtime.ports import Archive, Embedder, Finder, RunStore, Transport
from shared.runtime.runner import StageRunner
from shared.runtime.settings import load_stages
from shared.runtime.signals import Signals
from shared.runtime.stage import Stage, StageFunction
from shared.runtime.sweep import keep_sweeping

COLLECTED_EVERY = (100_000, 20, 20)
"""How rarely garbage in cycles is looked for. An answer over all counties makes 60,000 objects, none of them in a
cycle; at Python's own pace, looking through them again and again takes a third of its time."""


def pipeline(registry: Registry) -> list[Stage]:
    """The stages in order. Whether a stage may judge is read from the one table of functions."""
    functions: dict[str, StageFunction] = {
        "understand": understand,
        "slots": slots,
        "discover": partial(discover, registry=registry),
        "select": partial(select, registry=registry),
        "resolve_entities": partial(resolve_entities, registry=registry),
        "resolve_attributes": partial(resolve_attributes, registry=registry),
        "plan": plan,
        "execute": partial(execute, registry=registry),
        "combine": combine,
        "present": present,
    }
    return [
        Stage(name=StageName(row.name), function=functions[row.name], judging_allowed=bool(row.judging_allowed))
        for row in load_stages().stages
    ]


class Application:
    """The embedded program: a client, a runner and their ports, sharing one event loop."""

    def __init__(
        self, *, store: RunStore, archive: Archive, finder: Finder, registry: Registry, client: RunClient
    ) -> None:
        self.store, self.archive, self.finder, self.registry, self.client = store, archive, finder, registry, client
        self.submit = client.submit
        self.ask = client.ask
        self.wait = client.wait
        self.result = client.result
        self.watch = client.watch
        self.cancel = client.cancel


async def open_transport(settings: Settings, registry: Registry, stack: AsyncExitStack) -> Transport:
    """The recorded figures, or the publishers' live APIs when the settings ask for them."""
    if not settings.live:
        return SnapshotTransport(recorded_figures())
    from shared.adapters.live_transport import LiveTransport

    hosts = {host for plugin in registry for host in plugin.hosts}
    return await stack.enter_async_context(LiveTransport(hosts))


@asynccontextmanager
async def open_application(
    settings: Settings, *, embedder: Embedder | None = None, transport: Transport | None = None
) -> AsyncIterator[Application]:
    """Open the program; everything it started has ended when the block is left.

    Raises ``StoreError`` or ``ArchiveError`` when its files cannot be used.
    """
    registry = mounted_plugins()
    embedder = embedder or PackagedEmbedder()
    async with AsyncExitStack() as stack:
        stack.callback(gc.set_threshold, *gc.get_threshold())
        gc.set_threshold(*COLLECTED_EVERY)
        store = SqliteStore(settings.store)
        stack.push_async_callback(store.close)
        archive = FolderArchive(settings.archive)
        bus = InlineBus()
        signals = Signals()
        models = await open_models(settings.models, stack)
        finder = LocalFinder.open(embedder, judges=models.judges)
        builtin = builtin_panel()
        runner = StageRunner(
            pipeline(registry),
            store=store,
            bus=bus,
            archive=archive,
            context_factory=partial(
                RunContext,
                transport=transport or await open_transport(settings, registry, stack),
                finder=finder,
                embedder=embedder,
                judges=(*models.judges, BuiltinJudge(builtin_rules())),
                panel=models.panel or builtin,
                panel_stand_in=builtin if models.panel else (),
            ),
            signals=signals,
            ahead=store,
        )
        stack.push_async_callback(runner.stop)
        stack.push_async_callback(bus.close)
        await runner.start()
        await bus.on_dead_letter(runner.give_up)
        sweeping = asyncio.create_task(keep_sweeping(store, bus), name="sweep")
        stack.push_async_callback(_stopped, [sweeping])
        client = RunClient(store=store, bus=bus, archive=archive, signals=signals)
        yield Application(store=store, archive=archive, finder=finder, registry=registry, client=client)


async def _stopped(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task
