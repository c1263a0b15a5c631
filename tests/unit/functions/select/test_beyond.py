"""A source that has nothing of a slot's kind of place is not asked to choose for it, and says why."""

from __future__ import annotations

from functions.discover.stage import discover
from functions.select.stage import select
from functions.slots.stage import slots
from plugins.base import Registry
from shared.query.annotated import Failed, Selected
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.quantity import Entity, PlaceKind
from shared.query.readings import ComparisonReading, MeasureMention
from shared.query.slots import Slot
from tests.support.stages import INDIA, ScriptedFinder, ScriptedPlugin, context, document, mention, query

TEXAS = Entity(name="Texas", kind=PlaceKind.US_STATE, keys={"fips": "48"})


class CountriesOnly(ScriptedPlugin):
    """Has figures of countries, and remembers for whom it chose."""

    chosen_for: list[str]

    def beyond(self, slot: Slot) -> Unanswerable | None:
        meant = slot.entity.entity if slot.entity else None
        if meant is None or meant.kind is PlaceKind.COUNTRY:
            return None
        return Unanswerable(status=FailureStatus.NOT_COVERED, reason=f"countries only, not {meant.name}")

    async def choose(self, slot, documents, *, question, context):  # type: ignore[no-untyped-def]
        self.chosen_for.append(slot.describes)
        return await super().choose(slot, documents, question=question, context=context)


async def test_only_the_slots_within_reach_are_chosen_for_and_share_their_choice() -> None:
    plugin = CountriesOnly(lambda _: Unanswerable(status=FailureStatus.NO_DATA, reason="none"))
    plugin.chosen_for = []
    registry = Registry([plugin])
    china = Entity(name="China", kind=PlaceKind.COUNTRY, keys={"iso3": "CHN"})
    entities = tuple(map(mention, (TEXAS, INDIA, china)))
    asked = query(ComparisonReading(entities=entities, measure=MeasureMention(text="population")))
    ctx = context(ScriptedFinder([document("POP")]))
    asked.append(await slots(asked, ctx))
    asked.append(await discover(asked, ctx, registry=registry))
    asked.append(await select(asked, ctx, registry=registry))
    assert plugin.chosen_for == ["population of India"]
    of_texas, *others = (slot.id for slot in asked.slots())
    assert [failed.failure.reason for _, failed in asked.of(Failed, slot=of_texas)] == ["countries only, not Texas"]
    assert not asked.of(Selected, slot=of_texas)
    assert [len(asked.of(Selected, slot=slot)) for slot in others] == [1, 1]
