"""That there is nobody is an answer where the source says so, cited to what says it."""

import pytest

from shared.query.annotated import Executed
from shared.query.answer import AnswerStatus
from shared.query.evidence import Observation
from shared.query.quantity import Period, Unit, UnitKind
from shared.query.readings import AggregateOperation, AggregateReading, ItemListReading
from shared.query.slots import SlotKind

WORDS = Unit(kind=UnitKind.NONE, code="", label="")


def laid_out(desk, named, reading):
    made = desk(reading)
    slot = made.slot(
        SlotKind.MEMBERS, "members", relation="borders", population=named.countries(), entity=named.mention("JPN")
    )
    measure = named.measures["SP.POP.TOTL"].model_copy(
        update={"variable": "borders", "name": "land borders", "unit": WORDS}
    )
    none = Observation(entity=named.country("JPN"), period=Period.undated(), text="none")
    made.executed(
        slot,
        Executed(meaning="borders", measure=measure, response=named.response(), observations=(), empty=none),
    )
    return made


def readings(named):
    return {
        "item_list": ItemListReading(relation="borders", population=named.countries(), entity=named.mention("JPN")),
        "aggregate": AggregateReading(operation=AggregateOperation.COUNT, population=named.countries()),
    }


async def test_none_is_a_complete_answer_cited_to_the_record(desk, named):
    answer = await laid_out(desk, named, readings(named)["item_list"]).answer()
    assert answer.status is AnswerStatus.COMPLETE
    assert answer.text == "None: Japan borders no countries, according to the World Bank."
    (receipt,) = answer.receipts
    assert receipt.value == "none"
    said, count = answer.claims
    assert (said.entity, said.value, said.evidence) == ("Japan", "none", (receipt.id,))
    assert count.value == 0


@pytest.mark.parametrize("kind", ["item_list", "aggregate"])
async def test_the_count_of_nobody_rests_on_the_statement(desk, named, kind):
    answer = await laid_out(desk, named, readings(named)[kind]).answer()
    assert answer.status is AnswerStatus.COMPLETE
    (count,) = answer.computations
    assert count.value == 0
    assert count.inputs == (answer.receipts[0].id,)
