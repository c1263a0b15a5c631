"""Leaves for the SEC's company facts: one per financial concept of a taxonomy that companies report figures in.

Titles are the concept's own name cut into words; the taxonomy's label, where it is known, is an alias.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from finder_index.generators.catalog_files import read_json, read_tsv
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
from finder_index.generators.wording_tables import WORDING, Wording, read_wording
from finder_index.generators.words import sentence, slug, split_words

SOURCE = "sec-edgar"
FILES = ("sec/us_gaap_concepts.tsv.gz", "sec/gaap_mappings_edgartools.json.gz")
MAIN_TAXONOMY = "us-gaap"

_STRUCTURE = re.compile(r"(Axis|Member|Abstract|Domain|LineItems|Table|RollForward|Rollforward|Hierarchy)$")
_TEXT = re.compile(r"(TextBlock|Policy|Policies|Description|Name|Date|Flag|Type|Method|Identifier|Text)$")
_PAIRS = re.compile(
    r"\b(gain) (loss)|\b(income) (loss)|\b(loss) (gain)|\b(increase) (decrease)|\b(decrease) (increase)"
    r"|\b(expense) (benefit)|\b(benefit) (expense)|\b(payments) (proceeds)|\b(proceeds) (payments)"
    r"|\b(profit) (loss)|\b(earnings) (loss)"
)
_ENDINGS = re.compile(r" (noncurrent|current|net|gross|basic|diluted|basic and diluted|at carrying value|fair value"
                      r"|net of tax|before tax|total)$")  # fmt: skip
_TAXONOMIES = {"ifrs-full": " (IFRS)", "srt": " (SEC reporting taxonomy)"}
_UNITS: Mapping[str, tuple[str, str, str]] = {
    "USD": ("USD", "currency", ""),
    "shares": ("shares", "count", ""),
    "USD/shares": ("USD", "currency", "share"),
    "pure": ("ratio", "rate", ""),
    "segment": ("segments", "count", ""),
    "Year": ("years", "physical", ""),
}


def generate(data: Path, tally: Tally) -> Iterator[tuple[str, str]]:
    """``(path, text)`` of the access document and every leaf."""
    mappings: Mapping[str, Mapping[str, Any]] = read_json(data / FILES[1])
    wording = read_wording(WORDING / "sec.tsv")
    yield f"sources/{SOURCE}/_access.md", access_text(_access())
    for row in read_tsv(data / FILES[0]):
        tally.read()
        concept, units = row["concept"], row["units_seen"]
        if _STRUCTURE.search(concept):
            tally.leave_out("structure of a taxonomy (axis, member, heading, table), not a figure", concept)
        elif not units and (_TEXT.search(concept) or row["taxonomy"] not in {MAIN_TAXONOMY, "ifrs-full", "srt"}):
            tally.leave_out("a filing's text, date or flag, not a figure", concept)
        else:
            tally.leaf()
            leaf = _leaf(row, mappings.get(concept, {}), wording.get(variable_of(row["taxonomy"], concept)))
            yield f"sources/{SOURCE}/{file_name(leaf.variable)}", leaf_text(leaf)


def variable_of(taxonomy: str, concept: str) -> str:
    """The concept's id: its name, after its taxonomy's unless that is US GAAP."""
    return concept if taxonomy == MAIN_TAXONOMY else f"{taxonomy}.{concept}"


def concept_words(concept: str) -> str:
    """``EarningsPerShareBasic`` as ``earnings per share, basic``."""
    words = _PAIRS.sub(lambda match: " or ".join(part for part in match.groups() if part), split_words(concept))
    return _ENDINGS.sub(lambda match: f", {match[1]}", words)


def _leaf(row: Mapping[str, str], mapping: Mapping[str, Any], worded: Wording | None) -> LeafFields:
    taxonomy, concept = row["taxonomy"], row["concept"]
    words = concept_words(concept)
    unit, kind, per = _UNITS.get(row["units_seen"].split(",")[0], ("", "", ""))
    statement = split_words(mapping.get("statement") or "")
    section = mapping.get("section") or ""
    where = f" in the {statement}" if statement else ""
    label = row["label"] if row["label_source"] == "companyfacts" else ""
    terms: dict[str, TermValue] = {
        "taxonomy": taxonomy,
        "populationType": "Company",
        "measuredProperty": words,
        "statType": "value",
        "unit": unit,
        "unitKind": kind,
        "per": per,
        "unitsSeen": row["units_seen"].split(",") if row["units_seen"] else [],
        "statement": statement,
        "section": section,
    }
    return LeafFields(
        variable=variable_of(taxonomy, concept),
        type="Financial Concept",
        title=sentence(worded.phrases[0] if worded else words) + _TAXONOMIES.get(taxonomy, ""),
        description=f"{sentence(words)}, as companies report it{where} under {taxonomy}.",
        queries=list(worded.phrases) if worded else [f"{words} of a company", f"what is a company's {words}"],
        tags=[
            "company",
            taxonomy,
            *([slug(statement)] if statement else []),
            *([slug(section)] if section else []),
        ],
        resource=f"https://data.sec.gov/api/xbrl/frames/{taxonomy}/{concept}/",
        aliases=[*(worded.aliases if worded else ()), label, *([words] if worded else [])],
        terms=terms,
    )


def _access() -> AccessFields:
    return AccessFields(
        source=SOURCE,
        publisher="US Securities and Exchange Commission",
        domain="sec.gov",
        licence="public domain",
        title="EDGAR company facts",
        description="How figures that companies filed are asked for: by company, by concept, by period.",
        resource="https://data.sec.gov/api/xbrl/",
        scope="companies that file with the SEC",
        key_type="cik",
        grain=["company"],
        frequency="quarterly and yearly, by the company's fiscal periods",
        coverage="filings since 2009",
        completeness="A company reports the concepts it uses; a concept may change its name over the years.",
        vintage="2025",
        tags=["company"],
        operations=[
            Operation("entity_value", "/companyconcept/CIK0000320193/us-gaap/Assets.json", "CIK with ten digits"),
            Operation("entity_series", "/companyconcept/CIK0000320193/us-gaap/Assets.json", "CIK with ten digits"),
            Operation("entity_facts", "/companyfacts/CIK0000320193.json", "CIK with ten digits"),
            Operation("all_entities_value", "/frames/us-gaap/Assets/USD/CY2024Q4I.json", "a unit and a period"),
        ],
        notes=[
            "requests name their sender in the User-Agent header",
            "an unknown company or concept is a 404 in XML, not JSON",
        ],
    )
