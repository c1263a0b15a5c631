"""What the routes share: the finder in use, its documents, the counters, and one guarded way to search."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from finder_index.filters import catalog_codes_of, catalogs_of
from finder_index.finder import LocalFinder
from finder_index.search import usage_of
from functions.finder.documents import Documents
from functions.finder.incoming import SearchCall
from functions.finder.ledger import Ledger
from functions.finder.serving import Serving
from functions.finder.settings import FinderSettings
from shared.query.discovery import FinderReply
from shared.runtime.deadline import Deadline
from shared.runtime.errors import Cancelled, SearchFailed, SearchTimedOut, UsageError

if TYPE_CHECKING:
    from functions.finder.published import IndexWatch

INDEX_TOLD = ("address", "generation", "storage_version", "since", "checked_at", "problem")
LEFT_SECONDS = 0.25
FLUSH_SECONDS = 2.0

Gone = Callable[[], Awaitable[bool]]
"""Whether the client has left."""


@dataclass(slots=True)
class Service:
    """One service. The index may be replaced while requests run: each keeps the one that it began with."""

    serving: Serving
    settings: FinderSettings
    ledger: Ledger
    watch: IndexWatch | None = None
    """What follows the published index, where it is one."""
    _turns: asyncio.Semaphore = field(init=False)
    _pinned: ContextVar[Serving | None] = field(init=False)

    def __post_init__(self) -> None:
        self._turns = asyncio.Semaphore(self.settings.concurrency)
        self._pinned = ContextVar("pinned", default=None)

    @classmethod
    def over(cls, finder: LocalFinder, corpora: Mapping[str, Path], settings: FinderSettings) -> Service:
        """A service over an opened finder, with the counters of its state file."""
        return cls(Serving(finder, Documents(dict(corpora))), settings, Ledger(settings.state))

    def use(self, finder: LocalFinder, documents: Documents | None = None) -> Serving:
        """Answer from another index from the next request on; returns the one that requests may still be on."""
        old = self.serving
        self.serving = Serving(finder, documents or old.documents)
        return old

    @contextmanager
    def pinned(self) -> Iterator[Serving]:
        """The index that this task's request began with, held until the context ends."""
        serving = self._pinned.get() or self.serving
        token = self._pinned.set(serving)
        try:
            with serving:
                yield serving
        finally:
            self._pinned.reset(token)

    @property
    def finder(self) -> LocalFinder:
        """The finder of this task's request; outside of one, that of the next."""
        return (self._pinned.get() or self.serving).finder

    @property
    def documents(self) -> Documents:
        """The documents that belong to ``finder``."""
        return (self._pinned.get() or self.serving).documents

    def index_told(self) -> dict[str, Any]:
        """Which published generation is served and how following it goes; all ``None`` for a local index."""
        return self.watch.told() if self.watch else dict.fromkeys(INDEX_TOLD)

    async def keep_writing(self) -> None:
        """Write the counters every few seconds, until cancelled."""
        while True:
            await asyncio.sleep(FLUSH_SECONDS)
            await asyncio.to_thread(self.ledger.flush)

    async def search(
        self, call: SearchCall, caller: str, gone: Gone | None = None
    ) -> tuple[FinderReply, int | None]:
        """Check, charge, search and count. Returns the reply and how many searches the caller has left today.

        Raises what the request or the search deserves; ``Cancelled`` when the client left.
        """
        with self.pinned() as serving:
            return await self._searched(serving.finder, call, caller, gone)

    async def _searched(
        self, finder: LocalFinder, call: SearchCall, caller: str, gone: Gone | None
    ) -> tuple[FinderReply, int | None]:
        deadline = Deadline.after(self.settings.query_seconds)
        # A request that cannot be searched for costs nothing.
        finder.check(call.request)
        left = self.ledger.charge(caller, self.settings.daily_limit)
        began = time.perf_counter()
        try:
            reply = await self._attended(self._in_turn(finder, call, deadline), gone)
        except Cancelled:
            self.ledger.record("left", time.perf_counter() - began)
            raise
        except UsageError:
            raise
        except SearchFailed as error:
            status = "504" if isinstance(error, SearchTimedOut) else "503"
            self.ledger.record(status, time.perf_counter() - began, error.usage)
            raise
        except Exception:
            self.ledger.record("500", time.perf_counter() - began)
            raise
        self.ledger.record(reply.eligibility, time.perf_counter() - began, reply.usage)
        return reply, left

    async def _in_turn(self, finder: LocalFinder, call: SearchCall, deadline: Deadline) -> FinderReply:
        try:
            async with asyncio.timeout(deadline.remaining):
                await self._turns.acquire()
        except TimeoutError as error:
            raise SearchTimedOut("the time was up while the search waited for its turn", usage_of([])) from error
        try:
            return await finder.search(call.request, deadline=deadline)
        finally:
            self._turns.release()

    async def _attended(self, work: Awaitable[FinderReply], gone: Gone | None) -> FinderReply:
        """Do the work for as long as somebody waits for it."""
        task = asyncio.ensure_future(work)
        try:
            while not task.done():
                await asyncio.wait({task}, timeout=LEFT_SECONDS if gone else None)
                if gone and not task.done() and await gone():
                    raise Cancelled("the client left")
            return await task
        finally:
            if not task.done():
                task.cancel()
                await asyncio.gather(task, return_exceptions=True)

    def publishers(self) -> list[dict[str, Any]]:
        """The publishers that may be named in a filter, with their sources and how many tables each has."""
        import numpy as np  # noqa: PLC0415

        index, families = self.finder.index, self.finder.search_of_index.families
        counts = np.bincount(np.asarray(index.source_codes()), minlength=len(index.sources))
        found: dict[str, list[dict[str, Any]]] = {}
        for code, source in enumerate(index.sources):
            domain = families.publishers.get(source, "")
            found.setdefault(domain, []).append({"source": source, "entries": int(counts[code])})
        return [
            {"publisher": domain, "entries": sum(one["entries"] for one in sources), "sources": sources}
            for domain, sources in sorted(found.items())
        ]

    def catalogs(self) -> dict[str, int]:
        """How many tables each mounted catalog has."""
        import numpy as np  # noqa: PLC0415

        index = self.finder.index
        names = catalogs_of(index)
        counts = np.bincount(np.asarray(catalog_codes_of(index)), minlength=len(names))
        return {name: int(counts[code]) for code, name in enumerate(names)}
