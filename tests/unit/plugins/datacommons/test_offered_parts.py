"""What a total is split by: looked up exactly in the finder, and matched with the asker's word by a judgment."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from finder_index.finder import LocalFinder
from plugins.datacommons.dimensions import canonical
from plugins.datacommons.split_planning import Parted, offered_parts
from plugins.datacommons.split_tasks import CHOOSE_DIMENSION, NONE
from shared.adapters.packaged_embedder import PackagedEmbedder
from shared.query.discovery import Family, FamilySplit, FinderReply, FinderRequest, TableDocument
from shared.query.evidence import FailureStatus, Unanswerable
from shared.runtime.deadline import Deadline
from shared.runtime.errors import FinderUnreachable, PhaseViolation
from shared.runtime.phase import Phase
from tests.unit.plugins.datacommons.conftest import Judged, context_of
from tests.unit.plugins.datacommons.test_breakdowns import TOTAL, document

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


async def test_no_split_is_judged_where_judgments_are_forbidden(judged: Judged) -> None:
    async with judged(lambda _: {"dimension": "age", "why": ""}) as (run, server):
        run.finder, run.phase = ListedFinder(), Phase(judging_allowed=False)
        with pytest.raises(PhaseViolation):
            await offered_parts([TOTAL], "age", "datacommons", run)
    assert server.asked == []
