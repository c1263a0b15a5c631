"""Sets of countries that are narrowed by a fact: the fact is asked for by itself, beside the figures.

Which countries are landlocked, or border Germany, is seldom known to the source of a figure. So the figures are
asked for without it, and a list of whom it holds of stands beside them. Classes of income are left with the
figures, whose publisher makes them.
"""

from __future__ import annotations

from shared.query.identifiers import SlotId
from shared.query.quantity import PlaceKind
from shared.query.readings import PopulationMention
from shared.query.slots import FILTER, Slot, SlotKind

BORDERS = "borders"
"""The fact of bordering the population's container, which then is no container."""


def with_filters(slots: tuple[Slot, ...]) -> tuple[Slot, ...]:
    """The slots, with facts about neighbours as relations and a filter for what narrows a population's figures."""
    filters: list[Slot] = []
    made: list[Slot] = []
    for slot in slots:
        population = slot.population
        if population is None or not _asked_apart(population):
            made.append(slot)
        elif slot.kind is SlotKind.MEMBERS:
            made.append(_neighbours(slot, population) if population.fact_filter == BORDERS else slot)
        elif slot.kind is SlotKind.POPULATION:
            made.append(slot.model_copy(update={"population": _whole(population)}))
            if all(one.population != population for one in filters):
                filters.append(_filter(population))
        else:
            made.append(slot)
    numbered = [
        (_neighbours(one, one.population) if one.population and one.population.fact_filter == BORDERS else one)
        for one in filters
    ]
    return (
        *made,
        *(
            one.model_copy(update={"id": SlotId(f"slot:{len(made) + place}")})
            for place, one in enumerate(numbered, start=1)
        ),
    )


def _asked_apart(population: PopulationMention) -> bool:
    fact = population.fact_filter
    if fact is None or "income" in fact or fact == "developing":
        return False
    return population.member is PlaceKind.COUNTRY or fact == BORDERS


def _filter(population: PopulationMention) -> Slot:
    return Slot(id=SlotId("slot:0"), kind=SlotKind.MEMBERS, role=FILTER, relation="members", population=population)


def _whole(population: PopulationMention) -> PopulationMention:
    """The set that the figures are asked for: without the fact, and without whom it is about."""
    dropped: dict[str, object] = {"fact_filter": None}
    if population.fact_filter == BORDERS:
        dropped["container"] = None
    return population.model_copy(update=dropped)


def _neighbours(slot: Slot, population: PopulationMention) -> Slot:
    return slot.model_copy(
        update={"relation": BORDERS, "entity": population.container, "population": _whole(population)}
    )
