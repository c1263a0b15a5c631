"""Requests as the plan stage makes them, carried out against recorded or scripted answers."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, date, datetime
from typing import Any

from plugins.uscensus.asking import Asking
from plugins.uscensus.client import CensusClient
from plugins.uscensus.geography import Area
from plugins.uscensus.snapshot.responder import CensusResponder
from shared.query.annotated import Bound, EntityResolved, PlannedRequest
from shared.query.evidence import Measure
from shared.query.identifiers import SlotId
from shared.query.quantity import Entity, PlaceKind, Unit, UnitKind
from shared.query.readings import MeasureMention, PeriodAsked, PeriodKindAsked
from shared.query.slots import Slot, SlotKind
from shared.runtime.http import HttpRequest, HttpResponse

TODAY = date(2026, 11, 30)
DOLLARS = Unit(kind=UnitKind.CURRENCY, code="USD", label="US dollars", currency="USD")
Body = list[list[str | None]]


class Publisher:
    """Answers from the recorded figures, or from scripted bodies by vintage; keeps what it was asked."""

    def __init__(self, bodies: Mapping[int, Body] | None = None) -> None:
        self._bodies = bodies
        self.asked: list[HttpRequest] = []

    async def send(self, request: HttpRequest) -> HttpResponse:
        """One answer; a vintage without a body has not been released."""
        self.asked.append(request)
        if self._bodies is None:
            return CensusResponder().respond(request)
        body = self._bodies.get(int(request.url.split("/")[4]))
        if body is None:
            return HttpResponse(404, b"error: unknown dataset", datetime.now(UTC))
        return HttpResponse(200, json.dumps(body).encode(), datetime.now(UTC))


def year(asked: int) -> PeriodAsked:
    """One year by number."""
    return PeriodAsked(kind=PeriodKindAsked.YEAR, start=asked)


def asking(
    publisher: Publisher,
    area: Area,
    *,
    kind: SlotKind = SlotKind.VALUE,
    entity: Entity | None = None,
    members: tuple[Entity, ...] = (),
    variable: str = "B19013_001E",
    period: PeriodAsked | None = None,
    **locator: str,
) -> Asking:
    """A request for median household income, unless another variable is named."""
    measure = Measure(source="census", variable=variable, name="Median household income", unit=DOLLARS)
    where = {"dataset": "acs/acs5", "program": "acs5", "variable": variable, **locator}
    slot = Slot(id=SlotId("s"), kind=kind, role="value", measure=MeasureMention(text="income"),
                period=period or PeriodAsked())  # fmt: skip
    planned = PlannedRequest(
        order=0,
        bound=Bound(meaning=variable, measure=measure, plugin="census", plugin_version="1", locator=where),
        resolved=EntityResolved(entity=entity, expression=str(area), members=members),
        slot=slot,
    )
    return Asking(planned, CensusClient(publisher.send), TODAY)


def county(fips: str, name: str) -> Entity:
    """A county."""
    return Entity(name=name, kind=PlaceKind.US_COUNTY, keys={"fips": fips})


def table(*rows: tuple[str, str | None], variable: str = "B19013_001E", **more: Any) -> Body:
    """A body of counties with one estimate each; ``more`` adds columns with one text for all rows."""
    header: list[str | None] = ["NAME", variable, "B19013_001M", "B19013_001EA", "B19013_001MA", "state", "county"]
    cells = {"B19013_001M": None, "B19013_001EA": None, "B19013_001MA": None, **more}
    return [header, *([f"County {fips}", value, *cells.values(), fips[:2], fips[2:]] for fips, value in rows)]


Answer = Callable[[Asking], Any]
