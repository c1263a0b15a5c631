"""A population of one year says so where years were asked for, and an old newest figure is called one."""

from decimal import Decimal

import pytest

from functions.present.conditions import condition_words
from functions.present.orders import group
from functions.present.wording import publishers_of
from shared.query.answer import AnswerStatus
from shared.query.evidence import DisclosureKind
from shared.query.quantity import PlaceKind, Unit, UnitKind
from shared.query.readings import (
    Comparator,
    Condition,
    EntityMention,
    PeriodAsked,
    PeriodKindAsked,
    PopulationMention,
    PopulationValueReading,
    Threshold,
    ValueReading,
)
from shared.query.slots import SlotKind
from shared.text.figures import format_short

USD = Unit(kind=UnitKind.CURRENCY, code="USD", label="current US$", currency="USD")
PERCENT = Unit(kind=UnitKind.PERCENT, code="%", label="%")
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


@pytest.mark.parametrize(
    ("text", "bound", "words"),
    [
        ("population", "more than 100 million", "a population of more than 100 million"),
        ("exports", "at least $1 billion", "exports of at least $1 billion"),
        ("gdp", "over $4 trillion", "a GDP of over $4 trillion"),
        ("population", "above 100 million", "a population of more than 100 million"),
        ("population", "below 50000", "a population of less than 50,000"),
        ("gdp per capita", "above 50000", "a GDP per capita of more than 50,000"),
        ("unemployment rate", "under 3%", "an unemployment rate of under 3%"),
        ("hiv prevalence", "between 1000 and 25000", "an HIV prevalence of between 1,000 and 25,000"),
        ("urban population", "no less than 2.12345 million", "an urban population of at least 2.12345 million"),
        (
            "electricity consumption",
            "not more than 1234.5678 kWh",
            "electricity consumption of at most 1,234.5678 kWh",
        ),
        ("inflation", "less than 2%", "inflation of less than 2%"),
    ],
)
def test_a_condition_reads_naturally(named, text, bound, words):
    threshold = Threshold(comparator=Comparator.GREATER, value=Decimal(1), text=bound)
    assert condition_words(Condition(measure=named.measure(text), threshold=threshold)) == words


@pytest.mark.parametrize(
    ("unit", "bound", "words"),
    [
        (USD, "above 50000", "a GDP per capita of more than $50,000"),
        (USD, "between 500 and 1000.50", "a GDP per capita of between $500 and $1,000.50"),
        (USD, "above 50000 dollars", "a GDP per capita of more than 50,000 dollars"),
        (USD, "above €50000", "a GDP per capita of more than €50,000"),
        (PERCENT, "above 5", "a GDP per capita of more than 5"),
    ],
)
def test_a_bound_without_a_currency_takes_the_one_that_is_published(named, unit, bound, words):
    threshold = Threshold(comparator=Comparator.GREATER, value=Decimal(1), text=bound)
    assert condition_words(Condition(measure=named.measure("gdp per capita"), threshold=threshold), unit) == words


def test_thousands_of_tonnes_take_no_second_scale():
    kt = Unit(code="kt", label="kilotons", kind=UnitKind.PHYSICAL)
    assert format_short(Decimal("10291926.878"), kt) == "10,291,927 kt"


def test_publishers_take_an_article_where_they_are_bodies():
    assert publishers_of(["World Bank", "REST Countries", "World Bank"]) == "the World Bank and REST Countries"
    survey, agency = "US Census Bureau (American Community Survey 5-year estimates)", "ISO 4217 maintenance agency"
    assert publishers_of([survey, agency]) == f"the {survey} and the {agency}"


@pytest.mark.parametrize(
    ("within", "words"),
    [
        ("United States", "counties in the United States"),
        ("European Union", "counties in the European Union"),
        ("India", "counties in India"),
    ],
)
def test_a_population_is_named_with_the_article_of_what_it_lies_in(within, words):
    container = EntityMention(text=within, status="unknown")
    population = PopulationMention(member=PlaceKind.US_COUNTY, text=f"counties in {within}", container=container)
    assert group(population) == words
