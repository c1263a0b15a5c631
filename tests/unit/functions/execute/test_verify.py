"""What an answer must hold against its request: its members, its group, and that there may be nobody."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal

import pytest

from functions.execute.stage import verify
from shared.query.annotated import Bound, EntityResolved, Executed, PlannedRequest
from shared.query.evidence import FailureStatus, Measure, Observation, RequestMade, SourceResponse
from shared.query.identifiers import SlotId
from shared.query.quantity import Entity, Period, Unit, UnitKind
from shared.query.slots import Slot, SlotKind
from shared.text.places import by_code, by_name

MEASURE = Measure(
    source="s", variable="borders", name="land borders", unit=Unit(kind=UnitKind.NONE, code="", label="")
)
RESPONSE = SourceResponse(
    source="s",
    publisher="S",
    requests=(RequestMade(url="https://example.org/ISL"),),
    retrieved_at=datetime(2026, 7, 2, tzinfo=UTC),
    licence="CC0",
)


def place(code: str) -> Entity:
    found = by_code(code)
    assert found is not None
    return found


def group(name: str) -> Entity:
    found = by_name(name)
    assert found is not None
    return found


def request(kind: SlotKind, resolved: EntityResolved) -> PlannedRequest:
    bound = Bound(meaning="borders", measure=MEASURE, plugin="s", plugin_version="1")
    return PlannedRequest(
        order=0, bound=bound, resolved=resolved, slot=Slot(id=SlotId("slot:1"), kind=kind, role="members")
    )


def returned(*cells: Observation, empty: Observation | None = None, sum_of: Entity | None = None) -> Executed:
    return Executed(
        meaning="borders", measure=MEASURE, response=RESPONSE, observations=cells, empty=empty, sum_of=sum_of
    )


ICELAND = place("ISL")
NOBODY = Observation(entity=ICELAND, period=Period.undated(), text="none")
NORWAY = Observation(entity=place("NOR"), period=Period.undated(), flag=True)


def test_that_a_list_is_empty_is_an_answer_only_when_the_source_says_so() -> None:
    asked = request(SlotKind.MEMBERS, EntityResolved(entity=ICELAND))
    assert verify(asked, returned(empty=NOBODY)) is None
    fault = verify(asked, returned())
    assert fault is not None
    assert fault.status is FailureStatus.NO_DATA


def test_a_list_cannot_be_empty_and_have_members() -> None:
    asked = request(SlotKind.MEMBERS, EntityResolved(entity=ICELAND))
    fault = verify(asked, returned(NORWAY, empty=NOBODY))
    assert fault is not None
    assert fault.status is FailureStatus.MALFORMED


@pytest.mark.parametrize("kind", [SlotKind.VALUE, SlotKind.SERIES, SlotKind.POPULATION, SlotKind.FACT])
def test_no_figure_is_never_a_statement_that_there_is_none(kind: SlotKind) -> None:
    assert verify(request(kind, EntityResolved(entity=ICELAND)), returned(empty=NOBODY)) is not None


SCANDINAVIA = group("Scandinavia")
MEMBERS = EntityResolved(
    entity=SCANDINAVIA, members=(place("DNK"), place("NOR"), place("SWE")), sum_of_members=True
)


def figure(code: str) -> Observation:
    return Observation(entity=place(code), period=Period.year(2024), value=Decimal(1))


def test_a_group_that_is_to_be_added_up_is_answered_by_its_own_members() -> None:
    asked = request(SlotKind.VALUE, MEMBERS)
    assert verify(asked, returned(figure("DNK"), figure("SWE"), sum_of=SCANDINAVIA)) is None
    stranger = verify(asked, returned(figure("DNK"), figure("FIN"), sum_of=SCANDINAVIA))
    assert stranger is not None
    assert "Finland was returned" in stranger.reason


@pytest.mark.parametrize("sum_of", [None, group("Benelux")])
def test_members_of_another_group_are_no_answer(sum_of: Entity | None) -> None:
    fault = verify(request(SlotKind.VALUE, MEMBERS), returned(figure("DNK"), sum_of=sum_of))
    assert fault is not None
    assert fault.status is FailureStatus.MALFORMED


def test_one_entitys_figure_is_not_answered_by_members() -> None:
    asked = request(SlotKind.VALUE, EntityResolved(entity=place("DNK")))
    assert verify(asked, returned(figure("DNK"))) is None
    assert verify(asked, returned(figure("DNK"), sum_of=SCANDINAVIA)) is not None
