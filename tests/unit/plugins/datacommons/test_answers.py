"""What a slot is answered with: the year asked for, one facet, everybody of a population, in few requests."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

import pytest

from plugins.datacommons.answers import answer_series, answer_value
from plugins.datacommons.asking import Asking
from plugins.datacommons.client import DataCommonsClient
from plugins.datacommons.places import with_dcid
from plugins.datacommons.populations import answer_population
from shared.query.annotated import Bound, EntityResolved, Executed, PlannedRequest
from shared.query.evidence import FailureStatus, Measure, Unanswerable
from shared.query.identifiers import SlotId
from shared.query.quantity import Unit, UnitKind
from shared.query.readings import MeasureMention, PeriodAsked, PeriodKindAsked
from shared.query.slots import Slot, SlotKind
from shared.runtime.http import HttpRequest
from shared.text.places import by_code
from tests.support.datacommons import counting

PEOPLE = Unit(kind=UnitKind.COUNT, code="people", label="people")
DOLLARS = Unit(kind=UnitKind.CURRENCY, code="USD", label="US dollars", currency="USD")
PERCENT = Unit(kind=UnitKind.PERCENT, code="%", label="percent")
LATEST = PeriodAsked()
COUNTIES = "country/USA<-containedInPlace+{typeOf:County}"
STATES = "country/USA<-containedInPlace+{typeOf:State}"


def year(number: int) -> PeriodAsked:
    return PeriodAsked(kind=PeriodKindAsked.YEAR, start=number)


def asking(
    kind: SlotKind, resolved: EntityResolved, period: PeriodAsked, seen: list[HttpRequest], **more: Any
) -> Asking:
    variable = more.pop("variable", "Count_Person")
    measure = Measure(source="datacommons", variable=variable, name=variable, unit=more.pop("unit", PEOPLE))
    slot = Slot(id=SlotId("slot:1"), kind=kind, role="value", measure=MeasureMention(text="x"), period=period)
    bound = Bound(
        meaning=variable, measure=measure, plugin="datacommons", plugin_version="1", locator={"variable": variable}
    )
    planned = PlannedRequest(order=0, bound=bound, resolved=resolved, slot=slot, **more)
    return Asking(planned, DataCommonsClient(counting(seen)), this_year=2026)


def place(code: str, dcid: str) -> EntityResolved:
    entity = by_code(code)
    assert entity is not None
    return EntityResolved(entity=with_dcid(entity, dcid))


CALIFORNIA = place("US-CA", "geoId/06")


async def value(period: PeriodAsked, resolved: EntityResolved = CALIFORNIA, **more: Any) -> Executed | Unanswerable:
    return await answer_value(asking(SlotKind.VALUE, resolved, period, [], **more))


async def test_the_newest_figure_is_of_the_preferred_source_with_its_name_and_kind() -> None:
    seen: list[HttpRequest] = []
    found = await answer_value(asking(SlotKind.VALUE, CALIFORNIA, LATEST, seen))
    assert isinstance(found, Executed)
    assert (found.observations[0].value, found.year) == (Decimal(39355309), 2025)
    assert found.response.publisher == "Data Commons (US Census Bureau, Population Estimates)"
    assert (found.response.dataset, found.response.basis) == ("2176550201", "yearly figure")
    assert "facet 2176550201" in found.disclosures[0].text
    assert len(seen) == 1


async def test_a_year_that_is_asked_for_is_the_year_that_is_returned() -> None:
    found = await value(year(2021))
    assert isinstance(found, Executed)
    # Data Commons keeps the vintage of 2021 for this year.
    assert (found.observations[0].value, found.year) == (Decimal(39237836), 2021)


async def test_a_year_without_a_figure_is_told_with_those_that_have_one() -> None:
    found = await value(year(1850), place("48201", "geoId/48201"))
    assert isinstance(found, Unanswerable)
    assert found.status is FailureStatus.NO_DATA
    assert "in 1850; it has figures from 2017 to 2023" in found.reason


async def test_years_back_are_counted_from_the_newest_figure() -> None:
    found = await value(PeriodAsked(kind=PeriodKindAsked.YEARS_AGO, count=10))
    assert isinstance(found, Executed)
    assert found.year == 2015


async def test_a_dataset_that_other_figures_are_of_is_taken_or_nothing() -> None:
    found = await value(LATEST, dataset="1145703171")
    assert isinstance(found, Executed)
    assert found.response.basis == "mean of five years"
    assert isinstance(await value(LATEST, dataset="none"), Unanswerable)


async def test_a_county_that_was_replaced_says_by_what() -> None:
    found = await value(year(2023), place("09003", "geoId/09003"))
    assert isinstance(found, Unanswerable)
    assert "Connecticut's figures are of its planning regions from 2022 on" in found.reason


async def test_the_newest_figure_of_a_county_that_is_no_more_says_so() -> None:
    fairfield = place("09001", "geoId/09001")
    answer = await value(LATEST, fairfield)
    assert isinstance(answer, Executed)
    assert "Connecticut's figures are of its planning regions from 2022 on" in [
        one.text for one in answer.disclosures
    ]
    series = await answer_series(asking(SlotKind.SERIES, fairfield, PeriodAsked(kind=PeriodKindAsked.ALL), []))
    assert isinstance(series, Executed)
    assert any("planning regions from 2022 on" in one.text for one in series.disclosures)
    dated = await value(year(2020), fairfield)
    assert isinstance(dated, Executed)
    assert not any("planning regions" in one.text for one in dated.disclosures)


async def test_the_district_among_the_states_is_told() -> None:
    answer = await answer_population(asking(SlotKind.POPULATION, EntityResolved(expression=STATES), LATEST, []))
    assert isinstance(answer, Executed)
    assert any("District of Columbia" in one.text and "counted in" in one.text for one in answer.disclosures)
    counties = await answer_population(asking(SlotKind.POPULATION, EntityResolved(expression=COUNTIES), LATEST, []))
    assert isinstance(counties, Executed)
    assert not any("District of Columbia" in one.text for one in counties.disclosures)


async def test_newer_months_are_told_where_a_years_figure_is_given() -> None:
    found = await value(LATEST, variable="UnemploymentRate_Person", unit=PERCENT)
    assert isinstance(found, Executed)
    assert found.year == 2025
    assert any("single months are published up to 2026-04" in note.text for note in found.disclosures)


async def test_a_series_is_of_one_source_without_holes_where_one_has_none() -> None:
    asked = PeriodAsked(kind=PeriodKindAsked.RANGE, start=2010, end=2021)
    found = await answer_series(asking(SlotKind.SERIES, place("US-TX", "geoId/48"), asked, []))
    assert isinstance(found, Executed)
    assert [str(cell.period) for cell in found.observations] == [str(number) for number in range(2010, 2022)]
    assert "through FRED" in found.response.publisher
    assert found.incomplete == ()


async def test_years_without_a_figure_are_told() -> None:
    asked = PeriodAsked(kind=PeriodKindAsked.RANGE, start=2018, end=2022)
    jobless = {"variable": "UnemploymentRate_Person", "unit": PERCENT}
    found = await answer_series(asking(SlotKind.SERIES, place("06037", "geoId/06037"), asked, [], **jobless))
    assert isinstance(found, Executed)
    assert found.incomplete == ("2021", "2022")


async def population(
    expression: str, period: PeriodAsked = LATEST, **more: Any
) -> tuple[Executed | Unanswerable, list[HttpRequest]]:
    seen: list[HttpRequest] = []
    resolved = EntityResolved(expression=expression)
    return await answer_population(asking(SlotKind.POPULATION, resolved, period, seen, **more)), seen


async def test_all_counties_are_of_one_source_and_one_year_and_named_without_a_request() -> None:
    found, seen = await population(COUNTIES)
    assert isinstance(found, Executed)
    assert found.year == 2023
    assert len(found.observations) == 3144
    assert "Los Angeles County, California" in {cell.entity.name for cell in found.observations}
    # The newest of each, and then 2023 of the counties that report a later year.
    assert len(seen) == 2
    assert all("property=" not in request.full_url for request in seen)


async def test_puerto_rico_is_left_out_of_the_states_and_it_is_said() -> None:
    found, seen = await population(STATES, variable="UnemploymentRate_Person", unit=PERCENT)
    assert isinstance(found, Executed)
    assert len(found.observations) == 51
    assert any("Puerto Rico" in note.text for note in found.disclosures)
    assert len(seen) == 1


async def test_a_population_is_asked_for_the_year_itself_where_one_is_named() -> None:
    found, seen = await population(STATES, year(2020))
    assert isinstance(found, Executed)
    assert found.year == 2020
    assert len([cell for cell in found.observations if cell.missing is None]) == 51
    assert "date=2020" in seen[0].full_url
    assert len(seen) == 1


async def test_members_without_a_figure_of_the_year_are_missing_and_never_zero() -> None:
    found, _ = await population(COUNTIES, year(2017), variable="Median_Income_Household", unit=DOLLARS)
    assert isinstance(found, Executed)
    lacking = [cell for cell in found.observations if cell.missing is not None]
    assert lacking
    assert all(cell.value is None for cell in lacking)


async def test_members_that_only_data_commons_knows_are_named_by_one_request() -> None:
    found, seen = await population("geoId/04<-containedInPlace+{typeOf:City}")
    assert isinstance(found, Executed)
    assert max(found.observations, key=lambda cell: cell.value or 0).entity.name == "Phoenix, Arizona"
    assert len(seen) == 2


async def test_a_few_members_are_no_population() -> None:
    found, _ = await population(COUNTIES, variable="Count_Person_AsianAlone")
    assert isinstance(found, Unanswerable)
    assert "for only 39 of 3144" in found.reason
    found, _ = await population("geoId/53<-containedInPlace+{typeOf:County}", variable="Count_Person_AsianAlone")
    assert isinstance(found, Executed)


async def test_one_country_is_not_the_first_of_all() -> None:
    found, _ = await population("Earth<-containedInPlace+{typeOf:Country}", variable="Count_Person_65OrMoreYears")
    assert isinstance(found, Unanswerable)
    assert "for only 1 of " in found.reason


async def test_countries_are_compared_in_one_year_of_one_source_and_the_dissolved_are_not_among_them() -> None:
    found, seen = await population("Earth<-containedInPlace+{typeOf:Country}")
    assert isinstance(found, Executed)
    assert found.year == 2024
    assert "World Development Indicators" in found.response.publisher
    reported = {cell.entity.keys["dcid"]: cell.value for cell in found.observations if cell.missing is None}
    assert reported["country/USA"] == 340110988
    assert not {"country/YUG", "country/ANT"} & set(reported)
    assert len(seen) == 1


async def test_cities_of_one_state_do_not_pass_for_those_of_the_country() -> None:
    found, _ = await population("country/USA<-containedInPlace+{typeOf:City}")
    assert isinstance(found, Unanswerable)
    assert found.status is FailureStatus.NO_DATA


@pytest.mark.parametrize("expression", ["Earth<-containedInPlace+{typeOf:Dummy}", "geoId/06;geoId/48"])
async def test_a_population_without_figures_is_no_answer(expression: str) -> None:
    found, _ = await population(expression, year(1850))
    assert isinstance(found, Unanswerable)
    assert found.status is FailureStatus.NO_DATA
