"""Leaves for the UN's database of the Sustainable Development Goals: one per series."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

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
from finder_index.generators.titles import read_title
from finder_index.generators.words import lower_first, slug

SOURCE = "unsdg"
SERIES = "unsdg/Series_List_2022Q2.json.gz"
OLDER = "unsdg/series_concepts_2020.csv.gz"
GOALS = "unsdg/Goal_List_2022Q2.json"
VALUES = "unsdg/values_2020.csv.gz"
FILES = (SERIES, OLDER, GOALS, VALUES)

_UNIT = re.compile(r"\s*\(([^()]*(?:\([^()]*\)[^()]*)*)\)\s*$")
_NUMBERED = re.compile(r"^\([SN]\.\d[^)]*\)\s*")
_SPLIT = re.compile(r",? by (?P<dimensions>[a-z][^():;]*?)(?=\s*\(|$)")


@dataclass(slots=True)
class _Carried:
    years: set[int] = field(default_factory=set)
    areas: set[str] = field(default_factory=set)
    dimensions: set[str] = field(default_factory=set)
    values: int = 0


def generate(data: Path, tally: Tally) -> Iterator[tuple[str, str]]:
    """``(path, text)`` of the access document and every leaf."""
    goals = {goal["code"]: goal["title"] for goal in read_json(data / GOALS)}
    carried = _carried(data)
    series = {row["code"]: row for row in read_json(data / SERIES)}
    yield f"sources/{SOURCE}/_access.md", access_text(_access())
    for row in series.values():
        tally.read()
        tally.leaf()
        yield _document(row, "2022.Q2", goals, carried)
    for older in read_csv(data / OLDER):
        tally.read()
        code = older["name"]
        if code in series:
            tally.merge("a series of the older list that the newer one has", code)
            continue
        tally.leaf()
        row = {
            "code": code,
            "description": older["description"],
            **{name: [part.strip() for part in older[name].split(",")] for name in ("goal", "target", "indicator")},
        }
        yield _document(row, "2020", goals, carried)


def _document(
    row: Mapping[str, Any], release: str, goals: Mapping[str, str], carried: Mapping[str, _Carried]
) -> tuple[str, str]:
    leaf = _leaf(row, release, goals, carried.get(row["code"].upper()))
    return f"sources/{SOURCE}/{file_name(leaf.variable)}", leaf_text(leaf)


def _carried(data: Path) -> dict[str, _Carried]:
    """What the recorded figures hold of each series."""
    found: dict[str, _Carried] = defaultdict(_Carried)
    for row in read_csv(data / VALUES):
        entry = found[row["series"].upper()]
        entry.years.add(int(row["year"]))
        entry.areas.add(row["geo_area"])
        entry.values += 1
        entry.dimensions.update(part.partition("=")[0] for part in row["dimensions"].split(";") if part)
    return found


def _leaf(row: Mapping[str, Any], release: str, goals: Mapping[str, str], carried: _Carried | None) -> LeafFields:
    code, title = row["code"], " ".join(row["description"].split())
    bare = _NUMBERED.sub("", title)
    quantity = _UNIT.sub("", bare)
    asked = lower_first(_SPLIT.sub("", quantity).rstrip(", "))
    indicators = sorted(set(row["indicator"]))
    names = [goals[goal] for goal in dict.fromkeys(row["goal"]) if goal in goals]
    terms: dict[str, TermValue] = {
        "populationType": "Country",
        "measuredProperty": quantity,
        "goals": sorted(set(row["goal"])),
        "targets": sorted(set(row["target"])),
        "indicators": indicators,
        "release": release,
        **_unit_terms(bare),
    }
    if match := _SPLIT.search(quantity):
        parts = re.split(r",| and ", match["dimensions"])
        terms["dimensions"] = [part.strip() for part in parts if part.strip()]
    if carried:
        terms |= {
            "firstYear": str(min(carried.years)),
            "lastYear": str(max(carried.years)),
            "latest": str(max(carried.years)),
            "places": str(len(carried.areas)),
            "dimensionCodes": sorted(carried.dimensions),
        }
    about = f"{quantity}. Sustainable Development Goal indicator {', '.join(indicators)}"
    return LeafFields(
        variable=code,
        title=title,
        description=f"{about}; goal {', '.join(sorted(set(row['goal'])))}.",
        queries=[f"what is the {asked}", f"SDG indicator {indicators[0]}: {asked}", f"{asked} by country"],
        tags=["country", "sdg", *(f"sdg-goal-{goal}" for goal in sorted(set(row["goal"]))), *map(slug, names)],
        resource=f"https://unstats.un.org/sdgs/dataportal/database?series={code}",
        aliases=[code.replace("_", " ")],
        terms=terms,
    )


def _unit_terms(title: str) -> dict[str, TermValue]:
    """The unit that the title names in brackets, where the rules of titles know it."""
    try:
        unit = read_title("", title).unit
    except ValueError:
        match = _UNIT.search(title)
        return {"unitLabel": match[1]} if match else {}
    return {
        "unit": unit.code,
        "unitLabel": unit.label,
        "unitKind": unit.kind.value,
        "statType": unit.statistic,
        "per": unit.per,
        "priceBasis": unit.price_basis,
    }


def _access() -> AccessFields:
    return AccessFields(
        source=SOURCE,
        publisher="United Nations Statistics Division",
        domain="unstats.un.org",
        licence="free to use with the source named",
        title="UN SDG API, version 1",
        description="How series of the Sustainable Development Goals are asked for: by area, year, dimension.",
        resource="https://unstats.un.org/sdgapi/v1/sdg/",
        scope="countries and regions of the world",
        key_type="m49",
        grain=["country", "region", "world"],
        frequency="yearly",
        coverage="series of the 17 goals, releases of 2020 and 2022",
        completeness="A figure tells its nature: country data, estimated, modelled, or global monitoring.",
        vintage="2022.Q2",
        tags=["country", "sdg"],
        operations=[
            Operation(
                "entity_value", "/Series/Data?seriesCode=SI_POV_DAY1&areaCode=356&timePeriod=2019", "M49 code"
            ),
            Operation(
                "entities_value", "/Series/Data?seriesCode=SI_POV_DAY1&areaCode=356&areaCode=156", "M49 codes"
            ),
            Operation("all_entities_value", "/Series/Data?seriesCode=SI_POV_DAY1&pageSize=1000&page=1", "none"),
            Operation(
                "entity_series", "/Series/Data?seriesCode=SI_POV_DAY1&areaCode=356&pageSize=1000", "M49 code"
            ),
        ],
        notes=[
            "a total and its breakdowns stand side by side: a query names every dimension",
            "answers are paged by pageSize and page",
        ],
    )
