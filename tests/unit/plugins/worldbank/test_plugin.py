"""The plugin answers slots with the published figures, their year, unit and provenance."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import pytest

from finder_index.leaves import read_corpus
from plugins.choice.builtin_rules import BUILTIN_RULES
from plugins.worldbank.plugin import WorldBankPlugin
from plugins.worldbank.snapshot.responder import WorldBankResponder
from shared.adapters.snapshot_transport import SnapshotTransport
from shared.models.builtin import BuiltinJudge
from shared.query.annotated import AskOptions, Bound, EntityResolved, Executed, Meaning, PlannedRequest, Selected
from shared.query.discovery import TableDocument
from shared.query.evidence import DisclosureKind, FailureStatus, Unanswerable
from shared.query.identifiers import SlotId
from shared.query.quantity import PlaceKind, UnitKind
from shared.query.readings import (
    Comparator,
    EntityMention,
    MeasureMention,
    PeriodAsked,
    PeriodKindAsked,
    PopulationMention,
    Threshold,
)
from shared.query.slots import Slot, SlotKind
from shared.runtime.context import RunContext
from shared.runtime.deadline import Deadline
from shared.text.places import by_code, by_name
from tests.unit.plugins.nearest import nearest

PLUGIN = WorldBankPlugin()
CORPUS = Path(__file__).parents[4] / "finder_index" / "corpus"
LATEST = PeriodAsked()


@lru_cache(maxsize=1)
def documents() -> dict[str, TableDocument]:
    leaves = read_corpus(CORPUS).leaves
    figures = (leaf for leaf in leaves if leaf.source == "worldbank" and leaf.type == "Statistical Table")
    return {leaf.variable: leaf.document() for leaf in figures}


@pytest.fixture
def context() -> RunContext:
    unused = cast("Any", None)
    return RunContext(
        options=AskOptions(),
        deadline=Deadline.after(30),
        transport=SnapshotTransport([WorldBankResponder()]),
        finder=unused,
        embedder=unused,
        judges=[BuiltinJudge(BUILTIN_RULES)],
        panel=[],
        say=lambda _: None,
        today=lambda: date(2026, 11, 30),
    )


def place(name: str) -> EntityMention:
    entity = by_code(name) or by_name(name)
    assert entity is not None, name
    return EntityMention(text=name, status="resolved", entity=entity)


def year(start: int) -> PeriodAsked:
    return PeriodAsked(kind=PeriodKindAsked.YEAR, start=start)


def slot(measure: str, kind: SlotKind = SlotKind.VALUE, **more: Any) -> Slot:
    return Slot(id=SlotId("slot:1"), kind=kind, role="value", measure=MeasureMention(text=measure), **more)


def countries(container: str | None = None, **more: Any) -> PopulationMention:
    mention = place(container) if container else None
    return PopulationMention(
        member=PlaceKind.COUNTRY, text=f"countries in {container or 'the world'}", container=mention, **more
    )


async def answers(
    asked: Slot, context: RunContext, variables: Sequence[str] = ()
) -> dict[str, Executed | Unanswerable] | Unanswerable:
    """Every meaning's answer, by variable, through the plugin's steps in order."""
    text = asked.measure.text if asked.measure else ""
    offered = [documents()[v] for v in variables] if variables else nearest(documents().values(), text)
    selected = await PLUGIN.choose(asked, offered, question="", context=context)
    if isinstance(selected, Unanswerable):
        return selected
    resolved = await PLUGIN.resolve(asked, selected, question="", context=context)
    if isinstance(resolved, Unanswerable):
        return resolved
    bound = await PLUGIN.bind(asked, selected, resolved, context=context)
    if isinstance(bound, Unanswerable):
        return bound
    return {
        one.measure.variable: await PLUGIN.execute(
            PlannedRequest(order=0, bound=one, resolved=resolved, slot=asked), context=context
        )
        for one in bound
    }


async def first(asked: Slot, context: RunContext, variables: Sequence[str] = ()) -> Executed:
    found = await answers(asked, context, variables)
    assert isinstance(found, dict), found
    answer = next(iter(found.values()))
    assert isinstance(answer, Executed), answer
    return answer


async def refused(asked: Slot, context: RunContext, variables: Sequence[str] = ()) -> Unanswerable:
    found = await answers(asked, context, variables)
    if isinstance(found, dict):
        found = cast("Unanswerable", next(iter(found.values())))
    assert isinstance(found, Unanswerable), found
    return found


async def test_gdp_is_answered_as_nominal_first_among_its_meanings(context: RunContext) -> None:
    found = await answers(slot("gdp", entity=place("IND")), context)
    assert isinstance(found, dict)
    assert list(found) == [
        "NY.GDP.MKTP.CD",
        "NY.GDP.MKTP.KD.ZG",
        "NY.GDP.PCAP.CD",
        "NY.GDP.PCAP.PP.CD",
        "NY.GDP.PCAP.KD.ZG",
    ]
    nominal = found["NY.GDP.MKTP.CD"]
    assert isinstance(nominal, Executed)
    (cell,) = nominal.observations
    assert (cell.value, cell.period.text, cell.entity.code) == (Decimal("3956067115771.63"), "2025", "IND")
    assert (nominal.measure.unit.code, nominal.measure.unit.price_basis) == ("USD", "current")
    assert nominal.measure.meaning == "total, current US dollars"
    assert nominal.measure.additive is True


async def test_a_share_is_never_the_answer_to_gdp(context: RunContext) -> None:
    variables = ["GC.TAX.TOTL.GD.ZS", "SE.XPD.TOTL.GD.ZS", "NY.GDP.MKTP.CD"]
    answer = await first(slot("gdp", entity=place("IND")), context, variables)
    assert answer.measure.variable == "NY.GDP.MKTP.CD"
    why = await refused(slot("gdp", entity=place("IND")), context, variables[:2])
    assert why.status is FailureStatus.NOT_FOUND


async def test_the_receipt_carries_the_exact_request_and_its_date(context: RunContext) -> None:
    answer = await first(slot("gdp", entity=place("IND"), period=year(2023)), context)
    response = answer.response
    assert response.requests[0].url.startswith(
        "https://api.worldbank.org/v2/country/IND/indicator/NY.GDP.MKTP.CD?format=json&date=2023"
    )
    assert response.as_of == date(2026, 7, 1)
    assert response.snapshot is True
    assert response.licence == "CC BY 4.0"
    assert response.page_url == "https://data.worldbank.org/indicator/NY.GDP.MKTP.CD?locations=IN"
    assert answer.observations[0].value == Decimal("3500906030644.76")


@pytest.mark.parametrize(
    ("measure", "who", "when", "value"),
    [
        ("gdp", "USA", 2024, "29298013000000"),
        ("gdp", "WLD", 2025, "118350166039396"),
        ("population", "IND", 2023, "1438069596"),
    ],
)
async def test_an_explicit_year_is_the_year_returned(
    context: RunContext, measure: str, who: str, when: int, value: str
) -> None:
    answer = await first(slot(measure, entity=place(who), period=year(when)), context)
    assert [(c.period.text, c.value) for c in answer.observations] == [(str(when), Decimal(value))]


@pytest.mark.parametrize("when", [2031, 1950])
async def test_a_year_without_figures_is_refused_and_says_which_years_have_them(
    context: RunContext, when: int
) -> None:
    why = await refused(slot("gdp", entity=place("IND"), period=year(when)), context)
    assert why.status is FailureStatus.NO_DATA
    assert f"in {when}; it has figures from 1960 to 2025" in why.reason


async def test_the_newest_figure_is_never_a_null_one(context: RunContext) -> None:
    answer = await first(slot("exports", entity=place("JPN")), context, ["NE.EXP.GNFS.ZS"])
    assert answer.observations[0].period.text == "2024"


async def test_ten_years_ago_counts_from_the_newest_figure(context: RunContext) -> None:
    ago = PeriodAsked(kind=PeriodKindAsked.YEARS_AGO, count=10)
    answer = await first(slot("gdp", entity=place("IND"), period=ago), context)
    assert answer.observations[0].period.text == "2015"


async def test_a_place_without_an_entity_is_not_covered(context: RunContext) -> None:
    why = await refused(slot("population", entity=place("MTQ")), context)
    assert why.status is FailureStatus.NOT_COVERED
    assert "Martinique" in why.reason
    assert "MTQ" in why.reason


async def test_a_place_below_the_country_is_not_covered(context: RunContext) -> None:
    why = await refused(slot("population", entity=place("US-TX")), context)
    assert why.status is FailureStatus.NOT_COVERED
    assert "Texas (US state)" in why.reason


async def test_a_group_has_the_world_banks_own_figure(context: RunContext) -> None:
    answer = await first(slot("gdp", entity=place("EUU")), context)
    (cell,) = answer.observations
    assert (cell.entity.name, cell.entity.code) == ("European Union", "EUU")
    assert (cell.value, cell.period.text) == (Decimal("21243212570163.3"), "2025")
    assert any("own for its group" in note.text for note in answer.disclosures)


async def test_a_group_that_the_world_bank_does_not_publish_is_asked_for_by_its_members(
    context: RunContext,
) -> None:
    answer = await first(slot("gdp", entity=place("G7")), context, ["NY.GDP.MKTP.CD"])
    assert answer.sum_of is not None
    assert answer.sum_of.name == "G7"
    assert len(answer.observations) == 7


async def test_a_world_figure_of_an_incomplete_year_carries_a_caveat(context: RunContext) -> None:
    answer = await first(slot("exports", entity=place("WLD")), context, ["NE.EXP.GNFS.ZS"])
    caveats = [note.text for note in answer.disclosures if note.kind is DisclosureKind.CAVEAT]
    assert answer.observations[0].period.text == "2025"
    assert len(caveats) == 1
    assert "only 138 members report that year" in caveats[0]


async def test_a_ranking_compares_one_year_with_good_coverage(context: RunContext) -> None:
    answer = await first(slot("gdp", SlotKind.POPULATION, population=countries()), context)
    years = {cell.period.text for cell in answer.observations}
    assert years == {"2024"}
    reported = sorted(
        (c for c in answer.observations if c.value is not None),
        key=lambda c: cast("Decimal", c.value),
        reverse=True,
    )
    assert len(reported) == 199
    assert [c.entity.code for c in reported[:5]] == ["USA", "CHN", "DEU", "JPN", "IND"]
    assert any("2025 by 185" in note.text for note in answer.disclosures)
    assert any("another year" in note.text and "(2" in note.text for note in answer.disclosures)


async def test_members_are_countries_and_never_groups(context: RunContext) -> None:
    answer = await first(
        slot("population", SlotKind.POPULATION, population=countries(), period=year(2024)), context
    )
    names = {cell.entity.name for cell in answer.observations}
    assert len(names) == 217
    assert not {"World", "European Union", "Sub-Saharan Africa", "High income"} & names
    total = sum(cell.value for cell in answer.observations if cell.value is not None)
    world = await first(slot("population", entity=place("WLD"), period=year(2024)), context)
    assert world.observations[0].value is not None
    assert abs(total / world.observations[0].value - 1) < Decimal("0.005")


async def test_the_countries_of_a_group_are_its_members(context: RunContext) -> None:
    answer = await first(slot("gdp", SlotKind.POPULATION, population=countries("ASEAN")), context)
    assert {cell.entity.code for cell in answer.observations} >= {"IDN", "THA", "SGP", "VNM"}
    assert "IDN" in answer.response.requests[0].url


async def test_members_without_an_entity_are_named(context: RunContext) -> None:
    answer = await first(slot("population", SlotKind.POPULATION, population=countries("Africa")), context)
    assert answer.incomplete == ()
    assert any("no entity for" in note.text and "Réunion" in note.text for note in answer.disclosures)
    assert all(cell.entity.name != "Réunion" for cell in answer.observations)


async def test_a_country_without_an_entity_leaves_the_population_incomplete(context: RunContext) -> None:
    answer = await first(slot("population", SlotKind.POPULATION, population=countries("Asia")), context)
    assert answer.incomplete == ("Taiwan",)


async def test_income_levels_narrow_a_population(context: RunContext) -> None:
    population = countries(fact_filter="low income")
    answer = await first(slot("population", SlotKind.POPULATION, population=population), context)
    assert len(answer.observations) == 25
    why = await refused(
        slot("population", SlotKind.POPULATION, population=countries(fact_filter="landlocked")), context
    )
    assert why.status is FailureStatus.INFEASIBLE


async def test_listed_countries_are_asked_for_by_code(context: RunContext) -> None:
    population = PopulationMention(
        member=PlaceKind.COUNTRY, text="France and Spain", listed=(place("FRA"), place("ESP"))
    )
    answer = await first(slot("gdp", SlotKind.POPULATION, population=population), context)
    assert [cell.entity.code for cell in answer.observations] == ["FRA", "ESP"]


async def test_counties_are_not_covered(context: RunContext) -> None:
    population = PopulationMention(member=PlaceKind.US_COUNTY, text="counties in Texas", container=place("US-TX"))
    why = await refused(slot("population", SlotKind.POPULATION, population=population), context)
    assert why.status is FailureStatus.NOT_COVERED


async def test_a_series_runs_over_the_span_and_names_its_holes(context: RunContext) -> None:
    span = PeriodAsked(kind=PeriodKindAsked.RANGE, start=2015, end=2026)
    answer = await first(slot("gdp", SlotKind.SERIES, entity=place("IND"), period=span), context)
    assert [cell.period.text for cell in answer.observations] == [str(y) for y in range(2015, 2026)]
    assert answer.incomplete == ("2026",)


async def test_the_last_five_years_are_the_newest_five(context: RunContext) -> None:
    span = PeriodAsked(kind=PeriodKindAsked.LAST_YEARS, count=5)
    answer = await first(slot("gdp", SlotKind.SERIES, entity=place("IND"), period=span), context)
    assert [cell.period.text for cell in answer.observations] == ["2021", "2022", "2023", "2024", "2025"]


async def test_years_that_are_not_recorded_are_said_and_not_called_empty(context: RunContext) -> None:
    span = PeriodAsked(kind=PeriodKindAsked.RANGE, start=2008, end=2012)
    answer = await first(
        slot("fertilizer use", SlotKind.SERIES, entity=place("IND"), period=span), context, ["AG.CON.FERT.ZS"]
    )
    assert answer.incomplete == ("2008", "2009")
    assert any(note.kind is DisclosureKind.SNAPSHOT and "begin in 2010" in note.text for note in answer.disclosures)


async def test_a_threshold_keeps_the_meanings_of_its_unit(context: RunContext) -> None:
    above = Threshold(comparator=Comparator.GREATER, value=Decimal(10**12), unit="USD", text="over $1 trillion")
    asked = slot("gdp", SlotKind.POPULATION, population=countries(), threshold=above)
    found = await answers(asked, context)
    assert isinstance(found, dict)
    assert list(found) == ["NY.GDP.MKTP.CD", "NY.GDP.PCAP.CD"]
    percent = above.model_copy(update={"unit": "%", "value": Decimal(5)})
    found = await answers(asked.model_copy(update={"threshold": percent}), context)
    assert isinstance(found, dict)
    assert list(found) == ["NY.GDP.MKTP.KD.ZG", "NY.GDP.PCAP.KD.ZG"]


async def test_a_fiscal_year_is_not_taken_for_a_calendar_year(context: RunContext) -> None:
    fiscal = PeriodAsked(kind=PeriodKindAsked.YEAR, start=2023, fiscal=True)
    why = await refused(slot("gdp", entity=place("IND"), period=fiscal), context)
    assert why.status is FailureStatus.INFEASIBLE


async def test_a_stale_table_is_told_apart_from_empty_data(context: RunContext) -> None:
    stale = documents()["SP.POP.TOTL"].model_copy(update={"variable": "SP.POP.0004.FE.IN"})
    asked = slot("population", entity=place("IND"))
    selected = await PLUGIN.choose(asked, [stale], question="", context=context)
    assert isinstance(selected, Selected)
    resolved = await PLUGIN.resolve(asked, selected, question="", context=context)
    assert isinstance(resolved, EntityResolved)
    bound = await PLUGIN.bind(asked, selected, resolved, context=context)
    assert isinstance(bound, list)
    planned = PlannedRequest(order=0, bound=bound[0], resolved=resolved, slot=asked)
    why = await PLUGIN.execute(planned, context=context)
    assert isinstance(why, Unanswerable)
    assert why.status is FailureStatus.NOT_FOUND
    assert "out of date" in why.reason


async def test_the_next_table_of_a_quantity_is_asked_where_the_first_was_withdrawn(context: RunContext) -> None:
    known = documents()["SP.POP.TOTL"]
    stale = known.model_copy(update={"variable": "SP.POP.0004.FE.IN", "title": "Population, withdrawn"})
    asked = slot("population", entity=place("IND"))
    meaning = Meaning(
        id="population", label="population", variable=stale.variable, rank=0, documents=(stale, known)
    )
    selected = Selected(meanings=(meaning,))
    resolved = await PLUGIN.resolve(asked, selected, question="", context=context)
    assert isinstance(resolved, EntityResolved)
    bound = await PLUGIN.bind(asked, selected, resolved, context=context)
    assert isinstance(bound, list)
    assert [one.locator["indicator"] for one in bound] == ["SP.POP.0004.FE.IN", "SP.POP.TOTL"]
    assert {one.meaning for one in bound} == {"population"}
    first, second = [
        await PLUGIN.execute(PlannedRequest(order=n, bound=one, resolved=resolved, slot=asked), context=context)
        for n, one in enumerate(bound)
    ]
    assert isinstance(first, Unanswerable)
    assert "[SP.POP.0004.FE.IN] is out of date" in first.reason
    assert isinstance(second, Executed)
    assert second.measure.variable == "SP.POP.TOTL"


async def test_another_unit_is_no_next_table_of_a_quantity(context: RunContext) -> None:
    share = documents()["SP.URB.TOTL.IN.ZS"]
    meaning = Meaning(
        id="urban", label="urban", variable="SP.URB.TOTL", rank=0, documents=(documents()["SP.URB.TOTL"], share)
    )
    bound = await PLUGIN.bind(
        slot("urban population", entity=place("IND")),
        Selected(meanings=(meaning,)),
        EntityResolved(entity=place("IND").entity),
        context=context,
    )
    assert isinstance(bound, list)
    assert [one.locator["indicator"] for one in bound] == ["SP.URB.TOTL"]


async def test_the_callers_own_choice_is_kept(context: RunContext) -> None:
    context.options = AskOptions(assumptions={"measure": "NY.GDP.PCAP.PP.CD"})
    answer = await first(slot("gdp", entity=place("IND")), context)
    assert answer.measure.variable == "NY.GDP.PCAP.PP.CD"
    assert answer.measure.unit.currency == "INT$"


async def test_every_document_makes_a_measure_with_a_unit(context: RunContext) -> None:
    for document in documents().values():
        selected = await PLUGIN.choose(
            slot(document.queries[0], entity=place("IND")), [document], question="", context=context
        )
        assert isinstance(selected, Selected), document.title
        bound = await PLUGIN.bind(slot("x"), selected, EntityResolved(), context=context)
        assert isinstance(bound, list)
        (one,) = cast("list[Bound]", bound)
        assert one.measure.unit.code, document.title
        assert (one.measure.unit.kind is UnitKind.CURRENCY) is (one.measure.unit.currency is not None)


async def test_a_breakdown_has_published_parts_that_add_up_to_a_published_total(context: RunContext) -> None:
    asked = slot("population", SlotKind.CATEGORIES, entity=place("IND"), dimension="urban and rural")
    answer = await first(asked, context)
    assert answer.categories == ("urban", "rural")
    assert [measure.variable for measure in answer.parts] == ["SP.URB.TOTL", "SP.RUR.TOTL"]
    assert answer.total is not None
    assert [cell.period.text for cell in (*answer.observations, answer.total)] == ["2025"] * 3
    assert answer.observations[1].value == Decimal(941424277)
    assert sum(cell.value for cell in answer.observations if cell.value is not None) == answer.total.value
    assert len(answer.response.requests) == 1


async def test_a_breakdown_without_published_parts_is_refused(context: RunContext) -> None:
    asked = slot("population", SlotKind.CATEGORIES, entity=place("IND"), dimension="religion")
    why = await refused(asked, context)
    assert why.status is FailureStatus.NOT_COVERED
    assert "publishes no parts of “population” by religion that add up to the whole" in why.reason
