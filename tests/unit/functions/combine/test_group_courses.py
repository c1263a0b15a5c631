"""The course of a group over time is added up year by year, of the same members in every year."""

from decimal import Decimal

import pytest

from shared.query.annotated import Executed
from shared.query.answer import AnswerStatus
from shared.query.evidence import Observation, Operation
from shared.query.quantity import Period
from shared.query.readings import EntityMention, TrendReading
from shared.query.slots import SlotKind
from shared.text.places import by_code, by_name

PEOPLE, LIFE = "SP.POP.TOTL", "SP.DYN.LE00.IN"
BENELUX = {
    "2022": {"BEL": "11685814", "LUX": "653103", "NLD": "17700982"},
    "2023": {"BEL": "11787423", "LUX": "666430", "NLD": "17879488"},
    "2024": {"BEL": "11876844", "LUX": "677717", "NLD": "17994237"},
}


def course(desk, named, figures, *, variable=PEOPLE, incomplete=(), group="Benelux"):
    mention = EntityMention(text=group, status="resolved", entity=by_name(group))
    made = desk(TrendReading(entities=(mention,), measure=named.measure("population")))
    slot = made.slot(SlotKind.SERIES, "series", measure=named.measure("population"), entity=mention)
    made.executed(
        slot,
        Executed(
            meaning=variable,
            measure=named.measures[variable],
            response=named.response(),
            observations=tuple(
                Observation(entity=by_code(code), period=Period.year(int(year)), value=Decimal(digits))
                for year, members in figures.items()
                for code, digits in members.items()
            ),
            sum_of=by_name(group),
            incomplete=incomplete,
        ),
    )
    return made


def total(year):
    return sum(map(Decimal, BENELUX[year].values()))


async def test_each_year_is_a_sum_over_its_members_receipts(desk, named):
    answer = await course(desk, named, BENELUX).answer()
    assert answer.status is AnswerStatus.COMPLETE
    sums = [one for one in answer.computations if one.operation is Operation.SUM]
    assert {one.id.rpartition(":")[2]: one.value for one in sums} == {year: total(year) for year in BENELUX}
    receipts = {str(receipt.id): receipt for receipt in answer.receipts}
    for made in sums:
        year = made.id.rpartition(":")[2]
        assert {receipts[cited].entity_code: str(receipts[cited].value) for cited in made.inputs} == BENELUX[year]
        assert {receipts[cited].period for cited in made.inputs} == {year}
    figures = {
        claim.period: claim for claim in answer.claims if claim.entity == "Benelux" and claim.unit == "people"
    }
    assert {year: figures[year].value for year in BENELUX} == {year: total(year) for year in BENELUX}
    assert {figures[year].evidence for year in BENELUX} == {(one.id,) for one in sums}


async def test_the_change_is_computed_from_the_sums(desk, named):
    answer = await course(desk, named, BENELUX).answer()
    change = next(one for one in answer.computations if one.operation is Operation.DIFFERENCE)
    assert change.value == total("2024") - total("2022")
    assert "Benelux added up from its members" in answer.text


async def test_the_answer_says_that_the_members_are_the_same_throughout(desk, named):
    answer = await course(desk, named, BENELUX).answer()
    (note,) = [one.text for one in answer.disclosures if one.kind == "members"]
    assert "from those of 3 members, which belong to it by" in note
    assert note.endswith("; the members are the same in every year")


async def test_a_year_that_a_member_lacks_is_told_and_the_answer_is_a_part(desk, named):
    made = course(desk, named, BENELUX, incomplete=("2021",))
    answer = await made.answer()
    assert answer.status is AnswerStatus.PARTIAL
    assert "not for 2021" in made.notes()


async def test_years_of_different_members_make_no_course(desk, named):
    without = {**BENELUX, "2023": {"BEL": "11787423", "NLD": "17879488"}}
    made = course(desk, named, without)
    answer = await made.answer()
    assert answer.claims == ()
    assert "Luxembourg: no figure in every year (2023)" in made.reasons()


async def test_a_rate_has_no_course_of_a_group(desk, named):
    made = course(desk, named, BENELUX, variable=LIFE)
    answer = await made.answer()
    assert answer.claims == ()
    assert "of a group is not the sum of its members'" in made.reasons()


@pytest.mark.parametrize("years", [("2024",)])
async def test_one_year_shows_no_movement(desk, named, years):
    made = course(desk, named, {year: BENELUX[year] for year in years})
    assert (await made.answer()).status is not AnswerStatus.COMPLETE
    assert "shows no movement" in made.reasons()
