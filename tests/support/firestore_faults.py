"""A Firestore that misbehaves: a gRPC server before the emulator that can refuse, stay silent or lose answers."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import grpc

METHODS = {"BatchGetDocuments": True, "RunQuery": True, "Commit": False}
"""What the store calls, and whether the answer is a stream."""

UNLIMITED = (("grpc.max_send_message_length", -1), ("grpc.max_receive_message_length", -1))


@dataclass(frozen=True)
class Refuse:
    """Answer with a status; with ``after`` the call is carried out first, and only its answer is lost."""

    code: grpc.StatusCode
    told: str = "told by the test"
    after: bool = False


@dataclass(frozen=True)
class Silence:
    """Never answer; with ``after`` the call is carried out first."""

    after: bool = False


Fault = Refuse | Silence


@dataclass
class Wire:
    """What happens to the calls: the faults of a method are used up one by one, ``always`` is for all of them."""

    address: str = ""
    faults: dict[str, deque[Fault]] = field(default_factory=dict)
    always: Fault | None = None
    calls: list[str] = field(default_factory=list)
    between: Callable[[str], Awaitable[None]] | None = None
    """Called before a call is carried out, as a chance for others to be faster."""

    def next(self, method: str, *faults: Fault) -> None:
        """What happens to the next calls of a method."""
        self.faults.setdefault(method, deque()).extend(faults)


class _Proxy(grpc.GenericRpcHandler):
    def __init__(self, wire: Wire, channel: grpc.aio.Channel | None) -> None:
        self._wire, self._channel = wire, channel

    def service(self, details):
        path = details.method
        method = path.rsplit("/", 1)[1]

        async def stream(request: bytes, context) -> AsyncIterator[bytes]:
            for answer in await self._answers(path, method, request, context):
                yield answer

        async def single(request: bytes, context) -> bytes:
            (answer,) = await self._answers(path, method, request, context)
            return answer

        if METHODS[method]:
            return grpc.unary_stream_rpc_method_handler(stream)
        return grpc.unary_unary_rpc_method_handler(single)

    async def _answers(self, path, method, request, context) -> list[bytes]:
        wire = self._wire
        wire.calls.append(method)
        waiting = wire.faults.get(method)
        fault = waiting.popleft() if waiting else wire.always
        if wire.between is not None:
            await wire.between(method)
        if fault is not None and not fault.after:
            await self._fail(fault, context)
        answers = await self._carried_out(path, method, request, context)
        if fault is not None:
            await self._fail(fault, context)
        return answers

    async def _carried_out(self, path, method, request, context) -> list[bytes]:
        keep = ("authorization", "google-cloud-resource-prefix")
        metadata = [(key, value) for key, value in context.invocation_metadata() if key in keep]
        try:
            if METHODS[method]:
                return [answer async for answer in self._channel.unary_stream(path)(request, metadata=metadata)]
            return [await self._channel.unary_unary(path)(request, metadata=metadata)]
        except grpc.aio.AioRpcError as error:
            return await context.abort(error.code(), error.details())

    async def _fail(self, fault: Fault, context) -> None:
        if isinstance(fault, Silence):
            await asyncio.Event().wait()
        else:
            await context.abort(fault.code, fault.told)


@asynccontextmanager
async def faulty(emulator: str | None = None) -> AsyncIterator[Wire]:
    """A wire whose ``address`` takes the place of the emulator's; without one, no call can be carried out."""
    wire = Wire()
    channel = grpc.aio.insecure_channel(emulator, options=UNLIMITED) if emulator else None
    server = grpc.aio.server(options=UNLIMITED)
    server.add_generic_rpc_handlers([_Proxy(wire, channel)])
    wire.address = f"127.0.0.1:{server.add_insecure_port('127.0.0.1:0')}"
    await server.start()
    try:
        yield wire
    finally:
        await server.stop(0)
        if channel is not None:
            await channel.close()
