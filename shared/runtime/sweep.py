"""Carries on with runs that nobody works on: their worker died, or their message was lost.

Every live run has exactly one step that is not done, opened by the commit before it. Publishing its message again
is always safe, because a step is claimed before it is worked on; a run past its deadline then ends with what is
known, and one whose step was tried too often ends as failed. So nothing needs to be ended here.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from datetime import timedelta

from shared.query.identifiers import StageName
from shared.runtime.errors import BusError, StoreError
from shared.runtime.ports import Bus, RunStore

log = logging.getLogger(__name__)

WAITING = timedelta(seconds=30)
"""How long a step may stand open before it counts as stalled."""


@dataclass(frozen=True, slots=True)
class Swept:
    """What one sweep did: steps published again, runs deleted because they had expired."""

    published: int
    purged: int


async def sweep(store: RunStore, bus: Bus, *, waiting: timedelta = WAITING, limit: int = 100) -> Swept:
    """Publish again what is stalled, at most ``limit`` steps, and delete expired runs.

    Raises what the store raises, and ``BusError`` for stages whose messages are not taken; the steps of the others
    are published all the same.
    """
    stalled = await store.stalled(waiting=waiting, limit=limit)
    published = 0
    refused: dict[StageName, BusError] = {}
    for record in stalled:
        if record.step.stage in refused:
            continue
        log.info("step %s of run %s is driven again", record.step.id, record.step.run_id)
        try:
            await bus.publish(record.step)
            published += 1
        except BusError as error:
            refused[record.step.stage] = error
    purged = await store.purge()
    if refused:
        why = next(iter(refused.values()))
        raise BusError(f"the steps of {', '.join(refused)} could not be driven on: {why}") from why
    return Swept(published=published, purged=purged)


async def keep_sweeping(store: RunStore, bus: Bus, *, every: float = 30.0, waiting: timedelta = WAITING) -> None:
    """Sweep at once and then every so many seconds, until cancelled; a store that fails is tried again."""
    while True:
        try:
            await sweep(store, bus, waiting=waiting)
        except (StoreError, BusError) as error:
            log.warning("the sweep could not be made: %s", error)
        await asyncio.sleep(every)
