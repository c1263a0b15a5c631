"""Discovery: one search a measure, and only where it is allowed to search."""

from dataclasses import replace
from decimal import Decimal

from functions.discover.builtin_rules import BUILTIN_RULES
from functions.discover.stage import discover
from functions.slots.stage import slots
from plugins.base import Registry
from shared.models.builtin import BuiltinJudge
from shared.query.annotated import Discovered, Failed
from shared.query.discovery import FinderReply, FinderUsage
from shared.query.evidence import FailureStatus
from shared.query.readings import ComparisonReading, MeasureMention, ValueReading
from tests.support.stages import CHINA, INDIA, ScriptedFinder, ScriptedPlugin, context, document, mention, query

POPULATION = MeasureMention(text="population")
REGISTRY = Registry([ScriptedPlugin(lambda planned: (_ for _ in ()).throw(AssertionError("not executed here")))])


async def test_slots_that_share_a_measure_share_one_search() -> None:
    finder = ScriptedFinder([document("POP")])
    asked = query(ComparisonReading(entities=(mention(INDIA), mention(CHINA)), measure=POPULATION))
    asked.append(await slots(asked, context()))
    asked.append(await discover(asked, context(finder), registry=REGISTRY))
    assert len(finder.asked) == 1
    assert len(asked.of(Discovered)) == 2


async def test_a_request_restricted_to_named_sources_never_reaches_another_source() -> None:
    finder = ScriptedFinder([document("POP"), document("POP", source="elsewhere")])
    asked = query(ValueReading(entity=mention(INDIA), measure=POPULATION), sources=("scripted",))
    asked.append(await slots(asked, context()))
    asked.append(await discover(asked, context(finder), registry=REGISTRY))
    assert finder.asked[0].sources == ("scripted",)
    assert {annotation.source for annotation, _ in asked.of(Discovered)} == {"scripted"}


async def test_a_named_source_that_is_not_mounted_refuses_the_slot_and_searches_nowhere() -> None:
    finder = ScriptedFinder([document("POP")])
    reading = ValueReading(entity=mention(INDIA), measure=POPULATION)
    asked = query(reading, question="India's population according to the IMF")
    asked.append(await slots(asked, context()))
    run = replace(context(finder), judges=(BuiltinJudge(BUILTIN_RULES),))
    asked.append(await discover(asked, run, registry=REGISTRY))
    assert finder.asked == []
    (failure,) = asked.failures()
    assert failure.status is FailureStatus.NOT_COVERED
    assert "the IMF" in failure.reason
    assert all(failed.final for _, failed in asked.of(Failed))


async def test_tables_of_a_source_without_a_plugin_are_said_rather_than_dropped() -> None:
    finder = ScriptedFinder([document("POP", source="elsewhere")])
    asked = query(ValueReading(entity=mention(INDIA), measure=POPULATION))
    asked.append(await slots(asked, context()))
    asked.append(await discover(asked, context(finder), registry=REGISTRY))
    assert "no plugin for it is mounted" in asked.failures()[0].reason


async def test_a_chosen_variable_that_nobody_publishes_is_named() -> None:
    reading = ValueReading(entity=mention(INDIA), measure=POPULATION)
    asked = query(reading, assumptions={"measure": "NONSENSE"})
    asked.append(await slots(asked, context()))
    asked.append(await discover(asked, context(ScriptedFinder([document("POP")])), registry=REGISTRY))
    (failure,) = asked.failures()
    assert failure.status is FailureStatus.NOT_FOUND
    assert failure.reason == "no published variable of the sources searched is called NONSENSE"


async def test_a_variable_chosen_in_a_clarification_is_looked_up_and_not_searched() -> None:
    finder = ScriptedFinder([document("POP"), document("DENSITY")])
    reading = ValueReading(entity=mention(INDIA), measure=POPULATION)
    asked = query(reading, assumptions={"measure": "DENSITY"})
    asked.append(await slots(asked, context()))
    asked.append(await discover(asked, context(finder), registry=REGISTRY))
    assert finder.asked == []
    assert [d.variable for _, found in asked.of(Discovered) for d in found.documents] == ["DENSITY"]


class RankingFinder(ScriptedFinder):
    """Replies as it is told to, a search after the other."""

    def __init__(self, *replies: FinderReply) -> None:
        super().__init__([])
        self.replies = list(replies)

    async def search(self, request, *, deadline) -> FinderReply:
        self.asked.append(request)
        return self.replies.pop(0)


def spent(usd: str) -> FinderUsage:
    return FinderUsage(seconds=0.5, model_calls=2, tokens=100, usd=usd)


async def test_a_search_is_repeated_without_the_rerank_that_discards_every_hit_and_both_are_paid_for() -> None:
    nothing = FinderReply(results=(), score_scale="rerank", eligibility="no_match", usage=spent("0.02"))
    found = (document("POP"), document("DENSITY"))
    plain = FinderReply(results=found, score_scale="embedding", eligibility="match", usage=spent("0"))
    finder = RankingFinder(nothing, plain)
    asked = query(ValueReading(entity=mention(INDIA), measure=POPULATION))
    asked.append(await slots(asked, context()))
    asked.append(await discover(asked, context(finder), registry=REGISTRY))
    assert [request.rerank for request in finder.asked] == [True, False]
    ((_, discovered),) = asked.of(Discovered)
    assert discovered.documents == found
    assert discovered.usage == FinderUsage(seconds=1.0, model_calls=4, tokens=200, usd="0.02")
    assert "no table passed the rerank; searched again without it" in discovered.notes


async def test_an_answer_says_that_no_model_ranked_the_tables_once() -> None:
    reply = FinderReply(
        results=(document("POP"),), score_scale="rerank", eligibility="match", stood_in="the provider is down"
    )
    finder = RankingFinder(reply, reply)
    reading = ComparisonReading(entities=(mention(INDIA), mention(CHINA)), measure=POPULATION)
    asked, asking = query(reading), context(finder)
    asked.append(await slots(asked, context()))
    await discover(asked, asking, registry=REGISTRY)
    (told,) = [line for line in asking.told if "ranking tables" in line]
    assert "(the provider is down); the finder's own order stands" in told


async def test_the_finder_may_spend_no_more_than_is_left_of_the_run() -> None:
    finder = ScriptedFinder([document("POP")])
    asked, asking = query(ValueReading(entity=mention(INDIA), measure=POPULATION)), context(finder)
    asking.budget.reserve(Decimal("0.25"))
    asking.budget.settle(reserved=Decimal("0.25"), usd=Decimal("0.25"), tokens=1, seconds=0.1)
    asked.append(await slots(asked, context()))
    await discover(asked, asking, registry=REGISTRY)
    assert [(request.stand_in, request.usd) for request in finder.asked] == [(True, Decimal("0.75"))]
