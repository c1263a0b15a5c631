"""Groups that a source has no figure for: its members are asked for, and the answer is said to be of the group."""

from __future__ import annotations

import pytest

from functions.execute.sums import as_population, of_group
from shared.query.annotated import Bound, EntityResolved, Executed, PlannedRequest
from shared.query.evidence import FailureStatus, Measure, Unanswerable
from shared.query.identifiers import SlotId
from shared.query.quantity import Entity, PlaceKind
from shared.query.readings import MeasureMention, PopulationMention
from shared.query.slots import Slot, SlotKind
from tests.support.stages import CHINA, INDIA, PEOPLE, mention, returned

GROUP = Entity(name="the Two", kind=PlaceKind.COUNTRY_GROUP)
LISTED = PopulationMention(
    member=PlaceKind.COUNTRY, text="members of the Two", listed=(mention(INDIA), mention(CHINA))
)
SLOT = Slot(
    id=SlotId("slot:1"),
    kind=SlotKind.VALUE,
    role="value",
    entity=mention(GROUP),
    measure=MeasureMention(text="people"),
)
BOUND = Bound(
    meaning="POP",
    measure=Measure(source="scripted", variable="POP", name="Population", unit=PEOPLE),
    plugin="scripted",
    plugin_version="1",
)


def planned(**resolved: object) -> PlannedRequest:
    known = EntityResolved(entity=GROUP, members=(INDIA, CHINA), sum_of_members=True, expression="IND;CHN")
    return PlannedRequest(order=0, bound=BOUND, resolved=known.model_copy(update=resolved), slot=SLOT)


def test_a_group_that_models_have_listed_is_a_listed_set_to_its_plugin() -> None:
    asked = as_population(planned(listed=LISTED))
    assert asked.slot.kind is SlotKind.POPULATION
    assert (asked.slot.entity, asked.slot.population) == (None, LISTED)
    assert not asked.resolved.sum_of_members
    assert asked.resolved.expression == "IND;CHN"


@pytest.mark.parametrize("resolved", [{}, {"listed": LISTED, "sum_of_members": False}])
def test_any_other_request_goes_to_its_plugin_as_it_was_planned(resolved: dict[str, object]) -> None:
    request = planned(**resolved)
    assert as_population(request) is request


def test_the_figures_of_members_are_those_of_their_group() -> None:
    request = planned()
    result = of_group(request, returned(request, (INDIA, 2024, "3"), (CHINA, 2024, "4")))
    assert isinstance(result, Executed)
    assert result.sum_of == GROUP


def test_fewer_than_half_of_the_members_say_nothing_of_the_group() -> None:
    third = Entity(name="C", kind=PlaceKind.COUNTRY, keys={"iso3": "CCC"})
    request = planned(members=(INDIA, CHINA, third))
    result = of_group(request, returned(request, (INDIA, 2024, "3")))
    assert isinstance(result, Unanswerable)
    assert result.status is FailureStatus.NO_DATA
    assert result.reason == (
        "only 1 of 3 members of the Two have a figure of Population: too few to speak of the whole"
    )


def test_what_is_no_group_or_was_refused_stays_what_it_is() -> None:
    refused = Unanswerable(status=FailureStatus.NO_DATA, reason="none")
    assert of_group(planned(), refused) is refused
    single = planned(sum_of_members=False)
    result = returned(single, (INDIA, 2024, "3"))
    assert of_group(single, result) is result
