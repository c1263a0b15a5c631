"""``neuralkg index``: the finder's index of published tables, built here and published for finders elsewhere."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from functions.local import guard, screen

if TYPE_CHECKING:
    from finder_index.generations import PublishedIndex

group = typer.Typer(
    help="Build, verify, describe or publish the finder's index.", no_args_is_help=True, rich_markup_mode=None
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
    catalogs: Annotated[
        Path | None,
        typer.Option(
            metavar="DIR",
            help="Publishers' catalogs: their leaves are written first, to --corpus. Both folders are then by "
            "default those of large indexes, below .neuralkg.",
            show_default=False,
        ),
    ] = None,
) -> None:
    """Build the index; leaves that did not change keep their vectors, and a build that was cut off goes on."""
    if catalogs is None:
        guard.run(lambda: _build(index, corpus, extends or []))
    else:
        guard.run(lambda: _build_of_catalogs(catalogs, index, corpus, extends or []))


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


@group.command()
def publish(
    *,
    to: Annotated[str, typer.Option(metavar="ADDRESS", help="gs://bucket/prefix, s3://bucket/prefix or a folder.")],
    index: Folder = None,
    corpus: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Leaves to publish along with --index.", show_default=False),
    ] = None,
    keep: Annotated[int, typer.Option(min=1, metavar="N", help="Generations to keep.")] = 5,
) -> None:
    """Publish the index as a new generation; finders that follow the address move to it by themselves."""
    guard.run(lambda: _publish(to, index, corpus, keep))


@group.command()
def rollback(
    generation: Annotated[str | None, typer.Argument(help="Its name; by default the one before.")] = None,
    *,
    at: Annotated[str, typer.Option(metavar="ADDRESS", help="Where the index is published.")],
) -> None:
    """Put an older generation of a published index in use again."""
    guard.run(lambda: _rollback(at, generation))


@group.command()
def generations(
    *, at: Annotated[str, typer.Option(metavar="ADDRESS", help="Where the index is published.")]
) -> None:
    """List the generations of a published index, the oldest first; a star marks the one in use."""
    guard.run(lambda: _generations(at))


@group.command()
def fetch(
    *,
    source: Annotated[str, typer.Option("--from", metavar="ADDRESS", help="Where the index is published.")],
    to: Annotated[Path, typer.Option(metavar="DIR", help="A folder for generations.")],
) -> None:
    """Fetch the generation in use, prove every file, and print the folder that it lies in."""
    guard.run(lambda: _fetch(source, to))


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


async def _build_of_catalogs(catalogs: Path, index: Path | None, corpus: Path | None, extends: list[str]) -> int:
    from finder_index.catalogs import INDEX, OUT, generate_all

    def said(name: str, documents: int) -> None:
        screen.progress(f"{name}: {documents:,} documents")

    out = corpus or OUT
    report = generate_all(catalogs, out, said)
    screen.put(f"{report.leaves:,} leaves of {len(report.catalogs)} catalogs in {report.seconds:.0f} s")
    return await _build(index or INDEX, out, extends)


async def _publish(to: str, index: Path | None, corpus: Path | None, keep: int) -> int:
    from finder_index.index import CORPUS, CURRENT
    from finder_index.publication import publish

    leaves = corpus or (None if index else CORPUS)

    def said(done: int, of: int) -> None:
        screen.progress(f"{done:,} of {of:,} pieces uploaded")

    async with _published(to) as published:
        report = await publish(published, index or CURRENT, corpus=leaves, keep=keep, progress=said)
    if report.unchanged:
        screen.put(f"{report.generation} is in use already and has these very files; nothing was uploaded.")
        return 0
    screen.put(
        f"{report.generation} is in use: {report.uploaded:,} of {report.pieces:,} pieces uploaded, "
        f"{report.uploaded_bytes / 1024**2:.1f} MB"
    )
    if report.dropped:
        screen.put(f"No longer kept: {', '.join(report.dropped)}")
    return 0


async def _rollback(at: str, generation: str | None) -> int:
    async with _published(at) as published:
        screen.put(f"{await published.roll_back(generation)} is in use.")
    return 0


async def _generations(at: str) -> int:
    async with _published(at) as published:
        found, names = await published.pointer(), await published.generations()
    for name in names:
        screen.put(f"{'*' if found and name == found[0].generation else ' '} {name}")
    return 0


async def _fetch(source: str, to: Path) -> int:
    from finder_index.fetching import fetch as fetch_generation

    async with _published(source) as published:
        current = await published.current()
        fetched = await fetch_generation(published, current.generation, to)
    screen.put(str(fetched.path))
    fetched.release()
    return 0


@asynccontextmanager
async def _published(address: str) -> AsyncIterator[PublishedIndex]:
    from finder_index.generations import PublishedIndex
    from shared.adapters.archives import open_archive

    archive = open_archive(address)
    try:
        yield PublishedIndex(archive, address)
    finally:
        await archive.close()


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
