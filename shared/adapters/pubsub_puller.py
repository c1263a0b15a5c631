"""Fetches messages over Pub/Sub's streaming pull and hands them to a handler on the event loop.

Google's client keeps the stream open, extends the time a message may take while it is worked on, and limits how
many are out at once; its threads only pass each message on to the loop.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import TimeoutError as StillRunning
from contextlib import suppress
from typing import TYPE_CHECKING

import grpc
from google.cloud.pubsub_v1 import SubscriberClient
from google.cloud.pubsub_v1.types import FlowControl
from google.pubsub_v1.services.subscriber.transports import SubscriberGrpcTransport

from shared.runtime.errors import NeuralKGError, StoreCorrupt, StoreNewer
from shared.runtime.messages import ForeignLetter, ForeignMessage, Reason, Wire, read_step

if TYPE_CHECKING:
    from google.cloud.pubsub_v1.subscriber.futures import StreamingPullFuture
    from google.cloud.pubsub_v1.subscriber.message import Message

    from shared.runtime.ports import Handler
    from shared.runtime.records import StepRef

log = logging.getLogger(__name__)

STOP_SECONDS = 10.0

WORKER = "worker"
"""How a dead letter names the function that put it aside."""


class Puller:
    """Pulls from some subscriptions; ``put_aside`` publishes what is foreign.

    Start it and close it on the loop that the handler runs on.
    """

    def __init__(
        self,
        subscriptions: Sequence[str],
        handler: Handler,
        *,
        put_aside: Callable[[ForeignLetter], Awaitable[object]],
        emulator: str | None,
        concurrency: int,
    ) -> None:
        self.handler = handler
        self._put_aside = put_aside
        self._subscriptions = tuple(subscriptions)
        self._emulator, self._concurrency = emulator, concurrency
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[None]] = set()
        self._streams: list[StreamingPullFuture] = []
        self._client: SubscriberClient | None = None
        self._closing = False

    def start(self) -> None:
        """Begin to pull."""
        transport = (
            SubscriberGrpcTransport(channel=grpc.insecure_channel(self._emulator)) if self._emulator else None
        )
        self._client = SubscriberClient(transport=transport) if transport else SubscriberClient()
        flow = FlowControl(max_messages=self._concurrency)
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
            letter = ForeignLetter(WORKER, error.reason, error.detail, message.data, message.message_id)
            await self._done_with(message, self._put_aside(letter))
        else:
            await self._done_with(message, self._handled(step, message))

    async def _handled(self, step: StepRef, message: Message) -> None:
        """Have the step worked on; a message is put aside whose run this version cannot read."""
        try:
            await self.handler(step)
        except StoreCorrupt as error:
            log.warning("a message was put aside: %s", error)
            reason = Reason.FUTURE_VERSION if isinstance(error, StoreNewer) else Reason.UNREADABLE
            await self._put_aside(ForeignLetter(WORKER, reason, str(error), message.data, message.message_id))

    async def _done_with(self, message: Message, work: Awaitable[object]) -> None:
        """Acknowledge the message once ``work`` is done, or have it come again."""
        try:
            await work
        except asyncio.CancelledError:
            message.nack()
            raise
        except Exception as error:  # noqa: BLE001 - whatever a handler raises means "not done"
            told = str(error) if isinstance(error, NeuralKGError) else type(error).__name__
            log.info("message %s comes again: %s", message.message_id, told)
            message.nack()
        else:
            message.ack()
