"""Groups that the World Bank has no figure for are asked for by their members, of one year."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any, cast

import pytest

from plugins.worldbank.groups import total_year
from plugins.worldbank.measures import measure_of
from plugins.worldbank.plugin import WorldBankPlugin
from plugins.worldbank.snapshot.responder import WorldBankResponder
from shared.adapters.snapshot_transport import SnapshotTransport
from shared.query.annotated import AskOptions, EntityResolved, Executed, Meaning, PlannedRequest, Selected
from shared.query.discovery import TableDocument
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.identifiers import SlotId
from shared.query.readings import EntityMention, MeasureMention, PeriodAsked, PeriodKindAsked
from shared.query.slots import Slot, SlotKind
from shared.runtime.context import RunContext
from shared.runtime.deadline import Deadline
from shared.text.places import by_name

PLUGIN = WorldBankPlugin()
LATEST = PeriodAsked()


@pytest.fixture
def context() -> RunContext:
    unused = cast("Any", None)
    return RunContext(
        options=AskOptions(),
        deadline=Deadline.after(30),
        transport=SnapshotTransport([WorldBankResponder()]),
        finder=unused,
        embedder=unused,
        judges=[],
        panel=[],
        say=lambda _: None,
        today=lambda: date(2026, 11, 30),
    )


def document(variable: str, title: str, **terms: str) -> TableDocument:
    return TableDocument(
        identifier=variable, source="worldbank", variable=variable, title=title, description="", terms=terms
    )


GDP = document("NY.GDP.MKTP.CD", "GDP (current US$)", unit="USD", unitKind="currency", priceBasis="current")
PEOPLE = document("SP.POP.TOTL", "Population, total", unit="people", unitKind="count")


async def asked(
    group: str, table: TableDocument, context: RunContext, period: PeriodAsked = LATEST
) -> tuple[EntityResolved, Executed | Unanswerable]:
    entity = by_name(group)
    assert entity is not None
    slot = Slot(
        id=SlotId("slot:1"),
        kind=SlotKind.VALUE,
        role="value",
        measure=MeasureMention(text="x"),
        entity=EntityMention(text=group, status="resolved", entity=entity),
        period=period,
    )
    meaning = Meaning(id=table.variable, label="", variable=table.variable, rank=0, documents=(table,))
    selected = Selected(meanings=(meaning,))
    resolved = await PLUGIN.resolve(slot, selected, question="", context=context)
    assert isinstance(resolved, EntityResolved)
    bound = await PLUGIN.bind(slot, selected, resolved, context=context)
    assert not isinstance(bound, Unanswerable)
    planned = PlannedRequest(order=0, bound=bound[0], resolved=resolved, slot=slot)
    return resolved, await PLUGIN.execute(planned, context=context)


async def test_a_group_without_a_figure_is_resolved_to_its_members(context: RunContext) -> None:
    resolved, executed = await asked("Scandinavia", PEOPLE, context)
    assert resolved.sum_of_members
    assert resolved.entity is not None
    assert (resolved.entity.name, resolved.member_of, resolved.as_of) == (
        "Scandinavia",
        "Scandinavia",
        "customary",
    )
    assert isinstance(executed, Executed)
    assert executed.sum_of == resolved.entity
    found = {cell.entity.code: (cell.value, cell.period.text) for cell in executed.observations}
    assert set(found) == {"DNK", "NOR", "SWE"}
    assert {period for _, period in found.values()} == {"2025"}


async def test_a_group_with_a_figure_of_its_own_keeps_it(context: RunContext) -> None:
    resolved, executed = await asked("European Union", PEOPLE, context)
    assert not resolved.sum_of_members
    assert isinstance(executed, Executed)
    assert executed.sum_of is None
    assert [cell.entity.name for cell in executed.observations] == ["European Union"]


async def test_latest_is_the_newest_year_that_every_member_reports(context: RunContext) -> None:
    """Iran's GDP of 2025 is not reported, and a total without it would not be that of the BRICS."""
    _, executed = await asked("BRICS", GDP, context)
    assert isinstance(executed, Executed)
    assert {cell.period.text for cell in executed.observations} == {"2024"}
    assert all(cell.value is not None for cell in executed.observations)
    assert len(executed.observations) == 10
    assert any("2025 by 9" in note.text for note in executed.disclosures)


async def test_a_year_that_was_asked_for_is_the_year_of_every_member(context: RunContext) -> None:
    period = PeriodAsked(kind=PeriodKindAsked.YEAR, start=2020)
    _, executed = await asked("G7", GDP, context, period)
    assert isinstance(executed, Executed)
    assert {cell.period.text for cell in executed.observations} == {"2020"}
    usa = next(cell for cell in executed.observations if cell.entity.code == "USA")
    assert usa.value == Decimal("21375281000000")


async def test_a_country_that_the_publisher_does_not_list_is_lacking(context: RunContext) -> None:
    _, executed = await asked("Asia", PEOPLE, context)
    assert isinstance(executed, Executed)
    assert executed.incomplete == ("Taiwan",)
    assert len(executed.observations) == 50


async def test_too_few_members_say_nothing_of_the_whole(context: RunContext) -> None:
    period = PeriodAsked(kind=PeriodKindAsked.YEAR, start=1961)
    _, executed = await asked("Eastern Europe", GDP, context, period)
    assert isinstance(executed, Unanswerable)
    assert executed.status is FailureStatus.NO_DATA


async def test_a_region_of_other_extent_than_its_name_says_so(context: RunContext) -> None:
    _, executed = await asked("North America", PEOPLE, context)
    assert isinstance(executed, Executed)
    told = " | ".join(note.text for note in executed.disclosures)
    assert "the World Bank's North America is Bermuda, Canada, United States; it leaves out" in told
    _, executed = await asked("Sub-Saharan Africa", PEOPLE, context)
    assert isinstance(executed, Executed)
    assert not any("leaves out" in note.text for note in executed.disclosures)


@pytest.mark.parametrize(
    ("coverage", "of", "year"),
    [
        ({2025: 9, 2024: 10, 2023: 10}, 10, 2024),
        ({2025: 10, 2024: 10}, 10, 2025),
        ({2025: 44, 2024: 47, 2023: 47, 2022: 48}, 50, 2025),
        ({2025: 13, 2024: 15, 2023: 15, 2022: 16}, 17, 2024),
        ({2025: 9, 2015: 10}, 10, 2025),
        ({}, 3, None),
    ],
)
def test_the_year_of_a_total(coverage: dict[int, int], of: int, year: int | None) -> None:
    assert total_year(coverage, LATEST, of=of) == year


@pytest.mark.parametrize(
    ("table", "adds_up"),
    [
        (GDP, True),
        (PEOPLE, True),
        (document("NY.GDP.PCAP.CD", "GDP per capita (current US$)", unit="USD", unitKind="currency"), False),
        (document("NY.GDP.MKTP.CN", "GDP (current LCU)", unit="LCU", unitKind="currency"), False),
        (document("EN.URB.LCTY", "Population in largest city", unit="people", unitKind="count"), False),
        (document("EN.MAM.THRD.NO", "Mammal species, threatened", unit="species", unitKind="count"), False),
        (document("SP.DYN.LE00.IN", "Life expectancy at birth", unit="years", unitKind="physical"), False),
        (document("SL.UEM.TOTL.ZS", "Unemployment, total", unit="%", unitKind="percent"), False),
    ],
)
def test_only_counts_and_amounts_of_one_money_add_up(table: TableDocument, adds_up: bool) -> None:
    assert measure_of(table, source="worldbank").additive is adds_up
