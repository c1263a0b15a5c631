"""Splits are planned from the table's own tree, add up, tell their margins, and are refused where they do not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest

from plugins.uscensus.breakdowns import SplitPlan, Wanted, answer_categories, disagreement, plan_split, vintages_for
from plugins.uscensus.civilians import CivilianPlan, answer_civilians, plan_civilians
from plugins.uscensus.client import CensusClient
from plugins.uscensus.geography import Area
from plugins.uscensus.snapshot import store
from plugins.uscensus.splits import splits_of
from plugins.uscensus.splitting import bind_split, choose_split
from shared.query.annotated import EntityResolved, Executed, Selected
from shared.query.discovery import TableDocument
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.identifiers import SlotId
from shared.query.quantity import Entity, PlaceKind, UnitKind
from shared.query.readings import MeasureMention, PeriodAsked, PeriodKindAsked
from shared.query.slots import Slot, SlotKind
from shared.runtime.errors import ResponseMalformed
from shared.runtime.http import HttpRequest, HttpResponse
from tests.unit.plugins.uscensus.asked import TODAY, Publisher, asking, county, year

COOK = county("17031", "Cook County, Illinois")
TEXAS = Entity(name="Texas", kind=PlaceKind.US_STATE, keys={"fips": "48"})
US = Entity(name="United States", kind=PlaceKind.COUNTRY, keys={"iso3": "USA"})
AREAS = {"48": Area.one("state", "48"), "17031": Area.one("county", "17031"), "USA": Area.one("us", "1")}
SEX = {"B01001_001E": "100", "B01001_002E": "49", "B01001_026E": "51"}


class Tables:
    """A publisher of table B01001 with one row of Cook County in 2023, and of nothing else."""

    def __init__(self, cells: Mapping[str, str | None]) -> None:
        self.cells = cells
        self.asked: list[HttpRequest] = []

    async def send(self, request: HttpRequest) -> HttpResponse:
        self.asked.append(request)
        if "/2023/" not in request.url:
            return HttpResponse(404, b"<html><title>404</title></html>", datetime.now(UTC))
        if request.url.endswith("/groups/B01001.json"):
            listed = {name: {"label": label} for name, label in store.labels("B01001", "2023").items()}
            return HttpResponse(200, json.dumps({"variables": listed}).encode(), datetime.now(UTC))
        if "/groups/" in request.url:
            return HttpResponse(404, b"error: unknown group", datetime.now(UTC))
        columns = dict(request.params)["get"].split(",")
        row = [self.cells.get(name, "Cook County, Illinois" if name == "NAME" else None) for name in columns]
        body = [[*columns, "state", "county"], [*row, "17", "031"]]
        return HttpResponse(200, json.dumps(body).encode(), datetime.now(UTC))


def wanted(entity: Entity, publisher: Any, period: PeriodAsked | None = None) -> Wanted:
    area = AREAS[entity.keys.get("fips") or "USA"]
    return Wanted(entity, area, period or PeriodAsked(), CensusClient(publisher.send), TODAY)


async def split(
    entity: Entity, words: str, dimension: str, publisher: Any = None, period: PeriodAsked | None = None
) -> Executed | Unanswerable:
    """Plan a split and carry the plan out, as two stages do."""
    publisher = publisher or Publisher()
    asked = wanted(entity, publisher, period)
    plan = await plan_split(splits_of(words, dimension), asked)
    if isinstance(plan, Unanswerable):
        return plan
    return await answer_categories(carried_out(plan, entity, asked.area, publisher))


def carried_out(plan: SplitPlan | CivilianPlan, entity: Entity, area: Area, publisher: Any) -> Any:
    request = asking(publisher, area, kind=SlotKind.CATEGORIES, entity=entity, **plan.locator)
    parts = tuple(plan.measure("census", part) for part in plan.parts)  # type: ignore[arg-type]
    bound = request.planned.bound.model_copy(update={"measure": plan.measure("census"), "parts": parts})
    object.__setattr__(request, "planned", request.planned.model_copy(update={"bound": bound}))
    return request


async def test_sexes_of_a_county_add_up_to_its_total() -> None:
    answer = await split(COOK, "population", "sex")
    assert isinstance(answer, Executed)
    assert answer.categories == ("Male", "Female")
    assert [cell.value for cell in answer.observations] == [Decimal(2540704), Decimal(2697837)]
    assert answer.total is not None
    assert answer.total.value == Decimal(2540704) + Decimal(2697837)
    assert answer.year == 2017
    assert [part.variable for part in answer.parts] == ["B01001_002E", "B01001_026E"]


async def test_ages_of_the_nation_have_margins_of_error() -> None:
    answer = await split(US, "population", "age")
    assert isinstance(answer, Executed)
    assert len(answer.observations) == 18
    assert sum(cell.value or 0 for cell in answer.observations) == Decimal(332387540)
    (margins,) = (one.text for one in answer.disclosures if "margins of error" in one.text)
    assert "Under 5 years ±4,355" in margins


async def test_shares_have_no_total_but_their_whole() -> None:
    answer = await split(COOK, "employment", "occupation")
    assert isinstance(answer, Executed)
    assert answer.total is None
    assert answer.whole == "the civilian employed population 16 years and over"
    assert {part.unit.kind for part in answer.parts} == {UnitKind.PERCENT}
    assert abs(sum(cell.value or Decimal(0) for cell in answer.observations) - 100) <= Decimal("0.25")


async def test_a_line_with_parts_of_its_own_is_opened() -> None:
    middlesex = county("25017", "Middlesex County, Massachusetts")
    AREAS["25017"] = Area.one("county", "25017")
    answer = await split(middlesex, "population", "language")
    assert isinstance(answer, Executed)
    assert answer.categories == (
        "Speak only English", "Spanish", "Other Indo-European languages", "Asian and Pacific Island languages",
        "Other languages",
    )  # fmt: skip


async def test_an_explicit_year_is_the_year_returned_or_the_split_is_refused() -> None:
    answer = await split(COOK, "population", "sex", period=year(2017))
    assert isinstance(answer, Executed)
    assert answer.year == 2017
    refused = await split(COOK, "population", "sex", period=year(2022))
    assert isinstance(refused, Unanswerable)
    assert refused.status is FailureStatus.NO_DATA
    assert "recorded figures" in refused.reason


async def test_parts_without_figures_are_told_by_name() -> None:
    refused = await split(COOK, "population", "race")
    assert isinstance(refused, Unanswerable)
    assert "no figure of White alone" in refused.reason


async def test_planning_asks_for_the_tree_and_one_row_of_each_vintage() -> None:
    publisher = Tables(SEX)
    plan = await plan_split(splits_of("population", "sex"), wanted(COOK, publisher))
    assert isinstance(plan, SplitPlan)
    assert plan.vintage == 2023
    assert [request.url.rpartition("/data/")[2] for request in publisher.asked] == [
        "2024/acs/acs5/groups/B01001.json",
        "2023/acs/acs5/groups/B01001.json",
        "2023/acs/acs5",
    ]
    assert dict(publisher.asked[-1].params)["get"] == (
        "NAME,B01001_001E,B01001_002E,B01001_026E,B01001_001M,B01001_002M,B01001_026M"
    )


@pytest.mark.parametrize(
    ("cells", "said"),
    [
        ({"B01001_002E": "48"}, "add up to 99 and the whole is 100: some are missing"),
        ({"B01001_002E": "50"}, "add up to 101 and the whole is 100: some overlap"),
        ({"B01001_002E": "-666666666"}, "Male: too few sample observations"),
        ({"B01001_001E": "-999999999.0"}, "the total: too few sample cases"),
    ],
)
async def test_parts_that_do_not_make_up_the_total_are_no_split(cells: Mapping[str, str], said: str) -> None:
    refused = await split(COOK, "population", "sex", Tables({**SEX, **cells}))
    assert isinstance(refused, Unanswerable)
    assert said in refused.reason


async def test_figures_that_changed_since_planning_are_held_against_each_other_again() -> None:
    publisher = Tables(SEX)
    plan = await plan_split(splits_of("population", "sex"), wanted(COOK, publisher))
    assert isinstance(plan, SplitPlan)
    publisher.cells = {**SEX, "B01001_026E": "60"}
    refused = await answer_categories(carried_out(plan, COOK, AREAS["17031"], publisher))
    assert isinstance(refused, Unanswerable)
    assert refused.status is FailureStatus.NOT_COMPARABLE


@pytest.mark.parametrize(
    ("parts", "shares", "holds"),
    [
        (["33.3", "33.3", "33.3"], True, True),
        (["33.3", "33.3", "33.2"], True, False),
        (["60", "41"], True, False),
        (["60", "40"], False, True),
        (["60", "40.1"], False, False),
    ],
)
def test_shares_may_differ_by_their_rounding_alone(parts: list[str], shares: bool, holds: bool) -> None:
    wrong = disagreement(Decimal(100), [Decimal(part) for part in parts], shares=shares)
    assert (wrong is None) is holds


async def test_a_relative_year_is_counted_from_the_newest_split() -> None:
    period = PeriodAsked(kind=PeriodKindAsked.YEARS_AGO, count=2)
    refused = await plan_split(splits_of("population", "sex"), wanted(COOK, Tables(SEX), period))
    assert isinstance(refused, Unanswerable)


async def test_the_one_year_file_is_asked_for_where_it_is_named() -> None:
    publisher = Publisher()
    splits = [one.of_one_year() for one in splits_of("population", "sex")]
    refused = await plan_split(splits, wanted(COOK, publisher))
    assert isinstance(refused, Unanswerable)
    assert "1-year estimates" in refused.reason
    assert publisher.asked
    assert all("/acs/acs1" in request.url for request in publisher.asked)


def document(variable: str) -> TableDocument:
    return TableDocument(
        identifier=f"census:{variable}", source="census", variable=variable, title="Population", description="",
        queries=(), terms={},
    )  # fmt: skip


def categories(measure: str, dimension: str) -> Slot:
    return Slot(
        id=SlotId("s"), kind=SlotKind.CATEGORIES, role="parts", measure=MeasureMention(text=measure),
        dimension=dimension,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("question", "dataset"),
    [
        ("sex breakdown of Texas", "popest/agesex-civ"),
        ("sex breakdown of Texas from the American Community Survey", None),
        ("sex breakdown of Texas from the ACS 1-year estimates", None),
    ],
)
async def test_who_names_the_survey_gets_no_estimates_in_its_stead(question: str, dataset: str | None) -> None:
    slot = categories("population", "sex")
    selected = choose_split(slot, [document("B01003_001E")], question)
    assert isinstance(selected, Selected)
    bound = await bind_split(
        slot,
        selected,
        EntityResolved(entity=TEXAS, expression="state:48"),
        own=("census", "1"),
        client=CensusClient(Publisher().send),
        today=TODAY,
    )
    if dataset is None:
        assert isinstance(bound, Unanswerable)
    else:
        assert isinstance(bound, list)
        assert [one.locator["dataset"] for one in bound] == [dataset]


@pytest.mark.parametrize(
    ("measure", "dimension", "question", "told"),
    [
        ("poverty rate", "sex", "poverty rate by sex in Texas", "a rate is not made up of parts"),
        ("gdp", "industry", "gdp by industry in Texas", "those that are: total population by age"),
    ],
)
def test_what_has_no_parts_is_not_split(measure: str, dimension: str, question: str, told: str) -> None:
    refused = choose_split(categories(measure, dimension), [document("B01003_001E")], question)
    assert isinstance(refused, Unanswerable)
    assert told in refused.reason


def test_a_range_is_tried_from_its_newest_year() -> None:
    period = PeriodAsked(kind=PeriodKindAsked.RANGE, start=2015, end=2018)
    assert vintages_for("acs5", period, TODAY) == [2018, 2017, 2016, 2015]


@pytest.mark.parametrize(
    ("dimension", "count", "first"), [("sex", 2, Decimal(14640144)), ("age", 86, Decimal(360323))]
)
async def test_civilians_of_a_state_add_up_by_age_and_sex(dimension: str, count: int, first: Decimal) -> None:
    publisher = Publisher()
    asked = wanted(TEXAS, publisher)
    plan = await plan_civilians(dimension, asked)
    assert isinstance(plan, CivilianPlan)
    assert (plan.vintage, plan.year) == (2021, 2021)
    answer = await answer_civilians(carried_out(plan, TEXAS, asked.area, publisher))
    assert isinstance(answer, Executed)
    assert len(answer.observations) == count
    assert answer.observations[0].value == first
    assert answer.total is not None
    assert answer.total.value == Decimal(29408883)
    assert "armed forces" in " ".join(one.text for one in answer.disclosures)
    assert answer.response.publisher == "US Census Bureau (Population Estimates Program)"


@pytest.mark.parametrize(("asked_year", "vintage"), [(2010, 2019), (2015, 2019), (2020, 2021), (2021, 2021)])
async def test_civilians_of_a_year_come_from_the_newest_file_of_its_decade(asked_year: int, vintage: int) -> None:
    plan = await plan_civilians("sex", wanted(TEXAS, Publisher(), year(asked_year)))
    assert isinstance(plan, CivilianPlan)
    assert (plan.vintage, plan.year) == (vintage, asked_year)


@pytest.mark.parametrize("asked_year", [2009, 2013, 2023])
async def test_civilians_of_a_year_that_no_file_has_are_refused(asked_year: int) -> None:
    refused = await plan_civilians("sex", wanted(TEXAS, Publisher(), year(asked_year)))
    assert isinstance(refused, Unanswerable)
    assert str(asked_year) in refused.reason


async def test_a_file_that_says_letters_for_people_is_malformed() -> None:
    async def send(request: HttpRequest) -> HttpResponse:
        text = b"SUMLEV,STATE,NAME,SEX,AGE,POPEST2025_CIV\n040,48,Texas,0,999,many\n"
        return HttpResponse(200, text, datetime.now(UTC))

    asked = Wanted(TEXAS, AREAS["48"], PeriodAsked(), CensusClient(send), TODAY)
    with pytest.raises(ResponseMalformed, match="many"):
        await plan_civilians("sex", asked)
