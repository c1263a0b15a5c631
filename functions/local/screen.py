"""Where text goes: answers to standard output, progress and messages to standard error.

Styles are used on a terminal only; a pipe gets the same words without them.
"""

from __future__ import annotations

import logging
import os
import shutil
import sys
from collections.abc import Iterable
from typing import TextIO

from functions.local.layout import Line, safe

STYLES = {"heading": "bold", "answer": "bold", "dim": "dim", "error": "bold red", "good": "green", "bad": "red"}
PIPE_WIDTH = 80
MAX_WIDTH = 110


def prepare() -> None:
    """Make both streams able to take any character, whatever the locale says, and logs quiet.

    What a log line would tell is in the answer and its trace; ``NEURALKG_LOG=info`` shows the lines too.
    """
    level = os.environ.get("NEURALKG_LOG", "").strip().upper()
    if level in logging.getLevelNamesMapping():
        logging.basicConfig(level=level, format="%(levelname)s %(name)s: %(message)s")
    else:
        logging.getLogger().addHandler(logging.NullHandler())
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


def width(stream: TextIO | None = None) -> int:
    """Columns to lay text out in: the terminal's up to 110, or 80 in a pipe."""
    if not (stream or sys.stdout).isatty():
        return PIPE_WIDTH
    return max(40, min(MAX_WIDTH, shutil.get_terminal_size((PIPE_WIDTH, 24)).columns))


def styled(stream: TextIO) -> bool:
    """Whether ``stream`` is a terminal that shows styles."""
    return stream.isatty() and os.environ.get("TERM") != "dumb" and not os.environ.get("NO_COLOR")


def show(lines: Iterable[Line], stream: TextIO | None = None) -> None:
    """Print lines, by default to standard output."""
    out = stream or sys.stdout
    if not styled(out):
        for line in lines:
            out.write(line.text + "\n")
        out.flush()
        return
    from rich.console import Console
    from rich.text import Text

    console = Console(file=out, highlight=False, markup=False, emoji=False, soft_wrap=True)
    for line in lines:
        console.print(Text(line.text, style=STYLES.get(line.style, "")))
    out.flush()


def put(text: str) -> None:
    """Print text as it is, and a new line, to standard output."""
    sys.stdout.write(text + "\n")
    sys.stdout.flush()


def tell(text: str, style: str = "") -> None:
    """Print one message to standard error."""
    show([Line(safe(text), style)], sys.stderr)


def progress(text: str) -> None:
    """Print one line of progress, dimmed, to standard error."""
    tell(f"· {text}", "dim")
