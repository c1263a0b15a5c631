"""A group without a figure of its own is the sum of its members', where a sum has meaning, and says so."""

from dataclasses import replace
from decimal import Decimal

import pytest

from shared.query.annotated import Executed
from shared.query.answer import AnswerStatus
from shared.query.evidence import Observation, Operation
from shared.query.quantity import Period
from shared.query.readings import (
    ComparisonReading,
    DifferenceReading,
    EntityMention,
    RatioReading,
    ValueReading,
    YesNoReading,
)
from shared.query.slots import SlotKind
from shared.text.places import by_name

GDP, POP, LIFE = "NY.GDP.MKTP.CD", "SP.POP.TOTL", "SP.DYN.LE00.IN"
SCANDINAVIA = {"DNK": "424524722037.047", "NOR": "500886328034.123", "SWE": "604827393488.582"}
"""GDP (current US$) of 2024."""
BENELUX = {"BEL": "670983130618.828", "LUX": "93279851863.4062", "NLD": "1213936238063.28"}


def group(name):
    return by_name(name)


def mention(name):
    return EntityMention(text=name, status="resolved", entity=group(name))


def members(desk, named, slot, whose, cells, *, variable=GDP, year="2024", incomplete=(), measure=None, years=None):
    """Execute a slot with the members' figures of a group."""
    from shared.text.places import by_code

    desk.executed(
        slot,
        Executed(
            meaning=variable,
            measure=measure or named.measures[variable],
            response=named.response(),
            observations=tuple(
                Observation(
                    entity=by_code(code),
                    period=Period.year(int((years or {}).get(code, year))),
                    value=Decimal(digits) if digits else None,
                    missing=None if digits else "not reported",
                )
                for code, digits in cells.items()
            ),
            sum_of=group(whose),
            incomplete=incomplete,
        ),
    )


def value_of(desk, named, whose, cells, **more):
    made = desk(ValueReading(entity=mention(whose), measure=named.measure("gdp")))
    slot = made.slot(SlotKind.VALUE, "value", measure=named.measure("gdp"), entity=mention(whose))
    members(made, named, slot, whose, cells, **more)
    return made


async def test_the_total_is_a_computation_over_its_members_receipts(desk, named):
    answer = await value_of(desk, named, "Scandinavia", SCANDINAVIA).answer()
    assert answer.status is AnswerStatus.COMPLETE
    (claim,) = answer.claims
    (total,) = answer.computations
    assert (claim.entity, claim.period, claim.unit) == ("Scandinavia", "2024", "USD")
    assert claim.value == total.value == sum(map(Decimal, SCANDINAVIA.values()))
    assert claim.evidence == (total.id,)
    assert total.operation is Operation.SUM
    assert [(r.id, r.entity_code, str(r.value)) for r in answer.receipts] == [
        (cited, code, digits) for cited, (code, digits) in zip(total.inputs, SCANDINAVIA.items(), strict=True)
    ]


async def test_the_answer_says_that_it_was_added_up_and_by_whose_list(desk, named):
    answer = await value_of(desk, named, "Benelux", BENELUX).answer()
    assert "(Benelux added up from its members)" in answer.text
    told = next(note.text for note in answer.disclosures if note.kind == "members")
    assert "added up here from those of 3 members" in told
    assert "the Benelux Union's list of members (1958)" in told


async def test_a_member_without_a_figure_is_named_and_the_answer_is_a_part(desk, named):
    lacking = {**BENELUX, "LUX": None}
    made = value_of(desk, named, "Benelux", lacking, incomplete=("Neverland",))
    answer = await made.answer()
    assert answer.status is AnswerStatus.PARTIAL
    assert answer.claims[0].value == Decimal(BENELUX["BEL"]) + Decimal(BENELUX["NLD"])
    assert "lacks Luxembourg and Neverland" in answer.text
    assert "those of 2 of 4 members" in next(n.text for n in answer.disclosures if n.kind == "members")


async def test_figures_of_several_years_are_not_added_up(desk, named):
    made = value_of(desk, named, "Benelux", BENELUX, years={"LUX": "2023"})
    answer = await made.answer()
    assert answer.claims == ()
    assert "several periods (2023, 2024)" in made.reasons()


async def test_a_rate_is_not_added_up(desk, named):
    made = value_of(desk, named, "Benelux", {"BEL": "82.3", "NLD": "81.9658536585366"}, variable=LIFE)
    answer = await made.answer()
    assert answer.claims == ()
    assert "Life expectancy at birth, total (years) of a group is not the sum of its members'" in made.reasons()


async def test_what_nobody_declared_is_judged_and_without_a_judgment_not_added_up(desk, named):
    undeclared = named.measures[GDP].model_copy(update={"additive": None})
    made = value_of(desk, named, "Benelux", BENELUX, measure=undeclared)
    assert (await made.answer()).claims[0].value == sum(map(Decimal, BENELUX.values()))
    again = value_of(desk, named, "Benelux", BENELUX, measure=undeclared)
    answer = await again.answer(replace(again.context(), judges=()))
    assert answer.claims == ()
    assert "no judgment could be had" in again.reasons()


async def test_a_rate_that_nobody_declared_is_refused_by_judgment(desk, named):
    undeclared = named.measures[LIFE].model_copy(update={"additive": None})
    made = value_of(
        desk, named, "Benelux", {"BEL": "82.3", "NLD": "81.9658536585366"}, variable=LIFE, measure=undeclared
    )
    assert (await made.answer()).claims == ()
    assert "Life expectancy at birth, total (years) is not a total" in made.reasons()


PAIRED = {
    "comparison": lambda one, two, gdp: (
        ComparisonReading(entities=(one, two), measure=gdp), ("entity", "entity")
    ),
    "difference": lambda one, two, gdp: (DifferenceReading(entities=(one, two), measure=gdp), ("left", "right")),
    "ratio": lambda one, two, gdp: (
        RatioReading(
            numerator_entity=one, numerator=gdp, denominator_entity=two, denominator=gdp, as_percent=False
        ),
        ("numerator", "denominator"),
    ),
    "yes_no": lambda one, two, gdp: (YesNoReading(entity=one, measure=gdp, other=two), ("value", "other")),
}  # fmt: skip


@pytest.mark.parametrize("kind", PAIRED)
async def test_totals_are_held_against_each_other_like_any_figures(desk, named, kind):
    reading, roles = PAIRED[kind](mention("Benelux"), mention("Scandinavia"), named.measure())
    made = desk(reading)
    for role, whose, cells in zip(
        roles, ("Benelux", "Scandinavia"), (BENELUX, SCANDINAVIA), strict=True
    ):  # fmt: skip
        slot = made.slot(SlotKind.VALUE, role, measure=named.measure(), entity=mention(whose), shared_key="measure")
        members(made, named, slot, whose, cells)
    answer = await made.answer()
    assert answer.status is AnswerStatus.COMPLETE
    assert "(Benelux and Scandinavia added up from their members)" in answer.text
    totals = {claim.entity: claim.value for claim in answer.claims if claim.measure == "GDP (current US$)"}
    one, two = (sum(map(Decimal, cells.values())) for cells in (BENELUX, SCANDINAVIA))
    assert totals == {"Benelux": one, "Scandinavia": two}
    carried = {made.id for made in answer.computations} | {receipt.id for receipt in answer.receipts}
    assert all(carried.issuperset(made.inputs) for made in answer.computations)
    assert all(carried.issuperset(claim.evidence) for claim in answer.claims)
    made_of = {made.operation: made.value for made in answer.computations}
    expected = {
        "comparison": (Operation.DIFFERENCE, one - two),
        "difference": (Operation.DIFFERENCE, one - two),
        "ratio": (Operation.RATIO, Decimal("1.29273919948")),
        "yes_no": (Operation.COMPARE, True),
    }[kind]
    assert made_of[expected[0]] == expected[1]


async def test_members_are_no_figures_of_the_slot_until_they_are_added_up(desk, named):
    """A refused total leaves nothing behind that a member's figure could pass for."""
    made = value_of(desk, named, "Benelux", {"BEL": "82.3"}, variable=LIFE)
    answer = await made.answer()
    assert answer.claims == answer.receipts == ()
    assert answer.status is AnswerStatus.UNANSWERED
