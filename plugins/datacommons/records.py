"""What Data Commons' API says, as values: facets, series of figures, places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from typing import NamedTuple

from shared.query.evidence import RequestMade
from shared.runtime.errors import RequestRejected


class DataCommonsRejects(RequestRejected):
    """The API's error object for a request that it does not take; ``code`` is its own number."""

    def __init__(self, what: str, code: int | None, message: str) -> None:
        self.code = code
        super().__init__(f"Data Commons rejects the request for {what}: {message}")


@dataclass(frozen=True, slots=True)
class Facet:
    """One source of a variable's figures: an import, with the method, period and unit of its figures.

    ``unit`` is the API's own word (``USDollar``, ``Year``), empty where it names none. ``aggregate`` tells that
    Data Commons added the figures up itself.
    """

    id: str
    import_name: str
    provenance_url: str = ""
    method: str = ""
    period: str = ""
    unit: str = ""
    scaling: str = ""
    aggregate: bool = False


class Cell(NamedTuple):
    """One figure. ``date`` is as the API writes it: ``2023``, ``2023-04``, ``2023-04-01``."""

    date: str
    value: Decimal


class Series(NamedTuple):
    """The figures that one facet has of a variable for a place, oldest first."""

    facet: str
    cells: tuple[Cell, ...]


PlaceSeries = Mapping[str, tuple[Series, ...]]
"""By place, the series of each facet, the one that Data Commons prefers first."""


@dataclass(frozen=True, slots=True)
class Provenance:
    """How an answer came: its requests, when, and what the recorded figures say of themselves.

    ``snapshot_as_of`` dates recorded figures, ``None`` when the live API answered; ``notes`` tell
    for facets whose publication their figures are.
    """

    requests: tuple[RequestMade, ...]
    retrieved_at: datetime
    snapshot_as_of: date | None
    notes: Mapping[str, str] = field(default_factory=dict)

    def joined(self, other: Provenance) -> Provenance:
        """Both, in the order in which they were asked."""
        return Provenance(
            requests=(*self.requests, *other.requests),
            retrieved_at=self.retrieved_at,
            snapshot_as_of=self.snapshot_as_of or other.snapshot_as_of,
            notes={**self.notes, **other.notes},
        )


@dataclass(frozen=True, slots=True)
class Observations:
    """The figures of some variables for some places, from one or more requests."""

    by_variable: Mapping[str, PlaceSeries]
    facets: Mapping[str, Facet]
    provenance: Provenance
    unread: tuple[str, ...] = ()
    """Figures that are no numbers, as ``place date``."""

    def of(self, variable: str, place: str) -> tuple[Series, ...]:
        """The series of one variable for one place, by preference."""
        return self.by_variable.get(variable, {}).get(place, ())


@dataclass(frozen=True, slots=True)
class Place:
    """A place as the graph has it."""

    dcid: str
    name: str
    types: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Places:
    """Places as one request listed them, with where the list came from."""

    rows: tuple[Place, ...]
    provenance: Provenance


@dataclass(frozen=True, slots=True)
class Candidates:
    """For each name that was asked for, the ids of the places it may mean, likeliest first."""

    by_name: Mapping[str, tuple[Place, ...]] = field(default_factory=dict)
    provenance: Provenance | None = None
