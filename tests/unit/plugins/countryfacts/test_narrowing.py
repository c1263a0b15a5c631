"""Sets of countries narrowed by a fact, from the record of each country."""

from __future__ import annotations

import pytest

from plugins.countryfacts.client import fetch_every_country
from plugins.countryfacts.narrowing import NARROWINGS, narrowing_of
from plugins.countryfacts.plugin import CountryFacts
from plugins.countryfacts.snapshot.responder import CountryFactsResponder
from shared.adapters.snapshot_transport import SnapshotTransport
from shared.query.annotated import Executed, PlannedRequest
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.identifiers import SlotId
from shared.query.quantity import PlaceKind
from shared.query.readings import EntityMention, PopulationMention
from shared.query.slots import FILTER, Slot, SlotKind
from shared.runtime.context import RunContext
from shared.runtime.http import HttpRequest
from shared.text.places import by_code, by_name
from tests.support.stages import context as bare_context
from tests.support.stages import document, mention

PLUGIN = CountryFacts()


@pytest.fixture
def context() -> RunContext:
    made = bare_context()
    made.transport = SnapshotTransport([CountryFactsResponder()])
    return made


def named(name: str) -> EntityMention:
    entity = by_code(name) or by_name(name)
    assert entity is not None
    return mention(entity)


async def listed(
    fact: str,
    context: RunContext,
    container: str | None = None,
    *,
    role: str = "members",
    borders: str | None = None,
) -> Executed | Unanswerable:
    population = PopulationMention(
        member=PlaceKind.COUNTRY,
        text=f"{fact} countries",
        container=named(container) if container else None,
        fact_filter=fact,
    )
    slot = Slot(
        id=SlotId("slot:1"),
        kind=SlotKind.MEMBERS,
        role=role,
        relation="borders" if borders else "members",
        population=population,
        entity=named(borders) if borders else None,
    )
    offered = [document("borders" if borders else "membership", "countryfacts")]
    chosen = await PLUGIN.choose(slot, offered, question="", context=context)
    if isinstance(chosen, Unanswerable):
        return chosen
    resolved = await PLUGIN.resolve(slot, chosen, question="", context=context)
    assert not isinstance(resolved, Unanswerable), resolved
    bound = await PLUGIN.bind(slot, chosen, resolved, context=context)
    assert isinstance(bound, list)
    return await PLUGIN.execute(
        PlannedRequest(order=0, bound=bound[0], resolved=resolved, slot=slot), context=context
    )


def names(result: Executed | Unanswerable) -> list[str]:
    assert isinstance(result, Executed), result
    return [cell.entity.name for cell in result.observations]


async def test_the_landlocked_countries_of_a_continent(context: RunContext) -> None:
    result = await listed("landlocked", context, "Africa")
    assert len(names(result)) == 16
    assert {"Ethiopia", "South Sudan", "Lesotho"} <= set(names(result))
    assert isinstance(result, Executed)
    assert result.measure.variable == "landlocked"
    told = " | ".join(note.text for note in result.disclosures)
    assert "which countries are landlocked is read from the record of each" in told
    assert "the United Nations' M49 standard" in told


async def test_the_landlocked_countries_of_the_world(context: RunContext) -> None:
    found = names(await listed("land-locked", context))
    assert {"Nepal", "Bolivia", "Switzerland"} <= set(found)
    assert "Kosovo" not in found
    assert found == sorted(found)


async def test_a_list_beside_figures_has_whomever_the_fact_holds_of(context: RunContext) -> None:
    assert "Kosovo" in names(await listed("landlocked", context, role=FILTER))


async def test_doubly_landlocked_is_a_neighbour_of_landlocked_countries_only(context: RunContext) -> None:
    assert names(await listed("doubly landlocked", context)) == ["Liechtenstein", "Uzbekistan"]


async def test_a_carried_list_narrows_a_continent(context: RunContext) -> None:
    found = names(await listed("least developed", context, "Asia"))
    assert {"Nepal", "Bangladesh", "Yemen"} <= set(found)
    assert "India" not in found


async def test_an_income_group_is_narrowed_by_what_its_publisher_cannot_tell(context: RunContext) -> None:
    found = names(await listed("landlocked", context, "LIC"))
    assert {"Chad", "Malawi"} <= set(found)
    assert "Switzerland" not in found


async def test_neighbours_are_narrowed_too(context: RunContext) -> None:
    assert names(await listed("landlocked", context, borders="Ethiopia")) == ["South Sudan"]


async def test_nobody_is_stated_by_the_records(context: RunContext) -> None:
    result = await listed("landlocked", context, "Oceania")
    assert isinstance(result, Executed)
    assert result.observations == ()
    assert result.empty is not None
    assert result.empty.entity.name == "Oceania"


async def test_an_unknown_fact_is_refused_with_what_is_known(context: RunContext) -> None:
    why = await listed("island", context, "Asia")
    assert isinstance(why, Unanswerable)
    assert why.status is FailureStatus.NOT_COVERED
    assert all(one.label in why.reason for one in NARROWINGS)


async def test_neighbours_include_kosovo_by_its_usual_code(context: RunContext) -> None:
    every = await fetch_every_country(context)
    assert "XKX" in every.value
    assert "XKX" in every.value["SRB"].borders


@pytest.mark.parametrize("query", ["", "?fields=a,b,c,d,e,f,g,h,i,j,k"])
def test_all_countries_are_served_with_at_most_ten_fields(query: str) -> None:
    fields = query.removeprefix("?fields=")
    request = HttpRequest(url="https://restcountries.com/v3.1/all", params=(("fields", fields),) if fields else ())
    assert CountryFactsResponder().respond(request).status == 400


@pytest.mark.parametrize(
    ("words", "variable"),
    [("Land-locked", "landlocked"), ("UN members", "un_member"), ("least developed countries", "least_developed")],
)
def test_how_a_question_says_a_fact(words: str, variable: str) -> None:
    narrowing = narrowing_of(words)
    assert narrowing is not None
    assert narrowing.variable == variable
