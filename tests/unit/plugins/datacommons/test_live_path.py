"""The live path: the plugin over the live transport and a server on this machine that plays the API by wire."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest

from plugins.datacommons.client import DataCommonsClient
from plugins.datacommons.plugin import KEY_VARIABLE, DataCommonsPlugin
from plugins.datacommons.records import DataCommonsRejects
from plugins.datacommons.snapshot.responder import DataCommonsResponder
from shared.adapters.live_transport import LiveTransport
from shared.query.annotated import Bound, EntityResolved, Executed, PlannedRequest
from shared.query.evidence import FailureStatus, Measure, Unanswerable
from shared.query.identifiers import SlotId
from shared.query.quantity import Entity, PlaceKind, Unit, UnitKind
from shared.query.readings import EntityMention, MeasureMention, PopulationMention
from shared.query.slots import Slot, SlotKind
from shared.runtime.deadline import Deadline
from shared.runtime.errors import PublisherRefused, PublisherUnreachable, ResponseMalformed
from shared.runtime.http import HttpRequest, HttpResponse
from tests.conformance.transport.local_server import Behaviour, LocalPublisher, disconnect, serve, slow, status
from tests.unit.plugins.datacommons.conftest import context_of

API = "https://api.datacommons.org"
KEY = "a-canary-key"
JSON = {"content-type": "application/json"}
CALIFORNIA = "geoId/06"
COUNTIES = "geoId/06<-containedInPlace+{typeOf:County}"


class Recorded:
    """The recorded figures without what only recorded figures say of themselves."""

    hosts = frozenset({"api.datacommons.org"})

    def respond(self, request: HttpRequest) -> HttpResponse:
        answer = DataCommonsResponder().respond(request)
        return HttpResponse(status=answer.status, body=answer.body, retrieved_at=datetime.now(UTC), headers=JSON)


class Redirected:
    """The live transport, with the API's own address led to this machine."""

    def __init__(self, live: LiveTransport, publisher: LocalPublisher) -> None:
        self.live, self.publisher = live, publisher

    async def send(self, request: HttpRequest, *, deadline: Deadline) -> HttpResponse:
        assert request.url.startswith(API + "/v2/")
        here = replace(request, url=request.url.replace(API, self.publisher.base))
        return await self.live.send(here, deadline=deadline)


@pytest.fixture
def publisher() -> Iterator[LocalPublisher]:
    with serve(Recorded()) as running:
        yield running


@pytest.fixture
async def transport(publisher: LocalPublisher) -> AsyncIterator[Redirected]:
    async with LiveTransport(
        ["127.0.0.1"], allow_loopback_http=True, attempts=3, first_wait=0.01, max_body=8_000_000
    ) as live:
        yield Redirected(live, publisher)


@pytest.fixture
def client(transport: Redirected) -> DataCommonsClient:
    return of_key(KEY, transport)


def of_key(key: str | None, transport: Redirected, seconds: float = 10.0) -> DataCommonsClient:
    async def send(request: HttpRequest) -> HttpResponse:
        return await transport.send(request, deadline=Deadline.after(seconds))

    return DataCommonsClient(send, key=key)


def said(body: Any, code: int = 200) -> Behaviour:
    return status(code, JSON, json.dumps(body).encode())


Call = Callable[[DataCommonsClient], Any]
CALLS: dict[str, Call] = {
    "observation": lambda client: client.observations(["Count_Person"], [CALIFORNIA]),
    "node": lambda client: client.names([CALIFORNIA]),
    "resolve": lambda client: client.candidates(["Phoenix, Arizona"], place_type="City"),
}


@pytest.mark.parametrize("endpoint", CALLS)
async def test_each_endpoint_is_asked_by_its_address_with_the_key_in_a_header(
    client: DataCommonsClient, publisher: LocalPublisher, endpoint: str
) -> None:
    await CALLS[endpoint](client)
    (path,) = publisher.seen
    assert path.startswith(f"/v2/{endpoint}?")
    assert KEY not in path
    assert publisher.headers[0]["x-api-key"] == KEY


async def test_a_long_question_is_posted_with_the_key_in_a_header(
    client: DataCommonsClient, publisher: LocalPublisher
) -> None:
    places = [CALIFORNIA, *(f"geoId/{n:05}" for n in range(6001, 6300))]
    found = await client.observations(["Count_Person"], places)
    assert publisher.seen == ["/v2/observation"]
    asked = json.loads(publisher.bodies[0])
    assert asked["entity"]["dcids"] == places
    assert asked["select"] == ["date", "entity", "value", "variable"]
    assert publisher.headers[0]["content-type"] == "application/json"
    assert publisher.headers[0]["x-api-key"] == KEY
    newest = {one.facet: one.cells[-1] for one in found.of("Count_Person", CALIFORNIA)}
    assert tuple(newest["2176550201"]) == ("2025", 39355309)
    assert found.provenance.snapshot_as_of is None


async def test_pages_are_followed_over_the_network(client: DataCommonsClient, publisher: LocalPublisher) -> None:
    def page(dcid: str, **more: str) -> Behaviour:
        nodes = [{"dcid": dcid, "name": dcid}]
        return said({"data": {CALIFORNIA: {"arcs": {"containedInPlace+": {"nodes": nodes}}}}, **more})

    publisher.script = [page("geoId/06001", nextToken="t+/=1"), page("geoId/06003")]
    found = await client.contained(CALIFORNIA, "County")
    assert [place.dcid for place in found.rows] == ["geoId/06001", "geoId/06003"]
    assert "nextToken=t%2B%2F%3D1" in publisher.seen[1]


async def test_a_token_that_never_ends_is_given_up(client: DataCommonsClient, publisher: LocalPublisher) -> None:
    again = said({"data": {CALIFORNIA: {"arcs": {}}}, "nextToken": "again"})
    publisher.script = [again] * 5
    with pytest.raises(ResponseMalformed, match="has no end: 2 pages"):
        await client.contained(CALIFORNIA, "County")
    assert len(publisher.seen) == 2


@pytest.mark.parametrize("endpoint", CALLS)
async def test_a_rate_limit_waits_as_long_as_it_says_and_then_answers(
    client: DataCommonsClient, publisher: LocalPublisher, endpoint: str
) -> None:
    publisher.script = [status(429, {"retry-after": "1"}), status(500, {}, b"<html>oops</html>")]
    began = time.monotonic()
    assert await CALLS[endpoint](client)
    assert time.monotonic() - began >= 1.0
    assert len(publisher.seen) == 3


@pytest.mark.parametrize("endpoint", CALLS)
@pytest.mark.parametrize(
    "trouble",
    [
        ([status(429)] * 3, PublisherRefused, "429"),
        ([status(500)] * 3, PublisherUnreachable, "500"),
        ([disconnect] * 3, PublisherUnreachable, "the connection was lost"),
        ([said({"code": 401, "message": "no key"}, 401)], PublisherRefused, "401"),
        ([said({"code": 403, "message": "not yours"}, 403)], PublisherRefused, "403"),
        ([said({"code": 16, "message": "unregistered callers"})], PublisherRefused, "set DC_API_KEY"),
        ([said({"code": 8, "message": "quota exceeded"})], PublisherRefused, "quota exceeded"),
        ([said({"code": 13, "message": "marshaling"}, 400)], PublisherUnreachable, "failed on"),
        ([said({"code": 3, "message": "invalid property"}, 400)], DataCommonsRejects, "invalid property"),
        ([said({"message": "gone"}, 410)], DataCommonsRejects, "gone"),
        ([status(200, {"content-type": "text/html"}, b"<html>busy</html>")], ResponseMalformed, "not JSON"),
        ([status(200, JSON, b'{"byVariable": {')], ResponseMalformed, "not JSON"),
        ([status(200, JSON, b"\xff\xfe{")], ResponseMalformed, "not JSON"),
        ([said([])], ResponseMalformed, "no object"),
        ([status(200, JSON, b"[" + b"0," * 5_000_000 + b"0]")], ResponseMalformed, "more than 8000000 bytes"),
    ],
)  # fmt: skip
async def test_each_trouble_of_the_api_is_its_own_error_and_names_no_key(
    client: DataCommonsClient,
    publisher: LocalPublisher,
    endpoint: str,
    trouble: tuple[list[Behaviour], type[Exception], str],
) -> None:
    script, error, told = trouble
    publisher.script = list(script)
    with pytest.raises(error, match=told) as raised:
        await CALLS[endpoint](client)
    assert KEY not in str(raised.value)
    assert len(publisher.seen) == len(script)


async def test_without_a_key_a_refusal_says_which_variable_to_set(
    transport: Redirected, publisher: LocalPublisher
) -> None:
    publisher.script = [said({"code": 401, "message": "no key"}, 401)]
    with pytest.raises(PublisherRefused, match="set DC_API_KEY"):
        await CALLS["observation"](of_key(None, transport))
    assert "x-api-key" not in publisher.headers[0]


async def test_a_service_that_says_nothing_ends_at_the_deadline(
    transport: Redirected, publisher: LocalPublisher
) -> None:
    publisher.script = [slow]
    began = time.monotonic()
    with pytest.raises(Exception, match="before the run's time was up"):
        await CALLS["observation"](of_key(KEY, transport, seconds=0.3))
    assert time.monotonic() - began < 2


async def test_an_answer_of_five_megabytes_is_read_whole(
    client: DataCommonsClient, publisher: LocalPublisher
) -> None:
    dates = [f"{year:04}" for year in range(1000, 3000)]
    rows = {
        f"geoId/{n:05}": {
            "orderedFacets": [{"facetId": "1", "observations": [{"date": date, "value": n} for date in dates]}]
        }
        for n in range(6001, 6081)
    }
    body = json.dumps({"byVariable": {"Count_Person": {"byEntity": rows}}}).encode()
    assert len(body) > 5_000_000
    publisher.script = [status(200, JSON, body)]
    found = await client.observations(["Count_Person"], COUNTIES, date="")
    assert sum(len(one.cells) for every in found.by_variable["Count_Person"].values() for one in every) == 160_000


# ---- the plugin from the name to the figure ---------------------------------------------------------


MEASURE = Measure(
    source="datacommons", variable="Count_Person", name="Population", definition="", grain="place", additive=True,
    unit=Unit(kind=UnitKind.COUNT, code="people", label="people"),
)  # fmt: skip
BOUND = Bound(
    meaning="Count_Person", measure=MEASURE, plugin="datacommons", plugin_version="1",
    locator={"variable": "Count_Person"},
)  # fmt: skip


def slot(kind: SlotKind, **more: Any) -> Slot:
    return Slot(id=SlotId("slot:1"), kind=kind, role="value", measure=MeasureMention(text="population"), **more)


async def test_the_plugin_resolves_and_answers_a_city_over_the_network(
    transport: Redirected, publisher: LocalPublisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    context, plugin = context_of(), DataCommonsPlugin()
    context.transport = transport
    phoenix = Entity(name="Phoenix", kind=PlaceKind.CITY, keys={"city": "phoenix-az", "state": "AZ"})
    asked = slot(SlotKind.VALUE, entity=EntityMention(text="Phoenix", status="resolved", entity=phoenix))
    resolved = await plugin.resolve(asked, None, question="?", context=context)  # type: ignore[arg-type]
    assert isinstance(resolved, EntityResolved)
    planned = PlannedRequest(slot=asked, bound=BOUND, resolved=resolved, order=0)
    found = await plugin.execute(planned, context=context)
    assert isinstance(found, Executed)
    assert not found.response.snapshot
    assert found.observations[0].value is not None
    assert [path.partition("?")[0] for path in publisher.seen] == ["/v2/resolve", "/v2/observation"]
    assert {one["x-api-key"] for one in publisher.headers} == {KEY}
    assert KEY not in found.model_dump_json()


async def test_a_refusal_while_a_name_is_resolved_is_the_slots_failure(
    transport: Redirected, publisher: LocalPublisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    context = context_of()
    context.transport = transport
    publisher.script = [said({"code": 401, "message": "no key"}, 401)]
    phoenix = Entity(name="Phoenix", kind=PlaceKind.CITY, keys={"city": "phoenix-az", "state": "AZ"})
    asked = slot(SlotKind.VALUE, entity=EntityMention(text="Phoenix", status="resolved", entity=phoenix))
    found = await DataCommonsPlugin().resolve(asked, None, question="?", context=context)  # type: ignore[arg-type]
    assert isinstance(found, Unanswerable)
    assert found.status is FailureStatus.BLOCKED
    assert "set DC_API_KEY" in found.reason


async def test_a_population_is_one_request_over_the_network(
    transport: Redirected, publisher: LocalPublisher, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(KEY_VARIABLE, KEY)
    context, plugin = context_of(), DataCommonsPlugin()
    context.transport = transport
    counties = PopulationMention(member=PlaceKind.US_COUNTY, text="counties of the United States")
    asked = slot(SlotKind.POPULATION, population=counties)
    resolved = await plugin.resolve(asked, None, question="?", context=context)  # type: ignore[arg-type]
    assert isinstance(resolved, EntityResolved)
    found = await plugin.execute(
        PlannedRequest(slot=asked, bound=BOUND, resolved=resolved, order=0), context=context
    )
    assert isinstance(found, Executed)
    assert len(found.observations) > 3100
    assert len(publisher.seen) <= 2
