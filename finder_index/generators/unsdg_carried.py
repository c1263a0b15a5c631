"""Leaves for the UN's SDG series whose figures are carried, and for the parts of them that people ask about.

A series has a leaf for its total, or for what it is about, and one for each sex, for town and country and for the
few other parts that are asked for. A series without a total over the sexes has only the leaves of each.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from finder_index.generators.okf_text import document_text, write_documents
from finder_index.generators.unsdg_words import PARTS, UNITS
from finder_index.generators.wording_tables import WORDING, Wording, read_wording

SOURCE = "unsdg"
DATA = Path(__file__).parent / "data" / "unsdg_carried.tsv"
TABLE = WORDING / "unsdg.tsv"
PAGE = "https://unstats.un.org/sdgs/dataportal/database?series="
VINTAGE = "2020-10-19"
MAX_QUERIES = 8

_TRAILING_UNIT = re.compile(r"\s*\((?:[^()]|\([^()]*\))*\)\s*$")
_SPLIT = re.compile(r",? by (?:sex and age|sex and type of skill|sex|age|urban/rural|location|type of skill)\b")
_PREFIX = re.compile(r"^\[[^\]]+\]\s*")


WITHOUT_TOTAL = frozenset({"SE_ADT_ACTS", "SE_TOT_PRFL"})
"""Series that have a leaf although they have no total: it names the leaves of their parts."""
MULTIPLIED = frozenset({"NUM_M", "HA_TH", "TONNES_M"})


@dataclass(frozen=True, slots=True)
class Carried:
    """One leaf to write: a series and the part of it, with what the figures cover. ``variable`` is its own id."""

    variable: str
    series: str
    slice: str
    description: str
    goals: tuple[str, ...]
    targets: tuple[str, ...]
    indicators: tuple[str, ...]
    unit: str
    first: str
    last: str
    countries: int
    groups: int


def read_carried(path: Path = DATA) -> list[Carried]:
    """The leaves to write."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]

    def codes(cell: str) -> tuple[str, ...]:
        return tuple(dict.fromkeys(cell.split(",")))

    return [
        Carried(
            variable=row[0],
            series=row[1],
            slice=row[2],
            description=row[3],
            goals=codes(row[4]),
            targets=codes(row[5]),
            indicators=codes(row[6]),
            unit=row[7],
            first=row[8],
            last=row[9],
            countries=int(row[10]),
            groups=int(row[11]),
        )
        for row in rows
    ]


def generate() -> dict[str, str]:
    """File name to text for every leaf and the source's access document.

    Raises ``ValueError`` when a carried series has no wording or wording names a series that is not carried.
    """
    worded, carried = read_wording(TABLE), read_carried()
    if odd := sorted({one.series.upper() for one in carried} ^ set(worded)):
        raise ValueError(f"wording and carried series do not match: {', '.join(odd)}")
    parts: dict[str, list[str]] = {}
    for one in carried:
        if one.slice and one.series in WITHOUT_TOTAL:
            parts.setdefault(one.series, []).append(one.variable)
    leaves = {
        f"{one.variable}.md": _leaf(one, worded[one.series.upper()], parts.get(one.variable, [])) for one in carried
    }
    return {"_access.md": _access(len(worded)), "sdg_framework.md": _framework(), **leaves}


def write(sources: Path) -> list[Path]:
    """Write the leaves under ``sources``; returns the files that changed."""
    return write_documents(sources / SOURCE, generate())


def title_of(one: Carried) -> str:
    """The published title without "by sex": the part that is meant, and the unit last."""
    whole = _SPLIT.sub("", _PREFIX.sub("", " ".join(one.description.split())))
    unit = _TRAILING_UNIT.search(whole)
    bare = whole[: unit.start()] if unit else whole
    parts = [PARTS[part].name for part in one.slice.split(";") if part]
    said = unit[0].strip() if unit else ""
    if one.unit in MULTIPLIED:
        # Figures are given in plain units, whatever they are published in.
        said = f"({UNITS[one.unit].label})"
    return ", ".join([bare, *parts]) + (f" {said}" if said else "")


def _phrases(one: Carried, wording: Wording) -> list[str]:
    phrases = list(wording.phrases)
    for part in filter(None, one.slice.split(";")):
        phrases = [form.format(phrase) for phrase in phrases for form in PARTS[part].phrases]
    # Every leaf has its own title as a phrase, and its indicator's number before the plainest one.
    title = _TRAILING_UNIT.sub("", title_of(one))
    phrases += [title[0].lower() + title[1:], f"SDG indicator {one.indicators[0]}: {phrases[0]}"]
    return list(dict.fromkeys(phrases))[:MAX_QUERIES]


def _leaf(one: Carried, wording: Wording, parts: list[str]) -> str:
    title, unit = title_of(one), UNITS[one.unit]
    quantity = _TRAILING_UNIT.sub("", title)
    constraints = [PARTS[part].constraint for part in one.slice.split(";") if part]
    who = f"{one.countries} countries and territories"
    if one.groups:
        who += f" and {one.groups} groups of countries"
    indicators = ", ".join(one.indicators)
    span = one.first if one.first == one.last else f"{one.first} to {one.last}"
    front: dict[str, str | int | list[str] | list[dict[str, str]]] = {
        "type": "Statistical Table",
        "title": title,
        "description": f"{quantity}, in {unit.label}. SDG indicator {indicators}. "
        f"One figure a year for {who}, {span}.",
        "resource": PAGE + one.series,
        "tags": ["country", "sdg", *(f"sdg-goal-{goal}" for goal in one.goals)],
        "representativeQueries": _phrases(one, wording),
        "okf:variable": one.variable,
        "okf:aliases": [] if one.slice else list(wording.aliases),
        "okf:series": one.series,
        "okf:slice": one.slice,
        "okf:parts": parts,
        "okf:publishedAs": " ".join(one.description.split()),
        "okf:unit": unit.code,
        "okf:unitCode": one.unit,
        "okf:unitLabel": unit.label,
        "okf:unitKind": unit.kind,
        "okf:per": unit.per,
        "okf:populationType": "Country",
        "okf:measuredProperty": quantity,
        "okf:statType": unit.statistic,
        "okf:constraints": constraints,
        "okf:goals": list(one.goals),
        "okf:targets": list(one.targets),
        "okf:indicators": list(one.indicators),
        "okf:firstYear": one.first,
        "okf:lastYear": one.last,
        "okf:latest": one.last,
        "okf:places": str(one.countries),
        "okf:groups": str(one.groups),
        "okf:vintage": VINTAGE,
        "sources": [
            {
                "id": "unsdg",
                "resource": PAGE + one.series,
                "title": "Global SDG Indicators Database",
                "last_modified": VINTAGE,
            }
        ],
    }
    body = "\n".join(
        [
            "# Schema",
            "",
            "| Field | Meaning |",
            "|---|---|",
            "| `geoAreaCode` | the country or group of countries, M49 without leading zeros |",
            "| `timePeriodStart` | the calendar year |",
            f"| `value` | {quantity}, in {unit.label}; a text, which may be a bound (`<5`) or no number |",
            f"| `dimensions` | {one.slice or ('no total: one of the parts' if parts else 'the total of each')} |",
            "| `attributes` | nature of the figure and unit |",
            "",
            "How to ask for it: [access](_access.md).[^unsdg]",
            "",
            "[^unsdg]: Global SDG Indicators Database",
        ]
    )
    return document_text(front, body)


def _framework() -> str:
    front: dict[str, str | int | list[str] | list[dict[str, str]]] = {
        "type": "Fact Table",
        "title": "Targets, indicators and series of the Sustainable Development Goals",
        "description": "Which targets belong to a goal, indicators to a target and series to an indicator.",
        "resource": "https://unstats.un.org/sdgs/metadata/",
        "tags": ["facts", "sdg"],
        "representativeQueries": [
            "targets of goal",
            "indicators of goal",
            "indicators of target",
            "series of indicator",
            "series of target",
            "series of goal",
            "list of SDG targets",
            "list of SDG indicators",
        ],
        "okf:variable": "sdg_framework",
        "okf:aliases": ["SDG targets", "SDG indicators", "data series of indicator"],
        "okf:unit": "none",
        "okf:unitKind": "none",
        "okf:populationType": "Goal",
        "okf:measuredProperty": "targets, indicators and series",
        "okf:statType": "set",
    }
    return document_text(front, "How to ask for it: [access](_access.md).")


def _access(series: int) -> str:
    front: dict[str, str | int | list[str] | list[dict[str, str]]] = {
        "type": "API Endpoint",
        "title": "UN SDG API, version 1",
        "description": "How series of the Sustainable Development Goals are asked for: by area, year, dimension.",
        "resource": "https://unstats.un.org/SDGAPI/v1/sdg/",
        "tags": ["api", "country", "sdg"],
        "okf:source": SOURCE,
        "okf:publisher": "United Nations Statistics Division",
        "okf:publisherDomain": "un.org",
        "okf:licence": "free to use with the source named",
        "okf:scope": "countries and groups of countries",
        "okf:keyType": "m49",
        "okf:grain": ["country", "country group"],
        "okf:frequency": "yearly",
        "okf:completeness": "Many series have figures of some years only; totals and parts stand side by side.",
        "okf:operations": ["entity_value", "entities_value", "all_entities_value", "entity_series"],
    }
    body = f"""# Operations

| Operation | Request | Key |
|---|---|---|
| `entity_value` | `/Series/Data?seriesCode=SI_POV_DAY1&areaCode=356&timePeriod=2011` | one M49 code |
| `entities_value` | `/Series/Data?seriesCode=SI_POV_DAY1&areaCode=356&areaCode=156&timePeriod=2011` | M49 codes |
| `all_entities_value` | `/Series/Data?seriesCode=SI_POV_DAY1&timePeriod=2011` | countries and groups |
| `entity_series` | `/Series/Data?seriesCode=SI_POV_DAY1&areaCode=356` | one code, all years |

# Coverage

- {series} series, recorded in October 2020
- a figure tells its nature: country data, estimated, modelled, or global monitoring data
- codes of areas have no leading zeros; values are texts
- answers are paged: `pageSize`, `page`, `totalElements`, `totalPages`
"""
    return document_text(front, body)
