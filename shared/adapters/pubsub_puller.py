"""Fetches messages over Pub/Sub's streaming pull and hands them to a handler on the event loop.

Google's client keeps the stream open, extends the time a message may take while it is worked on, and limits how
many are out at once; its threads only pass each message on to the loop.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from concurrent.futures import TimeoutError as StillRunning
from contextlib import suppress
from typing import TYPE_CHECKING

import grpc
from google.cloud import pubsub_v1
from google.pubsub_v1.services.subscriber.transports import SubscriberGrpcTransport

from shared.runtime.errors import NeuralKGError
from shared.runtime.messages import ForeignMessage, Wire, read_step

if TYPE_CHECKING:
    from google.cloud.pubsub_v1.subscriber.futures import StreamingPullFuture
    from google.cloud.pubsub_v1.subscriber.message import Message

    from shared.runtime.ports import Handler

log = logging.getLogger(__name__)

STOP_SECONDS = 10.0


class Puller:
    """Pulls from some subscriptions. Start it and close it on the loop that the handler runs on."""

    def __init__(
        self, subscriptions: Sequence[str], handler: Handler, *, emulator: str | None, concurrency: int
    ) -> None:
        self.handler = handler
        self._subscriptions = tuple(subscriptions)
        self._emulator, self._concurrency = emulator, concurrency
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._streams: list[StreamingPullFuture] = []
        self._client: pubsub_v1.SubscriberClient | None = None
        self._closing = False

    def start(self) -> None:
        """Begin to pull."""
        transport = (
            SubscriberGrpcTransport(channel=grpc.insecure_channel(self._emulator)) if self._emulator else None
        )
        self._client = (
            pubsub_v1.SubscriberClient(transport=transport) if transport else pubsub_v1.SubscriberClient()
        )
        flow = pubsub_v1.types.FlowControl(max_messages=self._concurrency)
        for subscription in self._subscriptions:
            self._streams.append(self._client.subscribe(subscription, self._arrived, flow_control=flow))

    async def close(self) -> None:
        """Stop; messages at work are cancelled, awaited, and given back."""
        self._closing = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await asyncio.to_thread(self._stop)

    def _stop(self) -> None:
        for stream in self._streams:
            stream.cancel()
        for stream in self._streams:
            with suppress(StillRunning):
                stream.result(timeout=STOP_SECONDS)
        if self._client is not None:
            self._client.close()

    def _arrived(self, message: Message) -> None:
        """Called on one of the client's threads."""
        self._loop.call_soon_threadsafe(self._begin, message)

    def _begin(self, message: Message) -> None:
        if self._closing:
            message.nack()
            return
        task = self._loop.create_task(self._take(message), name=f"message {message.message_id}")
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _take(self, message: Message) -> None:
        try:
            step = read_step(Wire(message.data, message.attributes, message.message_id))
        except ForeignMessage as error:
            log.warning("a foreign message was put aside: %s", error)
            message.ack()
            return
        try:
            await self.handler(step)
        except asyncio.CancelledError:
            message.nack()
            raise
        except Exception as error:  # noqa: BLE001 - whatever a handler raises means "not done"
            told = str(error) if isinstance(error, NeuralKGError) else type(error).__name__
            log.info("step %s of %s comes again: %s", step.id, step.run_id, told)
            message.nack()
        else:
            message.ack()
