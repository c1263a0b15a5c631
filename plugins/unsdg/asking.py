"""One planned request with what it is carried out by."""

from __future__ import annotations

from plugins.reporting.asking import PlannedAsking
from plugins.unsdg.client import UnSdgClient
from plugins.unsdg.measures import read_slice
from plugins.unsdg.places import KEY
from shared.query.quantity import UnitKind


class Asking(PlannedAsking[UnSdgClient]):
    """A request of this source."""

    __slots__ = ()

    @property
    def series(self) -> str:
        """The series that was bound."""
        return self.planned.bound.locator["series"]

    @property
    def slice(self) -> dict[str, str]:
        """The values of dimensions that were bound; the others are asked for as totals."""
        return read_slice(self.planned.bound.locator.get("slice", ""))

    @property
    def unit_code(self) -> str:
        """The publisher's code of the bound unit; empty where the document does not tell it."""
        return self.planned.bound.locator.get("unit", "")

    @property
    def end(self) -> str:
        """The end of an order that the question asks for (``lowest``), or nothing."""
        return (self.planned.resolved.expression or "").partition(":")[0]

    @property
    def everybody(self) -> bool:
        """Whether the population is all countries."""
        return (self.planned.resolved.expression or "").endswith(":all")

    @property
    def sign(self) -> str:
        """What stands behind a figure in words."""
        return "%" if self.planned.bound.measure.unit.kind is UnitKind.PERCENT else ""

    @property
    def area(self) -> str:
        """The entity's code in the database."""
        return self.entity.keys[KEY]
