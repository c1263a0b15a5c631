"""Lists of areas are whole or refused, and the estimates that stand in answer under their own name."""

from __future__ import annotations

import pytest

from plugins.uscensus.answers import answer_series, answer_value
from plugins.uscensus.estimates import vintages_of
from plugins.uscensus.geography import Area
from plugins.uscensus.members import answer_members, choose_members
from plugins.uscensus.populations import answer_population
from shared.query.annotated import Executed, Selected
from shared.query.discovery import TableDocument
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.identifiers import SlotId
from shared.query.quantity import Entity, PlaceKind
from shared.query.readings import PeriodAsked, PeriodKindAsked, PopulationMention
from shared.query.slots import Slot, SlotKind
from tests.unit.plugins.uscensus.asked import Body, Publisher, asking, county, year

TEXAS = Entity(name="Texas", kind=PlaceKind.US_STATE, keys={"fips": "48"})
ESTIMATES = {"dataset": "popest/totals", "program": "pep", "variable": "POPESTIMATE"}
TABLE = TableDocument(
    identifier="census:B01003_001E", source="census", variable="B01003_001E", title="Population", description="",
    queries=(), terms={},
)  # fmt: skip


@pytest.mark.parametrize(
    ("area", "count", "first"),
    [
        (Area.inside("county", "04"), 15, "Apache County, Arizona"),
        (Area.inside("county", "09"), 9, "Capitol Planning Region, Connecticut"),
        (Area.inside("county", ""), 3144, "Abbeville County, South Carolina"),
        (Area.inside("state", ""), 51, "Alabama"),
        (Area.inside("place", "04"), 467, "Aguila, Arizona"),
        (Area.inside("congressional district", "01"), 7, "Congressional District 1 (117th Congress), Alabama"),
        (Area.inside("tract", "06037"), 2498, "Census Tract 1011.10, Los Angeles County, California"),
    ],
)
async def test_a_list_has_every_area_there_is(area: Area, count: int, first: str) -> None:
    answer = await answer_members(asking(Publisher(), area, kind=SlotKind.MEMBERS))
    assert isinstance(answer, Executed)
    assert len(answer.observations) == count
    assert answer.observations[0].entity.name == first
    assert all(cell.flag is True for cell in answer.observations)


@pytest.mark.parametrize(
    ("area", "told"),
    [
        (Area.inside("county", "09"), "nine planning regions"),
        (Area.inside("place", "04"), "communities that are neither (CDPs)"),
        (Area.inside("state", ""), "District of Columbia beside the fifty states"),
    ],
)
async def test_what_stands_in_a_list_that_a_reader_may_not_expect_is_told(area: Area, told: str) -> None:
    answer = await answer_members(asking(Publisher(), area, kind=SlotKind.MEMBERS))
    assert isinstance(answer, Executed)
    assert told in " ".join(one.text for one in answer.disclosures)


@pytest.mark.parametrize(
    ("area", "why"),
    [
        (Area.inside("place", "48"), "no areas of 20"),
        (Area.inside("zip code tabulation area", ""), "no areas of 20"),
    ],
)
async def test_a_list_that_is_not_recorded_is_refused(area: Area, why: str) -> None:
    refused = await answer_members(asking(Publisher(), area, kind=SlotKind.MEMBERS))
    assert isinstance(refused, Unanswerable)
    assert why in refused.reason
    assert "recorded figures" in refused.reason


async def test_a_list_of_some_is_no_list_of_all() -> None:
    rows: Body = [["NAME", "state", "county"], ["Kent County, Delaware", "10", "001"]]
    refused = await answer_members(
        asking(Publisher({2023: rows}), Area.inside("county", "10"), kind=SlotKind.MEMBERS)
    )
    assert isinstance(refused, Unanswerable)
    assert "only 1 of 3 counties came" in refused.reason


def slot(member: PlaceKind, text: str, *, relation: str = "members") -> Slot:
    population = PopulationMention(member=member, text=text)
    return Slot(id=SlotId("s"), kind=SlotKind.MEMBERS, role="members", population=population, relation=relation)


def test_a_list_of_what_the_bureau_does_not_list_is_refused() -> None:
    assert isinstance(choose_members(slot(PlaceKind.US_STATE, "states"), [TABLE]), Selected)
    for other in (slot(PlaceKind.COUNTRY, "countries"), slot(PlaceKind.US_STATE, "states", relation="borders")):
        refused = choose_members(other, [TABLE])
        assert isinstance(refused, Unanswerable)
        assert refused.status is FailureStatus.NOT_COVERED


async def test_the_newest_file_of_estimates_answers_for_each_of_its_years() -> None:
    publisher = Publisher()
    request = asking(publisher, Area.one("state", "48"), entity=TEXAS, period=year(2022), **ESTIMATES)
    answer = await answer_value(request)
    assert isinstance(answer, Executed)
    assert answer.observations[0].value == 30118002
    assert [one.url for one in publisher.asked] == [
        "https://www2.census.gov/programs-surveys/popest/datasets/2020-2025/state/totals/NST-EST2025-ALLDATA.csv"
    ]
    assert answer.response.requests[0].url == publisher.asked[0].url
    assert answer.response.page_url == "https://www.census.gov/programs-surveys/popest.html"


async def test_a_series_reads_its_file_once() -> None:
    publisher = Publisher()
    period = PeriodAsked(kind=PeriodKindAsked.SINCE, start=2020)
    request = asking(
        publisher, Area.one("state", "48"), kind=SlotKind.SERIES, entity=TEXAS, period=period, **ESTIMATES
    )
    answer = await answer_series(request)
    assert isinstance(answer, Executed)
    assert [cell.period.text for cell in answer.observations] == [str(one) for one in range(2020, 2026)]
    assert len(publisher.asked) == 1


async def test_all_states_and_all_counties_have_estimates() -> None:
    for area, period, count in (
        (Area.inside("state", ""), PeriodAsked(), 51),
        (Area.inside("county", ""), year(2022), 3144),
    ):
        answer = await answer_population(
            asking(Publisher(), area, kind=SlotKind.POPULATION, period=period, **ESTIMATES)
        )
        assert isinstance(answer, Executed)
        assert sum(cell.value is not None for cell in answer.observations) == count


async def test_a_county_of_a_year_without_a_file_has_no_estimate() -> None:
    harris = county("48201", "Harris County, Texas")
    request = asking(Publisher(), Area.one("county", "48201"), entity=harris, period=year(2024), **ESTIMATES)
    refused = await answer_value(request)
    assert isinstance(refused, Unanswerable)
    assert "there is no vintage 2024" in refused.reason


def test_a_year_is_looked_for_in_the_newest_file_of_its_decade() -> None:
    assert vintages_of(2022, 2025) == [2025, 2024, 2023, 2022]
    assert vintages_of(2015, 2025)[0] == 2019
