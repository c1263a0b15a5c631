"""What a total is split by and into: offered by the finder and the figures, judged, and accepted if it adds up."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from finder_index.finder import LocalFinder
from plugins.datacommons.dimensions import Part, canonical, constraints_of
from plugins.datacommons.plugin import DataCommonsPlugin
from plugins.datacommons.split_planning import MOST_CORRECTIONS, Parted, Split, offered_parts, plan_split
from plugins.datacommons.split_tasks import CHOOSE_DIMENSION, CHOOSE_PARTS, NONE
from shared.adapters.packaged_embedder import PackagedEmbedder
from shared.query.annotated import EntityResolved, Meaning, Selected
from shared.query.discovery import Family, FamilySplit, FinderReply, FinderRequest, TableDocument
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.identifiers import SlotId
from shared.query.readings import EntityMention, MeasureMention, PeriodAsked
from shared.query.slots import Slot, SlotKind
from shared.runtime.deadline import Deadline
from shared.runtime.errors import FinderUnreachable, PhaseViolation
from shared.runtime.phase import Phase
from tests.support.datacommons import response, saying
from tests.support.model_server import Asked
from tests.unit.plugins.datacommons.conftest import Judged, context_of
from tests.unit.plugins.datacommons.test_breakdowns import COUNTRY, TOTAL, answer, document

WOMEN, MEN = document("W", "gender=Female"), document("M", "sex=male")
YOUNG, OLD, ADULT = document("Y", "age=0-17"), document("O", "age=65+"), document("A", "age=18-64")
POOR, POOR_WOMEN = document("P", "poverty=below"), document("PW", "poverty=below,sex=female")
POOR_MEN = document("PM", "sex=male,poverty=below")
ELSEWHERE = document("E", "age=18+").model_copy(update={"source": "another"})
OTHER_FAMILY = document("X", "sex=female", statType="medianValue")
ALL = (TOTAL, WOMEN, MEN, YOUNG, ADULT, OLD, POOR, POOR_WOMEN, POOR_MEN, ELSEWHERE, OTHER_FAMILY)


class ListedFinder:
    """The exact lookups over a list of documents."""

    def __init__(self, documents: Sequence[TableDocument] = ALL, *, down: bool = False) -> None:
        self.documents, self.down = documents, down

    def _of(self, family: Family) -> list[tuple[tuple[str, ...], TableDocument]]:
        if self.down:
            raise FinderUnreachable("the finder gave no answer in 4 tries")
        names = ("populationType", "measuredProperty", "statType")
        wanted = [family.population_type, family.measured_property, family.statistic]
        return [
            (tuple(sorted(part.partition("=")[0] for part in one.terms["constraints"].split(",") if part)), one)
            for one in self.documents
            if [one.terms[name] for name in names] == wanted
        ]

    async def splits(self, family: Family) -> tuple[FamilySplit, ...]:
        found = [names for names, _ in self._of(family)]
        return tuple(FamilySplit(dimensions=one, variables=found.count(one)) for one in sorted(set(found)))

    async def split_by(self, family: Family, dimensions: Sequence[str]) -> tuple[TableDocument, ...]:
        return tuple(one for names, one in self._of(family) if names == tuple(sorted(dimensions)))

    async def by_variable(self, variable: str) -> tuple[TableDocument, ...]:
        raise AssertionError("a split asks for no single variable")

    async def search(self, request: FinderRequest, *, deadline: Deadline) -> FinderReply:
        raise AssertionError("a split is looked up exactly, and never searched for")


async def offered(named: str, total: TableDocument = TOTAL, **finder: Any) -> Parted | Unanswerable:
    return await offered_parts([total], named, "datacommons", context_of(finder=ListedFinder(**finder)))


def ids(parted: Parted | Unanswerable) -> list[str]:
    assert isinstance(parted, Parted)
    return [part.variable for part in parted.parts]


async def test_a_dimension_that_is_spelt_in_two_ways_is_one() -> None:
    assert ids(await offered("gender")) == ["W", "M"]
    assert canonical("gender") == canonical("sex") == "sex"


async def test_parts_are_of_the_one_source_and_of_the_totals_family() -> None:
    assert ids(await offered("age")) == ["Y", "A", "O"]


async def test_a_limited_total_is_split_by_a_further_dimension_only() -> None:
    assert ids(await offered("sex", POOR)) == ["PW", "PM"]


async def test_a_dimension_that_the_family_is_not_split_by_is_refused_with_those_that_it_is() -> None:
    found = await offered("religion")
    assert isinstance(found, Unanswerable)
    assert found.status is FailureStatus.NOT_COVERED
    assert found.reason.endswith("do not split Count_Person by religion; they split it by age, poverty, sex")


async def test_a_total_without_any_split_is_refused_without_a_judgment(judged: Judged) -> None:
    async with judged(lambda _: {"dimension": "age", "why": ""}) as (run, server):
        run.finder = ListedFinder((TOTAL,))
        found = await offered_parts([TOTAL], "age", "datacommons", run)
    assert isinstance(found, Unanswerable)
    assert server.asked == []


async def test_a_single_part_is_no_split() -> None:
    found = await offered("sex", documents=(TOTAL, WOMEN))
    assert isinstance(found, Unanswerable)
    assert found.status is FailureStatus.NOT_COVERED


async def test_a_finder_that_is_down_is_told() -> None:
    found = await offered("age", down=True)
    assert isinstance(found, Unanswerable)
    assert found.status is FailureStatus.UNREACHABLE
    assert "the finder gave no answer in 4 tries" in found.reason


async def test_a_model_matches_the_askers_word_with_an_offered_dimension(judged: Judged) -> None:
    async with judged(lambda _: {"dimension": "age", "why": ""}) as (run, server):
        run.finder = ListedFinder()
        assert ids(await offered_parts([TOTAL], "generation", "datacommons", run)) == ["Y", "A", "O"]
    asked = server.asked[0]
    assert asked.task == CHOOSE_DIMENSION.name
    assert asked.data["named"] == "generation"
    assert {one["id"]: one["variables"] for one in asked.data["options"]} == {"age": 4, "poverty": 1, "sex": 2}


@pytest.mark.parametrize(
    ("reply", "status", "calls"),
    [(NONE, FailureStatus.NOT_COVERED, 1), ("shoe size", FailureStatus.INTERNAL, 2)],
)
async def test_a_dimension_that_was_not_offered_is_never_taken(
    judged: Judged, reply: str, status: FailureStatus, calls: int
) -> None:
    async with judged(lambda _: {"dimension": reply, "why": ""}) as (run, server):
        run.finder = ListedFinder()
        found = await offered_parts([TOTAL], "shoe size", "datacommons", run)
    assert isinstance(found, Unanswerable)
    assert found.status is status
    assert len(server.asked) == calls


async def test_the_carried_index_tells_by_what_the_population_is_split() -> None:
    finder = LocalFinder.open(PackagedEmbedder(), corpus=None)
    (total,) = [one for one in await finder.by_variable("Count_Person") if one.source == "datacommons"]
    context = context_of(finder=finder)
    assert sorted(ids(await offered_parts([total], "sex", "datacommons", context))) == [
        "Count_Person_Female",
        "Count_Person_Male",
    ]
    assert len(ids(await offered_parts([total], "age", "datacommons", context))) == 21


# ---- parts ---------------------------------------------------------------------------------------

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


async def test_no_split_is_judged_where_judgments_are_forbidden(judged: Judged) -> None:
    async with judged(lambda _: {"dimension": "age", "why": ""}) as (run, server):
        run.finder, run.phase = ListedFinder(), Phase(judging_allowed=False)
        with pytest.raises(PhaseViolation):
            await offered_parts([TOTAL], "age", "datacommons", run)
    assert server.asked == []
