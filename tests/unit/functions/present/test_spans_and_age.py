"""A population of one year says so where years were asked for, and an old newest figure is called one."""

from shared.query.answer import AnswerStatus
from shared.query.evidence import DisclosureKind
from shared.query.readings import PeriodAsked, PeriodKindAsked, PopulationValueReading, ValueReading
from shared.query.slots import SlotKind

GDP = "NY.GDP.MKTP.CD"
SINCE_2000 = PeriodAsked(kind=PeriodKindAsked.SINCE, start=2000, text="since 2000")


async def test_a_population_over_a_span_is_a_part_and_names_the_year_shown(desk, named):
    made = desk(PopulationValueReading(population=named.countries(), measure=named.measure(), period=SINCE_2000))
    slot = made.slot(
        SlotKind.POPULATION, "population", measure=named.measure(), population=named.countries(), period=SINCE_2000
    )
    made.figures(slot, GDP, {("IND", "2025"): "3956067115771.63", ("CHN", "2025"): "19498039388042.6"})
    answer = await made.answer()
    assert answer.status is AnswerStatus.PARTIAL
    assert "of the years asked for (since 2000), only 2025 is shown" in answer.text
    told = [one.text for one in answer.disclosures if one.kind is DisclosureKind.PERIOD]
    assert any("only 2025 is shown" in text for text in told)


async def test_an_old_newest_figure_is_called_the_newest_in_the_sentence(desk, named):
    made = desk(ValueReading(entity=named.mention("IND"), measure=named.measure()))
    slot = made.slot(SlotKind.VALUE, "value", measure=named.measure(), entity=named.mention("IND"))
    made.figures(slot, GDP, {("IND", "2014"): "2039126479154.6"})
    answer = await made.answer()
    assert "in 2014, the newest figure published here, according to the World Bank." in answer.text
