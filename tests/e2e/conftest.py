"""Runs the command line as people and programs do: as a process of its own, with a state folder of its own."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMAND = [sys.executable, "-m", "functions.local.cli"]
Cli = Callable[..., "subprocess.CompletedProcess[str]"]


def environment(home: Path, **more: str) -> dict[str, str]:
    kept = {name: value for name, value in os.environ.items() if not name.startswith("NEURALKG_")}
    return kept | {"NEURALKG_HOME": str(home), "PYTHONWARNINGS": "error"} | more


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "home"


@pytest.fixture
def cli(home: Path) -> Cli:
    """Runs ``neuralkg`` with some arguments to its end."""

    def run(
        *arguments: str, env: dict[str, str] | None = None, **options: object
    ) -> subprocess.CompletedProcess[str]:
        streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "stdin": subprocess.DEVNULL} | options
        return subprocess.run(  # type: ignore[call-overload, no-any-return]
            [*COMMAND, *arguments],
            env=environment(home, **(env or {})),
            cwd=ROOT,
            text=True,
            encoding="utf-8",
            timeout=120,
            check=False,
            **streams,
        )

    return run
