"""``neuralkg index``: the finder's index of published tables."""

from __future__ import annotations

import typer

group = typer.Typer(
    help="Build, verify or describe the finder's index.", no_args_is_help=True, rich_markup_mode=None
)
