"""Faults that others' products were reported for, each as the question or the answer on the wire that showed it.

``docs/reported-faults.md`` lists them with the tests that stand elsewhere.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from decimal import Decimal
from pathlib import Path

import pytest

from functions.ask.intake import checked_question
from functions.local.settings import Settings
from functions.local.wiring import open_application
from shared.query.annotated import AskOptions
from shared.query.answer import Answer, AnswerStatus
from shared.query.identifiers import ReceiptId
from shared.query.readings import PopulationValueReading, RankingReading

Ask = Callable[..., Awaitable[Answer]]


@pytest.fixture
async def ask(tmp_path: Path) -> AsyncIterator[Ask]:
    """Asks a question of the whole embedded program, of some sources alone where they are given."""
    async with open_application(Settings.from_environment({"NEURALKG_HOME": str(tmp_path)})) as app:

        async def asked(question: str, *sources: str) -> Answer:
            return await app.ask(checked_question(question), AskOptions(sources=sources))

        yield asked


def told(answer: Answer) -> str:
    return " ".join(note.text for note in answer.disclosures)


def why(answer: Answer) -> str:
    return " ".join(failure.reason for failure in answer.failures)


async def test_the_gdp_of_india_is_an_amount_of_dollars_and_no_share_of_anything(ask: Ask) -> None:
    answer = await ask("gdp of india")
    assert answer.status is AnswerStatus.COMPLETE
    by_id = {receipt.id: receipt for receipt in answer.receipts}
    first = by_id[ReceiptId(answer.claims[0].evidence[0])]
    assert (first.variable, first.currency, first.entity_code) == ("NY.GDP.MKTP.CD", "USD", "IND")
    assert all(receipt.variable.startswith("NY.GDP.") for receipt in answer.receipts)


@pytest.mark.parametrize("question", ["population of indian states", "population of Indian states"])
async def test_the_population_of_indian_states_is_asked_of_the_states_and_not_of_india(
    question: str, ask: Ask
) -> None:
    answer = await ask(question)
    assert isinstance(answer.reading, PopulationValueReading)
    container = answer.reading.population.container
    assert container is not None
    assert container.entity is not None
    assert container.entity.keys["iso3"] == "IND"
    assert "India" not in {claim.entity for claim in answer.claims}
    # Of figures that are not recorded it is said whose they are; India's own do not stand in for them.
    assert answer.claims or "no figure of Population for states in India" in why(answer)


@pytest.mark.parametrize(
    ("question", "first"),
    [
        ("show me the richest county in California", "Santa Clara County, California"),
        ("Which are the richest counties in California", "Santa Clara County, California"),
        ("poorest county in California", "Trinity County, California"),
    ],
)
async def test_the_richest_county_in_california_is_a_ranking_of_its_counties_by_household_income(
    question: str, first: str, ask: Ask
) -> None:
    answer = await ask(question)
    assert isinstance(answer.reading, RankingReading)
    assert answer.reading.measure.text == "median household income"
    assert answer.claims[0].entity == first
    assert "is taken to be about median household income" in told(answer)


async def test_the_share_of_a_people_is_a_published_one_and_never_above_a_hundred_percent(ask: Ask) -> None:
    answer = await ask("Which counties in California have the highest proportion of Latino population?")
    assert {receipt.variable for receipt in answer.receipts} <= {"B03003_003E", "DP05_0071PE", "DP05_0076PE"}
    assert len({receipt.period for receipt in answer.receipts}) == 1
    assert not answer.computations
    assert all(Decimal(str(receipt.value)) <= 100 for receipt in answer.receipts)


@pytest.mark.parametrize(
    "question",
    ["poverty rate amongst women in California", "ratio of women below the poverty level to women in California"],
)
async def test_women_in_poverty_are_never_divided_by_all_people(question: str, ask: Ask) -> None:
    answer = await ask(question)
    assert not answer.computations
    assert {receipt.variable for receipt in answer.receipts} <= {
        "Count_Person_Female_BelowPovertyLevelInThePast12Months",
        "Count_Person_Female",
    }
    assert "%" not in answer.text


async def test_countries_are_ranked_in_one_year_of_one_source_and_the_odd_ones_out_are_named(ask: Ask) -> None:
    answer = await ask("Which countries have the largest population?", "datacommons")
    assert answer.status is AnswerStatus.COMPLETE
    assert {receipt.period for receipt in answer.receipts} == {"2024"}
    ranked = {claim.entity: claim.value for claim in answer.claims}
    assert ranked["United States"] == Decimal(340110988)
    codes = {receipt.entity_code for receipt in answer.receipts}
    assert not codes & {"YUG", "ANT"}, "countries that are no more"
    assert "35 have none and are left out" in told(answer)
    assert "figures are of one source" in told(answer)


async def test_a_projection_does_not_answer_what_a_population_is(ask: Ask) -> None:
    answer = await ask("population of India", "datacommons")
    assert {receipt.period for receipt in answer.receipts} == {"2024"}
    assert "1432052000" not in {str(receipt.value) for receipt in answer.receipts}


async def test_a_world_figure_of_a_year_that_few_report_says_so(ask: Ask) -> None:
    world = await ask("exports of the world as % of GDP")
    assert [(receipt.period, receipt.entity_code) for receipt in world.receipts] == [("2025", "WLD")]
    assert "only 138 members report that year, against 172 for 2024" in told(world)
    country = await ask("exports of the United States, % of GDP")
    assert [receipt.period for receipt in country.receipts] == ["2024"]


async def test_counts_by_status_have_no_total_and_none_of_them_is_picked(ask: Ask) -> None:
    answer = await ask("national targets in accordance with Aichi Biodiversity Target 2, World")
    assert answer.status is AnswerStatus.NEEDS_CLARIFICATION
    assert answer.claims == ()
    assert answer.receipts == ()
    assert "no total over Level/Status" in why(answer)
    for status in (
        "no national target",
        "no progress",
        "moving away from the target",
        "target on track to be exceeded",
    ):
        assert status in why(answer)


async def test_angola_is_asked_for_by_its_code_without_a_zero_before_it(ask: Ask) -> None:
    answer = await ask("infant mortality rate of Angola in 2015", "unsdg")
    assert [str(receipt.value) for receipt in answer.receipts] == ["57.8"]
    assert "areaCode=24&" in answer.receipts[0].request.url


async def test_martinique_is_no_country_of_the_world_bank_and_the_next_source_is_tried(ask: Ask) -> None:
    answer = await ask("population of Martinique")
    assert answer.claims == ()
    assert "its list of countries has no entity MTQ; it is a part of France" in why(answer)
    assert {"worldbank", "datacommons"} <= {failure.source for failure in answer.failures}


async def test_no_group_is_among_the_countries_and_a_group_is_answered_when_it_is_asked_for(
    ask: Ask,
) -> None:
    ranked = await ask("Which countries have the highest GDP?", "worldbank")
    codes = {receipt.entity_code for receipt in ranked.receipts}
    assert not codes & {"WLD", "EUU", "OED", "HIC", "NAC", "EAS", "ARB"}
    assert [claim.entity for claim in ranked.claims][:2] == ["United States", "China"]
    group = await ask("GDP of the European Union", "worldbank")
    assert group.receipts[0].entity_code == "EUU"


async def test_a_null_is_never_the_newest_figure(ask: Ask) -> None:
    answer = await ask("exports of Japan, % of GDP", "worldbank")
    assert [receipt.period for receipt in answer.receipts] == ["2024"]
    assert "2024" in answer.text
