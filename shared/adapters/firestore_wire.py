"""Speaks to Firestore: reads documents, runs queries, and writes documents on conditions, all within a time.

A write names the version of each document that it was decided on, and Firestore applies all of a request's writes
or, when one of these versions has changed, none. So whoever reads, decides and writes has done it in one
transaction, without holding a lock while deciding: a worker that dies between the two is waited for by nobody.

The library's generated client is used because its calls take a deadline each; the transactions of the one above it
do not, and their roll back would outlast any deadline.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import AsyncIterable, Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import google.auth
import grpc
from google.api_core.exceptions import GoogleAPICallError, RetryError
from google.api_core.retry_async import AsyncRetry
from google.auth.exceptions import GoogleAuthError
from google.cloud.firestore_v1 import types
from google.cloud.firestore_v1.services.firestore import FirestoreAsyncClient
from google.cloud.firestore_v1.services.firestore.transports import FirestoreGrpcAsyncIOTransport

from shared.adapters.firestore_errors import OVERTAKEN, UNSURE, Overtaken, explained, passing, unavailable
from shared.adapters.firestore_values import (
    Field,
    Fields,
    Operations,
    Put,
    Query,
    Stored,
    Version,
    decoded,
    encoded,
    size_of,
    structured,
)
from shared.runtime.errors import StoreUnavailable, TooLarge

T = TypeVar("T")

DOCUMENT_LIMIT: Final = 1024 * 1024
"""Bytes of a document with its name, as Firestore counts them."""
REQUEST_LIMIT: Final = 10 * 1024 * 1024
"""Bytes of one request, and so of all that a commit writes."""

FIRST_PAUSE, LONGEST_PAUSE = 0.01, 1.0
"""Seconds between two attempts: doubled each time, and spread."""

CHANNEL: Final = (
    ("grpc.max_send_message_length", -1),
    ("grpc.max_receive_message_length", -1),
    ("grpc.keepalive_time_ms", 30_000),
    # A store that was gone for a moment is found again within the patience of most operations.
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
)


@dataclass(slots=True)
class Turn:
    """One operation: the time it has, and what became of its writes so far."""

    until: float
    unsure: bool = False
    """A write may have been applied although its answer did not come."""
    overtaken: bool = False
    """A write was refused because a document was not as it asked for."""

    @property
    def left(self) -> float:
        """Seconds left, never zero: the smallest deadline that a call may be given."""
        return max(0.001, self.until - time.monotonic())


class Database:
    """One Firestore database. ``emulator`` is ``host:port``; by default ``FIRESTORE_EMULATOR_HOST`` says it.

    ``patience`` is how many seconds an operation takes at most with all its attempts, ``call_seconds`` one call.
    """

    def __init__(
        self, project: str, database: str, *, emulator: str | None, patience: float, call_seconds: float
    ) -> None:
        self.where = f"the run store (Firestore, project {project}, database {database})"
        self.operations = Operations()
        self._name = f"projects/{project}/databases/{database}"
        self._root = f"{self._name}/documents"
        self._emulator = emulator or os.environ.get("FIRESTORE_EMULATOR_HOST")
        self._metadata = [("google-cloud-resource-prefix", self._name)]
        if self._emulator:
            self._metadata.append(("authorization", "Bearer owner"))
        self._patience, self._call_seconds = patience, call_seconds
        self._api: FirestoreAsyncClient | None = None
        self._connecting = asyncio.Lock()
        self._closed = False

    async def patiently(self, attempt: Callable[[Turn], Awaitable[T]]) -> T:
        """The result of ``attempt``, made again after a pause while Firestore is busy, away or was overtaken.

        Raises ``StoreUnavailable`` when it would not pass, and ``StoreError`` with what to do for what does not.
        """
        turn = Turn(time.monotonic() + self._patience)

        async def once() -> T:
            return await attempt(turn)

        troubles: list[Exception] = []
        retry = AsyncRetry(
            predicate=passing,
            initial=FIRST_PAUSE,
            maximum=LONGEST_PAUSE,
            multiplier=2.0,
            timeout=self._patience,
            on_error=troubles.append,
        )
        try:
            return await retry(once)()
        except RetryError as error:
            raise unavailable(troubles, self.where) from error
        except (GoogleAPICallError, GoogleAuthError) as error:
            raise explained(error, self.where) from error

    async def get(self, turn: Turn, *paths: str, only: Sequence[str] = ()) -> list[Stored | None]:
        """The documents at ``paths``, as they all were at one time; ``only`` names the fields to bring."""
        request = types.BatchGetDocumentsRequest(
            database=self._name, documents=[f"{self._root}/{path}" for path in paths]
        )
        if only:
            request.mask = types.DocumentMask(field_paths=list(only))
        found: dict[str, Stored] = {}

        async def read(api: FirestoreAsyncClient) -> None:
            replies = await api.batch_get_documents(request=request, **self._bounds(turn))
            async for reply in _raw(replies, types.BatchGetDocumentsResponse):
                if reply.HasField("found"):
                    document = self._stored(reply.found)
                    found[document.path] = document

        await self._call(turn, read)
        self.operations.reads += len(paths)
        return [found.get(path) for path in paths]

    async def query(
        self,
        turn: Turn,
        query: Query,
        *,
        parent: str = "",
        above: Field = None,
        upto: Field = None,
        limit: int | None = None,
        after: Stored | None = None,
    ) -> list[Stored]:
        """The documents whose field is above or up to a value, at most ``limit`` of them, those ``after`` one."""
        request = types.RunQueryRequest(
            parent=f"{self._root}/{parent}" if parent else self._root,
            structured_query=structured(query, above=above, upto=upto, limit=limit),
        )
        if after is not None:
            reference = types.Value(reference_value=f"{self._root}/{after.path}")
            request.structured_query.start_at = types.Cursor(
                values=[encoded(after.fields[query.field]), reference], before=False
            )

        async def read(api: FirestoreAsyncClient) -> list[Stored]:
            replies = await api.run_query(request=request, **self._bounds(turn))
            # A reply may tell of progress only.
            return [
                self._stored(reply.document)
                async for reply in _raw(replies, types.RunQueryResponse)
                if reply.HasField("document")
            ]

        found = await self._call(turn, read)
        self.operations.reads += max(1, len(found))
        return found

    async def put(self, turn: Turn, puts: Sequence[Put]) -> list[Version]:
        """Write all or nothing; returns the documents' new versions.

        Raises ``Overtaken`` when a document was not as its put asks, and ``TooLarge`` before anything is sent.
        """
        for put in puts:
            size = size_of(put.path, put.fields)
            if size > DOCUMENT_LIMIT:
                raise TooLarge(
                    f"{put.path} would be a document of {size:,} bytes, and Firestore holds at most "
                    f"{DOCUMENT_LIMIT:,} in one; keep what is large in the archive"
                )
        request = types.CommitRequest(database=self._name, writes=[self._write(put) for put in puts])
        size = types.CommitRequest.pb(request).ByteSize()
        if size > REQUEST_LIMIT:
            raise TooLarge(
                f"{len(puts)} documents to be written together are {size:,} bytes, and Firestore takes at most "
                f"{REQUEST_LIMIT:,} in one commit; keep what is large in the archive"
            )

        async def write(api: FirestoreAsyncClient) -> list[Version]:
            try:
                reply = await api.commit(request=request, **self._bounds(turn))
            except UNSURE:
                turn.unsure = True
                raise
            except OVERTAKEN as error:
                turn.overtaken = True
                raise Overtaken(str(error)) from error
            return [
                Version(types.Precondition(update_time=result.update_time))
                for result in types.CommitResponse.pb(reply).write_results
            ]

        versions = await self._call(turn, write)
        self.operations.writes += len(puts)
        return versions

    async def change(self, turn: Turn, document: Stored, changes: Fields) -> Stored:
        """Write a document with ``changes`` if it still is as it was read. Raises as ``put`` does."""
        fields = document.fields | changes
        (version,) = await self.put(turn, [Put(document.path, fields, document.version)])
        return Stored(document.path, fields, version)

    async def close(self) -> None:
        """Release the channel; operations after it raise ``StoreUnavailable``."""
        self._closed = True
        api, self._api = self._api, None
        if api is not None:
            await api.transport.close()  # type: ignore[no-untyped-call]

    # ---- calls -----------------------------------------------------------------------------------

    async def _call(self, turn: Turn, call: Callable[[FirestoreAsyncClient], Awaitable[T]]) -> T:
        if self._closed:
            raise self._is_closed()
        if self._api is None:
            async with asyncio.timeout(turn.left), self._connecting:
                self._api = self._api or await self._connect()
        try:
            return await call(self._api)
        except asyncio.CancelledError as error:
            task = asyncio.current_task()
            if self._closed and task is not None and not task.cancelling():
                # Nobody asked for it: a channel that is closed cancels its calls.
                raise self._is_closed() from error
            raise

    def _is_closed(self) -> StoreUnavailable:
        return StoreUnavailable(f"{self.where} is closed")

    async def _connect(self) -> FirestoreAsyncClient:
        """A client over a channel of the running event loop."""
        transport = FirestoreGrpcAsyncIOTransport
        if self._emulator:
            channel = grpc.aio.insecure_channel(self._emulator, options=CHANNEL)
        else:
            # Looks for a file or asks the metadata server, and blocks meanwhile.
            credentials, _ = await asyncio.to_thread(google.auth.default, scopes=transport.AUTH_SCOPES)
            channel = transport.create_channel(credentials=credentials, options=CHANNEL)
        return FirestoreAsyncClient(transport=transport(channel=channel))

    def _bounds(self, turn: Turn) -> dict[str, Any]:
        """A call's own deadline; it is not retried by itself, since an operation looks again first."""
        return {"timeout": min(self._call_seconds, turn.left), "retry": None, "metadata": self._metadata}

    def _write(self, put: Put) -> types.Write:
        fields = {name: encoded(value) for name, value in put.fields.items() if value is not None}
        document = types.Document(name=f"{self._root}/{put.path}", fields=fields)
        if put.only_if is None:
            return types.Write(update=document)
        return types.Write(update=document, current_document=put.only_if.condition)

    def _stored(self, document: Any) -> Stored:
        path = document.name.removeprefix(f"{self._root}/")
        version = Version(types.Precondition(update_time=document.update_time))
        return Stored(path, decoded(path, document.fields), version)


async def _raw(replies: AsyncIterable[Any], kind: Any) -> AsyncIterable[Any]:
    """The protocol buffers within a stream's messages, whose fields are read many times faster."""
    async for reply in replies:
        yield kind.pb(reply)
