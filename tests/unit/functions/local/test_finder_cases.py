"""Labelled searches are measured for the table and for the source, and what the index lacks is told apart."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from functions.local.finder_cases import FinderCase, evaluate_finder, load_searches
from shared.query.discovery import FinderReply, FinderRequest, TableDocument
from shared.runtime.deadline import Deadline
from shared.runtime.errors import ModelUnavailable, UsageError

CASES = Path(__file__).parents[3] / "cases" / "finder.jsonl"


def table(name: str, source: str = "wb") -> TableDocument:
    return TableDocument(identifier=f"urn:{name}", source=source, variable=name, title=name, description="")


class ThreeTables:
    """Finds three tables, in another order without the reranker, or fails."""

    def __init__(self) -> None:
        self.requests: list[FinderRequest] = []

    async def search(self, request: FinderRequest, *, deadline: Deadline) -> FinderReply:
        self.requests.append(request)
        if request.texts == ("down",):
            raise ModelUnavailable("no answer")
        found = (table("NY.GDP.MKTP.CD"), table("SP.POP.TOTL"), table("FP.CPI.TOTL.ZG", "other"))
        return FinderReply(
            results=found if request.rerank else found[::-1], score_scale="embedding", eligibility="match"
        )

    async def by_variable(self, variable: str) -> tuple[TableDocument, ...]:
        return () if variable == "AG.LND.FRST.ZS" else (table(variable),)


async def test_rates_of_table_and_source_with_and_without_the_reranker() -> None:
    finder = ThreeTables()
    cases = [
        FinderCase(query="gdp", expect_any=("NY.GDP.MKTP.CD",), source="wb"),
        FinderCase(query="people", expect_any=("urn:SP.POP.TOTL",), source=("wb", "un")),
        FinderCase(query="forest", expect_any=("AG.LND.FRST.ZS",), source="other"),
        FinderCase(query="down", expect_any=("SP.POP.TOTL",)),
    ]
    report = await evaluate_finder(cases, finder)
    made = report.figures()
    assert (made["cases"], made["rank_1"], made["top_15"]) == (4, 0.25, 0.5)
    assert (made["source_rank_1"], made["source_top_15"]) == (0.6667, 1.0)
    assert made["embedding"]["rank_1"] == 0.0
    assert made["embedding"]["source_rank_1"] == 0.3333
    assert (made["absent"], made["held"]["top_15"]) == (1, 0.6667)
    assert [failure["why"] for failure in made["failed"]] == [
        "not in the first 15; first is wb NY.GDP.MKTP.CD; the index holds no wanted table",
        "the search failed: no answer",
    ]
    assert report.exit_code == 1
    assert "4 searches; the index holds no wanted table of 1 of them" in report.text()
    assert {request.sources for request in finder.requests} == {()}


async def test_a_search_that_no_table_answers_is_right_when_nothing_qualifies() -> None:
    report = await evaluate_finder([FinderCase(query="a joke", none=True)], ThreeTables())
    assert report.figures()["refused"] == 0.0
    assert report.failed[0]["why"] == "no table answers it; first is wb NY.GDP.MKTP.CD"

    class Empty(ThreeTables):
        async def search(self, request: FinderRequest, *, deadline: Deadline) -> FinderReply:
            return FinderReply(results=(), score_scale="rerank", eligibility="no_match")

    report = await evaluate_finder([FinderCase(query="a joke", none=True)], Empty())
    assert (report.figures()["refused"], report.exit_code) == (1.0, 0)


async def test_the_halves_are_told_apart() -> None:
    cases = [FinderCase(query=name, expect_any=("NY.GDP.MKTP.CD",)) for name in ("gdp", "people", "forest", "rent")]
    report = await evaluate_finder(cases, ThreeTables())
    assert {name: rates.cases for name, rates in report.halves.items()} == Counter(case.half for case in cases)
    assert {case.half for case in cases} == {"dev", "held"}


BOTH = '{"query": "gdp", "expect_any": ["A"], "none": true}'


@pytest.mark.parametrize("line", [BOTH, '{"query": "gdp", "expect_any": []}', '{"query": "gdp"}', "[1]"])
def test_a_search_without_an_expectation_is_a_bad_line(tmp_path: Path, line: str) -> None:
    file = tmp_path / "searches.jsonl"
    file.write_text(line)
    with pytest.raises(UsageError, match="line 1"):
        load_searches(file)


def test_the_labelled_searches_are_three_hundred_each_said_once() -> None:
    cases = load_searches(CASES)
    assert len(cases) >= 300
    assert len({case.query for case in cases}) == len(cases)
    assert all(case.sources for case in cases if not case.none)
    assert sum(not case.none for case in cases) >= 300
    halves = Counter((case.half, case.none) for case in cases)
    assert min(halves["dev", False], halves["held", False]) >= 150
    assert min(halves["dev", True], halves["held", True]) >= 25
    origins = {json.loads(line)["origin"] for line in CASES.read_text(encoding="utf-8").splitlines()}
    assert len(origins) == 4
