"""What dies is started again; what keeps dying, or takes with it what cannot be had again, ends all."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from functions.local import supervisor as module
from functions.local.processes import Process, ProcessFailed, Program
from functions.local.supervisor import Supervisor
from functions.local.tether import Tether

Make = Callable[..., Process]


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Make]:
    with Tether() as tether:

        def make(name: str, script: str = "sleep 60", answers: Callable[[], bool] = lambda: True) -> Process:
            program = Program(name, ["/bin/sh", "-c", script], {}, tmp_path, tmp_path / f"{name}.log", answers)
            return Process(program, tether)

        yield make


async def watched(supervisor: Supervisor, until: Callable[[], bool]) -> None:
    watching = asyncio.create_task(supervisor.watch())
    ends = time.monotonic() + 20
    while not until() and not watching.done() and time.monotonic() < ends:
        await asyncio.wait({watching}, timeout=0.02)
    if watching.done():
        watching.result()
    watching.cancel()
    with suppress(asyncio.CancelledError):
        await watching


async def test_a_killed_process_is_started_again_and_what_follows_is_done_again(shell: Make) -> None:
    told: list[str] = []
    done: list[str] = []

    async def afterwards() -> None:
        done.append("again")

    supervisor = Supervisor(at_once=2, tell=told.append)
    process, other = shell("select"), shell("plan")
    await supervisor.start(process, seconds=5, afterwards=afterwards)
    await supervisor.start(other, seconds=5)
    pid, kept = process.pid, other.pid
    process.signal(signal.SIGKILL)
    await watched(supervisor, lambda: bool(done))
    assert process.running
    assert (process.pid != pid, other.pid == kept) == (True, True)
    assert told == ["select was killed by SIGKILL; it is started again"]
    assert supervisor.restarts == 1
    supervisor.stop()
    assert (process.pid, other.pid, supervisor.processes) == (None, None, {})


async def test_a_process_that_keeps_dying_ends_the_watch_with_its_last_words(
    shell: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "FIRST_PAUSE", 0.0)
    supervisor = Supervisor(at_once=1, tell=lambda _: None)
    await supervisor.start(shell("select", "echo no memory >&2; sleep 0.3"), seconds=5)
    with pytest.raises(
        ProcessFailed, match=r"select ended with exit code 0, 7 times soon after its start: .*no memory"
    ):
        await watched(supervisor, lambda: False)
    supervisor.stop()


async def test_what_is_lost_with_a_process_is_told_when_it_is_started_again(shell: Make) -> None:
    told: list[str] = []
    supervisor = Supervisor(at_once=1, tell=told.append)
    process = shell("the store")
    await supervisor.start(process, seconds=5, lost="All runs are gone: ask again.")
    pid = process.pid
    process.signal(signal.SIGKILL)
    await watched(supervisor, lambda: supervisor.restarts == 1)
    assert (process.running, process.pid != pid) == (True, True)
    assert told == ["the store was killed by SIGKILL; it is started again. All runs are gone: ask again."]
    supervisor.stop()


async def test_no_more_than_the_given_number_start_at_one_time(shell: Make) -> None:
    starting: set[str] = set()
    most: list[int] = []

    def answering(name: str) -> Callable[[], bool]:
        looks = iter(range(3))

        def answers() -> bool:
            starting.add(name)
            most.append(len(starting))
            if next(looks) < 2:
                return False
            starting.discard(name)
            return True

        return answers

    supervisor = Supervisor(at_once=2, tell=lambda _: None)
    processes = [shell(f"p{n}", answers=answering(f"p{n}")) for n in range(5)]
    await asyncio.gather(*(supervisor.start(process, seconds=5) for process in processes))
    assert max(most) == 2
    supervisor.stop()


async def test_a_process_that_does_not_answer_in_time_is_told(shell: Make) -> None:
    supervisor = Supervisor(at_once=1, tell=lambda _: None)
    with pytest.raises(ProcessFailed, match=r"slow did not answer within 0\.3 s"):
        await supervisor.start(shell("slow", answers=lambda: False), seconds=0.3)
    supervisor.stop()
