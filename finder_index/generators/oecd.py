"""Leaves for the OECD: the measures of its key economic indicators that the recorded answers list."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from finder_index.generators.catalog_files import read_csv, read_json
from finder_index.generators.catalog_leaf import (
    AccessFields,
    LeafFields,
    Operation,
    access_text,
    file_name,
    leaf_text,
)
from finder_index.generators.tally import Tally
from finder_index.generators.words import lower_first

SOURCE = "oecd"
KEY_INDICATORS = "oecd/availability_DF_KEI_all.json"
MARKETS = "oecd/sdmxcsv1_DF_FINMARK_GBR_IRSTCI.csv"
FILES = (KEY_INDICATORS, MARKETS)

_NAMES = {
    "B1GQ_Q": "Gross domestic product, volume", "BCICP": "Business confidence", "CA_GDP":
    "Current account balance as a share of gross domestic product", "CCICP": "Consumer confidence",
    "CP": "Consumer prices", "EMP": "Employment", "EX": "Exports", "H_EARN": "Hourly earnings", "IM": "Imports",
    "IR3TIB": "Three-month interbank interest rate", "IRLT": "Long-term interest rate",
    "IRSTCI": "Immediate interest rate", "LI": "Leading indicator", "MABM": "Broad money", "MANM": "Narrow money",
    "PP": "Producer prices", "PRVM": "Production volume", "SHARE": "Share prices",
    "TOCAPA": "Registrations of passenger cars", "TOVM": "Retail trade volume", "ULC": "Unit labor costs",
    "UNEMP": "Unemployment rate",
}  # fmt: skip


def generate(data: Path, tally: Tally) -> Iterator[tuple[str, str]]:
    """``(path, text)`` of the access document and every leaf."""
    yield f"sources/{SOURCE}/_access.md", access_text(_access())
    region = read_json(data / KEY_INDICATORS)["data"]["contentConstraints"][0]["cubeRegions"][0]
    codes = next(key["values"] for key in region["keyValues"] if key["id"] == "MEASURE")
    markets = dict.fromkeys(row["MEASURE"] for row in read_csv(data / MARKETS))
    for flow, code in [*(("DF_KEI", code) for code in codes), *(("DF_FINMARK", code) for code in markets)]:
        tally.read()
        name = _NAMES.get(code)
        if not name:
            tally.leave_out("a code of a measure whose name is not known", f"{flow}/{code}")
            continue
        tally.leaf()
        words = lower_first(name)
        leaf = LeafFields(
            variable=f"{flow}.{code}",
            type="Data Cube",
            title=f"{name} ({flow})",
            description=f"Measure {code} of the OECD's dataflow {flow}, by country, frequency and unit.",
            queries=[f"{words} of OECD countries", f"OECD {words}"],
            tags=["cube", "country"],
            resource="https://data-explorer.oecd.org/",
            terms={"dataflow": flow, "measuredProperty": words, "constraints": [f"MEASURE={code}"]},
        )
        yield f"sources/{SOURCE}/{file_name(leaf.variable)}", leaf_text(leaf)


def _access() -> AccessFields:
    flow = "OECD.SDD.STES,DSD_KEI@DF_KEI,4.0"
    return AccessFields(
        source=SOURCE,
        publisher="OECD",
        domain="oecd.org",
        licence="CC BY 4.0",
        title="OECD SDMX API",
        description="How OECD dataflows are asked for: a key with a code for each dimension, periods.",
        resource="https://sdmx.oecd.org/public/rest/",
        scope="OECD members and partner economies",
        key_type="iso3",
        grain=["country", "group of countries"],
        frequency="yearly, quarterly, monthly",
        coverage="key economic indicators and financial markets, as far as recorded",
        completeness="Rows are in no order of time; a code without data is absent from the availability answer.",
        vintage="2026-03",
        tags=["cube"],
        operations=[
            Operation("entity_series", f"/data/{flow}/GBR.M.IRLT....?startPeriod=2023-01", "a key with one area"),
            Operation("all_entities_value", f"/data/{flow}/.M.IRLT....?startPeriod=2024-01", "a key without area"),
            Operation("dimensions", "/v2/availability/dataflow/OECD.SDD.STES/DSD_KEI@DF_KEI/4.0/*", "a dataflow"),
        ],
    )
