"""One planned request with what it is carried out by."""

from __future__ import annotations

from dataclasses import dataclass

from plugins.datacommons.client import DataCommonsClient
from shared.query.annotated import PlannedRequest
from shared.query.evidence import Measure
from shared.query.quantity import Entity
from shared.query.readings import PeriodAsked


@dataclass(frozen=True, slots=True)
class Asking:
    """``this_year`` is the calendar's: later years are no figures of what is."""

    planned: PlannedRequest
    client: DataCommonsClient
    this_year: int

    @property
    def variable(self) -> str:
        """The statistical variable that was bound."""
        return self.planned.bound.locator["variable"]

    @property
    def measure(self) -> Measure:
        """The measure that was bound."""
        return self.planned.bound.measure

    @property
    def period(self) -> PeriodAsked:
        """The span that the slot asks for."""
        return self.planned.slot.period

    @property
    def dataset(self) -> str | None:
        """The facet that other figures of the same question come from, where one is set."""
        return self.planned.dataset

    @property
    def entity(self) -> Entity:
        """The resolved entity; a slot about one place is never planned without it."""
        entity = self.planned.resolved.entity
        if entity is None:
            raise LookupError(f"{self.planned.slot.id} was planned without an entity")
        return entity

    @property
    def to_come(self) -> bool:
        """Whether a year that has not come yet is asked for by number: only then may a projection answer."""
        return (self.period.explicit_year or 0) > self.this_year or (self.period.end or 0) > self.this_year
