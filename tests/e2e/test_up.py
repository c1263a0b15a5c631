"""``neuralkg up`` as a process: it answers as the embedded program does, and leaves nothing however it ends."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import threading
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

from functions.local.processes import ProcessFailed
from functions.local.up import Plan, running
from shared.runtime.settings import load_stages
from tests.e2e.conftest import COMMAND, ROOT, Cli, environment
from tests.e2e.same_answers import chosen, compare

pytestmark = pytest.mark.slow

START_SECONDS = 240
"""Enough for a machine that has other things to do; at rest it takes some 15 s."""
STOP_SECONDS = 30
SLOTS = 3
MARK = "STARTED_FOR"
"""The variable by which every process of one ``neuralkg up`` is known."""
QUESTION = "What is the population of Kenya?"


@dataclass
class Up:
    """A ``neuralkg up`` with a folder of its own for whatever is temporary."""

    process: subprocess.Popen[str]
    temporary: Path
    said: list[str] = field(default_factory=list)
    addresses: dict[str, str] = field(default_factory=dict)

    @property
    def left(self) -> list[str]:
        """What it started that still runs, and what it left in the folder."""
        listed = subprocess.run(["ps", "-A", "-o", "pid=,stat=,args="], capture_output=True, text=True, check=True)
        mine = [line for line in listed.stdout.splitlines() if self._is_ours(line)]
        return [*mine, *(path.name for path in self.temporary.iterdir())]

    def _is_ours(self, line: str) -> bool:
        pid, state, *_ = line.split()
        if state.startswith("Z") or int(pid) == self.process.pid:
            return False
        try:
            return f"{MARK}={self.temporary}".encode() in Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        except OSError:
            return False

    def heard(self, words: str, seconds: float = START_SECONDS) -> None:
        """Wait until it has said something on standard error."""
        until = time.monotonic() + seconds
        while not any(words in line for line in self.said):
            assert self.process.poll() is None, "".join(self.said)
            assert time.monotonic() < until, f"{words!r} was not said: {''.join(self.said)}"
            time.sleep(0.05)

    def ends(self) -> int:
        """Wait for its end; returns the exit code."""
        return self.process.wait(STOP_SECONDS)

    def nothing_left(self, seconds: float = 10) -> bool:
        """Whether nothing of it is left, soon."""
        until = time.monotonic() + seconds
        while self.left and time.monotonic() < until:
            time.sleep(0.1)
        assert self.left == []
        return True


def start(folder: Path, *arguments: str) -> Up:
    temporary = folder / "tmp"
    temporary.mkdir(parents=True)
    process = subprocess.Popen(
        [*COMMAND, "up", "--port", "0", *arguments],
        env=environment(folder / "home", TMPDIR=str(temporary), **{MARK: str(temporary)}),
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    up = Up(process, temporary)
    stream = process.stderr
    assert stream is not None

    def listen() -> None:
        with stream:
            up.said.extend(stream)

    threading.Thread(target=listen, daemon=True).start()
    return up


@pytest.fixture(scope="module")
def up(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """Everything, with the settings that it has by itself; ended by Ctrl-C."""
    started = start(tmp_path_factory.mktemp("up"))
    started.heard("NeuralKG listens on")
    assert started.process.stdout is not None
    rows = load_stages().functions
    built = [row.name for row in rows if (ROOT / "functions" / row.name / "main.py").is_file()]
    started.addresses = dict(started.process.stdout.readline().split() for _ in built)
    assert list(started.addresses) == built
    yield started
    started.process.send_signal(signal.SIGINT)
    assert started.ends() == 0
    assert started.said[-1] == "stopped\n"
    started.process.stdout.close()
    assert started.nothing_left()
    for address in started.addresses.values():
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection(("127.0.0.1", int(address.rpartition(":")[2])), 2)


def test_every_function_has_an_address_and_is_healthy(up: Up) -> None:
    for name, address in up.addresses.items():
        health = httpx.get(f"{address}/health", timeout=30)
        assert (health.status_code, health.json()["status"]) == (200, "ok"), name


async def test_answers_are_those_of_the_embedded_program(up: Up, tmp_path: Path) -> None:
    compared = await compare(up.addresses["ask"], chosen(35), tmp_path)
    assert compared.asked >= 20
    assert compared.differing == {}, compared.text()


async def test_of_a_hundred_questions_at_once_each_is_answered_or_refused(up: Up) -> None:
    limits = httpx.Limits(max_connections=100)
    async with httpx.AsyncClient(base_url=up.addresses["ask"], timeout=120, limits=limits) as client:
        replies = await asyncio.gather(*(client.get("/ask", params={"question": QUESTION}) for _ in range(100)))
        counted = Counter(reply.status_code for reply in replies)
        assert set(counted) <= {200, 429}, counted
        assert counted[200] >= SLOTS
        answers = [reply.json() for reply in replies if reply.status_code == 200]
        assert {answer["status"] for answer in answers} == {"complete"}
        assert len({answer["run_id"] for answer in answers}) == counted[200]
        refused = [reply for reply in replies if reply.status_code == 429]
        assert all(int(reply.headers["Retry-After"]) >= 1 for reply in refused)
        assert {reply.json()["error"]["code"] for reply in refused} <= {"busy"}
        # A slot is let go when the ask function next looks at its run.
        until = time.monotonic() + 10
        while (health := (await client.get("/health")).json())["slots"]["free"] < SLOTS:
            assert time.monotonic() < until, health
    assert health["slots"] == {"total": SLOTS, "free": SLOTS}


def test_an_emulator_that_dies_is_started_again_and_it_is_told_what_is_gone_and_what_to_do(up: Up) -> None:
    running = [int(line.split()[0]) for line in up.left if "java" in line]
    (pid,) = (one for one in running if b"CloudFirestore" in Path(f"/proc/{one}/cmdline").read_bytes())
    os.kill(pid, signal.SIGKILL)
    up.heard("the Firestore emulator was killed by SIGKILL; it is started again. Every run was kept there")
    assert any("ask again" in line for line in up.said)
    until = time.monotonic() + START_SECONDS
    while (reply := httpx.get(f"{up.addresses['ask']}/ask?question={QUESTION}", timeout=120)).is_error:
        assert time.monotonic() < until, reply.text
        time.sleep(0.5)
    assert reply.json()["status"] == "complete"


def test_the_check_asks_three_questions_and_leaves_nothing(tmp_path: Path) -> None:
    checking = start(tmp_path, "--check")
    assert checking.process.stdout is not None
    with checking.process.stdout as stream:
        said = stream.read()
    assert checking.ends() == 0, said + "".join(checking.said)
    assert len(re.findall("^ok  ", said, re.MULTILINE)) == 3
    assert "All 3 questions went well." in said
    assert checking.nothing_left()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_ended_while_it_starts_it_leaves_nothing(tmp_path: Path, how: signal.Signals) -> None:
    starting = start(tmp_path)
    starting.heard("the Firestore emulator answers")
    assert len(starting.left) > 3
    starting.process.send_signal(how)
    assert starting.ends() == (0 if how is signal.SIGTERM else -signal.SIGKILL)
    starting.process.stdout.close()  # type: ignore[union-attr]
    assert starting.nothing_left()


async def test_a_function_that_dies_at_its_start_is_told_with_its_last_words() -> None:
    plan = Plan(entry=("-c", "import sys; sys.exit(f'{sys.argv[1]} has no memory')"))
    with pytest.raises(ProcessFailed, match=r"(\w+) ended with exit code 1: \1 has no memory"):
        async with running(plan, tell=lambda _: None):
            pass


class TestWrongUse:
    def test_a_taken_port(self, cli: Cli) -> None:
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            done = cli("up", "--port", str(taken.getsockname()[1]))
        assert done.returncode == 2
        assert "Cannot listen on 127.0.0.1 port" in done.stderr
        assert "Choose another with --port" in done.stderr

    def test_a_wrong_name_of_the_environment(self, cli: Cli) -> None:
        done = cli("up", "--environment", "My Dev")
        assert done.returncode == 2
        assert "'My Dev' cannot name an environment" in done.stderr

    def test_a_wrong_option(self, cli: Cli) -> None:
        done = cli("up", "--prot", "1")
        assert done.returncode == 2
        assert "--prot" in done.stderr

    def test_a_wrong_setting(self, cli: Cli) -> None:
        done = cli("up", "--port", "0", env={"NEURALKG_CONCURRENCY": "many"})
        assert done.returncode == 2
        assert "NEURALKG_CONCURRENCY is 'many'" in done.stderr

    def test_missing_java(self, cli: Cli, tmp_path: Path) -> None:
        sdk = {"CLOUDSDK_ROOT_DIR": str(tmp_path), "PATH": str(tmp_path)}
        for jar in ("cloud-firestore-emulator/cloud-firestore-emulator.jar", "pubsub-emulator/lib/x.jar"):
            (tmp_path / "platform" / jar).parent.mkdir(parents=True, exist_ok=True)
        done = cli("up", "--port", "0", env=sdk)
        assert done.returncode == 1
        assert "install a Java 17 runtime" in done.stderr

    def test_a_missing_emulator(self, cli: Cli, tmp_path: Path) -> None:
        done = cli("up", "--port", "0", env={"CLOUDSDK_ROOT_DIR": str(tmp_path), "PATH": os.environ["PATH"]})
        assert done.returncode == 1
        assert "gcloud components install" in done.stderr
