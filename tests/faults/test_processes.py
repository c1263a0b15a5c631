"""Every function is killed while questions run, every fault strikes at once, and messages are foreign.

One ``neuralkg up`` with short leases serves all of it; see ``tests.faults.processes``.
"""

from __future__ import annotations

import asyncio
import base64
import json
import signal
import time
from collections.abc import AsyncIterator
from datetime import timedelta
from typing import Any

import httpx
import pytest
import pytest_asyncio

from functions.local.processes import ProcessFailed
from functions.local.supervisor import Supervisor
from shared.query.annotated import AskOptions
from shared.query.identifiers import RunId
from shared.runtime.context import utc_now
from shared.runtime.records import RunRecord, RunStatus, StepRef, StepState
from shared.runtime.settings import PIPELINE
from shared.runtime.topology import KEPT, Names
from tests.faults.chances import CALM
from tests.faults.checks import used, violations
from tests.faults.injected import COPY_SECONDS
from tests.faults.processes import Cloud, cloud, questions, rates
from tests.faults.report import Report

pytestmark = [pytest.mark.slow, pytest.mark.asyncio(loop_scope="module")]

NAMES = Names("dev")
QUESTION = "What is the population of Kenya?"
SOON_SECONDS = 90.0


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def up(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Cloud]:
    folder = tmp_path_factory.mktemp("faults")
    async with cloud(folder, rates=rates(0.02), seed=3) as running:
        yield running


async def soon(true: Any) -> None:
    until = time.monotonic() + SOON_SECONDS
    while not await true():
        assert time.monotonic() < until
        await asyncio.sleep(0.1)


async def alive(supervisor: Supervisor, name: str, before: int | None) -> bool:
    """Whether the process was started again and answers."""
    process = supervisor.processes[name]
    try:
        return process.pid != before and await asyncio.to_thread(process.ready)
    except ProcessFailed:
        return False


async def test_killing_each_function_while_twenty_questions_run_loses_none(up: Cloud) -> None:
    supervisor = up.running.supervisor
    asked = questions(400)
    killing = True
    answered: list[str] = []

    async def asker(number: int) -> None:
        while killing or len(answered) < 20:
            answered.append(await up.ask(asked[(number * 20 + len(answered)) % len(asked)]))

    askers = [asyncio.create_task(asker(number)) for number in range(20)]
    await asyncio.sleep(1)
    restarts = supervisor.restarts
    killed = {}
    for name in up.running.addresses:
        killed[name] = supervisor.processes[name].pid
        supervisor.processes[name].signal(signal.SIGKILL)
        # The next dies before this one is back; the questions wait for both.
        await asyncio.sleep(1.5)
    for name, pid in killed.items():
        await soon(lambda name=name, pid=pid: alive(supervisor, name, pid))
    killing = False
    await asyncio.gather(*askers)
    assert {*PIPELINE, "ask", "finder", "archive", "sweep"} <= set(killed)
    assert supervisor.restarts - restarts == len(killed)
    assert len(answered) == len(set(answered)) >= 20
    for run_id in answered:
        assert await violations(up.store, up.archive, RunId(run_id), expected=None) == []
    # Also of those whose asker was cut off, and asked anew.
    runs = await up.store.recent(limit=1_000)
    assert len(runs) >= len(answered)

    async def all_ended() -> bool:
        return all(run.status is not RunStatus.RUNNING for run in await up.store.recent(limit=1_000))

    await soon(all_ended)


async def test_among_all_faults_every_run_ends_once_with_the_usage_it_has_without(up: Cloud) -> None:
    asked = questions(12)
    report = Report(asked=len(asked), how="processes")
    calm = await asyncio.gather(*(up.ask(question) for question in asked))
    expected = [used(await up.store.steps(RunId(run))) for run in calm]
    (up.chances.folder / CALM).unlink()
    cutting = [asyncio.create_task(proxy.keep_cutting(5)) for proxy in up.proxies]
    try:
        struck = await asyncio.gather(*(up.ask(question) for question in asked))
    finally:
        (up.chances.folder / CALM).touch()
        for task in cutting:
            task.cancel()
    for run, meant in zip(struck, expected, strict=True):
        expecting = await unless_hung(up, run, meant)
        report.wrong(run, await violations(up.store, up.archive, RunId(run), expected=expecting))
    report.struck = up.chances.counted()
    assert report.passed, report.text()
    assert sum(count for fault, count in report.struck.items() if fault.startswith("kill")) >= 2, report.text()


async def unless_hung(up: Cloud, run_id: str, expected: Any) -> Any:
    """What the run was to use, unless a model gave it no answer: such a run ends visibly, and otherwise."""
    answer = (await up.store.get(RunId(run_id))).answer or {}
    struck = any("no answer in time" in failure["reason"] for failure in answer.get("failures", ()))
    return None if struck else expected


# ---- messages that are not what they should be --------------------------------------------------


async def publish(up: Cloud, topic: str, data: bytes, **attributes: str) -> None:
    """Publish as anyone could, without the bus."""
    message = {"data": base64.b64encode(data).decode(), "attributes": attributes}
    url = f"http://{up.running.emulators['PUBSUB_EMULATOR_HOST']}/v1/projects/{up.running.project}/topics/{topic}"
    async with httpx.AsyncClient(timeout=30, trust_env=False) as client:
        (await client.post(f"{url}:publish", json={"messages": [message]})).raise_for_status()


async def publish_step(
    up: Cloud, step: StepRef, *, topic: str | None = None, kind: str = "neuralkg.step.v1"
) -> None:
    body = step.model_dump_json(exclude={"traceparent"}).encode()
    about = {"ce-specversion": "1.0", "ce-type": kind, "ce-source": "/tests", "ce-id": f"{step.run_id}/{step.id}"}
    await publish(up, topic or NAMES.stage(step.stage), body, **about)


async def messages(up: Cloud, function: str) -> dict[str, int]:
    """What a function has received, by what came of it."""
    reply = await up.client.get(f"{up.running.addresses[function]}/health")
    return dict(reply.json()["messages"]["/"])


async def quiet(up: Cloud, function: str) -> dict[str, int]:
    """Wait until nothing has come for a while, since here every message comes twice; returns the counts."""
    while True:
        before = await messages(up, function)
        await asyncio.sleep(COPY_SECONDS + 1)
        if await messages(up, function) == before:
            return before


async def done_with(up: Cloud, function: str, outcome: str, before: dict[str, int]) -> None:
    """Wait until the function is done with one more message in this way, and see that it does not come again."""

    async def counted() -> bool:
        return (await messages(up, function)).get(outcome, 0) > before.get(outcome, 0)

    await soon(counted)
    await asyncio.sleep(1)
    after = await messages(up, function)
    assert after.get(outcome, 0) == before.get(outcome, 0) + 1
    assert after.get("again", 0) == before.get("again", 0)


async def test_a_message_of_a_run_that_does_not_exist_is_done_with(up: Cloud) -> None:
    before = await quiet(up, "select")
    await publish_step(up, StepRef(run_id=RunId("nobody"), reading=0, stage="select"))
    await done_with(up, "select", "done", before)


async def test_messages_of_a_finished_run_change_nothing(up: Cloud) -> None:
    run_id = RunId(await up.ask(QUESTION))
    run, steps = await up.store.get(run_id), await up.store.steps(run_id)
    before = await quiet(up, "plan")
    await publish_step(up, next(one.step for one in steps if one.step.stage == "plan"))
    await done_with(up, "plan", "done", before)
    assert (await up.store.get(run_id), await up.store.steps(run_id)) == (run, steps)
    assert await violations(up.store, up.archive, run_id, expected=None) == []


def record(run_id: str, **changed: Any) -> RunRecord:
    now = utc_now()
    plain = RunRecord(
        run_id=RunId(run_id),
        question=QUESTION,
        options=AskOptions(),
        created_at=now,
        deadline_at=now + timedelta(seconds=60),
        expires_at=now + timedelta(days=1),
        cursor_stage=PIPELINE[0],
    )
    return plain.model_copy(update=changed)


async def test_a_message_of_a_cancelled_run_ends_it_and_answers_nothing(up: Cloud) -> None:
    run = await up.store.create(record("cancelled-1"))
    await up.store.request_cancel(run.run_id)
    await publish_step(up, StepRef(run_id=run.run_id, reading=-1, stage=PIPELINE[0]))

    async def cancelled() -> bool:
        return (await up.store.get(run.run_id)).status is RunStatus.CANCELLED

    await soon(cancelled)
    assert {step.state for step in await up.store.steps(run.run_id)} == {StepState.DONE}
    assert await up.store.annotations(run.run_id) == []


async def test_a_message_of_an_expired_run_is_done_with(up: Cloud) -> None:
    long_ago = utc_now() - timedelta(days=8)
    run = await up.store.create(
        record("expired-1", created_at=long_ago, deadline_at=long_ago, expires_at=long_ago + timedelta(days=7))
    )
    before = await messages(up, "understand")
    await publish_step(up, StepRef(run_id=run.run_id, reading=-1, stage=PIPELINE[0]))
    await done_with(up, "understand", "done", before)


@pytest.mark.parametrize(
    ("reason", "kind", "body"),
    [
        ("unknown_stage", "neuralkg.step.v1", {"run_id": "r", "reading": 0, "stage": "embellish"}),
        ("other_stage", "neuralkg.step.v1", {"run_id": "r", "reading": 0, "stage": "plan"}),
        ("future_version", "neuralkg.step.v7", {"run_id": "r", "reading": 0, "stage": "select", "mood": "good"}),
        ("unknown_type", "weather.report.v1", {"rain": True}),
        ("malformed", "neuralkg.step.v1", {"run_id": "r", "stage": "select"}),
    ],
)
async def test_a_foreign_message_is_put_aside_with_its_reason_and_never_comes_again(
    up: Cloud, reason: str, kind: str, body: dict[str, Any]
) -> None:
    before = await messages(up, "select")
    about = {"ce-specversion": "1.0", "ce-type": kind, "ce-source": "/tests", "ce-id": f"foreign-{reason}"}
    await publish(up, NAMES.stage("select"), json.dumps(body).encode(), **about)
    await done_with(up, "select", f"foreign.{reason}", before)
    assert reason in await kept_reasons(up)


async def kept_reasons(up: Cloud) -> str:
    """The attributes of what is kept of the dead letters."""
    url = f"http://{up.running.emulators['PUBSUB_EMULATOR_HOST']}/v1/projects/{up.running.project}"
    found = ""
    async with httpx.AsyncClient(timeout=30, trust_env=False) as client:
        reply = await client.post(f"{url}/subscriptions/{NAMES.of(KEPT)}:pull", json={"maxMessages": 100})
        for one in reply.json().get("receivedMessages", ()):
            found += json.dumps(one["message"].get("attributes", {}))
    return found
