"""A build that is killed goes on where it stopped, and an unchanged leaf is not even read again."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import finder_index.build
from finder_index.build import build_index
from finder_index.cli_actions import verify_index
from finder_index.index import load_index
from finder_index.journal import Journal
from finder_index.leaves import read_corpus
from finder_index.pace import Pace
from shared.runtime.errors import CorpusInvalid, IndexDamaged, IndexForeign, ModelUnavailable
from tests.support.finder_corpora import CountingEmbedder, make_corpus

ROOT = Path(__file__).parents[3]
BATCH = 8
LEAVES = 60
TABLES = {"bank": {f"A.{number}": f"Measure number {number}" for number in range(LEAVES)}}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return make_corpus(tmp_path / "corpus", TABLES)


@pytest.fixture
def batches(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("finder_index.build.BATCH", BATCH)


class Failing(CountingEmbedder):
    """Embeds so many batches and is then out of reach."""

    def __init__(self, batches: int) -> None:
        super().__init__()
        self.left = batches

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if not self.left:
            raise ModelUnavailable("the provider is down")
        self.left -= 1
        return await super().embed(texts)


async def test_a_build_whose_provider_failed_goes_on(corpus: Path, tmp_path: Path, batches: None) -> None:
    out = tmp_path / "index"
    with pytest.raises(ModelUnavailable):
        await build_index(corpus, out, Failing(3))
    again = CountingEmbedder()
    report = await build_index(corpus, out, again)
    assert (report.resumed, report.embedded, len(again.embedded)) == (24, 36, 36)
    assert verify_index(out, corpus) == []
    expected = await CountingEmbedder().embed([leaf.index_text for leaf in read_corpus(corpus).leaves])
    np.testing.assert_allclose(load_index(out).vectors.astype(np.float32), expected, atol=1e-3)
    assert not Journal.beside(out, "words-64", 64).folder.exists()


def test_a_build_that_is_killed_loses_at_most_one_batch(corpus: Path, tmp_path: Path) -> None:
    script = textwrap.dedent(
        """
        import asyncio, sys, time
        from pathlib import Path
        import finder_index.build as build
        from tests.support.finder_corpora import CountingEmbedder
        build.BATCH = 8
        class Slow(CountingEmbedder):
            async def embed(self, texts):
                found = await super().embed(texts)
                print(len(self.embedded), flush=True)
                time.sleep(0.15)
                return found
        asyncio.run(build.build_index(Path(sys.argv[1]), Path(sys.argv[2]), Slow()))
        """
    )
    out = tmp_path / "index"
    command = [sys.executable, "-c", script, str(corpus), str(out)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, cwd=ROOT, text=True) as build:
        assert build.stdout is not None
        for _ in range(4):
            embedded = int(build.stdout.readline())
        build.send_signal(signal.SIGKILL)
    assert not out.exists()
    kept, _ = Journal.beside(out, "words-64", 64).read()
    assert embedded - BATCH <= len(kept) <= embedded
    done = subprocess.run(command, check=True, capture_output=True, cwd=ROOT, text=True, timeout=60)
    assert int(done.stdout.split()[-1]) == LEAVES - len(kept)
    assert verify_index(out, corpus) == []


async def test_a_line_that_was_half_written_is_cut_off(corpus: Path, tmp_path: Path, batches: None) -> None:
    out = tmp_path / "index"
    with pytest.raises(ModelUnavailable):
        await build_index(corpus, out, Failing(2))
    vectors = tmp_path / ".index.journal" / "vectors"
    os.truncate(vectors, vectors.stat().st_size - 5)
    report = await build_index(corpus, out, CountingEmbedder())
    assert report.resumed == 2 * BATCH - 1
    assert verify_index(out, corpus) == []


async def test_what_another_model_saved_is_not_used(corpus: Path, tmp_path: Path, batches: None) -> None:
    out = tmp_path / "index"
    with pytest.raises(ModelUnavailable):
        await build_index(corpus, out, Failing(2))
    report = await build_index(corpus, out, CountingEmbedder("another"))
    assert (report.resumed, report.embedded) == (0, LEAVES)


async def test_only_changed_leaves_are_read_again(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "index"
    await build_index(corpus, out, CountingEmbedder())
    leaf = corpus / "sources/bank/A.7.md"
    leaf.write_text(leaf.read_text().replace("Measure number 7", "Measure number seven"))
    read: list[str] = []
    plain = finder_index.build.read_digests

    def watched(corpus: Path, files: Sequence[str], model: str) -> object:
        read.extend(files)
        return plain(corpus, files, model)

    monkeypatch.setattr("finder_index.build.read_digests", watched)
    report = await build_index(corpus, out, CountingEmbedder())
    assert read == ["sources/bank/A.7.md"]
    assert report.embedded == 1
    whole = tmp_path / "whole"
    await build_index(corpus, whole, CountingEmbedder())
    assert {file.name: file.read_bytes() for file in out.iterdir()} == {
        file.name: file.read_bytes() for file in whole.iterdir()
    }, "an index built on top of another is the same as one built at once"


async def test_a_change_of_the_access_document_reaches_every_leaf(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "index"
    await build_index(corpus, out, CountingEmbedder())
    access = corpus / "sources/bank/_access.md"
    access.write_text(access.read_text().replace("okf:keyType: iso3", "okf:keyType: fips"))
    await build_index(corpus, out, CountingEmbedder())
    index = load_index(out)
    assert {index.document(row).terms["keyType"] for row in range(len(index))} == {"fips"}


async def test_a_variable_named_twice_is_found_though_one_leaf_was_not_read_again(
    corpus: Path, tmp_path: Path
) -> None:
    out = tmp_path / "index"
    await build_index(corpus, out, CountingEmbedder())
    twin = corpus / "sources/bank/A.70.md"
    twin.write_text((corpus / "sources/bank/A.7.md").read_text())
    with pytest.raises(CorpusInvalid, match=r"A\.70\.md:\d+: A\.7 is already described by sources/bank/A\.7\.md"):
        await build_index(corpus, out, CountingEmbedder())


async def test_another_files_bytes_of_the_same_size_are_found_at_load(corpus: Path, tmp_path: Path) -> None:
    out = tmp_path / "index"
    await build_index(corpus, out, CountingEmbedder())
    vectors = out / "vectors.npy"
    data = bytearray(vectors.read_bytes())
    data[-1] ^= 0x40
    vectors.write_bytes(data)
    with pytest.raises(IndexDamaged, match=r"vectors\.npy is not the file that was built"):
        load_index(out)


async def test_another_dimension_is_refused(corpus: Path, tmp_path: Path) -> None:
    await build_index(corpus, tmp_path / "index", CountingEmbedder())
    with pytest.raises(IndexForeign, match="64 dimensions, this program's have 384"):
        load_index(tmp_path / "index", dimension=384)


async def test_vectors_that_are_no_numbers_end_the_build(corpus: Path, tmp_path: Path) -> None:
    class Broken(CountingEmbedder):
        async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            return np.full((len(texts), self.dimension), np.nan, dtype=np.float32)

    with pytest.raises(ModelUnavailable, match="no numbers"):
        await build_index(corpus, tmp_path / "index", Broken())
    assert not (tmp_path / "index").exists()


def test_pace_tells_rate_and_time_left() -> None:
    now = [100.0]
    pace = Pace(clock=lambda: now[0])
    assert pace.text(0, 1000) == "0 of 1,000 entries embedded"
    now[0] = 102.0
    assert pace.text(500, 90_500) == "500 of 90,500 entries embedded, 250 a second, 6 min 0 s left"
    now[0] = 462.0
    assert pace.text(90_500, 90_500) == "90,500 of 90,500 entries embedded, 250 a second"
