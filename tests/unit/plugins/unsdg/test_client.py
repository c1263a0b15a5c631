"""The client reads the API's answers, its errors and its lies."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from plugins.unsdg.client import MOST_AREAS, MOST_PAGES, UnSdgClient
from plugins.unsdg.records import Figure, UnSdgRejects, read_figure
from plugins.unsdg.slices import NoTotal, slice_of
from plugins.unsdg.snapshot.responder import UnSdgResponder
from shared.runtime.errors import PublisherRefused, PublisherUnreachable, ResponseMalformed
from shared.runtime.http import HttpRequest, HttpResponse

RECORDED = json.loads(
    (Path(__file__).parent / "recorded" / "Series_Data_2026_first8rows.json").read_text(encoding="utf-8"),
    parse_float=str,
)
SHARED = Path(__file__).parents[4].parent / "shared" / "data" / "unsdg"


async def snapshot(request: HttpRequest) -> HttpResponse:
    return UnSdgResponder().respond(request)


CLIENT = UnSdgClient(snapshot)


def saying(*bodies: Any, status: int = 200) -> UnSdgClient:
    """A client whose publisher answers with these bodies in turn, the last one again and again."""
    answers = list(bodies)

    async def send(request: HttpRequest) -> HttpResponse:
        body = answers.pop(0) if len(answers) > 1 else answers[0]
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        return HttpResponse(status=status, body=data, retrieved_at=datetime.now(UTC))

    return UnSdgClient(send)


def row(
    value: Any = "1.5", *, area: str = "404", year: Any = 2017.0, series: str = "X", **more: Any
) -> dict[str, Any]:
    return {
        "series": series,
        "seriesDescription": "Something (%)",
        "geoAreaCode": area,
        "geoAreaName": "Kenya",
        "timePeriodStart": year,
        "value": value,
        "source": None,
        "footnotes": [""],
        "attributes": {"Nature": "E", "Units": "PERCENT"},
        "dimensions": {},
    } | more


def answer(*rows: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {
        "size": 1000, "totalElements": len(rows), "totalPages": 1, "pageNumber": 1,
        "attributes": [], "dimensions": [], "data": list(rows),
    } | more  # fmt: skip


@pytest.mark.parametrize(
    ("said", "read"),
    [
        ("5.52", Figure(value=Decimal("5.52"))),
        ("1,234.5", Figure(value=Decimal("1234.5"))),
        ("-0.4", Figure(value=Decimal("-0.4"))),
        ("1.5E-05", Figure(value=Decimal("0.000015"))),
        (0, Figure(value=Decimal(0))),
        ("0", Figure(value=Decimal(0))),
        ("<2.5", Figure(bound="below", limit=Decimal("2.5"))),
        (">95", Figure(bound="above", limit=Decimal(95))),
        ("<=5", Figure(bound="at most", limit=Decimal(5))),
        ("≥ 99", Figure(bound="at least", limit=Decimal(99))),
        ("NaN", Figure(missing="not reported")),
        ("N/A", Figure(missing="not reported")),
        ("", Figure(missing="not reported")),
        ("-", Figure(missing="not reported")),
        (None, Figure(missing="not reported")),
        (float("nan"), Figure(missing="not reported")),
        ("N", Figure(missing="published as not relevant (“N”)")),
        ("about 3", Figure(missing="published as “about 3”, which is no number")),
        ("1,23", Figure(missing="published as “1,23”, which is no number")),
    ],
)
def test_a_text_is_read_as_a_number_a_bound_or_nothing(said: object, read: Figure) -> None:
    assert read_figure(said) == read


def test_a_bound_in_millions_is_told_in_plain_units() -> None:
    assert read_figure("<0.1").times(1_000_000).in_words() == "below 100000"
    assert read_figure("189.2").times(1_000_000).value == 189_200_000


async def test_the_recorded_answer_of_2026_is_read_row_by_row() -> None:
    client = saying({**RECORDED, "totalElements": 8})
    found = await client.values("SH_OOP_XPD_EARNNET40", ["4"])
    assert [(cell.area, cell.year, str(cell.figure.value)) for cell in found.cells] == [
        ("4", 2007, value) for value in ("5.52", "29.42", "0.13", "0.49", "1.90", "23.56", "95.71", "24.36")
    ]
    first = found.cells[0]
    assert (first.nature, first.unit) == ("G", "PERCENT")
    assert first.source.startswith("Afghanistan - National Risk and Vulnerability Assessment Survey 2007-2008")
    assert first.footnotes == (
        "Survey-based estimate, using household total consumption expenditure in the denominator",
    )
    assert found.natures["M"] == "Modeled data"
    assert {code.code for code in found.dimensions["Location"] if code.is_total} == {"ALLAREA"}
    assert {code.code for code in found.dimensions["Type_of_household"] if code.is_total} == {"_T"}
    assert found.called("Age", "60+") == "60 years old and over"


async def test_of_the_recorded_rows_the_total_of_every_dimension_answers() -> None:
    found = await saying({**RECORDED, "totalElements": 8}).values("SH_OOP_XPD_EARNNET40", ["4"])
    total = slice_of(found, found.cells, {})
    assert not isinstance(total, NoTotal)
    assert [cell.figure.value for cell in total.cells] == [Decimal("24.36")]
    assert total.stands_for == ()
    poorest = slice_of(found, found.cells, {"Quantile": "Q1"})
    assert not isinstance(poorest, NoTotal)
    assert [cell.figure.value for cell in poorest.cells] == [Decimal("95.71")]


async def test_an_answer_cut_short_is_refused() -> None:
    with pytest.raises(ResponseMalformed, match="should have 62 rows and has 8"):
        await saying(RECORDED).values("SH_OOP_XPD_EARNNET40", ["4"])


async def test_pages_are_gathered_until_all_rows_are_there() -> None:
    pages = [answer(row(year=2000.0 + n), totalElements=3, totalPages=3, pageNumber=n + 1) for n in range(3)]
    found = await saying(*pages).values("X", ["404"])
    assert [cell.year for cell in found.cells] == [2000, 2001, 2002]
    assert [request.url.rpartition("page=")[2] for request in found.provenance.requests] == ["1", "2", "3"]


async def test_pages_that_never_end_are_refused() -> None:
    with pytest.raises(ResponseMalformed, match="would take 100000 pages"):
        await saying(answer(row(), totalElements=10**6, totalPages=100_000)).values("X")


async def test_a_page_that_comes_empty_before_the_end_is_refused() -> None:
    first = answer(row(), totalElements=3, totalPages=3)
    with pytest.raises(ResponseMalformed, match="page 2 of the series X is empty, and 2 rows are missing"):
        await saying(first, answer(totalElements=3, totalPages=3)).values("X")


async def test_a_total_that_grows_with_every_page_ends_at_once() -> None:
    first = answer(row(), totalElements=2, totalPages=2)
    with pytest.raises(ResponseMalformed, match="changes from page to page"):
        await saying(first, answer(row(), totalElements=3, totalPages=3)).values("X")


async def test_more_rows_than_announced_are_refused() -> None:
    with pytest.raises(ResponseMalformed, match="should have 1 rows and has more"):
        await saying(answer(row(), row(), totalElements=1)).values("X")
    assert MOST_PAGES < 100


@pytest.mark.parametrize(
    ("rows", "complaint"),
    [
        ([row(series="Y")], "the series X was asked for and 'Y' came"),
        ([row(area="4040")], "X of 404 was asked for and 4040 came"),
        ([row(year=2016.0)], "X of 2017 to 2017 was asked for and 2016 came"),
        ([row(year="soon")], "a row of the year 'soon'"),
        ([row(year=None)], "a row of the year None"),
        ([row(geoAreaCode=None)], "lacks 'geoAreaCode'"),
        ([row(dimensions=["a"])], "dimensions of another form"),
    ],
)
async def test_a_row_that_was_not_asked_for_is_refused(rows: list[dict[str, Any]], complaint: str) -> None:
    with pytest.raises(ResponseMalformed, match=complaint):
        await saying(answer(*rows)).values("X", ["404"], years=(2017, 2017))


async def test_a_span_of_half_a_year_is_counted_and_left_out() -> None:
    found = await saying(answer(row(), row(year=2014.5))).values("X", ["404"])
    assert ([cell.year for cell in found.cells], found.spans) == ([2017], 1)


async def test_a_bare_nan_of_json_is_no_figure() -> None:
    body = json.dumps(answer(row(value=float("nan")))).encode()
    assert b"NaN" in body
    found = await saying(body).values("X", ["404"])
    assert found.cells[0].figure == Figure(missing="not reported")


@pytest.mark.parametrize("body", [b"<html>", b"[]", b'{"data": null}', b'{"data": [], "totalElements": "x"}'])
async def test_an_answer_of_another_form_is_refused(body: bytes) -> None:
    with pytest.raises(ResponseMalformed):
        await saying(body).values("X")


@pytest.mark.parametrize(
    ("status", "error"), [(500, PublisherUnreachable), (429, PublisherRefused), (404, UnSdgRejects)]
)
async def test_what_the_status_says_is_told_apart(status: int, error: type[Exception]) -> None:
    with pytest.raises(error):
        await saying(b"", status=status).values("X")


async def test_codes_of_areas_are_sent_without_leading_zeros_and_many_areas_as_none() -> None:
    found = await CLIENT.values("SI_POV_DAY1", ["24"], years=(2008, 2008))
    assert found.provenance.requests[0].url == (
        "https://unstats.un.org/SDGAPI/v1/sdg/Series/Data?seriesCode=SI_POV_DAY1&areaCode=24&timePeriod=2008"
        "&pageSize=10000&page=1"
    )
    assert {cell.name for cell in found.cells} == {"Angola"}
    many = await CLIENT.values("SI_POV_DAY1", [str(n) for n in range(MOST_AREAS + 1)], years=(2008, 2010))
    assert "areaCode" not in many.provenance.requests[0].url
    assert "timePeriodStart=2008&timePeriodEnd=2010" in many.provenance.requests[0].url


async def test_the_tree_has_several_roots_of_one_code_and_each_country_once() -> None:
    areas = await CLIENT.countries()
    assert {"404", "24", "840", "412"} <= areas.countries
    assert not areas.countries & {"1", "202", "199", "432", "922"}
    assert areas.by_code["404"].name == "Kenya"


async def test_the_areas_are_listed_by_their_codes() -> None:
    areas = await CLIENT.areas()
    assert len(areas.by_code) == 391
    assert areas.by_code["1"].name == "World"
    assert areas.by_code["24"].name == "Angola"
    assert "024" not in areas.by_code


@pytest.mark.skipif(not SHARED.is_dir(), reason="the recorded answers are not beside the repository")
async def test_the_recorded_answer_beside_the_repository_is_the_one_tested_here() -> None:
    theirs = json.loads((SHARED / "Series_Data_2026_first8rows.json").read_text(encoding="utf-8"), parse_float=str)
    assert theirs == RECORDED
