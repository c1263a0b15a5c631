"""Leaves for the US Treasury's Fiscal Data: one per data set, per table of its API, and per field of figures."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from finder_index.generators.catalog_files import read_json
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
from finder_index.generators.treasury_wording import PLAINLY
from finder_index.generators.words import plain_case, slug

SOURCE = "treasury"
FILES = ("treasury/datasets_static_metadata.json", "treasury/datasets_with_api_fields.json.gz")
HOME = "https://fiscaldata.treasury.gov/datasets"
_FIGURE = re.compile(r"_(amt|bal|rate|qty|nbr_sold|cnt|value|pct|amount|total)(_|$)|^(tot|sum|exchange_rate)")
_NO_FIGURE = re.compile(r"date|_nbr$|_desc$|_catg$|type|year|month|day|id$|_cd$|name", re.IGNORECASE)
_MONEY = re.compile(r"amt|bal|debt|receipt|outlay|deficit|interest_expense|amount")
_SHORT = {
    "amt": "amount", "bal": "balance", "tot": "total", "pct": "percent", "mtd": "month to date", "fytd":
    "fiscal year to date", "intragov": "intragovernmental", "qty": "quantity", "cnt": "count", "cur": "current",
    "prior": "prior", "gov": "government", "int": "interest", "sec": "security", "mil": "million", "bil": "billion",
    "curr": "current", "fy": "fiscal year", "est": "estimate", "rcpt": "receipt", "outly": "outlay", "nbr":
    "number",
    "avg": "average", "outstand": "outstanding", "out": "outstanding",
    "fed": "federal", "pub": "public", "acct": "account",
}  # fmt: skip


def generate(data: Path, tally: Tally) -> Iterator[tuple[str, str]]:
    """``(path, text)`` of the access document and every leaf."""
    yield f"sources/{SOURCE}/_access.md", access_text(_access())
    described = read_json(data / FILES[1])["datasets"]
    seen: set[str] = set()
    for identifier, dataset in read_json(data / FILES[0]).items():
        tally.read()
        tally.leaf()
        leaf = _dataset_leaf(identifier, dataset)
        seen.add(leaf.variable)
        yield f"sources/{SOURCE}/{file_name(leaf.variable)}", leaf_text(leaf)
    for dataset in described:
        for api in dataset.get("apis") or ():
            tally.read()
            leaf = _table_leaf(dataset, api)
            if leaf.variable in seen:
                tally.merge("a table of the API listed again under another name", api["tableName"])
            else:
                seen.add(leaf.variable)
                tally.leaf()
                yield f"sources/{SOURCE}/{file_name(leaf.variable)}", leaf_text(leaf)
            for field in api["fields"] or ():
                tally.read()
                column = field["columnName"]
                field_leaf = _field_leaf(dataset, api, field)
                if not _is_figure(field):
                    tally.leave_out("a date, code or name among a table's fields, not a figure", column)
                elif field_leaf.variable in seen:
                    tally.merge("a field of a table listed again", column)
                else:
                    seen.add(field_leaf.variable)
                    tally.leaf()
                    yield f"sources/{SOURCE}/{file_name(field_leaf.variable)}", leaf_text(field_leaf)


def _dataset_leaf(identifier: str, dataset: Mapping[str, Any]) -> LeafFields:
    slug_name = dataset["slug"].strip("/")
    title = dataset["seoConfig"].get("pageTitle") or slug_name.replace("-", " ")
    words = plain_case(title).removeprefix("U.S. ")
    topics = dataset.get("topics") or []
    keywords = [word.strip() for word in (dataset["seoConfig"].get("keywords") or "").split(",") if word.strip()]
    return LeafFields(
        variable=slug_name,
        type="Dataset",
        title=title,
        description=f"Data set of the US Treasury on {', '.join(topics).replace('-', ' ') or 'federal finance'}.",
        queries=[
            words,
            *PLAINLY.get(slug_name, ()),
            f"{words} of the US government",
            f"US Treasury data on {words}",
        ],
        tags=["united-states", *topics],
        resource=f"{HOME}/{slug_name}/",
        aliases=keywords[:8],
        terms={"populationType": "US government", "dataset": identifier, "topics": topics},
    )


def _table_leaf(dataset: Mapping[str, Any], api: Mapping[str, Any]) -> LeafFields:
    words = plain_case(api["tableName"])
    specs = dataset["techSpecs"]
    terms: dict[str, TermValue] = {
        "populationType": "US government",
        "dataset": dataset["slug"].strip("/"),
        "endpoint": api["endpoint"],
        "dateField": api.get("dateField") or "",
        "fields": [field["columnName"] for field in api["fields"] or ()],
        "firstDate": _iso(specs["earliestDate"]),
        "frequency": specs["updateFrequency"].removeprefix("Updated ").lower(),
        "vintage": _iso(specs["lastUpdated"]),
    }
    return LeafFields(
        variable=api["endpoint"].replace("/", "."),
        title=f"{api['tableName']} ({dataset['name']})" if api["tableName"] != dataset["name"] else dataset["name"],
        description=f"Table of the US Treasury's {dataset['name']}, from {_iso(specs['earliestDate'])[:4]}.",
        queries=[words, *_plainly(dataset), f"US Treasury table of {words}"],
        tags=["united-states", slug(dataset["name"])],
        resource=f"{HOME}/{dataset['slug'].strip('/')}/",
        terms=terms,
    )


def _field_leaf(dataset: Mapping[str, Any], api: Mapping[str, Any], field: Mapping[str, Any]) -> LeafFields:
    column = field["columnName"]
    words = plain_case(field["prettyName"]) if field["prettyName"] else _column_words(column)
    table = plain_case(api["tableName"])
    money = bool(_MONEY.search(column)) and not column.endswith(("_pct", "_rate"))
    percent = "rate" in column.split("_") and "exchange" not in column
    return LeafFields(
        variable=f"{api['endpoint'].replace('/', '.')}.{column}",
        title=f"{words[:1].upper()}{words[1:]} ({api['tableName']})",
        description=f"Field {column} of the US Treasury's table {api['tableName']}.",
        queries=[f"what is the {words} of the US government", f"{words} in {table}"],
        tags=["united-states", slug(dataset["name"])],
        resource=f"{HOME}/{dataset['slug'].strip('/')}/",
        terms={
            "populationType": "US government",
            "measuredProperty": words,
            "statType": "value",
            "endpoint": api["endpoint"],
            "field": column,
            "unit": "USD" if money else "%" if percent else "",
            "unitKind": "currency" if money else "percent" if percent else "",
            "frequency": dataset["techSpecs"]["updateFrequency"].removeprefix("Updated ").lower(),
        },
    )


def _plainly(dataset: Mapping[str, Any]) -> tuple[str, ...]:
    """What people call a data set of a single table; with several, each has a name of its own."""
    return PLAINLY.get(dataset["slug"].strip("/"), ()) if len(dataset.get("apis") or ()) == 1 else ()


def _is_figure(field: Mapping[str, Any]) -> bool:
    if field["dataType"]:
        return field["dataType"] in {"NUMBER", "CURRENCY", "PERCENTAGE"}
    column = field["columnName"]
    return bool(_FIGURE.search(column)) and not _NO_FIGURE.search(column)


def _column_words(column: str) -> str:
    return " ".join(_SHORT.get(part, part) for part in column.split("_"))


def _iso(date: str) -> str:
    month, day, year = date.split("/")
    return f"{year}-{month}-{day}"


def _access() -> AccessFields:
    request = "/v2/accounting/od/debt_to_penny?fields=record_date,tot_pub_debt_out_amt"
    return AccessFields(
        source=SOURCE,
        publisher="US Department of the Treasury",
        domain="fiscaldata.treasury.gov",
        licence="public domain",
        title="Fiscal Data API",
        description="How tables of federal finance are asked for: by date, by field, filtered and sorted.",
        resource="https://api.fiscaldata.treasury.gov/services/api/fiscal_service",
        scope="the government of the United States",
        key_type="none",
        grain=["nation"],
        frequency="daily, monthly, quarterly or yearly, as the table says",
        coverage="federal debt, revenue, spending, interest and exchange rates",
        completeness="A table has rows only for the dates it was reported; a missing figure is the text null.",
        vintage="2026-08",
        tags=["united-states"],
        operations=[
            Operation("entity_value", f"{request}&filter=record_date:eq:2024-09-30", "a date"),
            Operation("entity_series", f"{request}&sort=record_date&page[size]=10000", "a span of dates"),
            Operation("latest_value", f"{request}&sort=-record_date&page[size]=1", "none"),
        ],
        notes=["every cell is text", "field names of older descriptions may have been renamed since"],
    )
