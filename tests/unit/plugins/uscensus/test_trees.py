"""A table's variables as a tree: totals, the parts one level below them, and what is no part."""

from __future__ import annotations

from typing import Any

import pytest

from plugins.uscensus.snapshot import store
from plugins.uscensus.splits import DIMENSIONS, SPLITS, splits_of
from plugins.uscensus.trees import Kind, Tree
from shared.runtime.errors import ResponseMalformed


def body(table: str, vintage: str = "2023") -> dict[str, Any]:
    """The list of a table's variables, in the API's form, with what else the API lists there."""
    listed = {name: {"label": label, "group": table} for name, label in store.labels(table, vintage).items()}
    return {"variables": {"GEO_ID": {"label": "Geography"}, "NAME": {"label": "Geographic Area Name"}, **listed}}


def names(table: str, *path: str, kind: Kind = Kind.ESTIMATE, vintage: str = "2023") -> list[str]:
    return [line.name for line in Tree.read(table, body(table, vintage)).below(path, kind)]


def test_the_parts_of_a_total_are_one_level_below_it() -> None:
    assert names("B01001", "Total") == ["Male", "Female"]
    assert names("B02001", "Total")[-1] == "Two or More Races"
    assert len(names("B02001", "Total")) == 7
    assert len(names("B01001", "Total", "Male")) == 23


def test_a_heading_without_a_variable_is_part_of_the_way() -> None:
    ages = names("S0101", "Total", "Total population", "AGE")
    assert (len(ages), ages[0], ages[-1]) == (18, "Under 5 years", "85 years and over")
    assert names("S0101", "Total", "Total population") == []


def test_an_average_among_the_parts_is_no_part() -> None:
    modes = names("DP03", "COMMUTING TO WORK", "Workers 16 years and over", kind=Kind.PERCENT)
    assert len(modes) == 6
    assert not any("Mean" in mode for mode in modes)


def test_the_labels_of_a_vintage_before_colons_give_the_same_tree() -> None:
    assert ":" in body("B01001")["variables"]["B01001_001E"]["label"]
    assert ":" not in body("B01001", "2017")["variables"]["B01001_001E"]["label"]
    assert names("B01001", "Total", vintage="2017") == ["Male", "Female"]


@pytest.mark.parametrize(
    "wrong", [{}, [], {"variables": {}}, {"variables": {"B01003_001E": {"label": "Estimate!!Total"}}}]
)
def test_another_table_or_another_form_is_refused(wrong: Any) -> None:
    with pytest.raises(ResponseMalformed):
        Tree.read("B01001", wrong)


@pytest.mark.parametrize("split", [one for one in SPLITS if one.table != "S2403"], ids=str)
def test_every_split_whose_labels_are_carried_has_its_total_and_parts(split: Any) -> None:
    tree = Tree.read(split.table, body(split.table))
    parts = split.parts(tree)
    assert tree.line(split.total) is not None
    assert len(parts) >= 2
    assert len({part.variable for part in parts}) == len(parts)


@pytest.mark.parametrize(
    ("words", "dimension", "tables"),
    [
        ("population", "age", ["S0101"]),
        ("population", "gender", ["B01001", "S0101"]),
        ("employment", "occupation", ["S2401", "DP03"]),
        ("workers", "mode", ["S0801", "DP03"]),
        ("poverty rate", "sex", ["B17001"]),
        ("households", "tenure", ["B25003"]),
        ("households", "age", []),
        ("gdp", "industry", []),
        ("population", None, []),
    ],
)
def test_words_and_dimension_name_the_splits(words: str, dimension: str | None, tables: list[str]) -> None:
    assert [one.table for one in splits_of(words, dimension)] == tables


def test_every_dimension_has_a_split() -> None:
    assert set(DIMENSIONS.values()) == {one.dimension for one in SPLITS}
