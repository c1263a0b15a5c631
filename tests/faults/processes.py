"""The faults through ``neuralkg up``: every function a process that is killed, and connections that are cut."""

from __future__ import annotations

import asyncio
import json
import os
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from functions.local.up import Plan, Running, running
from shared.runtime.errors import NeuralKGError
from shared.runtime.ports import Archive, RunStore
from shared.runtime.records import RunStatus
from shared.runtime.settings import Retry, StageTable, load_stages
from tests.faults.chances import CALM, Chances
from tests.faults.checks import used, violations
from tests.faults.injected import HANGS_SECONDS, NO_ANSWER, VARIABLE
from tests.faults.ports import FAULTS
from tests.faults.proxy import CuttingProxy
from tests.faults.report import Report

CASES = Path(__file__).parents[1] / "cases" / "questions.jsonl"
RATE = 0.004
"""How often each fault strikes a step, where nothing else is said: one process killed for each 5 questions."""
SWEEP_SECONDS = 2.0
CUT_SECONDS = 7.0
DEADLINE_SECONDS = 600
"""Long enough for a run that is struck again and again."""
PATIENCE_SECONDS = 300.0
"""What one question may take, with everything that goes wrong."""
AGAIN_SECONDS = 0.3
DISTINCT = 60
"""How many questions there are; each is asked once without faults, to know what it uses."""
LONGEST = 500
"""Characters; what is refused before it becomes a run tells nothing here."""
HANGING_EVERY = 40
"""One question in so many meets a stage that never ends."""


def hasty(table: StageTable) -> StageTable:
    """The table with messages that come again at once, and often enough for every fault there is."""
    retry = Retry(min_backoff_seconds=0, max_backoff_seconds=2, max_attempts=100)
    rows = tuple(row.model_copy(update={"retry": retry}) if row.retry else row for row in table.functions)
    return table.model_copy(update={"functions": rows})


def rates(each: float) -> dict[str, float]:
    """Every fault at the same rate; much fewer processes stand still, since that takes longest."""
    return dict.fromkeys(FAULTS, each) | {"stall-past-lease": each / 4, "model-times-out": each}


def questions(count: int) -> list[str]:
    """``DISTINCT`` questions of the cases, spread over all kinds, as often as it takes."""
    cases = [json.loads(line) for line in CASES.read_text(encoding="utf-8").splitlines()]
    plain = [case["question"] for case in cases if not case.get("options")]
    plain = [question for question in plain if question.strip() and len(question) < LONGEST]
    spread = plain[:: max(1, len(plain) // DISTINCT)][:DISTINCT]
    return [spread[number % len(spread)] for number in range(count)]


@dataclass
class Cloud:
    """What runs, with the ports through which it is looked at, around the proxies and without faults."""

    running: Running
    store: RunStore
    archive: Archive
    client: httpx.AsyncClient
    proxies: Sequence[CuttingProxy]
    chances: Chances
    lost_replies: int = field(default=0)

    async def ask(self, question: str, *, deadline: float = DEADLINE_SECONDS) -> str:
        """Submit a question, again until it is taken, and wait for its run; returns the run's id."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            url = await self._submitted({"question": question, "deadline_seconds": deadline})
            while (await self._reply("GET", url))["status"] == RunStatus.RUNNING:  # noqa: ASYNC110 - it is elsewhere
                await asyncio.sleep(AGAIN_SECONDS)
        return url.rpartition("/")[2]

    async def _submitted(self, body: Mapping[str, Any]) -> str:
        return str((await self._reply("POST", "/api/submit", body))["url"])

    async def _reply(self, method: str, url: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        while True:
            try:
                reply = await self.client.request(method, url, json=body)
            except httpx.TransportError:
                self.lost_replies += 1
            else:
                if reply.is_success:
                    return dict(reply.json())
                if reply.status_code not in {429, 500, 503}:
                    raise AssertionError(f"{method} {url}: HTTP {reply.status_code}, {reply.text}")
            await asyncio.sleep(AGAIN_SECONDS)


@asynccontextmanager
async def cloud(
    folder: Path, *, rates: Mapping[str, float], seed: int = 0, tell: Any = lambda _: None, logs: Path | None = None
) -> AsyncIterator[Cloud]:
    """Run everything with faults at these rates, which strike once the file ``calm`` is gone from ``folder``."""
    from shared.adapters.archives import open_archive
    from shared.adapters.firestore_store import FirestoreStore

    chances = Chances(folder, rates, seed)
    (folder / CALM).touch()
    proxies = [CuttingProxy() for _ in PROXIED]
    async with AsyncExitStack() as stack:

        def more(clients: Mapping[str, str]) -> Mapping[str, str]:
            found = {VARIABLE: chances.to_json(), "NEURALKG_CONCURRENCY": "64", "NEURALKG_LOG": "warning"}
            for proxy, name in zip(proxies, PROXIED, strict=True):
                proxy.leads_to(clients[name])
                found[name] = proxy.address
            return found

        for proxy in proxies:
            await stack.enter_async_context(proxy)
        plan = Plan(
            table=hasty(load_stages()),
            entry=("-m", "tests.faults.injected"),
            more=more,
            sweep_seconds=SWEEP_SECONDS,
            logs=logs,
        )
        runs = await stack.enter_async_context(running(plan, tell=tell))
        watching = asyncio.create_task(runs.watch())
        stack.push_async_callback(_cancelled, watching)
        before = {name: os.environ.get(name) for name in runs.emulators}
        os.environ.update(runs.emulators)
        stack.callback(_restored, before)
        store = FirestoreStore(project=runs.project)
        stack.push_async_callback(store.close)
        client = await stack.enter_async_context(
            httpx.AsyncClient(base_url=runs.front, timeout=30, trust_env=False)
        )
        yield Cloud(runs, store, open_archive(f"gs://{runs.bucket}"), client, proxies, chances)
        if watching.done():
            watching.result()


PROXIED = ("FIRESTORE_EMULATOR_HOST", "PUBSUB_EMULATOR_HOST")


async def run(
    count: int,
    folder: Path,
    *,
    rates: Mapping[str, float],
    seed: int = 0,
    in_flight: int = 12,
    tell: Any = lambda _: None,
    logs: Path | None = None,
) -> Report:
    """Ask ``count`` questions among faults of these rates, and hold each run against one without."""
    report = Report(asked=count, how="processes")
    asked = questions(count)
    async with cloud(folder, rates=rates, seed=seed, tell=tell, logs=logs) as up:
        tell(f"everything answers after {up.running.seconds:.1f} s; now without faults")
        expected = {}
        began = time.monotonic()
        distinct = list(dict.fromkeys(asked))
        for question, run_id in zip(distinct, await _all(up, distinct, in_flight), strict=True):
            expected[question] = used(await up.store.steps(run_id))
        tell(f"{len(distinct)} questions in {time.monotonic() - began:.1f} s; now with faults")
        (folder / CALM).unlink()
        cutting = [asyncio.create_task(proxy.keep_cutting(CUT_SECONDS)) for proxy in up.proxies]
        began = time.monotonic()
        ids = await _all(up, asked, in_flight, tell)
        report.seconds = time.monotonic() - began
        for task in cutting:
            await _cancelled(task)
        (folder / CALM).touch()
        for number, (question, run_id) in enumerate(zip(asked, ids, strict=True)):
            await _judge(
                up, report, run_id, expected[question], hanging=number % HANGING_EVERY == HANGING_EVERY - 1
            )
        report.stray = await _stray(up)
        report.struck = up.chances.counted()
        report.restarts = up.running.supervisor.restarts
        report.cuts = sum(proxy.cuts for proxy in up.proxies)
    return report


async def _all(up: Cloud, asked: Sequence[str], in_flight: int, tell: Any = None) -> list[str]:
    turn = asyncio.Semaphore(in_flight)
    done = 0

    async def one(number: int, question: str) -> str:
        nonlocal done
        hanging = tell is not None and _hanging(number)
        async with turn:
            run_id = await up.ask(question, deadline=HANGS_SECONDS if hanging else DEADLINE_SECONDS)
        done += 1
        if tell is not None and done % 50 == 0:
            tell(f"{done} of {len(asked)} answered, {up.running.supervisor.restarts} processes started again")
        return run_id

    return list(await asyncio.gather(*(one(number, question) for number, question in enumerate(asked))))


def _hanging(number: int) -> bool:
    return number % HANGING_EVERY == HANGING_EVERY - 1


async def _judge(up: Cloud, report: Report, run_id: str, expected: Mapping[str, Any], *, hanging: bool) -> None:
    run, steps = await up.store.get(run_id), await up.store.steps(run_id)
    failures = (run.answer or {}).get("failures", ())
    struck = any(NO_ANSWER in failure["reason"] for failure in failures)
    if hanging or struck:
        # What such a run uses depends on when it happened; that it ends visibly does not.
        report.hung += 1
        if hanging and not any(failure["status"] == "deadline" for failure in failures):
            report.wrong(run_id, [f"its time was up, and it does not say so: {failures}"])
    found = await violations(up.store, up.archive, run_id, expected=None if hanging or struck else expected)
    report.wrong(run_id, found)
    report.steps += len(steps)
    report.attempts += sum(step.attempts for step in steps)


async def _stray(up: Cloud) -> list[str]:
    """Runs that have not ended, also those whose asker never learned that they had begun."""
    until = time.monotonic() + 30
    while True:
        found = [run.run_id for run in await up.store.recent(limit=5_000) if run.status is RunStatus.RUNNING]
        if not found or time.monotonic() > until:
            return found
        await asyncio.sleep(1)


async def _cancelled(task: asyncio.Task[None]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError, NeuralKGError):
        await task


def _restored(before: Mapping[str, str | None]) -> None:
    for name, value in before.items():
        if value is None:
            del os.environ[name]
        else:
            os.environ[name] = value
