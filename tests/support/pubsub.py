"""Topics of a test's own on the real Pub/Sub emulator, and what has arrived on them."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

from google.api_core.exceptions import DeadlineExceeded

from functions.local.emulators import PubSub
from shared.adapters.pubsub_bus import PubSubBus
from shared.adapters.pubsub_clients import open_subscriber
from shared.adapters.pubsub_topology import create_topology, delete_topology
from shared.runtime.settings import load_stages
from shared.runtime.topology import Topology, topology

PROJECT = "neuralkg-tests"


def own_environment() -> str:
    """A name that no other test uses."""
    return f"t{secrets.token_hex(6)}"


def quick(environment: str, *, attempts: int = 20) -> Topology:
    """The topology of the product, but for pauses that a test can wait for."""
    whole = topology(load_stages(), environment)
    pushes = [
        push.model_copy(
            update={
                "min_backoff_seconds": 0,
                "max_backoff_seconds": 1,
                "dead_letter": push.dead_letter and push.dead_letter.model_copy(update={"max_attempts": attempts}),
            }
        )
        for push in whole.push
    ]
    return whole.model_copy(update={"push": tuple(pushes)})


@asynccontextmanager
async def topics(
    emulator: PubSub, *, endpoints: Mapping[str, str] | None = None, attempts: int = 20
) -> AsyncIterator[Topology]:
    """A whole topology that is gone afterwards; functions without an address are pulled from."""
    made = quick(own_environment(), attempts=attempts)
    await create_topology(made, PROJECT, endpoints=endpoints or {}, emulator=emulator.address)
    try:
        yield made
    finally:
        await delete_topology(made, PROJECT, emulator=emulator.address)


async def pulled_bus(emulator: PubSub) -> PubSubBus:
    """A bus over topics of its own whose ``slots`` messages are pulled."""
    made = quick(own_environment())
    await create_topology(made, PROJECT, endpoints={}, emulator=emulator.address)
    return PubSubBus(PROJECT, made.environment, emulator=emulator.address, pulled=["slots"])


async def pulled(emulator: PubSub, subscription: str, *, count: int, seconds: float = 20.0) -> list[Any]:
    """Up to ``count`` messages of a subscription, acknowledged; fewer when no more came in time."""
    path = f"projects/{PROJECT}/subscriptions/{subscription}"
    found: list[Any] = []
    until = asyncio.get_running_loop().time() + seconds
    async with await open_subscriber(emulator.address) as client:
        while len(found) < count and (left := until - asyncio.get_running_loop().time()) > 0:
            try:
                reply = await client.pull(
                    subscription=path, max_messages=count - len(found), timeout=left, retry=None
                )
            except DeadlineExceeded:
                break
            received = reply.received_messages
            if received:
                acks = [message.ack_id for message in received]
                await client.acknowledge(subscription=path, ack_ids=acks, timeout=5)
                found += [message.message for message in received]
    return found
