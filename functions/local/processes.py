"""Starts programs as processes of their own, waits until they answer, and ends them.

Each runs in a process group of its own, prints to a log file, and does not outlive us (see ``tether``).
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from functions.local.tether import Tether
from shared.runtime.errors import NeuralKGError

STOP_SECONDS = 5.0
"""What a process gets to end by itself before it is ended by force."""
_LOOK_SECONDS = 0.05
_WORDS = 5
_WORDS_BYTES = 8192


class ProcessFailed(NeuralKGError):  # noqa: N818 - the name says what is wrong
    """A process ended or did not answer in time; the message carries the last of what it printed."""


@dataclass(frozen=True, slots=True)
class Program:
    """What to run, and how to know that it works.

    ``environment`` is all that it sees. ``inherits`` are file descriptors that it gets under the same numbers.
    """

    name: str
    command: Sequence[str]
    environment: Mapping[str, str]
    folder: Path
    log: Path
    answers: Callable[[], bool]
    inherits: Sequence[int] = field(default=())


class Process:
    """A program that may run, end and run again."""

    def __init__(self, program: Program, tether: Tether) -> None:
        self.program = program
        self._tether = tether
        self._child: subprocess.Popen[bytes] | None = None

    @property
    def name(self) -> str:
        """The program's name."""
        return self.program.name

    @property
    def pid(self) -> int | None:
        """The process, from its start until it is stopped."""
        return self._child.pid if self._child else None

    @property
    def running(self) -> bool:
        """Whether it was started and has not ended."""
        return self._child is not None and self._child.poll() is None

    @property
    def ending(self) -> str:
        """How it ended, in words."""
        code = self._child.poll() if self._child else None
        if code is None:
            return "is running" if self._child else "was not started"
        if code >= 0:
            return f"ended with exit code {code}"
        return f"was killed by {signal.Signals(-code).name}"

    def start(self) -> None:
        """Start it, again after it has ended. Raises ``ProcessFailed`` when it cannot be run at all."""
        program = self.program
        if self._child is not None and not self.reap(0):
            raise ProcessFailed(f"{self.name} is running already")
        try:
            with program.log.open("ab") as log:
                # A group of its own, so that an interrupt at the terminal reaches it through us alone.
                self._child = subprocess.Popen(  # noqa: S603 - our own command
                    program.command,
                    cwd=program.folder,
                    env=dict(program.environment),
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    pass_fds=tuple(program.inherits),
                    process_group=0,
                )
        except OSError as error:
            raise ProcessFailed(f"{program.name} cannot be started: {error}") from error
        self._tether.hold(self._child.pid)

    def wait(self, seconds: float) -> None:
        """Wait until it answers. Raises ``ProcessFailed`` when it ends or the time is up."""
        until = time.monotonic() + seconds
        while not self.ready():
            if time.monotonic() >= until:
                raise ProcessFailed(f"{self.name} did not answer within {seconds:g} s: {self.last_words()}")
            time.sleep(_LOOK_SECONDS)

    def ready(self) -> bool:
        """Whether it answers now. Raises ``ProcessFailed`` when it has ended."""
        if not self.running:
            raise ProcessFailed(f"{self.name} {self.ending}: {self.last_words()}")
        return self.program.answers()

    def stop(self, seconds: float = STOP_SECONDS) -> None:
        """End it and all that it started, by force where they do not go."""
        stop_all([self], seconds)

    def signal(self, sent: signal.Signals) -> None:
        """Send a signal to it and all that it started."""
        if self._child is not None:
            # Its group may outlive it; on macOS a group of the dead alone may not be signalled.
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(self._child.pid, sent)

    def reap(self, seconds: float) -> bool:
        """Whether it has ended within some seconds; then nothing of it is left."""
        if self._child is None:
            return True
        try:
            self._child.wait(max(0.0, seconds))
        except subprocess.TimeoutExpired:
            return False
        self.signal(signal.SIGKILL)
        self._tether.release(self._child.pid)
        self._child = None
        return True

    def last_words(self) -> str:
        """The last lines of its log, in one line."""
        try:
            with self.program.log.open("rb") as log:
                log.seek(max(0, self.program.log.stat().st_size - _WORDS_BYTES))
                text = log.read().decode(errors="replace").strip()
        except OSError:
            text = ""
        return " | ".join(text.splitlines()[-_WORDS:]) or "nothing was printed"


def stop_all(processes: Iterable[Process], seconds: float = STOP_SECONDS) -> None:
    """End several at once: ask all, wait for all, then end by force those that stayed."""
    left = list(processes)
    for sent in (signal.SIGTERM, signal.SIGKILL):
        for process in left:
            process.signal(sent)
        until = time.monotonic() + seconds
        left = [process for process in left if not process.reap(until - time.monotonic())]


def answers_http(url: str, *, whatever: bool = True, seconds: float = 2.0) -> bool:
    """Whether a GET gets an answer; unless ``whatever`` will do, one of success."""
    try:
        with urllib.request.urlopen(url, timeout=seconds):  # noqa: S310 - a local address
            return True
    except urllib.error.HTTPError:
        return whatever
    except (OSError, ValueError):
        return False


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port
