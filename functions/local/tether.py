"""Ties processes and folders to this process, so that they go when it goes, even when it is killed outright.

A killed program cannot tidy up after itself, so a small process of its own does it: it is told what is held, and
when its standard input closes, which the system does for every process that ends, it ends and deletes whatever is
still held. It is this very file, run without any other module of ours.
"""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Self

_PROCESSES, _FOLDER = "processes", "folder"
_LET_GO_SECONDS = 10.0


class Tether:
    """Holds groups of processes, by the id of their first, and folders. Use it as a context manager."""

    def __init__(self) -> None:
        # A session of its own, so that what is sent to us or to our terminal does not end it too.
        self._keeper = subprocess.Popen(  # noqa: S603 - this file
            [sys.executable, "-I", "-S", __file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        assert self._keeper.stdout is not None  # noqa: S101 - it is a pipe
        with self._keeper.stdout as ready:
            ready.read()

    @property
    def pid(self) -> int:
        """The process that tidies up."""
        return self._keeper.pid

    def hold(self, group: int) -> None:
        """End this group of processes when we end."""
        self._say(f"+ {_PROCESSES} {group}")

    def release(self, group: int) -> None:
        """The group has ended: its number may soon mean others."""
        self._say(f"- {_PROCESSES} {group}")

    def keep(self, folder: Path) -> None:
        """Delete this folder when we end."""
        self._say(f"+ {_FOLDER} {folder}")

    def forget(self, folder: Path) -> None:
        """The folder was deleted."""
        self._say(f"- {_FOLDER} {folder}")

    def close(self) -> None:
        """End what is still held, and the process that holds it."""
        if self._keeper.stdin is not None:
            with suppress(BrokenPipeError):
                self._keeper.stdin.close()
        self._keeper.wait(_LET_GO_SECONDS)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _say(self, line: str) -> None:
        assert self._keeper.stdin is not None  # noqa: S101 - it is a pipe
        # A keeper that somebody killed can hold nothing; what we start we still end ourselves.
        with suppress(BrokenPipeError):
            self._keeper.stdin.write(line.encode(errors="surrogateescape") + b"\n")
            self._keeper.stdin.flush()


def _held(lines: Iterable[bytes]) -> set[tuple[str, str]]:
    """What is still held when the last line has been read."""
    held: set[tuple[str, str]] = set()
    for line in lines:
        sign, kind, name = line.decode(errors="surrogateescape").rstrip("\n").split(" ", 2)
        (held.add if sign == "+" else held.discard)((kind, name))
    return held


def _keep() -> None:
    for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(sent, signal.SIG_IGN)
    os.close(sys.stdout.fileno())  # that is how we say that we are ready
    held = _held(sys.stdin.buffer)
    for kind, name in sorted(held, reverse=True):  # processes first: they may still write to the folders
        if kind == _PROCESSES:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(int(name), signal.SIGKILL)
        else:
            shutil.rmtree(name, ignore_errors=True)


if __name__ == "__main__":
    _keep()
