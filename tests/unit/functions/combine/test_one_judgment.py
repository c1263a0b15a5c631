"""All pairs of a reading are judged at once, and each composition stands or falls by its own verdict."""

from dataclasses import replace

import pytest

from functions.combine.builtin_rules import comparable_figures
from functions.combine.likeness import MOST_PAIRS
from functions.combine.tasks import COMPARABLE_FIGURES, ComparableReply, ComparableRequest
from shared.models.tasks import validated
from shared.query.readings import (
    Comparator,
    ComparisonReading,
    Condition,
    DifferenceReading,
    Direction,
    FilteredListReading,
    RatioReading,
    YesNoReading,
)
from shared.query.slots import SlotKind

GDP, REAL, PCAP = "NY.GDP.MKTP.CD", "NY.GDP.MKTP.KD", "NY.GDP.PCAP.CD"
CODES = (
    "IND",
    "CHN",
    "USA",
    "FRA",
    "DEU",
    "JPN",
    "NPL",
    "BTN",
    "KEN",
    "NGA",
    "ERI",
    "ITA",
    "BRA",
    "CAN",
    "GBR",
    "CUB",
    "CHE",
)
MEANINGS = (GDP, REAL, PCAP)


class Judging:
    """Judges as the built-in rules do, but for what ``change`` does to a reply, and keeps the requests."""

    name = "judging"

    def __init__(self, change=lambda verdicts: verdicts):
        self.requests, self._change = [], change

    def can(self, task):
        return task.name == COMPARABLE_FIGURES.name

    async def ask(self, task, request, context, *, hint=None):
        self.requests.append(request)
        reply = await comparable_figures(request, context)
        return reply.model_copy(update={"verdicts": self._change(dict(reply.verdicts))})


READINGS = {
    "difference": (
        lambda named, both: DifferenceReading(entities=both, measure=named.measure()),
        ("left", "right"),
    ),
    "comparison": (
        lambda named, both: ComparisonReading(entities=both, measure=named.measure(), direction=Direction.HIGHEST),
        ("entity", "entity"),
    ),
    "ratio": (
        lambda named, both: RatioReading(
            numerator_entity=both[0],
            numerator=named.measure(),
            denominator_entity=both[1],
            denominator=named.measure(),
        ),
        ("numerator", "denominator"),
    ),
    "yes_no": (
        lambda named, both: YesNoReading(
            entity=both[0], measure=named.measure(), comparator=Comparator.GREATER, other=both[1]
        ),
        ("value", "other"),
    ),
}


def of_three_meanings(desk, named, kind):
    reading, roles = READINGS[kind]
    made = desk(reading(named, (named.mention("CHN"), named.mention("IND"))))
    for role, code, digits in zip(roles, ("CHN", "IND"), ("900", "300"), strict=True):
        slot = made.slot(
            SlotKind.VALUE, role, measure=named.measure(), entity=named.mention(code), shared_key="measure"
        )
        for variable in MEANINGS:
            made.figures(slot, variable, {(code, "2024"): digits})
    return made


@pytest.mark.parametrize("kind", READINGS)
async def test_the_meanings_of_a_reading_cost_one_judgment(desk, named, kind):
    made, judge = of_three_meanings(desk, named, kind), Judging()
    combined = await made.combined(replace(made.context(), judges=(judge,)))
    assert len(combined) == 3
    (request,) = judge.requests
    assert [pair.id for pair in request.pairs] == ["pair:1", "pair:2", "pair:3"]
    assert [pair.right.variable for pair in request.pairs] == list(MEANINGS)


@pytest.mark.parametrize("kind", READINGS)
@pytest.mark.parametrize("verdict", ["not_comparable", "unknown", None])
async def test_a_pair_without_a_clear_yes_is_not_composed_and_the_others_are(desk, named, kind, verdict):
    def change(verdicts):
        kept = {pair: said for pair, said in verdicts.items() if pair != "pair:2"}
        return kept if verdict is None else {**kept, "pair:2": verdict}

    made = of_three_meanings(desk, named, kind)
    combined = await made.combined(replace(made.context(), judges=(Judging(change),)))
    assert [one.meaning for one in combined] == [GDP, PCAP]
    assert ("not like for like" if verdict == "not_comparable" else "could not be judged") in made.reasons()


def pairs(count):
    figure = {
        "entity": "A", "source": "s", "variable": "v", "measure": "m", "definition": "", "unit": "people",
        "period": "2024", "period_kind": "year", "vintage": None, "basis": "",
    }  # fmt: skip
    return ComparableRequest.model_validate(
        {"question": "?", "pairs": [{"id": f"pair:{n + 1}", "left": figure, "right": figure} for n in range(count)]}
    )


@pytest.mark.parametrize(
    ("verdicts", "accepted"),
    [
        ({"pair:1": "comparable", "pair:2": "unknown"}, True),
        ({"pair:2": "comparable"}, True),
        ({}, False),
        ({"pair:1": "comparable", "pair:3": "comparable"}, False),
    ],
)
def test_only_pairs_on_offer_are_judged_and_one_at_least(verdicts, accepted):
    reason = validated(COMPARABLE_FIGURES, pairs(2), ComparableReply(verdicts=verdicts))
    assert (reason is None) is accepted


async def test_more_pairs_than_one_judgment_takes_are_judged_in_several(desk, named):
    variables = (*MEANINGS, "SP.POP.TOTL")
    reading = ComparisonReading(entities=tuple(map(named.mention, CODES)), measure=named.measure())
    made, judge = desk(reading), Judging()
    for n, code in enumerate(CODES):
        slot = made.slot(
            SlotKind.VALUE, "entity", measure=named.measure(), entity=named.mention(code), shared_key="measure"
        )
        for variable in variables:
            made.figures(slot, variable, {(code, "2024"): str(100 + n)})
    combined = await made.combined(replace(made.context(), judges=(judge,)))
    assert [len(one.rows) for one in combined] == [len(CODES)] * len(variables)
    more = len(variables) * (len(CODES) - 1) - MOST_PAIRS
    assert [len(request.pairs) for request in judge.requests] == [MOST_PAIRS, more]
    assert len({pair.id for request in judge.requests for pair in request.pairs}) == MOST_PAIRS + more


async def test_conditions_held_against_another_entity_are_judged_together(desk, named):
    conditions = tuple(
        Condition(measure=named.measure(), comparator=Comparator.LESS, reference=named.mention(code))
        for code in ("CHN", "JPN")
    )
    made, judge = desk(FilteredListReading(population=named.countries(), conditions=conditions)), Judging()
    for n, (code, variables) in enumerate((("CHN", MEANINGS), ("JPN", ("SP.POP.TOTL",)))):
        key = f"condition:{n + 1}"
        members = made.slot(
            SlotKind.POPULATION, "condition", measure=named.measure(), population=named.countries(), shared_key=key
        )
        other = made.slot(
            SlotKind.VALUE, "reference", measure=named.measure(), entity=named.mention(code), shared_key=key
        )
        for variable in variables:
            made.figures(members, variable, {("IND", "2024"): "300", (code, "2024"): "900"})
            made.figures(other, variable, {(code, "2024"): "900"})
    combined = await made.combined(replace(made.context(), judges=(judge,)))
    assert [[row.meaning for row in one.rows] for one in combined] == [[one, "SP.POP.TOTL"] for one in MEANINGS]
    (request,) = judge.requests
    assert len(request.pairs) == 4
