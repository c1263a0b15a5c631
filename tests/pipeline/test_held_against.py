"""Figures and lists held against each other, through the whole embedded pipeline."""

from __future__ import annotations

from collections.abc import AsyncIterator
from decimal import Decimal
from pathlib import Path

import pytest

from functions.local.settings import Settings
from functions.local.wiring import Application, open_application
from shared.query.annotated import AskOptions
from shared.query.answer import AnswerStatus


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[Application]:
    async with open_application(Settings.from_environment({"NEURALKG_HOME": str(tmp_path)})) as opened:
        yield opened


async def test_a_comparison_is_answered_in_its_first_meaning(app: Application) -> None:
    answer = await app.ask("GDP of France vs Germany in 2022")
    assert answer.status is AnswerStatus.COMPLETE
    assert {claim.unit for claim in answer.claims} == {"USD"}
    assert Decimal("4201021706478.62") in [claim.value for claim in answer.claims]
    offered = {option.assumptions["measure"]: option.value for option in answer.alternatives}
    assert offered["NY.GDP.MKTP.KD.ZG"] == Decimal("2.71676264185913")
    assert sum("distinct quantities" in note.text for note in answer.disclosures) == 1


async def test_an_alternative_can_be_chosen_by_what_it_says_to_send_back(app: Application) -> None:
    first = await app.ask("How much bigger is China's GDP than India's?")
    option = next(one for one in first.alternatives if one.unit == "USD")
    again = await app.ask(
        "How much bigger is China's GDP than India's?", AskOptions(assumptions=option.assumptions)
    )
    assert again.status is AnswerStatus.COMPLETE
    assert again.alternatives == ()
    assert option.value in [claim.value for claim in again.claims]


async def test_all_meanings_are_shown_when_all_are_asked_for(app: Application) -> None:
    answer = await app.ask("GDP of France vs Germany in 2022", AskOptions(on_ambiguity="all"))
    assert {"GDP (current US$)", "GDP growth (annual %)", "GDP per capita (current US$)"} <= {
        claim.measure for claim in answer.claims
    }


async def test_members_are_held_against_another_countrys_figure(app: Application) -> None:
    answer = await app.ask("Which countries have a higher life expectancy than Japan?")
    assert answer.status is AnswerStatus.COMPLETE
    found = [c.entity for c in answer.claims if c.measure == "Life expectancy at birth, total (years)"]
    assert found[:2] == ["Monaco", "San Marino"]
    assert found[-1] == "Japan"
    assert {claim.period for claim in answer.claims} == {"2024"}


async def test_a_country_without_neighbours_has_none(app: Application) -> None:
    answer = await app.ask("Which countries border Iceland?")
    assert answer.status is AnswerStatus.COMPLETE
    assert answer.text.startswith("None: Iceland borders no countries")
    assert [receipt.entity for receipt in answer.receipts] == ["Iceland"]


async def test_figures_are_narrowed_to_landlocked_countries(app: Application) -> None:
    answer = await app.ask("highest gdp per capita among landlocked countries")
    assert answer.status is AnswerStatus.COMPLETE
    assert [claim.entity for claim in answer.claims][:3] == ["Liechtenstein", "Luxembourg", "Switzerland"]
    assert {receipt.source for receipt in answer.receipts} == {"worldbank", "countryfacts"}


async def test_an_unknown_fact_is_refused_with_what_is_known(app: Application) -> None:
    answer = await app.ask("which island countries are in Asia")
    assert answer.status is AnswerStatus.REFUSED
    assert answer.refusal is not None
    assert "landlocked" in answer.refusal.reason
