"""What comes of collected questions: read from their files, sorted by reason, held against labels."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path

import pytest

from shared.query.answer import Answer, AnswerStatus, Usage
from shared.query.evidence import Failure, FailureStatus, Receipt, RequestMade
from shared.query.identifiers import ReceiptId, RunId
from tools.coverage.collected import LABELLED, LISTS, Label, collected
from tools.coverage.outcomes import differs, outcome

NOW = datetime(2026, 8, 1, tzinfo=UTC)


def answered(*, variable: str, entity: str) -> Answer:
    receipt = Receipt(
        id=ReceiptId("r:1"),
        source="census",
        publisher="US Census Bureau",
        request=RequestMade(method="GET", url="https://api.census.gov/data"),
        retrieved_at=NOW,
        as_of=None,
        snapshot=True,
        value=Decimal(1),
        unit="people",
        currency=None,
        entity="California",
        entity_code=entity,
        period="2023",
        measure="Population",
        variable=variable,
        licence="public domain",
        page_url=None,
    )
    return answer(AnswerStatus.COMPLETE).model_copy(update={"receipts": (receipt,)})


def answer(status: AnswerStatus, *failures: tuple[str, FailureStatus, str]) -> Answer:
    return Answer(
        run_id=RunId("r"),
        question="population of California",
        asked_at=NOW,
        status=status,
        reading=None,
        text="",
        failures=tuple(
            Failure(stage=stage, source=None, slot=None, status=kind, reason=reason)
            for stage, kind, reason in failures
        ),
        usage=Usage(seconds=0.0, model_calls=0, tokens=0, usd=Decimal(0)),
    )


@pytest.mark.parametrize(
    ("failures", "expected"),
    [
        ([("understand", FailureStatus.UNREADABLE, "its form is none")], "not read: form"),
        (
            [("understand", FailureStatus.UNREADABLE, "it goes on from an earlier question")],
            "not read: goes on from an earlier question",
        ),
        ([("select", FailureStatus.NOT_FOUND, "none")], "quantity not carried"),
        (
            [("execute", FailureStatus.NO_DATA, "none"), ("select", FailureStatus.NOT_FOUND, "none")],
            "no figure recorded of that place, year or set",
        ),
        (
            [("resolve_entities", FailureStatus.UNKNOWN_ENTITY, "x"), ("execute", FailureStatus.NO_DATA, "y")],
            "place unknown",
        ),
    ],
)
def test_the_reason_is_of_the_furthest_stage_that_a_source_came_to(
    failures: list[tuple[str, FailureStatus, str]], expected: str
) -> None:
    assert outcome(answer(AnswerStatus.UNANSWERED, *failures)) == expected


def test_an_answer_of_the_labelled_place_and_an_equal_variable_is_right() -> None:
    label = Label("geoId/06", frozenset({"Count_Person"}))
    assert differs(answered(variable="B01003_001E", entity="06"), label) is None
    assert differs(answered(variable="Count_Person", entity="06"), label) is None
    other_place = differs(answered(variable="Count_Person", entity="36"), label)
    assert other_place is not None
    assert other_place.startswith("place")
    other_variable = differs(answered(variable="B19013_001E", entity="06"), label)
    assert other_variable is not None
    assert other_variable.startswith("variable")


def test_questions_are_collected_once_with_the_label_of_those_that_stand_alone(tmp_path: Path) -> None:
    def line(query: str, position: int, place: str) -> str:
        golden = {
            "tile_types": [],
            "main_place": place,
            "place_dcid": "geoId/06",
            "first_vars": ["Count_Person_multiple_place_bar_block", "Count_Person_Female_14877681748872237318"],
        }
        return json.dumps({"query": query, "golden": golden, "group": f"suite (position {position})"})

    lines = [line("Population  there", 1, "California"), line("How about women?", 2, "California")]
    lines.append(line("women in California", 3, "California"))
    (tmp_path / LABELLED).write_text("\n".join(lines), encoding="utf-8")
    (tmp_path / LISTS[0]).write_text("# a comment\n\nwomen in California\nanother\n", encoding="utf-8")
    (tmp_path / LISTS[1]).write_text("another\n", encoding="utf-8")
    found = {one.text: one for one in collected(tmp_path)}
    assert list(found) == ["Population there", "How about women?", "women in California", "another"]
    expected = Label("geoId/06", frozenset({"Count_Person", "Count_Person_Female"}))
    assert found["Population there"].label == expected
    assert found["women in California"].label == expected
    assert found["How about women?"].label is None
    assert found["women in California"].files == {LABELLED, LISTS[0]}
    assert found["another"].files == set(LISTS)
