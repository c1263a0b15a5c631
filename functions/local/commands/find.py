"""``neuralkg find``: which published tables hold a quantity."""

from __future__ import annotations

import json as json_text
from typing import TYPE_CHECKING, Annotated

import typer

from functions.local import guard, screen
from functions.local.commands import options

if TYPE_CHECKING:
    from collections.abc import Iterator

    from functions.local.layout import Line
    from shared.query.discovery import FinderReply

SECONDS = 30.0


def find(
    text: Annotated[list[str], typer.Argument(help="The quantity, in plain words.", show_default=False)],
    *,
    source: options.Found = None,
    count: Annotated[int, typer.Option(min=1, max=100, help="How many tables to list.")] = 15,
    json: Annotated[bool, typer.Option("--json", help="Print the finder's reply, and nothing else.")] = False,
) -> None:
    """Find published tables by meaning."""
    guard.run(lambda: _find(" ".join(text), source or [], count=count, as_json=json))


async def _find(text: str, sources: list[str], *, count: int, as_json: bool) -> int:
    from functions.ask.intake import checked_question, checked_sources
    from functions.local.settings import Settings

    wanted = checked_question(text)
    settings = Settings.from_environment()
    from functions.local.wiring import open_application
    from shared.query.discovery import FinderRequest
    from shared.runtime.deadline import Deadline

    async with open_application(settings) as app:
        request = FinderRequest(texts=(wanted,), sources=checked_sources(sources, app.registry), page_size=count)
        reply = await app.finder.search(request, deadline=Deadline.after(SECONDS))
    if as_json:
        screen.put(json_text.dumps({"query": wanted} | reply.model_dump(mode="json"), indent=2, ensure_ascii=False))
    else:
        screen.show(_lines(reply, screen.width()))
    return 0 if reply.results else 3


def _lines(reply: FinderReply, width: int) -> Iterator[Line]:
    from functions.local.layout import Line, safe, wrapped

    if not reply.results:
        yield Line("No published table here holds that quantity.")
    for n, found in enumerate(reply.results, 1):
        for line in wrapped(found.title, width, first=f"{n:>3}. "):
            yield Line(line, "heading")
        yield Line(
            f"     {safe(found.source)}  {safe(found.variable)}  {found.score:.3f} ({reply.score_scale})", "dim"
        )
        for line in wrapped(found.description[:300], width, first="     "):
            yield Line(line)
    for note in reply.notes:
        yield from (Line(line, "dim") for line in wrapped(note, width))
