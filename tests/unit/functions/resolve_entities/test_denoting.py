"""A name of several things: the question settles it, leaves it open, or means something else."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from functions.discover.stage import discover
from functions.resolve_entities.denotation_task import BUILTIN_RULES
from functions.resolve_entities.stage import resolve_entities
from functions.select.stage import select
from functions.slots.stage import slots
from plugins.base import Registry
from shared.models.builtin import BuiltinJudge
from shared.query.annotated import AnnotatedQuery, EntityResolved
from shared.query.evidence import FailureStatus
from shared.query.quantity import PlaceKind
from shared.query.readings import (
    ComparisonReading,
    EntityMention,
    MeasureMention,
    PopulationMention,
    RankingReading,
    Reading,
    ValueReading,
)
from shared.runtime.errors import ModelUnavailable
from tests.support.stages import ScriptedFinder, ScriptedPlugin, context, document, mention, query
from tests.unit.functions.discover.test_publishers import Model
from tests.unit.functions.resolve_entities.test_stage import place, several

PEOPLE = MeasureMention(text="population")
GEORGIA = several("Georgia", "GEO", "US-GA")
VALUE = ValueReading(entity=GEORGIA, measure=PEOPLE)
STATE, COUNTRY = place("US-GA").code, place("GEO").code


async def resolved(reading: Reading, *judges: Any, **options: Any) -> tuple[AnnotatedQuery, Any, ScriptedPlugin]:
    plugin = Remembering(lambda _planned: (_ for _ in ()).throw(AssertionError("not executed")))
    registry = Registry([plugin])
    run = replace(context(ScriptedFinder([document("POP")])), judges=(*judges, BuiltinJudge(BUILTIN_RULES)))
    asked = query(reading, **options)
    asked.append(await slots(asked, run))
    for stage in (discover, select, resolve_entities):
        asked.append(await stage(asked, run, registry=registry))
    return asked, run, plugin


class Remembering(ScriptedPlugin):
    def __init__(self, answering: Any) -> None:
        super().__init__(answering)
        self.resolving: list[Any] = []

    async def resolve(self, slot: Any, selected: Any, *, question: str, context: Any) -> Any:
        self.resolving.append(slot)
        return await super().resolve(slot, selected, question=question, context=context)


def names(asked: AnnotatedQuery) -> list[str]:
    return [found.entity.code for _, found in asked.of(EntityResolved) if found.entity]


async def test_what_the_question_means_is_the_only_one_asked_for_and_the_answer_says_so() -> None:
    asked, _, _ = await resolved(VALUE, Model({"meant": [STATE]}))
    assert names(asked) == [STATE]
    assert [note.text for note in asked.disclosures()] == [
        "“Georgia” may mean Georgia (country), Georgia (US state); the question is taken to mean Georgia (US state)"
    ]


async def test_a_name_that_the_question_leaves_open_is_asked_for_as_each() -> None:
    asked, _, _ = await resolved(VALUE, Model({"meant": [STATE, COUNTRY]}))
    assert names(asked) == [STATE, COUNTRY]


async def test_a_name_of_two_slots_is_judged_once() -> None:
    model = Model({"meant": [STATE]})
    reading = ComparisonReading(entities=(GEORGIA, GEORGIA, mention(place("US-AL"))), measure=PEOPLE)
    asked, _, _ = await resolved(reading, model)
    assert len(model.asked) == 1
    assert names(asked) == [STATE, STATE, place("US-AL").code]


async def test_an_id_that_was_not_offered_is_told_once_and_then_a_visible_failure() -> None:
    model = Model({"meant": ["XX"]}, {"meant": ["XX"]})
    asked, _, plugin = await resolved(VALUE, model)
    assert model.hints == [None, f"a candidate is meant that was not offered; on offer are {STATE}, {COUNTRY}"]
    (failure,) = asked.failures()
    assert failure.status is FailureStatus.AMBIGUOUS
    assert "“Georgia” means could not be told: m broke the contract of choose_denotation.v1 twice" in failure.reason
    assert plugin.resolving == []


async def test_one_broken_reply_is_made_good_by_the_second() -> None:
    asked, _, _ = await resolved(VALUE, Model({"meant": [STATE, STATE]}, {"meant": [STATE]}))
    assert names(asked) == [STATE]


async def test_without_a_provider_every_candidate_stays_and_the_answer_says_so() -> None:
    asked, run, _ = await resolved(VALUE, Model(ModelUnavailable("no line")))
    assert names(asked) == [COUNTRY, STATE]
    assert "no language model could be asked for telling what a name of several things means" in run.told[0]


async def test_a_name_that_means_none_of_the_candidates_is_refused() -> None:
    asked, _, plugin = await resolved(VALUE, Model({"meant": []}))
    assert plugin.resolving == []
    assert "none of those called “Georgia” is the one that is meant" in asked.failures()[0].reason


async def test_what_the_caller_has_chosen_is_not_judged_again() -> None:
    model = Model()
    asked, _, _ = await resolved(VALUE, model, assumptions={"entity": STATE})
    assert model.asked == []
    assert names(asked) == [STATE]


async def test_a_container_of_members_is_judged_as_well() -> None:
    counties = PopulationMention(member=PlaceKind.US_COUNTY, text="counties of Georgia", container=GEORGIA)
    _, _, plugin = await resolved(RankingReading(population=counties, measure=PEOPLE), Model({"meant": [STATE]}))
    container = plugin.resolving[0].population.container
    assert container == EntityMention(text="Georgia", status="resolved", entity=place("US-GA"))
