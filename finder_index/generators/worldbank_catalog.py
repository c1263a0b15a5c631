"""Leaves for the whole of the World Bank: the carried indicators, and the other 29,000 of its databases.

A carried indicator keeps the very leaf of the packaged corpus; the rest have no figures of their own here and
are described by their published title, taken apart, and the database that holds them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path

from finder_index.generators import worldbank
from finder_index.generators.catalog_files import read_tsv
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
from finder_index.generators.titles import Title, read_title
from finder_index.generators.words import lower_first, slug

SOURCE = worldbank.SOURCE
FILES = ("worldbank/indicator_catalog_2026-04.tsv.gz",)
VINTAGE = "2026-04"
ARCHIVES = frozenset({"WDI Database Archives", "FPN Datahub Archive", "Africa Development Indicators"})
_PLURAL_START = re.compile(r"^[a-z]+s\b")


def generate(data: Path, tally: Tally) -> Iterator[tuple[str, str]]:
    """``(path, text)`` of the access document and every leaf."""
    carried = {name: text for name, text in worldbank.generate().items() if name != "_access.md"}
    rows = list(read_tsv(data / FILES[0]))
    yield f"sources/{SOURCE}/_access.md", access_text(_access(len(rows), len(carried)))
    covered = {name.removesuffix(".md").casefold() for name in carried}
    for name, text in sorted(carried.items()):
        tally.notes["leaves of the packaged corpus"] += 1
        yield f"sources/{SOURCE}/{name}", text
    titles = Counter(clean(row["name"]).casefold() for row in rows)
    seen: set[str] = set()
    for row in rows:
        tally.read()
        code = row["indicator_id"]
        if code.casefold() in covered:
            tally.merge("an indicator whose figures are carried and whose leaf is the packaged one", code)
        elif code.casefold() in seen:
            tally.merge("an indicator listed again", code)
        elif not row["name"].strip():
            tally.leave_out("an indicator without a name", code)
        else:
            seen.add(code.casefold())
            tally.leaf()
            leaf = _leaf(row, shared=titles[clean(row["name"]).casefold()] > 1)
            yield f"sources/{SOURCE}/{file_name(code)}", leaf_text(leaf)


def _leaf(row: Mapping[str, str], *, shared: bool) -> LeafFields:
    code, name, database = row["indicator_id"], clean(row["name"]), row["source_database"]
    title = _read(code, name)
    quantity = title.quantity if title else name
    asked = lower_first(quantity)
    unit = f", in {title.unit.label}" if title else ""
    topics = [topic.strip() for topic in re.split("[;,]", row["topics"]) if topic.strip()]
    archived = database in ARCHIVES or "discontinued" in name.lower()
    terms: dict[str, TermValue] = {
        "populationType": "Country",
        "measuredProperty": quantity,
        "database": database,
        "databaseId": row["source_id"],
        "vintage": VINTAGE,
    }
    if title:
        terms |= {
            "unit": title.unit.code,
            "unitLabel": title.unit.label,
            "unitKind": title.unit.kind.value,
            "per": title.unit.per,
            "priceBasis": title.unit.price_basis,
            "statType": title.unit.statistic,
            "constraints": [f"{dimension}={part}" for dimension, part in title.constraints.items()],
            "estimate": title.estimate,
        }
    verb = "are" if _PLURAL_START.match(asked) else "is"
    return LeafFields(
        variable=code,
        title=f"{name} ({database}, {code})" if shared else name,
        description=f"{quantity}{unit}. World Bank database {database}.",
        queries=[f"what {verb} the {asked}", f"{asked} by country"],
        tags=["country", slug(database), *map(slug, topics)],
        resource=worldbank.HOME + code,
        terms=terms,
        status="deprecated" if archived else "",
    )


def _read(code: str, name: str) -> Title | None:
    try:
        return read_title(code, name)
    except ValueError:
        return None  # The grammar of titles does not tell this one's unit.


def _access(indicators: int, carried: int) -> AccessFields:
    return AccessFields(
        source=SOURCE,
        publisher="World Bank",
        domain="worldbank.org",
        licence="CC BY 4.0",
        title="World Bank Indicators API, version 2",
        description="How the World Bank's indicators are asked for: by country, by group, by year, as a series.",
        resource="https://api.worldbank.org/v2/",
        scope=worldbank.SCOPE,
        key_type="iso3",
        grain=["country", "country group"],
        frequency="yearly; a few databases are quarterly",
        coverage=f"{indicators} indicators of all databases, {carried} of them with recorded figures",
        completeness="A country and year without a report has no value; most tables lack some.",
        vintage=VINTAGE,
        tags=["country"],
        operations=[
            Operation("entity_value", "/country/IND/indicator/SP.POP.TOTL?date=2023&format=json", "one ISO3 code"),
            Operation("entities_value", "/country/IND;CHN/indicator/SP.POP.TOTL?date=2023&format=json",
                      "codes joined by semicolons"),
            Operation("all_entities_value", "/country/all/indicator/SP.POP.TOTL?date=2023&format=json",
                      "countries and groups"),
            Operation("entity_series", "/country/IND/indicator/SP.POP.TOTL?date=1960:2023&format=json",
                      "one code, a span of years"),
        ],
        notes=["an indicator outside the World Development Indicators is asked with its database, source=ID",
               "an archived indicator may be answered by a message that it was not found"],
    )  # fmt: skip
