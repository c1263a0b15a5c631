"""The recorded figures answer the API's own requests, errors included, cell for cell as they were recorded."""

from __future__ import annotations

import gzip
import json
from fnmatch import fnmatch
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest

from plugins.uscensus.snapshot.responder import AS_OF, CensusResponder
from plugins.uscensus.snapshot.store import DATA
from shared.runtime.http import HttpRequest, HttpResponse

RECORDED = Path(__file__).parent / "recorded" / "answers.ndjson.gz"
ROOT = "https://api.census.gov/data/"


def ask(rest: str) -> HttpResponse:
    return CensusResponder().respond(HttpRequest.parse(ROOT + rest))


def rows(response: HttpResponse) -> list[dict[str, Any]]:
    header, *lines = json.loads(response.body)
    return [dict(zip(header, line, strict=True)) for line in lines]


def recorded() -> list[dict[str, Any]]:
    with gzip.open(RECORDED, "rt", encoding="utf-8") as file:
        return [json.loads(line) for line in file]


@pytest.mark.parametrize("answer", recorded(), ids=lambda answer: urlsplit(answer["url"]).query[:60])
def test_a_recorded_request_is_answered_as_it_was(answer: dict[str, Any]) -> None:
    url = answer["url"]
    asked = dict(parse_qsl(urlsplit(url).query))
    header, *lines = answer["body"]
    given = rows(CensusResponder().respond(HttpRequest.parse(url)))
    codes = [name for name in header if name in asked.get("in", "") or name == asked["for"].partition(":")[0]]
    published = {
        tuple(line[header.index(code)] for code in codes): dict(zip(header, line, strict=True)) for line in lines
    }
    assert {tuple(row[code] for code in codes) for row in given} == set(published)
    for row in given:
        known = published[tuple(row[code] for code in codes)]
        for name in set(row) & set(known) - {"GEO_ID"}:
            one, other = row[name], known[name]
            assert one == other or (one and other and float(one) == float(other)), name


def test_the_response_says_that_it_was_recorded_and_when() -> None:
    response = ask("2023/acs/acs5?get=NAME,B19013_001E&for=county:201&in=state:48")
    assert (response.status, response.snapshot_as_of) == (200, AS_OF)
    assert json.loads(response.body) == [
        ["NAME", "B19013_001E", "state", "county"],
        ["Harris County, Texas", "73104", "48", "201"],
    ]


def test_one_estimate_answers_under_each_of_its_names() -> None:
    names = ("acs5?get=B19013_001E", "acs5/profile?get=DP03_0062E", "acs5/subject?get=S1901_C01_012E")
    found = [rows(ask(f"2023/acs/{name}&for=county:201&in=state:48"))[0] for name in names]
    assert [next(iter(row.values())) for row in found] == ["73104"] * 3


@pytest.mark.parametrize(
    ("rest", "status", "text"),
    [
        ("2030/acs/acs5?get=NAME,B19013_001E&for=state:48", 404, "unknown dataset"),
        ("2023/acs/acs9?get=NAME,B19013_001E&for=state:48", 404, "unknown dataset"),
        ("2023/acs/acs5?get=NAME,B99999_001E&for=state:48", 400, "unknown variable 'B99999_001E'"),
        ("2023/acs/acs5?get=NAME,S1701_C03_001E&for=state:48", 400, "unknown variable 'S1701_C03_001E'"),
        ("2023/acs/acs5?get=NAME,B19013_001E&for=galaxy:*", 400, "unknown/unsupported geography hierarchy"),
        ("2023/acs/acs5?get=NAME,B19013_001E", 400, "missing 'for' argument"),
    ],
)
def test_what_the_api_does_not_take_is_an_error_in_plain_text(rest: str, status: int, text: str) -> None:
    response = ask(rest)
    assert (response.status, response.headers["content-type"]) == (status, "text/plain")
    assert text in response.body.decode()


def test_what_was_not_recorded_is_an_answer_without_content_and_says_so() -> None:
    response = ask("2023/acs/acs5?get=NAME,B19013_001E&for=state:48")
    assert (response.status, response.body) == (204, b"")
    assert response.headers["x-snapshot-note"] == "not among the recorded figures"


def test_every_carried_file_has_its_provenance() -> None:
    lines = (DATA / "PROVENANCE.tsv").read_text(encoding="utf-8").splitlines()[1:]
    patterns = [pattern.strip() for line in lines for pattern in line.split("\t")[0].split(",")]
    assert all(len(line.split("\t")) == 6 for line in lines)
    for path in DATA.iterdir():
        if path.name != "PROVENANCE.tsv":
            assert any(fnmatch(path.name, pattern) for pattern in patterns), path.name


def test_a_time_series_says_the_year_of_each_row_and_has_nothing_for_other_years() -> None:
    asked = "timeseries/poverty/saipe?get=NAME,SAEPOVRTALL_PT&for=state:48&time="
    assert json.loads(ask(f"{asked}2019").body) == [
        ["NAME", "SAEPOVRTALL_PT", "time", "state"],
        ["Texas", "13.6", "2019", "48"],
    ]
    assert ask(f"{asked}1901").status == 204
