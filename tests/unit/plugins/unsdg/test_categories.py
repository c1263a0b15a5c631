"""Series split by sex, age or place: counts make up their total or nothing is told, rates stand side by side."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from plugins.unsdg.categories import APART
from shared.query.annotated import Executed
from shared.query.evidence import DisclosureKind, FailureStatus, Unanswerable
from shared.query.quantity import UnitKind
from shared.query.readings import PeriodAsked
from shared.query.slots import SlotKind
from tests.unit.plugins.nearest import nearest
from tests.unit.plugins.unsdg.test_plugin import PLUGIN, answers, context, documents, place, slot, year

Rows = list[dict[str, Any]]


async def split(
    measure: str, by: str, whom: str, *variables: str, period: PeriodAsked | None = None, change: Any = None
) -> Executed:
    found = await told(measure, by, whom, *variables, period=period, change=change)
    assert isinstance(found, Executed), found
    return found


async def told(
    measure: str, by: str, whom: str, *variables: str, period: PeriodAsked | None = None, change: Any = None
) -> Executed | Unanswerable:
    asked = slot(
        measure, SlotKind.CATEGORIES, entity=place(whom), dimension=by, **({"period": period} if period else {})
    )
    run = context(change)
    offered = (
        [documents()[variable] for variable in variables]
        if variables
        else nearest(documents().values(), asked.measure.text if asked.measure else asked.describes)
    )
    question = f"{measure} by {by}"
    selected = await PLUGIN.choose(asked, offered, question=question, context=run)
    if isinstance(selected, Unanswerable):
        return selected
    resolved = await PLUGIN.resolve(asked, selected, question=question, context=run)
    assert not isinstance(resolved, Unanswerable)
    bound = await PLUGIN.bind(asked, selected, resolved, context=run)
    if isinstance(bound, Unanswerable):
        return bound
    (found,) = await answers(asked, *variables, change=change, question=question)
    return found


# Series, dimension, place, year, the parts and the figure of all, as the package of 2020-10-19 has them.
Split = tuple[str, str, str, int, dict[str, str], str | None]
SPLITS: list[Split] = [
    ("unemployment rate", "age", "Kenya", 2016, {"ages 15 to 24": "7.36", "ages 25 and over": "1.56"}, "2.76"),
    ("unemployment rate", "sex", "Kenya", 2016, {"female": "2.94", "male": "2.58"}, "2.76"),
    (
        "access to electricity", "urban and rural", "Kenya", 2017,
        {"rural areas": "57.57048", "urban areas": "81.06641"}, "63.81147",
    ),
    ("under-5 mortality rate", "gender", "India", 2019, {"female": "34.9", "male": "33.7"}, "34.3"),
    ("suicide mortality rate", "sex", "Japan", 2016, {"female": "11.4", "male": "26"}, "18.5"),
    ("working poverty rate", "sex", "India", 2012, {"female": "21.6", "male": "19.1"}, "19.6"),
    ("NEET rate", "sex", "Egypt", 2017, {"female": "35", "male": "19.6"}, "26.9"),
    ("homicide rate", "sex", "Brazil", 2018, {"female": "4.32648", "male": "51.21688"}, None),
]  # fmt: skip


@pytest.mark.parametrize("case", SPLITS)
async def test_rates_of_groups_are_told_as_published(case: Split) -> None:
    measure, by, whom, when, parts, whole = case
    found = await split(measure, by, whom)
    assert dict(zip(found.categories, (str(c.value) for c in found.observations), strict=True)) == parts
    assert {cell.period.text for cell in found.observations} == {str(when)}
    assert (str(found.total.value) if found.total else None) == whole
    assert found.apart == APART
    assert [part.variable for part in found.parts] == [
        f"{found.measure.variable}.{part.variable.rpartition('.')[2]}" for part in found.parts
    ]
    assert any("nature of the figures" in note.text for note in found.disclosures)


async def test_the_year_asked_for_is_the_year_told() -> None:
    found = await split("under-5 mortality rate", "sex", "India", period=year(2000))
    assert {cell.period.text for cell in found.observations} == {"2000"}
    refused = await told("unemployment rate", "age", "Kenya", period=year(2009))
    assert isinstance(refused, Unanswerable)
    assert (
        "no two groups of Unemployment rate (%) for Kenya in 2009; it has figures of them for 2016"
        in refused.reason
    )


async def test_groups_that_overlap_with_those_told_are_named() -> None:
    found = await split("HIV incidence", "age", "South Africa")
    assert found.categories == ("under 15 years", "ages 15 to 49", "ages 50 and over")
    (note,) = [one.text for one in found.disclosures if one.kind is DisclosureKind.COVERAGE]
    assert "also has ages 15 to 24, which overlap" in note


@pytest.mark.parametrize(
    ("measure", "by", "whom", "reason"),
    [
        ("unemployment rate", "race", "Kenya", "is split for Kenya by age and sex only"),
        ("prevalence of undernourishment", "sex", "Chad", "is not split for Chad"),
        ("women in managerial positions", "sex", "France", "is not split for France"),
    ],
)
async def test_a_split_that_is_not_published_is_refused_with_those_that_are(
    measure: str, by: str, whom: str, reason: str
) -> None:
    refused = await told(measure, by, whom)
    assert isinstance(refused, Unanswerable)
    assert refused.status is FailureStatus.NOT_COVERED
    assert reason in refused.reason


def seats(*counts: tuple[str, str | int]) -> Callable[[Rows], Rows]:
    """The seats in parliament of one year by sex, made of a published row of women's seats."""

    def change(rows: Rows) -> Rows:
        newest = rows[-1]
        return [
            {**newest, "dimensions": {**newest["dimensions"], "Sex": sex}, "value": str(n)} for sex, n in counts
        ]

    return change


async def test_counts_that_add_up_are_parts_of_their_total() -> None:
    change = seats(("FEMALE", 40), ("MALE", 61), ("BOTHSEX", 100))
    found = await split("number of women in parliament", "sex", "Kenya", "SG_GEN_PARLN", change=change)
    assert found.measure.unit.kind is UnitKind.COUNT
    assert found.apart == ""
    assert [str(cell.value) for cell in found.observations] == ["40", "61"]
    assert found.total is not None
    assert str(found.total.value) == "100"


@pytest.mark.parametrize(
    ("counts", "reason"),
    [
        ((("FEMALE", 40), ("MALE", 50), ("BOTHSEX", 100)), "add up to 90 in"),
        ((("FEMALE", 40), ("MALE", 80), ("BOTHSEX", 100)), "they overlap or some are missing"),
        ((("FEMALE", 40), ("MALE", 60)), "has no total of"),
    ],
)
async def test_counts_that_are_no_parts_of_a_total_are_not_told(counts: Any, reason: str) -> None:
    found = await told("number of women in parliament", "sex", "Kenya", "SG_GEN_PARLN", change=seats(*counts))
    assert isinstance(found, Unanswerable)
    assert reason in found.reason


async def test_a_bound_stays_a_bound_and_nothing_published_is_no_group() -> None:
    def change(rows: Rows) -> Rows:
        values = {"FEMALE": "<2.5", "MALE": ">95", "BOTHSEX": "NaN"}
        newest = [row for row in rows if row["timePeriodStart"] == rows[-1]["timePeriodStart"]]
        return [{**row, "value": values[row["dimensions"]["Sex"]]} for row in newest]

    found = await split("suicide mortality rate", "sex", "Japan", change=change)
    assert [(cell.value, cell.text) for cell in found.observations] == [(None, "below 2.5"), (None, "above 95")]
    assert found.total is None


async def test_a_group_without_a_figure_of_the_year_is_missing_and_named() -> None:
    def change(rows: Rows) -> Rows:
        return [
            {**row, "value": "" if row["dimensions"]["Age"] == "<15Y" else row["value"]}
            if int(float(row["timePeriodStart"])) == 2018
            else row
            for row in rows
            if int(float(row["timePeriodStart"])) >= 2018
        ]

    def more(rows: Rows) -> Rows:
        # A year in which only one group is published, so that all three are known to the plan.
        youngest = {"Age": "<15Y", "Sex": "BOTHSEX"}
        old = [{**row, "timePeriodStart": 2010.0} for row in rows if row["dimensions"] == youngest]
        return [*change(rows), *old[:1]]

    found = await split("HIV incidence", "age", "South Africa", change=more)
    assert found.categories == ("ages 15 to 49", "ages 50 and over")
    assert found.incomplete == ("under 15 years",)


async def test_a_second_dimension_without_a_total_is_told_and_nothing_is_picked() -> None:
    found = await told("ICT skills", "sex", "Germany", "SE_ADT_ACTS")
    assert isinstance(found, Unanswerable)
    assert found.status is FailureStatus.AMBIGUOUS
    assert "no total over Type of skill" in found.reason
