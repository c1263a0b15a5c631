from decimal import Decimal

from shared.query.annotated import Executed
from shared.query.answer import AnswerStatus
from shared.query.evidence import FailureStatus, Observation
from shared.query.quantity import Period, Unit, UnitKind
from shared.query.readings import (
    ComparisonReading,
    ItemListReading,
    RankingReading,
    TrendReading,
    ValueReading,
)
from shared.query.slots import SlotKind

GDP, REAL, GROWTH = "NY.GDP.MKTP.CD", "NY.GDP.MKTP.KD", "NY.GDP.MKTP.KD.ZG"


def india_gdp(desk, named, **options):
    made = desk(ValueReading(entity=named.mention("IND"), measure=named.measure("gdp")), **options)
    slot = made.slot(SlotKind.VALUE, "value", measure=named.measure("gdp"), entity=named.mention("IND"))
    made.figures(slot, GDP, {("IND", "2025"): "3956067115771.63"})
    made.figures(slot, GROWTH, {("IND", "2025"): "7.56666179284244"})
    return made


async def test_a_value_leads_with_its_first_meaning_and_labels_the_others(desk, named):
    answer = await india_gdp(desk, named).answer()
    assert answer.status is AnswerStatus.COMPLETE
    assert answer.text.startswith(
        "India's GDP (current US$) was $3.96 trillion in 2025, according to the World Bank."
    )
    assert "GDP growth (annual %), 7.6% (2025)" in answer.text
    first, second = answer.claims
    assert first.value == Decimal("3956067115771.63")
    assert (first.unit, first.entity, first.entity_code, first.period) == ("USD", "India", "IND", "2025")
    assert first.measure == "GDP (current US$)"
    assert first.evidence == (answer.receipts[0].id,)
    assert second.value == Decimal("7.56666179284244")
    assert [option.assumptions for option in answer.alternatives] == [{"measure": GROWTH}]
    kinds = {disclosure.kind for disclosure in answer.disclosures}
    assert {"meaning", "snapshot", "period"} <= kinds
    assert answer.charts == ()


async def test_asking_withholds_the_answer_and_offers_the_values(desk, named):
    answer = await india_gdp(desk, named, on_ambiguity="ask").answer()
    assert answer.status is AnswerStatus.NEEDS_CLARIFICATION
    assert answer.claims == ()
    assert [option.value for option in answer.clarification.options] == [
        Decimal("3956067115771.63"),
        Decimal("7.56666179284244"),
    ]
    assert answer.clarification.options[0].assumptions == {"measure": GDP}


async def test_all_gives_each_meaning_a_sentence(desk, named):
    answer = await india_gdp(desk, named, on_ambiguity="all").answer()
    assert "India's GDP growth (annual %) was 7.6% in 2025, according to the World Bank." in answer.text


async def test_meanings_with_one_value_are_one_answer_and_nothing_is_asked(desk, named):
    made = desk(ValueReading(entity=named.mention("IND"), measure=named.measure("gdp")), on_ambiguity="ask")
    slot = made.slot(SlotKind.VALUE, "value", measure=named.measure("gdp"), entity=named.mention("IND"))
    made.figures(slot, GDP, {("IND", "2025"): "3956067115771.63"})
    made.figures(slot, GDP, {("IND", "2025"): "3956067115771.63"}, meaning="GDP.ALIAS")
    answer = await made.answer()
    assert answer.status is AnswerStatus.COMPLETE
    assert answer.clarification is None


async def test_one_meaning_lacking_a_value_makes_the_answer_partial(desk, named):
    made = india_gdp(desk, named)
    made.choose("slot:1", GDP, REAL, GROWTH)
    made.fail(FailureStatus.NO_DATA, "GDP (constant 2015 US$) has no figure for India", slot="slot:1")
    answer = await made.answer()
    assert answer.status is AnswerStatus.PARTIAL
    assert "only a part of the answer" in answer.text


async def test_a_comparison_orders_and_tells_the_difference(desk, named):
    made = desk(ComparisonReading(entities=(named.mention("IND"), named.mention("CHN")), measure=named.measure()))
    for code, digits in (("IND", "3956067115771.63"), ("CHN", "19498039388042.6")):
        slot = made.slot(
            SlotKind.VALUE, "entity", measure=named.measure(), entity=named.mention(code), shared_key="measure"
        )
        made.figures(slot, GDP, {(code, "2025"): digits})
    answer = await made.answer()
    assert answer.status is AnswerStatus.COMPLETE
    assert answer.text.startswith(
        "China had the higher GDP (current US$) in 2025: $19.5 trillion, against $3.96 trillion in India"
    )
    assert answer.computations[0].value == Decimal("15541972272270.97")
    assert [claim.entity for claim in answer.claims[:2]] == ["China", "India"]
    assert answer.charts[0].spec["mark"]["type"] == "bar"


async def test_a_ranking_claims_those_shown_in_order(desk, named):
    made = desk(RankingReading(population=named.countries(), measure=named.measure(), count=2))
    slot = made.slot(SlotKind.POPULATION, "population", measure=named.measure(), population=named.countries())
    cells = {
        ("IND", "2025"): "3956067115771.63",
        ("CHN", "2025"): "19498039388042.6",
        ("USA", "2025"): "30769700000000",
        ("ERI", "2025"): None,
    }
    made.figures(slot, GDP, cells)
    answer = await made.answer()
    assert answer.status is AnswerStatus.COMPLETE
    assert [claim.entity for claim in answer.claims] == ["United States", "China"]
    assert len(answer.receipts) == 2
    assert answer.text == (
        "The United States had the highest GDP (current US$) among the 3 of 4 countries that report it in 2025, "
        "$30.77 trillion, followed by China ($19.5 trillion), according to the World Bank."
    )
    assert answer.table.columns[0] == "Rank"
    assert any("Eritrea" in disclosure.text for disclosure in answer.disclosures)


async def test_a_trend_tells_first_last_and_change(desk, named):
    made = desk(TrendReading(entities=(named.mention("IND"),), measure=named.measure()))
    slot = made.slot(SlotKind.SERIES, "series", measure=named.measure(), entity=named.mention("IND"))
    made.figures(
        slot,
        GDP,
        {
            ("IND", "2022"): "3249938492013.47",
            ("IND", "2023"): "3500906030644.76",
            ("IND", "2024"): "3760813470500.86",
        },
    )
    answer = await made.answer()
    assert answer.status is AnswerStatus.COMPLETE
    assert answer.text.startswith(
        "India's GDP (current US$) rose from $3.25 trillion in 2022 to $3.76 trillion in 2024 (+15.72%)"
    )
    assert answer.computations[0].value == Decimal("510874978487.39")
    assert answer.charts[0].spec["mark"]["type"] == "line"
    assert len(answer.receipts) == 3


async def test_a_list_names_every_member_and_counts_them(desk, named):
    reading = ItemListReading(relation="borders", population=named.countries(), entity=named.mention("NPL"))
    made = desk(reading)
    slot = made.slot(
        SlotKind.MEMBERS,
        "members",
        relation="borders",
        population=named.countries(),
        entity=named.mention("NPL"),
    )
    words = Unit(kind=UnitKind.NONE, code="", label="")
    measure = named.measures[GDP].model_copy(update={"variable": "borders", "name": "land borders", "unit": words})
    made.executed(
        slot,
        Executed(
            meaning="borders",
            measure=measure,
            response=named.response(),
            observations=tuple(
                Observation(entity=named.country(code), period=Period.undated(), flag=True)
                for code in ("IND", "CHN")
            ),
        ),
    )
    answer = await made.answer()
    assert answer.status is AnswerStatus.COMPLETE
    assert answer.text == "Nepal borders 2 countries: China and India, according to the World Bank."
    assert [claim.entity for claim in answer.claims][:2] == ["China", "India"]
    assert answer.claims[-1].value == 2


async def test_all_meanings_of_a_ranking_are_told_when_all_are_asked_for(desk, named):
    made = desk(RankingReading(population=named.countries(), measure=named.measure(), count=1), on_ambiguity="all")
    slot = made.slot(SlotKind.POPULATION, "population", measure=named.measure(), population=named.countries())
    made.figures(slot, GDP, {("IND", "2025"): "3956067115771.63", ("CHN", "2025"): "19498039388042.6"})
    made.figures(slot, GROWTH, {("IND", "2025"): "7.56666179284244", ("CHN", "2025"): "4.95994886240992"})
    answer = await made.answer()
    assert [(claim.entity, claim.unit) for claim in answer.claims] == [("China", "USD"), ("India", "%")]
    assert "India had the highest GDP growth (annual %) among countries in 2025, 7.6%" in answer.text


async def test_charts_are_valid_vega_lite_with_titles_units_and_a_description(desk, named):
    made = desk(TrendReading(entities=(named.mention("IND"),), measure=named.measure()))
    slot = made.slot(SlotKind.SERIES, "series", measure=named.measure(), entity=named.mention("IND"))
    made.figures(slot, GDP, {("IND", "2023"): "3500906030644.76", ("IND", "2024"): "3760813470500.86"})
    (chart,) = (await made.answer()).charts
    assert chart.title == "India: GDP (current US$), 2023 to 2024"
    assert chart.spec["description"] == chart.description
    assert chart.spec["encoding"]["y"]["title"] == "GDP (current US$)"
    assert chart.spec["data"]["values"][0] == {"entity": "India", "period": "2023", "value": 3500906030644.76}
