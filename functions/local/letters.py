"""The dead letters that an environment keeps: looked at, sent again, or dropped."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from google.api_core.exceptions import DeadlineExceeded
from google.pubsub_v1.types import PubsubMessage

from shared.adapters.pubsub_clients import clients, emulator_in_use, told_as_bus_error
from shared.runtime.topology import KEPT, Names

if TYPE_CHECKING:
    from google.pubsub_v1 import PublisherAsyncClient, SubscriberAsyncClient

SECONDS = 60.0
QUIET_SECONDS = 5.0
"""How long no letter may come before there are none."""
AT_ONCE = 100
_GIVEN_UP = "CloudPubSubDeadLetter"
"""How the attributes begin by which Pub/Sub tells what it gave up."""
_SOURCE = _GIVEN_UP + "SourceSubscription"


@dataclass(frozen=True, slots=True)
class Letter:
    """A dead letter. ``source`` is the topic that it came from; ``None`` for one that nothing can be done with."""

    id: str
    published: str
    source: str | None
    reason: str
    data: bytes
    attributes: dict[str, str]
    handle: str
    """By which it is taken out of the subscription."""


class Letters:
    """The kept dead letters of one environment. Raises ``BusError``."""

    def __init__(self, project: str, environment: str, *, emulator: str | None = None) -> None:
        names = Names(environment)
        self._project, self._prefix = project, names.of("")
        self._kept = f"projects/{project}/subscriptions/{names.of(KEPT)}"
        self._emulator = emulator or emulator_in_use()

    async def show(self, limit: int) -> list[Letter]:
        """Up to ``limit`` of them, which stay."""
        async with self._open("looking at the dead letters") as (_, subscriber):
            found = await self._pulled(subscriber, limit)
            await self._give_back(subscriber, found)
            return found

    async def replay(self, limit: int) -> tuple[list[Letter], list[Letter]]:
        """Send up to ``limit`` again to where each came from; returns those sent and those that stay."""
        async with self._open("sending dead letters again") as (publisher, subscriber):
            found = await self._pulled(subscriber, limit)
            sent = [letter for letter in found if letter.source is not None]
            stay = [letter for letter in found if letter.source is None]
            await self._give_back(subscriber, stay)
            for letter in sent:
                own = {key: value for key, value in letter.attributes.items() if not key.startswith(_GIVEN_UP)}
                # Only what has been stored again is taken out: a replay that is cut off sends it twice at worst.
                await publisher.publish(
                    topic=f"projects/{self._project}/topics/{letter.source}",
                    messages=[PubsubMessage(data=letter.data, attributes=own)],
                    timeout=SECONDS,
                )
                await subscriber.acknowledge(subscription=self._kept, ack_ids=[letter.handle], timeout=SECONDS)
            return sent, stay

    async def drop(self, ids: Sequence[str], limit: int) -> tuple[list[Letter], list[str]]:
        """Take those of these ids out, among the first ``limit``; returns them and the ids that were not found."""
        async with self._open("dropping dead letters") as (_, subscriber):
            found = await self._pulled(subscriber, limit)
            gone = [letter for letter in found if letter.id in ids]
            await self._give_back(subscriber, [letter for letter in found if letter.id not in ids])
            for some in _batches([letter.handle for letter in gone]):
                await subscriber.acknowledge(subscription=self._kept, ack_ids=some, timeout=SECONDS)
            known = {letter.id for letter in gone}
            return gone, [one for one in ids if one not in known]

    @asynccontextmanager
    async def _open(self, doing: str) -> AsyncIterator[tuple[PublisherAsyncClient, SubscriberAsyncClient]]:
        with told_as_bus_error(doing, seconds=SECONDS):
            async with clients(self._emulator) as both:
                yield both

    async def _pulled(self, subscriber: SubscriberAsyncClient, limit: int) -> list[Letter]:
        """Up to ``limit`` letters, each once, held for a minute."""
        found: dict[str, Letter] = {}
        async with asyncio.timeout(SECONDS / 2):
            while len(found) < limit:
                most = min(AT_ONCE, limit - len(found))
                try:
                    reply = await subscriber.pull(
                        subscription=self._kept, max_messages=most, timeout=QUIET_SECONDS, retry=None
                    )
                except DeadlineExceeded:
                    break
                for one in reply.received_messages:
                    found[one.message.message_id] = self._letter(one.message, one.ack_id)
                if not reply.received_messages:
                    break
        return list(found.values())

    def _letter(self, message: PubsubMessage, handle: str) -> Letter:
        attributes = dict(message.attributes)
        source = attributes.get(_SOURCE)
        # Another environment's subscription, or none of ours, is nothing to publish to.
        ours = source is not None and source.startswith(self._prefix)
        why = attributes.get("neuralkg-reason") or ("given up after its attempts" if source else "unknown")
        detail = attributes.get("neuralkg-detail")
        return Letter(
            id=message.message_id,
            published=message.publish_time.isoformat(timespec="seconds") if message.publish_time else "",
            source=source if ours else None,
            reason=f"{why}: {detail}" if detail else why,
            data=message.data,
            attributes=attributes,
            handle=handle,
        )

    async def _give_back(self, subscriber: SubscriberAsyncClient, letters: Iterable[Letter]) -> None:
        for some in _batches([letter.handle for letter in letters]):
            await subscriber.modify_ack_deadline(
                subscription=self._kept, ack_ids=some, ack_deadline_seconds=0, timeout=SECONDS
            )


def _batches(handles: Sequence[str]) -> list[list[str]]:
    return [list(handles[start : start + AT_ONCE]) for start in range(0, len(handles), AT_ONCE)]
