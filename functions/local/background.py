"""Answers a submitted question in a process of its own, so that whoever asked may leave at once.

The worker is this module run with ``-m``. It reads the question as one JSON object on standard input, writes one
JSON line (the run id, or what was wrong) to standard output, then answers. What it has to say later goes to
``submitted.log`` in the home folder.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from functions.local.settings import Settings
from shared.runtime.errors import NeuralKGError, StoreUnavailable

if TYPE_CHECKING:
    from functions.local.commands.options import Checked

LOG = "submitted.log"


class NotStarted(NeuralKGError):  # noqa: N818 - the name says what is wrong
    """The worker ended before it had taken the question on."""


def start(checked: Checked, settings: Settings) -> str:
    """Start a worker for the question; returns the run id once the run is in the store.

    Raises what the worker found wrong, as ``BadInput`` or ``NotStarted``.
    """
    try:
        settings.home.mkdir(parents=True, exist_ok=True)
        with (settings.home / LOG).open("ab") as log:
            worker = subprocess.Popen(
                [sys.executable, "-m", "functions.local.background"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
                text=True,
            )
    except OSError as error:
        raise StoreUnavailable(f"the folder {settings.home} cannot be written: {error.strerror}") from error
    assert worker.stdin is not None  # noqa: S101 - both are pipes
    assert worker.stdout is not None  # noqa: S101
    with worker.stdin, worker.stdout:
        worker.stdin.write(json.dumps(asdict(checked)))
        worker.stdin.close()
        reply = worker.stdout.readline()
    # The worker outlives us on purpose; this keeps Python from warning about it.
    worker.returncode = 0
    if not reply:
        raise NotStarted(f"the question was not taken on; {settings.home / LOG} says why")
    told: dict[str, Any] = json.loads(reply)
    if "error" in told:
        from functions.ask.intake import BadInput

        wrong = told["error"]
        raise BadInput(wrong["code"], wrong["message"], allowed=wrong["allowed"], do=wrong["do"] or "")
    return str(told["run_id"])


async def _work(checked: Checked) -> None:
    from functions.ask.problems import problem_of
    from functions.local.wiring import open_application

    told = False
    try:
        async with open_application(Settings.from_environment()) as app:
            run_id = (await app.submit(checked.question, checked.options(app.registry))).run_id
            _reply({"run_id": run_id})
            told = True
            await app.wait(run_id)
    except NeuralKGError as error:
        if told:
            raise
        _reply(problem_of(error).as_json())


def _reply(told: dict[str, Any]) -> None:
    """Answer the one line that is waited for, and let go of the pipe."""
    os.write(sys.stdout.fileno(), (json.dumps(told) + "\n").encode())
    devnull = os.open(os.devnull, os.O_WRONLY)
    os.dup2(devnull, sys.stdout.fileno())
    os.close(devnull)


def main() -> None:
    """Answer the question on standard input."""
    from functions.local.commands.options import Checked

    given = json.load(sys.stdin)
    asyncio.run(_work(Checked(**given | {"sources": tuple(given["sources"])})))


if __name__ == "__main__":
    main()
