"""What a question says and its reading cannot hold is refused, never dropped."""

import re
from datetime import date

import pytest

from functions.understand.completeness import left_out
from functions.understand.reader import read
from shared.query.readings import ValueReading
from shared.runtime.errors import CannotRead

TODAY = date(2026, 1, 1)


def missing(question: str) -> str | None:
    """Why the question is refused, by the reader or for what its reading leaves out."""
    try:
        reading = read(question, today=TODAY).readings[0]
    except CannotRead as error:
        return str(error)
    return left_out(question, reading)


@pytest.mark.parametrize(
    "question",
    [
        "top 5 countries not in Asia by population in 2020",
        "which countries are not low income",
        "countries in Asia except China with the highest GDP",
        "countries with population not between 1 million and 1 billion",
        "is the GDP of India not higher than China in 2020",
        "life expectancy outside Japan",
        "Which countries have no army?",
        "GDP of India not from the World Bank",
        "world birth rate other than Germany",
        "Which European countries are not in NATO?",
    ],
)
def test_a_negation_is_refused(question: str) -> None:
    assert missing(question) is not None


@pytest.mark.parametrize(
    "question",
    [
        "What is the GDP of the most populous country in Africa?",
        "life expectancy in the richest country",
        "What is the population of the poorest country in Asia?",
    ],
)
def test_a_question_within_a_question_is_refused(question: str) -> None:
    assert missing(question) is not None


@pytest.mark.parametrize(
    "question",
    [
        "has unemployment in Spain ever exceeded 25%",
        "Did inflation in Turkey exceed 50% since 2015",
        "countries with inflation over 100% since 2015",
        "average GDP of EU countries between 2010 and 2020",
        "did India's GDP grow faster than China's between 2010 and 2020",
    ],
)
def test_a_span_is_not_answered_by_one_of_its_years(question: str) -> None:
    assert missing(question) is not None


@pytest.mark.parametrize(
    "question",
    [
        "inflation of Turkey in December 2022",
        "GDP of France in Q3 2020",
        "unemployment rate of US in April 2020",
    ],
)
def test_a_part_of_a_year_is_not_answered_by_the_year(question: str) -> None:
    assert "whole years only" in str(missing(question))


@pytest.mark.parametrize(
    "question",
    [
        "does France border Spain and Italy",
        "countries in Africa or Asia with GDP over 1 trillion in 2020",
        "OECD countries in Asia by GDP per capita",
        "EU countries and the UK by GDP",
        "exports of Germany to France",
        "refugees from Syria 2015",
        "exports of China to the United States",
        "What is India's rank by GDP in 2020?",
        "top 10% of countries by GDP",
    ],
)
def test_a_second_place_a_flow_and_a_rank_are_refused(question: str) -> None:
    assert missing(question) is not None


@pytest.mark.parametrize(
    "question",
    [
        "What is India's GDP?",
        "countries with no more than 100,000 people in 2020",
        "No of people in Kenya",
        "What is the life expectancy in Georgia, the country not the state?",
        "Which countries are landlocked?",
        "which is the most populous country in Africa",
        "population of France and Germany",
        "inflation in the US in 2020",
        "highest population in the world",
        "remittances to Mexico in 2020",
        "What is the unemployment rate in Spain? I am not sure.",
    ],
)
def test_what_is_read_whole_is_not_refused(question: str) -> None:
    assert missing(question) is None


@pytest.mark.parametrize(
    "question",
    [
        "how many countries have more urban population than Germany",
        "how many women live in India",
        "countries with most poor people in 2018",
        "which counties have the most poor children",
        "how much older are people in Japan than in Nigeria",
    ],
)
def test_people_of_one_kind_are_not_answered_by_another_quantity(question: str) -> None:
    assert missing(question) is not None


@pytest.mark.parametrize(
    "question",
    [
        "What is the fertility rate in these countries?",
        "what about florida",
        "how about in oregon",
        "what about for states in us",
    ],
)
def test_a_question_that_goes_on_from_another_is_refused(question: str) -> None:
    assert missing(question) is not None


@pytest.mark.parametrize(
    "question",
    [
        "what about the GDP of Mexico?",
        "How about the population of India?",
        "Of the countries in Africa, those countries with the highest fertility rate",
    ],
)
def test_a_question_that_says_all_of_it_itself_is_read(question: str) -> None:
    assert missing(question) is None


@pytest.mark.parametrize(
    ("question", "read_as"),
    [
        ("GDP of India in 2015", "GDP of India in 2010"),
        ("GDP of India in 2015", "GDP of India"),
        ("GDP of India from 2000 to 2020", "GDP of India from 2000 to 2010"),
        ("How has India's GDP changed since 1990?", "How has India's GDP changed since 2005?"),
    ],
)
def test_a_reading_of_another_year_than_the_question_names_is_refused(question: str, read_as: str) -> None:
    reading = read(read_as, today=TODAY).readings[0]
    year = r"“(1990|2015|2020)”"
    assert re.search(year, left_out(question, reading) or "")
    assert left_out(read_as, reading) is None


def test_a_year_that_only_repeats_what_was_said_of_time_is_none_that_is_asked_for() -> None:
    reading = read("GDP of India in 2010", today=TODAY).readings[0]
    assert isinstance(reading, ValueReading)
    told = reading.model_copy(update={"period": reading.period.model_copy(update={"text": "in 2015"})})
    assert left_out("GDP of India in 2015", told) is not None


def test_a_year_in_the_name_of_a_quantity_is_no_year_that_is_asked_for() -> None:
    reading = read("GDP of India", today=TODAY).readings[0]
    assert isinstance(reading, ValueReading)
    named = reading.measure.model_copy(update={"text": "gdp in constant 2015 us$"})
    assert left_out("GDP in constant 2015 US$ of India", reading.model_copy(update={"measure": named})) is None
