"""A whole is split only into parts that make it up in every year; figures are World Bank, WDI, 2026-07-01."""

from __future__ import annotations

from datetime import UTC, date, datetime
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import pytest

from finder_index.leaves import read_corpus
from plugins.choice.builtin_rules import BUILTIN_RULES
from plugins.worldbank.partition_table import INCOMPLETE, PARTITIONS
from plugins.worldbank.partitions import disagreement, incomplete_of, partition_by_key, partitions_of
from plugins.worldbank.plugin import WorldBankPlugin
from plugins.worldbank.records import IndicatorSet, Observations
from plugins.worldbank.snapshot.responder import WorldBankResponder
from shared.adapters.snapshot_transport import SnapshotTransport
from shared.models.builtin import BuiltinJudge
from shared.query.annotated import AskOptions, Executed, PlannedRequest, Selected
from shared.query.discovery import TableDocument
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.identifiers import SlotId
from shared.query.quantity import UnitKind
from shared.query.readings import EntityMention, MeasureMention, PeriodAsked, PeriodKindAsked
from shared.query.slots import Slot, SlotKind
from shared.runtime.context import RunContext
from shared.runtime.deadline import Deadline
from shared.text.places import by_code

PLUGIN = WorldBankPlugin()
CORPUS = Path(__file__).parents[4] / "finder_index" / "corpus"
AGE = ("SP.POP.0014.TO.ZS", "SP.POP.1564.TO.ZS", "SP.POP.65UP.TO.ZS")


@lru_cache(maxsize=1)
def documents() -> dict[str, TableDocument]:
    return {leaf.variable: leaf.document() for leaf in read_corpus(CORPUS).leaves if leaf.source == "worldbank"}


class KnownTables:
    """Exact lookups in the carried tables."""

    async def by_variable(self, variable: str) -> tuple[TableDocument, ...]:
        return tuple(document for name, document in documents().items() if name == variable)


@pytest.fixture
def context() -> RunContext:
    return RunContext(
        options=AskOptions(),
        deadline=Deadline.after(30),
        transport=SnapshotTransport([WorldBankResponder()]),
        finder=cast("Any", KnownTables()),
        embedder=cast("Any", None),
        judges=[BuiltinJudge(BUILTIN_RULES)],
        panel=[],
        say=lambda _: None,
        today=lambda: date(2026, 11, 30),
    )


async def split(
    context: RunContext, measure: str, dimension: str, country: str, year: int | None = None, *,
    question: str = "", offered: tuple[str, ...] | None = None,
) -> Executed | Unanswerable:  # fmt: skip
    """The answer to a breakdown, through the plugin's steps in order; every table is offered by default."""
    entity = by_code(country)
    assert entity is not None
    asked = Slot(
        id=SlotId("slot:1"),
        kind=SlotKind.CATEGORIES,
        role="categories",
        measure=MeasureMention(text=measure),
        entity=EntityMention(text=entity.name, status="resolved", entity=entity),
        dimension=dimension,
        period=PeriodAsked(kind=PeriodKindAsked.YEAR, start=year) if year else PeriodAsked(),
    )
    shown = list(documents().values()) if offered is None else [documents()[variable] for variable in offered]
    selected = await PLUGIN.choose(asked, shown, question=question, context=context)
    if isinstance(selected, Unanswerable):
        return selected
    return await execute(asked, selected, context)


async def execute(asked: Slot, selected: Selected, context: RunContext) -> Executed | Unanswerable:
    resolved = await PLUGIN.resolve(asked, selected, question="", context=context)
    assert not isinstance(resolved, Unanswerable), resolved
    bound = await PLUGIN.bind(asked, selected, resolved, context=context)
    if isinstance(bound, Unanswerable):
        return bound
    (one,) = bound
    planned = PlannedRequest(order=0, bound=one, resolved=resolved, slot=asked)
    return await PLUGIN.execute(planned, context=context)


async def served(context: RunContext, *asked: Any, **more: Any) -> Executed:
    answer = await split(context, *asked, **more)
    assert isinstance(answer, Executed), answer
    return answer


async def refused(context: RunContext, *asked: Any, **more: Any) -> Unanswerable:
    answer = await split(context, *asked, **more)
    assert isinstance(answer, Unanswerable), answer
    return answer


async def test_ages_are_shares_of_the_population_with_no_published_total(context: RunContext) -> None:
    answer = await served(context, "population", "age", "JPN")
    assert [str(cell.value) for cell in answer.observations] == [
        "11.2383980634698", "58.7675052627879", "29.9940966737423",
    ]  # fmt: skip
    assert {cell.period.text for cell in answer.observations} == {"2025"}
    assert answer.total is None
    assert answer.whole == "the total population"
    assert [measure.variable for measure in answer.parts] == list(AGE)
    assert answer.parts[0].name == "Population ages 0-14 (% of total population)"
    assert answer.part_pages[2] == "https://data.worldbank.org/indicator/SP.POP.65UP.TO.ZS?locations=JP"
    assert len(answer.response.requests) == 1


@pytest.mark.parametrize(
    ("asked", "values"),
    [
        (("income share", "income quintile", "USA", 2019), ["5.1", "10", "15.1", "22.5", "47.3"]),
        (("income distribution", "fifth", "BRA", 2015), ["3.6", "7.7", "12.4", "19.6", "56.7"]),
        (("male employment", "sector", "CHN", 2010), ["39.6800360926301", "31.0545914099111", "29.2653763697263"]),
        (("population", "age group", "NGA", 2000), ["43.7373767129489", "53.2253628417872", "3.03726044526388"]),
    ],
)
async def test_other_splits_by_the_words_for_them(context: RunContext, asked: Any, values: list[str]) -> None:
    answer = await served(context, *asked)
    assert [str(cell.value) for cell in answer.observations] == values


async def test_shares_are_given_instead_of_numbers_where_shares_are_asked_for(context: RunContext) -> None:
    asked = ("population", "urban and rural", "KEN", 2010)
    numbers = await served(context, *asked)
    assert numbers.total is not None
    shares = await served(context, *asked, question="what share of kenyans live in urban and in rural areas, 2010")
    assert shares.total is None
    assert [str(cell.value) for cell in shares.observations] == ["31.8713287706458", "68.1286712293542"]


async def test_parts_that_the_search_did_not_return_are_looked_up_once_one_of_them_was(context: RunContext) -> None:
    answer = await served(context, "population", "age", "JPN", offered=(AGE[1],))
    assert [measure.name for measure in answer.parts] == [documents()[variable].title for variable in AGE]
    none = await refused(context, "population", "age", "JPN", offered=("SP.POP.TOTL",))
    assert none.status is FailureStatus.NOT_FOUND


async def test_a_split_that_fails_in_some_years_is_refused_for_every_year_and_names_them(
    context: RunContext,
) -> None:
    why = await refused(context, "deaths", "cause", "IND", 2019)
    assert why.status is FailureStatus.NOT_COMPARABLE
    assert "do not add up to 100% in 2020 (97.7%), 2021 (94.5%)" in why.reason


async def test_a_split_is_accepted_where_the_same_parts_add_up_in_every_year(context: RunContext) -> None:
    answer = await served(context, "deaths", "cause of death", "JPN")
    assert answer.categories[1:] == ("non-communicable diseases", "injury")
    assert abs(sum(cell.value or 0 for cell in answer.observations) - 100) <= 2


async def test_a_year_without_all_parts_is_refused_with_the_years_that_have_them(context: RunContext) -> None:
    why = await refused(context, "income", "quintile", "BRA", 2020 - 200)
    assert why.status is FailureStatus.NO_DATA
    assert "in 1820; it has them for" in why.reason


@pytest.mark.parametrize(
    ("measure", "dimension", "lacking"),
    [
        ("gdp", "sector", "agriculture and industry and not services"),
        ("population", "sex", "not the male share"),
        ("employment", "sector", "their shares of all employment"),
    ],
)
async def test_a_split_that_lacks_a_part_is_refused_with_what_it_lacks(
    context: RunContext, measure: str, dimension: str, lacking: str
) -> None:
    why = await refused(context, measure, dimension, "IND")
    assert why.status is FailureStatus.NOT_COVERED
    assert lacking in why.reason


def test_a_sum_that_is_right_in_one_year_only_is_a_coincidence() -> None:
    (ages,) = partitions_of("population", "age")
    right, wrong = ("20", "70", "10"), ("20", "65", "10")
    figures = {name: {2000: Decimal(right[n]), 2001: Decimal(wrong[n])} for n, name in enumerate(AGE)}
    moment = datetime(2026, 7, 1, tzinfo=UTC)
    found = IndicatorSet(figures, Observations("", "", (), None, (), moment, None, ()))
    assert disagreement(ages, found) == "2001 (95.0%)"
    del figures[AGE[0]][2001]
    assert disagreement(ages, found) is None


def test_every_part_is_a_carried_table_and_the_parts_of_shares_are_percentages() -> None:
    for partition in PARTITIONS:
        assert partition_by_key(partition.key) is partition
        assert set(partition.indicators) <= set(documents()), partition.title
        if partition.total is None:
            kinds = {documents()[part.indicator].terms["unitKind"] for part in partition.parts}
            assert kinds == {UnitKind.PERCENT}, partition.title


def test_what_an_incomplete_split_lacks_is_not_among_the_tables() -> None:
    for incomplete in INCOMPLETE:
        carried = set(incomplete.indicators_lacking) & set(documents())
        assert not carried or carried < set(incomplete.indicators_lacking), incomplete.lacking


def test_words_of_form_alone_name_no_split() -> None:
    assert partitions_of("people", "age")
    assert partitions_of("number", "age") == []
    assert partitions_of("share", "age") == []


def test_no_words_name_two_splits_of_one_kind_or_a_split_that_is_also_incomplete() -> None:
    for partition in PARTITIONS:
        for measure in partition.measures:
            for dimension in partition.dimensions:
                found = partitions_of(measure, dimension)
                assert partition in found
                assert len({one.total is None for one in found}) == len(found), (measure, dimension)
                assert incomplete_of(measure, dimension) is None, (measure, dimension)
