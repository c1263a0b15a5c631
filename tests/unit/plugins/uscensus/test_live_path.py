"""The live path: the client over the live transport and a server on this machine, with the API's own troubles."""

from __future__ import annotations

import json
import time
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest

from plugins.uscensus.business import columns_of, predicates
from plugins.uscensus.client import CensusClient
from plugins.uscensus.geography import Area
from plugins.uscensus.plugin import CensusPlugin
from plugins.uscensus.records import CensusRejects, NoVintage
from plugins.uscensus.snapshot.responder import API, CensusResponder
from plugins.uscensus.wire import read_estimate
from shared.adapters.live_transport import LiveTransport
from shared.query.annotated import Executed, PlannedRequest
from shared.query.evidence import Unanswerable
from shared.runtime.deadline import Deadline
from shared.runtime.errors import PublisherRefused, PublisherUnreachable, ResponseMalformed
from shared.runtime.http import HttpRequest, HttpResponse
from tests.conformance.transport.local_server import Behaviour, LocalPublisher, serve, status
from tests.unit.plugins.choice.test_place_task import context
from tests.unit.plugins.uscensus.asked import Publisher, asking, county, year

HARRIS = Area.one("county", "48201")
INCOME = ["NAME", "B19013_001E", "B19013_001M"]
KEY_PAGE = b"<html style='font-size: 14px;'><head><title>%s</title></head><body>A valid <em>key</em>.</body></html>"


class Recorded:
    """The recorded figures of the API alone, as one host."""

    hosts = frozenset({API})

    def respond(self, request: HttpRequest) -> HttpResponse:
        return CensusResponder().respond(request)


@pytest.fixture
def publisher() -> Iterator[LocalPublisher]:
    with serve(Recorded()) as running:
        yield running


@pytest.fixture
async def client(publisher: LocalPublisher) -> AsyncIterator[CensusClient]:
    async with LiveTransport(["127.0.0.1"], allow_loopback_http=True, attempts=3, first_wait=0.01) as live:

        async def send(request: HttpRequest) -> HttpResponse:
            here = HttpRequest(request.url.replace(f"https://{API}", publisher.base), request.params)
            return await live.send(here, deadline=Deadline.after(10))

        yield CensusClient(send, key="a-key")


def json_body(body: Any) -> Behaviour:
    return status(200, {"content-type": "application/json;charset=utf-8"}, json.dumps(body).encode())


async def test_figures_come_over_the_network_as_they_are_published(
    client: CensusClient, publisher: LocalPublisher
) -> None:
    table = await client.table("acs/acs5", 2017, INCOME, HARRIS)
    found = read_estimate(table.rows[0], "B19013_001E")
    assert (found.value, found.margin) == (Decimal(57791), Decimal(503))
    assert publisher.seen == [
        "/data/2017/acs/acs5?get=NAME,B19013_001E,B19013_001M&for=county:201&in=state:48&key=a-key"
    ]
    assert "a-key" not in table.provenance.requests[0].url


async def test_a_tree_comes_over_the_network_without_the_key(
    client: CensusClient, publisher: LocalPublisher
) -> None:
    tree = await client.tree("acs/acs5", 2023, "B01001")
    assert [line.name for line in tree.below(("Total",))] == ["Male", "Female"]
    assert publisher.seen == ["/data/2023/acs/acs5/groups/B01001.json"]


async def test_a_rate_limit_waits_as_long_as_it_says_and_then_answers(
    client: CensusClient, publisher: LocalPublisher
) -> None:
    publisher.script = [status(429, {"retry-after": "1"}), status(500)]
    began = time.monotonic()
    table = await client.table("acs/acs5", 2017, INCOME, HARRIS)
    assert len(table.rows) == 1
    assert time.monotonic() - began >= 1.0
    assert len(publisher.seen) == 3


@pytest.mark.parametrize(
    ("script", "error", "told"),
    [
        ([status(429)] * 3, PublisherRefused, "429"),
        ([status(500)] * 3, PublisherUnreachable, "500"),
        ([status(200, {}, KEY_PAGE % b"Missing Key")], PublisherRefused, "only requests with a key"),
        ([status(200, {}, KEY_PAGE % b"Invalid Key")], PublisherRefused, "does not accept the key"),
        ([status(200, {"X-DataWebAPI-KeyError": "invalid"})], PublisherRefused, "does not accept the key"),
        ([status(200, {}, b"<!DOCTYPE html><title>Sorry</title>")], ResponseMalformed, "web page"),
        ([status(200, {}, b"[[]")], ResponseMalformed, "not JSON"),
        ([status(404, {}, b"<html><title>404</title></html>")], NoVintage, "no data set"),
        ([status(400, {}, b"error: unknown variable 'B19013_001X'")], CensusRejects, "B19013_001X"),
        ([status(400, {}, b"error: unknown/unsupported geography hierarchy")], CensusRejects, "hierarchy"),
    ],
)
async def test_each_trouble_of_the_api_is_its_own_error(
    client: CensusClient,
    publisher: LocalPublisher,
    script: list[Behaviour],
    error: type[Exception],
    told: str,
) -> None:
    publisher.script = list(script)
    with pytest.raises(error, match=told) as raised:
        await client.table("acs/acs5", 2017, INCOME, HARRIS)
    assert "a-key" not in str(raised.value)


async def test_no_content_is_no_rows(client: CensusClient, publisher: LocalPublisher) -> None:
    publisher.script = [status(204)]
    assert (await client.table("acs/acs5", 2017, INCOME, HARRIS)).rows == ()


BUSINESSES: list[list[str | None]] = [
    ["NAME", "EMP", "EMP_F", "EMP_N", "NAICS2017", "LFO", "EMPSZES", "state", "county"],
    ["Harris County, Texas", "182345", None, "1", "31-33", "001", "001", "48", "201"],
    ["Loving County, Texas", "0", "D", "0", "31-33", "001", "001", "48", "301"],
    ["Kenedy County, Texas", "0", "S", "0", "31-33", "001", "001", "48", "261"],
    ["King County, Texas", "N", None, None, "31-33", "001", "001", "48", "269"],
]


async def test_business_patterns_are_asked_for_and_read_as_the_api_has_them(
    client: CensusClient, publisher: LocalPublisher
) -> None:
    publisher.script = [json_body(BUSINESSES)]
    columns = ["NAME", *columns_of("cbp", "EMP")]
    counties = Area.inside("county", "48")
    table = await client.table("cbp", 2022, columns, counties, predicates("cbp", 2022, "31-33"))
    assert publisher.seen == [
        "/data/2022/cbp?get=NAME,EMP,EMP_F,EMP_N&for=county:%2A&in=state:48&NAICS2017=31-33&LFO=001&EMPSZES=001"
        "&key=a-key"
    ]
    found = {row.geoid: read_estimate(row, "EMP") for row in table.rows}
    assert found["48201"].value == Decimal(182345)
    assert "low noise" in str(found["48201"].remark)
    assert "flag D" in str(found["48301"].missing)
    assert "flag S" in str(found["48261"].missing)
    assert "flag N" in str(found["48269"].missing)


async def test_a_file_in_older_letters_is_read_and_a_page_in_its_place_is_not(
    client: CensusClient, publisher: LocalPublisher
) -> None:
    lines = "SUMLEV,STATE,COUNTY,CTYNAME,POPESTIMATE2022\n050,35,013,Doña Ana County,223337\n"
    publisher.script = [
        status(200, {"content-type": "text/csv"}, lines.encode("latin-1")),
        status(200, {}, b"<html><title>Moved</title></html>"),
        status(200, {}, b"SUMLEV,STATE\n050\n"),
        status(404),
    ]
    url = f"https://{API}/programs-surveys/co-est2022-alldata.csv"
    found = await client.file(url, ("SUMLEV", "STATE"))
    assert found.lines[0]["CTYNAME"] == "Doña Ana County"
    with pytest.raises(ResponseMalformed, match="web page"):
        await client.file(url, ("SUMLEV", "STATE"))
    with pytest.raises(ResponseMalformed, match="another width"):
        await client.file(url, ("SUMLEV", "STATE"))
    with pytest.raises(NoVintage):
        await client.file(url, ("SUMLEV", "STATE"))


class Rewriting:
    """The live transport, with the API's address turned into that of a server on this machine."""

    def __init__(self, live: LiveTransport, base: str) -> None:
        self._live = live
        self._base = base

    async def send(self, request: HttpRequest, *, deadline: Deadline) -> HttpResponse:
        here = HttpRequest(request.url.replace(f"https://{API}", self._base), request.params)
        return await self._live.send(here, deadline=deadline)

    async def close(self) -> None:
        """Closed by whoever opened the live transport."""


def business_slot(**locator: str) -> PlannedRequest:
    harris = county("48201", "Harris County, Texas")
    where = {"dataset": "cbp", "program": "cbp", "variable": "EMP", "industry": "31-33", **locator}
    return asking(Publisher(), HARRIS, entity=harris, period=year(2022), **where).planned


@pytest.mark.parametrize(
    ("row", "value", "reason"),
    [
        (BUSINESSES[1], Decimal(182345), ""),
        (["Harris County, Texas", "0", "D", "0", "31-33", "001", "001", "48", "201"], None, "flag D"),
    ],
)
async def test_the_plugin_answers_about_businesses_over_the_network(
    publisher: LocalPublisher, row: list[str | None], value: Decimal | None, reason: str
) -> None:
    publisher.script = [status(503), json_body([BUSINESSES[0], row])]
    async with LiveTransport(["127.0.0.1"], allow_loopback_http=True, attempts=3, first_wait=0.01) as live:
        running = replace(context(), transport=Rewriting(live, publisher.base))
        answer = await CensusPlugin().execute(business_slot(), context=running)
    if value is None:
        assert isinstance(answer, Unanswerable)
        assert reason in answer.reason
        return
    assert isinstance(answer, Executed)
    assert answer.observations[0].value == value
    assert not answer.response.snapshot
    assert answer.response.publisher == "US Census Bureau (County Business Patterns)"
    assert "low noise" in " ".join(one.text for one in answer.disclosures)


async def test_a_year_of_businesses_that_is_not_out_is_told(publisher: LocalPublisher) -> None:
    publisher.script = [status(404, {}, b"<html><title>404 Not Found</title></html>")]
    async with LiveTransport(["127.0.0.1"], allow_loopback_http=True, attempts=1) as live:
        running = replace(context(), transport=Rewriting(live, publisher.base))
        answer = await CensusPlugin().execute(business_slot(), context=running)
    assert isinstance(answer, Unanswerable)
    assert "there is no vintage 2022" in answer.reason
