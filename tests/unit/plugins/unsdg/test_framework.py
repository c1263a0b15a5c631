"""Targets of a goal, indicators of a target and series of an indicator are the publisher's own lists."""

from __future__ import annotations

import pytest

from shared.query.annotated import Executed
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.identifiers import SlotId
from shared.query.quantity import PlaceKind
from shared.query.readings import PopulationMention
from shared.query.slots import Slot, SlotKind
from tests.unit.plugins.unsdg.test_plugin import answers


def asked(text: str) -> Slot:
    population = PopulationMention(member=PlaceKind.PLACE, text=text)
    relation = text.rpartition(" ")[0]
    return Slot(
        id=SlotId("slot:1"), kind=SlotKind.MEMBERS, role="members", relation=relation, population=population
    )


@pytest.mark.parametrize(
    ("text", "path", "count", "one"),
    [
        ("sustainable development goals", "Goal/List", 17, "13"),
        ("targets of goal 3", "Target/List", 13, "3.1"),
        ("indicators of target 3.1", "Indicator/List", 2, "3.1.2"),
        ("indicators of goal 6", "Indicator/List", 11, "6.a.1"),
        ("series of indicator 15.b.1", "Series/List", 2, "DC_ODA_BDVDL"),
        ("targets of goal 17", "Target/List", 19, "17.19"),
    ],
)
async def test_a_list_is_the_publishers(text: str, path: str, count: int, one: str) -> None:
    (found,) = await answers(asked(text))
    assert isinstance(found, Executed)
    assert len(found.observations) == count
    assert one in {cell.entity.keys["sdg"] for cell in found.observations}
    assert found.response.requests[0].url.endswith(f"/SDGAPI/v1/sdg/{path}")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("targets of goal 25", "lists no targets of goal 25"),
        ("targets of indicator 3.1.1", "targets belong to a goal, none to an indicator"),
        ("members of goal 3", "is no list of the UN's SDG database"),
    ],
)
async def test_what_is_no_list_is_refused(text: str, reason: str) -> None:
    (found,) = await answers(asked(text))
    assert isinstance(found, Unanswerable)
    assert found.status is FailureStatus.NOT_FOUND
    assert reason in found.reason
