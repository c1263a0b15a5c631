"""What stands below a numbered goal, target or indicator is a list."""

from __future__ import annotations

from datetime import date

import pytest

from functions.understand.reader import prepared, read
from functions.understand.rules.lists import item_list
from shared.query.readings import ItemListReading


@pytest.mark.parametrize(
    ("question", "relation", "whole"),
    [
        ("What are the targets of goal 3?", "targets of goal", "targets of goal 3"),
        ("List the targets of SDG 13", "targets of goal", "targets of goal 13"),
        ("What are the targets of Sustainable Development Goal 3?", "targets of goal", "targets of goal 3"),
        ("Which indicators belong to target 3.a?", "indicators of target", "indicators of target 3.a"),
        ("What data series are there for indicator 6.1.1?", "series of indicator", "series of indicator 6.1.1"),
    ],
)
def test_what_stands_below_a_number_is_a_list(question: str, relation: str, whole: str) -> None:
    reading = read(question, today=date(2026, 11, 30)).readings[0]
    assert isinstance(reading, ItemListReading)
    assert (reading.relation, reading.population.text) == (relation, whole)


@pytest.mark.parametrize("question", ["What is Kenya's GDP target for 2030?", "What are the targets of Kenya?"])
def test_other_targets_are_no_such_list(question: str) -> None:
    scan, _ = prepared(question, date(2026, 11, 30))
    assert item_list(scan) is None
