"""Opens the ports of a cloud function from its settings, each only when asked for and closed with the stack.

A client is imported where it is opened, so a function loads the libraries of what it uses and of nothing else.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING

from functions.hosting import tracecontext

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from functions.hosting.push_identity import PushIdentity
    from functions.hosting.settings import CloudSettings
    from plugins.base import Registry
    from shared.adapters.http_finder import HttpFinder
    from shared.adapters.pubsub_bus import PubSubBus
    from shared.adapters.snapshot_transport import SnapshotResponder
    from shared.models.opening import OpenModels
    from shared.query.identifiers import RunId
    from shared.runtime.ports import Embedder, RunStore, Transport, VersionedArchive


async def open_store(settings: CloudSettings, stack: AsyncExitStack) -> RunStore:
    """The runs in Firestore."""
    from shared.adapters.firestore_store import FirestoreStore

    store = FirestoreStore(project=settings.project, database=settings.database)
    stack.push_async_callback(store.close)
    return store


async def open_bus(settings: CloudSettings, stack: AsyncExitStack) -> PubSubBus:
    """The topics of the environment; messages are pushed to the functions, so nothing subscribes."""
    from shared.adapters.pubsub_bus import PubSubBus

    bus = PubSubBus(settings.project, settings.environment)
    stack.push_async_callback(bus.close)
    return bus


def ended_by(bus: PubSubBus) -> Callable[[RunId], Awaitable[None]]:
    """Tells the archive function of a run that has ended, with the trace that it belongs to."""
    from shared.runtime.messages import Ended

    async def announce(run_id: RunId) -> None:
        place = tracecontext.current()
        await bus.send(Ended(run_id, place.traceparent if place else None))

    return announce


def pushers(settings: CloudSettings) -> PushIdentity | None:
    """Who may push to a function that is open to everybody; ``None`` where nothing more can be proved.

    The emulator sends no tokens. To a function that is not open, the platform lets in whom it knows, and takes the
    signature off the token that it has checked.
    """
    from functions.hosting.push_identity import PushIdentity
    from shared.adapters.pubsub_clients import emulator_in_use
    from shared.runtime.topology import Names

    if settings.private or emulator_in_use():
        return None
    return PushIdentity(f"{Names(settings.environment).pusher}@{settings.project}.iam.gserviceaccount.com")


def open_archive(settings: CloudSettings) -> VersionedArchive:
    """Where traces and large payloads go."""
    from shared.adapters.archives import open_archive as archive_at

    return archive_at(settings.archive)


async def open_finder(settings: CloudSettings, stack: AsyncExitStack) -> HttpFinder:
    """The finder function; its requests carry the trace on."""
    from shared.adapters.http_finder import HttpFinder

    return await stack.enter_async_context(HttpFinder(settings.finder_url, headers=trace_headers))


def trace_headers() -> Mapping[str, str]:
    """The header by which the place in this task's trace travels."""
    span = tracecontext.current()
    return {"traceparent": span.traceparent} if span else {}


def open_embedder() -> Embedder:
    """The packaged model; it is loaded by the first text."""
    from shared.adapters.packaged_embedder import PackagedEmbedder

    return PackagedEmbedder(threads=1)


async def open_models(settings: CloudSettings, stack: AsyncExitStack) -> OpenModels:
    """The language models that the settings name; none is the default."""
    from shared.models.opening import open_models as opened

    return await opened(settings.models, stack)


async def open_transport(
    settings: CloudSettings,
    stack: AsyncExitStack,
    registry: Registry,
    recorded: Callable[[], Sequence[SnapshotResponder]],
) -> Transport:
    """The publishers' live APIs when the settings ask for them, else the recorded figures."""
    if not settings.live:
        from shared.adapters.snapshot_transport import SnapshotTransport

        return SnapshotTransport(recorded())
    from shared.adapters.live_transport import LiveTransport

    hosts = {host for plugin in registry for host in plugin.hosts}
    return await stack.enter_async_context(LiveTransport(hosts))
