"""The finder in this process: the ``Finder`` port over a built index, an embedder and, if there is one, a judge."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from finder_index.index import CORPUS, CURRENT, LoadedIndex, load_index, require_current
from finder_index.limits import Limits
from finder_index.lookups import Lookups, widest_first
from finder_index.mounts import Mount, mount, mounts_from_environment
from finder_index.phrasings import make_phrasings
from finder_index.quantities import Quantity
from finder_index.search import Search, usage_of
from shared.query.discovery import Family, FamilySplit, FinderReply, FinderRequest, StepUsage, TableDocument
from shared.runtime.errors import EmbeddingFailed, ModelError, SearchTimedOut

if TYPE_CHECKING:
    from numpy import float32
    from numpy.typing import NDArray

    from finder_index.scoring import Scorer
    from shared.models.tasks import Judge
    from shared.runtime.deadline import Deadline
    from shared.runtime.ports import Embedder


class LocalFinder:
    """Finds tables in one index. Safe to share between tasks.

    The first of ``judges`` that can rank tables is the reranker; without one it is the built-in evidence.
    """

    def __init__(
        self,
        index: LoadedIndex,
        embedder: Embedder,
        *,
        limits: Limits | None = None,
        judges: Sequence[Judge] = (),
    ) -> None:
        limits = limits or Limits.from_environment()
        self.index = index
        self._embedder = embedder
        self.search_of_index = Search(index, limits, _scorer(index, embedder, limits, judges))
        self.lookups = Lookups(index)
        self._strip: Callable[[str], str] | None = _place_stripper() if limits.strip_places else None

    @classmethod
    def open(
        cls,
        embedder: Embedder,
        *,
        path: Path = CURRENT,
        corpus: Path | None = CORPUS,
        judges: Sequence[Judge] = (),
        mounts: Sequence[Mount] | None = None,
    ) -> LocalFinder:
        """Open a built index, the packaged one by default, and mount the catalogs of ``ARD_CATALOGS`` beside it.

        Raises ``IndexDamaged`` when it is missing, cut short or of another model, ``IndexStale`` when
        ``corpus`` (if given) is not what it was built from, and ``UsageError`` for a malformed ``ARD_CATALOGS``.
        """
        index = load_index(path, model=embedder.model, dimension=embedder.dimension)
        if corpus is not None:
            require_current(path, corpus)
        index = mount(index, mounts_from_environment() if mounts is None else mounts)
        return cls(index, embedder, judges=judges)

    @property
    def sources(self) -> tuple[str, ...]:
        """Names of the sources that the index holds."""
        return tuple(self.index.sources)

    @property
    def limits(self) -> Limits:
        """How far a search looks."""
        return self.search_of_index.limits

    def check(self, request: FinderRequest) -> None:
        """Raise what ``search`` would raise for a request that cannot be searched for; costs next to nothing."""
        make_phrasings(request.texts, None)
        named = request.model_copy(update={"filters": ()})
        self.search_of_index.filters.allowed(named)

    async def search(self, request: FinderRequest, *, deadline: Deadline) -> FinderReply:
        """Find the tables for a request, best first.

        Raises ``UsageError`` for an empty phrasing, an unknown source or catalog; then, each with the usage so
        far, ``EmbeddingFailed``, ``ScoringFailed`` and ``SearchTimedOut``.
        """
        phrasings = make_phrasings(request.texts, self._strip)
        if not deadline.remaining:
            raise SearchTimedOut("the time was up before the search began", usage_of([]))
        # What was asked for wrongly is told before anything is paid for, and nothing is paid for an empty choice.
        allowed, _ = await asyncio.to_thread(self.search_of_index.filters.allowed, request)
        if allowed is not None and not allowed.any():
            return await self.search_of_index.run(request, phrasings, _no_vectors(), deadline=deadline)
        vectors, step = await self._embed(phrasings.texts, deadline)
        return await self.search_of_index.run(request, phrasings, vectors, deadline=deadline, spent=(step,))

    async def _embed(self, texts: Sequence[str], deadline: Deadline) -> tuple[NDArray[float32], StepUsage]:
        """One embedding call for all phrasings. Raises ``EmbeddingFailed`` and ``SearchTimedOut``."""
        began = time.perf_counter()

        def step() -> StepUsage:
            seconds = round(time.perf_counter() - began, 6)
            return StepUsage(step="embed", seconds=seconds, model=self._embedder.model, calls=1)

        try:
            async with asyncio.timeout(deadline.remaining):
                vectors = await self._embedder.embed(texts)
        except TimeoutError as error:
            reason = "the time was up while the search was being embedded"
            raise SearchTimedOut(reason, usage_of([step()])) from error
        except ModelError as error:
            raise EmbeddingFailed(f"the search could not be embedded: {error}", usage_of([step()])) from error
        if problem := _not_vectors(vectors, len(texts), self._embedder.dimension):
            raise EmbeddingFailed(f"the search could not be embedded: {problem}", usage_of([step()]))
        return vectors, step()

    async def by_variable(self, variable: str) -> tuple[TableDocument, ...]:
        """Every source's document of one published variable, most places first; none when unknown."""
        documents = [self.index.document(row) for row in self.index.rows_of_variable(variable)]
        return tuple(widest_first(documents))

    async def splits(self, family: Family) -> tuple[FamilySplit, ...]:
        """The dimensions that a quantity is split by, the fewest first; none for an unknown one."""
        found = await asyncio.to_thread(self.lookups.splits, _quantity(family))
        return tuple(FamilySplit(dimensions=one.constraints, variables=one.variables) for one in found)

    async def split_by(self, family: Family, dimensions: Sequence[str]) -> tuple[TableDocument, ...]:
        """The variables of a quantity that are limited in exactly these dimensions, in the order of the index."""
        return tuple(await asyncio.to_thread(self.lookups.variables, _quantity(family), dimensions))


def _quantity(family: Family) -> Quantity:
    return family.population_type, family.measured_property, family.statistic


def _no_vectors() -> NDArray[float32]:
    import numpy as np  # noqa: PLC0415

    return np.zeros((0, 0), dtype=np.float32)


def _not_vectors(vectors: NDArray[float32], count: int, dimension: int) -> str | None:
    """Why what came back from the embedder is no set of vectors, or ``None``."""
    import numpy as np  # noqa: PLC0415

    if vectors.shape != (count, dimension):
        return f"{count} texts gave vectors of shape {vectors.shape}, wanted ({count}, {dimension})"
    return None if np.isfinite(vectors).all() else "a vector has parts that are no finite numbers"


def _scorer(index: LoadedIndex, embedder: Embedder, limits: Limits, judges: Sequence[Judge]) -> Scorer | None:
    if not judges:
        return None
    from finder_index.judge_scorer import JudgeScorer, reranking_judge  # noqa: PLC0415 - only models need it

    judge = reranking_judge(judges)
    return JudgeScorer(judge, index, embedder, limits) if judge else None


def _place_stripper() -> Callable[[str], str]:
    from shared.text.places import strip_places  # noqa: PLC0415 - the gazetteer is read by those who search

    return strip_places
