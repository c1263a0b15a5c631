"""Country facts, through the plugin's own contract and the snapshot of its services."""

import pytest

from plugins.countryfacts.client import ADJACENCY_URL, fetch_countries
from plugins.countryfacts.plugin import CountryFacts
from plugins.countryfacts.snapshot.responder import CountryFactsResponder
from plugins.countryfacts.tasks import BUILTIN_RULES
from shared.adapters.snapshot_transport import SnapshotTransport
from shared.models.builtin import BuiltinJudge
from shared.query.annotated import EntityResolved, Executed, PlannedRequest, Selected
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.identifiers import SlotId
from shared.query.quantity import Entity, PlaceKind
from shared.query.readings import EntityMention, PopulationMention
from shared.query.slots import Slot, SlotKind
from shared.runtime.context import RunContext
from shared.runtime.errors import RequestRejected
from shared.runtime.http import HttpRequest
from shared.text.places import by_code, by_name
from tests.support.stages import context as bare_context
from tests.support.stages import document, mention

PLUGIN = CountryFacts()


@pytest.fixture
def context() -> RunContext:
    made = bare_context()
    made.judges = (BuiltinJudge(BUILTIN_RULES),)
    made.transport = SnapshotTransport([CountryFactsResponder()])
    return made


def place(code: str) -> Entity:
    found = by_code(code)
    assert found is not None, code
    return found


def named(code: str) -> EntityMention:
    return mention(place(code))


async def answered(slot: Slot, variable: str, context: RunContext) -> Executed | Unanswerable:
    """Take one slot through the plugin."""
    chosen = await PLUGIN.choose(slot, [document(variable, "countryfacts")], question="", context=context)
    if isinstance(chosen, Unanswerable):
        return chosen
    resolved = await PLUGIN.resolve(slot, chosen, question="", context=context)
    if isinstance(resolved, Unanswerable):
        return resolved
    bound = await PLUGIN.bind(slot, chosen, resolved, context=context)
    assert isinstance(bound, list)
    planned = PlannedRequest(order=0, bound=bound[0], resolved=resolved, slot=slot)
    return await PLUGIN.execute(planned, context=context)


def members_slot(relation: str, entity: str | None, member: PlaceKind, container: str | None = None) -> Slot:
    return Slot(
        id=SlotId("slot:1"),
        kind=SlotKind.MEMBERS,
        role="members",
        relation=relation,
        entity=named(entity) if entity else None,
        population=PopulationMention(member=member, text="", container=named(container) if container else None),
    )


def fact_slot(relation: str, entity: str, other: str | None = None) -> Slot:
    return Slot(
        id=SlotId("slot:1"),
        kind=SlotKind.FACT,
        role="status",
        relation=relation,
        entity=named(entity),
        object=named(other) if other else None,
    )


def codes(result: Executed | Unanswerable) -> set[str]:
    assert isinstance(result, Executed), result
    return {cell.entity.code for cell in result.observations if cell.flag}


async def test_countries_that_border_india(context: RunContext) -> None:
    result = await answered(members_slot("borders", "IND", PlaceKind.COUNTRY), "borders", context)
    assert codes(result) == {"BGD", "BTN", "MMR", "CHN", "NPL", "PAK"}
    assert isinstance(result, Executed)
    (request,) = result.response.requests
    assert request.url.startswith("https://restcountries.com/v3.1/alpha?codes=IND&fields=")
    assert result.response.snapshot


async def test_us_states_that_border_canada_and_which_meet_it_only_in_water(context: RunContext) -> None:
    slot = members_slot("borders", "CAN", PlaceKind.US_STATE)
    result = await answered(slot, "us_state_borders", context)
    assert isinstance(result, Executed)
    names = {cell.entity.name for cell in result.observations}
    assert names == {
        *("Alaska", "Idaho", "Maine", "Michigan", "Minnesota", "Montana", "New Hampshire"),
        *("New York", "North Dakota", "Ohio", "Pennsylvania", "Vermont", "Washington"),
    }
    assert "Michigan, Ohio, Pennsylvania meet Canada only in water" in result.disclosures[0].text


async def test_states_that_border_texas_come_from_the_county_adjacency_file(context: RunContext) -> None:
    slot = members_slot("borders", "US-TX", PlaceKind.US_STATE)
    result = await answered(slot, "us_state_borders", context)
    assert isinstance(result, Executed)
    assert {cell.entity.name for cell in result.observations} == {
        "Arkansas",
        "Louisiana",
        "New Mexico",
        "Oklahoma",
    }
    assert result.response.requests[0].url == ADJACENCY_URL


@pytest.mark.parametrize(
    ("entity", "member", "variable"),
    [
        ("ISL", PlaceKind.COUNTRY, "borders"),
        ("JPN", PlaceKind.COUNTRY, "borders"),
        ("US-HI", PlaceKind.US_STATE, "us_state_borders"),
        ("JPN", PlaceKind.US_STATE, "us_state_borders"),
        ("US-KS", PlaceKind.COUNTRY, "borders"),
    ],
)
async def test_that_nobody_is_a_neighbour_is_stated_by_the_record(
    entity: str, member: PlaceKind, variable: str, context: RunContext
) -> None:
    slot = members_slot("borders", entity, member)
    result = await answered(slot, "us_state_borders" if entity.startswith("US-") else variable, context)
    assert isinstance(result, Executed), result
    assert result.observations == ()
    assert result.empty is not None
    assert (result.empty.entity, result.empty.text) == (place(entity), "none")


async def test_who_has_neighbours_has_no_such_statement(context: RunContext) -> None:
    result = await answered(members_slot("borders", "IND", PlaceKind.COUNTRY), "borders", context)
    assert isinstance(result, Executed)
    assert result.empty is None


async def test_members_of_the_european_union(context: RunContext) -> None:
    slot = members_slot("members", None, PlaceKind.COUNTRY, "EUU")
    result = await answered(slot, "membership", context)
    assert len(codes(result)) == 27
    assert {"DEU", "HRV"} <= codes(result)
    assert "GBR" not in codes(result)


async def test_countries_in_africa_are_the_54_members_of_the_un_and_territories_are_said(
    context: RunContext,
) -> None:
    slot = members_slot("members", None, PlaceKind.COUNTRY, "africa")
    result = await answered(slot, "membership", context)
    assert len(codes(result)) == 54
    assert isinstance(result, Executed)
    assert "Réunion" in result.disclosures[0].text


@pytest.mark.parametrize(
    ("relation", "variable", "entity", "other", "flag"),
    [
        ("landlocked", "landlocked", "NPL", None, True),
        ("landlocked", "landlocked", "IND", None, False),
        ("member", "membership", "NOR", "EUU", False),
        ("member", "membership", "NOR", "nato", True),
        ("borders", "borders", "FRA", "DEU", True),
        ("borders", "borders", "FRA", "POL", False),
        ("borders", "us_state_borders", "US-TX", "MEX", True),
        ("borders", "us_state_borders", "US-TX", "US-CA", False),
        ("un member", "membership", "CHE", None, True),
    ],
)
async def test_a_negative_fact_is_an_answer(
    relation: str, variable: str, entity: str, other: str | None, *, flag: bool, context: RunContext
) -> None:
    result = await answered(fact_slot(relation, entity, other), variable, context)
    assert isinstance(result, Executed), result
    assert result.observations[0].flag is flag


@pytest.mark.parametrize(
    ("relation", "variable", "entity", "text"),
    [
        ("capital", "capital", "FRA", "Paris"),
        ("capital", "us_state_capital", "US-TX", "Austin"),
        ("currency", "currency", "JPN", "Yen (JPY)"),
        ("region", "region", "KEN", "Eastern Africa, Africa"),
        ("official name", "capital", "IND", "Republic of India"),
    ],
)
async def test_a_fact_in_words(relation: str, variable: str, entity: str, text: str, context: RunContext) -> None:
    result = await answered(fact_slot(relation, entity), variable, context)
    assert isinstance(result, Executed), result
    assert result.observations[0].text == text


@pytest.mark.parametrize("group", ["HIC", "SAS"])
async def test_the_world_banks_own_groups_are_left_to_its_records(group: str, context: RunContext) -> None:
    for slot in (fact_slot("member", "IND", group), members_slot("members", None, PlaceKind.COUNTRY, group)):
        result = await answered(slot, "membership", context)
        assert isinstance(result, Unanswerable)
        assert result.status is FailureStatus.NOT_COVERED
        assert "told by the World Bank's own records" in result.reason


async def test_an_unknown_relation_lists_what_is_known(context: RunContext) -> None:
    result = await answered(fact_slot("national anthem", "FRA"), "capital", context)
    assert isinstance(result, Unanswerable)
    assert result.status is FailureStatus.NOT_FOUND
    assert "capital" in result.reason


async def test_the_service_says_not_found_for_an_unknown_code(context: RunContext) -> None:
    with pytest.raises(RequestRejected, match="knows no country with the code ZZZ"):
        await fetch_countries(["ZZZ"], context)


def test_without_codes_the_service_answers_bad_request() -> None:
    request = HttpRequest(url="https://restcountries.com/v3.1/alpha")
    assert CountryFactsResponder().respond(request).status == 400


async def test_only_offered_documents_are_chosen(context: RunContext) -> None:
    slot = fact_slot("capital", "FRA")
    chosen = await PLUGIN.choose(slot, [document("borders", "countryfacts")], question="", context=context)
    assert isinstance(chosen, Unanswerable)


async def test_resolution_during_execution_violates_the_phase(context: RunContext) -> None:
    slot = fact_slot("capital", "FRA")
    chosen = await PLUGIN.choose(slot, [document("capital", "countryfacts")], question="", context=context)
    assert isinstance(chosen, Selected)
    with (
        context.phase.during("execute", judging_allowed=False),
        pytest.raises(Exception, match="only code may decide"),
    ):
        await PLUGIN.resolve(slot, chosen, question="", context=context)
    assert isinstance(await PLUGIN.resolve(slot, chosen, question="", context=context), EntityResolved)


async def test_the_vatican_is_an_observer_at_the_united_nations_and_no_member(context: RunContext) -> None:
    result = await answered(fact_slot("un member", "VAT"), "membership", context)
    assert isinstance(result, Executed), result
    assert result.observations[0].flag is False


@pytest.mark.parametrize(("entity", "flag"), [("CHE", True), ("VAT", False)])
async def test_membership_of_the_united_nations_is_read_from_the_record(
    entity: str, *, flag: bool, context: RunContext
) -> None:
    united_nations = by_name("United Nations")
    assert united_nations is not None
    slot = fact_slot("member", entity).model_copy(update={"object": mention(united_nations)})
    result = await answered(slot, "membership", context)
    assert isinstance(result, Executed), result
    assert result.observations[0].flag is flag
