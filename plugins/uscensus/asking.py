"""One planned request with what it is carried out by."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date

from plugins.uscensus.business import SURVEYS, columns_of, predicates
from plugins.uscensus.client import CensusClient
from plugins.uscensus.estimates import PROGRAM, Files
from plugins.uscensus.geography import Area
from plugins.uscensus.measures import Address
from plugins.uscensus.records import Table
from plugins.uscensus.wire import bounds_of, margin_of
from shared.query.annotated import PlannedRequest
from shared.query.evidence import Measure
from shared.query.quantity import Entity
from shared.query.readings import PeriodAsked


@dataclass(frozen=True, slots=True)
class Asking:
    """``today`` tells which vintages may be out."""

    planned: PlannedRequest
    client: CensusClient
    today: date
    files: Files = field(init=False)

    def __post_init__(self) -> None:
        """Let the published files of this question be read once each."""
        object.__setattr__(self, "files", Files(self.client))

    @property
    def address(self) -> Address:
        """Where the figures are."""
        return Address.read(self.planned.bound.locator)

    @property
    def measure(self) -> Measure:
        """The measure that was bound."""
        return self.planned.bound.measure

    @property
    def period(self) -> PeriodAsked:
        """The span that the slot asks for."""
        return self.planned.slot.period

    @property
    def area(self) -> Area:
        """The area, or all the areas, that are asked for."""
        expression = self.planned.resolved.expression
        if expression is None:
            raise LookupError(f"{self.planned.slot.id} was planned without an area")
        return Area.parse(expression)

    @property
    def entity(self) -> Entity:
        """The resolved entity; a slot about one place is never planned without it."""
        entity = self.planned.resolved.entity
        if entity is None:
            raise LookupError(f"{self.planned.slot.id} was planned without an entity")
        return entity

    async def table(self, vintage: int, variable: str, area: Area) -> Table:
        """The variable with what tells how sure it is, for an area in a vintage.

        An estimate of a survey has a margin of error and annotations, one of a model the bounds of an interval, a
        figure of businesses a disclosure flag.
        """
        address = self.address
        if address.program == PROGRAM:
            return await self.files.totals(vintage, area, address.about.newest(self.today))
        if address.program in SURVEYS:
            narrowed = predicates(address.program, vintage, address.industry)
            columns = ["NAME", *columns_of(address.program, variable)]
            return await self.client.table(address.dataset, vintage, columns, area, narrowed)
        if bounds := bounds_of(variable):
            of_year = [("time", str(vintage))]
            return await self.client.table(address.dataset, None, ["NAME", variable, *bounds], area, of_year)
        margin = margin_of(variable)
        columns = ["NAME", variable, *((margin, f"{variable}A", f"{margin}A") if margin else ())]
        return await self.client.table(address.dataset, vintage, columns, area)
