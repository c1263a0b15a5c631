"""Facts and members are read from the World Bank's own record of a country, with the request that brought them."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from typing import Any, cast
from urllib.parse import parse_qsl, urlsplit

import pytest

from plugins.choice.builtin_rules import BUILTIN_RULES
from plugins.worldbank.classes import GROUPS
from plugins.worldbank.plugin import WorldBankPlugin
from plugins.worldbank.snapshot.responder import WorldBankResponder
from shared.adapters.snapshot_transport import SnapshotTransport
from shared.models.builtin import BuiltinJudge
from shared.query.annotated import AskOptions, Executed, PlannedRequest
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.identifiers import SlotId
from shared.query.quantity import PlaceKind
from shared.query.readings import EntityMention, MeasureMention, PopulationMention
from shared.query.slots import Slot, SlotKind
from shared.runtime.context import RunContext
from shared.runtime.deadline import Deadline
from shared.runtime.errors import ResponseMalformed
from shared.runtime.http import HttpRequest, HttpResponse
from shared.text.places import by_code, members
from tests.support.stages import document

PLUGIN = WorldBankPlugin()
TABLES = [
    document(name, "worldbank") for name in ("income_level", "region", "lending_type", "capital", "membership")
]


def context_of(responder: WorldBankResponder) -> RunContext:
    unused = cast("Any", None)
    return RunContext(
        options=AskOptions(),
        deadline=Deadline.after(30),
        transport=SnapshotTransport([responder]),
        finder=unused,
        embedder=unused,
        judges=[BuiltinJudge(BUILTIN_RULES)],
        panel=[],
        say=lambda _: None,
        today=lambda: date(2026, 11, 30),
    )


@pytest.fixture
def context() -> RunContext:
    return context_of(WorldBankResponder())


def place(code: str) -> EntityMention:
    entity = by_code(code)
    assert entity is not None, code
    return EntityMention(text=entity.name, status="resolved", entity=entity)


def fact(relation: str, entity: str, other: str | None = None) -> Slot:
    return Slot(
        id=SlotId("slot:1"),
        kind=SlotKind.FACT,
        role="status",
        relation=relation,
        entity=place(entity),
        object=place(other) if other else None,
    )


def listing(container: str | None = None, narrowed: str | None = None, **more: Any) -> Slot:
    population = PopulationMention(
        member=more.get("member", PlaceKind.COUNTRY),
        text="countries",
        container=place(container) if container else None,
        fact_filter=narrowed,
    )
    relation = more.get("relation", "members")
    return Slot(
        id=SlotId("slot:1"), kind=SlotKind.MEMBERS, role="members", relation=relation, population=population
    )


async def answered(slot: Slot, context: RunContext) -> Executed | Unanswerable:
    """Take one slot through the plugin."""
    chosen = await PLUGIN.choose(slot, TABLES, question="", context=context)
    if isinstance(chosen, Unanswerable):
        return chosen
    resolved = await PLUGIN.resolve(slot, chosen, question="", context=context)
    if isinstance(resolved, Unanswerable):
        return resolved
    bound = await PLUGIN.bind(slot, chosen, resolved, context=context)
    assert isinstance(bound, list)
    planned = PlannedRequest(order=0, bound=bound[0], resolved=resolved, slot=slot)
    return await PLUGIN.execute(planned, context=context)


def asked_of(result: Executed) -> tuple[str, dict[str, str]]:
    """Path and parameters of the one request, without paging."""
    (request,) = result.response.requests
    parts = urlsplit(request.url)
    assert parts.netloc == "api.worldbank.org"
    params = dict(parse_qsl(parts.query))
    assert params.pop("format") == "json"
    assert params.pop("page") == "1"
    assert int(params.pop("per_page")) >= 300
    return parts.path, params


@pytest.mark.parametrize(
    ("relation", "entity", "text"),
    [
        ("income group", "IND", "Lower middle income"),
        ("income level", "KEN", "Lower middle income"),
        ("income level", "VEN", "Not classified"),
        ("capital", "FRA", "Paris"),
        ("region", "AFG", "Middle East, North Africa, Afghanistan & Pakistan"),
        ("region", "KEN", "Sub-Saharan Africa"),
        ("lending type", "KEN", "Blend"),
    ],
)
async def test_a_fact_is_what_the_countrys_record_says(
    relation: str, entity: str, text: str, context: RunContext
) -> None:
    result = await answered(fact(relation, entity), context)
    assert isinstance(result, Executed), result
    (cell,) = result.observations
    assert cell.text == text
    assert cell.entity.code == entity
    assert asked_of(result) == (f"/v2/country/{entity}", {})
    assert result.response.publisher == "World Bank"
    assert result.response.snapshot


@pytest.mark.parametrize(
    ("relation", "entity", "group", "flag"),
    [
        ("low income", "KEN", None, False),
        ("low income", "MOZ", None, True),
        ("developing", "CHN", None, True),
        ("member", "VNM", "HIC", False),
        ("member", "CHL", "HIC", True),
        ("member", "IND", "MIC", True),
        ("member", "NPL", "SAS", True),
        ("member", "AFG", "SAS", False),
        ("member", "KEN", "SSF", True),
        ("member", "KEN", "IDA", True),
        ("income group", "IND", "LMC", True),
    ],
)
async def test_a_country_outside_the_group_is_an_answer_like_one_in_it(
    relation: str, entity: str, group: str | None, *, flag: bool, context: RunContext
) -> None:
    result = await answered(fact(relation, entity, group), context)
    assert isinstance(result, Executed), result
    assert result.observations[0].flag is flag
    assert asked_of(result) == (f"/v2/country/{entity}", {})


async def test_a_no_says_what_the_record_has_instead(context: RunContext) -> None:
    result = await answered(fact("member", "VNM", "HIC"), context)
    assert isinstance(result, Executed)
    assert [note.text for note in result.disclosures] == [
        "the World Bank's income level of Vietnam is Lower middle income"
    ]


async def test_what_developing_is_read_as_is_said(context: RunContext) -> None:
    result = await answered(fact("developing", "CHN"), context)
    assert isinstance(result, Executed)
    assert "“developing” is read as the World Bank's income level: Low & middle income" in [
        note.text for note in result.disclosures
    ]


async def test_low_income_countries_are_what_the_apis_own_filter_leaves(context: RunContext) -> None:
    result = await answered(listing(narrowed="low income"), context)
    assert isinstance(result, Executed), result
    assert asked_of(result) == ("/v2/country", {"incomeLevel": "LIC"})
    codes = {cell.entity.code for cell in result.observations}
    assert len(codes) == 25
    assert {"MOZ", "AFG", "PRK"} <= codes
    assert "KEN" not in codes


@pytest.mark.parametrize("code", ["HIC", "UMC", "LMC", "LIC", "MIC", "LMY", "EAS", "LCN", "MEA", "SAS", "SSF"])
async def test_filtered_lists_are_the_carried_members_without_aggregates(code: str, context: RunContext) -> None:
    result = await answered(listing(code), context)
    assert isinstance(result, Executed), result
    group = by_code(code)
    assert group is not None
    assert {cell.entity.code for cell in result.observations} == {one.code for one in members(group) or ()}
    assert all(cell.flag and cell.entity.kind is PlaceKind.COUNTRY for cell in result.observations)
    kind, value = GROUPS[code].filter or ("", "")
    assert asked_of(result) == ("/v2/country", {kind: value})


async def test_north_america_is_the_banks_region_of_three(context: RunContext) -> None:
    result = await answered(listing("NAC"), context)
    assert isinstance(result, Executed)
    assert [cell.entity.name for cell in result.observations] == ["Bermuda", "Canada", "United States"]


async def test_two_groups_are_two_filters_of_one_request(context: RunContext) -> None:
    result = await answered(listing("SSF", "upper-middle-income countries"), context)
    assert isinstance(result, Executed)
    assert asked_of(result) == ("/v2/country", {"region": "SSF", "incomeLevel": "UMC"})
    assert "BWA" in {cell.entity.code for cell in result.observations}


async def test_a_continent_is_taken_from_its_own_list_and_that_is_said(context: RunContext) -> None:
    result = await answered(listing("africa", "low income"), context)
    assert isinstance(result, Executed)
    codes = {cell.entity.code for cell in result.observations}
    assert "MOZ" in codes
    assert "AFG" not in codes
    assert "UN M49" in result.disclosures[0].text


@pytest.mark.parametrize(
    ("slot", "reason"),
    [
        (fact("currency", "FRA"), "do not tell currency; they have: income level"),
        (fact("member", "FRA", "nato"), "membership of NATO"),
        (listing("nato"), "do not tell the list"),
        (listing("africa"), "do not tell the list"),
        (listing(narrowed="landlocked"), "do not tell the list"),
        (listing("HIC", "low income"), "do not tell the list"),
        (listing("IDA"), "one list of IDA total"),
        (listing("SAS", relation="borders"), "do not tell borders"),
        (listing("SAS", member=PlaceKind.CITY), "do not tell the list"),
        (listing(), "do not tell the list"),
        (fact("income level", "SAS"), "South Asia is a group of them"),
    ],
)
async def test_what_the_records_do_not_hold_is_refused(slot: Slot, reason: str, context: RunContext) -> None:
    result = await answered(slot, context)
    assert isinstance(result, Unanswerable), result
    assert result.status is FailureStatus.NOT_COVERED
    assert reason in result.reason


async def test_no_member_at_all_is_said_as_that(context: RunContext) -> None:
    result = await answered(listing("NAC", "low income"), context)
    assert isinstance(result, Unanswerable)
    assert result.status is FailureStatus.NO_DATA


async def test_only_offered_tables_are_chosen(context: RunContext) -> None:
    slot = fact("capital", "FRA")
    for offered in ([], TABLES[:1], [document("capital", "countryfacts")]):
        chosen = await PLUGIN.choose(slot, offered, question="", context=context)
        assert isinstance(chosen, Unanswerable)
        assert chosen.status is FailureStatus.NOT_FOUND


async def test_a_slot_of_figures_is_never_served_from_the_record(context: RunContext) -> None:
    slot = Slot(
        id=SlotId("slot:1"),
        kind=SlotKind.VALUE,
        role="value",
        measure=MeasureMention(text="capital"),
        entity=place("FRA"),
    )
    assert isinstance(await PLUGIN.choose(slot, TABLES, question="", context=context), Unanswerable)


class Unfiltered(WorldBankResponder):
    """A service that ignores the filters of the list."""

    def respond(self, request: HttpRequest) -> HttpResponse:
        kept = tuple(pair for pair in request.params if pair[0] not in {"incomeLevel", "region"})
        return super().respond(replace(request, params=kept))


async def test_a_list_that_ignores_the_filter_is_refused() -> None:
    with pytest.raises(ResponseMalformed, match="of another group"):
        await answered(listing("LIC"), context_of(Unfiltered()))


class Elsewhere(WorldBankResponder):
    """A service that answers for another country."""

    def respond(self, request: HttpRequest) -> HttpResponse:
        answer = super().respond(request)
        header, rows = json.loads(answer.body)
        rows[0]["id"], rows[0]["iso2Code"] = "XXX", "XX"
        return replace(answer, body=json.dumps([header, rows]).encode())


async def test_the_record_of_another_country_is_refused() -> None:
    result = await answered(fact("capital", "FRA"), context_of(Elsewhere()))
    assert isinstance(result, Unanswerable)
    assert result.status is FailureStatus.MALFORMED
