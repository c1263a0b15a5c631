"""Statistics of businesses: one industry, the totals of all else, and flags that withhold a figure."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest

from plugins.uscensus.answers import answer_value
from plugins.uscensus.business import columns_of, industry_in, predicates
from plugins.uscensus.geography import Area
from plugins.uscensus.markers import WITHHELD
from plugins.uscensus.measures import Address
from plugins.uscensus.populations import answer_population
from plugins.uscensus.vintages import PROGRAMS, candidates
from shared.query.annotated import Executed
from shared.query.discovery import TableDocument
from shared.query.evidence import Unanswerable
from shared.query.readings import PeriodAsked
from shared.query.slots import SlotKind
from tests.unit.plugins.uscensus.asked import Body, Publisher, asking, county, year

HARRIS = county("48201", "Harris County, Texas")
HERE = Area.one("county", "48201")
EMPLOYEES = TableDocument(
    identifier="census:EMP",
    source="census",
    variable="EMP",
    title="Employees of business establishments",
    description="",
    queries=("employees of businesses",),
    terms={"program": "cbp", "dataset": "cbp", "unit": "employees", "unitKind": "count"},
)


def body(*rows: tuple[str, str, str | None], noise: str = "0") -> Body:
    """Rows of counties: code, cell, flag; the predicates stand as columns, as the API echoes them."""
    header: list[str | None] = [
        "NAME", "EMP", "EMP_F", "EMP_N", "NAICS2017", "LFO", "EMPSZES", "state", "county",
    ]  # fmt: skip
    return [
        header,
        *(
            [f"County {fips}", cell, flag, noise, "31-33", "001", "001", fips[:2], fips[2:]]
            for fips, cell, flag in rows
        ),
    ]


CBP: dict[str, Any] = {"dataset": "cbp", "program": "cbp", "variable": "EMP", "industry": "31-33"}


async def test_one_industry_is_asked_for_and_every_other_dimension_in_total() -> None:
    publisher = Publisher({2022: body(("48201", "182345", None))})
    request = asking(publisher, HERE, entity=HARRIS, period=year(2022), **CBP)
    answer = await answer_value(request)
    assert isinstance(answer, Executed)
    assert answer.observations[0].value == Decimal(182345)
    assert answer.response.requests[0].url == (
        "https://api.census.gov/data/2022/cbp?get=NAME,EMP,EMP_F,EMP_N&for=county:201&in=state:48"
        "&NAICS2017=31-33&LFO=001&EMPSZES=001"
    )
    assert answer.response.publisher == "US Census Bureau (County Business Patterns)"


@pytest.mark.parametrize("flag", sorted(WITHHELD))
async def test_a_flag_that_withholds_is_the_reason_and_its_zero_is_no_figure(flag: str) -> None:
    publisher = Publisher({2022: body(("48201", "0", flag))})
    answer = await answer_value(asking(publisher, HERE, entity=HARRIS, period=year(2022), **CBP))
    assert isinstance(answer, Unanswerable)
    assert WITHHELD[flag] in answer.reason


async def test_a_letter_in_place_of_a_number_withholds_too() -> None:
    publisher = Publisher({2022: body(("48201", "D", None))})
    answer = await answer_value(asking(publisher, HERE, entity=HARRIS, period=year(2022), **CBP))
    assert isinstance(answer, Unanswerable)
    assert "withheld to avoid disclosing data of individual companies" in answer.reason


async def test_withheld_counties_are_missing_among_the_members() -> None:
    rows = [(f"440{code:02}", str(code), None) for code in (1, 3, 5, 7)]
    publisher = Publisher({2022: body(*rows, ("44009", "0", "D"))})
    request = asking(publisher, Area.inside("county", "44"), kind=SlotKind.POPULATION, period=year(2022), **CBP)
    answer = await answer_population(request)
    assert isinstance(answer, Executed)
    assert [(cell.entity.code, cell.value) for cell in answer.observations if cell.missing] == [("44009", None)]
    assert "flag D" in " ".join(one.text for one in answer.disclosures)


@pytest.mark.parametrize(
    ("program", "vintage", "column"),
    [
        ("cbp", 2022, "NAICS2017"),
        ("abs", 2021, "NAICS2017"),
        ("abs", 2022, "NAICS2022"),
        ("ecn", 2017, "NAICS2017"),
    ],
)
def test_the_classification_is_that_of_the_vintage(program: str, vintage: int, column: str) -> None:
    assert predicates(program, vintage, "00")[0] == (column, "00")


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("How many manufacturing establishments are there?", "31-33"),
        ("number of restaurants in Texas", "7225"),
        ("health care employment", "62"),
        ("retail stores", "44-45"),
    ],
)
def test_an_industry_is_read_from_the_words(text: str, code: str) -> None:
    assert (industry_in(text) or ("", ""))[0] == code
    assert industry_in("How many businesses are there?") is None


def test_without_an_industry_all_of_them_are_meant() -> None:
    assert Address.of(EMPLOYEES).industry == "00"
    assert Address.read(Address.of(EMPLOYEES, industry="23").locator).industry == "23"


def test_the_newest_vintages_that_may_be_out() -> None:
    assert PROGRAMS["cbp"].newest(date(2026, 11, 30)) == 2024
    assert PROGRAMS["acs1"].newest(date(2026, 8, 1)) == 2024
    assert PROGRAMS["acs5"].newest(date(2026, 12, 20)) == 2025
    assert candidates(PROGRAMS["ecn"], PeriodAsked(), date(2026, 11, 30)) == [2022, 2017]


def test_a_count_of_establishments_is_never_withheld_and_has_no_flag() -> None:
    assert columns_of("cbp", "ESTAB") == ["ESTAB"]
    assert columns_of("cbp", "EMP") == ["EMP", "EMP_F", "EMP_N"]
    assert columns_of("abs", "FIRMPDEMP") == ["FIRMPDEMP", "FIRMPDEMP_F", "FIRMPDEMP_S"]
    assert columns_of("ecn", "ESTAB") == ["ESTAB", "ESTAB_F"]


@pytest.mark.parametrize(
    ("noise", "said"),
    [
        ("1", "less than 2 percent"),
        ("G", "less than 2 percent"),
        ("H", "2 to 5 percent"),
        ("3", "5 percent or more"),
    ],
)
async def test_noise_that_protects_companies_is_told_and_leaves_the_figure(noise: str, said: str) -> None:
    publisher = Publisher({2022: body(("48201", "182345", None), noise=noise)})
    answer = await answer_value(asking(publisher, HERE, entity=HARRIS, period=year(2022), **CBP))
    assert isinstance(answer, Executed)
    assert answer.observations[0].value == Decimal(182345)
    assert said in " ".join(one.text for one in answer.disclosures)


async def test_noise_among_members_is_counted() -> None:
    rows = [(f"440{code:02}", str(code), None) for code in (1, 3, 5, 7, 9)]
    publisher = Publisher({2022: body(*rows, noise="J")})
    request = asking(publisher, Area.inside("county", "44"), kind=SlotKind.POPULATION, period=year(2022), **CBP)
    answer = await answer_population(request)
    assert isinstance(answer, Executed)
    said = " ".join(one.text for one in answer.disclosures)
    assert "was changed by 5 percent or more to protect companies (high noise): 5 of 5" in said


@pytest.mark.parametrize(("flag", "said"), [("r", "is revised"), ("s", "sampling error above 40 percent")])
async def test_a_flag_that_leaves_the_figure_is_told(flag: str, said: str) -> None:
    publisher = Publisher({2022: body(("48201", "12", flag))})
    answer = await answer_value(asking(publisher, HERE, entity=HARRIS, period=year(2022), **CBP))
    assert isinstance(answer, Executed)
    assert said in " ".join(one.text for one in answer.disclosures)


async def test_an_unknown_flag_beside_a_zero_withholds() -> None:
    publisher = Publisher({2022: body(("48201", "0", "k"))})
    answer = await answer_value(asking(publisher, HERE, entity=HARRIS, period=year(2022), **CBP))
    assert isinstance(answer, Unanswerable)
    assert "withheld (flag k)" in answer.reason


async def test_the_relative_standard_error_of_the_business_survey_is_told() -> None:
    header: list[str | None] = [
        "NAME", "FIRMPDEMP", "FIRMPDEMP_F", "FIRMPDEMP_S", "NAICS2022", "SEX", "state", "county",
    ]  # fmt: skip
    row: list[str | None] = ["Harris County, Texas", "98765", None, "1.4", "00", "001", "48", "201"]
    abs_of = {"dataset": "abscs", "program": "abs", "variable": "FIRMPDEMP", "industry": "00"}
    publisher = Publisher({2022: [header, row]})
    answer = await answer_value(asking(publisher, HERE, entity=HARRIS, period=year(2022), **abs_of))
    assert isinstance(answer, Executed)
    assert "relative standard error of 1.4%" in " ".join(one.text for one in answer.disclosures)
    (sent,) = publisher.asked
    assert ("NAICS2022", "00") in sent.params
    assert {("SEX", "001"), ("ETH_GROUP", "001"), ("RACE_GROUP", "001"), ("VET_GROUP", "001")} <= set(sent.params)
