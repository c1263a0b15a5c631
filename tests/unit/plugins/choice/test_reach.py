"""What a source certainly has nothing of is told by the kind of place, before anything is judged."""

from __future__ import annotations

import pytest

from plugins.mounted import mounted_plugins
from shared.query.evidence import FailureStatus
from shared.query.identifiers import SlotId
from shared.query.quantity import Entity, PlaceKind
from shared.query.readings import EntityMention, MeasureMention, PopulationMention
from shared.query.slots import Slot, SlotKind
from shared.text.places import by_code

PLUGINS = {plugin.name: plugin for plugin in mounted_plugins()}
INDIA, USA = by_code("IND"), by_code("USA")
AFRICA = Entity(name="Africa", kind=PlaceKind.COUNTRY_GROUP, keys={"group": "africa"})
HANSA = Entity(name="Hanseatic League", kind=PlaceKind.COUNTRY_GROUP)
TEXAS = Entity(name="Texas", kind=PlaceKind.US_STATE, keys={"fips": "48"})
HARRIS = Entity(name="Harris County, Texas", kind=PlaceKind.US_COUNTY, keys={"fips": "48201"})
ENGLAND = Entity(name="New England", kind=PlaceKind.PLACE)
COUNTRY_ONLY, OF_STATES = {"worldbank", "unsdg"}, {"census"}


def mention(*entities: Entity | None) -> EntityMention:
    known = tuple(one for one in entities if one is not None)
    if len(known) == 1:
        return EntityMention(text=known[0].name, status="resolved", entity=known[0])
    return EntityMention(text="Georgia", status="ambiguous" if known else "unknown", candidates=known)


def of_place(*entities: Entity | None) -> Slot:
    return Slot(
        id=SlotId("slot:1"), kind=SlotKind.VALUE, role="value", measure=MeasureMention(text="population"),
        entity=mention(*entities),
    )  # fmt: skip


def of_members(member: PlaceKind, *listed: Entity | None) -> Slot:
    population = PopulationMention(member=member, text="members", listed=tuple(mention(one) for one in listed))
    return Slot(
        id=SlotId("slot:1"), kind=SlotKind.POPULATION, role="population", measure=MeasureMention(text="population"),
        population=population,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("slot", "refusing"),
    [
        (of_place(INDIA), OF_STATES),
        (of_place(AFRICA), OF_STATES),
        (of_place(TEXAS), COUNTRY_ONLY),
        (of_place(HARRIS), COUNTRY_ONLY),
        (of_place(USA), set()),
        (of_place(by_code("GEO"), TEXAS), set()),
        (of_place(TEXAS, HARRIS), COUNTRY_ONLY),
        (of_place(ENGLAND), set()),
        (of_place(HANSA), set()),
        (of_place(), set()),
        (of_members(PlaceKind.COUNTRY), OF_STATES),
        (of_members(PlaceKind.US_COUNTY), COUNTRY_ONLY),
        (of_members(PlaceKind.PLACE), set()),
        (of_members(PlaceKind.COUNTRY, INDIA), OF_STATES),
        (of_members(PlaceKind.COUNTRY, INDIA, USA), set()),
    ],
    ids=lambda value: value.describes if isinstance(value, Slot) else "-".join(sorted(value)) or "none",
)
def test_only_what_the_kind_of_place_tells_for_certain_is_beyond_a_source(slot: Slot, refusing: set[str]) -> None:
    refusals = {name: told for name, plugin in PLUGINS.items() if (told := plugin.beyond(slot)) is not None}
    assert refusals.keys() == refusing
    assert {told.status for told in refusals.values()} <= {FailureStatus.NOT_COVERED}


def test_the_reason_names_the_place_and_what_the_source_is_of() -> None:
    told = PLUGINS["worldbank"].beyond(of_place(TEXAS))
    assert told is not None
    assert told.reason == (
        "the World Bank publishes figures for countries and groups of countries, not for Texas (US state)"
    )
