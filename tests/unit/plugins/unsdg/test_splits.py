"""A dimension's parts are its values without the total, and without those that overlap."""

from __future__ import annotations

import pytest

from plugins.unsdg.splits import Split, dimension_named, disjoint, splits_of
from tests.unit.plugins.unsdg.test_slices import series


@pytest.mark.parametrize(
    ("words", "dimension"),
    [
        ("sex", "Sex"),
        ("Gender", "Sex"),
        ("age", "Age"),
        ("urban and rural", "Location"),
        ("income quintile", "Quantile"),
        ("education level", "Education level"),
        ("status", "Level/Status"),
        ("race", None),
        ("sector", None),
        ("", None),
    ],
)
def test_the_publishers_dimension_is_known_by_the_words_of_a_question(words: str, dimension: str | None) -> None:
    assert dimension_named(words) == dimension


@pytest.mark.parametrize(
    ("codes", "apart"),
    [
        (["15-24", "25+"], ["15-24", "25+"]),
        (["50+", "<15Y", "15-24", "15-49"], ["<15Y", "15-49", "50+"]),
        (["15-19", "20-24", "15-24"], ["15-19", "20-24"]),
        (["15-19", "20-24", "15-29"], ["15-29"]),
        (["5-14", "10-17"], ["5-14"]),
        (["<5Y", "5-17", "<1M"], ["<5Y", "5-17"]),
        ([], []),
    ],
)
def test_age_groups_without_overlap_that_reach_furthest_are_taken(codes: list[str], apart: list[str]) -> None:
    assert disjoint(codes) == apart


def test_a_dimension_is_split_into_its_values_without_the_total() -> None:
    data = series(
        ("5", {"Sex": "BOTHSEX", "Age": "15+"}),
        ("6", {"Sex": "FEMALE", "Age": "15+"}),
        ("4", {"Sex": "MALE", "Age": "15+"}),
    )
    assert splits_of(data, data.cells) == {"Sex": Split("Sex", ("FEMALE", "MALE"), "BOTHSEX")}


def test_the_age_group_that_holds_all_others_is_their_total() -> None:
    data = series(("5", {"Age": "15+"}), ("9", {"Age": "15-24"}), ("4", {"Age": "25+"}))
    assert splits_of(data, data.cells) == {"Age": Split("Age", ("15-24", "25+"), "15+")}


def test_overlapping_groups_are_left_out_and_known() -> None:
    data = series(
        ("1", {"Age": "ALLAGE"}), ("1", {"Age": "<15Y"}), ("2", {"Age": "15-24"}), ("3", {"Age": "15-49"}),
        ("4", {"Age": "50+"}),
    )  # fmt: skip
    split = splits_of(data, data.cells)["Age"]
    assert (split.codes, split.total, split.overlapping) == (("<15Y", "15-49", "50+"), "ALLAGE", ("15-24",))


def test_what_says_nothing_of_a_part_and_a_single_value_are_no_split() -> None:
    data = series(("1", {"Sex": "FEMALE", "Age": "NOTSPEC"}), ("2", {"Sex": "FEMALE", "Age": "_U"}))
    assert splits_of(data, data.cells) == {}
