"""Leaves for the US Census Bureau: variables of ACS detailed tables, and the tables of its other data sets.

One variable stands for every vintage that holds it. Tables of the one-year file repeat the five-year tables
and are part of their variables' leaves.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
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
from finder_index.generators.census_datasets import dataset_of, split_dataset
from finder_index.generators.tally import Tally
from finder_index.generators.wording_tables import WORDING, Wording, read_wording
from finder_index.generators.words import lower_first, plain_case, sentence, slug

SOURCE = "census"
VINTAGES = ("2024", "2023", "2022", "2019")
COLUMNS = "census/acs{}_5yr_census_column_metadata.csv.gz"
TABLES = "census/acs{}_5yr_census_table_metadata.csv.gz"
CONCEPTS = "census/data_table_concepts.csv.gz"
LEVELS = "census/summary_levels.json"
FILES = (*(name.format(year) for name in (COLUMNS, TABLES) for year in VINTAGES), CONCEPTS, LEVELS)
PAGE = "https://data.census.gov/table/"

_DOLLARS = re.compile(r" ?\(?[Ii]n \d{4} [Ii]nflation-adjusted [Dd]ollars\)?")
_TIME = re.compile(r" in the Past 12 Months", re.IGNORECASE)
_MEASURE = re.compile(r"^(median|mean|average|aggregate|per capita|gini|percent|imputation)\b", re.IGNORECASE)
_COLUMN = re.compile(r"(?P<table>[BC]\d{5}[A-Z]*?(?:PR)?)(?P<line>\d{3})$")
_HEADING = re.compile(r"_CONCEPT_\d+$|^[A-Z]{5,}\d{4}$")
_DETAILED = re.compile(r"ACSDT|ACSBETA")


@dataclass(slots=True)
class _Column:
    table: str
    line: str
    title: str
    parent: str
    vintages: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class _Table:
    title: str
    short: str
    subject: str
    universe: str
    topics: tuple[str, ...]


def generate(data: Path, tally: Tally) -> Iterator[tuple[str, str]]:
    """``(path, text)`` of the access document and every leaf."""
    columns, tables = _read_columns(data, tally)
    wording = read_wording(WORDING / "census.tsv")
    yield f"sources/{SOURCE}/_access.md", access_text(_access(data))
    leaves = _variable_leaves(columns, tables, wording, tally)
    titles = Counter(leaf.title.casefold() for leaf in leaves)
    for leaf in leaves:
        if titles[leaf.title.casefold()] > 1:
            leaf = replace(leaf, title=f"{leaf.title} ({leaf.terms['table']})")  # noqa: PLW2901
        yield f"sources/{SOURCE}/{file_name(leaf.variable)}", leaf_text(leaf)
    yield from _table_leaves(data, set(tables), tally)


def _variable_leaves(
    columns: Mapping[str, _Column], tables: Mapping[str, _Table], wording: Mapping[str, Wording], tally: Tally
) -> list[LeafFields]:
    leaves = []
    for column_id in sorted(columns):
        column = columns[column_id]
        variable = variable_of(column_id)
        if variable is None:
            tally.leave_out("a heading between the lines of a table, not a figure", column_id)
            continue
        tally.leaf()
        leaves.append(_variable_leaf(variable, column, columns, tables[column.table], wording.get(variable)))
    return leaves


def variable_of(column_id: str) -> str | None:
    """``B01001A004`` as the API's name of the estimate, ``B01001A_004E``; ``None`` for a heading."""
    match = _COLUMN.fullmatch(column_id)
    return f"{match['table']}_{match['line']}E" if match else None


def _read_columns(data: Path, tally: Tally) -> tuple[dict[str, _Column], dict[str, _Table]]:
    """Columns and tables over all vintages; the newest one's wording stands."""
    columns: dict[str, _Column] = {}
    tables: dict[str, _Table] = {}
    for year in VINTAGES:
        for row in read_csv(data / TABLES.format(year)):
            topics = tuple(topic.strip('"') for topic in row["topics"].strip("{}").split(",") if topic)
            tables.setdefault(
                row["table_id"],
                _Table(row["table_title"], row["simple_table_title"], row["subject_area"], row["universe"], topics),
            )
        for row in read_csv(data / COLUMNS.format(year)):
            tally.read()
            known = columns.get(row["column_id"])
            if known:
                tally.merge("a vintage of a variable that has its leaf", f"{row['column_id']} {year}")
            else:
                known = columns[row["column_id"]] = _Column(
                    row["table_id"], row["line_number"], row["column_title"], row["parent_column_id"]
                )
            known.vintages.append(year)
    return columns, tables


def _variable_leaf(
    variable: str, column: _Column, columns: Mapping[str, _Column], table: _Table, worded: Wording | None
) -> LeafFields:
    path = _path(column, columns)
    short = _TIME.sub("", _DOLLARS.sub("", table.short or table.title)).strip()
    measure = bool(_MEASURE.match(short)) or bool(path and _MEASURE.match(path[-1]))
    universe = table.universe.rstrip(".")
    if measure:
        path = [words for words in path if not _MEASURE.match(words)]
    part = ", ".join([*path[:1], *map(lower_first, path[1:])])
    title = f"{short}: {part}" if part else f"{short}: total"
    if measure and universe.lower() not in title.lower():
        title = f"{short}, {lower_first(universe)}" + (f": {part}" if part else "")
    elif measure and not part:
        title = short
    queries = list(worded.phrases) if worded else _queries(short, part, universe, measure=measure)
    unit, kind = _unit(table.title, path, universe, measure=measure)
    dataset = f"ACS 5-year table {column.table}, {column.vintages[-1]} to {column.vintages[0]}"
    terms: dict[str, TermValue] = {
        "table": column.table,
        "dataset": "acs/acs5",
        "populationType": universe,
        "measuredProperty": short,
        "statType": "median" if "median" in title.lower() else "value",
        "unit": unit,
        "unitKind": kind,
        "marginOfError": variable[:-1] + "M",
        "vintages": sorted(column.vintages),
        "latest": column.vintages[0],
        "priceBasis": "current" if kind == "currency" else "",
    }
    return LeafFields(
        variable=variable,
        title=sentence(worded.phrases[0]) if worded else title,
        description=f"{'Figure' if measure else 'Estimate'} for {lower_first(universe)}; {dataset}.",
        queries=queries,
        tags=[*map(slug, table.topics), slug(table.subject), "acs"],
        resource=f"{PAGE}ACSDT5Y{column.vintages[0]}.{column.table}",
        aliases=[*(worded.aliases if worded else ()), *([title] if worded else [])],
        terms=terms,
    )


def _path(column: _Column, columns: Mapping[str, _Column]) -> list[str]:
    """The lines that lead to a column, outermost first, without a leading total."""
    path = []
    seen: set[str] = set()
    at: _Column | None = column
    while at is not None:
        path.append(re.sub(r"\s*(--|:)\s*$", "", _DOLLARS.sub("", at.title)).strip())
        parent = at.parent
        at = columns.get(parent) if parent not in seen else None
        seen.add(parent)
    return [words for words in reversed(path) if words and words.lower() != "total"]


def _queries(short: str, part: str, universe: str, *, measure: bool) -> list[str]:
    topic = plain_case(short)
    who = re.sub(r"^(total )?population\b", "people", lower_first(universe))
    if measure:
        return [f"what is the {topic}{f', {lower_first(part)}' if part else ''}", f"{topic} of {who}"]
    if not part:
        return [f"how many {who} are there", f"number of {who}"]
    # The last line says most of what a person would ask for.
    return [f"how many {who}: {lower_first(part)}", f"{lower_first(part)} in {topic}"]


def _unit(title: str, path: list[str], universe: str, *, measure: bool) -> tuple[str, str]:
    if measure:
        text = " ".join([title, *path]).lower()
        if "dollars" in text or re.search(r"income|earnings|\brent\b|value|costs|taxes", text):
            return "USD", "currency"
        if "age" in text.split():
            return "years", "physical"
        return ("minutes", "physical") if "travel time" in text else ("", "")
    who = universe.lower()
    noun = next((noun for noun in ("households", "families", "housing units", "workers") if noun in who), "people")
    return noun, "count"


def _table_leaves(data: Path, detailed: set[str], tally: Tally) -> Iterator[tuple[str, str]]:
    """Whole tables of the data sets whose columns are not in the catalog."""
    groups: dict[tuple[str, str], list[tuple[str, str, str]]] = defaultdict(list)
    for row in read_csv(data / CONCEPTS):
        tally.read()
        table, dataset, label = row["CONCEPT_STRING"], row["DATASET_STRING"], row["CONCEPT_LABEL"]
        family, year = split_dataset(dataset)
        if _HEADING.search(table) or not dataset_of(family):
            tally.leave_out("a heading of a list of variables or a file of single answers, not a table", dataset)
        elif _DETAILED.match(dataset) and table in detailed:
            tally.merge("a detailed table whose variables have their leaves", f"{table} {dataset}")
        else:
            groups[family, table].append((year, dataset, label))
    for (family, table), found in sorted(groups.items()):
        found.sort()
        tally.leaf()
        for _, dataset, _ in found[:-1]:
            tally.merge("a vintage of a table that has its leaf", f"{table} {dataset}")
        path, kind = dataset_of(family) or ("", "")
        label = _TIME.sub("", _DOLLARS.sub("", _sentence_case(found[-1][2]))).strip()
        years = sorted({year for year, _, _ in found if year})
        span = list(dict.fromkeys([years[0], years[-1]])) if years else []
        variable = f"{family}.{table}"
        leaf = LeafFields(
            variable=variable,
            title=f"{label} ({table}, {kind})",
            description=f"{sentence(kind)} {table}" + (f", {' to '.join(span)}." if span else "."),
            queries=[plain_case(label), f"table of {plain_case(label)}"],
            tags=[slug(kind)],
            resource=f"{PAGE}{found[-1][1]}.{table}",
            terms={
                "table": table, "dataset": path, "measuredProperty": label, "vintages": years,
                "latest": years[-1] if years else "",
            },
        )  # fmt: skip
        yield f"sources/{SOURCE}/{file_name(variable)}", leaf_text(leaf)


def _sentence_case(label: str) -> str:
    if label.upper() != label:
        return label
    names = r"\b(hispanic|latino|asian|african|american|indian|alaska|hawaiian|pacific|puerto rico|united states)\b"
    return sentence(re.sub(names, lambda match: match[0].title(), label.lower()))


def _access(data: Path) -> AccessFields:
    levels = [level["name"].lower() for level in read_json(data / LEVELS)["summary_levels"]]
    request = "/data/2024/acs/acs5?get=NAME,B19013_001E"
    return AccessFields(
        source=SOURCE,
        publisher="US Census Bureau",
        domain="census.gov",
        licence="public domain",
        title="Census Data API",
        description="How tables of the American Community Survey and the decennial census are asked for.",
        resource="https://api.census.gov/data",
        scope="places in the United States",
        key_type="fips",
        grain=list(dict.fromkeys(level.replace(",", "") for level in levels)),
        frequency="yearly; the decennial census every ten years",
        coverage="United States and Puerto Rico; five-year tables reach down to block groups",
        completeness="Small or suppressed areas answer with negative marker values, which are no figures.",
        vintage="2026-03",
        tags=["united-states"],
        operations=[
            Operation("entity_value", f"{request}&for=state:06", "FIPS code of one area"),
            Operation("entities_value", f"{request}&for=county:001,003&in=state:06", "FIPS codes of one level"),
            Operation("contained_value", f"{request}&for=county:*&in=state:06", "a level inside an area"),
            Operation("all_entities_value", f"{request}&for=state:*", "a level"),
            Operation("entity_series", f"{request}&for=state:06 (one request a vintage)", "FIPS code of one area"),
        ],
        notes=["the first row of an answer names its columns; every cell is text",
               "an unknown variable or geography is a 400 in plain text; no data is a 204"],
    )  # fmt: skip
