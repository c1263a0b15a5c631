"""``neuralkg tasks``: every judgment that a language model may be asked for."""

from __future__ import annotations

from typing import Annotated

import typer

from functions.local import guard, screen


def tasks(
    *,
    json: Annotated[bool, typer.Option("--json", help="Print the table as JSON, with the instructions.")] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print it as the documentation holds it.")] = False,
) -> None:
    """List the judgments: which stage asks for each, of whom, with what effort, and who stands in."""
    guard.leave(lambda: _tasks(as_json=json, as_markdown=markdown))


def _tasks(*, as_json: bool, as_markdown: bool) -> int:
    import json

    from functions.hosting.task_table import HEADINGS, cells, described

    if as_json:
        screen.put(json.dumps([one.model_dump(mode="json") for one in described()], indent=2))
        return 0
    rows = [HEADINGS, *(cells(one) for one in described())]
    if as_markdown:
        rows.insert(1, ("---",) * len(HEADINGS))
        screen.put("\n".join(f"| {' | '.join(row)} |" for row in rows))
        return 0
    widths = [max(len(row[column]) for row in rows) for column in range(len(HEADINGS))]
    for row in rows:
        screen.put("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    return 0
