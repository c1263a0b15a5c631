"""Several processes on one store: they share the work, and the death of one loses nothing."""

from __future__ import annotations

import asyncio
import json
import signal
import sys
from datetime import timedelta
from pathlib import Path

import pytest

from shared.query.answer import Answer, AnswerStatus
from shared.runtime.closing import trace_name
from shared.runtime.records import RunStatus, StepState
from shared.runtime.settings import PIPELINE
from shared.runtime.sweep import sweep
from tests.support.machine import machine, trivial
from tests.support.worker import PACE

ROOT = Path(__file__).parents[2]


async def worker(folder, job, what):
    return await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "tests.support.worker",
        str(folder),
        job,
        str(what),
        cwd=ROOT,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )


@pytest.mark.slow
async def test_two_processes_on_one_store_lose_nothing_and_do_nothing_twice(tmp_path):
    workers = [await worker(tmp_path, "ask", 15) for _ in range(2)]
    outputs = await asyncio.wait_for(asyncio.gather(*(w.communicate() for w in workers)), 60)
    for process, (_, stderr) in zip(workers, outputs, strict=True):
        assert process.returncode == 0, stderr.decode()
    lines = [line.split() for stdout, _ in outputs for line in stdout.decode().splitlines()]
    assert len(lines) == 30
    assert {status for _, status in lines} == {"complete"}
    async with machine(tmp_path, trivial(), start=False) as m:
        for run_id, _ in lines:
            annotations = await m.store.annotations(run_id)
            assert [a.stage for a in annotations] == list(PIPELINE)
            steps = await m.store.steps(run_id)
            assert [record.step.stage for record in steps] == list(PIPELINE)
            assert {record.state for record in steps} == {StepState.DONE}
            events = await m.store.events(run_id)
            assert [n for n, _ in events] == list(range(1, len(events) + 1))


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["understand", "execute", "present"])
async def test_a_run_whose_process_was_killed_is_finished_by_another(tmp_path, stage):
    process = await worker(tmp_path, "hang", stage)
    run_id = (await asyncio.wait_for(process.stdout.readline(), 30)).decode().strip()
    assert run_id
    process.kill()
    await process.communicate()
    async with machine(tmp_path, trivial(), pace=PACE) as m:
        await asyncio.sleep(PACE.lease + 0.1)
        assert (await sweep(m.store, m.bus, waiting=timedelta(0))).published == 1
        answer = await m.client.wait(run_id)
        assert answer.status is AnswerStatus.COMPLETE
        assert [usage.stage for usage in answer.usage.stages] == list(PIPELINE)
        attempts = {record.step.stage: record.attempts for record in await m.store.steps(run_id)}
        assert attempts == {name: 2 if name == stage else 1 for name in PIPELINE}


@pytest.mark.slow
@pytest.mark.parametrize("stage", ["understand", "execute", "present"])
async def test_an_interrupt_from_the_keyboard_cancels_the_run_and_leaves_nothing_half_written(tmp_path, stage):
    process = await worker(tmp_path, "hang", stage)
    run_id = (await asyncio.wait_for(process.stdout.readline(), 30)).decode().strip()
    process.send_signal(signal.SIGINT)
    await asyncio.wait_for(process.communicate(), 10)
    async with machine(tmp_path, trivial(), start=False) as m:
        run, answer = await m.client.result(run_id)
        assert run.status is RunStatus.CANCELLED
        assert answer.status is AnswerStatus.CANCELLED
        assert (await m.store.steps(run_id))[-1].state is StepState.DONE
        trace = json.loads(await m.archive.get(trace_name(run_id)))
        assert Answer.model_validate(trace["answer"] | {"trace": answer.trace}) == answer
