"""A process with a machine of its own over a shared folder: ``python -m tests.support.worker FOLDER JOB [N]``.

``ask N`` asks N questions at once while sweeping without pause, and prints their run ids and statuses.
``hang STAGE`` asks a question, prints its run id when the stage is reached, and stays there.
"""

from __future__ import annotations

import asyncio
import sys
from datetime import timedelta
from pathlib import Path

from shared.runtime.attempt import Pace
from shared.runtime.sweep import sweep
from tests.support.machine import OPTIONS, machine, note, trivial

PACE = Pace(lease=1.0, beat=0.02, grace=1.0, attempts=20)


async def ask(folder: Path, count: int) -> None:
    async def busy(query, context):
        await asyncio.sleep(0.005)
        return [note(query, "execute", "x" * 2000)]

    async with machine(folder, trivial(bodies={"execute": busy}, size=500), pace=PACE) as m:

        async def sweeping() -> None:
            while True:
                await sweep(m.store, m.bus, waiting=timedelta(milliseconds=2))
                await asyncio.sleep(0.01)

        task = asyncio.create_task(sweeping())
        answers = await asyncio.gather(*(m.client.ask(f"question {n}", OPTIONS) for n in range(count)))
        task.cancel()
        for answer in answers:
            print(answer.run_id, answer.status, flush=True)  # noqa: T201 - what it prints is its result


async def hang(folder: Path, stage: str) -> None:
    async def forever(query, context):
        print(query.run_id, flush=True)  # noqa: T201 - what it prints is its result
        await asyncio.sleep(600)
        return []

    async with machine(folder, trivial(bodies={stage: forever}), pace=PACE) as m:
        await m.client.ask("?", OPTIONS)


if __name__ == "__main__":
    place, job, what = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
    asyncio.run(ask(place, int(what)) if job == "ask" else hang(place, what))
