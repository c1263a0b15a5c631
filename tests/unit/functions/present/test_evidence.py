"""Which receipts an answer carries: one a figure or one for many, and by which request each figure came."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from functions.present.draft import Draft, View
from functions.present.evidence import MOST_SINGLE, Carried, carried, charted, receipt, resting
from shared.query.annotated import AskOptions, Combined, Executed, ResultRow
from shared.query.answer import Chart
from shared.query.evidence import Computation, Measure, Observation, Operation, RequestMade, SourceResponse
from shared.query.identifiers import ComputationId, SlotId
from shared.query.material import Material, Served
from shared.query.quantity import Entity, Period, PlaceKind, Unit, UnitKind
from shared.query.readings import MeasureMention, PopulationMention, RankingReading
from shared.query.slots import Slot, SlotKind

SLOT = SlotId("slot:1")
DOLLARS = Unit(kind=UnitKind.CURRENCY, code="USD", label="US dollars", currency="USD")
MEASURE = Measure(source="census", variable="B19013_001E", name="Median household income", unit=DOLLARS)
POPULATION = PopulationMention(member=PlaceKind.US_COUNTY, text="counties")
READING = RankingReading(measure=MeasureMention(text="income"), population=POPULATION)
ONE = (RequestMade(url="https://api.example.org/all"),)


def county(n: int) -> Entity:
    return Entity(name=f"County {n}", kind=PlaceKind.US_COUNTY, keys={"fips": f"{n:05}", "dcid": f"geoId/{n:05}"})


def figure(n: int, **fields: Any) -> Observation:
    given: dict[str, Any] = {"value": Decimal(n)} | fields
    return Observation(entity=county(n), period=given.pop("period", Period.year(2023)), **given)


def view(
    observations: Sequence[Observation],
    *,
    kind: SlotKind = SlotKind.POPULATION,
    shown: int | None = None,
    requests: tuple[RequestMade, ...] = ONE,
) -> View:
    """A result that shows the first ``shown`` of the observations of one slot."""
    slot = Slot(id=SLOT, kind=kind, role="value", population=POPULATION)
    response = SourceResponse(
        source="census",
        publisher="US Census Bureau",
        requests=requests,
        retrieved_at=datetime(2026, 1, 2, tzinfo=UTC),
        licence="public domain",
        dataset="acs5",
    )
    executed = Executed(meaning="income", measure=MEASURE, response=response, observations=tuple(observations))
    served = {SLOT: (Served(slot, executed),)}
    rows = tuple(ResultRow(slot=SLOT, meaning="income", index=n) for n in range(len(observations))[:shown])
    material = Material("?", READING, (slot,), served, {}, {}, {})
    return View(material, (Combined(meaning="income", result="ranking", rows=rows),), AskOptions())


@pytest.mark.parametrize(("shown", "single", "shared"), [(MOST_SINGLE, MOST_SINGLE, 0), (MOST_SINGLE + 1, 0, 1)])
def test_more_than_a_hundred_members_that_are_used_share_a_receipt(shown: int, single: int, shared: int) -> None:
    found = carried(view([figure(n) for n in range(3_000)], shown=shown), Draft())
    assert (len(found.receipts), len(found.shared)) == (single, shared)
    assert sum(one.count for one in found.shared) + len(found.receipts) == shown


def test_a_shared_receipt_says_once_what_all_have_and_in_the_rows_what_not_all_have() -> None:
    observations = [figure(n) for n in range(150)]
    (shared,) = carried(view(observations), Draft()).shared
    assert (shared.period, shared.rows.period, shared.rows.request, shared.rows.note) == ("2023", None, None, None)
    assert (shared.unit, shared.currency, shared.variable, shared.dataset) == ("USD", "USD", "B19013_001E", "acs5")
    observations[7] = figure(7, period=Period.year(2022), note="revised")
    (shared,) = carried(view(observations), Draft()).shared
    assert shared.period is None
    assert shared.rows.period is not None
    assert shared.rows.note is not None
    assert (shared.rows.period[6:8], shared.rows.note[6:8]) == (("2023", "2022"), (None, "revised"))


def test_a_row_is_what_the_receipt_of_the_figure_would_be() -> None:
    shown = view([figure(n, value=Decimal("1E+3") + n) for n in range(150)])
    (shared,) = carried(shown, Draft()).shared
    cells = shown.cells(shown.leading)
    assert [shared.receipt(place) for place in range(150)] == [receipt(cell) for cell in cells]
    assert shared.rows.value[0] == "1000"


def test_members_that_report_nothing_have_no_row() -> None:
    observations = [figure(n) for n in range(150)]
    observations[3] = figure(3, value=None, missing="suppressed")
    (shared,) = carried(view(observations, kind=SlotKind.MEMBERS), Draft()).shared
    assert shared.count == 149
    assert shared.place("r:slot:1:income:3") is None


def test_lists_of_members_share_a_receipt_and_courses_over_time_do_not() -> None:
    listed = [figure(n, value=None, flag=True) for n in range(150)]
    (shared,) = carried(view(listed, kind=SlotKind.MEMBERS), Draft()).shared
    assert set(shared.rows.value) == {True}
    assert shared.unit is None
    course = carried(view([figure(n) for n in range(150)], kind=SlotKind.SERIES), Draft())
    assert (len(course.receipts), course.shared) == (150, ())


def test_figures_of_two_kinds_have_a_receipt_each() -> None:
    mixed = [figure(n) if n % 2 else figure(n, value=None, text="none") for n in range(150)]
    assert len(carried(view(mixed), Draft()).receipts) == 150


def test_each_row_names_the_request_that_names_its_member_in_address_or_body() -> None:
    requests = (
        RequestMade(url="https://api.example.org/all"),
        RequestMade(url="https://api.example.org/county/00001;00002"),
        RequestMade(method="POST", url="https://api.example.org/", body='{"dcids":["geoId/00003","geoId/00002"]}'),
    )
    (shared,) = carried(view([figure(n) for n in range(150)], requests=requests), Draft()).shared
    assert shared.rows.request is not None
    assert shared.rows.request[:5] == (0, 1, 1, 2, 0)
    few = view([figure(n) for n in range(5)], requests=requests)
    assert [one.request for one in carried(few, Draft()).receipts] == [requests[n] for n in (0, 1, 1, 2, 0)]


def computation(*inputs: str, name: str = "c:1") -> Computation:
    return Computation(
        id=ComputationId(name), operation=Operation.SUM, inputs=inputs, value=Decimal(1), unit=None, formula="sum"
    )


def test_a_computation_of_all_rows_names_the_receipt_and_one_of_some_names_each() -> None:
    found = carried(view([figure(n) for n in range(150)]), Draft())
    (shared,) = found.shared
    rows = shared.row_ids()
    every, some = computation(*rows), computation(*rows[:-1], name="c:2")
    first, second = resting([every, some], found)
    assert first.inputs == (shared.id,)
    assert second.inputs == some.inputs


def test_a_computation_of_a_row_that_is_not_carried_is_left_out() -> None:
    found = carried(view([figure(n) for n in range(150)]), Draft())
    assert resting([computation("r:slot:1:income:150")], found) == []
    assert resting([computation("r:slot:1:income:149")], Carried((), ())) == []


def test_a_chart_of_all_rows_names_the_receipt_and_one_of_some_names_each() -> None:
    found = carried(view([figure(n) for n in range(150)]), Draft())
    (shared,) = found.shared
    drawn = [
        Chart(id=f"chart:{n}", title="t", spec={}, evidence=tuple(shared.row_ids()[:n])) for n in (150, 120, 2)
    ]
    whole, most, few = charted(drawn, found)
    assert whole.evidence == (shared.id,)
    assert (len(most.evidence), len(few.evidence)) == (120, 2)
