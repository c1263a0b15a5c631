"""Leaves for the PxWeb offices of whose catalogs only a part is recorded.

Each list says exactly which recorded answer names the table; nothing is listed that was not seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from finder_index.generators.catalog_files import read_json
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
from finder_index.generators.words import lower_first

SCB_TABLES = ("scb/v2_tables.json", "scb/v2_search_befolkning.json")
SCB_METADATA = "scb/v2_TAB6471_metadata.json"
STATFIN_SEARCH = "statfin/v1_search_tables.json"
STATFIN_DATA = "statfin/v1_data_11rc.json"
SSB_DATA = "ssb/v1_data.json"
STATGL_DATA = "statgl/v1_data.json"
STATBANK_DATA = "statbank_dk/HISB3_jsonstat.json"
PSA_CATALOG = "psa_openstat/catalog_and_metadata_poverty_cut.json"
PXWEB_FILES = (
    *SCB_TABLES, SCB_METADATA, STATFIN_SEARCH, STATFIN_DATA, SSB_DATA, STATGL_DATA, STATBANK_DATA, PSA_CATALOG,
)  # fmt: skip

_NUMBERED = re.compile(r"^(?:(\w+)\s+--|(\d{5}):|Table \w+\.)\s*")
_SPAN = re.compile(r"\.\s+(?:År|Månad|Kvartal)\s+[\dMK -]+$|,\s*\d{4}-\d{4}\*?$")
_PERIODS = re.compile(r"\b((?:19|20)\d{2})(?:[MKQ]\d{1,2})?\s*[-\u2013]\s*((?:19|20)\d{2})")


@dataclass(frozen=True, slots=True)
class Office:
    """One PxWeb office: how its API is reached and what its tables cover."""

    source: str
    publisher: str
    domain: str
    licence: str
    api: str
    place: str
    version: str
    language: str


OFFICES = {
    "scb": Office("scb", "Statistics Sweden", "scb.se", "CC0", "https://statistikdatabasen.scb.se/api/v2/",
                  "Sweden", "2", "sv"),
    "statfin": Office("statfin", "Statistics Finland", "stat.fi", "CC BY 4.0",
                      "https://statfin.stat.fi/PxWeb/api/v1/en/StatFin/", "Finland", "1", "en"),
    "ssb": Office("ssb", "Statistics Norway", "ssb.no", "CC BY 4.0", "https://data.ssb.no/api/v0/no/table/",
                  "Norway", "1", "no"),
    "statgl": Office("statgl", "Statistics Greenland", "stat.gl", "free to use with the source named",
                     "https://bank.stat.gl/api/v1/en/Greenland/", "Greenland", "1", "en"),
    "statbank-dk": Office("statbank-dk", "Statistics Denmark", "dst.dk", "CC BY 4.0",
                          "https://api.statbank.dk/v1/", "Denmark", "statbank", "da"),
    "psa-openstat": Office("psa-openstat", "Philippine Statistics Authority", "psa.gov.ph", "CC BY 4.0",
                           "https://openstat.psa.gov.ph/PXWeb/api/v1/en/DB/", "Philippines", "1", "en"),
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Table:
    """One table as a recorded answer lists it. ``path`` is what follows the API's address."""

    office: str
    identifier: str
    title: str
    path: str = ""
    dimensions: tuple[str, ...] = ()
    first: str = ""
    last: str = ""
    updated: str = ""
    frequency: str = ""
    subjects: tuple[str, ...] = field(default=())


def generate(data: Path, tally: Tally) -> Iterator[tuple[str, str]]:
    """``(path, text)`` of the access document of each office and every leaf."""
    for office in OFFICES.values():
        yield f"sources/{office.source}/_access.md", access_text(_access(office))
    seen: set[tuple[str, str]] = set()
    for table in (*_scb(data), *_statfin(data), *_single_answers(data), *_psa(data)):
        tally.read()
        if (table.office, table.identifier) in seen:
            tally.merge("a table that another answer lists too", table.identifier)
            continue
        seen.add((table.office, table.identifier))
        tally.leaf()
        yield f"sources/{table.office}/{file_name(table.identifier)}", leaf_text(_leaf(table))


def _leaf(table: Table) -> LeafFields:
    office = OFFICES[table.office]
    title = clean(table.title).rstrip("*")
    words = lower_first(_SPAN.sub("", _NUMBERED.sub("", title)))
    first, last = table.first, table.last
    if not first and (match := _PERIODS.search(title)):
        first, last = match[1], match[2]
    terms: dict[str, TermValue] = {
        "table": table.identifier,
        "path": table.path or table.identifier,
        "measuredProperty": words,
        "dimensions": [clean(name).replace(",", "") for name in table.dimensions],
        "firstPeriod": first,
        "lastPeriod": last,
        "latest": last[:4],
        "frequency": table.frequency,
        "vintage": table.updated[:10],
        "language": office.language,
    }
    by = f", by {', '.join(table.dimensions)}" if table.dimensions else ""
    return LeafFields(
        variable=table.identifier,
        type="Data Cube",
        title=title,
        description=f"Table of {office.publisher}{by}.",
        queries=[f"{words} in {office.place}", f"{office.publisher}: {words}"],
        tags=["cube", office.place.lower(), *table.subjects],
        resource=office.api + (table.path or table.identifier),
        terms=terms,
    )


def _scb(data: Path) -> Iterator[Table]:
    for name in SCB_TABLES:
        for table in read_json(data / name)["tables"]:
            subjects = [step["label"].lower() for path in table.get("paths", ()) for step in path[:1]]
            yield Table(
                office="scb",
                identifier=table["id"],
                title=table["label"],
                path=f"tables/{table['id']}",
                dimensions=tuple(table["variableNames"]),
                first=table["firstPeriod"],
                last=table["lastPeriod"],
                updated=table["updated"],
                frequency=table["timeUnit"].lower(),
                subjects=tuple(dict.fromkeys(subjects)),
            )
    cube = read_json(data / SCB_METADATA)
    yield _from_cube("scb", "TAB6471", "tables/TAB6471", cube)


def _statfin(data: Path) -> Iterator[Table]:
    for table in read_json(data / STATFIN_SEARCH):
        yield Table(
            office="statfin",
            identifier=table["id"].removesuffix(".px"),
            title=table["title"],
            path=f"{table['path'].strip('/')}/{table['id']}",
        )
    cube = read_json(data / STATFIN_DATA)
    yield _from_cube("statfin", "statfin_vaerak_pxt_11rc", "vaerak/statfin_vaerak_pxt_11rc.px", cube)


def _single_answers(data: Path) -> Iterator[Table]:
    """Tables that are known by one recorded answer."""
    yield _from_cube("ssb", "07221", "07221/", read_json(data / SSB_DATA))
    yield _from_cube("statgl", "UDXUMG3", "UD/UD40/UD4040/UDXUMG3.px", read_json(data / STATGL_DATA))
    yield _from_cube("statbank-dk", "HISB3", "data/HISB3/JSONSTAT", read_json(data / STATBANK_DATA)["dataset"])


def _from_cube(office: str, identifier: str, path: str, cube: Mapping[str, Any]) -> Table:
    """A table from a JSON-stat answer: its label and its dimensions' labels."""
    dimensions = cube["dimension"]
    names = cube.get("id") or dimensions.get("id") or list(dimensions)
    labels = [dimensions[name].get("label", name) for name in names if isinstance(dimensions[name], dict)]
    return Table(
        office=office,
        identifier=identifier,
        title=cube.get("label") or identifier,
        path=path,
        dimensions=tuple(labels),
        updated=cube.get("updated", ""),
    )


def _psa(data: Path) -> Iterator[Table]:
    for name, listing in read_json(data / PSA_CATALOG).items():
        if not name.startswith("GET_") or not isinstance(listing, list):
            continue
        folder = name.removeprefix("GET_DB_").removesuffix("_part").replace("_", "/")
        for item in listing:
            if item["type"] == "t":
                identifier = item["id"].removesuffix(".px")
                yield Table("psa-openstat", identifier, item["text"], f"{folder}/{item['id']}")


def _access(office: Office) -> AccessFields:
    newer = office.version == "2"
    data = f"{office.api}tables/ID/data?outputFormat=json-stat2" if newer else f"POST {office.api}PATH"
    return AccessFields(
        source=office.source,
        publisher=office.publisher,
        domain=office.domain,
        licence=office.licence,
        title=f"{office.publisher}'s table service",
        description=f"How tables for {office.place} are asked for: a selection of codes for each dimension.",
        resource=office.api,
        scope=f"{office.place} and its regions",
        key_type="codes of each dimension",
        grain=["country", "region"],
        frequency="as the table says",
        coverage="the tables of the recorded answers, not the whole catalog",
        completeness="Dots mark figures that are missing, suppressed or not yet published.",
        tags=["cube"],
        operations=[
            Operation(
                "dimensions", f"{office.api}tables/ID/metadata" if newer else f"GET {office.api}PATH", "table"
            ),
            Operation("table", data, "table and codes"),
        ],
        notes=["a query above the service's limit of cells is refused and must be split"],
    )
