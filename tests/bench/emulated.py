"""The same run over the emulators of Firestore and Pub/Sub: its time, its reads and writes, its messages."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from functions.local.emulators import Firestore, PubSub
from shared.adapters.firestore_store import FirestoreStore
from shared.adapters.firestore_values import Operations
from shared.adapters.pubsub_bus import PubSubBus
from shared.adapters.pubsub_topology import create_topology
from shared.query.annotated import AskOptions
from shared.runtime.attempt import Pace
from shared.runtime.settings import PIPELINE, load_stages
from shared.runtime.topology import topology
from tests.bench.rivals import SIZE
from tests.bench.taken_apart import Spent, rate, taken_apart
from tests.support.machine import Machine, machine, trivial

PROJECT = "neuralkg-bench"
OPTIONS = AskOptions(deadline_seconds=300)
RUNS = {1: 10, 8: 48, 32: 96}
"""Runs that are made with so many in flight."""


class PulledBus(PubSubBus):
    """The bus of one worker that has all stages: it pulls, as a worker that Pub/Sub cannot reach does."""

    async def on_dead_letter(self, handler: Any) -> None:
        """Nothing is given up: its messages come again for as long as they like."""


@asynccontextmanager
async def cloud(
    folder: Path, firestore: Firestore, pubsub: PubSub, spent: Spent
) -> AsyncIterator[tuple[Machine, Operations]]:
    """A machine over topics of its own, and what it does to the database."""
    environment = f"b{secrets.token_hex(4)}"
    wanted = topology(load_stages(), environment)
    await create_topology(wanted, PROJECT, endpoints={}, emulator=pubsub.address)
    bus = PulledBus(PROJECT, environment, emulator=pubsub.address, pulled=PIPELINE, concurrency=32)
    store = FirestoreStore(project=PROJECT, database="(default)", emulator=firestore.address)
    async with machine(
        folder,
        trivial(size=SIZE),
        store=spent.timed(store, "store"),
        bus=spent.timed_bus(bus),
        pace=Pace(beat=5.0),
        poll=30.0,
    ) as m:
        yield m, store.operations


async def ask(m: Machine) -> None:
    """One question. Its worker is in this process, so that the client hears of its end without asking."""
    answer = await m.client.ask("What is India's GDP?", OPTIONS)
    assert answer.status == "complete"


async def measured(folder: Path) -> dict[str, Any]:
    """A run taken apart, what it does to the database, and the runs a second with 1, 8 and 32 in flight."""
    spent = Spent()
    with Firestore() as firestore, PubSub() as pubsub:
        async with cloud(folder, firestore, pubsub, spent) as (m, operations):
            found = await taken_apart(lambda: ask(m), spent, warm=3, runs=10)
            reads, writes = operations.reads, operations.writes
            spent.clear()
            await ask(m)
            found |= {
                "reads a run": operations.reads - reads,
                "writes a run": operations.writes - writes,
                "messages a run": spent.calls["bus.publish"],
            }
            found["runs a second"] = {n: await rate(lambda: ask(m), runs, n) for n, runs in RUNS.items()}
    return found
