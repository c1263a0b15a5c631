"""The course of a group that has no figures of its own, through the whole embedded program."""

from __future__ import annotations

from collections.abc import AsyncIterator
from decimal import Decimal
from pathlib import Path

import pytest

from functions.local.settings import Settings
from functions.local.wiring import Application, open_application
from plugins.worldbank.snapshot.figures import value_table
from shared.query.answer import Answer, AnswerStatus

SCANDINAVIA, BENELUX = ("DNK", "NOR", "SWE"), ("BEL", "LUX", "NLD")
G7 = ("CAN", "DEU", "FRA", "GBR", "ITA", "JPN", "USA")


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[Application]:
    async with open_application(Settings.from_environment({"NEURALKG_HOME": str(tmp_path)})) as opened:
        yield opened


def sums(indicator: str, members: tuple[str, ...], first: int) -> dict[str, Decimal]:
    """The publisher's figures of all members added up, by year, from ``first`` on."""
    each = [value_table(indicator).cells(code) for code in members]
    years = sorted(set.intersection(*map(set, each)))
    return {str(year): sum((Decimal(one[year]) for one in each), Decimal(0)) for year in years if year >= first}


def told(answer: Answer, whom: str) -> dict[str | None, object]:
    kinds = {"people", "USD"}
    return {one.period: one.value for one in answer.claims if one.entity == whom and one.unit in kinds and
            not (one.measure or "").startswith("change")}  # fmt: skip


@pytest.mark.parametrize(
    ("question", "whom", "published"),
    [
        ("population of Scandinavia since 2000", "Scandinavia", ("SP.POP.TOTL", SCANDINAVIA, 2000)),
        ("How has the GDP of Benelux changed since 2010?", "Benelux", ("NY.GDP.MKTP.CD", BENELUX, 2010)),
        ("population of the G7 in the last 10 years", "G7", ("SP.POP.TOTL", G7, 2016)),
    ],
)
async def test_every_year_is_the_sum_of_all_members(
    app: Application, question: str, whom: str, published: tuple[str, tuple[str, ...], int]
) -> None:
    answer = await app.ask(question)
    assert answer.status is AnswerStatus.COMPLETE, answer.text
    assert told(answer, whom) == sums(*published)
    known = {str(one.id) for one in answer.figures()} | {str(one.id) for one in answer.computations}
    known |= {str(one.id) for one in answer.shared_receipts}
    assert all(known.issuperset(one.inputs) for one in answer.computations)


async def test_a_group_with_a_member_that_is_not_published_has_no_course(app: Application) -> None:
    answer = await app.ask("population of Asia since 1990")
    assert answer.claims == ()
    assert "Taiwan has none" in answer.text


async def test_a_rate_is_refused_with_what_can_be_had(app: Application) -> None:
    answer = await app.ask("GDP growth of Benelux since 2010")
    assert answer.claims == ()
    assert "it cannot be added up" in answer.text
