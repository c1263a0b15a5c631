"""Leaves for Data Commons' variables whose figures are carried, so that they can be answered without a network.

The catalog of all variables has a generator of its own (``datacommons``); these say more of fewer: the unit, the
places and the years that the recorded figures have.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from finder_index.generators.okf_text import document_text, write_documents
from finder_index.generators.wording_tables import WORDING

SOURCE = "datacommons"
DATA = Path(__file__).parent / "data" / "datacommons_carried.tsv"
TABLE = WORDING / "datacommons_carried.tsv"
PAGE = "https://datacommons.org/tools/statvar#sv="
VINTAGE = "2026-08-21"
KINDS = (("country", "countries"), ("state", "US states"), ("county", "US counties"), ("city", "cities"))

_AGE = re.compile(r"Count_Person_(?:(?P<low>\d+)To(?P<high>\d+)|(?P<from>\d+)OrMore|Upto(?P<under>\d+))Years")


@dataclass(frozen=True, slots=True)
class Carried:
    """One line of the table of carried variables: places by kind, years, the imports they come from."""

    variable: str
    places: tuple[int, ...]
    first: str
    last: str
    imports: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Worded:
    """What a variable measures and how people ask for it."""

    title: str
    unit: str
    unit_label: str
    unit_kind: str
    population: str
    property: str
    statistic: str
    constraints: tuple[str, ...]
    phrases: tuple[str, ...]
    aliases: tuple[str, ...] = ()


def read_carried(path: Path = DATA) -> list[Carried]:
    """The carried variables."""
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()[1:]]
    return [Carried(row[0], tuple(map(int, row[1:5])), row[5], row[6], tuple(row[7].split(","))) for row in rows]


def read_worded(path: Path = TABLE) -> dict[str, Worded]:
    """The hand-written wording by variable; raises ``ValueError`` for a row of another width."""
    found = {}
    header, *lines = path.read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines, start=2):
        cells = line.split("\t")
        if len(cells) != len(header.split("\t")):
            raise ValueError(f"{path.name}:{number}: {len(cells)} cells, expected {len(header.split())}")
        variable, title, unit, label, kind, population, prop, statistic, constraints, phrases, aliases = cells
        found[variable] = Worded(
            title,
            unit,
            label,
            kind,
            population,
            prop,
            statistic,
            constraints=_split(constraints, ","),
            phrases=_split(phrases, "|"),
            aliases=_split(aliases, "|"),
        )
    return found


def _split(cell: str, mark: str) -> tuple[str, ...]:
    return tuple(part for part in cell.split(mark) if part)


def by_age(variable: str) -> Worded | None:
    """The wording of a count of people of one age group; ``None`` for any other variable."""
    age = _AGE.fullmatch(variable)
    if age is None:
        return None
    if age["low"]:
        title, span = f"People aged {age['low']} to {age['high']}", f"{age['low']}-{age['high']}"
        phrases = (f"people aged {age['low']} to {age['high']}", f"population aged {age['low']} to {age['high']}",
                   f"population between {age['low']} and {age['high']} years old")  # fmt: skip
    elif age["from"]:
        title, span = f"People aged {age['from']} and over", f"{age['from']}+"
        phrases = (f"people aged {age['from']} and over", f"population {age['from']} and over",
                   f"people over {age['from']}")  # fmt: skip
    else:
        title, span = f"People under {age['under']}", f"0-{int(age['under']) - 1}"
        phrases = (f"people under {age['under']}", f"population under {age['under']}",
                   f"people younger than {age['under']}")  # fmt: skip
    return Worded(title, "people", "people", "count", "Person", "count", "measuredValue", (f"age={span}",), phrases)


def generate() -> dict[str, str]:
    """File name to text for every leaf and the source's access document.

    Raises ``ValueError`` when a carried variable has no wording or wording names a variable that is not carried.
    """
    worded, carried = read_worded(), read_carried()
    if strange := sorted(set(worded) - {one.variable for one in carried}):
        raise ValueError(f"wording of variables that are not carried: {', '.join(strange)}")
    documents = {}
    for one in carried:
        words = worded.get(one.variable) or by_age(one.variable)
        if words is None:
            raise ValueError(f"{one.variable} is carried and has no wording")
        documents[f"{one.variable.replace('/', '~')}.md"] = _leaf(one, words)
    return {"_access.md": _access(carried), **documents}


def write(sources: Path) -> list[Path]:
    """Write the leaves under ``sources``; returns the files that changed."""
    return write_documents(sources / SOURCE, generate())


def _covered(one: Carried) -> Iterator[str]:
    for count, (kind, kinds) in zip(one.places, KINDS, strict=True):
        if count:
            yield f"{count:,} {kinds if count > 1 else kind}"


def _leaf(one: Carried, words: Worded) -> str:
    resource = PAGE + quote(one.variable, safe="/")
    whom = ", ".join(_covered(one))
    front: dict[str, str | int | list[str] | list[dict[str, str]]] = {
        "type": "Statistical Variable",
        "title": words.title,
        "description": f"{words.title}, in {words.unit_label}, for {whom}. Years {one.first} to {one.last}.",
        "resource": resource,
        "tags": ["place", *(kind for count, (kind, _) in zip(one.places, KINDS, strict=True) if count)],
        "representativeQueries": list(words.phrases[:8]),
        "okf:variable": one.variable,
        "okf:aliases": list(words.aliases),
        "okf:unit": words.unit,
        "okf:unitLabel": words.unit_label,
        "okf:unitKind": words.unit_kind,
        "okf:populationType": words.population,
        "okf:measuredProperty": words.property,
        "okf:statType": words.statistic,
        "okf:constraints": list(words.constraints),
        "okf:firstYear": one.first,
        "okf:latest": one.last,
        "okf:places": str(sum(one.places)),
        "okf:imports": list(one.imports[:6]),
        "okf:vintage": VINTAGE,
        "sources": [
            {"id": "dc", "resource": resource, "title": "Data Commons", "last_modified": VINTAGE},
        ],
    }
    body = "\n".join(
        [
            "# Schema",
            "",
            "| Field | Meaning |",
            "|---|---|",
            "| `entity` | the place's dcid |",
            "| `date` | the year, month or day |",
            "| `facet` | whose figure it is, with method and unit |",
            f"| `value` | {words.title}, in {words.unit_label} |",
            "",
            "# Coverage",
            "",
            f"- In the recorded figures: {whom}; {one.first} to {one.last}",
            "",
            "How to ask for it: [access](_access.md).[^dc]",
            "",
            "[^dc]: Data Commons",
        ]
    )
    return document_text(front, body)


def _access(carried: list[Carried]) -> str:
    front: dict[str, str | int | list[str] | list[dict[str, str]]] = {
        "type": "API Endpoint",
        "title": "Data Commons REST API, version 2",
        "description": "How Data Commons' variables are asked for: by place, by what contains the places, by date.",
        "resource": "https://api.datacommons.org/v2/",
        "tags": ["api", "place"],
        "okf:source": SOURCE,
        "okf:publisher": "Data Commons",
        "okf:publisherDomain": "datacommons.org",
        "okf:licence": "terms of the source that each facet names",
        "okf:scope": "places of every level",
        "okf:keyType": "dcid",
        "okf:grain": ["country", "state", "county", "city"],
        "okf:frequency": "as the source of each facet reports",
        "okf:completeness": "A variable may have several facets (sources) for a place, or none.",
        "okf:operations": ["entity_value", "entities_value", "contained_value", "entity_series", "resolve"],
    }
    body = f"""# Operations

| Operation | Request | Key |
|---|---|---|
| `entity_value` | `/v2/observation?date=2023&variable.dcids=Count_Person&entity.dcids=geoId/06` | one dcid |
| `entities_value` | `/v2/observation?...&entity.dcids=geoId/06&entity.dcids=geoId/48` | dcids of places |
| `contained_value` | `...&entity.expression=geoId/06<-containedInPlace+{{typeOf:County}}` | a dcid and a type |
| `entity_series` | `/v2/observation?date=&...&entity.dcids=geoId/06` | one dcid, all dates |
| `resolve` | `/v2/resolve?nodes=California&property=<-description->dcid` | a name |

# Coverage

- {len(carried)} variables in the recorded figures
- grain: country, US state, US county and city; the live service has more
- the unit, the date and the source of a figure stand in its facet
- an unknown place or variable is an empty object, not an error
"""
    return document_text(front, body)
