"""Members held against another entity's figure, on published figures of 2024."""

from dataclasses import replace
from decimal import Decimal

import pytest

from shared.query.answer import AnswerStatus
from shared.query.evidence import Operation
from shared.query.readings import AggregateOperation, AggregateReading, Comparator, Condition, FilteredListReading
from shared.query.slots import SlotKind

LIFE, GDP = "SP.DYN.LE00.IN", "NY.GDP.MKTP.CD"
YEARS = {
    "JPN": "84.0363414634146",
    "FRA": "82.9804878048781",
    "IND": "72.235",
    "ITA": "83.9512195121951",
    "CHE": "84.4073170731707",
}
JAPAN = YEARS["JPN"]


def condition(named, comparator=Comparator.GREATER, code="JPN"):
    return Condition(measure=named.measure("life expectancy"), reference=named.mention(code), comparator=comparator)


def laid_out(desk, named, made, *, year="2024", of=LIFE, figure=JAPAN, members=YEARS):
    measure = named.measure("life expectancy")
    slot = made.slot(
        SlotKind.POPULATION,
        "condition",
        measure=measure,
        population=named.countries(),
        shared_key="condition:1",
    )
    made.figures(slot, LIFE, {(code, "2024"): digits for code, digits in members.items()})
    other = made.slot(
        SlotKind.VALUE, "reference", measure=measure, entity=named.mention("JPN"), shared_key="condition:1"
    )
    if figure is not None:
        made.figures(other, of, {("JPN", year): figure})
    return made


def filtered(desk, named, comparator=Comparator.GREATER, **more):
    reading = FilteredListReading(population=named.countries(), conditions=(condition(named, comparator),))
    return laid_out(desk, named, desk(reading), **more)


@pytest.mark.parametrize(
    ("comparator", "expected"),
    [
        (Comparator.GREATER, ["Switzerland"]),
        (Comparator.AT_LEAST, ["Switzerland"]),
        (Comparator.LESS, ["Italy", "France", "India"]),
        (Comparator.EQUAL, []),
    ],
)
async def test_members_are_held_against_the_reference_which_is_none_of_them(desk, named, comparator, expected):
    answer = await filtered(desk, named, comparator).answer()
    assert answer.status is AnswerStatus.COMPLETE
    years = [c for c in answer.claims if c.measure == "Life expectancy at birth, total (years)"]
    assert [c.entity for c in years if c.entity != "Japan"] == expected
    count = next(made for made in answer.computations if made.operation is Operation.COUNT)
    assert count.value == len(expected)


async def test_the_references_figure_is_claimed_and_counted_among_the_evidence(desk, named):
    answer = await filtered(desk, named).answer()
    japan = next(claim for claim in answer.claims if claim.entity == "Japan")
    assert japan.value == Decimal(JAPAN)
    (count,) = answer.computations
    assert set(japan.evidence) <= set(count.inputs)
    assert "Japan (84.0363414634146)" in count.formula
    assert "1 of the countries had life expectancy higher than Japan's in 2024: Switzerland" in answer.text
    assert "Japan's life expectancy at birth was 84.04 years in 2024." in answer.text


async def test_a_count_over_members_holds_them_against_the_reference(desk, named):
    reading = AggregateReading(
        operation=AggregateOperation.COUNT,
        population=named.countries(),
        conditions=(condition(named, Comparator.LESS),),
    )
    answer = await laid_out(desk, named, desk(reading)).answer()
    assert answer.status is AnswerStatus.COMPLETE
    assert answer.computations[0].value == 3


async def test_a_reference_without_a_figure_tests_nobody(desk, named):
    made = filtered(desk, named, figure=None)
    answer = await made.answer()
    assert answer.status is AnswerStatus.UNANSWERED
    assert "has no figure for Japan to hold the others against" in made.reasons()


async def test_figures_of_different_years_are_not_held_against_each_other(desk, named):
    made = filtered(desk, named, year="2023", figure="84.0412195121951")
    assert (await made.answer()).claims[0].entity == "Japan"
    assert "they are not of one period" in made.reasons()


async def test_figures_of_another_variable_are_no_reference(desk, named):
    made = filtered(desk, named, of=GDP, figure="4190008188358.57")
    assert await made.combined() == []


async def test_nobody_is_tested_without_a_like_for_like_judgment(desk, named):
    made = filtered(desk, named)
    assert await made.combined(replace(made.context(), judges=())) == []
    assert "no judgment could be had" in made.reasons()


async def test_a_reference_that_the_population_lacks_is_no_untested_member(desk, named):
    members = {code: digits for code, digits in YEARS.items() if code != "JPN"} | {"JPN": None}
    answer = await filtered(desk, named, members=members).answer()
    assert not any("could not be" in note.text for note in answer.disclosures)
