"""One planned request with what it is carried out by."""

from __future__ import annotations

from plugins.reporting.asking import PlannedAsking
from plugins.worldbank.client import WorldBankClient


class Asking(PlannedAsking[WorldBankClient]):
    """A request of this source."""

    __slots__ = ()

    @property
    def indicator(self) -> str:
        """The indicator that was bound."""
        return self.planned.bound.locator["indicator"]
