"""What Data Commons draws itself is offered in the form that it documents, and only for what it can draw."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any, cast

import pytest

from plugins.datacommons.asking import Asking
from plugins.datacommons.charts import charts_of
from shared.query.annotated import Bound, EntityResolved, PlannedRequest
from shared.query.evidence import Measure, Observation
from shared.query.identifiers import SlotId
from shared.query.published import PublishedChart
from shared.query.quantity import Entity, Period, PlaceKind, Unit, UnitKind
from shared.query.slots import Slot, SlotKind

NOW = datetime(2026, 11, 30, tzinfo=UTC)
TEXAS = Entity(name="Texas", kind=PlaceKind.US_STATE, keys={"dcid": "geoId/48", "fips": "48"})
PEOPLE = Unit(kind=UnitKind.COUNT, code="people", label="people")


def asking(kind: SlotKind, *, expression: str | None = None, **locator: str) -> Asking:
    measure = Measure(source="datacommons", variable="Count_Person", name="Population", unit=PEOPLE)
    bound = Bound(
        meaning="m", measure=measure, plugin="datacommons", plugin_version="1",
        locator={"variable": "Count_Person", **locator},
    )  # fmt: skip
    resolved = EntityResolved(entity=None if expression else TEXAS, expression=expression)
    slot = Slot(id=SlotId("slot:1"), kind=kind, role="value")
    return Asking(PlannedRequest(order=0, bound=bound, resolved=resolved, slot=slot), cast("Any", None), 2026)


def cells(*years: int) -> list[Observation]:
    return [Observation(entity=TEXAS, period=Period.year(year), value=1) for year in years]


COUNTIES = "geoId/48<-containedInPlace+{typeOf:County}"


@pytest.mark.parametrize(
    ("expression", "years", "elements", "date"),
    [
        (COUNTIES, (2023, 2023), ["datacommons-map", "datacommons-ranking"], "2023"),
        (COUNTIES, (2022, 2023), ["datacommons-map", "datacommons-ranking"], None),
        ("geoId/48<-containedInPlace+{typeOf:City}", (2023,), ["datacommons-ranking"], None),
        ("geoId/48;geoId/06", (2023,), [], None),
    ],
)
def test_members_are_mapped_where_there_are_shapes_of_them(
    expression: str, years: tuple[int, ...], elements: list[str], date: str | None
) -> None:
    made = charts_of(asking(SlotKind.POPULATION, expression=expression), cells(*years))
    assert [chart.element for chart in made] == elements
    assert [chart.attributes.get("date") for chart in made][:1] == ([date] if elements else [])
    assert all(chart.places == () for chart in made)


def test_the_page_of_parts_names_each_variable() -> None:
    (made,) = charts_of(
        asking(SlotKind.CATEGORIES, parts="Count_Person_Male,Count_Person_Female"), cells(2023, 2023)
    )
    assert made.attributes == {"variables": "Count_Person_Male Count_Person_Female", "date": "2023"}
    assert made.component("Texas").page_url.endswith(
        "#place=geoId%2F48&statsVar=Count_Person_Male__Count_Person_Female"
    )


def test_members_of_a_list_have_no_chart() -> None:
    assert charts_of(asking(SlotKind.MEMBERS), cells(2023)) == ()


def test_charts_alike_but_for_the_place_are_known_as_such() -> None:
    (one,) = charts_of(asking(SlotKind.VALUE), cells(2023))
    other = one.model_copy(update={"places": ("geoId/06",)})
    assert one.alike == other.alike
    assert isinstance(one, PublishedChart)
    assert one.model_copy(update={"element": "datacommons-bar"}).alike != one.alike
    both = one.model_copy(update={"places": ("geoId/48", "geoId/06")}).component("T")
    assert both.attributes == {"header": "T", "variables": "Count_Person", "places": "geoId/48 geoId/06"}
    assert "place=geoId%2F48%2CgeoId%2F06&" in both.page_url
