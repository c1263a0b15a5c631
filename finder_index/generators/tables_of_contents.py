"""Leaves from the tables of contents of statistical offices that list every table they publish.

Eurostat's dataflows, Statistics Canada's tables and Singapore's table builder: one leaf per table.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from finder_index.generators.catalog_files import read_csv, read_json
from finder_index.generators.catalog_leaf import (
    AccessFields,
    LeafFields,
    Operation,
    TermValue,
    access_text,
    clean,
    file_name,
    leaf_text,
)
from finder_index.generators.tally import Tally
from finder_index.generators.words import lower_first, plain_case

EUROSTAT, STATCAN, SINGSTAT = "eurostat", "statcan", "singstat"
EUROSTAT_FILES = ("eurostat/catalog_eurostat_dataflow_status.csv.gz",)
STATCAN_FILES = ("questions/statcan_title_to_pid.json.gz",)
SINGSTAT_TABLES = "singstat/catalog_tables_2024.json.gz"
SINGSTAT_DATASETS = "singstat/catalog_datagovsg_adapted_2024.json.gz"
SINGSTAT_FILES = (SINGSTAT_TABLES, SINGSTAT_DATASETS)

_BY = re.compile(r",? by (?P<dimensions>[^()]+?)(?:\s*\(|\s+-\s+|$)", re.IGNORECASE)
_FREQUENCY = re.compile(
    r"[,-] ?(annual|yearly|quarterly|monthly|weekly|daily|half-yearly)(?: data)?\s*$", re.IGNORECASE
)
_UNIT = re.compile(
    r"\s*\(([^()]*(?:%|thousand|million|percent|per|euro|tonnes?|number)[^()]*)\)\s*$", re.IGNORECASE
)
_ADAPTED = re.compile(r"tablebuilder\.singstat\.gov\.sg/table/\w+/(\w+)")


def generate_eurostat(data: Path, tally: Tally) -> Iterator[tuple[str, str]]:
    """``(path, text)`` of Eurostat's access document and its dataflows."""
    yield f"sources/{EUROSTAT}/_access.md", access_text(_eurostat_access())
    rows = list(read_csv(data / EUROSTAT_FILES[0]))
    titles = Counter(clean(row["df_description"]).casefold() for row in rows if row["status"] == "ok")
    for row in rows:
        tally.read()
        code, title = row["df_id"], clean(row["df_description"])
        if row["status"] != "ok":
            tally.leave_out("a dataflow for which the publisher's API answers with an error", code)
            continue
        tally.leaf()
        shared = titles[title.casefold()] > 1
        terms: dict[str, TermValue] = {
            "dataflow": code,
            "dimensionCount": row["n_dims"],
            "codeCount": row["n_codes"],
            "vintage": row["checked_at"],
        }
        leaf = _leaf(code, title, "European countries and regions", terms, shared=shared)
        yield f"sources/{EUROSTAT}/{file_name(code)}", leaf_text(leaf)


def generate_statcan(data: Path, tally: Tally) -> Iterator[tuple[str, str]]:
    """``(path, text)`` of Statistics Canada's access document and its tables."""
    yield f"sources/{STATCAN}/_access.md", access_text(_statcan_access())
    titles: Mapping[str, Mapping[str, str]] = read_json(data / STATCAN_FILES[0])
    french = {number: title for title, number in titles["fr"].items()}
    english: dict[str, str] = {}
    for title, number in titles["en"].items():
        tally.read()
        if number in english:
            tally.merge("another title of a table that has its leaf", number)
        else:
            english[number] = title
    for number in titles["fr"].values():
        tally.read()
        if number in english:
            tally.merge("the French title of a table that has its leaf", number)
        else:
            tally.leave_out("a table that is listed without an English title", number)
    for number, title in sorted(english.items()):
        tally.leaf()
        leaf = _leaf(number, clean(title), "Canada", {"table": number}, alias=french.get(number, ""))
        yield f"sources/{STATCAN}/{file_name(number)}", leaf_text(leaf)


def generate_singstat(data: Path, tally: Tally) -> Iterator[tuple[str, str]]:
    """``(path, text)`` of Singapore's access document and its tables."""
    yield f"sources/{SINGSTAT}/_access.md", access_text(_singstat_access())
    coverage: dict[str, dict[str, str]] = {}
    for dataset in read_json(data / SINGSTAT_DATASETS):
        tally.read()
        match = _ADAPTED.search(dataset["description"])
        if match:
            coverage[match[1]] = dataset
            tally.merge("a copy on the open data portal of a table that has its leaf", match[1])
        else:
            tally.leave_out("a data set that names no table", dataset["datasetId"])
    seen: set[str] = set()
    for table in read_json(data / SINGSTAT_TABLES):
        tally.read()
        if table["id"] in seen:
            tally.merge("a table listed again", table["id"])
            continue
        seen.add(table["id"])
        tally.leaf()
        found = coverage.get(table["id"], {})
        terms: dict[str, TermValue] = {
            "table": table["id"],
            "firstYear": found.get("coverageStart", "")[:4],
            "lastYear": found.get("coverageEnd", "")[:4],
            "latest": found.get("coverageEnd", "")[:4],
            "vintage": found.get("lastUpdatedAt", "")[:10],
        }
        leaf = _leaf(table["id"], clean(table["title"]), "Singapore", terms)
        yield f"sources/{SINGSTAT}/{file_name(table['id'])}", leaf_text(leaf)


def _leaf(
    variable: str, title: str, place: str, terms: Mapping[str, TermValue], *, shared: bool = False, alias: str = ""
) -> LeafFields:
    """A table known by its title: what it measures, by which dimensions, how often."""
    words = plain_case(title)
    dimensions = _dimensions(title)
    quantity = " ".join(_BY.sub(" ", _UNIT.sub("", _FREQUENCY.sub("", words))).split()).strip(" ,") or words
    frequency = match[1].lower() if (match := _FREQUENCY.search(title)) else ""
    unit = match[1] if (match := _UNIT.search(title)) else ""
    return LeafFields(
        variable=variable,
        type="Data Cube",
        title=f"{title} ({variable})" if shared else title,
        description=f"Table for {place}" + (f", by {', '.join(dimensions)}." if dimensions else "."),
        queries=[f"{quantity} in {place}", words if words != quantity else f"table of {quantity}"],
        tags=["cube", lower_first(place).replace(" ", "-").lower(), *([frequency] if frequency else [])],
        resource=_PAGES[place] + variable,
        aliases=[alias],
        terms={"measuredProperty": quantity, "unitLabel": unit, "dimensions": dimensions, "frequency": frequency,
               **terms},
    )  # fmt: skip


def _dimensions(title: str) -> list[str]:
    match = _BY.search(_FREQUENCY.sub("", _UNIT.sub("", title)))
    if not match:
        return []
    parts = re.split(r",\s*|\s+and\s+|\s+by\s+", match["dimensions"], flags=re.IGNORECASE)
    return [plain_case(part.strip()) for part in parts if part.strip()]


_PAGES = {
    "European countries and regions": "https://ec.europa.eu/eurostat/databrowser/view/",
    "Canada": "https://www150.statcan.gc.ca/t1/tbl1/en/tv.action?pid=",
    "Singapore": "https://tablebuilder.singstat.gov.sg/table/TS/",
}


def _eurostat_access() -> AccessFields:
    request = "/statistics/1.0/data/nama_10_gdp?format=JSON&unit=CP_MEUR&na_item=B1GQ"
    return AccessFields(
        source=EUROSTAT,
        publisher="Eurostat",
        domain="ec.europa.eu",
        licence="CC BY 4.0",
        title="Eurostat dissemination API",
        description="How Eurostat's cubes are asked for: a dataflow, a code for each dimension, periods.",
        resource="https://ec.europa.eu/eurostat/api/dissemination",
        scope="countries and regions of Europe",
        key_type=["iso2", "nuts"],
        grain=["country", "nuts 1", "nuts 2", "nuts 3", "group of countries"],
        frequency="yearly, half-yearly, quarterly, monthly",
        coverage="all dataflows that the API answered for in August 2026",
        completeness="A cell may be missing, confidential or flagged; Greece is EL and the United Kingdom UK.",
        vintage="2026-08",
        tags=["cube"],
        operations=[
            Operation("entity_value", f"{request}&geo=DE&time=2023", "one geo code"),
            Operation("entities_value", f"{request}&geo=DE&geo=FR&time=2023", "geo codes"),
            Operation("all_entities_value", f"{request}&time=2023", "none"),
            Operation("entity_series", f"{request}&geo=DE", "one geo code"),
            Operation("dimensions", "/sdmx/2.1/datastructure/ESTAT/NAMA_10_GDP", "a dataflow"),
        ],
        notes=[
            "an answer is JSON-stat 2.0; one that would be too large is refused with 413",
            "codes of a dataflow are lower case in the statistics API and upper case in SDMX",
        ],
    )


def _statcan_access() -> AccessFields:
    return AccessFields(
        source=STATCAN,
        publisher="Statistics Canada",
        domain="statcan.gc.ca",
        licence="Statistics Canada Open Licence",
        title="Statistics Canada web data service",
        description="How Statistics Canada's cubes are asked for: by product id, coordinate and periods.",
        resource="https://www150.statcan.gc.ca/t1/wds/rest/",
        scope="Canada, its provinces, territories, cities and census divisions",
        key_type="coordinate of member ids",
        grain=["country", "province", "census metropolitan area"],
        frequency="as the table says",
        coverage="tables listed by title, current and archived",
        completeness="Suppressed and unavailable cells carry a status code.",
        tags=["cube"],
        operations=[
            Operation("dimensions", "POST /getCubeMetadata", "product id"),
            Operation("entity_series", "POST /getDataFromCubePidCoordAndLatestNPeriods", "product id, coordinate"),
            Operation("table", "/getFullTableDownloadCSV/10100002/en", "product id"),
        ],
    )


def _singstat_access() -> AccessFields:
    return AccessFields(
        source=SINGSTAT,
        publisher="Singapore Department of Statistics",
        domain="singstat.gov.sg",
        licence="Singapore Open Data Licence 1.0",
        title="SingStat Table Builder API",
        description="How Singapore's tables are asked for: by table id, row and period.",
        resource="https://tablebuilder.singstat.gov.sg/api/table/",
        scope="Singapore",
        key_type="series number",
        grain=["country", "planning area"],
        frequency="as the table says",
        coverage="tables listed in 2024",
        completeness="A missing figure is na; an unknown table answers with an empty list, not an error.",
        vintage="2024-03",
        tags=["cube"],
        operations=[
            Operation("dimensions", "/metadata/M651121", "table id"),
            Operation("entity_series", "/tabledata/M651121?seriesNoORrowNo=1", "table id, series number"),
            Operation("table", "/tabledata/M651121?offset=0&limit=2000", "table id"),
        ],
    )
