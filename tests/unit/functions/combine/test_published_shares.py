"""Parts that are published as shares make up 100% of a stated whole, and the answer says of what."""

from decimal import Decimal

import pytest

from shared.query.evidence import Measure
from shared.query.quantity import Unit, UnitKind
from shared.query.readings import BreakdownReading, Direction
from shared.query.slots import SlotKind


def shares(desk, named, *values, unit=None, reading=None, period="2024"):
    """World Bank: population of India by age, 2024, in percent of the total population."""
    made = desk(reading or BreakdownReading(entity=named.mention("IND"), measure=named.measure(), dimension="age"))
    slot = made.slot(SlotKind.CATEGORIES, "categories", measure=named.measure(), entity=named.mention("IND"))
    unit = unit or Unit(
        kind=UnitKind.PERCENT, code="%", label="percent of total population", per="total population"
    )
    names = ("ages 0-14", "ages 15-64", "ages 65 and above")
    codes = ("SP.POP.0014.TO.ZS", "SP.POP.1564.TO.ZS", "SP.POP.65UP.TO.ZS")
    parts = tuple(
        Measure(source="worldbank", variable=code, name=f"Population {name} (% of total population)", unit=unit)
        for code, name in zip(codes, names, strict=True)
    )
    whole = Measure(source="worldbank", variable=";".join(codes), name="Population by age", unit=unit)
    made.figures(slot, whole.variable, {("IND", period): values[0]}, measure=whole, categories=names)
    executed = made._executed[-1].payload
    cells = tuple(executed.observations[0].model_copy(update={"value": Decimal(value)}) for value in values)
    served = executed.model_copy(
        update={"observations": cells, "parts": parts, "whole": "the total population",
                "part_pages": tuple(f"https://data.worldbank.org/indicator/{code}" for code in codes)}
    )  # fmt: skip
    made._executed[-1] = made._executed[-1].model_copy(update={"payload": served})
    return made


INDIA_BY_AGE = ("24.6239027058366", "68.2295801537644", "7.14651714039908")


async def test_published_shares_are_held_against_a_hundred_percent(desk, named):
    (combined,) = await shares(desk, named, *INDIA_BY_AGE).combined()
    (made,) = combined.computations
    assert (made.operation, made.value, made.unit) == ("sum", Decimal("100.00000000000008"), "%")
    assert len(made.inputs) == 3
    assert [row.index for row in combined.rows] == [0, 1, 2]


@pytest.mark.parametrize(
    "values", [("24.6239027058366", "65.4", "7.14651714039908"), ("24.6239027058366", "71.4", "7.14651714039908")]
)
async def test_published_shares_that_do_not_make_up_the_whole_are_refused(desk, named, values):
    made = shares(desk, named, *values)
    assert await made.combined() == []
    assert "and not to 100%: they overlap or some are missing" in made.reasons()


async def test_parts_that_are_no_shares_need_a_published_total(desk, named):
    made = shares(desk, named, "20", "70", "10", unit=Unit(kind=UnitKind.COUNT, code="people", label="people"))
    assert await made.combined() == []
    assert "no shares and have no published total" in made.reasons()


async def test_an_order_shows_some_shares_after_all_were_checked(desk, named):
    reading = BreakdownReading(
        entity=named.mention("IND"), measure=named.measure(), dimension="age",
        direction=Direction.HIGHEST, count=2,
    )  # fmt: skip
    (combined,) = await shares(desk, named, *INDIA_BY_AGE, reading=reading).combined()
    assert [row.index for row in combined.rows] == [1, 0]
    assert len(combined.computations[0].inputs) == 3


async def test_an_answer_of_shares_says_of_what_and_what_they_add_up_to(desk, named):
    answer = await shares(desk, named, *INDIA_BY_AGE).answer()
    assert answer.status == "complete"
    assert answer.text == (
        "India's population by age in 2024: ages 0-14 24.6%; ages 15-64 68.2%; ages 65 and above 7.1%, according "
        "to the World Bank. The parts are shares of the total population and add up to 100%."
    )
    assert [claim.measure for claim in answer.claims] == [
        "Population ages 0-14 (% of total population)",
        "Population ages 15-64 (% of total population)",
        "Population ages 65 and above (% of total population)",
        "Population by age: sum of all parts",
    ]
    assert [str(claim.value) for claim in answer.claims] == [*INDIA_BY_AGE, "100.00000000000008"]
    assert [receipt.page_url for receipt in answer.receipts] == [
        f"https://data.worldbank.org/indicator/{receipt.variable}" for receipt in answer.receipts
    ]
    assert answer.charts[0].spec["encoding"]["x"]["title"] == "Share of the total population (%)"
    assert answer.table is not None
    assert answer.table.rows[-1] == ("All parts", "100.00000000000008")
