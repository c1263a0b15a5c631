"""The built-in reranker keeps what was found by meaning, knows levels, and keeps apart what is alike."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from finder_index import index as index_module
from finder_index import rerank
from finder_index.build import build_index
from finder_index.index import LoadedIndex, load_index
from finder_index.rerank import Phrasing, Reranker
from tests.support.finder_corpora import ACCESS, CountingEmbedder, make_corpus

TABLES = {
    "states": {"S.1": "Labor force"},
    "counties": {"C.1": "Labor force"},
    "words": {"W.1": "Deposits of savers in banks", "W.2": "Deposits of savers in banks abroad"},
}
GRAIN = {"states": "state", "counties": "county"}


@pytest.fixture
async def index(tmp_path: Path) -> LoadedIndex:
    corpus = make_corpus(tmp_path / "corpus", TABLES)
    for source, grain in GRAIN.items():
        access = ACCESS.format(source=source).replace(
            "okf:scope: countries", f"okf:scope: areas\nokf:grain: {grain}"
        )
        (corpus / "sources" / source / "_access.md").write_text(access)
    await build_index(corpus, tmp_path / "index", CountingEmbedder())
    return load_index(tmp_path / "index")


def score(index: LoadedIndex, variable: str, text: str, cosine: float, *levels: str) -> float:
    (row,) = index.rows_of_variable(variable)
    return Reranker(index).score(row, [Phrasing.of(text, 0)], [cosine], frozenset(levels))


async def test_a_table_that_shares_no_word_qualifies_by_meaning(index: LoadedIndex) -> None:
    assert score(index, "W.1", "money that households put aside", 0.50) >= 50.0
    assert score(index, "W.1", "money that households put aside", 0.45) < 50.0


async def test_by_meaning_alone_no_table_scores_like_one_that_is_named(index: LoadedIndex) -> None:
    assert score(index, "W.1", "money that households put aside", 0.99) < score(
        index, "W.1", "savers deposits", 0.6
    )


async def test_a_table_without_the_level_that_is_asked_for_stands_behind(index: LoadedIndex) -> None:
    asked = "labor force of a county"
    assert score(index, "S.1", asked, 0.6) == score(index, "C.1", asked, 0.6)
    assert score(index, "S.1", asked, 0.6, "county") == score(index, "C.1", asked, 0.6, "county") - 12.0


async def test_of_two_tables_that_fit_well_the_nearer_stays_the_better(index: LoadedIndex) -> None:
    near, far = (score(index, "W.1", "deposits of savers in banks by country", cosine) for cosine in (0.9, 0.8))
    assert 84.0 < far < near < 94.0


@pytest.fixture
def hurried_threads() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("hurried_threads")
async def test_searches_side_by_side_may_drop_what_is_kept_of_tables(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rerank, "KEPT_TABLES", 2)
    monkeypatch.setattr(index_module, "KEPT_ENTRIES", 2)
    corpus = make_corpus(tmp_path / "many", {"bank": {f"A.{n}": f"Deposits of kind {n}" for n in range(40)}})
    await build_index(corpus, tmp_path / "index-of-many", CountingEmbedder())
    reranker, asked = Reranker(load_index(tmp_path / "index-of-many")), [Phrasing.of("deposits", 0)]
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda n: reranker.score(n % 40, asked, [0.6]), range(4000)))
    assert found == found[:40] * 100
