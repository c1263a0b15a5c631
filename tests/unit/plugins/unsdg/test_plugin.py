"""The plugin answers slots with the published figures, their nature, year, unit and provenance."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import lru_cache
from pathlib import Path
from typing import Any, cast

import pytest

from finder_index.leaves import read_corpus
from plugins.choice.builtin_rules import BUILTIN_RULES
from plugins.unsdg.plugin import UnSdgPlugin
from plugins.unsdg.snapshot.responder import UnSdgResponder
from shared.adapters.snapshot_transport import SnapshotTransport
from shared.models.builtin import BuiltinJudge
from shared.query.annotated import AskOptions, Executed, PlannedRequest, Selected
from shared.query.discovery import TableDocument
from shared.query.evidence import DisclosureKind, FailureStatus, Unanswerable
from shared.query.identifiers import SlotId
from shared.query.quantity import PlaceKind
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
from shared.runtime.http import HttpRequest, HttpResponse
from shared.text.places import by_code, by_name
from tests.unit.plugins.nearest import nearest

PLUGIN = UnSdgPlugin()
CORPUS = Path(__file__).parents[4] / "finder_index" / "corpus"
Changed = Callable[[list[dict[str, Any]]], list[dict[str, Any]]]


class Altered:
    """Recorded figures whose rows are changed on the way."""

    hosts = UnSdgResponder.hosts

    def __init__(self, change: Changed) -> None:
        self.change = change

    def respond(self, request: HttpRequest) -> HttpResponse:
        response = UnSdgResponder().respond(request)
        body = json.loads(response.body)
        if isinstance(body, dict):
            body["data"] = self.change(body["data"])
            body["totalElements"] = len(body["data"])
        return HttpResponse(200, json.dumps(body).encode(), datetime.now(UTC), snapshot_as_of=None)


@lru_cache(maxsize=1)
def documents() -> dict[str, TableDocument]:
    leaves = read_corpus(CORPUS).leaves
    return {leaf.variable: leaf.document() for leaf in leaves if leaf.source == "unsdg"}


def context(change: Changed | None = None) -> RunContext:
    unused = cast("Any", None)
    return RunContext(
        options=AskOptions(),
        deadline=Deadline.after(30),
        transport=SnapshotTransport([Altered(change) if change else UnSdgResponder()]),
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
    text = f"countries in {container or 'the world'}"
    return PopulationMention(member=PlaceKind.COUNTRY, text=text, container=mention, **more)


async def answers(
    asked: Slot, *variables: str, change: Changed | None = None, question: str = ""
) -> list[Executed | Unanswerable]:
    """What comes of each meaning; a refusal on the way is the one answer."""
    run = context(change)
    offered = (
        [documents()[variable] for variable in variables]
        if variables
        else nearest(documents().values(), asked.measure.text if asked.measure else asked.describes)
    )
    selected = await PLUGIN.choose(asked, offered, question=question or asked.describes, context=run)
    if isinstance(selected, Unanswerable):
        return [selected]
    resolved = await PLUGIN.resolve(asked, selected, question=question, context=run)
    if isinstance(resolved, Unanswerable):
        return [resolved]
    bound = await PLUGIN.bind(asked, selected, resolved, context=run)
    assert not isinstance(bound, Unanswerable)
    return [
        await PLUGIN.execute(PlannedRequest(order=0, bound=one, resolved=resolved, slot=asked), context=run)
        for one in bound
    ]


async def answer(asked: Slot, *variables: str, change: Changed | None = None) -> Executed:
    (found,) = await answers(asked, *variables, change=change)
    assert isinstance(found, Executed), found
    return found


async def refusal(asked: Slot, *variables: str, change: Changed | None = None) -> Unanswerable:
    (found,) = await answers(asked, *variables, change=change)
    assert isinstance(found, Unanswerable), found
    return found


def said(found: Executed, kind: DisclosureKind) -> str:
    return " | ".join(note.text for note in found.disclosures if note.kind is kind)


async def test_a_figure_comes_with_its_year_nature_and_exact_request() -> None:
    found = await answer(slot("maternal mortality ratio", entity=place("Chad")))
    assert [(cell.value, str(cell.period)) for cell in found.observations] == [(Decimal(1140), "2017")]
    assert found.measure.unit.code == "per 100,000 live births"
    assert found.response.requests[0].url.startswith(
        "https://unstats.un.org/SDGAPI/v1/sdg/Series/Data?seriesCode=SH_STA_MMR&areaCode=148&"
    )
    assert found.response.snapshot
    assert found.response.as_of == date(2020, 10, 19)
    assert "nature of the figure: not stated (NOTSPEC)" in said(found, DisclosureKind.SOURCE)
    assert "is of 2017" in said(found, DisclosureKind.PERIOD)


async def test_a_value_takes_one_request_for_the_place_and_one_for_the_figure() -> None:
    run = context()
    asked = slot("maternal mortality ratio", entity=place("Chad"))
    selected = await PLUGIN.choose(asked, [documents()["SH_STA_MMR"]], question="", context=run)
    assert isinstance(selected, Selected)
    assert run.meter.requests == 0
    resolved = await PLUGIN.resolve(asked, selected, question="", context=run)
    bound = await PLUGIN.bind(asked, selected, cast("Any", resolved), context=run)
    planned = PlannedRequest(order=0, bound=cast("Any", bound)[0], resolved=cast("Any", resolved), slot=asked)
    await PLUGIN.execute(planned, context=run)
    assert run.meter.requests == 2


async def test_the_total_over_both_sexes_answers_and_the_covering_age_is_told() -> None:
    found = await answer(slot("unemployment rate", entity=place("Spain"), period=year(2018)), "SL_TLF_UEM")
    assert [cell.value for cell in found.observations] == [Decimal("15.25")]
    assert "ages 15 and over" in said(found, DisclosureKind.MEANING)


async def test_urban_figures_are_no_figure_of_the_country() -> None:
    asked = slot("safely managed drinking water", entity=place("Kenya"))
    found = await refusal(asked, "SH_H2O_SAFE")
    assert found.status is FailureStatus.NO_DATA
    assert "only for urban areas" in found.reason
    urban = await answer(slot("urban safely managed drinking water", entity=place("Kenya")), "SH_H2O_SAFE.URBAN")
    assert [cell.value for cell in urban.observations] == [Decimal("50.00946")]


async def test_what_has_no_total_over_the_sexes_is_answered_for_each() -> None:
    found = await answers(slot("homicide rate", entity=place("Brazil"), period=year(2018)))
    assert {one.measure.variable: one.observations[0].value for one in found if isinstance(one, Executed)} == {
        "VC_IHR_PSRC.MALE": Decimal("51.21688"),
        "VC_IHR_PSRC.FEMALE": Decimal("4.32648"),
    }


async def test_the_parts_of_a_series_without_a_total_are_meanings_of_a_value_and_a_question_for_a_set() -> None:
    found = await answers(slot("ICT skills", entity=place("Estonia")))
    assert len([one for one in found if isinstance(one, Executed)]) >= 7
    ranked = await refusal(slot("ICT skills", SlotKind.POPULATION, population=countries()), "SE_ADT_ACTS")
    assert ranked.status is FailureStatus.AMBIGUOUS


async def test_counts_of_countries_by_status_are_not_added_up() -> None:
    asked = slot("national biodiversity targets of Aichi Target 2", entity=place("World"))
    found = await refusal(asked, "ER_BDY_ABT2NP")
    assert found.status is FailureStatus.AMBIGUOUS
    assert "no total over Level/Status" in found.reason
    assert "no progress" in found.reason


async def test_a_bound_is_told_as_a_bound_and_no_older_number_stands_in() -> None:
    found = await answer(slot("prevalence of undernourishment", entity=place("Germany")), "SN_ITK_DEFC")
    (cell,) = found.observations
    assert (cell.value, cell.text) == (None, "below 2.5%")
    assert "only a bound" in said(found, DisclosureKind.CAVEAT)


async def test_millions_are_given_in_full_and_told() -> None:
    found = await answer(slot("number of undernourished people", entity=place("India"), period=year(2018)))
    assert [cell.value for cell in found.observations] == [Decimal(189_200_000)]
    assert "(NUM_M), for 2018 as 189.2" in said(found, DisclosureKind.CONVERSION)


async def test_a_group_is_the_uns_own() -> None:
    found = await answer(slot("slum population share", entity=place("Sub-Saharan Africa")), "EN_LND_SLUM")
    assert "areaCode=202&" in found.response.requests[0].url
    assert "(M49 202)" in said(found, DisclosureKind.MEMBERS)


async def test_a_year_without_a_figure_says_which_years_have_one() -> None:
    found = await refusal(slot("maternal mortality ratio", entity=place("Chad"), period=year(1950)))
    assert found.status is FailureStatus.NO_DATA
    assert "in 1950; it has figures from 2000 to 2017" in found.reason


async def test_a_series_is_oldest_first() -> None:
    span = PeriodAsked(kind=PeriodKindAsked.RANGE, start=2015, end=2017)
    found = await answer(slot("maternal mortality ratio", SlotKind.SERIES, entity=place("Chad"), period=span))
    assert [str(cell.period) for cell in found.observations] == ["2015", "2016", "2017"]


async def test_the_years_before_the_first_figure_are_told_as_missing() -> None:
    since = PeriodAsked(kind=PeriodKindAsked.SINCE, start=1990)
    found = await answer(slot("maternal mortality ratio", SlotKind.SERIES, entity=place("Chad"), period=since))
    assert found.incomplete == ("1990 to 1999",)


async def test_members_are_countries_of_one_year_and_who_has_a_bound_has_no_number() -> None:
    asked = slot("prevalence of undernourishment", SlotKind.POPULATION, population=countries("Europe"))
    found = await answer(asked, "SN_ITK_DEFC")
    assert found.year is not None
    germany = next(cell for cell in found.observations if cell.entity.code == "DEU")
    assert germany.missing == "published only as a bound, below 2.5%"
    assert "Germany" in found.incomplete
    assert "Germany (published only as a bound, below 2.5%)" in said(found, DisclosureKind.COVERAGE)


async def test_no_order_begins_where_members_have_only_a_bound() -> None:
    asked = slot("prevalence of undernourishment", SlotKind.POPULATION, population=countries())
    (lowest,) = await answers(asked, "SN_ITK_DEFC", question="lowest prevalence of undernourishment")
    assert isinstance(lowest, Unanswerable)
    assert "are only told as below 2.5% for" in lowest.reason
    (highest,) = await answers(asked, "SN_ITK_DEFC", question="highest prevalence of undernourishment")
    assert isinstance(highest, Executed)
    assert highest.incomplete == ()


@pytest.mark.parametrize(("comparator", "limit", "whole"), [(">", 30, True), ("<", 5, False), (">", 2, False)])
async def test_a_bound_that_fails_a_condition_for_certain_leaves_the_list_whole(
    comparator: str, limit: int, *, whole: bool
) -> None:
    bound = Threshold(
        comparator=Comparator(comparator), value=Decimal(limit), unit="%", text=f"{comparator}{limit}%"
    )
    asked = slot("prevalence of undernourishment", SlotKind.POPULATION, population=countries(), threshold=bound)
    found = await answer(asked, "SN_ITK_DEFC")
    assert (found.incomplete == ()) is whole


async def test_members_of_another_age_group_are_left_out_and_told() -> None:
    asked = slot("NEET rate", SlotKind.POPULATION, population=countries())
    found = await answer(asked, "SL_TLF_NEET")
    reasons = {cell.missing for cell in found.observations if cell.missing}
    assert "published for ages 16 to 24" in reasons
    assert "ages 15 to 24" in said(found, DisclosureKind.MEANING)
    assert len(found.response.requests) == 1


async def test_two_different_figures_of_one_year_are_refused() -> None:
    def doubled(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [*rows, {**rows[-1], "value": "7"}]

    asked = slot("maternal mortality ratio", entity=place("Chad"))
    found = await refusal(asked, "SH_STA_MMR", change=doubled)
    assert found.status is FailureStatus.NOT_COMPARABLE
    assert "two different figures" in found.reason


async def test_the_same_figure_twice_is_one() -> None:
    asked = slot("maternal mortality ratio", entity=place("Chad"))
    found = await answer(asked, "SH_STA_MMR", change=lambda rows: [*rows, rows[-1]])
    assert len(found.observations) == 1


async def test_a_figure_in_another_unit_is_refused() -> None:
    def per_thousand(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**row, "attributes": {**row["attributes"], "Units": "PER_1000_POP"}} for row in rows]

    asked = slot("maternal mortality ratio", entity=place("Chad"))
    found = await refusal(asked, "SH_STA_MMR", change=per_thousand)
    assert "came in the unit PER_1000_POP" in found.reason


async def test_holes_are_no_zeros_and_the_newest_reported_year_answers() -> None:
    def holed(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        return [{**row, "value": "NaN"} if row["timePeriodStart"] > 2015 else row for row in rows]

    found = await answer(slot("maternal mortality ratio", entity=place("Chad")), "SH_STA_MMR", change=holed)
    assert [str(cell.period) for cell in found.observations] == ["2015"]


async def test_footnotes_source_and_a_new_description_are_told() -> None:
    def annotated(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
        more = {"source": "A survey", "footnotes": ["Mind this"], "seriesDescription": "Another title"}
        return [{**row, **more} for row in rows]

    found = await answer(slot("maternal mortality ratio", entity=place("Chad")), "SH_STA_MMR", change=annotated)
    assert "“A survey”" in said(found, DisclosureKind.SOURCE)
    assert "Mind this" in said(found, DisclosureKind.CAVEAT)
    assert "now describes SH_STA_MMR as “Another title”" in said(found, DisclosureKind.MEANING)


@pytest.mark.parametrize(
    ("name", "reason"), [("Texas", "not for Texas"), ("Paris", "not for Paris"), ("NATO", "no figures for NATO")]
)
async def test_places_that_the_database_does_not_have_are_refused(name: str, reason: str) -> None:
    found = await refusal(slot("maternal mortality ratio", entity=place(name)), "SH_STA_MMR")
    assert found.status is FailureStatus.NOT_COVERED
    assert reason in found.reason


async def test_what_no_series_is_about_is_refused_with_the_nearest() -> None:
    found = await refusal(slot("price of bread", entity=place("Kenya")), "SH_STA_MMR")
    assert found.status is FailureStatus.NOT_FOUND
    assert "the nearest are: Maternal mortality ratio" in found.reason


async def test_a_fiscal_year_is_none_of_the_databases() -> None:
    fiscal = PeriodAsked(kind=PeriodKindAsked.YEAR, start=2017, fiscal=True)
    found = await refusal(slot("maternal mortality ratio", entity=place("Chad"), period=fiscal), "SH_STA_MMR")
    assert found.status is FailureStatus.INFEASIBLE
