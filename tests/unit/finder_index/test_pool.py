"""The pool: the best by embedding, then each phrasing's best and each source family's best."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from finder_index.build import build_index
from finder_index.families import Families
from finder_index.index import LoadedIndex, load_index
from finder_index.limits import Limits
from finder_index.pool import Pool, make_pool
from tests.support.finder_corpora import CountingEmbedder, make_corpus

NARROW = Limits(candidates=40, slice=4, band=0.0, per_phrasing=0, per_source=0)


@pytest.fixture
async def index(tmp_path: Path) -> LoadedIndex:
    """Forty tables of a large source and four of a small one, whose subject is another."""
    tables = {
        "large": {f"L.{n}": f"bank interest number {n}" for n in range(40)},
        "small": {f"S.{n}": f"forest area and timber {n}" for n in range(4)},
    }
    corpus = make_corpus(tmp_path / "corpus", tables)
    await build_index(corpus, tmp_path / "index", CountingEmbedder())
    return load_index(tmp_path / "index")


async def pool_of(index: LoadedIndex, limits: Limits, *texts: str) -> Pool:
    vectors: NDArray[np.float32] = await CountingEmbedder().embed(texts)
    return make_pool(Families(index), limits, None, index.scan(vectors), ())


def sources(index: LoadedIndex, pool: Pool) -> list[str]:
    return [index.source(row) for row in pool.head]


async def test_without_promotion_the_head_is_the_slice(index: LoadedIndex) -> None:
    pool = await pool_of(index, NARROW, "bank interest number")
    assert sources(index, pool) == ["large"] * 4
    assert pool.candidates == 40


async def test_each_sources_best_are_in_the_head_however_large_the_others(index: LoadedIndex) -> None:
    pool = await pool_of(index, Limits(candidates=40, slice=4, band=0.0, per_phrasing=0), "bank interest number")
    assert sources(index, pool).count("small") == 3


async def test_each_phrasings_best_are_in_the_head_however_near_the_others(index: LoadedIndex) -> None:
    texts = ("bank interest number 1 by year", "forest")
    without = await pool_of(index, NARROW, *texts)
    assert "small" not in sources(index, without)
    with_best = await pool_of(index, Limits(candidates=40, slice=4, band=0.0, per_phrasing=2, per_source=0), *texts)
    assert sources(index, with_best).count("small") == 2


async def test_as_many_as_lie_within_the_band_are_in_the_head_up_to_the_cap(index: LoadedIndex) -> None:
    wide = Limits(candidates=40, slice=4, band=100.0, examined=9, per_phrasing=0, per_source=0)
    assert len((await pool_of(index, wide, "bank interest number")).head) == 9
