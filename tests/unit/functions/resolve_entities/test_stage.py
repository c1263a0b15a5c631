"""Names that mean several places, or none."""

from collections.abc import Callable
from dataclasses import replace

from functions.discover.stage import discover
from functions.plan.stage import plan
from functions.resolve_attributes.stage import resolve_attributes
from functions.resolve_entities.denotation_task import BUILTIN_RULES
from functions.resolve_entities.denoting import MOST_NAMED
from functions.resolve_entities.stage import resolve_entities
from functions.select.stage import select
from functions.slots.stage import slots
from plugins.base import Publisher, Registry
from shared.models.builtin import BuiltinJudge
from shared.query.annotated import AnnotatedQuery, EntityResolved, Planned, Selected
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.quantity import Entity, PlaceKind
from shared.query.readings import (
    ComparisonReading,
    EntityMention,
    MeasureMention,
    PopulationMention,
    RankingReading,
    Reading,
    ValueReading,
)
from shared.query.slots import Slot
from shared.runtime.context import RunContext
from shared.text.places import by_code, find_mentions
from tests.support.stages import ScriptedFinder, ScriptedPlugin, context, document, query

POPULATION = MeasureMention(text="population")


class Anywhere(ScriptedPlugin):
    """A source that publishes every place."""

    async def resolve(
        self, slot: Slot, selected: Selected, *, question: str, context: RunContext
    ) -> EntityResolved | Unanswerable:
        return EntityResolved(entity=slot.entity.entity if slot.entity else None)


class CountriesOnly(ScriptedPlugin):
    """A source that publishes countries and says so for any other place."""

    async def resolve(
        self, slot: Slot, selected: Selected, *, question: str, context: RunContext
    ) -> EntityResolved | Unanswerable:
        entity = slot.entity.entity if slot.entity else None
        if entity is not None and entity.kind is not PlaceKind.COUNTRY:
            return Unanswerable(status=FailureStatus.NOT_COVERED, reason="countries only")
        return EntityResolved(entity=entity)


def place(code: str) -> Entity:
    found = by_code(code)
    assert found is not None
    return found


def several(text: str, *codes: str) -> EntityMention:
    return EntityMention(text=text, status="ambiguous", candidates=tuple(place(code) for code in codes))


async def planned(
    reading: Reading,
    plugin: type[ScriptedPlugin] = CountriesOnly,
    *,
    say: Callable[[str], None] = lambda _: None,
    **options: object,
) -> AnnotatedQuery:
    registry = Registry([plugin(lambda _: Unanswerable(status=FailureStatus.NO_DATA, reason="none"))])
    asked = query(reading, **options)
    ctx = replace(context(ScriptedFinder([document("POP")])), judges=(BuiltinJudge(BUILTIN_RULES),), say=say)
    asked.append(await slots(asked, ctx))
    asked.append(await discover(asked, ctx, registry=registry))
    asked.append(await select(asked, ctx, registry=registry))
    asked.append(await resolve_entities(asked, ctx, registry=registry))
    asked.append(await resolve_attributes(asked, ctx, registry=registry))
    asked.append(await plan(asked, ctx))
    return asked


class OfABureau(Anywhere):
    """A source whose publisher takes an article in a sentence."""

    publisher = Publisher(name="US Census Bureau", aliases=(), licence="CC0", home="https://scripted.example")


async def test_a_publisher_and_a_place_take_their_article_in_notes_and_progress() -> None:
    told: list[str] = []
    world = EntityMention(text="the world", status="resolved", entity=place("WLD"))
    await planned(ValueReading(entity=world, measure=POPULATION), OfABureau, say=told.append)
    assert "“population” is published by the US Census Bureau as: POP" in told
    assert any(text.startswith("the US Census Bureau knows the world as ") for text in told)
    asked = await planned(ValueReading(entity=several("Georgia", "GEO", "US-GA"), measure=POPULATION), OfABureau)
    (note,) = [d.text for d in asked.disclosures() if "may mean" in d.text]
    assert "; the US Census Bureau was asked about " in note


async def test_georgia_is_the_country_where_only_countries_are_published_and_the_answer_says_so() -> None:
    asked = await planned(ValueReading(entity=several("Georgia", "GEO", "US-GA"), measure=POPULATION))
    assert [r.entity.name for _, r in asked.of(EntityResolved) if r.entity] == ["Georgia"]
    assert any("“Georgia” may mean Georgia (country), Georgia (US state)" in d.text for d in asked.disclosures())


async def test_two_countries_of_one_name_are_both_planned_and_told_apart() -> None:
    asked = await planned(ValueReading(entity=several("Congo", "COD", "COG"), measure=POPULATION))
    assert [p.meaning for _, p in asked.of(Planned)] == ["POP@COD", "POP@COG"]
    for _, plan_of_one in asked.of(Planned):
        (request,) = plan_of_one.requests
        assert request.resolved.entity is not None
        assert request.bound.locator["entity"] == request.resolved.entity.code


async def test_a_clarified_entity_is_the_only_one_asked_for() -> None:
    asked = await planned(
        ValueReading(entity=several("Congo", "COD", "COG"), measure=POPULATION),
        assumptions={"entity": "COG"},
    )
    assert [r.entity.code for _, r in asked.of(EntityResolved) if r.entity] == ["COG"]


async def test_a_choice_of_an_entity_that_is_not_meant_is_refused_with_those_that_are() -> None:
    asked = await planned(
        ValueReading(entity=several("Congo", "COD", "COG"), measure=POPULATION), assumptions={"entity": "FRA"}
    )
    (failure,) = asked.failures()
    assert "the assumed entity FRA is none that is meant" in failure.reason
    assert "COG" in failure.reason


async def test_a_clarified_container_is_the_one_whose_members_are_asked_for() -> None:
    seen: list[Slot] = []

    class Remembering(CountriesOnly):
        async def resolve(
            self, slot: Slot, selected: Selected, *, question: str, context: RunContext
        ) -> EntityResolved | Unanswerable:
            seen.append(slot)
            return await super().resolve(slot, selected, question=question, context=context)

    registry = Registry([Remembering(lambda _: Unanswerable(status=FailureStatus.NO_DATA, reason="none"))])
    cities = PopulationMention(
        member=PlaceKind.CITY, text="cities in Georgia", container=several("Georgia", "GEO", "US-GA")
    )
    asked = query(RankingReading(population=cities, measure=POPULATION), assumptions={"entity": "13"})
    ctx = context(ScriptedFinder([document("POP")]))
    asked.append(await slots(asked, ctx))
    asked.append(await discover(asked, ctx, registry=registry))
    asked.append(await select(asked, ctx, registry=registry))
    asked.append(await resolve_entities(asked, ctx, registry=registry))
    (slot,) = seen
    assert slot.population is not None
    assert slot.population.container is not None
    assert slot.population.container.entity == place("US-GA")


async def test_an_unknown_place_is_not_guessed_and_near_names_are_offered() -> None:
    mention = EntityMention(text="Wakandia", status="unknown")
    asked = await planned(ValueReading(entity=mention, measure=POPULATION))
    (failure,) = asked.failures()
    assert failure.status is FailureStatus.UNKNOWN_ENTITY
    assert "“Wakandia”" in failure.reason


async def test_a_population_needs_no_entity() -> None:
    reading = RankingReading(
        population=PopulationMention(member=PlaceKind.COUNTRY, text="countries"), measure=POPULATION
    )
    asked = await planned(reading)
    assert len(asked.of(Planned)) == 1


async def test_of_many_places_of_one_name_the_first_are_asked_about_and_the_others_are_counted() -> None:
    counties = find_mentions("population of Washington County")[0].mention
    asked = await planned(ValueReading(entity=counties, measure=POPULATION), Anywhere)
    named = [r.entity for _, r in asked.of(EntityResolved) if r.entity]
    assert named == list(counties.candidates[:MOST_NAMED])
    more = len(counties.candidates) - MOST_NAMED
    (note,) = [d.text for d in asked.disclosures() if "may mean" in d.text]
    assert f"{counties.candidates[MOST_NAMED - 1].name} (US county) and {more} more; " in note


async def test_the_first_that_is_covered_is_taken_where_one_is_wanted_however_far_down_it_stands() -> None:
    mention = several("Georgia", "US-GA", "US-CA", "US-TX", "GEO", "FRA")
    india = EntityMention(text="India", status="resolved", entity=place("IND"))
    reading = ComparisonReading(entities=(mention, india), measure=POPULATION)
    asked = await planned(reading)
    assert [r.entity.code for _, r in asked.of(EntityResolved) if r.entity] == ["GEO", "IND"]
