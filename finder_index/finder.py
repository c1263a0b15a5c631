"""The finder in this process: the ``Finder`` port over a built index and an embedder."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from finder_index.index import CORPUS, CURRENT, LoadedIndex, load_index, require_current
from finder_index.search import Limits, Search, make_phrasings
from shared.query.discovery import FinderReply, FinderRequest, FinderUsage, TableDocument
from shared.runtime.errors import DeadlineExceeded

if TYPE_CHECKING:
    from shared.runtime.deadline import Deadline
    from shared.runtime.ports import Embedder


class LocalFinder:
    """Finds tables in one index. Safe to share between tasks."""

    def __init__(self, index: LoadedIndex, embedder: Embedder, *, limits: Limits | None = None) -> None:
        self._index = index
        self._embedder = embedder
        self._search = Search(index, limits)
        self._strip: Callable[[str], str] | None = _place_stripper() if self._search.limits.strip_places else None

    @classmethod
    def open(cls, embedder: Embedder, *, path: Path = CURRENT, corpus: Path | None = CORPUS) -> LocalFinder:
        """Open a built index, the packaged one by default.

        Raises ``IndexDamaged`` when it is missing, cut short or of another model, and ``IndexStale`` when
        ``corpus`` (if given) is not what it was built from.
        """
        index = load_index(path, model=embedder.model)
        if corpus is not None:
            require_current(path, corpus)
        return cls(index, embedder)

    @property
    def sources(self) -> tuple[str, ...]:
        """Names of the sources that the index holds."""
        return tuple(self._index.sources)

    async def search(self, request: FinderRequest, *, deadline: Deadline) -> FinderReply:
        """Find the tables for a request, best first.

        Raises ``UsageError`` for an empty phrasing, ``UnknownSource``, ``ModelUnavailable`` when the
        embedding fails, and ``DeadlineExceeded``.
        """
        started = time.perf_counter()
        deadline.check()
        phrasings = make_phrasings(request.texts, self._strip)
        try:
            async with asyncio.timeout(deadline.remaining):
                vectors = await self._embedder.embed(phrasings.texts)
        except TimeoutError as error:
            raise DeadlineExceeded("the time was up while the search was being embedded") from error
        reply = self._search.run(request, phrasings, vectors)
        return reply.model_copy(update={"usage": FinderUsage(seconds=round(time.perf_counter() - started, 6))})

    async def by_variable(self, variable: str) -> tuple[TableDocument, ...]:
        """Every source's document of one published variable, most places first; none when unknown."""
        documents = [self._index.document(row) for row in self._index.rows_of_variable(variable)]
        return tuple(
            sorted(documents, key=lambda document: (-int(document.terms.get("places", "0")), document.source))
        )


def _place_stripper() -> Callable[[str], str]:
    from shared.text.places import strip_places  # noqa: PLC0415 - the gazetteer is read by those who search

    return strip_places
