"""The snapshot answers in the publisher's own wire form, with the published digits."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest

from plugins.worldbank.snapshot.figures import DATA
from plugins.worldbank.snapshot.indicators import carried_indicators
from plugins.worldbank.snapshot.responder import NOTE_HEADER, SHORTENED_HEADER, WorldBankResponder
from shared.runtime.http import HttpRequest, HttpResponse

RECORDED = Path(__file__).parent / "recorded"
ANSWERS = [
    json.loads(line)
    for line in gzip.decompress((RECORDED / "responses_2021-06-13.ndjson.gz").read_bytes()).splitlines()
]


def ask(path: str) -> HttpResponse:
    return WorldBankResponder().respond(HttpRequest.parse(f"https://api.worldbank.org/v2/{path}"))


def rows(path: str) -> list[dict[str, Any]]:
    body = ask(path).json()
    assert isinstance(body[1], list)
    return body[1]


def raw_value(path: str) -> str:
    """The digits of the only value in an answer, as they stand on the wire."""
    body = ask(path).body.decode()
    assert body.count('"value":') == 3, body
    return body.rsplit('"value":', 1)[1].split(",", 1)[0]


def shape(value: Any) -> Any:
    """Keys and JSON types; a value that may be null is only "number or null"."""
    if isinstance(value, dict):
        return {
            key: "number or null" if key == "value" and not isinstance(item, str) else shape(item)
            for key, item in value.items()
        }
    return type(value).__name__


@pytest.mark.parametrize("recorded", ANSWERS, ids=lambda answer: answer["url"].split("/v2/")[1])
def test_the_snapshot_answers_as_the_publisher_was_recorded(recorded: dict[str, Any]) -> None:
    answer = WorldBankResponder().respond(HttpRequest.parse(recorded["url"]))
    assert answer.status == recorded["status"]
    assert answer.headers["content-type"] == recorded["content_type"]
    if recorded["status"] == 400:
        assert "<title>Request Error</title>" in recorded["body_text"]
        assert b"<title>Request Error</title>" in answer.body
        return
    theirs, ours = json.loads(recorded["body_text"]), answer.json()
    if len(theirs) == 1:
        assert ours == theirs
        return
    assert list(ours[0]) == list(theirs[0])
    assert shape(ours[0]) == shape(theirs[0])
    assert ours[0]["page"] == theirs[0]["page"]
    assert ours[0]["per_page"] == theirs[0]["per_page"]
    assert list(ours[1][0]) == list(theirs[1][0])
    # Regions, topics and groups came and went since; the form of a row did not.
    if theirs[1][0].get("topics") != [] and ours[1][0].get("topics") != []:
        assert shape(ours[1][0]) == shape(theirs[1][0])


@pytest.mark.parametrize(
    ("path", "digits"),
    [
        ("country/IND/indicator/NY.GDP.MKTP.CD?format=json&date=2023", "3500906030644.76"),
        ("country/IND/indicator/NY.GDP.MKTP.CD?format=json&date=2025", "3956067115771.63"),
        ("country/USA/indicator/NY.GDP.MKTP.CD?format=json&date=2024", "29298013000000"),
        ("country/WLD/indicator/NY.GDP.MKTP.CD?format=json&date=2025", "118350166039396"),
        ("country/in/indicator/ny.gdp.mktp.cd?format=json&date=2023", "3500906030644.76"),
        ("countries/1W/indicators/NY.GDP.MKTP.CD?format=json&date=2025", "118350166039396"),
    ],
)
def test_values_are_written_with_the_published_digits(path: str, digits: str) -> None:
    assert raw_value(path) == digits


def test_every_carried_value_is_a_json_number() -> None:
    for indicator in carried_indicators():
        text = gzip.decompress((DATA / "values" / f"{indicator}.tsv.gz").read_bytes()).decode()
        cells = [cell for line in text.splitlines()[1:] for cell in line.split("\t")[1:] if cell]
        assert len(cells) == carried_indicators()[indicator].values
        json.loads(f"[{','.join(cells)}]")


def test_no_indicator_mixes_vintages() -> None:
    vintages = [indicator.vintage.isoformat() for indicator in carried_indicators().values()]
    assert (vintages.count("2026-07-01"), vintages.count("2021-09-15")) == (324, 76)
    older = ask("country/IND/indicator/AG.LND.EL5M.UR.K2?format=json")
    assert older.json()[0]["lastupdated"] == "2021-09-15"
    assert older.snapshot_as_of is not None
    assert older.snapshot_as_of.isoformat() == "2021-09-15"
    assert older.json()[1][0]["date"] == "2020"


def test_rows_come_newest_first_with_null_for_a_year_without_figures() -> None:
    answer = rows("country/PRK/indicator/NY.GDP.MKTP.CD?format=json&per_page=100")
    assert [row["date"] for row in answer] == [str(year) for year in range(2025, 1959, -1)]
    assert all(row["value"] is None for row in answer)


def test_all_means_every_entity_of_the_database_groups_first() -> None:
    answer = rows("country/all/indicator/SP.POP.TOTL?format=json&date=2024&per_page=1000")
    names = [row["country"]["value"] for row in answer]
    assert len(names) == 266
    assert names[0] == "Africa Eastern and Southern"
    assert names.index("World") < names.index("Afghanistan") < names.index("Zimbabwe")


def test_several_places_come_by_name_and_only_once() -> None:
    answer = rows("country/USA;in;IND;EUU/indicator/SP.POP.TOTL?format=json&date=2024")
    assert [row["countryiso3code"] for row in answer] == ["EUU", "IND", "USA"]


@pytest.mark.parametrize("code", ["MTQ", "GLP", "TWN", "IND;MTQ", "ABCDEFG", "IND;", ";"])
def test_a_place_the_world_bank_does_not_list_is_an_error_object(code: str) -> None:
    (error,) = ask(f"country/{code}/indicator/SP.POP.TOTL?format=json").json()
    assert error["message"][0]["id"] == "120"


def test_an_archived_indicator_is_told_apart_from_an_unknown_one() -> None:
    (archived,) = ask("country/IND/indicator/EN.ATM.CO2E.PP.GD?format=json").json()
    assert archived["message"][0]["id"] == "175"
    (unknown,) = ask("country/IND/indicator/SP.POP.0004.FE.IN?format=json").json()
    assert unknown["message"][0]["id"] == "120"


def test_a_known_indicator_without_recorded_figures_has_no_data() -> None:
    answer = ask("country/IND/indicator/NY.GDP.MKTP.KD?format=json")
    assert answer.json()[1] is None
    assert answer.json()[0]["total"] == 0
    assert "no figures of NY.GDP.MKTP.KD are recorded" in answer.headers[NOTE_HEADER]


def test_a_year_outside_the_tables_has_no_data() -> None:
    for year in ("1950", "2026", "2019Q1"):
        assert ask(f"country/IND/indicator/SP.POP.TOTL?format=json&date={year}").json()[1] is None


def test_years_that_are_not_carried_are_left_out_and_said() -> None:
    answer = ask("country/IND/indicator/AG.CON.FERT.ZS?format=json&date=2005:2011")
    assert [row["date"] for row in answer.json()[1]] == ["2011", "2010"]
    assert "begin in 2010" in answer.headers[SHORTENED_HEADER]
    assert "begin in 1961" in answer.headers[SHORTENED_HEADER]


def test_the_newest_year_may_be_null_and_the_newest_value_is_not() -> None:
    newest = rows("country/JPN;IND/indicator/NE.EXP.GNFS.ZS?format=json&mrv=1")
    assert [(row["countryiso3code"], row["date"], row["value"] is None) for row in newest] == [
        ("IND", "2025", False),
        ("JPN", "2025", True),
    ]
    reported = rows("country/JPN/indicator/NE.EXP.GNFS.ZS?format=json&mrnev=1")
    assert reported[0]["date"] == "2024"
    assert reported[0]["value"] is not None


def test_pages_are_cut_from_one_list() -> None:
    whole = rows("country/IND;CHN/indicator/SP.POP.TOTL?format=json&per_page=200")
    parts = [
        row
        for page in range(1, 21)
        for row in rows(f"country/IND;CHN/indicator/SP.POP.TOTL?format=json&per_page=7&page={page}")
    ]
    assert len(whole) == 132
    assert parts == whole


@pytest.mark.parametrize(
    "wrong", ["page=0", "page=x", "per_page=-1", "per_page=99999", "date=soon", "date=2020:2010", "mrv=0"]
)
def test_a_parameter_that_cannot_be_read_is_an_error_object(wrong: str) -> None:
    (error,) = ask(f"country/IND/indicator/SP.POP.TOTL?format=json&{wrong}").json()
    assert error["message"][0]["key"] == "Invalid value"


def test_groups_are_marked_as_aggregates() -> None:
    listed = rows("country?format=json&per_page=400")
    groups = {row["id"] for row in listed if row["region"]["value"] == "Aggregates"}
    assert (len(listed), len(groups)) == (296, 79)
    assert {"WLD", "EUU", "SSF", "HIC", "OED"} <= groups
    assert not {"IND", "NAM", "XKX", "PRI"} & groups


def test_the_country_list_is_filtered_by_its_classes() -> None:
    south_asia = rows("country?format=json&per_page=400&region=SAS")
    assert [row["id"] for row in south_asia] == ["BGD", "BTN", "IND", "LKA", "MDV", "NPL"]
    assert rows("region/SAS/country?format=json&per_page=400") == south_asia
    low = rows("country?format=json&per_page=400&incomeLevel=LIC")
    assert len(low) == 25


@pytest.mark.parametrize("path", ["nothing/here?format=json", "?format=json"])
def test_an_unknown_address_is_not_found(path: str) -> None:
    assert ask(path).status == 404


def test_one_indicator_is_described_with_its_source_and_topics() -> None:
    (gdp,) = rows("indicator/NY.GDP.MKTP.CD?format=json")
    assert gdp["name"] == "GDP (current US$)"
    assert gdp["source"] == {"id": "2", "value": "World Development Indicators"}
    assert gdp["topics"] == [{"id": "3", "value": "Economy & Growth"}]
    assert gdp["sourceNote"].startswith("Gross domestic product")
