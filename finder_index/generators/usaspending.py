"""Leaves for USAspending: federal spending by what it buys, by programme, by agency and by place."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from finder_index.generators.catalog_files import read_csv, read_json
from finder_index.generators.catalog_leaf import (
    AccessFields,
    LeafFields,
    Operation,
    TermValue,
    access_text,
    file_name,
    leaf_text,
)
from finder_index.generators.tally import Tally
from finder_index.generators.words import lower_first, plain_case, sentence

SOURCE = "usaspending"
PRODUCTS = "usaspending/psc_codes.csv.gz"
PROGRAMS = "usaspending/cfda_sample.csv"
AGENCIES = "usaspending/tas_agencies.json"
FILES = (PRODUCTS, PROGRAMS, AGENCIES)
HOME = "https://www.usaspending.gov/"
MONEY: dict[str, TermValue] = {
    "unit": "USD", "unitKind": "currency", "statType": "value", "frequency": "fiscal year",
}  # fmt: skip
_SHORT_NAME = re.compile(r"\s*\([A-Z][A-Za-z&.-]*\)\s*$")


@dataclass(frozen=True, slots=True)
class _Measure:
    variable: str
    title: str
    queries: tuple[str, ...]
    endpoint: str
    key: str


MEASURES = (
    _Measure("obligations.state", "Federal spending by state",
             ("how much federal money goes to a state", "federal obligations in a state"),
             "/api/v2/search/spending_by_geography/", "state"),
    _Measure("obligations.county", "Federal spending by county",
             ("how much federal money goes to a county", "federal obligations in a county"),
             "/api/v2/search/spending_by_geography/", "county"),
    _Measure("obligations.district", "Federal spending by congressional district",
             ("how much federal money goes to a congressional district", "federal obligations in a district"),
             "/api/v2/search/spending_by_geography/", "district"),
    _Measure("obligations.recipient", "Federal awards by recipient",
             ("which companies and organizations get the most federal money", "largest federal contractors",
              "federal awards to a recipient"), "/api/v2/search/spending_by_category/recipient/", "uei"),
    _Measure("obligations.awarding_agency", "Federal awards by awarding agency",
             ("which federal agency spends the most on awards", "awards of a federal agency"),
             "/api/v2/search/spending_by_category/awarding_agency/", "agency"),
    _Measure("obligations.naics", "Federal contract spending by industry",
             ("federal contracts by industry", "which industries get federal contracts"),
             "/api/v2/search/spending_by_category/naics/", "naics"),
    _Measure("obligations.psc", "Federal contract spending by product or service",
             ("what does the federal government buy", "federal contracts by product or service code"),
             "/api/v2/search/spending_by_category/psc/", "psc"),
    _Measure("obligations.cfda", "Federal assistance by programme",
             ("federal grants by assistance programme", "which assistance programmes spend the most"),
             "/api/v2/search/spending_by_category/cfda/", "cfda"),
    _Measure("obligations.contracts", "Federal contract obligations over time",
             ("how much does the federal government spend on contracts", "federal contract spending by year"),
             "/api/v2/search/spending_over_time/", "none"),
    _Measure("obligations.grants", "Federal grant obligations over time",
             ("how much does the federal government spend on grants", "federal grant spending by year"),
             "/api/v2/search/spending_over_time/", "none"),
    _Measure("obligations.loans", "Federal loans over time",
             ("how much does the federal government lend", "face value of federal loans by year"),
             "/api/v2/search/spending_over_time/", "none"),
    _Measure("awards.contracts", "Federal contracts, award by award",
             ("list of federal contracts", "contracts awarded to a company"),
             "/api/v2/search/spending_by_award/", "award id"),
    _Measure("awards.grants", "Federal grants, award by award",
             ("list of federal grants", "grants awarded to an organization"),
             "/api/v2/search/spending_by_award/", "award id"),
    _Measure("awards.subawards", "Subawards of federal awards",
             ("list of federal subawards", "who gets money from a prime federal award"),
             "/api/v2/subawards/", "award id"),
    _Measure("agency.budgetary_resources", "Budgetary resources of a federal agency",
             ("budget of a federal agency", "how much may a federal agency spend"),
             "/api/v2/agency/080/budgetary_resources/", "agency"),
    _Measure("agency.outlays", "Outlays of a federal agency",
             ("how much has a federal agency paid out", "outlays by agency"),
             "/api/v2/agency/080/budgetary_resources/", "agency"),
)  # fmt: skip


def generate(data: Path, tally: Tally) -> Iterator[tuple[str, str]]:
    """``(path, text)`` of the access document and every leaf."""
    yield f"sources/{SOURCE}/_access.md", access_text(_access())
    for leaf in (*_measures(tally), *_products(data, tally), *_programs(data, tally), *_agencies(data, tally)):
        yield f"sources/{SOURCE}/{file_name(leaf.variable)}", leaf_text(leaf)


def _measures(tally: Tally) -> Iterator[LeafFields]:
    for measure in MEASURES:
        tally.read()
        tally.leaf()
        yield LeafFields(
            variable=measure.variable,
            title=measure.title,
            description=f"{measure.title}, by fiscal year from 2008.",
            queries=measure.queries,
            tags=["united-states", "federal-spending"],
            resource=HOME,
            terms={
                **MONEY,
                "populationType": "Federal award",
                "endpoint": measure.endpoint,
                "keyType": measure.key,
            },
        )


def _products(data: Path, tally: Tally) -> Iterator[LeafFields]:
    """One leaf per product or service code, under the newest of its names."""
    by_code: dict[str, list[dict[str, str]]] = defaultdict(list)
    for row in read_csv(data / PRODUCTS):
        tally.read()
        by_code[row["PSC CODE"]].append(row)
    names = Counter(
        name for name, _ in {(_name(row), row["PSC CODE"]) for rows in by_code.values() for row in rows}
    )
    for code, rows in sorted(by_code.items()):
        named = [row for row in rows if _name(row)]
        if not named:
            for _ in rows:
                tally.leave_out("a product or service code without a name", code)
            continue
        for _ in rows[1:]:
            tally.merge("an earlier or later entry of a code that has its leaf", code)
        tally.leaf()
        # A code in force has no end; of several, the last entry stands.
        newest = next((row for row in reversed(named) if not row["END DATE"]), named[-1])
        name = _name(newest)
        yield LeafFields(
            variable=f"psc.{code}",
            title=f"Federal contract spending on {name}" + (f" ({code})" if names[name] > 1 else ""),
            description=f"Obligations of federal contracts for product or service code {code}, {name}.",
            queries=[f"how much does the federal government spend on {name}", f"federal contracts for {name}"],
            tags=["united-states", "federal-spending", "services" if code[:1].isalpha() else "products"],
            resource=f"{HOME}search",
            status="deprecated" if newest["END DATE"] else "",
            terms={
                **MONEY,
                "populationType": "Federal contract",
                "measuredProperty": "obligations",
                "endpoint": "/api/v2/search/spending_over_time/",
                "constraints": [f"psc={code}"],
            },
        )


def _name(row: dict[str, str]) -> str:
    name = row["PRODUCT AND SERVICE CODE FULL NAME"] or row["PRODUCT AND SERVICE CODE NAME"]
    name = " ".join(name.split())
    words = name.lower() if name.upper() == name else plain_case(name)
    return words.replace("r&d- ", "R&D for ").replace("r&d", "R&D")


def _programs(data: Path, tally: Tally) -> Iterator[LeafFields]:
    seen: set[str] = set()
    for row in read_csv(data / PROGRAMS):
        tally.read()
        number, title = row["Program Number"], row["Program Title"]
        if number in seen:
            tally.merge("an assistance programme listed again", number)
            continue
        seen.add(number)
        tally.leaf()
        yield LeafFields(
            variable=f"cfda.{number}",
            title=f"{title} (assistance programme {number})",
            description=f"Obligations of the federal assistance programme {number}, {title}.",
            queries=[f"how much does the programme {title} spend", f"federal assistance for {lower_first(title)}"],
            tags=["united-states", "federal-spending", "assistance"],
            resource=f"{HOME}search",
            terms={
                **MONEY,
                "populationType": "Federal assistance",
                "measuredProperty": "obligations",
                "endpoint": "/api/v2/search/spending_by_category/cfda/",
                "constraints": [f"cfda={number}"],
            },
        )


def _agencies(data: Path, tally: Tally) -> Iterator[LeafFields]:
    for agency in read_json(data / AGENCIES)["results"]:
        tally.read()
        tally.leaf()
        code, full = agency["id"], agency["description"]
        name = _SHORT_NAME.sub("", full)
        yield LeafFields(
            variable=f"agency.{code}",
            title=sentence(f"budget and spending of the {name}"),
            description=f"Budgetary resources, obligations and outlays of the {full}, agency {code}.",
            queries=[f"budget of the {name}", f"how much does the {name} spend"],
            tags=["united-states", "federal-spending", "agency"],
            resource=f"{HOME}agency",
            aliases=[full.removeprefix(name).strip(" ()")],
            terms={
                **MONEY,
                "populationType": "Federal agency",
                "measuredProperty": "budgetary resources",
                "endpoint": f"/api/v2/agency/{code}/budgetary_resources/",
                "constraints": [f"agency={code}"],
            },
        )


def _access() -> AccessFields:
    return AccessFields(
        source=SOURCE,
        publisher="USAspending.gov",
        domain="usaspending.gov",
        licence="public domain",
        title="USAspending API, version 2",
        description="How federal awards and agencies' accounts are asked for: by place, recipient, agency, code.",
        resource="https://api.usaspending.gov",
        scope="federal agencies, awards and their recipients",
        key_type=["uei", "agency code", "fips", "psc", "naics", "cfda"],
        grain=["award", "recipient", "agency", "state", "county", "congressional district"],
        frequency="fiscal years and months",
        coverage="awards since fiscal year 2008, agencies' accounts since 2017",
        completeness="Obligations may be negative where money was taken back; some recipients are redacted.",
        vintage="FY2025",
        tags=["united-states"],
        operations=[
            Operation("entity_value", "POST /api/v2/search/spending_by_category/recipient/", "filters in the body"),
            Operation("all_entities_value", "POST /api/v2/search/spending_by_geography/", "a level of places"),
            Operation("entity_series", "POST /api/v2/search/spending_over_time/", "filters in the body"),
            Operation("list_members", "POST /api/v2/search/spending_by_award/", "filters in the body, paged"),
        ],
        notes=["the code of a product is at least four characters; shorter ones are groups of codes"],
    )
