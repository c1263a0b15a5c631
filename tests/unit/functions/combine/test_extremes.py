"""The highest or lowest of a course, with every year that has it, on published figures."""

from decimal import Decimal

import pytest

from shared.query.answer import AnswerStatus
from shared.query.evidence import Operation
from shared.query.readings import Direction, PeriodAsked, PeriodKindAsked, TrendReading
from shared.query.slots import SlotKind

JOBLESS = "SL.UEM.TOTL.ZS"
SINCE = PeriodAsked(kind=PeriodKindAsked.SINCE, start=2000, text="since 2000")
RATES = {"2000": "7.9", "2001": "3.1", "2002": "11.2", "2003": "3.1"}


def course(desk, named, extreme):
    measure = named.measure("unemployment rate")
    mention = named.mention("FRA")
    made = desk(TrendReading(entities=(mention,), measure=measure, period=SINCE, extreme=extreme))
    slot = made.slot(SlotKind.SERIES, "series", measure=measure, entity=mention, period=SINCE, shared_key="measure")
    made.figures(slot, JOBLESS, {("FRA", year): rate for year, rate in RATES.items()})
    return made


@pytest.mark.parametrize(
    ("extreme", "operation", "said"),
    [
        (Direction.LOWEST, Operation.MINIMUM, "was lowest in 2001 and 2003, at 3.1%"),
        (Direction.HIGHEST, Operation.MAXIMUM, "was highest in 2002, at 11.2%"),
    ],
)
async def test_the_end_is_told_with_its_years_and_rests_on_every_figure(desk, named, extreme, operation, said):
    answer = await course(desk, named, extreme).answer()
    assert answer.status is AnswerStatus.COMPLETE
    assert said in answer.text
    assert "rose" not in answer.text
    made = next(one for one in answer.computations if one.operation is operation)
    assert made.value == (min if extreme is Direction.LOWEST else max)(map(Decimal, RATES.values()))
    assert set(made.inputs) == {receipt.id for receipt in answer.receipts}
    assert len(made.inputs) == len(RATES)


async def test_without_an_end_the_course_is_told(desk, named):
    answer = await course(desk, named, None).answer()
    assert "fell from 7.9%" in answer.text
    assert {one.operation for one in answer.computations} == {Operation.DIFFERENCE}
