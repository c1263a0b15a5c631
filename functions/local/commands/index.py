"""``neuralkg index``: the finder's index of published tables."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from functions.local import guard, screen

group = typer.Typer(
    help="Build, verify or describe the finder's index.", no_args_is_help=True, rich_markup_mode=None
)
Folder = Annotated[
    Path | None,
    typer.Option("--index", metavar="DIR", help="The index, if not the one in use.", show_default=False),
]
Corpus = Annotated[
    Path | None, typer.Option(metavar="DIR", help="The leaves, if not those of the program.", show_default=False)
]


@group.command()
def build(
    *,
    index: Folder = None,
    corpus: Corpus = None,
    extends: Annotated[
        list[str] | None,
        typer.Option(
            metavar="SOURCE", help="A source of another catalog that this one adds to.", show_default=False
        ),
    ] = None,
) -> None:
    """Build the index; leaves that did not change keep their vectors, and a build that was cut off goes on."""
    guard.run(lambda: _build(index, corpus, extends or []))


@group.command()
def verify(*, index: Folder = None, corpus: Corpus = None) -> None:
    """Check every file of the index, and that it is that of the leaves."""
    guard.leave(lambda: _verify(index, corpus))


@group.command()
def info(
    *,
    index: Folder = None,
    corpus: Corpus = None,
    json: Annotated[bool, typer.Option("--json", help="Print JSON, and nothing else.")] = False,
) -> None:
    """Describe the index: model, entries for each source, size, freshness."""
    guard.leave(lambda: _info(index, corpus, as_json=json))


async def _build(index: Path | None, corpus: Path | None, extends: list[str]) -> int:
    from finder_index.cli_actions import build_index
    from finder_index.index import CORPUS, CURRENT
    from finder_index.pace import Pace

    pace = Pace()

    def said(done: int, of: int) -> None:
        screen.progress(pace.text(done, of))

    report = await build_index(corpus or CORPUS, index or CURRENT, progress=said, extends=extends)
    counted = f"{report.entries:,} entries: {report.embedded:,} embedded anew, {report.reused:,} unchanged"
    if report.resumed:
        counted += f", {report.resumed:,} of them from a build that was cut off"
    screen.put(f"{counted}; model {report.model}")
    return 0


def _verify(index: Path | None, corpus: Path | None) -> int:
    from finder_index.cli_actions import verify_index
    from finder_index.index import CORPUS, CURRENT

    problems = verify_index(index or CURRENT, corpus or CORPUS)
    for problem in problems:
        screen.tell(problem, "error")
    if problems:
        screen.tell("`neuralkg index build` builds it anew.")
        return 1
    screen.put("The index is whole, and it is that of the leaves.")
    return 0


def _info(index: Path | None, corpus: Path | None, *, as_json: bool) -> int:
    import json

    from finder_index.cli_actions import describe_index
    from finder_index.index import CORPUS, CURRENT

    found = describe_index(index or CURRENT, corpus or CORPUS)
    if as_json:
        screen.put(json.dumps(found, indent=2, ensure_ascii=False))
        return 0
    from functions.local.layout import Line

    current = {True: "yes", False: "no: `neuralkg index build` builds it anew", None: "unknown"}[found["current"]]
    sources = ", ".join(f"{name} {count:,}" for name, count in found["sources"].items())
    screen.show(
        [
            Line(f"Model      {found['model']}, {found['dimension']} dimensions"),
            Line(f"Entries    {found['entries']:,} ({sources})"),
            Line(f"Size       {found['bytes'] / 1024**2:.1f} MB"),
            Line(f"Current    {current}"),
        ]
    )
    return 0
