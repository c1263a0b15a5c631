"""Tags, types, names, quantities and companions of all rows are told without reading a document."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from finder_index.build import build_index
from finder_index.columns import (
    count_tags,
    mask_of_tags,
    mask_of_types,
    names_of,
    rows_of_identifier,
    rows_of_quantity,
    rows_with_companion,
)
from finder_index.index import LoadedIndex, load_index
from finder_index.lookups import Lookups, Split
from finder_index.mounts import Mount, mount
from finder_index.quantities import key_of_quantity
from tests.support.finder_corpora import ACCESS, CountingEmbedder, make_corpus

LEAF = """---
type: {type}
title: {title}
description: What it is.
representativeQueries: [{title}]
tags: [{tags}]
okf:variable: {variable}
{terms}---
"""
QUANTITY = ("Person", "count", "measuredValue")
OF_PEOPLE = "okf:populationType: Person\nokf:measuredProperty: count\nokf:statType: measuredValue\n"
LEAVES = {
    "A.1": ("Statistical Table", "People", "country, Health", f"{OF_PEOPLE}okf:vintage: '2024-05-01'\n"),
    "A.2": ("Dataset", "Women", "country", f"{OF_PEOPLE}okf:constraints: gender=Female\nokf:marginOfError: A.2M\n"),
    "A.3": ("Dataset", "Loans of banks", "money", ""),
}


def write(root: Path, source: str, leaves: dict[str, tuple[str, str, str, str]]) -> Path:
    folder = root / "sources" / source
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "_access.md").write_text(ACCESS.format(source=source))
    for variable, (kind, title, tags, terms) in leaves.items():
        text = LEAF.format(type=kind, title=title, tags=tags, variable=variable, terms=terms)
        (folder / f"{variable}.md").write_text(text)
    return root


@pytest.fixture
async def index(tmp_path: Path) -> LoadedIndex:
    corpus = write(tmp_path / "corpus", "bank", LEAVES)
    await build_index(corpus, tmp_path / "index", CountingEmbedder())
    return load_index(tmp_path / "index")


def rows(mask: np.ndarray) -> list[int]:
    return [int(row) for row in mask.nonzero()[0]]


def check(index: LoadedIndex) -> None:
    """What holds of the three tables, whichever way their index was made."""
    assert rows(mask_of_tags(index, ["health"])) == [0]
    assert rows(mask_of_tags(index, ["COUNTRY", "money"])) == [0, 1, 2]
    assert rows(mask_of_tags(index, ["nothing"])) == []
    assert count_tags(index, None) == {"Health": 1, "country": 2, "money": 1}
    assert count_tags(index, np.array([False, True, True])) == {"country": 1, "money": 1}
    assert rows(mask_of_types(index, ["dataset"])) == [1, 2]
    assert [(name.title, name.variable, name.vintage) for name in names_of(index)] == [
        ("People", "A.1", "2024-05-01"), ("Women", "A.2", ""), ("Loans of banks", "A.3", ""),
    ]  # fmt: skip
    assert rows_of_identifier(index, "urn:air:example.org:okf:bank.A.3") == [2]
    assert rows_of_identifier(index, "urn:air:example.org:okf:bank.A.9") == []
    assert rows_with_companion(index, "A.2M") == [1]
    assert rows_with_companion(index, "A.2") == []
    assert rows_of_quantity(index, key_of_quantity(QUANTITY))[0].tolist() == [0, 1]
    lookups = Lookups(index)
    assert lookups.splits(QUANTITY) == [Split((), 1), Split(("gender",), 1)]
    assert [document.variable for document in lookups.variables(QUANTITY, ["gender"])] == ["A.2"]


async def test_columns_tell_of_all_rows(index: LoadedIndex) -> None:
    check(index)


async def test_what_did_not_change_is_carried_into_the_next_index(index: LoadedIndex, tmp_path: Path) -> None:
    changed = {"A.3": ("Dataset", "Loans of all banks", "money", "")}
    corpus = write(tmp_path / "corpus", "bank", changed)
    report = await build_index(corpus, tmp_path / "index", CountingEmbedder())
    assert report.embedded == 1
    again = load_index(tmp_path / "index")
    assert [name.title for name in names_of(again)] == ["People", "Women", "Loans of all banks"]
    write(tmp_path / "corpus", "bank", LEAVES)
    await build_index(corpus, tmp_path / "index", CountingEmbedder())
    check(load_index(tmp_path / "index"))


async def test_a_source_before_the_others_moves_their_rows(index: LoadedIndex, tmp_path: Path) -> None:
    corpus = write(tmp_path / "corpus", "archive", {"A.1": ("Dataset", "Old loans", "Money", "")})
    await build_index(corpus, tmp_path / "index", CountingEmbedder())
    moved = load_index(tmp_path / "index")
    assert rows(mask_of_tags(moved, ["money"])) == [0, 3]
    assert rows(mask_of_types(moved, ["Statistical Table"])) == [1]
    assert rows_with_companion(moved, "A.2M") == [2]
    assert rows_of_quantity(moved, key_of_quantity(QUANTITY))[0].tolist() == [1, 2]


async def test_columns_of_mounted_catalogs_stand_after_one_another(index: LoadedIndex, tmp_path: Path) -> None:
    other = make_corpus(tmp_path / "open", {"census": {"B.1": "Number of people"}})
    await build_index(other, other / "index", CountingEmbedder())
    both = mount(index, [Mount("open", other)])
    assert rows(mask_of_tags(both, ["country"])) == [0, 1, 3]
    assert count_tags(both, None)["country"] == 3
    assert count_tags(both, np.array([False, False, True, True])) == {"country": 1, "money": 1, "yearly": 1}
    assert rows(mask_of_types(both, ["statistical table"])) == [0, 3]
    identifier = "urn:air:example.org:okf:open:census.B.1"
    assert [name.identifier for name in names_of(both)][-1] == identifier
    assert rows_of_identifier(both, identifier) == [3]
    assert rows_of_identifier(both, "urn:air:example.org:okf:census.B.1") == []
    assert rows_with_companion(both, "A.2M") == [1]
    assert rows_of_quantity(both, key_of_quantity(QUANTITY))[0].tolist() == [0, 1]


async def test_a_title_of_several_lines_is_listed_in_one(tmp_path: Path) -> None:
    corpus = write(tmp_path / "corpus", "bank", {"A.1": ("Dataset", '"Two\\tparts\\nand lines"', "money", "")})
    await build_index(corpus, tmp_path / "index", CountingEmbedder())
    assert [name.title for name in names_of(load_index(tmp_path / "index"))] == ["Two parts and lines"]
