"""``neuralkg ask``: one question, answered here and now."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from functions.local import guard, screen
from functions.local.commands import options

if TYPE_CHECKING:
    from shared.adapters.packaged_embedder import PackagedEmbedder
    from shared.query.annotated import ProgressEvent
    from shared.query.answer import Answer


def ask(
    question: options.Question,
    *,
    source: options.Source = None,
    on_ambiguity: options.Ambiguity = "answer",
    assume: options.Assume = None,
    deadline: options.Deadline = None,
    provider: options.Provider = None,
    base_url: options.BaseUrl = None,
    model: options.Model = None,
    json: Annotated[bool, typer.Option("--json", help="Print the answer object, and nothing else.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="No progress.")] = False,
    chart: Annotated[
        Path | None, typer.Option(help="Draw the answer's chart to this .svg, .png or .json file.")
    ] = None,
) -> None:
    """Answer a question, with the source of every figure."""
    asked = options.Asked(question, source, on_ambiguity, assume, deadline)
    models = options.ModelsAsked(provider, base_url, model)
    guard.run(lambda: _ask(asked, models, as_json=json, quiet=quiet, chart=chart))


async def _ask(
    asked: options.Asked, models: options.ModelsAsked, *, as_json: bool, quiet: bool, chart: Path | None
) -> int:
    from functions.local.settings import Settings
    from shared.query.answer import EXIT_CODES

    settings = Settings.from_environment(models.over(os.environ))
    checked = asked.checked(settings)
    if chart is not None:
        from functions.local.draw import checked_target

        checked_target(chart)
    embedder = await _warming()
    from functions.local.wiring import open_application

    async with open_application(settings, embedder=embedder) as app:
        answer = await app.ask(checked.question, checked.options(app.registry), on_event=None if quiet else _say)
    _print(answer, as_json=as_json)
    if chart is not None:
        _draw(answer, chart)
    return EXIT_CODES[answer.status]


async def _warming() -> PackagedEmbedder:
    """The embedder, loading in a thread while the rest of the program is imported: a quarter of a second saved."""
    from shared.adapters.packaged_embedder import PackagedEmbedder

    embedder = PackagedEmbedder()
    loading = asyncio.create_task(embedder.warm())
    # A model that is missing is told by the stage that needs it, not here.
    loading.add_done_callback(lambda task: task.cancelled() or task.exception())
    await asyncio.sleep(0)
    return embedder


def _say(event: ProgressEvent) -> None:
    # Whoever reads our progress may leave; the answer is still wanted.
    with suppress(BrokenPipeError):
        if event.kind == "progress":
            screen.progress(event.text)


def _print(answer: Answer, *, as_json: bool) -> None:
    if as_json:
        screen.put(answer.to_json())
        return
    from functions.local.render import render

    screen.show(render(answer, width=screen.width()))


def _draw(answer: Answer, path: Path) -> None:
    from functions.local.draw import write

    drawable = [chart for chart in answer.charts if chart.kind == "vega-lite"]
    chosen = next((chart for chart in drawable if not chart.related), next(iter(drawable), None))
    if chosen is None:
        screen.tell(f"This answer has no chart, so {path} was not written.")
        return
    write(chosen, path)
    screen.tell(f"Wrote the chart {chosen.title!r} to {path}.")
