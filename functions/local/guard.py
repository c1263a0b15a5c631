"""Runs a command's work and tells how it ended: messages for designed errors, and the exit code."""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from functions.local import screen

if TYPE_CHECKING:
    from functions.ask.problems import Problem

READER_LEFT = 141
FAILED = 1
TRACEBACK = "NEURALKG_TRACEBACK"
"""Set to anything, it makes an unforeseen error show its traceback."""


@dataclass(frozen=True, slots=True)
class Interrupted:
    """What Ctrl-C means to a command: the words, and the exit code."""

    said: str = "cancelled; nothing was lost"
    exit_code: int = 130


CANCELLED = Interrupted()


def run(work: Callable[[], Coroutine[Any, Any, int]], *, interrupted: Interrupted = CANCELLED) -> NoReturn:
    """Run asynchronous work and leave with the exit code it returns."""
    leave(lambda: asyncio.run(work()), interrupted=interrupted)


def leave(work: Callable[[], int], *, interrupted: Interrupted = CANCELLED) -> NoReturn:
    """Run ``work`` and leave with its exit code, or with that of the error it raised."""
    raise typer.Exit(_outcome(work, interrupted))


def _outcome(work: Callable[[], int], interrupted: Interrupted) -> int:
    try:
        return work()
    except KeyboardInterrupt:
        screen.tell(interrupted.said)
        return interrupted.exit_code
    except BrokenPipeError:
        _abandon_output()
        return READER_LEFT
    except Exception as error:  # the last resort: a person reads a message, not a traceback
        problem = _problem(error)
        if problem is not None:
            tell(problem)
            return problem.exit_code
        if os.environ.get(TRACEBACK):
            raise
        screen.tell(f"The system failed: {type(error).__name__}: {error}", "error")
        screen.tell(f"This is a fault of the program; with {TRACEBACK}=1 it shows where.")
        return FAILED


def tell(problem: Problem) -> None:
    """Print a problem to standard error: what was wrong, what is allowed, what to do."""
    screen.tell(problem.message, "error")
    if problem.allowed is not None:
        allowed = problem.allowed
        screen.tell(f"Allowed: {', '.join(map(str, allowed)) if isinstance(allowed, list | tuple) else allowed}")
    if problem.do:
        screen.tell(problem.do)


def _problem(error: Exception) -> Problem | None:
    from functions.ask.problems import problem_of, problem_of_os
    from shared.runtime.errors import NeuralKGError

    # Structured concurrency wraps what its branches raise, even a single error.
    while isinstance(error, ExceptionGroup) and len(error.exceptions) == 1:
        error = error.exceptions[0]
    if isinstance(error, NeuralKGError):
        return problem_of(error)
    return problem_of_os(error) if isinstance(error, OSError) else None


def _abandon_output() -> None:
    # Whoever read our output left; what is still buffered must not raise again when Python ends.
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())
    os.close(devnull)
