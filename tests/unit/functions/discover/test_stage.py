"""Discovery: one search a measure, and only where it is allowed to search."""

from dataclasses import replace

from functions.discover.builtin_rules import BUILTIN_RULES
from functions.discover.stage import discover
from functions.slots.stage import slots
from plugins.base import Registry
from shared.models.builtin import BuiltinJudge
from shared.query.annotated import Discovered, Failed
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
