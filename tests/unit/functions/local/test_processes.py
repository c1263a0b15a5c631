"""Processes start, answer, end and leave nothing, however we end ourselves."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from functions.local.processes import Process, ProcessFailed, Program, stop_all
from functions.local.tether import Tether

ROOT = Path(__file__).resolve().parents[4]
PARENT = """
import sys, time
from pathlib import Path
from functions.local.emulators import CloudStorage
from functions.local.processes import Process, Program
from functions.local.tether import Tether

folder = Path(sys.argv[1])
tether = Tether()
tether.keep(folder)
command = ["/bin/sh", "-c", "trap '' TERM; sleep 60 & wait"]
stubborn = Process(Program("stubborn", command, {}, folder, folder / "log", lambda: True), tether)
stubborn.start()
storage = CloudStorage().start()
print(stubborn.pid, storage.pid, storage._folder.name, flush=True)
time.sleep(60)
"""


def gone(pid: int) -> bool:
    """Whether nothing of the group runs; what has ended and awaits its parent does not run."""
    listed = subprocess.run(["ps", "-A", "-o", "pgid=,stat="], capture_output=True, text=True, check=True).stdout
    return not any(
        int(line.split()[0]) == pid and not line.split()[1].startswith("Z") for line in listed.splitlines()
    )


def soon(true: Callable[[], bool]) -> bool:
    until = time.monotonic() + 10
    while not true() and time.monotonic() < until:
        time.sleep(0.05)
    return true()


@pytest.fixture
def tether() -> Iterator[Tether]:
    with Tether() as held:
        yield held


@pytest.fixture
def shell(tmp_path: Path, tether: Tether) -> Callable[..., Process]:
    def make(script: str, answers: Callable[[], bool] = lambda: True) -> Process:
        program = Program("the script", ["/bin/sh", "-c", script], {}, tmp_path, tmp_path / "log", answers)
        return Process(program, tether)

    return make


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
def test_a_parent_that_is_killed_leaves_no_process_and_no_folder(tmp_path: Path, how: signal.Signals) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, str(folder)], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    assert parent.stdout is not None
    with parent.stdout:
        stubborn, storage, emulators_folder = parent.stdout.readline().split()
    assert Path(emulators_folder).is_dir()
    parent.send_signal(how)
    parent.wait(10)
    assert soon(lambda: gone(int(stubborn)) and gone(int(storage)))
    assert soon(lambda: not folder.exists() and not Path(emulators_folder).exists())


def test_what_was_released_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "forgotten"
    folder.mkdir()
    bystander = subprocess.Popen(["sleep", "30"], process_group=0)
    with Tether() as tether:
        tether.hold(bystander.pid)
        tether.keep(folder)
        tether.release(bystander.pid)
        tether.forget(folder)
    assert bystander.poll() is None
    assert folder.is_dir()
    bystander.kill()
    bystander.wait()


def test_the_keeper_is_not_ended_by_what_ends_us(tether: Tether) -> None:
    for sent in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        os.kill(tether.pid, sent)
    time.sleep(0.3)
    assert not gone(tether.pid)


def test_a_keeper_that_was_killed_does_no_harm(shell: Callable[..., Process], tether: Tether) -> None:
    os.kill(tether.pid, signal.SIGKILL)
    time.sleep(0.1)
    process = shell("sleep 30")
    process.start()
    process.stop()
    assert not process.running


def test_a_process_that_ends_at_start_tells_how_and_its_last_words(shell: Callable[..., Process]) -> None:
    process = shell("echo no port is free; exit 3", answers=lambda: False)
    process.start()
    with pytest.raises(ProcessFailed, match="the script ended with exit code 3: no port is free"):
        process.wait(10)
    process.stop()


def test_a_process_that_does_not_answer_in_time_is_told(shell: Callable[..., Process]) -> None:
    process = shell("sleep 30", answers=lambda: False)
    process.start()
    with pytest.raises(ProcessFailed, match=r"did not answer within 0\.2 s: nothing was printed"):
        process.wait(0.2)
    process.stop()


def test_a_program_that_is_not_there_is_told(tmp_path: Path, tether: Tether) -> None:
    program = Program("nothing", ["/nowhere/nothing"], {}, tmp_path, tmp_path / "log", lambda: True)
    with pytest.raises(ProcessFailed, match="nothing cannot be started"):
        Process(program, tether).start()


def test_a_killed_process_says_so_and_can_be_started_again(shell: Callable[..., Process]) -> None:
    process = shell("sleep 30")
    process.start()
    first = process.pid
    process.signal(signal.SIGKILL)
    assert soon(lambda: not process.running)
    assert process.ending == "was killed by SIGKILL"
    process.start()
    assert process.running
    assert process.pid != first
    process.stop()
    assert process.pid is None


def test_several_are_stopped_at_once_and_by_force_where_they_stay(shell: Callable[..., Process]) -> None:
    processes = [shell("trap '' TERM; while :; do sleep 1; done") for _ in range(3)]
    for process in processes:
        process.start()
    pids = [process.pid for process in processes if process.pid is not None]
    time.sleep(0.2)
    began = time.monotonic()
    stop_all(processes, 0.5)
    assert time.monotonic() - began < 1.5
    assert all(gone(pid) for pid in pids)


def test_children_of_an_ended_process_end_with_it(shell: Callable[..., Process]) -> None:
    process = shell("sleep 30 & sleep 0.1")
    process.start()
    assert process.pid is not None
    pid = process.pid
    assert soon(lambda: not process.running)
    assert not gone(pid)
    process.stop()
    assert soon(lambda: gone(pid))
