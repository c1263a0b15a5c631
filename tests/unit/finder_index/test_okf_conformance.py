"""The packaged leaves pass an independent checker of their format."""

from __future__ import annotations

from pathlib import Path

import pytest

from finder_index.index import CORPUS


def test_an_independent_checker_finds_nothing_wrong_with_any_leaf() -> None:
    okflib = pytest.importorskip("okflib", reason="the independent checker okflib is not installed")
    bundle = okflib.Bundle.load(CORPUS, strict=True)
    documents = [path for path in CORPUS.rglob("*.md") if path.name not in {"index.md", "log.md"}]
    assert len(bundle) == len(documents)
    assert bundle.validate().issues == []


def test_the_checker_would_find_a_leaf_without_a_type(tmp_path: Path) -> None:
    okflib = pytest.importorskip("okflib", reason="the independent checker okflib is not installed")
    (tmp_path / "a.md").write_text("---\ntitle: A\n---\nBody.\n")
    with pytest.raises(okflib.FrontmatterError):
        okflib.Bundle.load(tmp_path, strict=True)
