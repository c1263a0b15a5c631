"""The packaged embedding model: unit rows, meaning kept, no dependence on neighbours, wrong weights refused."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest

from shared.adapters.packaged_embedder import CACHED_TEXTS, PackagedEmbedder, _batches
from shared.runtime.errors import ModelUnavailable


@pytest.fixture(scope="module")
def embedder() -> PackagedEmbedder:
    return PackagedEmbedder()


async def test_rows_are_unit_vectors_of_the_declared_dimension(embedder: PackagedEmbedder) -> None:
    vectors = await embedder.embed(["gdp", "how many people live there", ""])
    assert vectors.shape == (3, embedder.dimension)
    assert vectors.dtype == np.float32
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0, atol=1e-5)


async def test_no_texts_give_no_rows(embedder: PackagedEmbedder) -> None:
    assert (await embedder.embed([])).shape == (0, 384)


async def test_a_paraphrase_is_nearer_than_another_subject(embedder: PackagedEmbedder) -> None:
    jobless, unemployment, forest = await embedder.embed(["jobless rate", "unemployment rate", "forest area"])
    assert jobless @ unemployment > jobless @ forest + 0.3


async def test_a_vector_does_not_depend_on_its_neighbours() -> None:
    texts = ["gdp", "life expectancy at birth of women in years, as a long phrase", "population"] * 7
    together = await PackagedEmbedder().embed(texts)
    alone = PackagedEmbedder()
    for row in range(3):
        np.testing.assert_allclose(together[row], (await alone.embed([texts[row]]))[0], atol=1e-5)


async def test_order_is_that_of_the_texts_though_batches_are_by_length(embedder: PackagedEmbedder) -> None:
    texts = [" ".join(["word"] * n) + f" {n}" for n in (40, 1, 90, 3, 200, 7, 60, 2, 30, 5)]
    forward = await embedder.embed(texts * 2)
    backward = await embedder.embed(list(reversed(texts * 2)))
    np.testing.assert_allclose(forward, backward[::-1], atol=1e-5)


async def test_text_past_the_token_limit_is_cut(embedder: PackagedEmbedder) -> None:
    long, longer = await embedder.embed(["debt " * 300, "debt " * 900])
    np.testing.assert_allclose(long, longer, atol=1e-6)


async def test_the_loop_stays_free_and_concurrent_calls_agree(embedder: PackagedEmbedder) -> None:
    many = await asyncio.gather(*(embedder.embed(["inflation", f"query {n}"]) for n in range(20)))
    for vectors in many:
        np.testing.assert_array_equal(vectors[0], many[0][0])


async def test_the_cache_of_query_vectors_is_bounded() -> None:
    embedder = PackagedEmbedder()
    vector = (await embedder.embed(["kept"]))[0]
    embedder._remember({f"filler {n}": vector for n in range(CACHED_TEXTS + 50)})
    assert len(embedder._cache) == CACHED_TEXTS
    np.testing.assert_allclose((await embedder.embed(["kept"]))[0], vector, atol=1e-6)


async def test_other_weights_are_refused_by_their_sha256(tmp_path: Path) -> None:
    wrong = tmp_path / "model.onnx"
    wrong.write_bytes(b"not the model")
    with pytest.raises(ModelUnavailable, match="sha256"):
        await PackagedEmbedder(model_file=wrong).embed(["gdp"])


async def test_missing_weights_are_said(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="cannot be read"):
        await PackagedEmbedder(model_file=tmp_path / "absent.onnx").embed(["gdp"])


def test_batches_hold_every_row_once() -> None:
    lengths = [250, 3, 8, 120, 256, 3, 64] * 30
    batches = _batches(lengths)
    assert sorted(row for batch in batches for row in batch) == list(range(len(lengths)))
    assert all(max(lengths[row] for row in batch) * len(batch) <= 2048 for batch in batches)
