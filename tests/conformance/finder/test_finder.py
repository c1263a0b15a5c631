"""What every finder promises, in this process or behind HTTP: the same tables, the same errors, the same usage."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from finder_index.finder import LocalFinder
from shared.adapters.http_finder import HttpFinder
from shared.adapters.identity_tokens import IdentityTokens
from shared.query.discovery import Family, FamilySplit, FinderRequest
from shared.runtime import errors
from shared.runtime.deadline import Deadline
from shared.runtime.ports import Finder
from tests.support.finder_corpora import CountingEmbedder
from tests.support.finder_service import ScriptedJudge, everything, hang, service, small_finder
from tests.support.served import served
from tests.unit.functions.finder.test_lookup_routes import split_corpus

SECONDS = 20.0


class BrokenEmbedder(CountingEmbedder):
    async def embed(self, texts: Any) -> Any:
        raise errors.ModelUnavailable("the provider is down")


@asynccontextmanager
async def local(finder: LocalFinder, root: Path) -> AsyncIterator[Finder]:
    yield finder


@asynccontextmanager
async def over_http(finder: LocalFinder, root: Path) -> AsyncIterator[Finder]:
    async with served(service(finder, root)) as url, HttpFinder(url, first_wait=0.01) as remote:
        yield remote


# A further adapter is one more entry: each gives the port over the same index.
ADAPTERS = {"local": local, "http": over_http}
Open = Callable[..., Awaitable[Finder]]


@pytest.fixture(params=sorted(ADAPTERS))
async def opened(request, tmp_path) -> AsyncIterator[Open]:
    blocks = []

    async def open_finder(judge: ScriptedJudge | None = None, **given: Any) -> Finder:
        block = ADAPTERS[request.param](await small_finder(tmp_path, judge, **given), tmp_path)
        blocks.append(block)
        return await block.__aenter__()

    yield open_finder
    for block in blocks:
        await block.__aexit__(None, None, None)


def wanted(text: str = "interest rate", **more: Any) -> FinderRequest:
    return FinderRequest(texts=(text,), **more)


async def test_a_reply_is_whole(opened, tmp_path):
    finder = await opened(ScriptedJudge(everything(80)))
    request = wanted(background="what do banks take?", page_size=3, filters=(("colour", ("red",)),))
    reply = await finder.search(request, deadline=Deadline.after(SECONDS))
    here = await (await small_finder(tmp_path / "same", ScriptedJudge(everything(80)))).search(
        request, deadline=Deadline.after(SECONDS)
    )
    timeless = {"usage": here.usage}
    assert reply.model_copy(update=timeless) == here
    assert reply.score_scale == "rerank"
    assert reply.not_looked_at.filters == ("colour",)
    assert len(reply.results) == 3
    assert reply.usage.model_calls == here.usage.model_calls > 0
    assert [step.step for step in reply.usage.steps] == [step.step for step in here.usage.steps]


async def test_pages_follow_on_each_other(opened):
    finder = await opened()
    whole = await finder.search(wanted(page_size=6), deadline=Deadline.after(SECONDS))
    second = await finder.search(wanted(page_size=3, first=3), deadline=Deadline.after(SECONDS))
    assert second.results == whole.results[3:]


async def test_sources_bound_a_search(opened):
    finder = await opened()
    reply = await finder.search(wanted(sources=("beta",)), deadline=Deadline.after(SECONDS))
    assert {one.source for one in reply.results} == {"beta"}
    assert reply.results[0].terms["unit"] == "%"


async def test_a_variable_is_looked_up_in_every_source(opened):
    finder = await opened()
    assert [one.source for one in await finder.by_variable("shared")] == ["alpha", "beta"]
    assert await finder.by_variable("no such variable & more") == ()


async def test_a_family_tells_what_it_is_split_by_and_by_which_variables(opened, tmp_path):
    split_corpus(tmp_path)
    finder = await opened(tables={})
    people = Family(population_type="Person", measured_property="count", statistic="measuredValue")
    assert await finder.splits(people) == (
        FamilySplit(dimensions=(), variables=1),
        FamilySplit(dimensions=("gender",), variables=2),
        FamilySplit(dimensions=("age", "gender"), variables=1),
    )
    women_and_men = await finder.split_by(people, ["gender"])
    assert {one.variable: one.terms["constraints"] for one in women_and_men} == {
        "women": "gender=Female",
        "men": "gender=Male",
    }
    assert [one.variable for one in await finder.split_by(people, ["gender", "age"])] == ["girls"]
    assert [one.variable for one in await finder.split_by(people, [])] == ["whole"]
    nothing = people.model_copy(update={"statistic": "mean & more"})
    assert (await finder.splits(nothing), await finder.split_by(nothing, ["gender"])) == ((), ())


async def test_a_family_that_is_not_named_in_full_is_refused_by_the_service(tmp_path):
    async with served(service(await small_finder(tmp_path), tmp_path)) as url, httpx.AsyncClient() as http:
        refused = await http.get(f"{url}/port/splits", params={"population_type": "Person"})
    assert refused.status_code == 400
    assert "lacks measured_property, statistic" in refused.json()["message"]


async def test_an_unknown_source_is_named_with_the_known_ones(opened):
    finder = await opened()
    with pytest.raises(errors.UnknownSource) as caught:
        await finder.search(wanted(sources=("beta", "omega")), deadline=Deadline.after(SECONDS))
    assert caught.value.name == "omega"
    assert "alpha" in caught.value.known


async def test_an_unknown_catalog_is_bad_usage(opened):
    finder = await opened()
    with pytest.raises(errors.UsageError, match="catalog"):
        await finder.search(wanted(catalogs=("nowhere",)), deadline=Deadline.after(SECONDS))


async def test_an_empty_phrasing_is_bad_usage(opened):
    finder = await opened()
    with pytest.raises(errors.UsageError):
        await finder.search(wanted("  "), deadline=Deadline.after(SECONDS))


async def test_an_embedder_that_is_down_is_told_with_what_was_used(opened):
    finder = await opened(embedder=BrokenEmbedder())
    with pytest.raises(errors.EmbeddingFailed, match=r"(?i)the provider is down") as caught:
        await finder.search(wanted(), deadline=Deadline.after(SECONDS))
    assert [step.step for step in caught.value.usage.steps] == ["embed"]


async def test_a_reranker_that_is_down_is_told_with_what_was_used(opened):
    finder = await opened(ScriptedJudge(lambda _: errors.ModelUnavailable("no model")))
    with pytest.raises(errors.ScoringFailed) as caught:
        await finder.search(wanted(), deadline=Deadline.after(SECONDS))
    assert "embed" in [step.step for step in caught.value.usage.steps]


async def test_a_search_ends_at_its_deadline(opened):
    finder = await opened(ScriptedJudge(hang))
    began = asyncio.get_running_loop().time()
    with pytest.raises(errors.SearchTimedOut):
        await finder.search(wanted(), deadline=Deadline.after(0.6))
    assert asyncio.get_running_loop().time() - began < 5


async def test_a_search_that_is_cancelled_stops(opened):
    ranking = asyncio.Event()

    async def hang_audibly(_: Any) -> None:
        ranking.set()
        await asyncio.sleep(3600)

    finder = await opened(ScriptedJudge(hang_audibly))
    task = asyncio.create_task(finder.search(wanted(), deadline=Deadline.after(SECONDS)))
    await ranking.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


# ---- what only the network can do ----------------------------------------------------------------


class Answers:
    """A server that answers as the test says, in order; remembers the requests' headers."""

    def __init__(self, *replies: tuple[int, bytes]) -> None:
        self.replies, self.headers = list(replies), []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            return
        self.headers.append({key.decode(): value.decode() for key, value in scope["headers"]})
        status, body = self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]
        await send({"type": "http.response.start", "status": status, "headers": []})
        await send({"type": "http.response.body", "body": body})


class Held:
    """Credentials whose token is good once it was fetched."""

    def __init__(self) -> None:
        self.token: str | None = None
        self.fetched = 0

    @property
    def valid(self) -> bool:
        return self.token is not None

    def refresh(self, request: Any) -> None:
        self.fetched += 1
        self.token = "secret-token"


async def test_a_service_without_an_instance_is_asked_again():
    answers = Answers((503, b"no instance"), (429, b"Rate exceeded."), (200, b"[]"))
    async with served(answers) as url, HttpFinder(url, first_wait=0.01) as finder:
        assert await finder.by_variable("a") == ()
    assert len(answers.headers) == 3


async def test_a_finder_that_keeps_failing_is_unreachable():
    answers = Answers((500, b"crashed"))
    async with served(answers) as url, HttpFinder(url, attempts=2, first_wait=0.01) as finder:
        with pytest.raises(errors.FinderUnreachable, match="HTTP 500"):
            await finder.search(wanted(), deadline=Deadline.after(SECONDS))
    assert len(answers.headers) == 2


async def test_a_finder_that_is_not_there_is_unreachable():
    async with HttpFinder("http://127.0.0.1:1", attempts=2, first_wait=0.01) as finder:
        with pytest.raises(errors.FinderUnreachable, match="ConnectError"):
            await finder.by_variable("a")


async def test_a_reply_that_cannot_be_unpacked_makes_the_finder_unreachable():
    async def garbled(scope, receive, send):
        headers = [(b"content-encoding", b"gzip"), (b"content-length", b"3")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": b"[]!"})

    async with served(garbled) as url, HttpFinder(url, attempts=2, first_wait=0.01) as finder:
        with pytest.raises(errors.FinderUnreachable, match="DecodingError"):
            await finder.by_variable("a")


async def test_a_reply_in_another_form_is_refused():
    async with served(Answers((200, b'{"results": "many"}'))) as url, HttpFinder(url) as finder:
        with pytest.raises(errors.FinderUnreachable, match="own form"):
            await finder.search(wanted(), deadline=Deadline.after(SECONDS))


async def test_the_identity_token_is_fetched_once_and_sent():
    held, audiences = Held(), []

    def made(audience: str) -> Held:
        audiences.append(audience)
        return held

    answers, tokens = Answers((200, b"[]")), IdentityTokens("https://finder.test", credentials=made)
    async with served(answers) as url, HttpFinder(url, tokens=tokens) as finder:
        await asyncio.gather(finder.by_variable("a"), finder.by_variable("b"))
    assert audiences == ["https://finder.test"]
    assert held.fetched == 1
    assert [one["authorization"] for one in answers.headers] == ["Bearer secret-token"] * 2


async def test_a_finder_that_does_not_let_us_in_says_what_is_missing_and_not_the_token():
    held = IdentityTokens("https://finder.test", credentials=lambda _: Held())
    async with served(Answers((403, b""))) as url, HttpFinder(url, tokens=held) as finder:
        with pytest.raises(errors.FinderUnreachable, match=r"run\.invoker") as caught:
            await finder.by_variable("a")
    assert "secret-token" not in str(caught.value)


async def test_nothing_is_sent_in_the_clear_over_a_network():
    with pytest.raises(errors.UsageError, match="https"):
        HttpFinder("http://finder.example.org")


async def test_this_machine_is_asked_without_a_token():
    answers = Answers((200, b"[]"))
    async with served(answers) as url, HttpFinder(url, headers=lambda: {"traceparent": "00-a-b-01"}) as finder:
        await finder.by_variable("a")
    assert "authorization" not in answers.headers[0]
    assert answers.headers[0]["traceparent"] == "00-a-b-01"


async def test_a_request_that_is_none_is_refused(tmp_path):
    async with served(service(await small_finder(tmp_path), tmp_path)) as url, httpx.AsyncClient() as client:
        reply = await client.post(f"{url}/port/search", content=b'{"texts": []}')
    assert reply.status_code == 400
    assert reply.json()["error"] == "request_invalid"
