"""The API's lists in wire form: countries, regions, income levels, lending types, topics, sources, languages."""

from __future__ import annotations

import json
from functools import lru_cache
from typing import Any

from plugins.worldbank.snapshot.figures import DATA

WireRow = dict[str, Any]


@lru_cache(maxsize=16)
def wire_rows(name: str) -> tuple[WireRow, ...]:
    """The rows of one list (``countries``, ``regions``, ...), in the publisher's order."""
    lines = (DATA / f"{name}.ndjson").read_text(encoding="utf-8").splitlines()
    return tuple(json.loads(line) for line in lines)


@lru_cache(maxsize=1)
def country_by_code() -> dict[str, WireRow]:
    """Countries and groups by upper-case ISO3 (or group) code and by two-letter code."""
    by_code = {row["iso2Code"]: row for row in wire_rows("countries")}
    return by_code | {row["id"]: row for row in wire_rows("countries")}


@lru_cache(maxsize=1)
def database_entities() -> tuple[WireRow, ...]:
    """The entities that the World Development Indicators answer for: groups by name, then countries by name."""
    codes = (DATA / "wdi_entities.txt").read_text(encoding="utf-8").split()
    rows = [country_by_code()[code] for code in codes]
    return tuple(sorted(rows, key=in_database_order))


def in_database_order(row: WireRow) -> tuple[bool, str]:
    """Sort key: groups before countries, each by name."""
    return (not is_aggregate(row), row["name"])


def is_aggregate(row: WireRow) -> bool:
    """Whether an entity is a group (a region, an income class, the world) rather than a country."""
    return bool(row["region"]["value"] == "Aggregates")


@lru_cache(maxsize=1)
def topic_names() -> dict[str, str]:
    """Topic names by id."""
    return {row["id"]: row["value"].strip() for row in wire_rows("topics")}


@lru_cache(maxsize=1)
def source_names() -> dict[str, str]:
    """Database names by id."""
    return {row["id"]: row["name"] for row in wire_rows("sources")}
