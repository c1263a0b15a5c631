"""Leaves for Data Commons: one per statistical variable of the schema, and one per variable known by name.

Margins of error and other statistics about a figure's quality are named in the figure's own leaf instead of
having one; see ``COMPANIONS``.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from finder_index.generators.catalog_files import read_tsv
from finder_index.generators.catalog_leaf import (
    AccessFields,
    LeafFields,
    Operation,
    TermValue,
    access_text,
    file_name,
    leaf_text,
)
from finder_index.generators.datacommons_known import Known, read_known
from finder_index.generators.datacommons_labels import Labels, Row, constraints_of, is_coded, read_labels
from finder_index.generators.datacommons_phrases import Phrase, phrase
from finder_index.generators.datacommons_wording import COMPANIONS, COVERAGE, POPULATIONS, STATISTICS
from finder_index.generators.tally import Tally
from finder_index.generators.wording_tables import WORDING, Wording, read_wording
from finder_index.generators.words import lower_first, plural, sentence, slug, split_words

SOURCE = "datacommons"
FILES = (
    "datacommons/stat_vars_from_schema.tsv.gz",
    "datacommons/un_sdg_and_wdi_schema.mcf.gz",
    "datacommons/demo_svs_1.3k_names.csv.gz",
    "datacommons/chart_titles_by_sv.json.gz",
    "datacommons/nl_base_preindex.csv.gz",
    "datacommons/nl_sdg_preindex.csv.gz",
    "datacommons/nl_vars_percapita_ranking.csv.gz",
    "datacommons/topic_cache.json.gz",
    "datacommons/sdg_topic_cache.json.gz",
    "geography/countries.csv",
)
VINTAGE = "2026-07-20"
PAGE = "https://datacommons.org/tools/statvar#sv="

_OPAQUE = re.compile(r"dc/[a-z0-9]+$|.*#")
_SDG_SERIES = re.compile(r"sdg/([A-Z0-9_]+)")
_AMOUNTS = frozenset({"amount", "consumption", "generation", "imports", "exports", "expenditure", "revenue"})


@dataclass(frozen=True, slots=True)
class _Context:
    labels: Labels
    known: Known
    wording: Mapping[str, Wording]
    companions: Mapping[str, Mapping[str, str]]
    titles: Mapping[str, str]
    shared_titles: frozenset[str]


def generate(data: Path, tally: Tally) -> Iterator[tuple[str, str]]:
    """``(path, text)`` of the access document and every leaf. Raises ``ValueError`` for a malformed table."""
    rows = list(read_tsv(data / FILES[0]))
    known = read_known(data)
    labels = read_labels(rows, data)
    companions, absorbed = _companions(rows)
    titles: dict[str, str] = {}
    for row in rows:
        if not row["measurementDenominator"]:
            titles[row["dcid"]] = phrase(row, labels, {}).title
    phrases = {row["dcid"]: phrase(row, labels, titles) for row in rows}
    counted = Counter(found.title for variable, found in phrases.items() if variable not in absorbed)
    context = _Context(
        labels=labels,
        known=known,
        wording=read_wording(WORDING / "datacommons.tsv"),
        companions=companions,
        titles=titles,
        shared_titles=frozenset(title for title, count in counted.items() if count > 1),
    )
    tally.notes["phrasings used"] += sum(map(len, known.phrasings.values()))
    tally.notes["phrasings held out for measuring retrieval"] += known.held_out
    yield f"sources/{SOURCE}/_access.md", access_text(_access(len(rows) - len(absorbed)))
    for row in rows:
        tally.read()
        variable = row["dcid"]
        if variable in absorbed:
            tally.merge(f"{absorbed[variable]} named in the figure's own leaf", variable)
            continue
        tally.leaf()
        yield f"sources/{SOURCE}/{file_name(variable)}", leaf_text(_leaf(row, phrases[variable], context))
    yield from _known_only(known, phrases, labels, tally)


def _companions(rows: Sequence[Row]) -> tuple[dict[str, dict[str, str]], dict[str, str]]:
    """Terms that name companions by the figure's id, and the kind of each companion that has a figure."""
    figures = {_definition(row): row["dcid"] for row in rows if row["statType"] not in COMPANIONS}
    named: dict[str, dict[str, str]] = defaultdict(dict)
    absorbed: dict[str, str] = {}
    for row in rows:
        term = COMPANIONS.get(row["statType"])
        figure = figures.get(_definition(row)) if term else None
        if term and figure and term not in named[figure]:
            named[figure][term] = row["dcid"]
            absorbed[row["dcid"]] = split_words(term)
    return named, absorbed


def _definition(row: Row) -> tuple[str, ...]:
    stat = "measuredValue" if row["statType"] in COMPANIONS else row["statType"]
    return (stat, *(row[name] for name in ("populationType", "measuredProperty", "measurementQualifier",
                                           "measurementDenominator", "constraints")))  # fmt: skip


def _leaf(row: Row, found: Phrase, context: _Context) -> LeafFields:
    variable = row["dcid"]
    pairs = constraints_of(row)
    worded = context.wording.get(variable)
    title = sentence(worded.phrases[0]) if worded else found.title
    if not worded and title in context.shared_titles:
        title += f" ({_telling(row, pairs)})"
    coverage = coverage_of(row["schema_file"])
    phrasings = context.known.phrasings.get(variable, ())
    queries = [*(worded.phrases if worded else ()), *phrasings[:3], *_queries(row, found, title)]
    topics = context.known.topics.get(variable, ())
    published = [row["name"], context.known.names.get(variable, "")]
    kind = row["populationType"]
    noun = POPULATIONS.get(kind) or plural(split_words(kind))
    terms: dict[str, TermValue] = {
        "populationType": kind,
        "measuredProperty": row["measuredProperty"],
        "statType": ",".join(dict.fromkeys(row["statType"].split(","))),
        "measurementQualifier": row["measurementQualifier"],
        "measurementDenominator": row["measurementDenominator"],
        "constraints": [f"{name}={value}" for name, value in pairs],
        "coverage": coverage,
        "perCapita": context.known.per_head.get(variable, ""),
        "schema": row["schema_file"],
        **context.companions.get(variable, {}),
    }
    if found.counts:
        terms |= {"unit": "people" if kind == "Person" else noun, "unitKind": "count"}
    return LeafFields(
        variable=variable,
        type="Statistical Variable",
        title=title,
        description=_description(row, pairs, coverage),
        queries=queries,
        tags=[slug(text) for text in (split_words(kind), coverage, *topics) if text],
        resource=PAGE + quote(variable, safe="/"),
        aliases=[*(worded.aliases if worded else ()), *published, *phrasings[3:6]],
        terms=terms,
    )


def _description(row: Row, pairs: list[tuple[str, str]], coverage: str) -> str:
    """The figure's family in one sentence: the title already says which member of it this is."""
    noun = POPULATIONS.get(row["populationType"], plural(split_words(row["populationType"])))
    measure = "number" if row["measuredProperty"] == "count" else split_words(row["measuredProperty"])
    statistic = STATISTICS.get(row["statType"], "")
    text = " ".join(part for part in (statistic, measure, "of" if noun else "", noun) if part)
    if pairs:
        text += f" by {', '.join(split_words(name) for name, _ in pairs)}"
    if row["measurementDenominator"]:
        text += ", as a share"
    return sentence(text + (f"; published for {coverage}." if coverage else "."))


def _queries(row: Row, found: Phrase, title: str) -> list[str]:
    """How people ask, by what kind of figure it is. The title, which is searched too, is not said again."""
    subject = lower_first(found.subject)
    whole = lower_first(title)
    if found.counts:
        asked = f"how many {subject}"
        if found.plain_age:
            noun = subject.split(" aged ")[0]
            asked = f"how many {noun} are {found.plain_age} years old"
        sex = {"women": "female population", "men": "male population", "people": "population"}
        noun, _, rest = subject.partition(" ")
        return [asked, f"{sex[noun]} {rest}" if noun in sex else f"number of {subject}"]
    if row["measurementDenominator"]:
        return [f"share of {subject}", f"rate of {subject}"]
    if row["measuredProperty"] in _AMOUNTS:
        return [f"how much {subject}", f"what is the {whole}"]
    return [f"what is the {whole}", whole]


def _telling(row: Row, pairs: list[tuple[str, str]]) -> str:
    """What tells a variable from others whose title reads the same: codes, else where it is defined."""
    codes = [value.replace("/", " ") for _, value in pairs if is_coded(value) and not value.startswith("country/")]
    if codes:
        return ", ".join(codes)
    return coverage_of(row["schema_file"]) or row["dcid"]


def coverage_of(schema_file: str) -> str:
    """The country or region of a schema file, as its name tells; empty when it does not."""
    name = schema_file.rpartition("/")[2].lower()
    return next((place for pattern, place in COVERAGE if re.search(rf"(?<![a-z])(?:{pattern})", name)), "")


def _known_only(
    known: Known, phrases: Mapping[str, Phrase], labels: Labels, tally: Tally
) -> Iterator[tuple[str, str]]:
    """Variables that the schema's files do not define but that are named elsewhere."""
    for group in sorted(known.groups):
        tally.read()
        tally.leave_out("a topic or a group of variables, not a variable", group)
    for variable in known.variables():
        if variable in phrases:
            continue
        tally.read()
        phrasings = known.phrasings.get(variable, ())
        name = known.names.get(variable) or next(iter(phrasings), "") or name_of_sdg(variable, labels)
        if not name and not _OPAQUE.match(variable):
            name = split_words(variable.rpartition("/")[2])
        if not name:
            tally.leave_out("only an id that says nothing is known", variable)
            continue
        tally.leaf()
        topics = known.topics.get(variable, ())
        leaf = LeafFields(
            variable=variable,
            type="Statistical Variable",
            title=sentence(name),
            description=f"{sentence(name)}. Data Commons names this variable; its schema is not in the catalog.",
            queries=[*phrasings[:4], lower_first(name), f"what is the {lower_first(name)}"],
            tags=["named-only", *map(slug, topics)],
            resource=PAGE + quote(variable, safe="/"),
            aliases=phrasings[4:7],
            terms={"perCapita": known.per_head.get(variable, "")},
        )
        yield f"sources/{SOURCE}/{file_name(variable)}", leaf_text(leaf)


def name_of_sdg(variable: str, labels: Labels) -> str:
    """``sdg/SERIES.DIMENSION--CODE__...`` as the series' name and its codes' names."""
    match = _SDG_SERIES.match(variable)
    series = labels.of(f"SDG_{match[1]}") if match else None
    if not series:
        return ""
    codes = [part.partition("--") for part in variable.partition(".")[2].split("__") if "--" in part]
    named = []
    for dimension, _, code in codes:
        kind = "".join(word.capitalize() for word in dimension.split("_"))
        named.append(labels.of(f"SDG_{kind}Enum_{code}") or f"{split_words(dimension.lower())} {code}")
    return ", ".join([series, *map(lower_first, named)])


def _access(variables: int) -> AccessFields:
    observation = "/v2/observation?variable.dcids=Count_Person&select=entity,variable,value,date"
    return AccessFields(
        source=SOURCE,
        publisher="Data Commons",
        domain="datacommons.org",
        licence="Apache-2.0 (schema); figures under the licence of the source that each facet names",
        title="Data Commons REST API, version 2",
        description="How Data Commons' variables are asked for: by place, by places inside a place, as a series.",
        resource="https://api.datacommons.org/v2/",
        scope="places of every level",
        key_type="dcid",
        grain=["country", "state", "county", "city", "district"],
        frequency="as the source of each facet reports",
        coverage=f"{variables} variables of the schema; which places have figures differs by variable",
        completeness="A variable may have several facets (sources) for a place, or none.",
        vintage=VINTAGE,
        tags=["place"],
        operations=[
            Operation("entity_value", f"{observation}&entity.dcids=geoId/06&date=2023", "one place's dcid"),
            Operation("entities_value", f"{observation}&entity.dcids=geoId/06&entity.dcids=geoId/48&date=LATEST",
                      "dcids of places"),
            Operation("contained_value", f"{observation}&entity.expression=geoId/06<-containedInPlace+"
                      "{typeOf:County}&date=LATEST", "a place's dcid and a type of place"),
            Operation("entity_series", f"{observation}&entity.dcids=geoId/06&date=", "one place's dcid"),
            Operation("resolve", "/v2/resolve?nodes=California&property=<-description->dcid", "a name or an id"),
        ],
        notes=["the unit, the date and the source of a figure stand in its facet",
               "an unknown place or variable is an empty object, not an error"],
    )  # fmt: skip
