"""What a source that knows countries and groups of them, and no place inside of one, says of all others."""

from __future__ import annotations

from dataclasses import dataclass

from plugins.choice.reach import foreign_to
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.quantity import Entity, PlaceKind
from shared.query.readings import PopulationMention
from shared.query.slots import Slot

FOREIGN = frozenset(PlaceKind) - {PlaceKind.COUNTRY, PlaceKind.COUNTRY_GROUP, PlaceKind.PLACE}
"""Kinds that are certainly no country, nor a group of them by a name that is not known."""


@dataclass(frozen=True, slots=True)
class CountriesOnly:
    """``publishes`` begins its refusals: "the World Bank publishes"."""

    publishes: str

    def not_covered(self, what: str) -> Unanswerable:
        """The source has ``what``, and so nothing of what is asked."""
        return Unanswerable(status=FailureStatus.NOT_COVERED, reason=f"{self.publishes} {what}")

    def no_country(self, entity: Entity) -> Unanswerable:
        """A place of another kind."""
        return self.not_covered(
            f"figures for countries and groups of countries, not for {entity.name} ({entity.kind.words})"
        )

    def no_countries(self, population: PopulationMention) -> Unanswerable:
        """Members of another kind."""
        return self.not_covered(f"figures for countries, not for each {population.member.words}")

    def beyond(self, slot: Slot) -> Unanswerable | None:
        """Why nothing of the slot's place is had, where its kind tells; a place may be a group of countries."""
        entity = foreign_to(slot, lambda one: one.kind in FOREIGN)
        if entity is not None:
            return self.no_country(entity)
        if slot.population is not None and slot.population.member in FOREIGN:
            return self.no_countries(slot.population)
        return None
