"""``neuralkg serve``: the pages and the HTTP interface, embedded."""

from __future__ import annotations

import logging
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from functions.local import guard, screen

if TYPE_CHECKING:
    from functions.local.settings import Settings
    from functions.reports.reports import Reports


def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port; 0 takes a free one.")] = 8080,
) -> None:
    """Serve questions over HTTP until interrupted."""
    guard.run(lambda: _serve(host, port), interrupted=guard.Interrupted("stopped", 0))


async def _serve(host: str, port: int) -> int:
    from functions.local.listening import bound
    from functions.local.settings import Settings

    settings = Settings.from_environment()
    listener = bound(host, port)
    import uvicorn

    from functions.ask.server import create_app
    from functions.local.draw import can_draw, drawn
    from functions.local.wiring import open_application

    # A service's own log is where its keeper learns what went wrong.
    logging.basicConfig(level=logging.WARNING, format="%(levelname)s %(name)s: %(message)s")
    async with open_application(settings) as app:
        face = create_app(
            app,
            concurrency=settings.concurrency,
            deadline_seconds=settings.deadline_seconds,
            per_minute=settings.per_minute,
            proxies=settings.proxies,
            draw=partial(drawn, form=".svg") if can_draw() else None,
            reports=partial(_reports, settings),
        )
        config = uvicorn.Config(
            face, log_level="warning", access_log=False, timeout_graceful_shutdown=5, server_header=False
        )
        where = f"[{host}]" if ":" in host else host
        screen.tell(f"NeuralKG listens on http://{where}:{listener.getsockname()[1]}/ (Ctrl-C stops it)")
        await uvicorn.Server(config).serve(sockets=[listener])
    return 0


def _reports(settings: Settings) -> Reports:
    from functions.local.usage import own_ledger
    from functions.reports.reports import Reports

    return Reports(partial(own_ledger, settings))
