"""Leaves for the World Bank: one per indicator whose values are carried, and those of a country's record.

Everything in a leaf comes from fields: the published title taken apart, coverage counted from the values,
and the hand-written wording. The publisher's definitions are not copied.
"""

from __future__ import annotations

import gzip
from dataclasses import dataclass
from pathlib import Path

from finder_index.generators import worldbank_country, worldbank_live
from finder_index.generators.okf_text import document_text, write_documents
from finder_index.generators.titles import Title, read_title
from finder_index.generators.wording_tables import WORDING, TermMeaning, Wording, read_meanings, read_wording

SOURCE = "worldbank"
DATA = Path(__file__).parent / "data" / "worldbank_indicators.tsv.gz"
HOME = "https://data.worldbank.org/indicator/"
MAX_QUERIES = 8
SCOPE = "countries and groups of countries"

_TOPIC_TAGS = {"engergy-and-mining": "energy-and-mining", "economy-&-growth": "economy-and-growth"}


@dataclass(frozen=True, slots=True)
class Indicator:
    """One line of the compact table; years are calendar years, counts are of distinct entities."""

    code: str
    title: str
    topics: tuple[str, ...]
    vintage: str
    first_year: int
    last_year: int
    carried_first: int
    carried_last: int
    countries: int
    groups: int
    values: int


def read_indicators(path: Path = DATA) -> list[Indicator]:
    """The indicators, sorted by code."""
    rows = [line.split("\t") for line in gzip.decompress(path.read_bytes()).decode().splitlines()[1:]]
    return [
        Indicator(row[0], row[1], tuple(row[2].split(";")) if row[2] else (), row[3], *(int(n) for n in row[4:]))
        for row in rows
    ]


def generate() -> dict[str, str]:
    """File name to text for every leaf and the source's access document.

    Raises ``ValueError`` when an indicator has no wording, or when wording names an unknown indicator.
    """
    indicators = read_indicators()
    wording = read_wording(WORDING / "worldbank.tsv")
    meanings = read_meanings(WORDING / "worldbank_meanings.tsv")
    codes = {indicator.code for indicator in indicators}
    if odd := sorted(codes ^ set(wording)) or sorted(set(meanings) - codes):
        raise ValueError(f"wording and indicators do not match: {', '.join(odd)}")
    documents = {
        f"{indicator.code}.md": _leaf(indicator, wording[indicator.code], meanings.get(indicator.code, []))
        for indicator in indicators
    }
    others = {**worldbank_country.leaves(), **worldbank_live.leaves()}
    return {"_access.md": _access(indicators), **documents, **others}


def write(sources: Path) -> list[Path]:
    """Write the leaves under ``sources``; returns the files that changed."""
    return write_documents(sources / SOURCE, generate())


def _leaf(indicator: Indicator, wording: Wording, meanings: list[TermMeaning]) -> str:
    title = read_title(indicator.code, indicator.title)
    unit = title.unit
    front: dict[str, str | int | list[str] | list[dict[str, str]]] = {
        "type": "Statistical Table",
        "title": indicator.title,
        "description": _description(indicator, title),
        "resource": HOME + indicator.code,
        "tags": ["country", *sorted({_tag(topic) for topic in indicator.topics})],
        "representativeQueries": list(wording.phrases[:MAX_QUERIES]),
        "okf:variable": indicator.code,
        "okf:aliases": list(wording.aliases),
        "okf:meaningOf": [
            {"term": m.term, "rank": str(m.rank), "label": m.label} for m in sorted(meanings, key=lambda m: m.term)
        ],
        "okf:unit": unit.code,
        "okf:unitLabel": unit.label,
        "okf:unitKind": unit.kind.value,
        "okf:per": unit.per,
        "okf:priceBasis": unit.price_basis,
        "okf:populationType": "Country",
        "okf:measuredProperty": title.quantity,
        "okf:statType": unit.statistic,
        "okf:constraints": [f"{dimension}={part}" for dimension, part in title.constraints.items()],
        "okf:estimate": title.estimate,
        "okf:firstYear": str(indicator.first_year),
        "okf:lastYear": str(indicator.last_year),
        "okf:latest": str(indicator.carried_last),
        "okf:carriedFrom": str(indicator.carried_first),
        "okf:places": str(indicator.countries),
        "okf:groups": str(indicator.groups),
        "okf:vintage": indicator.vintage,
        "sources": [
            {
                "id": "wdi",
                "resource": HOME + indicator.code,
                "title": "World Development Indicators",
                "last_modified": indicator.vintage,
            }
        ],
    }
    return document_text(front, _body(indicator, title))


def _description(indicator: Indicator, title: Title) -> str:
    who = f"{indicator.countries} countries and territories"
    if indicator.groups:
        who += f" and {indicator.groups} groups of countries"
    estimate = f" ({title.estimate})" if title.estimate else ""
    return (
        f"{title.quantity}, in {title.unit.label}{estimate}. One figure a year for {who}, "
        f"{indicator.first_year} to {indicator.last_year}."
    )


def _body(indicator: Indicator, title: Title) -> str:
    carried = f"{indicator.carried_first} to {indicator.carried_last}"
    return "\n".join(
        [
            "# Schema",
            "",
            "| Field | Meaning |",
            "|---|---|",
            "| `countryiso3code` | the country or group |",
            "| `date` | the calendar year |",
            f"| `value` | {title.quantity}, in {title.unit.label}; null where nothing was reported |",
            "",
            "# Coverage",
            "",
            f"- Published: {indicator.first_year} to {indicator.last_year}",
            f"- In the recorded figures: {carried}, {indicator.values:,} values, vintage {indicator.vintage}",
            "",
            "How to ask for it: [access](_access.md).[^wdi]",
            "",
            "[^wdi]: World Development Indicators",
        ]
    )


def _tag(topic: str) -> str:
    slug = topic.strip().lower().replace("&", "and").replace(" ", "-")
    return _TOPIC_TAGS.get(slug, slug)


def _access(indicators: list[Indicator]) -> str:
    front: dict[str, str | int | list[str] | list[dict[str, str]]] = {
        "type": "API Endpoint",
        "title": "World Bank Indicators API, version 2",
        "description": "How the World Bank's indicators are asked for: by country, by group, by year, as a series.",
        "resource": "https://api.worldbank.org/v2/",
        "tags": ["api", "country"],
        "okf:source": SOURCE,
        "okf:publisher": "World Bank",
        "okf:publisherDomain": "worldbank.org",
        "okf:licence": "CC BY 4.0",
        "okf:scope": SCOPE,
        "okf:keyType": "iso3",
        "okf:grain": ["country", "country group"],
        "okf:frequency": "yearly",
        "okf:completeness": "A country and year without a report has no value; most tables lack some.",
        "okf:operations": ["entity_value", "entities_value", "all_entities_value", "entity_series"],
    }
    body = f"""# Operations

| Operation | Request | Key |
|---|---|---|
| `entity_value` | `/country/IND/indicator/SP.POP.TOTL?date=2023&format=json` | one ISO 3166 alpha-3 code |
| `entities_value` | `/country/IND;CHN/indicator/SP.POP.TOTL?date=2023&format=json` | codes joined by semicolons |
| `all_entities_value` | `/country/all/indicator/SP.POP.TOTL?date=2023&format=json` | countries and groups |
| `entity_series` | `/country/IND/indicator/SP.POP.TOTL?date=1960:2023&format=json` | one code, a span of years |

# Coverage

- {len(indicators)} indicators
- grain: country and group of countries; nothing below the country
- answers are paged: `page`, `pages`, `per_page`, `total` stand in the first element
- an unknown indicator or place is an answer with `message`, not an HTTP error
"""
    return document_text(front, body)
