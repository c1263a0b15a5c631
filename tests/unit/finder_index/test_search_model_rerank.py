"""The model reranker scores source by source, and whatever it does not do is said."""

from __future__ import annotations

import asyncio
import time
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from finder_index.finder import LocalFinder
from finder_index.limits import Limits
from finder_index.rerank_task import RERANK_TABLES, Card, RerankReply, RerankRequest, card_of, read_ranking
from shared.models.tasks import validated
from shared.query.answer import ModelUsage
from shared.query.discovery import FinderReply, FinderRequest, TableDocument
from shared.runtime.deadline import Deadline
from shared.runtime.errors import (
    BudgetExhausted,
    EmbeddingFailed,
    ModelUnavailable,
    ScoringFailed,
    SearchFailed,
    SearchTimedOut,
)
from tests.support.finder_corpora import CountingEmbedder
from tests.support.finder_service import ScriptedJudge, everything, hang, small_finder


async def search(finder: Any, *, seconds: float = 30.0, **more: Any) -> FinderReply:
    request = FinderRequest.model_validate({"texts": ("interest rate",), "page_size": 10, **more})
    reply: FinderReply = await finder.search(request, deadline=Deadline.after(seconds))
    return reply


def source_of(request: RerankRequest) -> str:
    return request.cards[-1].title.split()[3]


async def test_the_first_five_sources_are_scored_and_the_others_are_named(tmp_path: Path) -> None:
    judge = ScriptedJudge()
    reply = await search(await small_finder(tmp_path, judge))
    assert len(judge.asked) == 5
    assert len({document.source for document in reply.results}) == 5
    assert len(reply.not_looked_at.sources) == 3
    assert set(reply.not_looked_at.sources).isdisjoint({document.source for document in reply.results})
    assert any("beyond the 5 nearest sources" in note for note in reply.notes)


async def test_the_first_source_stands_alone_and_the_others_get_its_two_best_as_anchors(tmp_path: Path) -> None:
    judge = ScriptedJudge()
    await search(await small_finder(tmp_path, judge))
    first, *others = judge.asked
    leading = source_of(first)
    assert {card.title.split()[3] for card in first.cards if card.title.startswith("Interest")} == {leading}
    for request in others:
        assert [card.title.split()[3] for card in request.cards[:2]] == [leading, leading]
        assert {card.title.split()[3] for card in request.cards[2:] if "Interest" in card.title} == {
            source_of(request)
        }
        assert request.most == 10 + 2


async def test_an_anchors_score_is_thrown_away(tmp_path: Path) -> None:
    def rank(request: RerankRequest) -> dict[str, Any]:
        # The first source is asked without anchors, and scored low; as anchors its tables would score high.
        titles = {card.title.split()[3] for card in request.cards}
        score = 60 if len(titles) == 1 else 90
        return {"ranked": [{"i": card.number, "score": score} for card in request.cards]}

    judge = ScriptedJudge(rank)
    reply = await search(await small_finder(tmp_path, judge))
    leading = source_of(judge.asked[0])
    assert {document.score for document in reply.results if document.source == leading} == {60.0}


async def test_the_best_of_each_source_comes_first_then_the_others_by_score(tmp_path: Path) -> None:
    def rank(request: RerankRequest) -> dict[str, Any]:
        best = {"alpha": 99, "beta": 55}.get(source_of(request), 70)
        return {"ranked": [{"i": card.number, "score": best} for card in request.cards]}

    reply = await search(await small_finder(tmp_path, ScriptedJudge(rank)), sources=("alpha", "beta"))
    assert [document.source for document in reply.results[:2]] == ["alpha", "beta"]
    assert [document.score for document in reply.results] == [99, 55, 99, 99, 99, 55, 55, 55]


async def test_a_later_source_whose_scoring_fails_is_named_and_the_others_are_returned(tmp_path: Path) -> None:
    seen: list[str] = []

    def rank(request: RerankRequest) -> Any:
        seen.append(source_of(request))
        if len(set(seen)) == 2 and source_of(request) == seen[1]:
            return ModelUnavailable("the provider says 429")
        return everything(80)(request)

    reply = await search(await small_finder(tmp_path, ScriptedJudge(rank)))
    (failed,) = reply.not_looked_at.failed
    assert failed.source == seen[1]
    assert "429" in failed.reason
    assert failed.source not in {document.source for document in reply.results}
    assert any(f"of {failed.source} were not scored" in note for note in reply.notes)
    assert reply.eligibility == "match"


async def test_a_later_source_that_hangs_is_left_before_the_deadline(tmp_path: Path) -> None:
    judge = ScriptedJudge()
    judge.rank = lambda request: hang(request) if len(judge.asked) > 1 else everything(80)(request)
    began = time.monotonic()
    reply = await search(await small_finder(tmp_path, judge), seconds=0.8)
    assert time.monotonic() - began < 0.8
    assert len(reply.not_looked_at.failed) == 4
    assert {failed.reason for failed in reply.not_looked_at.failed} == {"it had not answered in time"}
    assert reply.results


@pytest.mark.parametrize(
    "broken",
    [
        ModelUnavailable("the provider is down"),
        {"ranked": []},
        {"ranked": "none"},
        {"best": 1},
        {"ranked": [{"i": 999, "score": 80}]},
        {"ranked": [{"card": 1, "score": 80}, "1", None]},
    ],
    ids=["down", "empty", "no list", "another shape", "no such card", "nonsense"],
)
async def test_when_the_first_source_fails_the_search_fails_with_its_usage(tmp_path: Path, broken: Any) -> None:
    judge = ScriptedJudge(lambda _: broken)
    with pytest.raises(ScoringFailed) as failure:
        await search(await small_finder(tmp_path, judge))
    assert failure.value.usage.model_calls >= 1
    assert {step.step for step in failure.value.usage.steps} >= {"embed", "rank", "rerank"}


async def test_a_hanging_reranker_ends_at_the_deadline_with_its_usage(tmp_path: Path) -> None:
    with pytest.raises(SearchTimedOut) as failure:
        await search(await small_finder(tmp_path, ScriptedJudge(hang)), seconds=0.4)
    assert failure.value.usage.model_calls >= 1
    assert any(step.step == "rerank" and step.calls for step in failure.value.usage.steps)


async def test_ranking_items_that_cannot_be_read_are_told_and_do_not_spoil_the_others(tmp_path: Path) -> None:
    def rank(request: RerankRequest) -> Any:
        return {
            "ranked": [
                {"i": 1, "score": 88},
                {"i": "2", "score": 80},
                {"i": 2, "score": "high"},
                {"i": 3, "score": 101},
                {"i": 77, "score": 60},
                {"i": 1, "score": 12},
                [2, 90],
            ]
        }

    reply = await search(await small_finder(tmp_path, ScriptedJudge(rank)), sources=("alpha",))
    assert [document.score for document in reply.results] == [88.0]
    reasons = [item.reason for item in reply.not_looked_at.items]
    assert len(reasons) == 6
    assert {item.source for item in reply.not_looked_at.items} == {"alpha"}
    assert any("no card 77" in reason for reason in reasons)
    assert any("second time" in reason for reason in reasons)
    assert any("6 items of the ranking of alpha could not be read" in note for note in reply.notes)
    assert any("were not returned by the reranker" in note for note in reply.notes)


async def test_more_items_than_asked_for_are_told(tmp_path: Path) -> None:
    def rank(request: RerankRequest) -> Any:
        return {"ranked": [{"i": card.number, "score": 80} for card in request.cards]}

    reply = await search(await small_finder(tmp_path, ScriptedJudge(rank)), sources=("alpha",), page_size=1)
    assert len(reply.results) == 1
    assert any("beyond the 1 items asked for" in item.reason for item in reply.not_looked_at.items)


async def test_no_table_of_fifty_is_no_match_with_the_best_score(tmp_path: Path) -> None:
    reply = await search(await small_finder(tmp_path, ScriptedJudge(everything(49.9))))
    assert (reply.results, reply.eligibility, reply.threshold, reply.top_score) == ((), "no_match", 50.0, 49.9)
    assert reply.widening


async def test_a_narrow_spread_widens_window_by_window_until_something_qualifies(tmp_path: Path) -> None:
    tables = {"bank": {f"V.{n:02}": f"Alpha beta {n}" for n in range(40)}}
    limits = Limits(slice=5, examined=30, per_phrasing=0, per_source=0, band=0.0, narrow_spread=1000.0)
    judge = ScriptedJudge()
    judge.rank = lambda request: everything(80)(request) if len(judge.asked) == 3 else everything(10)(request)
    reply = await search(await small_finder(tmp_path, judge, limits=limits, tables=tables), texts=("beta",))
    assert [len(request.cards) for request in judge.asked] == [5, 5, 5]
    assert reply.widening == "stopped: 5 of the last 5 tables qualified"
    assert reply.examined == 15
    assert len(reply.results) == 5


async def test_a_wide_spread_stops_widening_and_says_so(tmp_path: Path) -> None:
    limits = Limits(slice=5, per_phrasing=0, per_source=0, band=0.0, narrow_spread=0.0)
    judge = ScriptedJudge(everything(10))
    reply = await search(await small_finder(tmp_path, judge, limits=limits), sources=("alpha", "beta"))
    assert reply.eligibility == "no_match"
    assert reply.widening.startswith("stopped: the embedding scores of the last")
    assert reply.not_looked_at.candidates > 0


async def test_a_widening_call_that_fails_fails_the_search(tmp_path: Path) -> None:
    tables = {"bank": {f"V.{n:02}": f"Alpha beta {n}" for n in range(40)}}
    limits = Limits(slice=5, examined=30, per_phrasing=0, per_source=0, band=0.0, narrow_spread=1000.0)
    judge = ScriptedJudge()
    judge.rank = lambda request: ModelUnavailable("gone") if len(judge.asked) > 1 else everything(10)(request)
    with pytest.raises(ScoringFailed) as failure:
        await search(await small_finder(tmp_path, judge, limits=limits, tables=tables), texts=("beta",))
    assert failure.value.usage.model_calls >= 2


async def test_without_the_reranker_no_model_is_asked(tmp_path: Path) -> None:
    judge = ScriptedJudge()
    reply = await search(await small_finder(tmp_path, judge), rerank=False)
    assert not judge.asked
    assert (reply.score_scale, reply.threshold) == ("embedding", None)


async def test_filters_that_leave_nothing_cost_no_reranking(tmp_path: Path) -> None:
    judge = ScriptedJudge()
    reply = await search(await small_finder(tmp_path, judge), filters=(("publisher", ("nobody.example",)),))
    assert (reply.eligibility, reply.top_score, reply.results) == ("no_match", None, ())
    assert not judge.asked
    assert reply.usage.model_calls == 0
    assert any("no table is left" in note for note in reply.notes)


class BrokenEmbedder(CountingEmbedder):
    def __init__(self, fault: str) -> None:
        super().__init__()
        self._fault = fault

    async def embed(self, texts: Any) -> Any:
        found = await super().embed(texts)
        match self._fault:
            case "down":
                raise ModelUnavailable("no connection")
            case "hanging":
                await asyncio.sleep(3600)
            case "short":
                return found[:-1]
            case "nan":
                found[0, 0] = float("nan")
        return found


@pytest.mark.parametrize("fault", ["down", "short", "nan"])
async def test_an_embedding_that_fails_is_a_typed_error_with_usage(tmp_path: Path, fault: str) -> None:
    finder = await small_finder(tmp_path, embedder=BrokenEmbedder(fault))
    with pytest.raises(EmbeddingFailed, match="could not be embedded") as failure:
        await search(finder, texts=("interest rate", "rates"))
    assert [step.step for step in failure.value.usage.steps] == ["embed"]


async def test_a_hanging_embedder_ends_at_the_deadline(tmp_path: Path) -> None:
    with pytest.raises(SearchFailed, match="time was up") as failure:
        await search(await small_finder(tmp_path, embedder=BrokenEmbedder("hanging")), seconds=0.2)
    assert isinstance(failure.value, SearchTimedOut)


def test_a_card_tells_whom_a_table_covers_and_on_which_levels() -> None:
    document = TableDocument(
        identifier="urn:air:a.org:okf:a.b",
        source="a",
        variable="b",
        title="Interest rate",
        description="Long.",
        queries=tuple(f"q{n}" for n in range(9)),
        terms={"scope": "countries", "grain": "country,country group"},
    )
    card = card_of(3, document)
    assert card.covers == "countries"
    assert card.geography == "countries, groups of countries; not published for any area inside a country"
    assert (len(card.asks), card.description) == (6, "")
    assert card_of(1, document, describe=True).description == "Long."


def test_a_reply_that_names_no_card_is_refused_with_the_reason() -> None:
    request = RerankRequest(texts=("a",), cards=(Card(number=1, title="t"),), most=1)
    assert "empty" in str(validated(RERANK_TABLES, request, RerankReply(ranked=[])))
    reply = RerankReply.model_validate({"ranked": [{"i": True, "score": 3}, {"i": 1, "score": float("nan")}]})
    assert not read_ranking(request, reply).scores
    assert len(read_ranking(request, reply).skipped) == 2
    with pytest.raises(ValidationError):
        RerankReply.model_validate({"ranked": {"1": 80}})


def test_the_reply_that_a_model_is_shown_is_only_the_ranking() -> None:
    schema = RerankReply.model_json_schema()
    assert set(schema["properties"]) == {"ranked"}


@pytest.mark.parametrize(
    "broken",
    [ModelUnavailable("the provider is down"), {"ranked": []}, BudgetExhausted("nothing is left")],
    ids=["down", "empty", "budget"],
)
async def test_the_built_in_evidence_stands_in_where_it_may_and_the_reply_says_why(
    tmp_path: Path, broken: Any
) -> None:
    finder = await small_finder(tmp_path, ScriptedJudge(lambda _: broken))
    plain = LocalFinder(finder.index, CountingEmbedder(), limits=Limits())
    reply, own = await search(finder, stand_in=True), await search(plain)
    assert [(found.identifier, found.score) for found in reply.results] == [
        (found.identifier, found.score) for found in own.results
    ]
    assert reply.stood_in
    assert f"no model ranked the tables: {reply.stood_in}" in reply.notes
    assert reply.usage.model_calls >= 2
    assert own.stood_in == ""


async def test_a_hanging_model_leaves_the_built_in_evidence_two_thirds_of_the_time(tmp_path: Path) -> None:
    finder = await small_finder(tmp_path, ScriptedJudge(hang))
    began = time.monotonic()
    reply = await search(finder, stand_in=True, seconds=3.0)
    assert 0.9 < time.monotonic() - began < 2.0
    assert reply.results
    assert "had not answered in time" in reply.stood_in


class Priced(ScriptedJudge):
    """A judge that reserves a dollar for each call, and counts it, as models do."""

    metered = True

    async def ask(self, task: Any, request: Any, context: Any, *, hint: str | None = None) -> Any:
        context.budget.reserve(Decimal(1))
        used = ModelUsage(model=self.name, task=task.id, calls=1, tokens=7, usd=Decimal(1), seconds=0.1)
        context.meter.models.append(used)
        context.budget.settle(reserved=Decimal(1), usd=Decimal(1), tokens=7, seconds=0.1)
        return await super().ask(task, request, context, hint=hint)


async def test_a_search_spends_no_more_than_it_may_and_names_the_sources_that_it_left(tmp_path: Path) -> None:
    judge = Priced()
    reply = await search(await small_finder(tmp_path, judge), usd=Decimal("2.50"))
    assert len(judge.asked) == 2
    assert (reply.usage.usd, reply.usage.tokens) == ("2", 14)
    assert len(reply.not_looked_at.failed) == 3
    assert all("budget of $2.50 is used up" in failed.reason for failed in reply.not_looked_at.failed)


async def test_with_nothing_left_to_spend_no_model_is_asked(tmp_path: Path) -> None:
    judge = Priced()
    finder = await small_finder(tmp_path, judge)
    reply = await search(finder, usd=Decimal(0), stand_in=True)
    assert not judge.asked
    assert reply.results
    assert "budget of $0 is used up" in reply.stood_in
    assert (reply.usage.usd, reply.usage.tokens) == ("0", 0)
    with pytest.raises(ScoringFailed, match="budget"):
        await search(finder, usd=Decimal(0))
