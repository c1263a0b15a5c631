"""One planned request with what it is carried out by."""

from __future__ import annotations

from dataclasses import dataclass

from plugins.worldbank.client import WorldBankClient
from shared.query.annotated import PlannedRequest
from shared.query.quantity import Entity
from shared.query.readings import PeriodAsked


@dataclass(frozen=True, slots=True)
class Asking:
    """``this_year`` is the calendar's: spans that are open at the end are asked for up to it."""

    planned: PlannedRequest
    client: WorldBankClient
    this_year: int

    @property
    def indicator(self) -> str:
        """The indicator that was bound."""
        return self.planned.bound.locator["indicator"]

    @property
    def measure_name(self) -> str:
        """The measure's published title."""
        return self.planned.bound.measure.name

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
