"""``neuralkg letters``: the dead letters that an environment in the cloud keeps."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from functions.local import guard, screen

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from functions.local.layout import Line
    from functions.local.letters import Letter, Letters

group = typer.Typer(
    help="Look at the dead letters of an environment, send them again or drop them. GOOGLE_CLOUD_PROJECT and "
    "NEURALKG_ENVIRONMENT say which: see `neuralkg environment`.",
    no_args_is_help=True,
    rich_markup_mode=None,
)
Limit = Annotated[int, typer.Option(min=1, max=10_000, help="How many are looked at, at most.")]
SHOWN = 200
"""Characters of a letter that a table shows."""


@group.command()
def show(
    *,
    limit: Limit = 100,
    json: Annotated[bool, typer.Option("--json", help="Print the letters as JSON, each whole.")] = False,
) -> None:
    """List the dead letters, which stay where they are."""
    guard.run(lambda: _show(limit, as_json=json))


@group.command()
def replay(*, limit: Limit = 100) -> None:
    """Send each again to the topic that it came from, and take it out; what is foreign stays."""
    guard.run(lambda: _replay(limit))


@group.command()
def drop(
    ids: Annotated[list[str], typer.Argument(metavar="ID...", help="The letters, as `show` lists them.")],
    *,
    limit: Limit = 100,
) -> None:
    """Take these letters out for good."""
    guard.run(lambda: _drop(ids, limit))


async def _show(limit: int, *, as_json: bool) -> int:
    import json

    found = await _letters().show(limit)
    if as_json:
        screen.put(json.dumps([_told(letter) for letter in found], indent=2, ensure_ascii=False))
    else:
        screen.show(_lines(found, screen.width()))
    return 0


async def _replay(limit: int) -> int:
    sent, stay = await _letters().replay(limit)
    for letter in sent:
        screen.put(f"{letter.id} went to {letter.source} again")
    if stay:
        screen.tell(f"{len(stay)} stay: nothing can be done with them. `neuralkg letters show` tells why.")
    if not sent and not stay:
        screen.tell("There are no dead letters.")
    return 0


async def _drop(ids: Sequence[str], limit: int) -> int:
    gone, missing = await _letters().drop(ids, limit)
    for letter in gone:
        screen.put(f"{letter.id} is dropped")
    if missing:
        screen.tell(
            f"Not among the {limit} that were looked at: {', '.join(missing)}. Raise --limit, or list them."
        )
    return 2 if missing else 0


def _letters() -> Letters:
    from shared.runtime.errors import UsageError

    try:
        from functions.hosting.settings import CloudSettings, SettingInvalid
        from functions.local.letters import Letters as Kept
    except ModuleNotFoundError as error:
        raise UsageError(
            "dead letters need the package google-cloud-pubsub, which is not installed; "
            "run: pip install 'neuralkg[gcp]', or in a clone: .venv/bin/pip install -e '.[gcp]'"
        ) from error
    try:
        settings = CloudSettings.from_environment()
        return Kept(settings.project, settings.environment)
    except SettingInvalid as error:
        raise UsageError(
            f"{error.name} {error.problem}; allowed is {error.allowed}. Set it in this shell, by hand or with what "
            "`neuralkg environment` prints.",
            allowed=error.allowed,
        ) from error


def _told(letter: Letter) -> dict[str, object]:
    return {
        "id": letter.id,
        "published": letter.published,
        "source": letter.source,
        "reason": letter.reason,
        "data": letter.data.decode("utf-8", "replace"),
        "attributes": letter.attributes,
    }


def _lines(letters: Sequence[Letter], width: int) -> Iterator[Line]:
    from functions.local.layout import Line, table

    if not letters:
        yield Line("There are no dead letters.")
        return
    rows = [
        [one.id, one.published, one.source, one.reason, one.data.decode("utf-8", "replace")[:SHOWN]]
        for one in letters
    ]
    yield from table(["id", "published", "came from", "reason", "message"], rows, width)
