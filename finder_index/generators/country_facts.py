"""Leaves for facts about countries and US states that are no yearly figures: borders, capitals, memberships."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from finder_index.generators.okf_text import document_text, write_documents

SOURCE = "countryfacts"


@dataclass(frozen=True, slots=True)
class _Fact:
    variable: str
    title: str
    description: str
    population: str
    shape: str
    """``set`` (several values), ``value`` (one) or ``flag`` (yes or no)."""
    queries: tuple[str, ...]
    aliases: tuple[str, ...] = ()


_FACTS = (
    _Fact(
        "borders",
        "Land borders of countries",
        "The countries that share a land border with a country.",
        "Country",
        "set",
        ("land borders", "neighboring countries", "countries that border", "bordering countries",
         "neighbors of a country", "which countries does it border"),
        ("neighbours", "neighbors", "neighbouring countries", "borders", "adjacent countries"),
    ),
    _Fact(
        "us_state_borders",
        "Land borders of US states",
        "The countries and the other US states that share a land border with a US state.",
        "US state",
        "set",
        ("land borders of US states", "states that border a country", "neighboring states",
         "bordering states", "US states on the border with another country", "which states does it border"),
        ("neighbouring states", "adjacent states", "states bordering", "border states"),
    ),
    _Fact(
        "capital",
        "Capital cities and official names of countries",
        "The capital city of a country, and its official name.",
        "Country",
        "value",
        ("capital city", "capital", "capital of the country", "what city is the capital", "seat of government"),
        ("capitals", "national capital", "official name", "full name"),
    ),
    _Fact(
        "us_state_capital",
        "Capitals of US states",
        "The capital city of a US state.",
        "US state",
        "value",
        ("state capital", "capital of the state", "capital city of a US state"),
        ("state capitals",),
    ),
    _Fact(
        "currency",
        "Currencies and codes of countries",
        "The official currency of a country, with its ISO 4217 code, calling code and internet domain.",
        "Country",
        "value",
        ("currency", "official currency", "what money is used", "currency code", "which currency is used"),
        ("currencies", "legal tender", "calling code", "dialing code", "phone code", "internet domain",
         "top-level domain"),
    ),
    _Fact(
        "membership",
        "Memberships of countries in organizations and groups",
        "Whether a country belongs to an organization or group, such as the United Nations or the European Union.",
        "Country",
        "set",
        ("member states", "members of an organization", "membership", "member countries", "belongs to",
         "is a member of"),
        ("members", "UN members", "UN membership", "EU members", "NATO members", "OECD members"),
    ),
    _Fact(
        "region",
        "Continents and regions of countries",
        "The continent and the region that a country belongs to.",
        "Country",
        "value",
        ("continent", "world region", "region of a country", "countries of a continent",
         "which continent is it on"),
        ("continents", "subregion"),
    ),
    _Fact(
        "landlocked",
        "Landlocked countries",
        "Whether a country has no coast on the open sea.",
        "Country",
        "flag",
        ("landlocked", "landlocked countries", "countries without a coast", "no access to the sea"),
        ("access to the sea", "coastline access", "has a coast"),
    ),
)  # fmt: skip


def generate() -> dict[str, str]:
    """File name to text for every leaf and the source's access document."""
    return {"_access.md": _access(), **{f"{fact.variable}.md": _leaf(fact) for fact in _FACTS}}


def write(sources: Path) -> list[Path]:
    """Write the leaves under ``sources``; returns the files that changed."""
    return write_documents(sources / SOURCE, generate())


def _leaf(fact: _Fact) -> str:
    front: dict[str, str | int | list[str] | list[dict[str, str]]] = {
        "type": "Fact Table",
        "title": fact.title,
        "description": fact.description,
        "tags": ["country" if fact.population == "Country" else "us-state", "facts"],
        "representativeQueries": list(fact.queries),
        "okf:variable": fact.variable,
        "okf:aliases": list(fact.aliases),
        "okf:unit": "none",
        "okf:unitKind": "none",
        "okf:populationType": fact.population,
        "okf:measuredProperty": fact.variable,
        "okf:statType": fact.shape,
    }
    return document_text(front, "How to ask for it: [access](_access.md).")


def _access() -> str:
    front: dict[str, str | int | list[str] | list[dict[str, str]]] = {
        "type": "Reference",
        "title": "Facts about countries and US states",
        "description": "A carried table of undated facts about countries and US states, each with its publisher.",
        "tags": ["facts", "country", "us-state"],
        "okf:source": SOURCE,
        "okf:publisher": "Country facts",
        "okf:publisherDomain": "neuralkg.internal",
        "okf:licence": "as given beside each fact",
        "okf:scope": "countries and US states",
        "okf:keyType": ["iso3", "fips"],
        "okf:grain": ["country", "us state"],
        "okf:frequency": "undated",
        "okf:completeness": "Every country and US state has an entry; an empty set is an answer.",
        "okf:operations": ["entity_value", "entities_value", "all_entities_value", "members"],
    }
    body = """# Operations

| Operation | What is asked | Key |
|---|---|---|
| `entity_value` | a fact of one place | ISO 3166 alpha-3 code of a country, FIPS code of a US state |
| `entities_value` | a fact of several places | codes |
| `all_entities_value` | a fact of every place | none |
| `members` | the places of which a fact holds | the fact's value |
"""
    return document_text(front, body)
