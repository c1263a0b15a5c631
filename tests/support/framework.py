"""Functions as the cloud runs them: each a process of the functions framework, over the emulators."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import httpx

from functions.local.emulators import free_port
from shared.runtime.settings import STAGES_FILE

ROOT = STAGES_FILE.parents[1]
START_SECONDS = 90.0
STOP_SECONDS = 20.0
_OURS = ("NEURALKG_", "GOOGLE_", "OTEL_", "K_", "FUNCTION_", "AWS_", "PUBSUB_", "FIRESTORE_", "STORAGE_")


@dataclass
class Functions:
    """Where each function answers, what it printed and, once all have ended, their exit codes."""

    urls: dict[str, str]
    logs: dict[str, Path]
    codes: dict[str, int] = field(default_factory=dict)


def addresses(names: Sequence[str]) -> dict[str, str]:
    """Free addresses, known before anything is started."""
    return {name: f"http://127.0.0.1:{free_port()}" for name in names}


@contextmanager
def framework(urls: Mapping[str, str], environment: Mapping[str, str], folder: Path) -> Iterator[Functions]:
    """Start each function by the framework's own command and wait until it is healthy."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(_OURS)}
    found = Functions(dict(urls), {name: folder / f"{name}.log" for name in urls})
    program = Path(sys.executable).with_name("functions-framework")
    processes: dict[str, subprocess.Popen[bytes]] = {}
    try:
        for name, url in urls.items():
            where = ["--host", "127.0.0.1", "--port", url.rpartition(":")[2]]
            with found.logs[name].open("wb") as log:
                processes[name] = subprocess.Popen(
                    [str(program), "--source", f"functions/{name}/main.py", "--target", "handle", *where],
                    cwd=ROOT,
                    env={**kept, **environment},
                    stdout=log,
                    stderr=subprocess.STDOUT,
                )
        for name, url in urls.items():
            _healthy(url, processes[name], found.logs[name])
        yield found
    finally:
        for process in processes.values():
            process.terminate()
        for name, process in processes.items():
            try:
                found.codes[name] = process.wait(STOP_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def _healthy(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + START_SECONDS
    while time.monotonic() < until and process.poll() is None:
        try:
            httpx.get(f"{url}/health", timeout=START_SECONDS).raise_for_status()
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return
    raise AssertionError(f"{url} is not healthy: {log.read_text(errors='replace')[-2000:]}")
