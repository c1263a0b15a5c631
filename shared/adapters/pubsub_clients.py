"""Google's clients of Pub/Sub, asynchronous, for the cloud or for its emulator.

Calls go over ``grpc.aio`` on the event loop itself: no thread waits, and no batch is filled before a message goes
out. A client belongs to the loop that it was opened on.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import TYPE_CHECKING

import grpc.aio
from google.api_core.exceptions import GoogleAPICallError, NotFound, PermissionDenied, RetryError
from google.auth.exceptions import GoogleAuthError
from google.pubsub_v1 import PublisherAsyncClient, SubscriberAsyncClient
from google.pubsub_v1.services.publisher.transports import PublisherGrpcAsyncIOTransport
from google.pubsub_v1.services.subscriber.transports import SubscriberGrpcAsyncIOTransport

from shared.runtime.errors import BusError

if TYPE_CHECKING:
    from google.auth.credentials import Credentials

EMULATOR = "PUBSUB_EMULATOR_HOST"
_SCOPE = "https://www.googleapis.com/auth/pubsub"


def emulator_in_use() -> str | None:
    """The emulator's ``host:port`` that the environment names, if any."""
    return os.environ.get(EMULATOR) or None


async def open_publisher(emulator: str | None) -> PublisherAsyncClient:
    """A client that publishes and makes topics; close it with ``await client.transport.close()``."""
    if emulator:
        return PublisherAsyncClient(
            transport=PublisherGrpcAsyncIOTransport(channel=grpc.aio.insecure_channel(emulator))
        )
    return PublisherAsyncClient(credentials=await _credentials())


async def open_subscriber(emulator: str | None) -> SubscriberAsyncClient:
    """A client that makes subscriptions and pulls; close it with ``await client.transport.close()``."""
    if emulator:
        return SubscriberAsyncClient(
            transport=SubscriberGrpcAsyncIOTransport(channel=grpc.aio.insecure_channel(emulator))
        )
    return SubscriberAsyncClient(credentials=await _credentials())


@asynccontextmanager
async def clients(emulator: str | None) -> AsyncIterator[tuple[PublisherAsyncClient, SubscriberAsyncClient]]:
    """Both, closed at the end."""
    async with await open_publisher(emulator) as publisher, await open_subscriber(emulator) as subscriber:
        yield publisher, subscriber


@contextmanager
def told_as_bus_error(doing: str, *, seconds: float) -> Iterator[None]:
    """Whatever Google's client raises, as a ``BusError`` that says what was being done."""
    try:
        yield
    except NotFound as error:
        raise BusError(
            f"{doing}: the project has none of this name; `terraform apply` creates it, locally `neuralkg up`"
        ) from error
    except PermissionDenied as error:
        raise BusError(f"{doing}: the service account has no permission; grant it the Pub/Sub role") from error
    except TimeoutError as error:
        raise BusError(f"{doing}: Pub/Sub did not answer within {seconds:g} s") from error
    except RetryError as error:
        raise BusError(f"{doing}: Pub/Sub could not be reached within {seconds:g} s") from error
    except GoogleAPICallError as error:
        raise BusError(f"{doing}: Pub/Sub answered {type(error).__name__}") from error
    except GoogleAuthError as error:
        raise BusError(f"{doing}: no Google Cloud credentials could be had ({type(error).__name__})") from error


async def _credentials() -> Credentials:
    """The credentials of the place this runs in; looking them up waits for the network, so a thread does."""
    import google.auth  # noqa: PLC0415 - the emulator needs none

    found, _ = await asyncio.to_thread(google.auth.default, scopes=[_SCOPE])
    return found
