"""A fact that narrows a population is asked for by itself, beside the figures."""

import pytest

from functions.slots.table import slots_for
from shared.query.quantity import PlaceKind
from shared.query.readings import (
    AggregateOperation,
    AggregateReading,
    CorrelationReading,
    EntityMention,
    ItemListReading,
    MeasureMention,
    PopulationMention,
    RankingReading,
)
from shared.query.slots import FILTER, SlotKind
from shared.text.places import by_name

GDP, LIFE = MeasureMention(text="gdp"), MeasureMention(text="life expectancy")


def mention(name):
    return EntityMention(text=name, status="resolved", entity=by_name(name))


def population(fact, container=None, member=PlaceKind.COUNTRY):
    inside = mention(container) if container else None
    return PopulationMention(member=member, text=f"{fact} countries", container=inside, fact_filter=fact)


def test_figures_are_asked_for_without_the_fact_and_a_list_stands_beside_them():
    landlocked = population("landlocked", "Africa")
    figures, fact = slots_for(RankingReading(population=landlocked, measure=GDP))
    assert (figures.kind, figures.population.fact_filter) == (SlotKind.POPULATION, None)
    assert figures.population.container == mention("Africa")
    assert figures.population.text == "landlocked countries"
    assert (fact.kind, fact.role, fact.relation) == (SlotKind.MEMBERS, FILTER, "members")
    assert fact.population == landlocked
    assert figures.id != fact.id


def test_two_measures_of_one_set_share_its_list():
    made = slots_for(CorrelationReading(population=population("landlocked"), x=GDP, y=LIFE))
    assert [slot.role for slot in made] == ["x", "y", FILTER]


@pytest.mark.parametrize("fact", ["low income", "developing"])
def test_classes_of_income_are_left_to_the_publisher_of_the_figures(fact):
    (figures,) = slots_for(RankingReading(population=population(fact), measure=GDP))
    assert figures.population.fact_filter == fact


def test_sets_of_other_kinds_keep_their_facts():
    charities = population("active", member=PlaceKind.ORGANIZATION)
    (figures,) = slots_for(RankingReading(population=charities, measure=GDP))
    assert figures.population.fact_filter == "active"


def test_a_list_keeps_its_fact():
    landlocked = population("landlocked", "Africa")
    (members,) = slots_for(ItemListReading(relation="members", population=landlocked))
    assert members.population == landlocked


def test_the_neighbours_of_a_country_are_counted_by_the_relation():
    (members,) = slots_for(
        AggregateReading(operation=AggregateOperation.COUNT, population=population("borders", "Germany"))
    )
    assert (members.relation, members.entity) == ("borders", mention("Germany"))
    assert members.population.container is None
    assert members.population.fact_filter is None


def test_figures_of_the_neighbours_are_narrowed_to_them():
    figures, fact = slots_for(
        AggregateReading(operation=AggregateOperation.SUM, population=population("borders", "Germany"), measure=GDP)
    )
    assert figures.population.container is None
    assert (fact.role, fact.relation, fact.entity) == (FILTER, "borders", mention("Germany"))
