"""Sources that pass on others' figures are asked after them, and paired figures come from one dataset."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from functions.discover.stage import discover
from functions.execute.stage import execute
from functions.plan.stage import plan
from functions.resolve_attributes.stage import resolve_attributes
from functions.resolve_entities.stage import resolve_entities
from functions.select.stage import select
from functions.slots.stage import slots
from plugins.base import Registry
from shared.query.annotated import (
    AnnotatedQuery,
    Bound,
    EntityResolved,
    Executed,
    Planned,
    PlannedRequest,
    Selected,
)
from shared.query.discovery import TableDocument
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.material import Material
from shared.query.quantity import Entity
from shared.query.readings import (
    ComparisonReading,
    MeasureMention,
    RatioReading,
    Reading,
    TrendReading,
    ValueReading,
)
from shared.query.slots import Slot
from shared.runtime.context import RunContext
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
NOTHING = Unanswerable(status=FailureStatus.NO_DATA, reason="no figure")
NOWHERE = Unanswerable(status=FailureStatus.NOT_COVERED, reason="not this place")
Figures = Callable[[PlannedRequest], Executed | Unanswerable]


class Copying(ScriptedPlugin):
    """Passes on what others publish."""

    name: ClassVar[str] = "copying"

    async def bind(
        self, slot: Slot, selected: Selected, resolved: EntityResolved, *, context: RunContext
    ) -> list[Bound] | Unanswerable:
        bound = await super().bind(slot, selected, resolved, context=context)
        assert not isinstance(bound, Unanswerable)
        return [one.model_copy(update={"republished": True}) for one in bound]


class OnlyIndia(ScriptedPlugin):
    """Covers one place."""

    async def resolve(
        self, slot: Slot, selected: Selected, *, question: str, context: RunContext
    ) -> EntityResolved | Unanswerable:
        found = await super().resolve(slot, selected, question=question, context=context)
        return found if isinstance(found, EntityResolved) and found.entity == INDIA else NOWHERE


def copied(variable: str) -> TableDocument:
    return document(variable).model_copy(update={"source": "copying", "identifier": f"urn:copying:{variable}"})


def figure(year: int = 2020, value: str = "5") -> Figures:
    def answering(planned: PlannedRequest) -> Executed:
        entity = planned.resolved.entity
        assert entity is not None
        return returned(planned, (entity, year, value)).model_copy(update={"response": _response(planned)})

    return answering


def _response(planned: PlannedRequest) -> object:
    entity = planned.resolved.entity
    assert entity is not None
    whole = returned(planned, (entity, 2020, "1")).response
    return whole.model_copy(update={"source": planned.bound.plugin})


async def run(plugins: list[ScriptedPlugin], reading: Reading, documents: list[TableDocument]) -> AnnotatedQuery:
    asked, ctx, registry = query(reading), context(ScriptedFinder(documents)), Registry(plugins)
    asked.append(await slots(asked, ctx))
    for stage in (discover, select, resolve_entities, resolve_attributes):
        asked.append(await stage(asked, ctx, registry=registry))
    asked.append(await plan(asked, ctx))
    asked.append(await execute(asked, ctx, registry=registry))
    return asked


def answered(asked: AnnotatedQuery) -> list[str]:
    return [executed.response.source for _, executed in asked.of(Executed)]


BOTH = [document("POP"), copied("COPY")]
VALUE = ValueReading(entity=mention(INDIA), measure=POPULATION)


async def test_the_original_publisher_answers_alone_and_the_copy_is_not_asked() -> None:
    original, copy = ScriptedPlugin(figure()), Copying(figure())
    asked = await run([original, copy], VALUE, BOTH)
    assert answered(asked) == ["scripted"]
    assert copy.executed == []
    assert [planned.tier for _, planned in asked.of(Planned)] == [1, 0]


async def test_the_copy_answers_where_the_original_has_nothing() -> None:
    asked = await run([ScriptedPlugin(lambda _: NOTHING), Copying(figure())], VALUE, BOTH)
    assert answered(asked) == ["copying"]
    assert [failure.source for failure in asked.failures()] == ["scripted"]


async def test_a_course_of_one_figure_is_none_and_the_copy_is_asked_for_it() -> None:
    def course(*years: int) -> Figures:
        def answering(planned: PlannedRequest) -> Executed:
            made = returned(planned, *((INDIA, year, "5") for year in years))
            return made.model_copy(update={"response": _response(planned)})

        return answering

    reading = TrendReading(entities=(mention(INDIA),), measure=POPULATION)
    asked = await run([ScriptedPlugin(course(2017)), Copying(course(2016, 2017))], reading, BOTH)
    assert answered(asked) == ["copying"]
    asked = await run([ScriptedPlugin(course(2016, 2017)), Copying(course(2015, 2016))], reading, BOTH)
    assert answered(asked) == ["scripted"]
    asked = await run([ScriptedPlugin(course(2017)), Copying(course(2016))], reading, BOTH)
    assert answered(asked) == ["scripted"]


async def test_what_was_not_needed_is_not_missed() -> None:
    asked = await run([ScriptedPlugin(figure()), Copying(figure())], VALUE, BOTH)
    (unserved,) = Material.of(asked).unserved.values()
    assert unserved == ()


async def test_places_that_are_compared_come_from_one_source() -> None:
    reading = ComparisonReading(entities=(mention(INDIA), mention(CHINA)), measure=POPULATION)
    asked = await run([OnlyIndia(figure()), Copying(figure())], reading, BOTH)
    assert answered(asked) == ["copying", "copying"]


async def test_the_copy_serves_all_compared_places_where_the_original_has_one_of_them() -> None:
    def only_india(planned: PlannedRequest) -> Executed | Unanswerable:
        return figure()(planned) if planned.resolved.entity == INDIA else NOTHING

    reading = ComparisonReading(entities=(mention(INDIA), mention(CHINA)), measure=POPULATION)
    asked = await run([ScriptedPlugin(only_india), Copying(figure())], reading, BOTH)
    assert answered(asked) == ["copying", "copying"]


def surveys(**figures: dict[str, int]) -> Figures:
    """A source with the years of each dataset by variable; the first dataset is what it answers by itself."""

    def answering(planned: PlannedRequest) -> Executed | Unanswerable:
        variable, entity = planned.bound.measure.variable, planned.resolved.entity
        assert isinstance(entity, Entity)
        years = figures[variable]
        dataset = planned.dataset or next(iter(years))
        if dataset not in years or planned.slot.period.explicit_year not in {None, years[dataset]}:
            return NOTHING
        made = returned(planned, (entity, years[dataset], "5"))
        update = {"dataset": dataset, "datasets": tuple(years)}
        return made.model_copy(update={"response": made.response.model_copy(update=update)})

    return answering


RATIO = RatioReading(
    numerator_entity=mention(INDIA),
    numerator=MeasureMention(text="women"),
    denominator_entity=mention(INDIA),
    denominator=POPULATION,
)


async def datasets(answering: Figures) -> list[tuple[str | None, int | None]]:
    asked = await run([ScriptedPlugin(answering)], RATIO, [document("W")])
    return [(executed.response.dataset, executed.year) for _, executed in asked.of(Executed)]


async def test_parts_of_a_ratio_come_from_the_dataset_that_both_have() -> None:
    def answering(planned: PlannedRequest) -> Executed | Unanswerable:
        top = planned.slot.role == "numerator"
        return surveys(W={"a": 2017} if top else {"b": 2023, "a": 2017})(planned)

    assert await datasets(answering) == [("a", 2017), ("a", 2017)]


async def test_a_common_dataset_without_a_common_year_is_not_taken() -> None:
    def answering(planned: PlannedRequest) -> Executed | Unanswerable:
        top = planned.slot.role == "numerator"
        return surveys(W={"b": 2023, "a": 2017} if top else {"c": 2023, "a": 2015})(planned)

    assert await datasets(answering) == [("b", 2023), ("c", 2023)]
