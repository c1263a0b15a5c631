"""One planned request with what it is carried out by."""

from __future__ import annotations

from plugins.datacommons.client import DataCommonsClient
from plugins.reporting.asking import PlannedAsking


class Asking(PlannedAsking[DataCommonsClient]):
    """A request of this source."""

    __slots__ = ()

    @property
    def variable(self) -> str:
        """The statistical variable that was bound."""
        return self.planned.bound.locator["variable"]

    @property
    def dataset(self) -> str | None:
        """The facet that other figures of the same question come from, where one is set."""
        return self.planned.dataset

    @property
    def to_come(self) -> bool:
        """Whether a year that has not come yet is asked for by number: only then may a projection answer."""
        return (self.period.explicit_year or 0) > self.this_year or (self.period.end or 0) > self.this_year
