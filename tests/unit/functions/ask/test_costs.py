"""``/costs`` and ``/usage`` show what the records say, without a script, as pages and as JSON."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from decimal import Decimal
from functools import partial
from pathlib import Path
from typing import Any

import httpx
import pytest

from functions.ask.costs_charts import charts
from functions.ask.server import create_app
from functions.ask.usage import BUILT_IN, provider_of
from functions.local.draw import drawn
from functions.reports.reports import Reports
from shared.accounting.billing import billing
from shared.accounting.ledger import Ledger
from shared.accounting.prices import load_prices
from shared.accounting.record_files import Unreadable
from shared.runtime.errors import ArchiveError
from shared.runtime.settings import load_stages
from tests.support.scripted import scripted
from tests.support.usage import mixed

LEDGER = mixed(60)
HOSTILE = "<script>alert(1)</script>"


@asynccontextmanager
async def serving(folder: Path, source: Any, **options: Any) -> AsyncIterator[httpx.AsyncClient]:
    async with scripted(folder) as app:
        face = create_app(app, reports=(lambda: Reports(source)) if source else None, **options)
        transport = httpx.ASGITransport(app=face, raise_app_exceptions=False)
        async with (
            face.router.lifespan_context(face),
            httpx.AsyncClient(transport=transport, base_url="http://test") as client,
        ):
            yield client


async def given(window, ledger: Ledger = LEDGER) -> Ledger:
    return ledger.model_copy(update={"window": window})


@pytest.fixture
async def client(tmp_path: Path) -> AsyncIterator[httpx.AsyncClient]:
    async with serving(tmp_path, given) as client:
        yield client


async def test_costs_as_json_is_the_billing_report(client: httpx.AsyncClient) -> None:
    found = (await client.get("/costs", params={"view": "json", "since": "7d"})).json()
    report = billing(LEDGER, load_stages(), load_prices())
    assert found["runs"] == 60
    assert found["totals"]["model_usd"] == str(report.totals.model_usd)
    assert [one["function"] for one in found["functions"]] == [one.function for one in report.functions]
    assert Decimal(found["types"][0]["model_usd"]) == report.types[0].model_usd


@pytest.mark.parametrize("path", ["/costs", "/usage"])
async def test_a_page_has_tables_and_no_script_and_a_strict_policy(client: httpx.AsyncClient, path: str) -> None:
    response = await client.get(path, params={"since": "7d"})
    assert response.status_code == 200
    assert "default-src 'none'" in response.headers["content-security-policy"]
    assert "unsafe" not in response.headers["content-security-policy"]
    assert not re.search(r"<script|style=|javascript:|\bon\w+=", response.text)
    assert "<table>" in response.text
    assert "openai/gpt-small" in response.text
    assert "<img" not in response.text


async def test_the_shares_of_the_whole_stand_as_bars(client: httpx.AsyncClient) -> None:
    page = (await client.get("/costs")).text
    types = page[page.index("By type of question") :]
    rows = re.findall(r"<tr>(.*?)</tr>", types[: types.index("</table>")])[1:]
    report = billing(LEDGER, load_stages(), load_prices())
    spent = [one.model_usd + one.cloud_usd for one in report.types]
    shares = [float(re.findall(r'<meter value="([0-9.]+)">', row)[0]) for row in rows]
    assert shares == pytest.approx([float(usd / spent[0]) for usd in spent], abs=0.001)
    assert "share</th>" not in page[: page.index("By function")]


async def test_usage_counts_questions_by_the_hour_and_dollars_by_provider(client: httpx.AsyncClient) -> None:
    found = (await client.get("/usage?view=json")).json()
    assert found["questions"] == sum(found["statuses"].values()) == 60
    assert len(found["hours"]) in {24, 25}
    spent = {one["provider"]: Decimal(one["usd"]) for one in found["spent"]}
    assert set(found["providers"]) == set(spent) == {"openai", "anthropic", "builtin", "(not told by model)"}
    total = sum(record.usage.usd + record.finder.usd for record in LEDGER.records)
    assert sum(map(Decimal, found["providers"].values())) == total


def test_a_model_that_is_part_of_the_program_has_no_provider_to_pay() -> None:
    assert provider_of("openai/gpt-small", paid=True) == "openai"
    assert provider_of("rules", paid=False) == BUILT_IN
    assert provider_of("gpt-small", paid=True) == "gpt-small"


async def test_charts_are_drawn_where_something_can_draw_them(tmp_path: Path) -> None:
    async with serving(tmp_path, given, draw=partial(drawn, form=".svg")) as client:
        page = (await client.get("/costs?since=7d")).text
        addresses = re.findall(r'<img src="([^"]+)"', page)
        assert addresses == [f"/costs/{name}.svg?since=7d" for name in ("time", "functions", "types")]
        for address in addresses:
            image = await client.get(address)
            assert image.headers["content-type"] == "image/svg+xml"
            assert image.content.startswith(b"<svg")
        assert (await client.get("/costs/other.svg")).status_code == 404


def test_a_chart_carries_all_dollars_and_nothing_from_elsewhere() -> None:
    report = billing(LEDGER, load_stages(), load_prices())
    for chart in charts(report):
        assert "url" not in chart.spec["data"]
        drawn_usd = sum(value["usd"] for value in chart.spec["data"]["values"])
        assert drawn_usd == pytest.approx(float(report.totals.model_usd + report.totals.cloud_list_usd))


async def test_what_a_record_says_is_shown_as_text(tmp_path: Path) -> None:
    record = LEDGER.records[0].model_copy(update={"question_type": HOSTILE})
    hostile = Ledger(
        window=LEDGER.window, records=(record,), unreadable=(Unreadable(name=HOSTILE, why="it is not JSON"),)
    )
    async with serving(tmp_path, partial(given, ledger=hostile)) as client:
        page = (await client.get("/costs")).text
    assert HOSTILE not in page
    assert page.count("&lt;script&gt;") == 2
    assert "could not be read" in page


@pytest.mark.parametrize(
    ("query", "told"),
    [
        ("since=later", "since is 'later'; it must be a span"),
        ("since=2020-01-01", "the period is longer than 366 days"),
        ("until=2020-01-01", "is empty"),
        ("view=xml", "view is 'xml'; it must be page or json"),
        ("days=3", "there is no parameter 'days'; there are since, until, view"),
    ],
)
async def test_a_request_that_cannot_be_met_is_told_in_the_one_error_shape(
    client: httpx.AsyncClient, query: str, told: str
) -> None:
    for path in ("/costs", "/usage"):
        response = await client.get(f"{path}?{query}")
        assert response.status_code == 400
        error = response.json()["error"]
        assert told.lower() in error["message"].lower()
        assert error["allowed"]
        assert error["do"]


async def test_an_archive_that_does_not_answer_is_503_and_asked_again_the_next_time(tmp_path: Path) -> None:
    asked = []

    async def failing(window) -> Ledger:
        asked.append(window)
        if len(asked) == 1:
            raise ArchiveError("the bucket does not answer")
        return await given(window)

    async with serving(tmp_path, failing) as client:
        assert (await client.get("/costs?view=json")).status_code == 503
        assert (await client.get("/costs?view=json")).status_code == 200


async def test_a_face_without_reports_has_neither_page(tmp_path: Path) -> None:
    async with serving(tmp_path, None) as client:
        assert (await client.get("/costs")).status_code == 404
        assert (await client.get("/usage")).status_code == 404
