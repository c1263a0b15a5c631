"""Ctrl-C in every stage: the run is flagged and ends as cancelled, nothing is lost, the exit code is 130."""

from __future__ import annotations

import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from shared.runtime.settings import PIPELINE
from tests.e2e.conftest import ROOT, Cli, environment

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("stage", PIPELINE)
def test_an_interrupted_question_ends_as_cancelled(home: Path, cli: Cli, stage: str) -> None:
    asking = subprocess.Popen(
        [sys.executable, "-m", "tests.e2e.stuck_cli", stage, "ask", "--json", "What is India's GDP?"],
        env=environment(home),
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert asking.stderr is not None
    said = ""
    while "waiting" not in said:
        line = asking.stderr.readline()
        assert line, said
        said += line
    asking.send_signal(signal.SIGINT)
    stdout, rest = asking.communicate(timeout=30)
    assert asking.returncode == 130
    assert stdout == ""
    assert "cancelled; nothing was lost" in rest
    assert "Traceback" not in rest

    with sqlite3.connect(home / "runs-3.sqlite3") as store:
        ((status, flagged),) = store.execute("SELECT status, cancel_requested FROM runs").fetchall()
        assert (status, flagged) == ("cancelled", 1)
        assert store.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    store.close()
    listed = cli("run", "list")
    assert "cancelled" in listed.stdout
