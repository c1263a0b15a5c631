"""The Cloud Function ``ask``: questions over HTTP and by message, their progress as a stream, runs and pages."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.routing import Mount, Route

from functions.ask.hosted import HostedApplication
from functions.ask.questions import submit_question
from functions.ask.server import create_app
from functions.hosting import wiring
from functions.hosting.instance import hosted
from functions.hosting.push import PushReceiver, seconds_for
from functions.hosting.pushed_function import traced
from functions.hosting.telemetry import TracedRequests
from plugins.mounted import mounted_plugins
from shared.runtime.messages import read_question
from shared.runtime.settings import load_stages
from shared.runtime.topology import PUSH_PATHS, QUESTIONS

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from functions.hosting.settings import CloudSettings
    from functions.hosting.telemetry import Tracing
    from functions.reports.reports import Reports
    from shared.adapters.pubsub_bus import PubSubBus
    from shared.runtime.messages import Question
    from shared.runtime.ports import Archive

NAME = "ask"


@asynccontextmanager
async def opened(settings: CloudSettings, tracing: Tracing) -> AsyncIterator[ASGIApp]:
    """The face over the cloud's store, bus, archive and finder."""
    async with AsyncExitStack() as stack:
        bus, archive = await wiring.open_bus(settings, stack), wiring.open_archive(settings)
        app = HostedApplication(
            store=await wiring.open_store(settings, stack),
            bus=bus,
            archive=archive,
            finder=await wiring.open_finder(settings, stack),
            registry=mounted_plugins(),
            tracing=tracing,
        )
        face = create_app(
            app,
            concurrency=settings.concurrency,
            deadline_seconds=settings.deadline_seconds,
            per_minute=settings.per_minute,
            proxies=settings.proxies,
            elsewhere=True,
            reports=partial(_reports, archive),
        )
        await stack.enter_async_context(face.router.lifespan_context(face))
        questions = PushReceiver(
            function=NAME,
            reader=read_question,
            take=traced(tracing, NAME, partial(_submit, app, bus, settings)),
            seconds=seconds_for(load_stages().get(NAME).timeout_seconds),
            dead_letters=bus.send,
            allowed=wiring.pushers(settings),
        )
        push = Route(PUSH_PATHS[QUESTIONS], questions.__call__, methods=["POST"])
        yield TracedRequests(Starlette(routes=[push, Mount("/", face)]), tracing, NAME)


def _reports(archive: Archive) -> Reports:
    """The reports over the archive's records, loaded by the first who asks for them."""
    from functions.reports.reports import reports_of  # noqa: PLC0415

    return reports_of(archive)


async def _submit(app: HostedApplication, bus: PubSubBus, settings: CloudSettings, asked: Question) -> None:
    await submit_question(
        asked,
        submit=app.submit,
        announce=bus.send,
        registry=app.registry,
        deadline_seconds=settings.deadline_seconds,
    )


handle = hosted(NAME, opened)
