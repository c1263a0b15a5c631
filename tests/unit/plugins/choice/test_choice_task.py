"""The bounds of a document choice: 25 candidates, 6 groups of 5, each document once."""

from __future__ import annotations

import pytest

from plugins.choice.tasks import SELECT_DOCUMENTS, Candidate, ChoiceReply, ChoiceRequest, ChosenGroup
from shared.models.tasks import validated
from shared.query.identifiers import SlotId
from shared.query.readings import MeasureMention
from shared.query.slots import Slot, SlotKind
from tests.support.stages import document

SLOT = Slot(id=SlotId("slot:1"), kind=SlotKind.VALUE, role="value", measure=MeasureMention(text="gdp"))
REQUEST = ChoiceRequest.of(SLOT, "gdp of France", [document(f"V{n}") for n in range(40)])
IDS = [candidate.id for candidate in REQUEST.candidates]


def groups(*sizes: int) -> ChoiceReply:
    """Groups of these sizes, of different documents."""
    left = iter(IDS)
    return ChoiceReply(
        groups=tuple(ChosenGroup(documents=tuple(next(left) for _ in range(size)), label="l") for size in sizes)
    )


def test_the_first_25_documents_are_offered() -> None:
    assert [Candidate.of(document(f"V{n}")).id for n in range(25)] == IDS


@pytest.mark.parametrize("sizes", [(), (1,), (5, 5, 5, 5, 5), (5, 4, 4, 4, 4, 4), (1, 1, 1, 1, 1, 1)])
def test_up_to_six_groups_of_up_to_five_are_taken(sizes: tuple[int, ...]) -> None:
    assert validated(SELECT_DOCUMENTS, REQUEST, groups(*sizes)) is None


@pytest.mark.parametrize("sizes", [(1,) * 7, (6,), (2, 0)])
def test_more_groups_larger_ones_and_empty_ones_are_not(sizes: tuple[int, ...]) -> None:
    assert "at most 6 groups of 1 to 5" in (validated(SELECT_DOCUMENTS, REQUEST, groups(*sizes)) or "")


def test_a_document_stands_in_one_group_and_was_offered() -> None:
    twice = ChoiceReply(
        groups=(ChosenGroup(documents=(IDS[0],), label="a"), ChosenGroup(documents=(IDS[0],), label="b"))
    )
    assert validated(SELECT_DOCUMENTS, REQUEST, twice) == "a document stands in two groups"
    strange = ChoiceReply(groups=(ChosenGroup(documents=(document("V30").identifier,), label="a"),))
    assert "not offered" in (validated(SELECT_DOCUMENTS, REQUEST, strange) or "")
