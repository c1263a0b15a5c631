"""The finder on a published index: fetched at the start, and exchanged while it runs when another is published."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from finder_index.fetching import Fetched, fetch, local_generations, remove_unused
from finder_index.finder import LocalFinder
from finder_index.generations import POINTER, Generation, PublishedIndex
from finder_index.index import CORPUS, CURRENT
from functions.finder.corpora import corpora_of
from functions.finder.documents import Documents
from shared.adapters.archives import is_bucket, open_archive
from shared.runtime.errors import IndexDamaged, NeuralKGError

if TYPE_CHECKING:
    from functions.finder.service import Service
    from functions.finder.settings import FinderSettings
    from shared.models.tasks import Judge
    from shared.runtime.ports import Embedder

LONGEST_WAIT = 600.0
"""Seconds until a generation that was refused is tried again at the latest."""
UNDER_WAY_SECONDS = 10.0
"""What requests on the old index may take beyond the time of a search before its files are left for later."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class OpenedIndex:
    """A finder, the folders of its leaves by catalog, and what keeps it up to date where it was published."""

    finder: LocalFinder
    corpora: Mapping[str, Path]
    watch: IndexWatch | None = None


@asynccontextmanager
async def opened_index(
    address: str | None,
    embedder: Embedder,
    settings: FinderSettings,
    *,
    corpus: Path | None = None,
    judges: Sequence[Judge] = (),
) -> AsyncIterator[OpenedIndex]:
    """The index at ``gs://bucket/prefix``, ``s3://bucket/prefix`` or in a folder; the packaged one by default.

    A folder holds an index itself, or one that was published to it. ``judges`` rank tables, see ``LocalFinder``.

    Raises ``FinderError``, ``ArchiveError`` and ``UsageError`` where it cannot be used. When the archive cannot be
    used but a generation fetched before is whole, that one is served and ``/health`` tells why.
    """
    if address is None or not _is_published(address):
        path = Path(address) if address else CURRENT
        leaves = corpus or (None if address else CORPUS)
        finder = await asyncio.to_thread(LocalFinder.open, embedder, path=path, corpus=leaves, judges=judges)
        yield OpenedIndex(finder, corpora_of(leaves))
        return
    archive = open_archive(address)
    watch = IndexWatch(
        PublishedIndex(archive, address),
        settings.index_folder,
        embedder,
        poll_seconds=settings.index_poll_seconds,
        judges=judges,
    )
    try:
        finder, corpora = await watch.begin()
        yield OpenedIndex(finder, corpora, watch)
    finally:
        watch.release()
        await archive.close()


def _is_published(address: str) -> bool:
    return is_bucket(address) or (Path(address) / POINTER).is_file()


class IndexWatch:
    """Keeps one service on the generation that its pointer names."""

    def __init__(
        self,
        published: PublishedIndex,
        folder: Path,
        embedder: Embedder,
        *,
        poll_seconds: float = 30.0,
        judges: Sequence[Judge] = (),
    ) -> None:
        self._published, self._folder, self._embedder, self._judges = published, folder, embedder, judges
        self._poll_seconds = poll_seconds
        self._held: Fetched | None = None
        self._version: str | None = None
        self._since = self._checked = ""
        self._problem: str | None = None
        self._refused: tuple[str, int, float] | None = None
        """Version of the pointer that could not be followed, how often it was tried, when to try again."""

    async def begin(self) -> tuple[LocalFinder, dict[str, Path]]:
        """Fetch and open the generation in use, or the newest that is here already; see ``opened_index``."""
        try:
            current = await self._published.current()
            finder, fetched = await self._opened(current.generation)
        except NeuralKGError as error:
            found = await self._opened_before()
            if found is None:
                raise
            finder, fetched = found
            self._failed(error)
        else:
            self._checked = _now()
            self._version = current.version
        self._hold(fetched)
        await asyncio.to_thread(remove_unused, self._folder, keep=fetched.generation.name)
        return finder, corpora_of(fetched.corpus)

    async def keep_up(self, service: Service) -> None:
        """Look at the pointer every few seconds and follow it, until cancelled. What goes wrong is told."""
        while True:
            await asyncio.sleep(self._poll_seconds)
            try:
                await self.look(service)
            except (NeuralKGError, OSError) as error:
                self._failed(error)

    async def look(self, service: Service) -> bool:
        """Look at the pointer once and follow it; tells whether another generation was put in use.

        A request under way ends on the index that it began with; the files of that index go when the last one has
        ended. Raises what ``PublishedIndex.current``, ``fetch`` and ``LocalFinder.open`` do; nothing changed then.
        """
        found = await self._published.pointer()
        if found is None:
            raise IndexDamaged(f"the pointer at {self._published.address} is gone; publish again")
        pointer, version = found
        if self._held and pointer.generation == self._held.generation.name:
            self._checked, self._version, self._problem, self._refused = _now(), version, None, None
            return False
        if self._refused and self._refused[0] == version and time.monotonic() < self._refused[2]:
            return False
        try:
            current = await self._published.current()
            finder, fetched = await self._opened(current.generation)
        except (NeuralKGError, OSError):
            tries = self._refused[1] + 1 if self._refused and self._refused[0] == version else 1
            wait = min(LONGEST_WAIT, self._poll_seconds * 2.0 ** min(tries, 20))
            self._refused = (version, tries, time.monotonic() + wait)
            raise
        old, before = service.use(finder, Documents(corpora_of(fetched.corpus))), self._held
        self._hold(fetched)
        self._checked, self._version, self._problem, self._refused = _now(), current.version, None, None
        log.info("the finder serves the index generation %s", fetched.generation.name)
        try:
            async with asyncio.timeout(service.settings.query_seconds + UNDER_WAY_SECONDS):
                await old.ended()
        except TimeoutError:
            log.warning("requests on the former index generation have not ended; its files stay until the next one")
        else:
            if before:
                before.release()
            await asyncio.to_thread(remove_unused, self._folder, keep=fetched.generation.name)
        return True

    def told(self) -> dict[str, Any]:
        """What ``/health`` and ``/stats.json`` say: the generation, since when, and what is wrong."""
        return {
            "address": self._published.address,
            "generation": self._held.generation.name if self._held else None,
            "storage_version": self._version,
            "since": self._since or None,
            "checked_at": self._checked or None,
            "problem": self._problem,
        }

    def release(self) -> None:
        """Let go of the generation in use; its files stay for the next start."""
        if self._held:
            self._held.release()
            self._held = None

    def _hold(self, fetched: Fetched) -> None:
        self._held, self._since = fetched, _now()

    def _failed(self, error: Exception) -> None:
        if str(error) != self._problem:
            log.warning("the published index cannot be followed: %s", error)
        self._problem = str(error)

    async def _opened_before(self) -> tuple[LocalFinder, Fetched] | None:
        """The newest generation that an earlier start fetched, where it can be opened."""
        for fetched in local_generations(self._folder):
            try:
                return await self._load(fetched), fetched
            except NeuralKGError:
                fetched.release()
        return None

    async def _opened(self, generation: Generation) -> tuple[LocalFinder, Fetched]:
        fetched = await fetch(self._published, generation, self._folder)
        try:
            return await self._load(fetched), fetched
        except BaseException:
            fetched.release()
            raise

    async def _load(self, fetched: Fetched) -> LocalFinder:
        return await asyncio.to_thread(
            LocalFinder.open, self._embedder, path=fetched.path, corpus=None, judges=self._judges
        )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
