"""What one place and what a population is answered, with its margins, its blanks and its changed counties."""

from __future__ import annotations

from decimal import Decimal

import pytest

from plugins.uscensus.answers import answer_series, answer_value
from plugins.uscensus.geography import Area
from plugins.uscensus.markers import ESTIMATES
from plugins.uscensus.populations import answer_population
from shared.query.annotated import Executed
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.readings import PeriodAsked, PeriodKindAsked
from shared.query.slots import SlotKind
from tests.unit.plugins.uscensus.asked import Publisher, asking, county, table, year

HARRIS = county("48201", "Harris County, Texas")
HERE = Area.one("county", "48201")
RHODE_ISLAND = Area.inside("county", "44")


def told(answer: Executed) -> str:
    return " | ".join(one.text for one in answer.disclosures)


async def test_the_newest_vintage_that_is_out_answers_when_no_year_is_named() -> None:
    publisher = Publisher()
    answer = await answer_value(asking(publisher, HERE, entity=HARRIS))
    assert isinstance(answer, Executed)
    assert [(cell.value, cell.period.text) for cell in answer.observations] == [(Decimal(73104), "2023")]
    assert [request.url.split("/")[4] for request in publisher.asked] == ["2024", "2023"]
    assert answer.response.publisher == "US Census Bureau (American Community Survey 5-year estimates)"
    assert answer.response.page_url == "https://data.census.gov/table/ACSDT5Y2023.B19013?g=0500000US48201"
    assert "of 2019-2023; each is a mean over the 5 years" in told(answer)


async def test_a_year_by_number_is_that_vintage_and_its_margin_of_error_is_told() -> None:
    publisher = Publisher()
    answer = await answer_value(asking(publisher, HERE, entity=HARRIS, period=year(2017)))
    assert isinstance(answer, Executed)
    assert answer.observations[0].value == Decimal(57791)
    assert "margin of error of ±$503 at 90% confidence" in told(answer)
    assert len(publisher.asked) == 1


async def test_years_ago_count_from_the_newest_vintage() -> None:
    period = PeriodAsked(kind=PeriodKindAsked.YEARS_AGO, count=6)
    answer = await answer_value(asking(Publisher(), HERE, entity=HARRIS, period=period))
    assert isinstance(answer, Executed)
    assert answer.observations[0].period.text == "2017"


@pytest.mark.parametrize("marker", ["-666666666", "-666666666.0", "-999999999", "-888888888"])
async def test_a_suppressed_figure_is_no_figure_and_an_older_vintage_does_not_stand_in(marker: str) -> None:
    publisher = Publisher({2024: table(("48201", marker)), 2023: table(("48201", "5"))})
    answer = await answer_value(asking(publisher, HERE, entity=HARRIS))
    assert isinstance(answer, Unanswerable)
    assert answer.status is FailureStatus.NO_DATA
    assert ESTIMATES[int(Decimal(marker))] in answer.reason
    assert "for 2024 it says" in answer.reason
    assert len(publisher.asked) == 1


@pytest.mark.parametrize(("value", "annotation"), [("0", "1939-"), ("18", "2014+"), ("250001", "250,000+")])
async def test_an_open_ended_median_is_a_bound_and_no_figure(value: str, annotation: str) -> None:
    publisher = Publisher({2024: table(("48201", value), B19013_001EA=annotation)})
    answer = await answer_value(asking(publisher, HERE, entity=HARRIS))
    assert isinstance(answer, Unanswerable)
    assert f"published as “{annotation}” only" in answer.reason


async def test_a_year_before_the_survey_has_no_vintage() -> None:
    publisher = Publisher()
    answer = await answer_value(asking(publisher, HERE, entity=HARRIS, period=year(1995)))
    assert isinstance(answer, Unanswerable)
    assert "there is no vintage 1995" in answer.reason
    assert publisher.asked == []


async def test_a_vintage_that_does_not_know_the_variable_says_so() -> None:
    answer = await answer_value(asking(Publisher(), HERE, entity=HARRIS, variable="B99999_001E", period=year(2023)))
    assert isinstance(answer, Unanswerable)
    assert "the vintage 2023 has no variable B99999_001E" in answer.reason


async def test_a_line_of_a_profile_is_asked_for_by_its_name_in_each_vintage() -> None:
    names = "2017-2021=DP05_0071PE;2023=DP05_0076PE"
    publisher = Publisher()
    answer = await answer_value(
        asking(publisher, HERE, entity=HARRIS, variable="DP05_0076PE", period=year(2017),
               dataset="acs/acs5/profile", names=names)
    )  # fmt: skip
    assert isinstance(answer, Executed)
    assert answer.observations[0].value == Decimal("42.2")
    assert "get=NAME,DP05_0071PE,DP05_0071PM," in answer.response.requests[0].url
    unknown = await answer_value(
        asking(publisher, HERE, entity=HARRIS, variable="DP05_0076PE", period=year(2022),
               dataset="acs/acs5/profile", names=names)
    )  # fmt: skip
    assert isinstance(unknown, Unanswerable)
    assert "in the vintage 2022 is not known here" in unknown.reason


async def test_a_renamed_county_is_found_under_its_new_code_and_the_answer_says_so() -> None:
    shannon = county("46113", "Shannon County, South Dakota")
    publisher = Publisher()
    answer = await answer_value(asking(publisher, Area.one("county", "46113"), entity=shannon))
    assert isinstance(answer, Executed)
    assert (answer.observations[0].value, answer.observations[0].entity) == (Decimal(34769), shannon)
    assert ("for", "county:102") in publisher.asked[-1].params
    assert "was renamed Oglala Lakota County (46102) in 2015" in told(answer)


@pytest.mark.parametrize(
    ("fips", "name", "why"),
    [
        ("09003", "Hartford County, Connecticut", "nine planning regions since 2022"),
        ("02261", "Valdez-Cordova Census Area, Alaska", "split into Chugach"),
    ],
)
async def test_a_county_that_is_no_more_has_no_newer_figure_and_the_reason_is_told(
    fips: str, name: str, why: str
) -> None:
    here, entity = Area.one("county", fips), county(fips, name)
    answer = await answer_value(asking(Publisher(), here, entity=entity, period=year(2023)))
    assert isinstance(answer, Unanswerable)
    assert why in answer.reason
    before = await answer_value(asking(Publisher(), here, entity=entity, period=year(2017)))
    assert isinstance(before, Executed)


@pytest.mark.parametrize(
    ("fips", "said"), [("09001", "nine planning regions since 2022"), ("02261", "was split into Chugach")]
)
async def test_the_newest_figure_of_a_county_that_is_no_more_says_so(fips: str, said: str) -> None:
    area, whom = Area.one("county", fips), county(fips, "a county")
    answer = await answer_value(asking(Publisher(), area, entity=whom))
    assert isinstance(answer, Executed)
    assert answer.observations[0].period.text == "2017"
    assert said in told(answer)
    dated = await answer_value(asking(Publisher(), area, entity=whom, period=year(2017)))
    assert isinstance(dated, Executed)
    assert said not in told(dated)


async def test_the_district_among_the_states_is_told() -> None:
    area = Area.inside("state", "")
    states = await answer_population(asking(Publisher(), area, kind=SlotKind.POPULATION, period=year(2022)))
    assert isinstance(states, Executed)
    assert "District of Columbia, which the Census Bureau lists beside the fifty states, is counted in" in told(
        states
    )
    ohio = await answer_population(asking(Publisher(), Area.inside("county", "39"), kind=SlotKind.POPULATION))
    assert isinstance(ohio, Executed)
    assert "District of Columbia" not in told(ohio)


async def test_a_series_has_its_vintages_in_order_and_names_those_that_lack() -> None:
    publisher = Publisher(
        {2021: table(("48201", "10")), 2023: table(("48201", "30")), 2024: table(("48201", "40"))}
    )
    period = PeriodAsked(kind=PeriodKindAsked.SINCE, start=2020)
    answer = await answer_series(asking(publisher, HERE, kind=SlotKind.SERIES, entity=HARRIS, period=period))
    assert isinstance(answer, Executed)
    assert [(c.period.text, c.value) for c in answer.observations] == [
        ("2021", Decimal(10)),
        ("2023", Decimal(30)),
        ("2024", Decimal(40)),
    ]
    assert answer.incomplete == ("2022",)
    assert "share most of their years" in told(answer)
    assert len(answer.response.requests) == 3


async def test_all_counties_come_from_one_request_and_blanks_are_named_and_never_zero() -> None:
    publisher = Publisher()
    answer = await answer_population(
        asking(publisher, Area.inside("county", ""), kind=SlotKind.POPULATION, period=year(2023))
    )
    assert isinstance(answer, Executed)
    assert [request.params[1] for request in publisher.asked] == [("for", "county:*")]
    missing = {cell.entity.code: cell for cell in answer.observations if cell.missing is not None}
    assert set(missing) == {"32009", "48261"}
    assert all(cell.value is None for cell in missing.values())
    assert len(answer.observations) == 3144
    assert "Connecticut is counted in as its nine planning regions" in told(answer)
    assert "left out are Esmeralda County, Nevada, Kenedy County, Texas: no estimate is published" in told(answer)


async def test_the_counties_of_2017_are_those_of_that_year_without_puerto_rico() -> None:
    answer = await answer_population(
        asking(Publisher(), Area.inside("county", ""), kind=SlotKind.POPULATION, period=year(2017))
    )
    assert isinstance(answer, Executed)
    codes = {cell.entity.code for cell in answer.observations}
    assert {"09003", "02261", "46102"} <= codes
    assert not {"09110", "02063", "46113"} & codes
    assert not any(code.startswith("72") for code in codes)
    assert "78 counties of Puerto Rico are left out" in told(answer)
    assert "margins of error at 90% confidence" in told(answer)


async def test_a_marker_among_the_members_is_missing_with_its_reason() -> None:
    rows = [("44001", "-666666666"), ("44003", "90000"), ("44005", "80000"), ("44007", "70000")]
    publisher = Publisher({2024: table(*rows)})
    answer = await answer_population(asking(publisher, RHODE_ISLAND, kind=SlotKind.POPULATION))
    assert isinstance(answer, Executed)
    cells = {cell.entity.code: (cell.value, cell.missing) for cell in answer.observations}
    assert cells["44001"] == (None, ESTIMATES[-666666666])
    assert cells["44003"] == (Decimal(90000), None)
    assert cells["44009"] == (None, "not among the 2024 figures")


async def test_too_few_members_do_not_speak_for_all() -> None:
    publisher = Publisher({2024: table(("44001", "1"), ("44003", "2"))})
    answer = await answer_population(asking(publisher, RHODE_ISLAND, kind=SlotKind.POPULATION))
    assert isinstance(answer, Unanswerable)
    assert "only 2 of 5 have one" in answer.reason


async def test_a_list_of_counties_keeps_whoever_is_asked_for_and_names_who_lacks() -> None:
    publisher = Publisher({2024: table(("48201", "7"), ("48113", "8"), ("48439", "9"))})
    wanted = (HARRIS, county("48113", "Dallas County, Texas"))
    answer = await answer_population(
        asking(publisher, Area.inside("county", "48"), kind=SlotKind.POPULATION, members=wanted)
    )
    assert isinstance(answer, Executed)
    assert [(cell.entity.code, cell.value) for cell in answer.observations] == [
        ("48201", Decimal(7)),
        ("48113", Decimal(8)),
    ]


async def test_a_model_tells_an_interval_in_place_of_a_margin() -> None:
    publisher = Publisher()
    where = {"program": "saipe", "dataset": "timeseries/poverty/saipe"}
    answer = await answer_value(
        asking(publisher, HERE, entity=HARRIS, variable="SAEMHI_PT", period=year(2019), **where)
    )
    assert isinstance(answer, Executed)
    assert answer.observations[0].value == Decimal(61638)
    assert "90% confidence interval from $" in told(answer)
    assert answer.response.requests[0].url == (
        "https://api.census.gov/data/timeseries/poverty/saipe?get=NAME,SAEMHI_PT,SAEMHI_LB90,SAEMHI_UB90"
        "&for=county:201&in=state:48&time=2019"
    )


@pytest.mark.parametrize(
    ("area", "variable", "dataset"),
    [
        (Area.one("block group", "360610031002"), "B25064_001E", "acs/acs5"),
        (Area.one("county", "25007"), "S1601_C04_013E", "acs/acs5/subject"),
    ],
)
async def test_markers_that_were_shown_as_numbers_elsewhere_are_reasons_here(
    area: Area, variable: str, dataset: str
) -> None:
    somewhere = county("00000", "somewhere")
    answer = await answer_value(
        asking(Publisher(), area, entity=somewhere, variable=variable, period=year(2023), dataset=dataset)
    )
    assert isinstance(answer, Unanswerable)
    assert ESTIMATES[-666666666] in answer.reason


async def test_a_controlled_total_has_no_sampling_error() -> None:
    nation = county("00000", "United States")
    us = Area.one("us", "1")
    answer = await answer_value(
        asking(
            Publisher(), us, entity=nation, variable="S0101_C01_001E", period=year(2023), dataset="acs/acs5/subject"
        )
    )
    assert isinstance(answer, Executed)
    assert answer.observations[0].value == Decimal(332387540)
    assert "controlled to an independent estimate" in told(answer)


async def test_a_place_that_is_too_small_for_the_one_year_file_is_told_why() -> None:
    where = {"program": "acs1", "dataset": "acs/acs1"}
    answer = await answer_value(asking(Publisher(), HERE, entity=HARRIS, period=year(2023), **where))
    assert isinstance(answer, Unanswerable)
    assert "areas of 65,000 people and more" in answer.reason
