"""What the World Bank's API says, as values: countries and groups, cells, observations and its rejections."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from functools import cached_property
from typing import NamedTuple

from shared.query.evidence import RequestMade
from shared.runtime.errors import RequestRejected

ARCHIVED_ID = "175"


class WorldBankRejects(RequestRejected):
    """The API's error object. ``ids`` are the publisher's numbers for what is wrong.

    An unknown indicator or place has 120, an indicator moved to the archives 175. It is not "no data".
    """

    def __init__(self, what: str, ids: tuple[str, ...], texts: tuple[str, ...]) -> None:
        self.ids = ids
        reasons = "; ".join(dict.fromkeys(texts))
        super().__init__(f"the World Bank rejects the request for {what}: {reasons}")

    @property
    def archived(self) -> bool:
        """Whether the indicator was withdrawn to the archives."""
        return ARCHIVED_ID in self.ids


@dataclass(frozen=True, slots=True)
class Country:
    """An entity of the World Bank's list. A group has no region, income level or lending type.

    ``region``, ``income_level`` and ``lending_type`` are the publisher's codes; ``names`` has what it calls them.
    """

    code: str
    iso2: str
    name: str
    region: str | None
    income_level: str | None
    lending_type: str | None
    capital: str | None
    is_group: bool
    names: dict[str, str] = field(default_factory=dict, hash=False)


@dataclass(frozen=True, slots=True)
class Countries:
    """Rows of the list of countries as one request brought them, with their provenance.

    ``snapshot_as_of`` is the date of a recorded list, ``None`` when the live API answered.
    """

    rows: tuple[Country, ...]
    requests: tuple[RequestMade, ...]
    retrieved_at: datetime
    snapshot_as_of: date | None


class Cell(NamedTuple):
    """One row of values. ``value`` is ``None`` where the publisher has no figure."""

    entity: str
    name: str
    year: int
    value: Decimal | None


@dataclass(frozen=True)
class Observations:
    """All rows of one indicator for the entities and years asked, from one or more requests.

    ``last_updated`` is the publisher's date of the database, ``snapshot_as_of`` the vintage of recorded
    figures (``None`` when the live API answered), ``notes`` what holds for recorded figures, ``shortened``
    what years they leave out.
    """

    indicator: str
    indicator_name: str
    cells: tuple[Cell, ...]
    last_updated: date | None
    requests: tuple[RequestMade, ...]
    retrieved_at: datetime
    snapshot_as_of: date | None
    notes: tuple[str, ...]
    shortened: tuple[str, ...] = ()

    @cached_property
    def _by_entity(self) -> dict[str, list[Cell]]:
        found: dict[str, list[Cell]] = {}
        for cell in self.cells:
            if cell.value is not None:
                found.setdefault(cell.entity, []).append(cell)
        for cells in found.values():
            cells.sort(key=lambda cell: cell.year)
        return found

    def reported(self, entity: str) -> list[Cell]:
        """The cells of an entity that have a value, oldest first."""
        return list(self._by_entity.get(entity, ()))

    def newest(self, entity: str) -> Cell | None:
        """The newest cell of an entity that has a value."""
        cells = self._by_entity.get(entity)
        return cells[-1] if cells else None

    @property
    def is_empty(self) -> bool:
        """Whether no entity has a value in any year."""
        return not self._by_entity

    def coverage(self) -> dict[int, int]:
        """How many entities have a value, by year."""
        years: dict[int, int] = {}
        for cell in self.cells:
            if cell.value is not None:
                years[cell.year] = years.get(cell.year, 0) + 1
        return years


@dataclass(frozen=True, slots=True)
class IndicatorSet:
    """The figures of several indicators of one entity from one request.

    ``by_indicator`` has each indicator's values by year; ``whole`` carries the provenance of all of them.
    """

    by_indicator: dict[str, dict[int, Decimal]]
    whole: Observations

    def years(self) -> list[int]:
        """The years in which every indicator has a value, oldest first."""
        return sorted(set.intersection(*(set(values) for values in self.by_indicator.values())))
