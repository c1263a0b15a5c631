"""A population's figures brought to one year, with whoever stands outside it named."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from functions.combine.outcome import Outcome, named
from shared.query.evidence import DisclosureKind
from shared.query.material import Cell, Material, Served
from shared.query.quantity import Period

MISSING_NAMED = 60
"""So many members without a figure are named: who is missing from an order may be whom the reader looks for."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The members with a figure of one period. ``elsewhen`` report only for others, ``missing`` not at all."""

    served: Served
    period: Period
    cells: tuple[Cell, ...]
    elsewhen: tuple[Cell, ...]
    missing: tuple[str, ...]

    @property
    def absent(self) -> list[str]:
        """Everyone without a figure of the period."""
        return [*self.missing, *(cell.entity.name for cell in self.elsewhen)]


def one_period(served: Served) -> Scope | None:
    """The scope of the period that most members report (of equals, the newest); ``None`` when none do.

    The newest figures of a population are often of several years, and a figure of another year is no
    stand-in: it is set aside and named.
    """
    cells = [cell for cell in served.reported() if cell.numeric]
    year = served.slot.period.explicit_year
    if year is not None and not served.slot.period.fiscal:
        wanted = [cell for cell in cells if cell.period.calendar_year == year]
        period = wanted[0].period if wanted else None
    else:
        counts = Counter(cell.period for cell in cells)
        period = max(counts, key=lambda period: (counts[period], period.text), default=None)
    if period is None:
        return None
    return Scope(
        served=served,
        period=period,
        cells=tuple(cell for cell in cells if cell.period == period),
        elsewhen=tuple(cell for cell in cells if cell.period != period),
        missing=tuple(served.unreported()),
    )


def scopes(material: Material, *slot_roles: str) -> list[Scope]:
    """The scopes of every meaning of the slots with these roles; a meaning without any figure has none."""
    found = []
    for slot in material.role(*slot_roles):
        for served in material.served.get(slot.id, ()):
            scope = one_period(served)
            if scope is not None:
                found.append(scope)
    return found


def disclose_scope(scope: Scope, outcome: Outcome) -> None:
    """Say whom a result over the scope leaves out, by name."""
    name, kind = scope.served.executed.measure.name, DisclosureKind.COVERAGE
    if scope.missing:
        outcome.note(
            kind,
            f"{name}, {scope.period}: {len(scope.cells)} members have a figure; "
            f"{len(scope.missing)} have none and are left out: {named(scope.missing, shown=MISSING_NAMED)}",
        )
    if scope.elsewhen:
        others = [f"{cell.entity.name} ({cell.period})" for cell in scope.elsewhen]
        outcome.note(
            kind,
            f"{name}: only figures of {scope.period} are used; "
            f"{len(others)} members whose newest figure is of another period are left out: {named(others)}",
        )
