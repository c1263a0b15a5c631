"""One planned request with what it is carried out by."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, TypeVar

from shared.query.annotated import PlannedRequest
from shared.query.evidence import Measure
from shared.query.quantity import Entity
from shared.query.readings import PeriodAsked

Client = TypeVar("Client")


@dataclass(frozen=True, slots=True)
class PlannedAsking(Generic[Client]):
    """``this_year`` is the calendar's: no later year has a figure of what is."""

    planned: PlannedRequest
    client: Client
    this_year: int

    @property
    def measure(self) -> Measure:
        """The measure that was bound."""
        return self.planned.bound.measure

    @property
    def measure_name(self) -> str:
        """The measure's published title."""
        return self.measure.name

    @property
    def period(self) -> PeriodAsked:
        """The span that the slot asks for."""
        return self.planned.slot.period

    @property
    def entity(self) -> Entity:
        """The resolved entity; a slot about one place is never planned without it."""
        entity = self.planned.resolved.entity
        if entity is None:
            raise LookupError(f"{self.planned.slot.id} was planned without an entity")
        return entity
