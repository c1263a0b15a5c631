"""Execution: what is returned is held against what was asked."""

from functions.discover.stage import discover
from functions.execute.stage import execute
from functions.plan.stage import plan
from functions.resolve_attributes.stage import resolve_attributes
from functions.resolve_entities.stage import resolve_entities
from functions.select.stage import select
from functions.slots.stage import slots
from plugins.base import Registry
from shared.query.annotated import AnnotatedQuery, Executed, PlannedRequest
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.readings import (
    ComparisonReading,
    MeasureMention,
    PeriodAsked,
    PeriodKindAsked,
    Reading,
    ValueReading,
)
from shared.runtime.errors import PublisherRefused
from tests.support.stages import (
    CHINA,
    INDIA,
    ScriptedFinder,
    ScriptedPlugin,
    context,
    document,
    mention,
    query,
    returned,
)

POPULATION = MeasureMention(text="population")
IN_2019 = PeriodAsked(kind=PeriodKindAsked.YEAR, start=2019)


async def run(plugin: ScriptedPlugin, reading: Reading, finder: ScriptedFinder | None = None) -> AnnotatedQuery:
    """Take a reading through every stage up to execute."""
    finder = finder or ScriptedFinder([document("POP")])
    asked, ctx, registry = query(reading), context(finder), Registry([plugin])
    asked.append(await slots(asked, ctx))
    asked.append(await discover(asked, ctx, registry=registry))
    asked.append(await select(asked, ctx, registry=registry))
    asked.append(await resolve_entities(asked, ctx, registry=registry))
    asked.append(await resolve_attributes(asked, ctx, registry=registry))
    asked.append(await plan(asked, ctx))
    with ctx.phase.during("execute", judging_allowed=False):
        asked.append(await execute(asked, ctx, registry=registry))
    return asked


async def test_a_requested_year_is_the_year_returned_or_the_source_is_refused() -> None:
    plugin = ScriptedPlugin(lambda planned: returned(planned, (INDIA, 2018, "1369003306")))
    asked = await run(plugin, ValueReading(entity=mention(INDIA), measure=POPULATION, period=IN_2019))
    assert asked.of(Executed) == []
    (failure,) = asked.failures()
    assert failure.status is FailureStatus.NO_DATA
    assert "2019 was asked for and 2018 was returned" in failure.reason


async def test_a_figure_for_another_entity_is_refused() -> None:
    plugin = ScriptedPlugin(lambda planned: returned(planned, (CHINA, 2019, "1407745000")))
    asked = await run(plugin, ValueReading(entity=mention(INDIA), measure=POPULATION, period=IN_2019))
    assert asked.of(Executed) == []
    assert "India was asked for and China was returned" in asked.failures()[0].reason


async def test_a_rejected_answer_falls_back_to_the_next_request_and_both_are_told() -> None:
    def answering(planned: PlannedRequest) -> Executed | Unanswerable:
        year = 2018 if planned.bound.measure.variable == "POP" else 2019
        return returned(planned, (INDIA, year, "1383112050"))

    plugin = ScriptedPlugin(answering)
    reading = ValueReading(entity=mention(INDIA), measure=POPULATION, period=IN_2019)
    asked = await run(plugin, reading, ScriptedFinder([document("POP"), document("POP2")]))
    assert [e.measure.variable for _, e in asked.of(Executed)] == ["POP2"]
    assert len(asked.failures()) == 1


async def test_compared_figures_are_brought_to_the_newest_year_that_all_report() -> None:
    def answering(planned: PlannedRequest) -> Executed | Unanswerable:
        entity = planned.resolved.entity
        assert entity is not None
        year = planned.slot.period.explicit_year or (2023 if entity == INDIA else 2021)
        return returned(planned, (entity, year, str(year)))

    plugin = ScriptedPlugin(answering)
    reading = ComparisonReading(entities=(mention(INDIA), mention(CHINA)), measure=POPULATION)
    asked = await run(plugin, reading)
    years = [str(e.observations[0].period) for _, e in asked.of(Executed)]
    assert years == ["2021", "2021"]
    assert any("2021 is the newest year" in note.text for note in asked.disclosures())


async def test_blocked_access_is_told_apart_from_missing_data() -> None:
    def answering(planned: PlannedRequest) -> Executed | Unanswerable:
        raise PublisherRefused("the daily quota of this API is used up")

    asked = await run(ScriptedPlugin(answering), ValueReading(entity=mention(INDIA), measure=POPULATION))
    (failure,) = asked.failures()
    assert failure.status is FailureStatus.BLOCKED
    assert "quota" in failure.reason
