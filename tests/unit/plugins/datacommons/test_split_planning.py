"""What a total is split into: offered by the place's own figures, judged, and accepted only if it adds up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from plugins.datacommons.dimensions import Part, constraints_of
from plugins.datacommons.plugin import DataCommonsPlugin
from plugins.datacommons.split_planning import MOST_CORRECTIONS, Parted, Split, plan_split
from plugins.datacommons.split_tasks import CHOOSE_DIMENSION, CHOOSE_PARTS
from shared.query.annotated import EntityResolved, Meaning, Selected
from shared.query.discovery import TableDocument
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.identifiers import SlotId
from shared.query.readings import EntityMention, MeasureMention, PeriodAsked
from shared.query.slots import Slot, SlotKind
from shared.runtime.deadline import Deadline
from tests.support.datacommons import response, saying
from tests.support.model_server import Asked
from tests.unit.plugins.datacommons.conftest import Judged, context_of
from tests.unit.plugins.datacommons.test_breakdowns import COUNTRY, TOTAL, answer, document
from tests.unit.plugins.datacommons.test_offered_parts import ADULT, OLD, YOUNG, ListedFinder

AGES = tuple(Part(one, constraints_of(one)["age"]) for one in (YOUNG, ADULT, OLD, document("ALL18", "age=18+")))
GOOD = {"Count_Person": {"a": {"2019": 90, "2020": 100}}, "Y": {"a": {"2019": 20, "2020": 20}},
        "A": {"a": {"2019": 60, "2020": 65}}, "O": {"a": {"2019": 10, "2020": 15}},
        "ALL18": {"a": {"2019": 70, "2020": 80}}}  # fmt: skip


async def planned(
    run: Any, figures: dict[str, Any] = GOOD, totals: Sequence[TableDocument] = (TOTAL,)
) -> Split | Unanswerable:
    parted = Parted("age", tuple(totals), AGES)
    client = saying(answer(figures))
    return await plan_split(parted, COUNTRY, PeriodAsked(), asked="population", client=client, context=run)


def choosing(*replies: Sequence[str], total: str = "Count_Person") -> Callable[[Asked], Any]:
    """A model that chooses these parts in turn, the last again and again."""
    left = list(replies)
    return lambda _: {"total": total, "parts": list(left.pop(0) if len(left) > 1 else left[0]), "why": ""}


def parts_of(found: Split | Unanswerable) -> list[str]:
    assert isinstance(found, Split), found
    return [part.variable for part in found.parts]


async def test_the_parts_that_a_model_chooses_are_taken_in_the_order_of_age(judged: Judged) -> None:
    async with judged(choosing(["O", "Y", "A"])) as (run, server):
        assert parts_of(await planned(run)) == ["Y", "A", "O"]
    asked = server.asked[0]
    assert asked.task == CHOOSE_PARTS.name
    assert [one["id"] for one in asked.data["candidates"]] == ["Y", "A", "O", "ALL18"]
    assert "100" not in str(asked.data)


async def test_a_choice_that_does_not_add_up_is_handed_back_with_the_sum_and_the_total(judged: Judged) -> None:
    async with judged(choosing(["Y", "ALL18", "O"], ["Y", "A"], ["Y", "ALL18"])) as (run, server):
        assert parts_of(await planned(run)) == ["Y", "ALL18"]
    tried = [one["problem"] for one in server.asked[2].data["tried"]]
    assert tried == [
        "on 2019 they add up to 100 and the total is 90: some overlap",
        "on 2019 they add up to 80 and the total is 90: some are missing",
    ]
    assert len(server.asked) == 1 + MOST_CORRECTIONS


async def test_an_overlap_so_small_that_the_parts_still_add_up_is_handed_back(judged: Judged) -> None:
    figures = GOOD | {"A": {"a": {"2019": 69, "2020": 79}}, "O": {"a": {"2019": 1, "2020": 1}}}
    async with judged(choosing(["Y", "ALL18", "O"], ["Y", "ALL18"])) as (run, server):
        assert parts_of(await planned(run, figures)) == ["Y", "ALL18"]
    (tried,) = server.asked[1].data["tried"]
    assert tried["problem"] == "18+ and 65+ overlap"


async def test_after_two_corrections_the_split_is_refused_with_the_arithmetic(judged: Judged) -> None:
    async with judged(choosing(["Y", "A"], ["A", "O"], ["Y", "O"], ["Y", "ALL18"])) as (run, server):
        found = await planned(run)
    assert isinstance(found, Unanswerable)
    assert found.status is FailureStatus.NOT_COMPARABLE
    assert "add up to 80 and the total is 90: some are missing" in found.reason
    assert len(server.asked) == 1 + MOST_CORRECTIONS


async def test_a_model_that_insists_is_not_asked_a_third_time(judged: Judged) -> None:
    async with judged(choosing(["Y", "A"])) as (run, server):
        assert isinstance(await planned(run), Unanswerable)
    assert len(server.asked) == 2


async def test_parts_that_were_not_offered_are_never_taken(judged: Judged) -> None:
    async with judged(choosing(["Y", "Count_Person_Foreign"])) as (run, server):
        found = await planned(run)
    assert isinstance(found, Unanswerable)
    assert found.status is FailureStatus.INTERNAL
    assert "broke the contract of datacommons_choose_parts.v1 twice" in found.reason
    assert len(server.asked) == 2


@pytest.mark.parametrize("parts", [["Y", "Y", "ALL18"], ["ALL18"], ["Y", "Count_Person"]])
async def test_a_part_twice_a_single_part_and_the_total_itself_are_no_parts(
    judged: Judged, parts: list[str]
) -> None:
    async with judged(choosing(parts)) as (run, _):
        found = await planned(run)
    assert isinstance(found, Unanswerable)
    assert found.status is FailureStatus.INTERNAL


async def test_a_model_may_say_that_no_parts_make_it_up(judged: Judged) -> None:
    async with judged(choosing([])) as (run, server):
        found = await planned(run)
    assert isinstance(found, Unanswerable)
    assert found.status is FailureStatus.NO_DATA
    assert len(server.asked) == 1


async def test_a_sum_that_fits_on_one_date_and_not_on_another_is_handed_back(judged: Judged) -> None:
    figures = {**GOOD, "A": {"a": {"2019": 90, "2020": 65}}}
    async with judged(choosing(["Y", "A", "O"], ["Y", "ALL18"])) as (run, server):
        assert parts_of(await planned(run, figures)) == ["Y", "ALL18"]
    assert "on 2019" in server.asked[1].data["tried"][0]["problem"]


async def test_another_total_of_the_quantity_may_be_what_the_parts_make_up(judged: Judged) -> None:
    residents = document("Residents")
    figures = {**GOOD, "Residents": {"a": {"2020": 85}}}
    async with judged(choosing(["Y", "A"], total="Residents")) as (run, server):
        found = await planned(run, figures, (TOTAL, residents))
    assert isinstance(found, Split)
    assert found.total.variable == "Residents"
    assert [one["id"] for one in server.asked[0].data["totals"]] == ["Count_Person", "Residents"]


async def test_the_next_source_is_tried_where_the_richest_does_not_add_up() -> None:
    figures = {
        "Count_Person": {"a": {"2020": 100}, "b": {"2020": 100}},
        "Y": {"a": {"2020": 20}, "b": {"2020": 20}},
        "A": {"a": {"2020": 20}},
        "O": {"a": {"2020": 20}},
        "ALL18": {"b": {"2020": 80}},
    }
    found = await planned(context_of(), figures)
    assert isinstance(found, Split)
    assert (found.facet, parts_of(found)) == ("b", ["Y", "ALL18"])


async def test_a_year_is_preferred_to_a_month_for_what_is_split() -> None:
    figures = {name: {"a": {**dates["a"], "2020-07": 1}} for name, dates in GOOD.items()}
    figures["Count_Person"]["a"]["2020-07"] = 3
    assert parts_of(await planned(context_of(), figures)) == ["Y", "A", "O"]


# ---- the whole binding ---------------------------------------------------------------------------


def binding() -> tuple[Slot, Selected, EntityResolved]:
    slot = Slot(
        id=SlotId("slot:1"), kind=SlotKind.CATEGORIES, role="categories", dimension="age",
        measure=MeasureMention(text="population"),
        entity=EntityMention(text="Testland", status="resolved", entity=COUNTRY),
    )  # fmt: skip
    meaning = Meaning(id="Count_Person", label="Population", variable="Count_Person", rank=0, documents=(TOTAL,))
    return slot, Selected(meanings=(meaning,), why=""), EntityResolved(entity=COUNTRY)


async def test_a_bound_split_names_the_source_the_total_and_the_parts(judged: Judged) -> None:
    body = answer({name: figures for name, figures in GOOD.items() if name != "ALL18"})

    class Publisher:
        async def send(self, request: Any, *, deadline: Deadline) -> Any:
            return response(body)

    def model(asked: Asked) -> Any:
        if asked.task == CHOOSE_DIMENSION.name:
            return {"dimension": "age", "why": ""}
        return {"total": "Count_Person", "parts": ["Y", "A", "O"], "why": ""}

    async with judged(model) as (run, server):
        run.finder, run.transport = ListedFinder(), Publisher()
        found = await DataCommonsPlugin().bind(*binding(), context=run)
    assert isinstance(found, list), found
    (bound,) = found
    assert bound.locator == {
        "variable": "Count_Person", "facet": "a", "parts": "Y,A,O", "names": "under 18|18 to 64|65 and over",
    }  # fmt: skip
    assert [one.task for one in server.asked] == [CHOOSE_DIMENSION.name, CHOOSE_PARTS.name]
