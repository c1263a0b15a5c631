"""The recorded figures answer the API's own URLs in its wire form."""

from __future__ import annotations

from typing import Any

import pytest

from plugins.unsdg.snapshot.responder import NOTE_HEADER, UnSdgResponder
from shared.runtime.http import HttpRequest, HttpResponse

ROOT = "https://unstats.un.org/SDGAPI/v1/sdg"


def get(path: str) -> HttpResponse:
    return UnSdgResponder().respond(HttpRequest.parse(f"{ROOT}/{path}"))


def rows(query: str) -> list[dict[str, Any]]:
    body = get(f"Series/Data?{query}").json()
    data: list[dict[str, Any]] = body["data"]
    return data


@pytest.mark.parametrize(
    ("path", "count"),
    [("Goal/List?includechildren=false", 17), ("Target/List", 169), ("Indicator/List", 248), ("Series/List", 609),
     ("GeoArea/List", 391), ("GeoArea/Tree", 7)],
)  # fmt: skip
def test_the_lists_are_as_they_were_recorded(path: str, count: int) -> None:
    response = get(path)
    assert len(response.json()) == count
    assert response.snapshot_as_of is not None
    assert response.snapshot_as_of.isoformat() == "2022-07-01"


def test_a_value_comes_as_text_with_its_nature_unit_and_dimensions() -> None:
    (row,) = rows("seriesCode=SH_H2O_SAFE&areaCode=404&timePeriod=2017")
    assert (row["value"], row["geoAreaName"], row["timePeriodStart"]) == ("50.00946", "Kenya", 2017)
    assert row["attributes"] == {"Nature": "E", "Units": "PERCENT"}
    assert row["dimensions"] == {"Location": "URBAN"}
    assert (row["goal"], row["target"], row["indicator"]) == (["6"], ["6.1"], ["6.1.1"])


def test_a_total_and_its_breakdowns_stand_side_by_side() -> None:
    found = rows("seriesCode=EG_ELC_ACCS&areaCode=800&timePeriod=2017")
    assert {row["dimensions"]["Location"] for row in found} == {"ALLAREA", "RURAL", "URBAN"}


def test_six_counts_of_the_world_have_no_total() -> None:
    found = rows("seriesCode=ER_BDY_ABT2NP&areaCode=1&timePeriod=2020")
    assert len(found) == len({row["dimensions"]["Level/Status"] for row in found}) == 6


def test_a_bound_is_published_as_text() -> None:
    assert rows("seriesCode=SN_ITK_DEFC&areaCode=276&timePeriod=2018")[0]["value"] == "<2.5"


def test_an_area_is_known_without_leading_zeros_only() -> None:
    assert rows("seriesCode=SI_POV_DAY1&areaCode=24")
    assert rows("seriesCode=SI_POV_DAY1&areaCode=024") == []


def test_answers_are_paged() -> None:
    first = get("Series/Data?seriesCode=SI_POV_DAY1&pageSize=100&page=1").json()
    assert (first["size"], first["totalElements"], first["totalPages"], len(first["data"])) == (100, 2053, 21, 100)
    last = get("Series/Data?seriesCode=SI_POV_DAY1&pageSize=100&page=21").json()
    assert (last["pageNumber"], len(last["data"])) == (21, 53)
    assert len(rows("seriesCode=SI_POV_DAY1")) == 25


def test_a_span_of_years_is_from_its_first_to_its_last() -> None:
    found = rows("seriesCode=SI_POV_DAY1&areaCode=1&timePeriodStart=2010&timePeriodEnd=2013&pageSize=100")
    assert [row["timePeriodStart"] for row in found] == [2010, 2011, 2012, 2013]


def test_a_series_that_is_not_recorded_is_told_apart_from_one_without_rows() -> None:
    listed = get("Series/Data?seriesCode=DC_ODA_BDVDL&areaCode=404")
    assert listed.json()["totalElements"] == 0
    assert listed.headers[NOTE_HEADER] == "the recorded figures do not hold the series DC_ODA_BDVDL"
    unknown = get("Series/Data?seriesCode=NO_SUCH&areaCode=404")
    assert unknown.json()["data"] == []
    assert NOTE_HEADER not in unknown.headers


@pytest.mark.parametrize(
    ("path", "status"),
    [("Series/Data", 400), ("Series/Data?seriesCode=SI_POV_DAY1&page=two", 400), ("Series/Nothing", 404)],
)
def test_what_the_api_does_not_accept_is_its_own_error(path: str, status: int) -> None:
    assert get(path).status == status
