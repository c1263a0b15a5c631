"""Leaves for the Census Bureau's variables whose figures are carried, so that no network is needed to answer.

The catalog of all variables has a generator of its own (``census_tables``); these say more of fewer: the unit, the
data set, the names that a line has in each vintage, and the areas that the recorded figures have.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from finder_index.generators.okf_text import document_text, write_documents
from finder_index.generators.wording_tables import WORDING

SOURCE = "census"
DATA = Path(__file__).parent / "data" / "census_carried.tsv"
TABLE = WORDING / "census_carried.tsv"
VINTAGE = "2025-11-07"
TABLES = {
    "acs/acs5": "ACSDT5Y2023",
    "acs/acs5/subject": "ACSST5Y2023",
    "acs/acs5/profile": "ACSDP5Y2023",
    "dec/pl": "DECENNIALPL2020",
    "cbp": "CBP2022",
    "abscs": "ABSCS2022",
    "ecnbasic": "ECNBASIC2022",
}
SAIPE = "https://www.census.gov/programs-surveys/saipe.html"
PROGRAMS = {
    "acs5": "American Community Survey, 5-year and 1-year estimates",
    "pl": "Decennial Census of 2020",
    "saipe": "Small Area Income and Poverty Estimates",
    "cbp": "County Business Patterns, by industry",
    "abs": "Annual Business Survey, by industry",
    "ecn": "Economic Census of 2017 and 2022, by industry",
}
UNRECORDED = frozenset({"cbp", "abs", "ecn"})
"""Programs that only the live service answers for."""
LEVELS = {
    "us": "the nation",
    "state": "states",
    "county": "counties",
    "place": "places",
    "tract": "census tracts",
    "county_subdivision": "county subdivisions",
    "congressional_district": "congressional districts",
    "block_group": "block groups",
}

Coverage = Mapping[str, Mapping[str, int]]
"""By level, how many areas have a figure in each vintage."""


@dataclass(frozen=True, slots=True)
class Worded:
    """What a variable measures, where it is, and how people ask for it."""

    variable: str
    program: str
    dataset: str
    names: str
    title: str
    unit: str
    unit_label: str
    unit_kind: str
    per: str
    universe: str
    statistic: str
    constraints: str
    phrases: tuple[str, ...]
    aliases: tuple[str, ...]


FIELDS = tuple(name for name in Worded.__slots__ if name not in {"phrases", "aliases"})


def read_worded(path: Path = TABLE) -> list[Worded]:
    """The hand-written wording; raises ``ValueError`` for a row of another width."""
    found = []
    header, *lines = path.read_text(encoding="utf-8").splitlines()
    width = len(header.split("\t"))
    for number, line in enumerate(lines, start=2):
        cells = line.split("\t")
        if len(cells) != width:
            raise ValueError(f"{path.name}:{number}: {len(cells)} cells, expected {width}")
        plain = dict(zip(FIELDS, cells, strict=False))
        found.append(Worded(**plain, phrases=_split(cells[-2]), aliases=_split(cells[-1])))
    return found


def _split(cell: str) -> tuple[str, ...]:
    return tuple(part for part in cell.split("|") if part)


def read_coverage(path: Path = DATA) -> dict[str, Coverage]:
    """What is recorded of each variable."""
    found: dict[str, Coverage] = {}
    for line in path.read_text(encoding="utf-8").splitlines()[1:]:
        variable, _, rest = line.partition("\t")
        levels: dict[str, dict[str, int]] = {}
        for part in rest.split():
            where, _, years = part.partition(":")
            level = levels.setdefault(where.partition("/")[2], {})
            for one in years.split(","):
                year, _, count = one.partition("=")
                level[year] = max(level.get(year, 0), int(count))
        found[variable] = levels
    return found


def generate() -> dict[str, str]:
    """File name to text for every leaf and the source's access document.

    Raises ``ValueError`` when wording names a variable of a recorded program of which nothing is recorded.
    """
    coverage, worded = read_coverage(), read_worded()
    documents = {}
    for words in worded:
        known = [name for name in (words.variable, *_names(words.names)) if name in coverage]
        if not known and words.program not in UNRECORDED:
            raise ValueError(f"{words.variable} has wording and no recorded figure")
        levels: dict[str, dict[str, int]] = {}
        for name in known:
            for level, years in coverage[name].items():
                levels.setdefault(level, {}).update(years)
        documents[f"{words.variable}.md"] = _leaf(words, levels)
    return {"_access.md": _access(len(worded)), **documents}


def write(sources: Path) -> list[Path]:
    """Write the leaves under ``sources``; returns the files that changed."""
    return write_documents(sources / SOURCE, generate())


def _names(text: str) -> list[str]:
    return [part.partition("=")[2] for part in text.split(";") if part]


def _covered(levels: Coverage) -> list[str]:
    return [
        f"{LEVELS[level]} ({', '.join(sorted(years))})" if level == "us" else
        f"{max(years.values()):,} {LEVELS[level]} ({', '.join(sorted(years))})"
        for level, years in sorted(levels.items(), key=lambda item: list(LEVELS).index(item[0]))
        if level in LEVELS
    ]  # fmt: skip


def _leaf(words: Worded, levels: Coverage) -> str:
    table = words.variable.partition("_")[0]
    resource = (
        f"https://data.census.gov/table/{TABLES[words.dataset]}.{table}" if words.dataset in TABLES else SAIPE
    )
    years = sorted({year for one in levels.values() for year in one})
    whom = ", ".join(_covered(levels)) or "none; the live service has them"
    front: dict[str, str | int | list[str] | list[dict[str, str]]] = {
        "type": "Statistical Variable",
        "title": words.title,
        "description": f"{words.title}, in {words.unit_label}. {words.universe}. {PROGRAMS[words.program]}.",
        "resource": resource,
        "tags": ["place", "united-states", *sorted(level for level in levels if level in LEVELS)],
        "representativeQueries": list(words.phrases[:8]),
        "okf:variable": words.variable,
        "okf:aliases": list(words.aliases),
        "okf:program": words.program,
        "okf:dataset": words.dataset,
        "okf:namesByVintage": words.names,
        "okf:unit": words.unit,
        "okf:unitLabel": words.unit_label,
        "okf:unitKind": words.unit_kind,
        "okf:per": words.per,
        "okf:priceBasis": "current" if words.unit_kind == "currency" else "",
        "okf:populationType": words.universe,
        "okf:measuredProperty": words.title,
        "okf:statType": words.statistic,
        "okf:constraints": words.constraints,
        "okf:firstYear": years[0] if years else "",
        "okf:latest": years[-1] if years else "",
        "sources": [{"id": "census", "resource": resource, "title": "US Census Bureau", "last_modified": VINTAGE}],
    }
    body = "\n".join(
        [
            "# Schema",
            "",
            "| Field | Meaning |",
            "|---|---|",
            "| `area` | the area's FIPS codes, one column a level |",
            "| `vintage` | the year of publication's last year of data |",
            f"| `{words.variable}` | {words.title}, in {words.unit_label} |",
            "",
            "# Coverage",
            "",
            f"- In the recorded figures: {whom}",
            "",
            "How to ask for it: [access](_access.md).[^census]",
            "",
            "[^census]: US Census Bureau",
        ]
    )
    return document_text(front, body)


def _access(count: int) -> str:
    front: dict[str, str | int | list[str] | list[dict[str, str]]] = {
        "type": "API Endpoint",
        "title": "Census Data API",
        "description": "How tables of the American Community Survey and the decennial census are asked for.",
        "resource": "https://api.census.gov/data",
        "tags": ["api", "place", "united-states"],
        "okf:source": SOURCE,
        "okf:publisher": "US Census Bureau",
        "okf:publisherDomain": "census.gov",
        "okf:licence": "public domain",
        "okf:scope": "places in the United States",
        "okf:keyType": "fips",
        "okf:grain": ["country", "state", "county", "place", "tract"],
        "okf:frequency": "a vintage a year; the decennial census every ten years",
        "okf:completeness": "Small or suppressed areas answer with negative marker values, which are no figures.",
        "okf:operations": [
            "entity_value",
            "entities_value",
            "contained_value",
            "all_entities_value",
            "entity_series",
        ],
    }
    body = f"""# Operations

| Operation | Request | Key |
|---|---|---|
| `entity_value` | `/data/2023/acs/acs5?get=NAME,B19013_001E&for=county:201&in=state:48` | FIPS codes of one area |
| `entities_value` | `...&for=county:201,113&in=state:48` | FIPS codes of one level |
| `contained_value` | `...&for=county:*&in=state:48` | a level inside an area |
| `all_entities_value` | `...&for=county:*` | a level |
| `entity_series` | `...&for=state:48`, one request a vintage | FIPS codes of one area |

# Coverage

- {count} variables in the recorded figures; the live service has all tables
- the first row of an answer names its columns; every cell is text
- an unknown variable or geography is a 400 in plain text; no data is a 204; a key is wanted
- the margin of error stands beside each estimate (`_001M` beside `_001E`), annotations in `EA` and `MA`
"""
    return document_text(front, body)
