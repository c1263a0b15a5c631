"""Members ordered by the change of each between two years, on published figures of 2000 and 2020."""

from decimal import Decimal

import pytest

from shared.query.answer import AnswerStatus
from shared.query.evidence import Operation
from shared.query.readings import ChangeRankingReading, Direction, Movement, PeriodAsked, PeriodKindAsked
from shared.query.slots import SlotKind

PEOPLE, JOBLESS = "SP.POP.TOTL", "SL.UEM.TOTL.ZS"
SPAN = PeriodAsked(kind=PeriodKindAsked.RANGE, start=2000, end=2020, text="from 2000 to 2020")
BEFORE = {"FRA": "100", "IND": "1000", "ITA": "50", "JPN": "200", "CHE": "10"}
AFTER = {"FRA": "110", "IND": "1300", "ITA": "45", "JPN": "195", "DEU": "80"}


def changing(desk, named, *, of=PEOPLE, before=BEFORE, after=AFTER, words="population", period=SPAN, **more):
    measure = named.measure(words)
    reading = ChangeRankingReading(population=named.countries(), measure=measure, period=period, **more)
    made = desk(reading)
    for role, year, figures in (("before", "2000", before), ("after", "2020", after)):
        asked = PeriodAsked(kind=PeriodKindAsked.YEAR, start=int(year))
        slot = made.slot(
            SlotKind.POPULATION,
            role,
            measure=measure,
            population=named.countries(),
            period=asked,
            shared_key="measure",
        )
        if figures:
            made.figures(slot, of, {(code, year): digits for code, digits in figures.items()})
    return made


def order(answer, of="change in "):
    return [
        (claim.entity, claim.value) for claim in answer.claims if claim.measure and claim.measure.startswith(of)
    ]


async def test_the_largest_rises_come_first_and_only_what_rose_is_a_rise(desk, named):
    answer = await changing(desk, named, movement=Movement.RISE).answer()
    assert answer.status is AnswerStatus.COMPLETE
    assert order(answer) == [("India", Decimal(300)), ("France", Decimal(10))]


async def test_a_decline_is_ordered_by_its_size_and_no_rise_is_one(desk, named):
    answer = await changing(desk, named, movement=Movement.FALL).answer()
    assert [name for name, _ in order(answer)] == ["Italy", "Japan"]


async def test_the_smallest_of_the_rises(desk, named):
    answer = await changing(desk, named, movement=Movement.RISE, direction=Direction.LOWEST).answer()
    assert [name for name, _ in order(answer)] == ["France", "India"]


async def test_relative_orders_by_percent_and_says_so(desk, named):
    before, after = {"FRA": "100", "IND": "1000"}, {"FRA": "150", "IND": "1300"}
    made = changing(desk, named, before=before, after=after, movement=Movement.RISE, relative=True)
    answer = await made.answer()
    assert order(answer, "percent change in ") == [("France", Decimal(50)), ("India", Decimal(30))]
    assert "relative rise" in answer.text
    assert any("in percent of the first figure" in one.text for one in answer.disclosures)


async def test_without_a_direction_the_change_of_every_member_is_told(desk, named):
    answer = await changing(desk, named, movement=Movement.EITHER, direction=None).answer()
    assert [name for name, _ in order(answer)] == ["India", "France", "Italy", "Japan"]
    assert "a rise of 300" in answer.text
    assert "a fall of 5 in Italy" in answer.text or "a fall of 5 in Japan" in answer.text


async def test_members_without_both_years_are_left_out_by_name_and_number(desk, named):
    answer = await changing(desk, named, movement=Movement.RISE).answer()
    told = next(one.text for one in answer.disclosures if "left out" in one.text)
    assert "4 members have a figure of both 2000 and 2020; 2 have not" in told
    assert "Germany" in told
    assert "Switzerland" in told
    assert not {"Germany", "Switzerland"} & {claim.entity for claim in answer.claims}


async def test_each_change_is_computed_of_the_two_receipts_that_the_answer_carries(desk, named):
    answer = await changing(desk, named, movement=Movement.RISE).answer()
    carried = {receipt.id: receipt for receipt in answer.receipts}
    made = [one for one in answer.computations if one.operation is Operation.DIFFERENCE]
    assert len(made) == 2
    for one in made:
        last, first = (carried[cited] for cited in one.inputs)
        assert (first.period, last.period, first.entity) == ("2000", "2020", last.entity)
        assert one.value == Decimal(str(last.value)) - Decimal(str(first.value))


async def test_where_nothing_moved_that_way_nobody_is_named(desk, named):
    before, after = {"FRA": "100", "IND": "1000"}, {"FRA": "150", "IND": "1300"}
    answer = await changing(desk, named, before=before, after=after, movement=Movement.FALL).answer()
    assert answer.status is AnswerStatus.UNANSWERED
    assert "none of the 2 members with a figure of both 2000 and 2020 fell" in answer.text


async def test_shares_change_by_percentage_points_also_where_a_percentage_is_asked_for(desk, named):
    made = changing(
        desk, named, of=JOBLESS, words="unemployment rate", before={"FRA": "10", "ITA": "2"},
        after={"FRA": "12", "ITA": "3"}, movement=Movement.RISE, relative=True,
    )  # fmt: skip
    answer = await made.answer()
    assert [name for name, _ in order(answer)] == ["France", "Italy"]
    assert all(one.operation is Operation.DIFFERENCE for one in answer.computations)
    assert "2 percentage points" in answer.text
    assert any("a percentage of percentages would mislead" in one.text for one in answer.disclosures)


async def test_a_year_without_figures_makes_no_change(desk, named):
    answer = await changing(desk, named, before={}, movement=Movement.RISE).answer()
    assert answer.status is AnswerStatus.UNANSWERED
    assert order(answer) == []


async def test_a_span_that_nobody_named_is_told(desk, named):
    period = PeriodAsked(kind=PeriodKindAsked.LAST_YEARS, count=10)
    answer = await changing(desk, named, period=period, movement=Movement.RISE).answer()
    assert any("no span of years was named" in one.text for one in answer.disclosures)


@pytest.mark.parametrize(("count", "names"), [(1, ["India"]), (2, ["India", "France"])])
async def test_as_many_as_are_asked_for(desk, named, count, names):
    answer = await changing(desk, named, movement=Movement.RISE, count=count).answer()
    assert [name for name, _ in order(answer)] == names
