"""Creates in the emulators what Terraform creates in the cloud: topics, subscriptions with their policies, buckets.

It speaks the services' own REST interfaces, which the emulators serve too: their client libraries would be a
hundred megabytes for a handful of requests.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import httpx

from shared.runtime.errors import NeuralKGError
from shared.runtime.topology import PushSubscription, Topology

_SECONDS = 30.0


class NotProvisioned(NeuralKGError):  # noqa: N818 - the name says what is wrong
    """An emulator would not create something; the message carries its words."""


async def provision(
    topology: Topology, *, pubsub: str, project: str, endpoint: Callable[[PushSubscription], str]
) -> None:
    """Create every topic and subscription, or leave those that are there already.

    ``pubsub`` is the emulator's address with its scheme; ``endpoint`` gives the address that a subscription pushes
    to. Raises ``NotProvisioned``.
    """

    def full(kind: str, name: str) -> str:
        return f"projects/{project}/{kind}/{name}"

    async with httpx.AsyncClient(base_url=f"{pubsub}/v1/", timeout=_SECONDS, trust_env=False) as client:
        for topic in topology.topics:
            await _created(client, "PUT", full("topics", topic), {})
        for push in topology.push:
            wanted: dict[str, Any] = {
                "topic": full("topics", push.topic),
                "pushConfig": {"pushEndpoint": endpoint(push)},
                "ackDeadlineSeconds": push.ack_deadline_seconds,
                "messageRetentionDuration": f"{push.retention_seconds}s",
                "expirationPolicy": {},
                "retryPolicy": {
                    "minimumBackoff": f"{push.min_backoff_seconds}s",
                    "maximumBackoff": f"{push.max_backoff_seconds}s",
                },
            }
            if push.dead_letter is not None:
                wanted["deadLetterPolicy"] = {
                    "deadLetterTopic": full("topics", push.dead_letter.topic),
                    "maxDeliveryAttempts": push.dead_letter.max_attempts,
                }
            await _created(client, "PUT", full("subscriptions", push.name), wanted)
        for pull in topology.pull:
            wanted = {
                "topic": full("topics", pull.topic),
                "ackDeadlineSeconds": pull.ack_deadline_seconds,
                "messageRetentionDuration": f"{pull.retention_seconds}s",
                "expirationPolicy": {},
            }
            await _created(client, "PUT", full("subscriptions", pull.name), wanted)


async def make_bucket(bucket: str, *, storage: str, project: str) -> None:
    """Create a bucket, or leave the one that is there. Raises ``NotProvisioned``."""
    async with httpx.AsyncClient(base_url=f"{storage}/storage/v1/", timeout=_SECONDS, trust_env=False) as client:
        await _created(client, "POST", f"b?project={project}", {"name": bucket})


async def _created(client: httpx.AsyncClient, method: str, path: str, wanted: Mapping[str, Any]) -> None:
    try:
        reply = await client.request(method, path, json=wanted)
    except httpx.TransportError as error:
        raise NotProvisioned(f"{path} was not created: {type(error).__name__}") from error
    if reply.status_code not in {httpx.codes.OK, httpx.codes.CONFLICT}:
        raise NotProvisioned(f"{path} was not created: HTTP {reply.status_code}, {reply.text[:300].strip()}")
