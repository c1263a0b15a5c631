"""The client reads the API's answers, its markers, its web pages and its errors."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from plugins.uscensus.client import CensusClient
from plugins.uscensus.geography import LEVELS, Area
from plugins.uscensus.markers import ESTIMATES, OPEN_ENDED
from plugins.uscensus.records import CensusRejects, Estimate, NoVintage
from plugins.uscensus.snapshot.responder import CensusResponder
from plugins.uscensus.wire import read_estimate, read_rows
from shared.runtime.errors import PublisherRefused, PublisherUnreachable, ResponseMalformed
from shared.runtime.http import HttpRequest, HttpResponse

RECORDED = Path(__file__).parent / "recorded"
SHARED = Path(__file__).parents[4].parent / "shared" / "data" / "census" / "acs_recorded_responses.ndjson.gz"
HARRIS = Area.one("county", "48201")


async def snapshot(request: HttpRequest) -> HttpResponse:
    return CensusResponder().respond(request)


def saying(body: Any, *, status: int = 200, headers: Mapping[str, str] | None = None) -> CensusClient:
    """A client whose publisher answers with this body."""

    async def send(request: HttpRequest) -> HttpResponse:
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return HttpResponse(status=status, body=data, retrieved_at=datetime.now(UTC), headers=headers or {})

    return CensusClient(send)


def recorded(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as file:
        yield from (json.loads(line) for line in file)


def area_in(url: str) -> Area:
    """The area that a recorded request asks for."""
    asked = dict(parse_qsl(urlsplit(url).query))
    name, _, code = asked["for"].partition(":")
    inside = dict(part.split(":") for part in asked.get("in", "").split())
    level = LEVELS[name]
    return Area(level, (*(inside.get(column, "*") for column in level.columns[:-1]), code))


def check(answer: Mapping[str, Any]) -> int:
    """Read a recorded answer; every number that a reader gets is what was published. Returns how many markers."""
    body = json.dumps(answer["body"]).encode()
    response = HttpResponse(answer["status"], body, datetime.now(UTC))
    area = area_in(answer["url"])
    rows = read_rows(response, area, (), answer["url"])
    header, *lines = answer["body"]
    assert len(rows) == len(lines)
    markers = 0
    for row, line in zip(rows, lines, strict=True):
        for name, cell in zip(header, line, strict=True):
            if not name.endswith("E") or name in {"NAME"} or cell is None:
                continue
            found = read_estimate(row, name)
            marked = Decimal(str(cell)) < -100_000_000 or str(cell) in OPEN_ENDED.get(name, {})
            assert (found.value is None) == (marked or bool(row.cells.get(f"{name}A")))
            assert found.value is None or found.value == Decimal(str(cell))
            markers += marked
    return markers


async def test_a_figure_keeps_its_published_digits_and_its_request_shows_no_key() -> None:
    client = CensusClient(snapshot, key="secret-key")
    table = await client.table("acs/acs5", 2017, ["NAME", "B19013_001E", "B19013_001M"], HARRIS)
    found = read_estimate(table.rows[0], "B19013_001E")
    assert (found.value, found.margin) == (Decimal(57791), Decimal(503))
    assert table.provenance.requests[0].url == (
        "https://api.census.gov/data/2017/acs/acs5?get=NAME,B19013_001E,B19013_001M&for=county:201&in=state:48"
    )
    assert table.rows[0].name == "Harris County, Texas"


async def test_the_key_travels_as_a_parameter_of_the_request_alone() -> None:
    sent: list[HttpRequest] = []

    async def send(request: HttpRequest) -> HttpResponse:
        sent.append(request)
        return HttpResponse(204, b"", datetime.now(UTC))

    table = await CensusClient(send, key="abc").table("acs/acs5", 2023, ["B19013_001E"], HARRIS)
    assert ("key", "abc") in sent[0].params
    assert table.rows == ()
    assert "abc" not in table.provenance.requests[0].url


def test_the_carried_answers_are_all_read_rightly() -> None:
    answers = list(recorded(RECORDED / "answers.ndjson.gz"))
    assert len(answers) >= 15
    assert sum(check(answer) for answer in answers) > 50


def test_every_answer_that_was_recorded_is_read_rightly() -> None:
    if not SHARED.is_file():
        pytest.skip("an extra check over all recorded answers, which are not part of the project")
    answers = list(recorded(SHARED))
    assert len(answers) == 39
    assert sum(check(answer) for answer in answers) > 1000


async def test_the_recorded_errors_say_what_is_unknown() -> None:
    lines = (RECORDED / "errors.ndjson").read_text(encoding="utf-8").splitlines()
    assert len(lines) == 8
    for answer in map(json.loads, lines):
        client = saying(answer["body"].encode(), status=answer["status"])
        with pytest.raises(CensusRejects) as raised:
            await client.table("acs/acs5", 2023, ["NAME"], Area.one("us", "1"))
        said = raised.value
        assert said.unknown_variable == ("unknown variable" in answer["body"])
        assert said.unknown_geography == ("geography hierarchy" in answer["body"])
        assert str(said).endswith(answer["body"].removeprefix("error: "))


def row_of(**cells: str | None) -> list[list[str | None]]:
    return [[*cells, "state", "county"], [*cells.values(), "48", "201"]]


@pytest.mark.parametrize("marker", sorted(ESTIMATES))
@pytest.mark.parametrize("ending", ["", ".0"])
async def test_a_marker_value_is_a_reason_and_never_a_number(marker: int, ending: str) -> None:
    table = await saying(row_of(B1_001E=f"{marker}{ending}")).table("acs/acs5", 2023, ["B1_001E"], HARRIS)
    found = read_estimate(table.rows[0], "B1_001E")
    assert (found.value, found.missing) == (None, ESTIMATES[marker])


@pytest.mark.parametrize(
    ("annotation", "said"),
    [
        ("-", "too few sample observations"),
        ("N", "too few sample cases"),
        ("(X)", "not applicable"),
        ("250,000+", "highest, open-ended interval"),
        ("2,500-", "lowest, open-ended interval"),
    ],
)
async def test_an_annotation_that_replaces_the_estimate_is_a_reason(annotation: str, said: str) -> None:
    client = saying(row_of(B1_001E="250001", B1_001EA=annotation))
    table = await client.table("acs/acs5", 2023, ["B1_001E", "B1_001EA"], HARRIS)
    found = read_estimate(table.rows[0], "B1_001E")
    assert found.value is None
    assert said in str(found.missing)


@pytest.mark.parametrize(
    ("variable", "cell", "told"),
    [
        ("B25035_001E", "0", "1939-"),
        ("B25035_001E", "18", "“2014+” in the vintage 2020"),
        ("B25064_001E", "3501", "3,500+"),
        ("B19013_001E", "250001", "250,000+"),
        ("B19013_001E", "2499.0", "2,500-"),
        ("B25077_001E", "2000001", "2,000,000+"),
    ],
)
async def test_a_number_that_stands_for_an_open_ended_interval_is_no_median(
    variable: str, cell: str, told: str
) -> None:
    table = await saying(row_of(**{variable: cell})).table("acs/acs5", 2023, [variable], HARRIS)
    found = read_estimate(table.rows[0], variable)
    assert found.value is None
    assert told in str(found.missing)


async def test_a_zero_of_another_variable_is_zero() -> None:
    table = await saying(row_of(B1_001E="0")).table("acs/acs5", 2023, ["B1_001E"], HARRIS)
    assert read_estimate(table.rows[0], "B1_001E").value == 0


async def test_a_controlled_estimate_has_no_sampling_error() -> None:
    client = saying(row_of(B1_001E="4758579", B1_001M="-555555555", B1_001MA="*****"))
    table = await client.table("acs/acs5", 2023, ["B1_001E", "B1_001M", "B1_001MA"], HARRIS)
    found = read_estimate(table.rows[0], "B1_001E")
    assert (found.value, found.margin, found.margin_note) == (Decimal(4758579), None, ESTIMATES[-555555555])


async def test_a_null_is_not_zero() -> None:
    table = await saying(row_of(B1_001E=None)).table("acs/acs5", 2023, ["B1_001E"], HARRIS)
    assert read_estimate(table.rows[0], "B1_001E") == Estimate(None, "no estimate is published")


async def test_no_content_is_no_rows() -> None:
    assert (await saying(b"", status=204).table("acs/acs5", 2023, ["B1_001E"], HARRIS)).rows == ()


PAGE = b"""<html><head><title>%s</title></head><body><h1>%s</h1>
<p>A valid <em>key</em> must be included with each data API request.</p></body></html>"""


@pytest.mark.parametrize(
    ("page", "headers", "told"),
    [
        (PAGE % (b"Invalid Key", b"Invalid Key"), {}, "does not accept the key in CENSUS_API_KEY"),
        (PAGE % (b"Missing Key", b"Missing Key"), {}, "only requests with a key; set CENSUS_API_KEY"),
        (b"", {"x-datawebapi-keyerror": "invalid"}, "does not accept the key"),
    ],
)
async def test_a_page_about_keys_is_a_refusal_that_names_the_variable(
    page: bytes, headers: dict[str, str], told: str
) -> None:
    with pytest.raises(PublisherRefused, match=told):
        await saying(page, headers=headers).table("acs/acs5", 2023, ["B1_001E"], HARRIS)


async def test_another_web_page_is_no_data() -> None:
    with pytest.raises(ResponseMalformed, match="web page"):
        await saying(b"<!DOCTYPE html><title>Maintenance</title>").table("acs/acs5", 2023, ["B1_001E"], HARRIS)


async def test_a_vintage_that_is_not_out_is_told_apart_from_a_server_that_fails() -> None:
    with pytest.raises(NoVintage):
        await saying(b"<html><title>404</title></html>", status=404).table("acs/acs5", 2030, ["NAME"], HARRIS)
    with pytest.raises(PublisherUnreachable, match="503"):
        await saying(b"", status=503).table("acs/acs5", 2023, ["NAME"], HARRIS)


@pytest.mark.parametrize(
    "body",
    [
        {"error": "x"},
        [],
        [["NAME", "state", "county"]],
        [["B1_001E", "state", "county"], ["1", "48"]],
        [["B1_001E", "state", "county"], ["1", "48", "113"]],
        [["B1_001E", "state", "county"], ["1", "48", "201"], ["2", "48", "201"]],
    ],
)
async def test_an_answer_to_another_question_is_refused(body: Any) -> None:
    with pytest.raises(ResponseMalformed):
        await saying(body).table("acs/acs5", 2023, ["B1_001E"], HARRIS)


async def test_a_cell_that_is_no_number_is_refused() -> None:
    table = await saying(row_of(B1_001E="many")).table("acs/acs5", 2023, ["B1_001E"], HARRIS)
    with pytest.raises(ResponseMalformed, match="many"):
        read_estimate(table.rows[0], "B1_001E")
