"""What every transport does: the same suite over recorded figures and over HTTP."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import dataclass
from decimal import Decimal

import pytest

from plugins.worldbank.snapshot.responder import WorldBankResponder
from shared.adapters.live_transport import LiveTransport
from shared.adapters.snapshot_transport import SnapshotTransport
from shared.runtime.deadline import Deadline
from shared.runtime.errors import DeadlineExceeded, HostNotAllowed
from shared.runtime.http import HttpRequest, HttpResponse
from shared.runtime.ports import Transport
from tests.conformance.transport.local_server import serve


@dataclass
class Subject:
    name: str
    transport: Transport
    base: str

    async def get(self, path: str, *, seconds: float = 10) -> HttpResponse:
        return await self.transport.send(HttpRequest.parse(self.base + path), deadline=Deadline.after(seconds))


@pytest.fixture(params=["snapshot", "live"])
async def subject(request: pytest.FixtureRequest) -> AsyncIterator[Subject]:
    responder = WorldBankResponder()
    if request.param == "snapshot":
        yield Subject("snapshot", SnapshotTransport([responder]), "https://api.worldbank.org")
        return
    with serve(responder) as publisher:
        async with LiveTransport(["127.0.0.1"], allow_loopback_http=True) as transport:
            yield Subject("live", transport, publisher.base)


async def test_the_publishers_bytes_arrive_unchanged(subject: Subject) -> None:
    response = await subject.get("/v2/country/IND/indicator/NY.GDP.MKTP.CD?format=json&date=2023")
    assert response.status == 200
    assert b'"value":3500906030644.76,' in response.body
    assert response.json()[1][0]["value"] == Decimal("3500906030644.76")


async def test_header_names_are_lower_case(subject: Subject) -> None:
    response = await subject.get("/v2/country/IND?format=json")
    assert response.headers["content-type"].startswith("application/json")


async def test_an_error_in_a_body_is_returned_for_the_plugin_to_read(subject: Subject) -> None:
    response = await subject.get("/v2/country/MTQ/indicator/SP.POP.TOTL?format=json")
    assert response.status == 200
    assert json.loads(response.body)[0]["message"][0]["id"] == "120"


async def test_a_client_error_is_returned_as_it_came(subject: Subject) -> None:
    response = await subject.get("/v2/country/IND/indicator/SP.POP.TOTL?format=json&source=none")
    assert response.status == 400
    assert response.body.startswith("\ufeff<?xml".encode())


async def test_semicolons_and_colons_reach_the_publisher(subject: Subject) -> None:
    response = await subject.get("/v2/country/IND;CHN/indicator/SP.POP.TOTL?format=json&date=2020:2021")
    assert response.json()[0]["total"] == 4


async def test_a_host_that_nobody_declared_is_not_asked(subject: Subject) -> None:
    with pytest.raises(HostNotAllowed, match=r"example\.org"):
        await subject.transport.send(HttpRequest("https://example.org/v2"), deadline=Deadline.after(5))


async def test_nothing_is_sent_after_the_deadline(subject: Subject) -> None:
    with pytest.raises(DeadlineExceeded):
        await subject.get("/v2/country/IND?format=json", seconds=0)


async def test_cancelling_ends_the_wait(subject: Subject) -> None:
    task = asyncio.create_task(subject.get("/v2/country/all/indicator/SP.POP.TOTL?format=json&per_page=9000"))
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_answers_of_requests_in_flight_together_are_not_mixed(subject: Subject) -> None:
    codes = ["IND", "CHN", "USA", "BRA", "KEN", "FRA", "JPN", "CAN"]
    answers = await asyncio.gather(*(subject.get(f"/v2/country/{code}?format=json") for code in codes))
    assert [answer.json()[1][0]["id"] for answer in answers] == codes


async def test_only_recorded_figures_carry_their_date(subject: Subject) -> None:
    response = await subject.get("/v2/country/IND/indicator/NY.GDP.MKTP.CD?format=json")
    assert response.is_snapshot is (subject.name == "snapshot")
    assert response.retrieved_at.tzinfo is not None
