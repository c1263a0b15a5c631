"""A proxy before an emulator, whose connections are cut now and then."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from types import TracebackType
from typing import Self


class CuttingProxy:
    """Passes bytes between clients and where it leads to; ``cut`` breaks every connection, as a network does."""

    def __init__(self) -> None:
        self._target = ("127.0.0.1", 9)
        self._server: asyncio.Server | None = None
        self._knives: set[asyncio.Event] = set()
        self.address = ""
        self.cuts = 0

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._take, "127.0.0.1", 0)
        host, port = self._server.sockets[0].getsockname()[:2]
        self.address = f"{host}:{port}"
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._server is not None:
            self._server.close()
        self.cut()
        while self._knives:  # noqa: ASYNC110 - each goes by itself
            await asyncio.sleep(0.01)

    def leads_to(self, target: str) -> None:
        """Pass everything on to ``host:port``."""
        host, _, port = target.rpartition(":")
        self._target = host, int(port)

    def cut(self) -> None:
        """Break every connection."""
        for knife in self._knives:
            self.cuts += not knife.is_set()
            knife.set()

    async def keep_cutting(self, every: float) -> None:
        """Cut every so many seconds, until cancelled."""
        while True:
            await asyncio.sleep(every)
            self.cut()

    async def _take(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        knife = asyncio.Event()
        self._knives.add(knife)
        sides = [writer]
        work = [asyncio.ensure_future(knife.wait())]
        try:
            there, back = await asyncio.open_connection(*self._target)
            sides.append(back)
            work += [asyncio.ensure_future(way) for way in (_pass(reader, back), _pass(there, writer))]
            await asyncio.wait(work, return_when=asyncio.FIRST_COMPLETED)
        except OSError:
            pass  # nobody listens there: this side is broken off too
        finally:
            for task in work:
                task.cancel()
            for side in sides:
                side.transport.abort()
            self._knives.discard(knife)


async def _pass(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
    with suppress(ConnectionError):
        while data := await reader.read(65_536):
            writer.write(data)
            await writer.drain()
    return True
