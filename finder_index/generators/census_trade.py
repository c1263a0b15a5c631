"""Leaves for US foreign trade: the figures that the Census Bureau's monthly trade API reports."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from finder_index.generators.catalog_files import read_csv, read_json, read_text
from finder_index.generators.catalog_leaf import (
    AccessFields,
    LeafFields,
    Operation,
    access_text,
    file_name,
    leaf_text,
)
from finder_index.generators.tally import Tally

SOURCE = "census-trade"
EXPORTS = "us_census_trade/exports_hs_HS10_2710121510_Canada_2016-01_2026-01.json"
IMPORTS = "us_census_trade/imports_hs6_2020_subset.csv.gz"
END_USE = "census/timeseries_exports_enduse_excerpt.json"
COMMODITIES = "us_census_trade/seafood_hs10_codes.csv"
COUNTRIES = "us_census_trade/country_codes.txt"
FILES = (EXPORTS, IMPORTS, END_USE, COMMODITIES, COUNTRIES)


@dataclass(frozen=True, slots=True)
class _Measure:
    endpoint: str
    field: str
    title: str
    queries: tuple[str, ...]
    unit: str = "USD"


_MEASURES = (
    _Measure("exports/hs", "ALL_VAL_MO", "US exports by commodity and country, monthly value",
             ("US exports to a country", "how much does the United States export", "exports of a commodity")),
    _Measure("exports/enduse", "ALL_VAL_MO", "US exports by end use and customs district, monthly value",
             ("US exports by end use", "exports through a customs district")),
    _Measure("exports/enduse", "ALL_VAL_YR", "US exports by end use and customs district, value in the year so far",
             ("US exports this year so far", "exports through a customs district in a year")),
    _Measure("imports/hs", "GEN_VAL_MO", "US imports by commodity and country, monthly value",
             ("US imports from a country", "how much does the United States import", "imports of a commodity")),
    _Measure("imports/hs", "AIR_VAL_MO", "US imports by air, monthly value",
             ("US imports that come by air", "value of imports by air freight")),
    _Measure("imports/hs", "AIR_WGT_MO", "US imports by air, monthly weight",
             ("weight of US imports by air", "how many kilograms are imported by air"), "kg"),
    _Measure("imports/hs", "VES_VAL_MO", "US imports by sea, monthly value",
             ("US imports that come by ship", "value of imports by vessel")),
    _Measure("imports/hs", "VES_WGT_MO", "US imports by sea, monthly weight",
             ("weight of US imports by ship", "how many kilograms are imported by vessel"), "kg"),
    _Measure("imports/hs", "CNT_VAL_MO", "US imports in containers, monthly value",
             ("US imports in containers", "value of containerized imports")),
    _Measure("imports/hs", "CNT_WGT_MO", "US imports in containers, monthly weight",
             ("weight of US imports in containers", "how many kilograms are imported in containers"), "kg"),
)  # fmt: skip


def generate(data: Path, tally: Tally) -> Iterator[tuple[str, str]]:
    """``(path, text)`` of the access document and every leaf.

    A figure counts only while a recorded answer has its column.
    """
    columns = {
        "exports/hs": set(read_json(data / EXPORTS)[0]),
        "exports/enduse": set(re.findall(r'"([A-Z_]+)"', read_text(data / END_USE).split("]")[0])),
        "imports/hs": set(next(read_csv(data / IMPORTS))),
    }
    yield f"sources/{SOURCE}/_access.md", access_text(_access())
    for measure in _MEASURES:
        tally.read()
        if measure.field not in columns[measure.endpoint]:
            tally.leave_out("a figure that no recorded answer has", f"{measure.endpoint} {measure.field}")
            continue
        tally.leaf()
        leaf = LeafFields(
            variable=f"{measure.endpoint.replace('/', '.')}.{measure.field}",
            title=measure.title,
            description=f"{measure.title}, in {'US dollars' if measure.unit == 'USD' else 'kilograms'}.",
            queries=measure.queries,
            tags=["united-states", "trade", measure.endpoint.split("/")[0]],
            resource="https://www.census.gov/foreign-trade/reference/guides/",
            terms={
                "populationType": "Trade",
                "measuredProperty": "imports" if "imports" in measure.endpoint else "exports",
                "statType": "value",
                "endpoint": measure.endpoint,
                "field": measure.field,
                "unit": measure.unit,
                "unitKind": "currency" if measure.unit == "USD" else "physical",
                "frequency": "monthly",
            },
        )
        yield f"sources/{SOURCE}/{file_name(leaf.variable)}", leaf_text(leaf)
    for code in read_text(data / COMMODITIES).split():
        tally.read()
        tally.leave_out("a commodity's code, which is a key and comes without a name", code)
    for code in re.findall(r"^(\d{4}) +\|", read_text(data / COUNTRIES), re.MULTILINE):
        tally.read()
        tally.leave_out("a country's code, which is a key", code)


def _access() -> AccessFields:
    exports = "/exports/hs?get=ALL_VAL_MO&COMM_LVL=HS10&E_COMMODITY=2710121510"
    imports = "/imports/hs?get=GEN_VAL_MO&COMM_LVL=HS6&I_COMMODITY=030617"
    return AccessFields(
        source=SOURCE,
        publisher="US Census Bureau, Foreign Trade",
        domain="census.gov",
        licence="public domain",
        title="International trade time series API",
        description="How monthly imports and exports are asked for: by commodity, country, district and month.",
        resource="https://api.census.gov/data/timeseries/intltrade",
        scope="trade of the United States with other countries",
        key_type=["schedule c country code", "hs commodity code", "district"],
        grain=["country", "group of countries", "customs district"],
        frequency="monthly",
        coverage="2013 to the latest month; commodities of 2, 4, 6 and 10 digits",
        completeness="A month without trade has no row.",
        vintage="2026-01",
        tags=["trade"],
        operations=[
            Operation("entity_value", f"{exports}&CTY_CODE=1220&time=2025-06", "Schedule C code of a country"),
            Operation("entity_series", f"{exports}&CTY_CODE=1220&time=from+2016-01", "Schedule C code"),
            Operation("all_entities_value", f"{imports}&time=2020-01", "none"),
        ],
        notes=[
            "rows of country groups and a row of the total stand beside the countries: summing all counts twice"
        ],
    )
