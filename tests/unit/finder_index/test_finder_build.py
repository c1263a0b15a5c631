"""An index build embeds only what changed, and a damaged, foreign or stale index is refused with the remedy."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from finder_index.build import build_index
from finder_index.cli_actions import describe_index, verify_index
from finder_index.finder import LocalFinder
from finder_index.index import CORPUS, CURRENT, FILES, damaged_files, load_index, require_current, require_sound
from finder_index.leaves import read_corpus
from shared.adapters.packaged_embedder import PackagedEmbedder
from shared.runtime.errors import CorpusInvalid, IndexDamaged, IndexStale, ModelUnavailable
from tests.support.finder_corpora import CountingEmbedder, make_corpus

TABLES = {
    "bank": {"A.1": "Interest rate", "A.2": "Exchange rate", "A.3": "Bank loans"},
    "census": {"B.1": "Number of people", "A.1": "Interest rate paid by households"},
}


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    return make_corpus(tmp_path / "corpus", TABLES)


@pytest.fixture
def out(tmp_path: Path) -> Path:
    return tmp_path / "index"


def contents(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


async def test_the_first_build_embeds_every_leaf(corpus: Path, out: Path) -> None:
    seen: list[tuple[int, int]] = []
    report = await build_index(corpus, out, CountingEmbedder(), lambda done, total: seen.append((done, total)))
    assert (report.entries, report.embedded, report.reused) == (5, 5, 0)
    assert report.sources == {"bank": 3, "census": 2}
    assert seen == [(5, 5)]
    assert verify_index(out, corpus) == []


async def test_an_unchanged_corpus_embeds_nothing(corpus: Path, out: Path) -> None:
    await build_index(corpus, out, CountingEmbedder())
    before = contents(out)
    again = CountingEmbedder()
    report = await build_index(corpus, out, again)
    assert (report.embedded, report.reused, again.embedded) == (0, 5, [])
    assert contents(out) == before


async def test_only_changed_and_new_leaves_are_embedded(corpus: Path, out: Path) -> None:
    await build_index(corpus, out, CountingEmbedder())
    leaf = corpus / "sources/bank/A.2.md"
    leaf.write_text(leaf.read_text().replace("Exchange rate by year", "Rate of exchange"))
    make_corpus(corpus, {"bank": {"A.4": "Share prices"}})
    (corpus / "sources/bank/A.3.md").unlink()
    again = CountingEmbedder()
    report = await build_index(corpus, out, again)
    assert (report.entries, report.embedded, report.reused) == (5, 2, 3)
    assert sorted(text.split(".")[0] for text in again.embedded) == ["Exchange rate", "Share prices"]
    assert verify_index(out, corpus) == []


async def test_a_change_outside_the_embedded_text_embeds_nothing_but_is_served(corpus: Path, out: Path) -> None:
    await build_index(corpus, out, CountingEmbedder())
    leaf = corpus / "sources/bank/A.2.md"
    leaf.write_text(leaf.read_text().replace("okf:unit: '%'", "okf:unit: LCU"))
    again = CountingEmbedder()
    await build_index(corpus, out, again)
    assert again.embedded == []
    finder = LocalFinder.open(again, path=out, corpus=corpus)
    assert [document.terms["unit"] for document in await finder.by_variable("A.2")] == ["LCU"]


async def test_another_model_embeds_everything_again(corpus: Path, out: Path) -> None:
    await build_index(corpus, out, CountingEmbedder())
    report = await build_index(corpus, out, CountingEmbedder("words-64-v2"))
    assert (report.embedded, report.model) == (5, "words-64-v2")


async def test_vectors_stay_with_their_entries_when_rows_move(corpus: Path, out: Path) -> None:
    await build_index(corpus, out, CountingEmbedder())
    make_corpus(corpus, {"airline": {"Z.1": "Flights"}})
    await build_index(corpus, out, CountingEmbedder())
    index, leaves = load_index(out), read_corpus(corpus).leaves
    expected = await CountingEmbedder().embed([leaf.index_text for leaf in leaves])
    np.testing.assert_allclose(index.vectors.astype(np.float32), expected, atol=1e-3)


async def test_a_build_that_fails_leaves_the_old_index_whole(corpus: Path, out: Path) -> None:
    await build_index(corpus, out, CountingEmbedder())
    leaf = corpus / "sources/bank/A.2.md"
    good = leaf.read_text()
    leaf.write_text("not a leaf")
    with pytest.raises(CorpusInvalid, match=r"A\.2\.md:1"):
        await build_index(corpus, out, CountingEmbedder())

    class Failing(CountingEmbedder):
        async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
            raise ModelUnavailable("the provider is down")

    leaf.write_text(good.replace("by year", "a year"))
    with pytest.raises(ModelUnavailable):
        await build_index(corpus, out, Failing())
    assert damaged_files(out) == []
    assert [path.name for path in out.parent.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize("name", FILES)
async def test_a_truncated_file_is_refused(corpus: Path, out: Path, name: str) -> None:
    await build_index(corpus, out, CountingEmbedder())
    file = out / name
    file.write_bytes(file.read_bytes()[:-3])
    with pytest.raises(IndexDamaged, match="neuralkg index build"):
        load_index(out)
    assert any(problem.startswith(name) for problem in verify_index(out, corpus))


@pytest.mark.parametrize("name", FILES)
async def test_a_missing_file_is_refused(corpus: Path, out: Path, name: str) -> None:
    await build_index(corpus, out, CountingEmbedder())
    (out / name).unlink()
    with pytest.raises(IndexDamaged):
        load_index(out)
    assert f"{name} is missing" in verify_index(out, corpus)


async def test_vectors_of_another_index_are_found_out(corpus: Path, out: Path, tmp_path: Path) -> None:
    other = make_corpus(tmp_path / "other", {"bank": {f"A.{n}": f"Thing {n}" for n in range(5)}})
    await build_index(corpus, out, CountingEmbedder())
    await build_index(other, tmp_path / "swap", CountingEmbedder())
    shutil.copy(tmp_path / "swap" / "vectors.npy", out / "vectors.npy")
    assert damaged_files(out) == [
        "vectors.npy is not the file that was built: its sha256 differs from the manifest's"
    ]
    with pytest.raises(IndexDamaged, match="sha256"):
        require_sound(out, corpus)


async def test_vectors_of_another_shape_are_refused_at_load(corpus: Path, out: Path) -> None:
    await build_index(corpus, out, CountingEmbedder())
    np.save(out / "vectors.npy", np.zeros((4, 64), dtype=np.float16))
    with pytest.raises(IndexDamaged, match=r"shape \(4, 64\)"):
        load_index(out)


async def test_an_index_of_another_model_is_refused(corpus: Path, out: Path) -> None:
    await build_index(corpus, out, CountingEmbedder())
    with pytest.raises(IndexDamaged, match=r"words-64.*other-model"):
        LocalFinder.open(CountingEmbedder("other-model"), path=out, corpus=corpus)


async def test_an_index_of_other_leaves_is_stale_and_says_how_to_rebuild(corpus: Path, out: Path) -> None:
    await build_index(corpus, out, CountingEmbedder())
    make_corpus(corpus, {"bank": {"A.9": "Something new"}})
    with pytest.raises(IndexStale, match="neuralkg index build"):
        LocalFinder.open(CountingEmbedder(), path=out, corpus=corpus)
    assert describe_index(out, corpus)["current"] is False
    assert any("other leaves" in problem for problem in verify_index(out, corpus))


async def test_an_index_built_by_other_rules_of_wording_is_stale(
    corpus: Path, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("finder_index.build.wording_signature", lambda: "0" * 64)
    await build_index(corpus, out, CountingEmbedder())
    with pytest.raises(IndexStale, match="other rules of wording"):
        require_current(out, corpus)


@pytest.mark.parametrize(
    ("manifest", "complaint"),
    [("{", "cannot be read"), ("[]", "lacks some of its keys"), ("{}", "lacks some of its keys")],
)
async def test_a_broken_manifest_is_refused(corpus: Path, out: Path, manifest: str, complaint: str) -> None:
    await build_index(corpus, out, CountingEmbedder())
    (out / "manifest.json").write_text(manifest)
    with pytest.raises(IndexDamaged, match=complaint):
        load_index(out)
    assert verify_index(out)[0].endswith("neuralkg index build")


async def test_an_index_of_another_format_is_refused(corpus: Path, out: Path) -> None:
    await build_index(corpus, out, CountingEmbedder())
    manifest = json.loads((out / "manifest.json").read_text())
    (out / "manifest.json").write_text(json.dumps(manifest | {"format": 99}))
    with pytest.raises(IndexDamaged, match="format 99"):
        load_index(out)


def test_an_absent_index_says_how_to_make_one(tmp_path: Path) -> None:
    assert verify_index(tmp_path / "nowhere") == [
        "there is no index at nowhere; make it with: neuralkg index build"
    ]


def test_the_committed_index_is_sound_and_current() -> None:
    require_current(CURRENT, CORPUS)
    assert verify_index() == []
    described = describe_index()
    assert described["model"] == PackagedEmbedder().model
    known = {"countryfacts": 8, "datacommons": 48, "worldbank": 407}
    assert known.items() <= described["sources"].items()
    assert described["current"] is True


async def test_committed_vectors_are_those_of_the_packaged_model() -> None:
    leaves = read_corpus(CORPUS).leaves
    rows = list(range(0, len(leaves), 40))
    fresh = await PackagedEmbedder().embed([leaves[row].index_text for row in rows])
    np.testing.assert_allclose(load_index(CURRENT).vectors[rows].astype(np.float32), fresh, atol=2e-3)
