"""Groups that no source has a figure for, through the whole embedded pipeline."""

from __future__ import annotations

from collections.abc import AsyncIterator
from decimal import Decimal
from pathlib import Path

import pytest

from functions.local.settings import Settings
from functions.local.wiring import Application, open_application
from shared.query.answer import Answer, AnswerStatus
from shared.query.evidence import Operation


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[Application]:
    async with open_application(Settings.from_environment({"NEURALKG_HOME": str(tmp_path)})) as opened:
        yield opened


def claimed(answer: Answer, entity: str) -> Decimal:
    (found,) = [c.value for c in answer.claims if c.entity == entity and "verdict" not in str(c.measure)][:1]
    assert isinstance(found, Decimal)
    return found


async def test_the_population_of_a_continent_is_that_of_its_countries(app: Application) -> None:
    answer = await app.ask("What is the population of Africa?")
    assert answer.status is AnswerStatus.COMPLETE
    assert claimed(answer, "Africa") == Decimal("1546877498")
    (total,) = answer.computations
    assert total.operation is Operation.SUM
    assert len(total.inputs) == len(answer.receipts) == 54
    assert sum(Decimal(str(receipt.value)) for receipt in answer.receipts) == total.value


async def test_a_total_without_a_country_is_a_part_of_the_answer(app: Application) -> None:
    answer = await app.ask("What percentage of the world's population lives in Asia?")
    assert answer.status is AnswerStatus.PARTIAL
    assert "lacks Taiwan" in answer.text
    (share,) = [made for made in answer.computations if made.operation is Operation.PERCENT_OF]
    assert share.value == Decimal("58.4616498544")


async def test_two_groups_are_held_against_each_other_in_one_year(app: Application) -> None:
    answer = await app.ask("Is the GDP of BRICS bigger than that of the G7?")
    assert answer.status is AnswerStatus.COMPLETE
    assert answer.text.startswith("No: ")
    assert {receipt.period for receipt in answer.receipts} == {"2024"}
    assert claimed(answer, "BRICS") < claimed(answer, "G7")


async def test_a_rate_of_a_group_is_refused_with_what_can_be_had(app: Application) -> None:
    answer = await app.ask("life expectancy in Scandinavia")
    assert answer.status is AnswerStatus.REFUSED
    assert answer.refusal is not None
    assert "is not the sum of its members'" in answer.refusal.reason
    assert "life expectancy of the countries in Scandinavia" in (answer.refusal.needs or "")
    again = await app.ask("life expectancy of the countries in Scandinavia")
    assert again.status is AnswerStatus.COMPLETE
    assert {claim.entity for claim in again.claims} == {"Denmark", "Norway", "Sweden"}
