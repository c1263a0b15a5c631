"""Figures of groups that make up no whole stand side by side: no share, no sum, and the answer says so."""

from decimal import Decimal

import pytest

from shared.query.answer import AnswerStatus
from shared.query.evidence import FailureStatus
from shared.query.readings import BreakdownReading, Direction
from shared.query.slots import SlotKind

UNEMPLOYMENT = "SL.UEM.TOTL.ZS"
WHY = "each is a rate of its own people"


def groups(desk, named, *values, total="2.76", reading=None, periods=("2016", "2016"), names=("young", "old")):
    """Unemployment of Kenya by age, 2016; a value that is no number is a bound in words."""
    mention = named.mention("KEN")
    made = desk(reading or BreakdownReading(entity=mention, measure=named.measure(), dimension="age"))
    slot = made.slot(SlotKind.CATEGORIES, "categories", measure=named.measure(), entity=mention)
    made.figures(slot, UNEMPLOYMENT, {("KEN", periods[0]): "1"}, categories=names, total=total)
    executed = made._executed[-1].payload
    (one,) = executed.observations
    cells = []
    for value, period in zip(values, periods, strict=False):
        own = {"value": Decimal(value), "text": None} if value[:1].isdigit() else {"value": None, "text": value}
        cells.append(one.model_copy(update={**own, "period": one.period.model_copy(update={"text": period})}))
    served = executed.model_copy(update={"observations": tuple(cells), "apart": WHY})
    made._executed[-1] = made._executed[-1].model_copy(update={"payload": served})
    return made


async def test_groups_are_told_with_the_figure_of_all_and_nothing_is_computed(desk, named):
    made = groups(desk, named, "7.36", "1.56")
    answer = await made.answer()
    assert answer.status is AnswerStatus.COMPLETE
    assert answer.computations == ()
    assert [str(claim.value) for claim in answer.claims] == ["7.36", "1.56", "2.76"]
    assert "(2.8% of labor force in all): young 7.4% of labor force; old 1.6% of labor force" in answer.text
    assert "do not add up" in answer.text
    assert any(WHY in note.text for note in answer.disclosures)
    assert answer.table.rows == (("young", "7.36"), ("old", "1.56"), ("All", "2.76"))


async def test_groups_without_a_figure_of_all_are_told_too(desk, named):
    answer = await groups(desk, named, "7.36", "1.56", total=None).answer()
    assert answer.status is AnswerStatus.COMPLETE
    assert "in all" not in answer.text
    assert [row[0] for row in answer.table.rows] == ["young", "old"]


@pytest.mark.parametrize(
    ("direction", "count", "shown"),
    [(Direction.HIGHEST, None, ["7.36", "1.56"]), (Direction.LOWEST, 1, ["1.56"]), (None, 1, ["7.36"])],
)
async def test_an_order_or_a_count_chooses_what_is_shown(desk, named, direction, count, shown):
    reading = BreakdownReading(
        entity=named.mention("KEN"), measure=named.measure(), dimension="age", direction=direction, count=count
    )
    (combined,) = await groups(desk, named, "1.56", "7.36", reading=reading).combined()
    cells = [("1.56", "7.36")[row.index] for row in combined.rows if row.index >= 0]
    assert cells == shown
    assert combined.tested == 2


async def test_a_bound_stands_in_words_after_the_numbers_and_is_not_drawn(desk, named):
    answer = await groups(desk, named, "below 2.5%", "7.36").answer()
    assert answer.table.rows[:2] == (("old", "7.36"), ("young", "below 2.5%"))
    assert answer.charts == ()
    assert [claim.value for claim in answer.claims][:2] == [Decimal("7.36"), "below 2.5%"]


async def test_one_group_alone_and_groups_of_two_years_are_refused(desk, named):
    alone = groups(desk, named, "7.36")
    assert await alone.combined() == []
    assert "has no two groups" in alone.reasons()
    apart = groups(desk, named, "7.36", "1.56", periods=("2016", "2015"), total=None)
    assert await apart.combined() == []
    assert apart.query.failures()[0].status is FailureStatus.NOT_COMPARABLE
    assert "different periods" in apart.reasons()
