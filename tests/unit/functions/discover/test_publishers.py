"""Which publisher a question names: judged among those on offer, and honoured or refused."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from functions.discover.builtin_rules import BUILTIN_RULES
from functions.discover.named_sources import may_name_a_publisher, surely_named
from functions.discover.publishers import (
    RESOLVE_PUBLISHERS,
    PublisherNamed,
    PublisherOffered,
    PublishersReply,
    PublishersRequest,
)
from functions.discover.stage import discover
from functions.slots.stage import slots
from plugins.base import Publisher, Registry
from shared.models.builtin import BuiltinJudge
from shared.models.tasks import validated
from shared.query.annotated import AnnotatedQuery, Discovered, Failed
from shared.query.quantity import PlaceKind
from shared.query.readings import (
    BreakdownReading,
    EntityMention,
    ItemListReading,
    MeasureMention,
    PopulationMention,
    RankingReading,
    Reading,
    StatusReading,
    TrendReading,
    ValueReading,
)
from shared.runtime.errors import ModelUnavailable
from tests.support.stages import INDIA, ScriptedFinder, ScriptedPlugin, context, document, mention, query

MONEY = MeasureMention(text="gdp")
VALUE = ValueReading(entity=mention(INDIA), measure=MONEY)


class Other(ScriptedPlugin):
    name = "other"
    publisher = Publisher(name="Other Office", aliases=("OO",), licence="CC0", home="https://other.example")


def _never(_planned: Any) -> Any:
    raise AssertionError("nothing is executed here")


REGISTRY = Registry([ScriptedPlugin(_never), Other(_never)])
DOCUMENTS = [document("GDP"), document("GDP", source="other")]


class Model:
    """A model that gives these replies, one after the other; an error is raised."""

    name, metered = "m", True

    def __init__(self, *replies: Any) -> None:
        self.replies, self.asked, self.hints = list(replies), [], []

    def can(self, _task: Any) -> bool:
        return True

    async def ask(self, task: Any, request: Any, _context: Any, *, hint: str | None = None) -> Any:
        self.asked.append(request)
        self.hints.append(hint)
        reply = self.replies.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return task.reply.model_validate(reply)


async def discovered(
    question: str, *judges: Any, reading: Reading = VALUE, **options: Any
) -> tuple[AnnotatedQuery, ScriptedFinder]:
    finder = ScriptedFinder(DOCUMENTS)
    asked = query(reading, question=question, **options)
    asked.append(await slots(asked, context()))
    run = replace(context(finder), judges=(*judges, BuiltinJudge(BUILTIN_RULES)))
    asked.append(await discover(asked, run, registry=REGISTRY))
    asked.append([])
    return asked, finder


def named(words: str, *publishers: str) -> dict[str, Any]:
    return {"named": [{"words": words, "publishers": list(publishers)}]}


async def test_a_publisher_named_in_other_words_is_the_only_one_searched() -> None:
    model = Model(named("the second bureau", "other"))
    asked, finder = await discovered("India's gdp using figures of the second bureau", model)
    assert [request.sources for request in finder.asked] == [("other",)]
    assert {annotation.source for annotation, _ in asked.of(Discovered)} == {"other"}
    assert any("only other was searched" in note.text for note in asked.disclosures())


async def test_a_publisher_that_is_not_on_offer_refuses_every_slot_and_nothing_is_searched() -> None:
    asked, finder = await discovered("India's gdp from the Moon Office", Model(named("Moon Office")))
    assert finder.asked == []
    assert "figures from Moon Office, which is not mounted here" in asked.failures()[0].reason
    assert all(failed.final for _, failed in asked.of(Failed))


async def test_a_publisher_not_offered_is_told_once_and_then_a_visible_failure() -> None:
    model = Model(named("the second bureau", "nowhere"), named("the second bureau", "nowhere"))
    asked, finder = await discovered("India's gdp, data of the second bureau", model)
    assert finder.asked == []
    assert model.hints == [None, "a publisher is chosen that was not offered; on offer are other, scripted"]
    assert "broke the contract of resolve_publishers.v1 twice" in asked.failures()[0].reason
    assert all(failed.final for _, failed in asked.of(Failed))


async def test_a_part_of_a_word_of_the_question_names_nobody() -> None:
    model = Model(named("eco", "other"), named("the second bureau", "other"))
    await discovered("India's gdp, data of the second bureau", model)
    assert model.hints[1] == "words must be copied from the question"


async def test_one_broken_reply_is_made_good_by_the_second() -> None:
    model = Model(named("a bureau of its own", "other"), named("the second bureau", "other"))
    _, finder = await discovered("India's gdp, data of the second bureau", model)
    assert model.hints[1] == "words must be copied from the question"
    assert finder.asked[0].sources == ("other",)


async def test_without_a_provider_the_built_in_rule_tells_and_the_answer_says_so() -> None:
    finder = ScriptedFinder(DOCUMENTS)
    asked = query(VALUE, question="India's gdp according to the Other Office")
    asked.append(await slots(asked, context()))
    run = replace(context(finder), judges=(Model(ModelUnavailable("no line")), BuiltinJudge(BUILTIN_RULES)))
    asked.append(await discover(asked, run, registry=REGISTRY))
    assert finder.asked[0].sources == ("other",)
    assert run.told == [
        "no language model could be asked for telling which publisher the question names (no line); the built-in "
        "rules did it"
    ]


async def test_a_question_without_a_word_for_it_asks_nobody() -> None:
    model = Model()
    await discovered("What is India's gdp?", model)
    assert model.asked == []


async def test_a_model_cannot_leave_out_the_publisher_that_a_question_says_plainly() -> None:
    nothing: dict[str, Any] = {"named": []}
    asked, finder = await discovered("India's gdp according to the IMF", Model(nothing, nothing))
    assert finder.asked == []
    assert "twice: the question takes its figures from IMF" in asked.failures()[0].reason


async def test_a_source_that_the_caller_does_not_allow_is_not_asked_though_the_question_names_it() -> None:
    asked, finder = await discovered("India's gdp according to the Other Office", sources=("scripted",))
    assert finder.asked == []
    assert "from Other Office, and only scripted may be asked" in asked.failures()[0].reason
    _, both = await discovered("India's gdp according to the Other Office", sources=("scripted", "other"))
    assert both.asked[0].sources == ("other",)


COUNTRIES = PopulationMention(member=PlaceKind.COUNTRY, text="countries")
KINDS: tuple[Reading, ...] = (
    VALUE,
    TrendReading(entities=(mention(INDIA),), measure=MONEY),
    RankingReading(population=COUNTRIES, measure=MONEY),
    BreakdownReading(entity=mention(INDIA), measure=MONEY, dimension="sector"),
    StatusReading(entity=mention(INDIA), attribute="landlocked"),
    ItemListReading(
        relation="members",
        population=PopulationMention(
            member=PlaceKind.COUNTRY, text="members", container=EntityMention(text="G7", status="unknown")
        ),
    ),
)


@pytest.mark.parametrize("reading", KINDS, ids=lambda one: one.type)
async def test_a_named_publisher_is_honoured_for_every_kind_of_slot(reading: Reading) -> None:
    asked, finder = await discovered("according to the Other Office", reading=reading)
    assert asked.slots()
    assert {request.sources for request in finder.asked} == {("other",)}
    assert {annotation.source for annotation, _ in asked.of(Discovered)} == {"other"}


async def test_what_a_finder_returns_of_another_source_is_dropped() -> None:
    class Loose(ScriptedFinder):
        async def search(self, request: Any, *, deadline: Any) -> Any:
            return await super().search(request.model_copy(update={"sources": ()}), deadline=deadline)

    asked = query(VALUE, question="India's gdp according to the Other Office")
    asked.append(await slots(asked, context()))
    run = replace(context(Loose(DOCUMENTS)), judges=(BuiltinJudge(BUILTIN_RULES),))
    asked.append(await discover(asked, run, registry=REGISTRY))
    assert {annotation.source for annotation, _ in asked.of(Discovered)} == {"other"}


DIRECTORY = (("worldbank", ("World Bank", "WDI")), ("census", ("Census Bureau", "US Census Bureau")))


@pytest.mark.parametrize(
    ("question", "worth"),
    [
        ("What is India's GDP?", False),
        ("Exports from China to Germany", False),
        ("People per square kilometre in France", False),
        ("India's GDP by the WDI", True),
        ("World Bank loans to Kenya", True),
        ("India's GDP from Destatis", True),
        ("India's GDP, NIH", True),
        ("the latest statistics of poverty", True),
        ("who has the most people?", False),
        ("What share of Kenyans are using the internet?", False),
        ("taxes collected in France", False),
        ("energy sources of Chad", False),
        ("tourist numbers of Chad", False),
        ("Chad's exports, using WITS", True),
        ("gdp of chad from wdi", True),
        ("Chad's exports as estimated by the trade people", True),
        ("Chad's exports, source: the ministry", True),
    ],
)
def test_a_judgment_is_worth_it_only_where_a_publisher_may_be_named(question: str, worth: bool) -> None:
    assert may_name_a_publisher(question, DIRECTORY) is worth


def test_only_plain_words_for_a_source_bind_a_model() -> None:
    assert surely_named("gdp according to the World Bank", DIRECTORY) == ("World Bank",)
    assert surely_named("gdp from the World Bank", DIRECTORY) == ()


def test_two_publishers_of_one_question_are_both_kept() -> None:
    request = PublishersRequest(
        question="gdp from WDI and Census Bureau data",
        publishers=tuple(PublisherOffered(id=name, names=names) for name, names in DIRECTORY),
    )
    reply = PublishersReply(
        named=(
            PublisherNamed(words="WDI", publishers=("worldbank",)),
            PublisherNamed(words="Census Bureau", publishers=("census",)),
        )
    )
    assert validated(RESOLVE_PUBLISHERS, request, reply) is None
