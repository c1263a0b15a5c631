"""Every task that a model may be asked: a right reply, one out of bounds, a broken one, and no provider.

A task that is added stands in ``CASES``: ``test_every_task_has_its_cases`` finds those that do not.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from finder_index.rerank_task import RERANK_TABLES, Card, RerankRequest
from functions.combine.tasks import (
    COMPARABLE_FIGURES,
    QUANTITY_ADDS_UP,
    AddsUpRequest,
    ComparableRequest,
    FigureDescribed,
    FigurePair,
)
from functions.discover.publishers import RESOLVE_PUBLISHERS, PublisherOffered, PublishersRequest
from functions.present.word_task import WORD_ANSWER, WordAnswerRequest, WordingClaim
from functions.resolve_attributes.semantics_task import ACCEPT_SEMANTICS, MeasureChosen, SemanticsRequest
from functions.resolve_entities.denotation_task import CHOOSE_DENOTATION, DenotationCandidate, DenotationRequest
from functions.resolve_entities.list_task import LIST_MEMBERS, ListRequest
from functions.understand.task import UNDERSTAND, UnderstandRequest
from plugins.choice.place_task import CHOOSE_PLACE, PlaceCandidate, PlaceRequest
from plugins.choice.tasks import SELECT_DOCUMENTS, Candidate, ChoiceRequest
from plugins.countryfacts.tasks import CHOOSE_FACT, FactOffered, FactRequest
from plugins.datacommons.split_tasks import (
    CHOOSE_DIMENSION,
    CHOOSE_PARTS,
    DimensionOption,
    DimensionRequest,
    PartOption,
    PartsRequest,
)
from shared.models.builtin import BuiltinJudge
from shared.models.tasks import Task
from shared.runtime.errors import CannotRead, ModelUnavailable, ReplyInvalid
from tests.support.competent import RULES
from tests.support.model_server import Reply, in_turn, refusing, right
from tests.unit.shared.models.conftest import standing

ROOT = Path(__file__).parents[4]
PACKAGES = ("functions", "plugins", "finder_index", "shared")


def _candidate(identifier: str) -> Candidate:
    return Candidate(
        id=identifier, title="GDP (current US$)", quantity="GDP", description="", phrases=("gdp",), meanings=(),
        unit="USD", unit_kind="currency", per="", statistic="", constraints="", score=0.9,
    )  # fmt: skip


def _figure(entity: str) -> FigureDescribed:
    return FigureDescribed(
        entity=entity, source="s", variable="v", measure="population", definition="", unit="people", period="2020",
        period_kind="calendar_year", vintage=None, basis="reported",
    )  # fmt: skip


_READING = {
    "type": "value",
    "entity": {"text": "India", "status": "resolved", "entity": {"name": "India", "kind": "country"}},
    "measure": {"text": "gdp"},
}


@dataclass(frozen=True, slots=True)
class Case:
    """``right`` is a reply as it comes, ``strange`` one that names what was not offered or breaks the form."""

    task: Task[Any, Any]
    request: Any
    right: Any
    strange: Any
    reads: Callable[[Any], Any]
    expected: Any


CASES = {
    case.task.name: case
    for case in (
        Case(
            UNDERSTAND,
            UnderstandRequest(question="What is India's GDP?", today=date(2026, 11, 30)),
            {"readings": [_READING], "notes": [], "unreadable": ""},
            {"readings": [{**_READING, "type": "guess"}], "notes": [], "unreadable": ""},
            lambda reply: reply.readings[0].entity.entity.keys["iso3"],
            "IND",
        ),
        Case(
            RESOLVE_PUBLISHERS,
            PublishersRequest(
                question="India's GDP, going by the bank of the world",
                publishers=(PublisherOffered(id="worldbank", names=("World Bank",)),),
            ),
            {"named": [{"words": "the bank of the world", "publishers": ["worldbank"]}], "why": ""},
            {"named": [{"words": "the bank of the world", "publishers": ["imf"]}], "why": ""},
            lambda reply: reply.named[0].publishers,
            ("worldbank",),
        ),
        Case(
            CHOOSE_FACT,
            FactRequest(
                question="What is the seat of government of France?", asked="seat of government",
                facts=(FactOffered(id="capital", label="capital"), FactOffered(id="currency", label="currency")),
            ),
            {"fact": "capital", "why": ""},
            {"fact": "president", "why": ""},
            lambda reply: reply.fact,
            "capital",
        ),
        Case(
            CHOOSE_DENOTATION,
            DenotationRequest(
                question="Who has more people, Georgia or Alabama?", name="Georgia",
                candidates=(
                    DenotationCandidate(id="GEO", name="Georgia", kind="country"),
                    DenotationCandidate(id="13", name="Georgia", kind="US state"),
                ),
            ),
            {"meant": ["13"], "why": ""},
            {"meant": ["SGS"], "why": ""},
            lambda reply: reply.meant,
            ("13",),
        ),
        Case(
            LIST_MEMBERS,
            ListRequest(group="the Baltic states", question="?", kinds=("country",)),
            {"kind": "country", "members": ["Estonia", "Latvia", "Lithuania"], "why": ""},
            {"kind": "country", "members": ["Estonia", "Latvia", "Livonia"], "why": ""},
            lambda reply: reply.members,
            ("Estonia", "Latvia", "Lithuania"),
        ),
        Case(
            SELECT_DOCUMENTS,
            ChoiceRequest(
                question="What is India's GDP?", measure="gdp", per_capita=False, share=False,
                candidates=(_candidate("doc-1"), _candidate("doc-2")),
            ),
            {"groups": [{"documents": ["doc-2"], "label": "nominal"}], "other_form": [], "why": ""},
            {"groups": [{"documents": ["doc-9"], "label": "nominal"}], "other_form": [], "why": ""},
            lambda reply: reply.groups[0].documents,
            ("doc-2",),
        ),
        Case(
            CHOOSE_PLACE,
            PlaceRequest(
                question="Springfield compared to Chicago", name="Springfield", within="",
                candidates=(
                    PlaceCandidate(id="geoId/1772000", name="Springfield", kind="City", lies_in=("Illinois",)),
                    PlaceCandidate(id="geoId/2970000", name="Springfield", kind="City", lies_in=("Missouri",)),
                ),
            ),
            {"place": "geoId/1772000", "why": ""},
            {"place": "geoId/2567000", "why": ""},
            lambda reply: reply.place,
            "geoId/1772000",
        ),
        Case(
            ACCEPT_SEMANTICS,
            SemanticsRequest(
                question="How big is the economy of India?",
                measures=(
                    MeasureChosen(
                        id="measure:1", asked="size of the economy", name="GDP (current US$)", definition="...",
                        unit="US$",
                    ),
                ),
            ),
            {"verdicts": {"measure:1": "yes"}, "why": ""},
            {"verdicts": {"measure:2": "yes"}, "why": ""},
            lambda reply: reply.verdicts,
            {"measure:1": "yes"},
        ),
        Case(
            CHOOSE_DIMENSION,
            DimensionRequest(
                named="gender", total="Population",
                options=(DimensionOption(id="age", variables=21), DimensionOption(id="sex", variables=2)),
            ),
            {"dimension": "sex", "why": ""},
            {"dimension": "race", "why": ""},
            lambda reply: reply.dimension,
            "sex",
        ),
        Case(
            CHOOSE_PARTS,
            PartsRequest(
                asked="population by sex", dimension="sex", totals=(PartOption(id="all", title="Population"),),
                candidates=(
                    PartOption(id="women", title="Women", value="female"),
                    PartOption(id="men", title="Men", value="male"),
                ),
            ),
            {"total": "all", "parts": ["men", "women"], "why": ""},
            {"total": "all", "parts": ["men", "children"], "why": ""},
            lambda reply: reply.parts,
            ("men", "women"),
        ),
        Case(
            COMPARABLE_FIGURES,
            ComparableRequest(
                question="?",
                pairs=(FigurePair(id="pair:1", left=_figure("A"), right=_figure("B"), convertible=("left",)),),
            ),
            {"verdicts": {"pair:1": "comparable"}, "convert": {"pair:1": "left"}, "why": ""},
            {"verdicts": {"pair:1": "comparable"}, "convert": {"pair:1": "right"}, "why": ""},
            lambda reply: (reply.verdicts["pair:1"], reply.convert["pair:1"]),
            ("comparable", "left"),
        ),
        Case(
            QUANTITY_ADDS_UP,
            AddsUpRequest(
                measure="population", definition="", unit="people", unit_kind="count", per=None, members=("A", "B")
            ),
            {"adds_up": "yes", "why": ""},
            {"adds_up": "42", "why": ""},
            lambda reply: reply.adds_up,
            "yes",
        ),
        Case(
            WORD_ANSWER,
            WordAnswerRequest(
                question="What is India's GDP?", type="value", plain="India's GDP was 3 in 2024.",
                claims=(
                    WordingClaim(
                        id="claim:1", text="GDP, India, 2024: 3", value=Decimal(3), entity="India", one=True,
                        period="2024", measure="GDP",
                    ),
                ),
            ),
            {"text": "In 2024, India had a GDP of 3.", "claims": ["claim:1"]},
            {"text": "In 2024, India had a GDP of 4.", "claims": ["claim:1"]},
            lambda reply: reply.text,
            "In 2024, India had a GDP of 3.",
        ),
        Case(
            RERANK_TABLES,
            RerankRequest(texts=("gdp",), cards=(Card(number=1, title="GDP"),), most=5),
            {"ranked": [{"i": 1, "score": 90}]},
            {"ranked": [{"i": 7, "score": 90}]},
            lambda reply: [(item.i, item.score) for item in reply.ranked],
            [(1, 90.0)],
        ),
    )
}  # fmt: skip
BUILTIN = BuiltinJudge(RULES)


def _tasks() -> dict[str, Task[Any, Any]]:
    """Every task of the program, by name."""
    found: dict[str, Task[Any, Any]] = {}
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            if "Task(" in path.read_text(encoding="utf-8"):
                module = importlib.import_module(".".join(path.relative_to(ROOT).with_suffix("").parts))
                found |= {one.name: one for one in vars(module).values() if isinstance(one, Task)}
    return found


def test_every_task_has_its_cases():
    assert set(_tasks()) == set(CASES)


def test_every_task_says_what_it_is_for_in_words_for_people():
    for task in _tasks().values():
        assert task.purpose
        assert task.instructions


def test_no_two_tasks_have_one_name():
    assert len({task.id for task in _tasks().values()}) == len(_tasks())


@pytest.mark.parametrize("name", CASES)
async def test_a_right_reply_is_taken(name, context):
    case = CASES[name]
    async with standing("openai", in_turn(right(case.right))) as (server, judge):
        reply = await context(judges=(judge, BUILTIN)).judge(case.task, case.request)
    assert case.reads(reply) == case.expected
    assert len(server.asked) == 1
    assert server.asked[0].task == name


@pytest.mark.parametrize("name", CASES)
async def test_a_reply_out_of_bounds_is_asked_for_again_and_then_fails_visibly(name, context):
    case = CASES[name]
    async with standing("openai", in_turn(right(case.strange))) as (server, judge):
        run = context(judges=(judge, BUILTIN))
        with pytest.raises(ReplyInvalid, match=rf"broke the contract of {name}\.v{case.task.version} twice"):
            await run.judge(case.task, case.request)
    assert [bool(asked.hint) for asked in server.asked] == [False, True]


@pytest.mark.parametrize("name", CASES)
async def test_a_broken_reply_is_asked_for_again_and_may_then_be_right(name, context):
    case = CASES[name]
    async with standing("openai", in_turn(Reply('{"broken'), right(case.right))) as (server, judge):
        reply = await context(judges=(judge, BUILTIN)).judge(case.task, case.request)
    assert case.reads(reply) == case.expected
    assert len(server.asked) == 2


@pytest.mark.parametrize("name", CASES)
async def test_without_a_provider_the_built_in_rule_judges_where_there_is_one(name, context):
    case = CASES[name]
    run = context(judges=(BUILTIN,))
    if name in RULES:
        assert isinstance(await run.judge(case.task, case.request), case.task.reply)
    else:
        with pytest.raises(ModelUnavailable, match=name):
            await run.judge(case.task, case.request)
    assert run.told == []


@pytest.mark.parametrize("name", CASES)
async def test_with_a_provider_that_is_down_the_rule_stands_in_where_the_task_allows_it(name, context):
    case = CASES[name]
    async with standing("openai", in_turn(refusing(503))) as (_, judge):
        run = context(judges=(judge, BUILTIN))
        if case.task.fallback and name in RULES:
            assert isinstance(await run.judge(case.task, case.request), case.task.reply)
            assert len(run.told) == 1
        else:
            with pytest.raises(ModelUnavailable):
                await run.judge(case.task, case.request)
            assert run.told == []


async def test_a_model_may_decline_to_read_a_question(context):
    case = CASES[UNDERSTAND.name]
    declined = right({"readings": [], "notes": [], "unreadable": "it asks for a recipe"})
    async with standing("openai", in_turn(declined)) as (server, judge):
        with pytest.raises(CannotRead, match="it asks for a recipe"):
            await context(judges=(judge,)).judge(case.task, case.request)
    assert len(server.asked) == 1


def test_a_task_that_allows_a_rule_to_stand_in_has_one_or_has_built_in_members():
    for task in _tasks().values():
        if task.fallback:
            assert task.name in RULES or task is UNDERSTAND
