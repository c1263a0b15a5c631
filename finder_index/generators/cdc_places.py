"""Leaves for CDC PLACES: one per health measure, with the survey years of its releases."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from finder_index.generators.catalog_files import read_csv
from finder_index.generators.catalog_leaf import (
    AccessFields,
    LeafFields,
    Operation,
    TermValue,
    access_text,
    file_name,
    leaf_text,
)
from finder_index.generators.places_wording import ASKED_AS
from finder_index.generators.tally import Tally
from finder_index.generators.words import lower_first, plain_case, slug

SOURCE = "cdc-places"
FILES = ("cdc_places/places_measures.csv",)
_RELEASE = re.compile(r"(?:PLACES|500 Cities) Release (\d{4})")
_AT_LEAST = re.compile(r">=\s*(\d+ years)")
_AMONG = re.compile(r" among (?P<who>.+)$")


def generate(data: Path, tally: Tally) -> Iterator[tuple[str, str]]:
    """``(path, text)`` of the access document and every leaf."""
    yield f"sources/{SOURCE}/_access.md", access_text(_access())
    for row in read_csv(data / FILES[0]):
        tally.read()
        tally.leaf()
        leaf = _leaf(row)
        yield f"sources/{SOURCE}/{file_name(leaf.variable)}", leaf_text(leaf)


def _leaf(row: Mapping[str, str]) -> LeafFields:
    full, short = row["Measure full name"], row["Measure short name"]
    # An X in a release's column says that the release does not hold the measure.
    releases = {
        match[1]: year for column, year in row.items() if (match := _RELEASE.fullmatch(column)) and year.isdigit()
    }
    who = match["who"] if (match := _AMONG.search(full)) else "people"
    who = _AT_LEAST.sub(r"\1 or older", who)
    what = lower_first(_AMONG.sub("", full))
    terms: dict[str, TermValue] = {
        "populationType": who,
        "measuredProperty": what,
        "statType": "share",
        "unit": "%",
        "unitKind": "percent",
        "unitLabel": f"percent of {who}",
        "per": who,
        "category": row["Category name"],
        "releases": sorted(releases),
        "surveyYears": sorted(set(releases.values())),
        "latest": max(releases.values(), default=""),
    }
    return LeafFields(
        variable=row["MeasureID"],
        title=full,
        description=f"Share of {who} with {what}, crude and age-adjusted, estimated for small areas.",
        queries=[
            f"what share of {who} has {what}",
            *filter(None, [ASKED_AS.get(row["MeasureID"])]),
            f"how common is {plain_case(short)}",
            f"prevalence of {plain_case(short)}",
        ],
        tags=["united-states", "health", slug(row["Category name"])],
        resource="https://www.cdc.gov/places/measure-definitions/",
        aliases=[short, row["Measure short name 2016-2023"]],
        terms=terms,
    )


def _access() -> AccessFields:
    request = "/resource/swc5-untb.json?measureid=OBESITY&year=2023"
    return AccessFields(
        source=SOURCE,
        publisher="Centers for Disease Control and Prevention",
        domain="cdc.gov",
        licence="public domain",
        title="PLACES on the CDC's open data service",
        description="How health estimates of counties, places, tracts and postal areas are asked for.",
        resource="https://data.cdc.gov/",
        scope="counties, places, census tracts and ZIP code areas of the United States",
        key_type="fips",
        grain=["county", "place", "census tract", "zcta"],
        frequency="one release a year; a measure is surveyed every year or every second year",
        coverage="United States; a release holds one survey year of each measure",
        completeness="No figures for states or the nation except as totals; a few areas have none.",
        vintage="2025",
        tags=["united-states", "health"],
        operations=[
            Operation("entity_value", f"{request}&locationid=01001", "FIPS code of a county"),
            Operation("contained_value", f"{request}&stateabbr=AL", "postal abbreviation of a state"),
            Operation("all_entities_value", f"{request}&$limit=5000", "none"),
        ],
        notes=[
            "every cell is text; without $limit an answer ends at 1,000 rows",
            "datavaluetypeid tells crude from age-adjusted prevalence",
        ],
    )
