"""The live path of the SDG database, over real HTTP on loopback: pages, refusals, pages of HTML, silence."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from datetime import date
from typing import Any, cast

import pytest

from plugins.choice.builtin_rules import BUILTIN_RULES
from plugins.unsdg.plugin import UnSdgPlugin
from plugins.unsdg.snapshot.responder import UnSdgResponder
from shared.adapters.live_transport import LiveTransport
from shared.models.builtin import BuiltinJudge
from shared.query.annotated import AskOptions, Executed, PlannedRequest
from shared.query.evidence import FailureStatus, Unanswerable
from shared.query.slots import Slot, SlotKind
from shared.runtime.context import RunContext
from shared.runtime.deadline import Deadline
from shared.runtime.errors import (
    DeadlineExceeded,
    NeuralKGError,
    PublisherRefused,
    PublisherUnreachable,
    ResponseMalformed,
)
from shared.runtime.http import HttpRequest, HttpResponse
from tests.conformance.transport.local_server import Behaviour, LocalPublisher, disconnect, serve, slow, status
from tests.unit.plugins.unsdg.test_plugin import countries, documents, place, slot

PLUGIN = UnSdgPlugin()
LIVE = "https://unstats.un.org"
HTML = b"<!DOCTYPE html><html><body>Service is being updated</body></html>"


@pytest.fixture
def publisher() -> Iterator[LocalPublisher]:
    with serve(UnSdgResponder()) as running:
        yield running


@pytest.fixture
async def live() -> AsyncIterator[LiveTransport]:
    async with LiveTransport(["127.0.0.1"], allow_loopback_http=True, attempts=2, first_wait=0.01) as transport:
        yield transport


class ToLoopback:
    """Sends what is meant for the publisher to the one on loopback."""

    def __init__(self, live: LiveTransport, base: str) -> None:
        self.live, self.base = live, base

    async def send(self, request: HttpRequest, *, deadline: Deadline) -> HttpResponse:
        assert request.url.startswith(f"{LIVE}/SDGAPI/v1/sdg/")
        moved = HttpRequest(request.url.replace(LIVE, self.base), params=request.params)
        return await self.live.send(moved, deadline=deadline)

    async def close(self) -> None:
        """The transport is closed by whoever opened it."""


def context(live: LiveTransport, publisher: LocalPublisher, *, seconds: float = 10) -> RunContext:
    unused = cast("Any", None)
    return RunContext(
        options=AskOptions(), deadline=Deadline.after(seconds), transport=ToLoopback(live, publisher.base),
        finder=unused, embedder=unused, judges=[BuiltinJudge(BUILTIN_RULES)], panel=[], say=lambda _: None,
        today=lambda: date(2026, 11, 30),
    )  # fmt: skip


async def planned(asked: Slot, variable: str, run: RunContext) -> PlannedRequest:
    selected = await PLUGIN.choose(asked, [documents()[variable]], question=asked.describes, context=run)
    assert not isinstance(selected, Unanswerable)
    resolved = await PLUGIN.resolve(asked, selected, question="", context=run)
    assert not isinstance(resolved, Unanswerable), resolved
    bound = await PLUGIN.bind(asked, selected, resolved, context=run)
    assert not isinstance(bound, Unanswerable), bound
    return PlannedRequest(order=0, bound=bound[0], resolved=resolved, slot=asked)


CHAD = slot("maternal mortality ratio", entity=place("Chad"))


async def test_a_figure_comes_over_http_as_it_is_published(live: LiveTransport, publisher: LocalPublisher) -> None:
    run = context(live, publisher)
    found = await PLUGIN.execute(await planned(CHAD, "SH_STA_MMR", run), context=run)
    assert isinstance(found, Executed)
    assert [(str(cell.value), cell.period.text) for cell in found.observations] == [("1140", "2017")]
    assert not found.response.snapshot
    assert publisher.seen[-1].startswith("/SDGAPI/v1/sdg/Series/Data?seriesCode=SH_STA_MMR&areaCode=148&")


async def test_pages_are_asked_for_until_all_rows_are_there(
    live: LiveTransport, publisher: LocalPublisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = slot("maternal mortality ratio", SlotKind.POPULATION, population=countries())
    run = context(live, publisher)
    request = await planned(asked, "SH_STA_MMR", run)
    whole = await PLUGIN.execute(request, context=run)
    monkeypatch.setattr("plugins.unsdg.client.PAGE_SIZE", 400)
    paged = await PLUGIN.execute(request, context=run)
    assert isinstance(whole, Executed)
    assert isinstance(paged, Executed)
    assert paged.observations == whole.observations
    pages = [url for url in publisher.seen if "pageSize=400" in url]
    assert [url.rpartition("page=")[2] for url in pages] == [str(n) for n in range(1, len(pages) + 1)]
    assert len(pages) > 2
    assert len(paged.response.requests) == len(pages)


async def test_a_split_is_planned_and_read_over_http(live: LiveTransport, publisher: LocalPublisher) -> None:
    asked = slot("unemployment rate", SlotKind.CATEGORIES, entity=place("Kenya"), dimension="age")
    run = context(live, publisher)
    found = await PLUGIN.execute(await planned(asked, "SL_TLF_UEM", run), context=run)
    assert isinstance(found, Executed)
    assert [str(cell.value) for cell in found.observations] == ["7.36", "1.56"]


async def test_a_passing_failure_is_tried_again(live: LiveTransport, publisher: LocalPublisher) -> None:
    run = context(live, publisher)
    request = await planned(CHAD, "SH_STA_MMR", run)
    publisher.script = [status(503, body=HTML)]
    assert isinstance(await PLUGIN.execute(request, context=run), Executed)


FAILURES: list[tuple[list[Behaviour], type[NeuralKGError]]] = [
    ([status(500, body=HTML)] * 2, PublisherUnreachable),
    ([status(502, body=b"")] * 2, PublisherUnreachable),
    ([status(403, body=HTML)], PublisherRefused),
    ([status(200, {"content-type": "text/html"}, HTML)], ResponseMalformed),
    ([status(200, body=b"")], ResponseMalformed),
    ([status(200, body=b"[]")], ResponseMalformed),
    ([status(200, body=json.dumps({"Message": "An error has occurred."}).encode())], ResponseMalformed),
    ([disconnect] * 2, PublisherUnreachable),
]


@pytest.mark.parametrize(("script", "error"), FAILURES)
async def test_what_went_wrong_is_told_apart(
    live: LiveTransport, publisher: LocalPublisher, script: list[Behaviour], error: type[NeuralKGError]
) -> None:
    run = context(live, publisher)
    request = await planned(CHAD, "SH_STA_MMR", run)
    publisher.script = list(script)
    with pytest.raises(error):
        await PLUGIN.execute(request, context=run)


async def test_a_request_that_is_rejected_is_an_answer(live: LiveTransport, publisher: LocalPublisher) -> None:
    run = context(live, publisher)
    request = await planned(CHAD, "SH_STA_MMR", run)
    publisher.script = [status(404, body=json.dumps({"Message": "No HTTP resource was found"}).encode())]
    found = await PLUGIN.execute(request, context=run)
    assert isinstance(found, Unanswerable)
    assert found.status is FailureStatus.NOT_FOUND
    assert "HTTP 404" in found.reason


async def test_a_publisher_that_says_nothing_is_left_when_time_is_up(
    live: LiveTransport, publisher: LocalPublisher
) -> None:
    request = await planned(CHAD, "SH_STA_MMR", context(live, publisher))
    publisher.script = [slow] * 2
    with pytest.raises((DeadlineExceeded, PublisherUnreachable)):
        await PLUGIN.execute(request, context=context(live, publisher, seconds=0.3))


async def test_a_failure_while_a_split_is_planned_is_told(live: LiveTransport, publisher: LocalPublisher) -> None:
    asked = slot("unemployment rate", SlotKind.CATEGORIES, entity=place("Kenya"), dimension="age")
    run = context(live, publisher)
    selected = await PLUGIN.choose(asked, [documents()["SL_TLF_UEM"]], question="", context=run)
    assert not isinstance(selected, Unanswerable)
    resolved = await PLUGIN.resolve(asked, selected, question="", context=run)
    assert not isinstance(resolved, Unanswerable)
    publisher.script = [status(500)] * 2
    found = await PLUGIN.bind(asked, selected, resolved, context=run)
    assert isinstance(found, Unanswerable)
    assert found.status is FailureStatus.UNREACHABLE
