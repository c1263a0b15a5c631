"""Figures of a population narrowed to whom another source lists."""

from decimal import Decimal

from shared.query.annotated import Executed
from shared.query.answer import AnswerStatus
from shared.query.evidence import Observation
from shared.query.quantity import Period, Unit, UnitKind
from shared.query.readings import AggregateOperation, AggregateReading, RankingReading
from shared.query.slots import FILTER, SlotKind

POP = "SP.POP.TOTL"
PEOPLE = {"IND": "1463865525", "NPL": "29618118", "BTN": "796682", "CHN": "1406585000", "ERI": None}
"""Of 2025."""


def laid_out(desk, named, reading, listed, *, empty=False, served=True):
    made = desk(reading)
    landlocked = named.countries("landlocked countries").model_copy(update={"fact_filter": "landlocked"})
    figures = made.slot(
        SlotKind.POPULATION,
        "members" if isinstance(reading, AggregateReading) else "population",
        measure=named.measure("population"),
        population=named.countries("landlocked countries"),
    )
    made.figures(figures, POP, {(code, "2025"): digits for code, digits in PEOPLE.items()})
    fact = made.slot(SlotKind.MEMBERS, FILTER, relation="members", population=landlocked)
    words = Unit(kind=UnitKind.NONE, code="", label="")
    measure = named.measures[POP].model_copy(update={"variable": "landlocked", "name": "landlocked", "unit": words})
    cells = tuple(Observation(entity=named.country(code), period=Period.undated(), flag=True) for code in listed)
    if served:
        none = Observation(entity=named.country("WLD"), period=Period.undated(), text="none")
        made.executed(
            fact,
            Executed(
                meaning="membership",
                measure=measure,
                response=named.response(),
                observations=cells,
                empty=none if empty else None,
            ),
        )
    return made


def ranking(named):
    return RankingReading(population=named.countries("landlocked countries"), measure=named.measure("population"))


async def test_only_those_on_the_list_are_ranked(desk, named):
    answer = await laid_out(desk, named, ranking(named), ["BTN", "NPL"]).answer()
    assert answer.status is AnswerStatus.COMPLETE
    assert [claim.entity for claim in answer.claims] == ["Nepal", "Bhutan"]
    nepal = answer.claims[0]
    assert nepal.value == Decimal(PEOPLE["NPL"])
    receipt = next(one for one in answer.receipts if one.id == nepal.evidence[0])
    assert receipt.entity == "Nepal"


async def test_the_total_is_of_those_on_the_list(desk, named):
    reading = AggregateReading(
        operation=AggregateOperation.SUM,
        population=named.countries("landlocked countries"),
        measure=named.measure("population"),
    )
    answer = await laid_out(desk, named, reading, ["BTN", "NPL"]).answer()
    assert answer.computations[0].value == Decimal(PEOPLE["NPL"]) + Decimal(PEOPLE["BTN"])


async def test_only_who_is_on_the_list_is_named_as_missing(desk, named):
    made = laid_out(desk, named, ranking(named), ["BTN", "NPL", "ERI"])
    await made.combined()
    assert "1 have none and are left out: Eritrea" in made.notes()
    made = laid_out(desk, named, ranking(named), ["BTN", "NPL"])
    await made.combined()
    assert "Eritrea" not in made.notes()


async def test_without_the_list_there_are_no_figures(desk, named):
    answer = await laid_out(desk, named, ranking(named), [], served=False).answer()
    assert answer.status is AnswerStatus.UNANSWERED
    assert answer.claims == ()


async def test_a_list_of_nobody_leaves_nobody_to_rank(desk, named):
    made = laid_out(desk, named, ranking(named), [], empty=True)
    answer = await made.answer()
    assert answer.claims == ()
    assert "the World Bank lists nobody as landlocked countries" in made.reasons()
