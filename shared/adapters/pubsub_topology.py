"""Creates one environment's topics and subscriptions, and removes them: what Terraform does in the cloud."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Coroutine, Iterable, Mapping
from datetime import timedelta
from typing import TYPE_CHECKING, Any

from google.api_core.exceptions import AlreadyExists, NotFound
from google.pubsub_v1.types import Subscription

from shared.adapters.pubsub_clients import clients, emulator_in_use, told_as_bus_error

if TYPE_CHECKING:
    from google.pubsub_v1 import PublisherAsyncClient, SubscriberAsyncClient

    from shared.runtime.topology import PullSubscription, PushSubscription, Topology

SECONDS = 30.0
ONE_CALL_SECONDS = 10.0

_CHANGING = (
    "push_config",
    "ack_deadline_seconds",
    "retry_policy",
    "dead_letter_policy",
    "message_retention_duration",
)


async def create_topology(
    topology: Topology,
    project: str,
    *,
    endpoints: Mapping[str, str],
    oidc: bool = False,
    emulator: str | None = None,
    seconds: float = SECONDS,
) -> None:
    """Create what is missing and bring what is there to its form; doing it again changes nothing.

    ``endpoints`` are the functions' addresses without a path (``http://127.0.0.1:8101``), by the function's name. A
    push subscription whose function has none is created so that its messages are pulled. With ``oidc`` each push
    carries a token, which only the cloud itself can make. Raises ``BusError``.
    """
    with told_as_bus_error("creating topics and subscriptions", seconds=seconds):
        async with asyncio.timeout(seconds), clients(emulator or emulator_in_use()) as (publisher, subscriber):
            await _all(_topic(publisher, f"projects/{project}/topics/{name}") for name in topology.topics)
            wanted = [
                *(_pushed(push, project, endpoints.get(push.function), oidc=oidc) for push in topology.push),
                *(_pulled(pull, project) for pull in topology.pull),
            ]
            await _all(_subscription(subscriber, subscription) for subscription in wanted)


async def delete_topology(
    topology: Topology, project: str, *, emulator: str | None = None, seconds: float = SECONDS
) -> None:
    """Remove the subscriptions and then the topics, those that are there. Raises ``BusError``."""
    subscriptions = [push.name for push in topology.push] + [pull.name for pull in topology.pull]
    with told_as_bus_error("removing topics and subscriptions", seconds=seconds):
        async with asyncio.timeout(seconds), clients(emulator or emulator_in_use()) as (publisher, subscriber):
            await _all(
                _unless_missing(
                    subscriber.delete_subscription(
                        subscription=f"projects/{project}/subscriptions/{name}", timeout=ONE_CALL_SECONDS
                    )
                )
                for name in subscriptions
            )
            await _all(
                _unless_missing(
                    publisher.delete_topic(topic=f"projects/{project}/topics/{name}", timeout=ONE_CALL_SECONDS)
                )
                for name in topology.topics
            )


async def _topic(publisher: PublisherAsyncClient, name: str) -> None:
    try:
        await publisher.create_topic(name=name, timeout=ONE_CALL_SECONDS)
    except AlreadyExists:
        return


async def _subscription(subscriber: SubscriberAsyncClient, wanted: Subscription) -> None:
    try:
        await subscriber.create_subscription(request=wanted, timeout=ONE_CALL_SECONDS)
    except AlreadyExists:
        change = {"subscription": wanted, "update_mask": {"paths": _CHANGING}}
        await subscriber.update_subscription(request=change, timeout=ONE_CALL_SECONDS)


def _pushed(push: PushSubscription, project: str, endpoint: str | None, *, oidc: bool) -> Subscription:
    fields: dict[str, Any] = {
        "name": f"projects/{project}/subscriptions/{push.name}",
        "topic": f"projects/{project}/topics/{push.topic}",
        "ack_deadline_seconds": push.ack_deadline_seconds,
        "message_retention_duration": timedelta(seconds=push.retention_seconds),
        "retry_policy": {
            "minimum_backoff": timedelta(seconds=push.min_backoff_seconds),
            "maximum_backoff": timedelta(seconds=push.max_backoff_seconds),
        },
        # Present and empty means that it never expires; absent would mean 31 days.
        "expiration_policy": {},
    }
    if push.dead_letter is not None:
        fields["dead_letter_policy"] = {
            "dead_letter_topic": f"projects/{project}/topics/{push.dead_letter.topic}",
            "max_delivery_attempts": push.dead_letter.max_attempts,
        }
    if endpoint is not None:
        fields["push_config"] = {"push_endpoint": endpoint.rstrip("/") + push.path}
        if oidc:
            account = f"{push.service_account}@{project}.iam.gserviceaccount.com"
            fields["push_config"]["oidc_token"] = {
                "service_account_email": account,
                "audience": endpoint.rstrip("/"),
            }
    return Subscription(fields)


def _pulled(pull: PullSubscription, project: str) -> Subscription:
    return Subscription(
        {
            "name": f"projects/{project}/subscriptions/{pull.name}",
            "topic": f"projects/{project}/topics/{pull.topic}",
            "ack_deadline_seconds": pull.ack_deadline_seconds,
            "message_retention_duration": timedelta(seconds=pull.retention_seconds),
            "expiration_policy": {},
        }
    )


async def _unless_missing(call: Awaitable[object]) -> None:
    try:
        await call
    except NotFound:
        return


async def _all(calls: Iterable[Coroutine[Any, Any, None]]) -> None:
    """All at once; the first that fails stops the others, and is raised as it is."""
    try:
        async with asyncio.TaskGroup() as group:
            for call in calls:
                group.create_task(call)
    except ExceptionGroup as failed:
        raise failed.exceptions[0] from None
