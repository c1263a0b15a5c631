"""The bus over Pub/Sub: each stage has a topic, and a message is a CloudEvent in binary form.

In the cloud a subscription pushes its messages to the stage's function, and nothing subscribes here. A worker that
Pub/Sub cannot reach pulls instead: it names the stages whose subscriptions it takes.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from google.api_core import exceptions
from google.api_core.retry import AsyncRetry, if_exception_type
from google.pubsub_v1.types import PubsubMessage

from shared.adapters.pubsub_clients import emulator_in_use, open_publisher, told_as_bus_error
from shared.runtime.errors import BusClosed, UsageError
from shared.runtime.messages import Announced, Ended, ForeignLetter, Message, encode
from shared.runtime.records import StepRef
from shared.runtime.topology import Names

if TYPE_CHECKING:
    from google.pubsub_v1 import PublisherAsyncClient

    from shared.adapters.pubsub_puller import Puller
    from shared.runtime.ports import Handler

PUBLISH_SECONDS = 10.0
"""What handing over one message may take, tries included."""
ONE_TRY_SECONDS = 5.0

_PASSING = if_exception_type(
    exceptions.Aborted,
    exceptions.DeadlineExceeded,
    exceptions.InternalServerError,
    exceptions.ResourceExhausted,
    exceptions.ServiceUnavailable,
    exceptions.Unknown,
)


class PubSubBus:
    """A ``Bus`` of one environment of a project, and the topics around the pipeline.

    ``pulled`` are the stages whose messages ``subscribe`` fetches, at most ``concurrency`` at a time; with none of
    them the messages are pushed. ``emulator`` is ``host:port``, by default what ``PUBSUB_EMULATOR_HOST`` says.
    """

    def __init__(
        self,
        project: str,
        environment: str = "dev",
        *,
        emulator: str | None = None,
        seconds: float = PUBLISH_SECONDS,
        pulled: Sequence[str] = (),
        concurrency: int = 16,
    ) -> None:
        self.names = Names(environment)
        self._project, self._source = project, f"/neuralkg/{environment}"
        self._emulator = emulator or emulator_in_use()
        self._seconds = seconds
        self._pulled, self._concurrency = tuple(pulled), concurrency
        self._opening = asyncio.Lock()
        self._publisher: PublisherAsyncClient | None = None
        self._puller: Puller | None = None
        self._closed = False

    async def publish(self, step: StepRef) -> None:
        """See ``Bus.publish``: Pub/Sub has stored the message. Raises ``BusError``, ``BusClosed``."""
        await self.send(step)

    async def send(self, message: Message) -> str:
        """Publish any message to the topic of its kind; returns the id that Pub/Sub gave it.

        Raises ``BusError`` when it was not taken in time (it may have been, all the same), ``BusClosed``.
        """
        topic, wire = self._topic(message), encode(message, source=self._source)
        request = {
            "topic": f"projects/{self._project}/topics/{topic}",
            "messages": [PubsubMessage(data=wire.data, attributes=dict(wire.attributes))],
        }
        retry = AsyncRetry(predicate=_PASSING, initial=0.05, maximum=2.0, multiplier=2.0, timeout=self._seconds)
        with told_as_bus_error(f"publishing to {topic}", seconds=self._seconds):
            async with asyncio.timeout(self._seconds):
                client = await self._client()
                told = await client.publish(
                    request=request, retry=retry, timeout=min(ONE_TRY_SECONDS, self._seconds)
                )
        return str(told.message_ids[0])

    async def subscribe(self, handler: Handler) -> None:
        """See ``Bus.subscribe``. Raises ``UsageError`` for a bus whose messages are pushed."""
        if self._closed:
            raise BusClosed("the bus is closed")
        if not self._pulled:
            raise UsageError(
                "the messages of this bus are pushed to functions; a worker that fetches them says so with `pulled`"
            )
        if self._puller is not None:
            self._puller.handler = handler
            return
        from shared.adapters.pubsub_puller import Puller  # noqa: PLC0415 - only workers without push need it

        self._puller = Puller(
            [f"projects/{self._project}/subscriptions/{self.names.stage(stage)}" for stage in self._pulled],
            handler,
            put_aside=self.send,
            emulator=self._emulator,
            concurrency=self._concurrency,
        )
        self._puller.start()

    async def close(self) -> None:
        """See ``Bus.close``. Handlers at work are cancelled and awaited; their messages come again elsewhere."""
        self._closed = True
        puller, self._puller = self._puller, None
        if puller is not None:
            await puller.close()
        publisher, self._publisher = self._publisher, None
        if publisher is not None:
            await publisher.transport.close()  # type: ignore[no-untyped-call]

    async def _client(self) -> PublisherAsyncClient:
        async with self._opening:
            if self._closed:
                raise BusClosed("the bus is closed")
            if self._publisher is None:
                self._publisher = await open_publisher(self._emulator)
            return self._publisher

    def _topic(self, message: Message) -> str:
        match message:
            case StepRef():
                return self.names.stage(message.stage)
            case Ended():
                return self.names.ended
            case Announced():
                return self.names.answers
            case ForeignLetter():
                return self.names.dead_letters
