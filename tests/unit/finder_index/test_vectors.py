"""A coarse scan finds exactly what scoring every row would: over all rows, a phrasing, some rows, a filter."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from finder_index.coarse import quantize, write_coarse
from finder_index.vectors import SMALL, JoinedTable, VectorTable

ROWS, DIMENSION = SMALL + 4_321, 64


def made(rows: int, seed: int) -> NDArray[np.float16]:
    """Clustered unit vectors, so that many rows are nearly as good as each other."""
    random = np.random.default_rng(seed)
    centres = random.normal(size=(50, DIMENSION))
    found = centres[random.integers(0, 50, rows)] + 0.6 * random.normal(size=(rows, DIMENSION))
    return (found / np.linalg.norm(found, axis=1, keepdims=True)).astype(np.float16)


@pytest.fixture(scope="module")
def table(tmp_path_factory: pytest.TempPathFactory) -> VectorTable:
    vectors = made(ROWS, 1)
    folder = tmp_path_factory.mktemp("coarse")
    found = VectorTable(vectors, folder, write_coarse(folder, vectors))
    found.warm()
    return found


@pytest.fixture(scope="module")
def queries(table: VectorTable) -> NDArray[np.float32]:
    picked = table.vectors[::3001][:8].astype(np.float32)
    return picked / np.linalg.norm(picked, axis=1, keepdims=True)


def exactly(scores: NDArray[np.float32], rows: NDArray[np.int64], count: int) -> list[int]:
    return [int(row) for row in rows[np.lexsort((rows, -scores[rows]))][:count]]


def test_coarse_rows_are_the_vectors_within_half_a_step(table: VectorTable) -> None:
    coarse, step = quantize(table.vectors)
    assert coarse.shape == (DIMENSION, ROWS)
    assert step == table.step
    off = np.abs(coarse.T.astype(np.float32) * table.step - table.vectors.astype(np.float32))
    assert off.max() <= table.step / 2 + 1e-6


def test_the_scores_of_a_scan_err_by_no_more_than_it_says(table: VectorTable, queries: NDArray[np.float32]) -> None:
    scan = table.scan(queries)
    exact = table.cosines(np.arange(ROWS), queries)
    assert 0 < float((scan.scores.T - exact).std()) < scan.error


@pytest.mark.parametrize("count", [1, 6, 150, 1000])
def test_the_best_over_all_phrasings_are_those_of_exact_scores(
    table: VectorTable, queries: NDArray[np.float32], count: int
) -> None:
    exact = table.cosines(np.arange(ROWS), queries).max(axis=1)
    found = table.scan(queries).best(count)
    assert [row for row, _ in found] == exactly(exact, np.arange(ROWS), count)
    np.testing.assert_allclose([score for _, score in found], sorted(exact, reverse=True)[:count], atol=1e-6)


def test_each_phrasing_has_its_own_best(table: VectorTable, queries: NDArray[np.float32]) -> None:
    exact = table.cosines(np.arange(ROWS), queries)
    scan = table.scan(queries)
    for phrasing in range(len(queries)):
        best = [row for row, _ in scan.best(6, phrasing=phrasing)]
        assert best == exactly(exact[:, phrasing], np.arange(ROWS), 6)


def test_the_best_among_some_rows_are_theirs(table: VectorTable, queries: NDArray[np.float32]) -> None:
    exact = table.cosines(np.arange(ROWS), queries).max(axis=1)
    members = np.arange(7_000, 9_500)
    assert [row for row, _ in table.scan(queries).best(3, among=members)] == exactly(exact, members, 3)


@pytest.mark.parametrize("every", [2, 40, 5_000])
def test_a_filter_holds_before_the_cut_however_narrow(
    table: VectorTable, queries: NDArray[np.float32], every: int
) -> None:
    allowed = np.zeros(ROWS, dtype=bool)
    allowed[::every] = True
    exact = table.cosines(np.arange(ROWS), queries).max(axis=1)
    rows = np.flatnonzero(allowed)
    scan = table.scan(queries, allowed)
    assert [row for row, _ in scan.best(150)] == exactly(exact, rows, 150)
    among = rows[rows < 10_000]
    assert [row for row, _ in scan.best(3, among=among)] == exactly(exact, among, 3)


def test_a_filter_that_leaves_nothing_gives_nothing(table: VectorTable, queries: NDArray[np.float32]) -> None:
    assert table.scan(queries, np.zeros(ROWS, dtype=bool)).best(150) == []


def test_before_it_is_ready_a_table_is_scanned_exactly(table: VectorTable, queries: NDArray[np.float32]) -> None:
    cold = VectorTable(table.vectors, table.coarse, table.step)
    scan = cold.scan(queries)
    assert scan.error == 0.0
    assert [row for row, _ in scan.best(150)] == [row for row, _ in table.scan(queries).best(150)]
    assert cold._packing is not None
    cold._packing.join(30)
    assert cold.scan(queries).error > 0.0


def test_rows_that_tie_come_in_their_order() -> None:
    vectors = np.repeat(made(1, 3), 300, axis=0)
    found = VectorTable(vectors).scan(vectors[:1].astype(np.float32)).best(5)
    assert [row for row, _ in found] == [0, 1, 2, 3, 4]


def test_joined_tables_are_searched_as_one(table: VectorTable, queries: NDArray[np.float32]) -> None:
    joined = JoinedTable.of([VectorTable(made(500, 9)), table, VectorTable(made(700, 11))])
    assert len(joined) == ROWS + 1_200
    exact = joined.cosines(np.arange(len(joined)), queries).max(axis=1)
    assert [row for row, _ in joined.scan(queries).best(150)] == exactly(exact, np.arange(len(joined)), 150)
