"""The client reads the API's answers, its errors and its lies."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from plugins.worldbank.client import WorldBankClient
from plugins.worldbank.records import WorldBankRejects
from plugins.worldbank.snapshot.responder import WorldBankResponder
from shared.runtime.errors import PublisherUnreachable, RequestRejected, ResponseMalformed
from shared.runtime.http import HttpRequest, HttpResponse

RECORDED = Path(__file__).parent / "recorded"


async def snapshot(request: HttpRequest) -> HttpResponse:
    return WorldBankResponder().respond(request)


CLIENT = WorldBankClient(snapshot)


def saying(*bodies: Any, status: int = 200) -> WorldBankClient:
    """A client whose publisher answers with these bodies in turn, the last one again and again."""
    answers = list(bodies)

    async def send(request: HttpRequest) -> HttpResponse:
        body = answers.pop(0) if len(answers) > 1 else answers[0]
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return HttpResponse(status=status, body=data, retrieved_at=datetime.now(UTC))

    return WorldBankClient(send)


def header(total: int, **more: Any) -> dict[str, Any]:
    return {"page": 1, "pages": 1, "per_page": 50, "total": total, "lastupdated": "2026-07-01"} | more


def row(code: str = "IND", year: str = "2023", value: Any = 1, indicator: str = "SP.POP.TOTL") -> dict[str, Any]:
    return {
        "indicator": {"id": indicator, "value": "Population, total"},
        "country": {"id": code[:2], "value": code},
        "countryiso3code": code,
        "date": year,
        "value": value,
    }


async def test_a_figure_keeps_its_published_digits() -> None:
    found = await CLIENT.observations("NY.GDP.MKTP.CD", ["IND"], years=(2023, 2023))
    assert [cell.value for cell in found.cells] == [Decimal("3500906030644.76")]
    assert found.indicator_name == "GDP (current US$)"
    assert found.last_updated is not None
    assert found.last_updated.isoformat() == "2026-07-01"
    assert found.requests[0].url == (
        "https://api.worldbank.org/v2/country/IND/indicator/NY.GDP.MKTP.CD"
        "?format=json&date=2023&per_page=20000&page=1"
    )


async def test_the_world_figure_of_2025() -> None:
    found = await CLIENT.observations("NY.GDP.MKTP.CD", ["WLD"])
    newest = found.newest("WLD")
    assert newest is not None
    assert (newest.year, newest.value) == (2025, Decimal(118350166039396))


async def test_several_countries_share_one_request() -> None:
    found = await CLIENT.observations("SP.POP.TOTL", ["IND", "CHN", "USA"], years=(2020, 2024))
    assert len(found.requests) == 1
    assert "IND;CHN;USA" in found.requests[0].url
    assert {cell.entity for cell in found.cells} == {"IND", "CHN", "USA"}


async def test_a_null_is_never_reported_as_the_newest() -> None:
    found = await CLIENT.observations("NE.EXP.GNFS.ZS", ["JPN"], newest=3)
    assert found.cells[0].year == 2025
    assert found.cells[0].value is None
    newest = found.newest("JPN")
    assert newest is not None
    assert newest.year == 2024


async def test_groups_are_told_from_countries() -> None:
    countries = {country.code: country for country in await CLIENT.countries()}
    assert len(countries) == 296
    assert sum(country.is_group for country in countries.values()) == 79
    assert countries["EUU"].is_group
    assert countries["EUU"].region is None
    assert (countries["NAM"].iso2, countries["NAM"].region) == ("NA", "SSF")


async def test_an_empty_region_marks_a_group_too() -> None:
    rows = [
        {
            "id": "XXG",
            "iso2Code": "XG",
            "name": "Some group",
            "region": {"id": "", "value": ""},
            "incomeLevel": {"id": "", "value": ""},
            "lendingType": {"id": "", "value": ""},
            "capitalCity": "",
        }
    ]
    (group,) = await saying([header(1), rows]).countries()
    assert group.is_group


async def test_a_place_without_an_entity_is_rejected_not_empty() -> None:
    with pytest.raises(WorldBankRejects, match="The provided parameter value is not valid") as caught:
        await CLIENT.observations("SP.POP.TOTL", ["MTQ"])
    assert caught.value.ids == ("120",)
    assert isinstance(caught.value, RequestRejected)


async def test_a_withdrawn_indicator_is_told_from_one_without_data() -> None:
    with pytest.raises(WorldBankRejects) as caught:
        await CLIENT.observations("SP.POP.0004.FE.IN", ["IND"])
    assert not caught.value.archived
    with pytest.raises(WorldBankRejects) as caught:
        await CLIENT.observations("EN.ATM.CO2E.PP.GD", ["IND"])
    assert caught.value.archived
    nothing = await CLIENT.observations("NY.GDP.MKTP.KD", ["IND"])
    assert nothing.cells == ()
    assert nothing.notes


async def test_a_world_figure_of_an_incomplete_year_shows_in_the_coverage() -> None:
    found = await CLIENT.observations("NE.EXP.GNFS.ZS", "all", years=(2023, 2025))
    coverage = found.coverage()
    assert (coverage[2024], coverage[2025]) == (214, 177)
    by_cell = {(cell.entity, cell.year): cell.value for cell in found.cells}
    assert by_cell["USA", 2025] is None
    assert by_cell["JPN", 2025] is None
    assert by_cell["WLD", 2025] is not None


async def test_a_page_of_html_is_a_rejection() -> None:
    with pytest.raises(RequestRejected, match="HTTP 400"):
        await saying(b"<html>Request Error</html>", status=400).observations("SP.POP.TOTL", ["IND"])


async def test_a_server_error_is_unreachable() -> None:
    with pytest.raises(PublisherUnreachable, match="502"):
        await saying(b"", status=502).observations("SP.POP.TOTL", ["IND"])


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        (b"<html>maintenance</html>", "not JSON"),
        (b"", "not JSON"),
        (b"\xff\xfe", "not JSON"),
        ({}, "neither data nor"),
        ([], "neither data nor"),
        ([header(1)], "neither data nor"),
        ([header(1), {"a": 1}], "neither data nor"),
        ([header(2), [row()]], "should have 2 rows and has 1"),
        ([header(1, page=7), [row()]], "another one came"),
        ([header(1, pages=10**6), [row()]], "1000000 pages"),
        ([{"page": 1, "pages": 1}, [row()]], "no readable 'total'"),
        ([header(1, page=None), [row()]], "no readable 'page'"),
        ([header(1), [row(indicator="NY.GDP.MKTP.CD")]], "'NY.GDP.MKTP.CD' came"),
        ([header(1), [row(code="CHN")]], "CHN came"),
        ([header(1), [row(year="1999")]], "1999 came"),
        ([header(1), [row(year="2023Q1")]], "not a year"),
        ([header(1), [row(value="12")]], "not a number"),
        ([header(1), [row(value=True)]], "not a number"),
        ([header(1), [{"date": "2023"}]], "lacks"),
        ([header(1), [None]], "lacks"),
        ([header(2), [row(value=1), row(value=2)]], "two figures"),
        ([header(1, lastupdated="soon"), [row()]], "no date"),
    ],
)
async def test_an_answer_that_is_not_what_was_asked_is_malformed(body: Any, reason: str) -> None:
    with pytest.raises(ResponseMalformed, match=reason):
        await saying(body).observations("SP.POP.TOTL", ["IND"], years=(2020, 2025))


async def test_pages_that_never_end_are_malformed() -> None:
    endless = [header(10**6, pages=30), [row()]]
    with pytest.raises(ResponseMalformed, match="another one came"):
        await saying(endless).observations("SP.POP.TOTL", ["IND"])


async def test_pages_are_read_to_the_last() -> None:
    first = [header(2, pages=2), [row(year="2024")]]
    second = [header(2, pages=2, page=2), [row(year="2023")]]
    found = await saying(first, second).observations("SP.POP.TOTL", ["IND"])
    assert [cell.year for cell in found.cells] == [2024, 2023]
    assert len(found.requests) == 2


async def test_a_total_that_changes_between_pages_is_malformed() -> None:
    first = [header(2, pages=2), [row(year="2024")]]
    second = [header(3, pages=2, page=2), [row(year="2023")]]
    with pytest.raises(ResponseMalformed, match="from page to page"):
        await saying(first, second).observations("SP.POP.TOTL", ["IND"])


async def test_rows_recorded_from_the_live_api_are_read() -> None:
    rows = json.loads((RECORDED / "rows_country-indicator_2024.json").read_text())
    found = await saying([header(len(rows)), rows]).observations("NY.GDP.MKTP.CD", ["USA"])
    newest = found.newest("USA")
    assert newest is not None
    assert (newest.year, newest.value) == (2022, Decimal(25439700000000))


@pytest.mark.parametrize("count", [1, 120, 121, 250])
async def test_many_codes_are_asked_for_in_batches(count: int) -> None:
    seen: list[str] = []

    def keep(send: Callable[[HttpRequest], Any]) -> Any:
        async def wrapped(request: HttpRequest) -> HttpResponse:
            seen.append(request.full_url)
            assert len(request.full_url) < 2000
            return await send(request)

        return wrapped

    codes = [c.code for c in await CLIENT.countries() if c.code != "INX"]
    client = WorldBankClient(keep(snapshot))
    found = await client.observations("SP.POP.TOTL", codes[:count], years=(2024, 2024))
    assert len(seen) == -(-count // 120)
    assert {cell.entity for cell in found.cells} <= set(codes[:count])
