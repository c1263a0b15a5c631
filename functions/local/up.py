"""Runs the cloud on this machine: the emulators, and every function of the table as a process of its own."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import httpx

from finder_index.index import CURRENT
from functions.hosting.settings import CloudSettings
from functions.local.cron import Schedule
from functions.local.emulators import READY_SECONDS, CloudStorage, Emulator, EmulatorFailed, Firestore, PubSub
from functions.local.hosted import TARGET
from functions.local.listening import bound
from functions.local.processes import Process, Program, answers_http
from functions.local.sources import FINDER, FRONT, ROOT, Tell, require_installed, source
from functions.local.supervisor import Afterwards, Supervisor
from functions.local.tether import Tether
from shared.runtime.context import utc_now
from shared.runtime.settings import StageTable, load_stages
from shared.runtime.topology import Names, topology

if TYPE_CHECKING:
    from shared.runtime.settings import FunctionSetting

log = logging.getLogger(__name__)

HOST = "127.0.0.1"
PROJECT = "neuralkg-local"
START_SECONDS = 180.0
"""What a function may take to answer; on a machine at rest it takes 2 to 4 s."""
BACKLOG = 1024
_RUNS_LOST = "Every run was kept there and nowhere else: ask again. What was archived is still in the bucket."
_MESSAGES_LOST = (
    "Messages under way are gone: the sweep drives runs on. Publish again the questions that have no run."
)
_OTHERS = ("NEURALKG_", "GOOGLE_", "PUBSUB_", "FIRESTORE_", "STORAGE_", "AWS_", "FUNCTION_", "K_")
"""Variables that begin so would lead a function elsewhere than to the emulators, or set it up in another way."""
_PASSED_ON = frozenset(
    {"NEURALKG_LOG", "NEURALKG_CONCURRENCY", "NEURALKG_RATE", "NEURALKG_DEADLINE", "NEURALKG_LIVE"}
)


@dataclass(frozen=True, slots=True)
class Plan:
    """What to run.

    ``port`` is that of the ask function; the others take free ones, as it does for 0. ``entry`` are the
    interpreter's arguments that run a function, given its name and its socket. ``more`` adds to every function's
    environment, given the variables that lead to the emulators. ``sweep_seconds`` calls scheduled functions so
    often, whatever their schedule says. ``logs`` keeps what the processes print, which otherwise goes away.
    """

    port: int = 0
    environment: str = "dev"
    live: bool = False
    table: StageTable = field(default_factory=load_stages)
    entry: Sequence[str] = ("-m", "functions.local.hosted")
    more: Callable[[Mapping[str, str]], Mapping[str, str]] = lambda _: {}
    sweep_seconds: float | None = None
    logs: Path | None = None


@dataclass(frozen=True, slots=True)
class Running:
    """What runs. ``addresses`` are those of the functions, ``took`` the seconds that each start took."""

    addresses: Mapping[str, str]
    supervisor: Supervisor
    emulators: Mapping[str, str]
    """The variables that lead the official clients to the emulators."""
    bucket: str
    project: str
    took: Mapping[str, float]
    seconds: float

    @property
    def front(self) -> str:
        """The address of the ask function."""
        return self.addresses[FRONT]

    async def watch(self) -> None:
        """Start again whatever dies, until cancelled. Raises ``ProcessFailed`` for what keeps dying."""
        await self.supervisor.watch()


@asynccontextmanager
async def running(plan: Plan, *, tell: Tell) -> AsyncIterator[Running]:
    """Start everything and wait until all of it answers; nothing of it is left when the block is.

    Raises ``BadInput`` (a taken port), ``UsageError`` (an environment's name), ``NotBuilt``, ``EmulatorMissing``
    or ``ProcessFailed``.
    """
    began = time.monotonic()
    Names(plan.environment)
    require_installed()
    async with AsyncExitStack() as stack:
        sockets = _listen(plan, stack)
        # First what tidies up after us, and then what there may be to tidy up.
        tether = stack.enter_context(Tether())
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="neuralkg-up-", ignore_cleanup_errors=True))
        tether.keep(Path(folder))
        cloud = _Cloud(plan, sockets=sockets, folder=Path(folder), tether=tether, tell=tell)
        stack.callback(cloud.stop)
        took = await cloud.start()
        for row in plan.table.functions:
            if row.schedule is not None:
                task = asyncio.create_task(cloud.keep_calling(row), name=f"schedule of {row.name}")
                stack.push_async_callback(_cancelled, task)
        yield Running(
            addresses=cloud.addresses,
            supervisor=cloud.supervisor,
            emulators=cloud.clients,
            bucket=cloud.bucket,
            project=PROJECT,
            took=took,
            seconds=time.monotonic() - began,
        )


class _Cloud:
    def __init__(
        self, plan: Plan, *, sockets: Mapping[str, socket.socket], folder: Path, tether: Tether, tell: Tell
    ) -> None:
        self._plan, self._sockets, self._folder, self._tether, self._tell = plan, sockets, folder, tether, tell
        self._logs = plan.logs or folder / "logs"
        self._logs.mkdir(parents=True, exist_ok=True)
        self._topology = topology(plan.table, plan.environment)
        self.bucket = Names(plan.environment).of("archive")
        self.addresses = {name: f"http://{HOST}:{one.getsockname()[1]}" for name, one in sockets.items()}
        # One more than there are cores: while one waits for its files, another has work for its core.
        self.supervisor = Supervisor(at_once=(os.cpu_count() or 1) + 1, tell=tell)
        self._firestore, self._pubsub = Firestore(tether=tether), PubSub(tether=tether)
        self._storage = CloudStorage(tether=tether)
        emulators = (self._firestore, self._pubsub, self._storage)
        self.clients = {name: value for one in emulators for name, value in one.environment.items()}

    async def start(self) -> Mapping[str, float]:
        """Start all at once, so far as there are cores; returns the seconds that each function took."""
        took: dict[str, float] = {}
        for row in self._plan.table.functions:
            # A wrong setting is told before anything starts; a function would only say so when it is asked.
            CloudSettings.from_environment(self._environment(row))

        async def function(row: FunctionSetting) -> None:
            took[row.name] = await self.supervisor.start(self._function(row), seconds=START_SECONDS)
            self._tell(f"{row.name} answers after {took[row.name]:.1f} s")

        try:
            async with asyncio.TaskGroup() as group:
                group.create_task(self._emulator(self._firestore, lost=_RUNS_LOST))
                group.create_task(self._emulator(self._pubsub, afterwards=self._provision, lost=_MESSAGES_LOST))
                group.create_task(self._emulator(self._storage, afterwards=self._bucket))
                for row in self._plan.table.functions:
                    group.create_task(function(row))
        except ExceptionGroup as failed:
            raise failed.exceptions[0] from None
        return took

    def stop(self) -> None:
        """Stop the functions, which may still have something to write, and then what they write to."""
        functions = set(self.addresses)
        self.supervisor.stop(lambda name: name in functions)
        self.supervisor.stop()
        for emulator in (self._firestore, self._pubsub, self._storage):
            emulator.stop()

    async def keep_calling(self, row: FunctionSetting) -> None:
        """Call a function whenever its schedule comes round, as Cloud Scheduler does."""
        schedule = Schedule(row.schedule or "* * * * *")
        while True:
            now = utc_now()
            seconds = (schedule.after(now) - now).total_seconds()
            await asyncio.sleep(self._plan.sweep_seconds or seconds)
            await _call(self.addresses[row.name], row.timeout_seconds)

    async def _emulator(self, emulator: Emulator, *, afterwards: Afterwards | None = None, lost: str = "") -> None:
        process = emulator.process()
        await self.supervisor.start(process, seconds=READY_SECONDS, afterwards=afterwards, lost=lost)
        if afterwards is not None:
            await afterwards()
        self._tell(f"{process.name} answers")

    async def _provision(self) -> None:
        # Only here, and while the emulators start: Google's client is slow to load.
        from shared.adapters.pubsub_topology import create_topology

        await create_topology(self._topology, PROJECT, endpoints=self.addresses, emulator=self._pubsub.address)

    async def _bucket(self) -> None:
        async with httpx.AsyncClient(timeout=READY_SECONDS, trust_env=False) as client:
            address = f"{self._storage.url}/storage/v1/b"
            reply = await client.post(address, params={"project": PROJECT}, json={"name": self.bucket})
        if reply.status_code not in {httpx.codes.OK, httpx.codes.CONFLICT}:
            raise EmulatorFailed(f"the bucket {self.bucket} was not created: HTTP {reply.status_code}")

    def _function(self, row: FunctionSetting) -> Process:
        listening = self._sockets[row.name].fileno()
        program = Program(
            name=row.name,
            command=[sys.executable, *self._plan.entry, row.name, str(listening)],
            environment=self._environment(row),
            folder=ROOT,
            log=self._logs / f"{row.name}.log",
            answers=partial(answers_http, self.addresses[row.name] + "/health", whatever=False),
            inherits=(listening,),
        )
        return Process(program, self._tether)

    def _environment(self, row: FunctionSetting) -> dict[str, str]:
        """What a function sees: no other cloud's settings, and no key to one."""
        kept = {
            name: value for name, value in os.environ.items() if name in _PASSED_ON or not name.startswith(_OTHERS)
        }
        home, temporary = self._folder / "home" / row.name, self._folder / "tmp"
        for folder in (home, temporary):
            folder.mkdir(parents=True, exist_ok=True)
        ours = {
            "GOOGLE_CLOUD_PROJECT": PROJECT,
            "NEURALKG_ENVIRONMENT": self._plan.environment,
            "NEURALKG_ARCHIVE": f"gs://{self.bucket}",
            "NEURALKG_FINDER_URL": self.addresses[FINDER],
            "NEURALKG_INDEX": str(CURRENT),
            "NEURALKG_HOME": str(home),
            # Libraries leave things where temporary files go; these go away with the rest.
            "TMPDIR": str(temporary),
            "FUNCTION_TARGET": TARGET,
            "FUNCTION_SOURCE": str(source(row.name)),
            # One address asks for everybody here.
            "SEARCH_LIMIT_PER_DAY": "0",
        }
        live = {"NEURALKG_LIVE": "1"} if self._plan.live else {}
        return {**kept, **ours, **live, **self.clients, **self._plan.more(self.clients)}


def _listen(plan: Plan, stack: AsyncExitStack) -> dict[str, socket.socket]:
    """A listening socket for each function. They stay open here, so callers wait for one that starts again."""
    found = {}
    for row in plan.table.functions:
        listener = stack.enter_context(bound(HOST, plan.port if row.name == FRONT else 0))
        listener.listen(BACKLOG)
        found[row.name] = listener
    return found


async def _call(url: str, seconds: float) -> None:
    """Call a scheduled function; what goes wrong is for its next call."""
    try:
        async with httpx.AsyncClient(timeout=seconds, trust_env=False) as client:
            reply = await client.post(url)
    except httpx.TransportError as error:
        log.warning("the scheduled call of %s failed: %s", url, type(error).__name__)
        return
    if reply.is_error:
        log.warning("the scheduled call of %s failed: HTTP %d", url, reply.status_code)


async def _cancelled(task: asyncio.Task[None]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
