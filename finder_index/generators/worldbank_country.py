"""Leaves for what the World Bank's record of a country tells: income level, region, lending type, capital.

They are facts in words, and lists of the countries in a group; none of them is a figure of a year.
"""

from __future__ import annotations

from dataclasses import dataclass

from finder_index.generators.okf_text import document_text

RECORD = "https://api.worldbank.org/v2/country"


@dataclass(frozen=True, slots=True)
class _Fact:
    """``field`` is the record's own; ``filter`` asks the list of countries for the members of one group."""

    variable: str
    title: str
    description: str
    field: str
    shape: str
    queries: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    filter: str = ""


_FACTS = (
    _Fact(
        "income_level",
        "Income levels of countries",
        "The income level that the World Bank gives a country: low, lower middle, upper middle or high income.",
        "incomeLevel",
        "value",
        ("income group", "income level", "income classification", "high income countries", "low income countries",
         "low income", "high income", "which countries are low income"),
        ("middle income countries", "developing countries", "developing", "middle income", "lower middle income",
         "upper middle income", "upper middle income countries", "lower middle income countries",
         "income category", "income class"),
        "incomeLevel=LIC",
    ),
    _Fact(
        "region",
        "World Bank regions of countries",
        "The region that the World Bank puts a country in, such as South Asia or Sub-Saharan Africa.",
        "region",
        "value",
        ("World Bank region", "region of a country", "world region", "region", "countries of a World Bank region"),
        ("regional classification",),
        "region=SAS",
    ),
    _Fact(
        "lending_type",
        "Lending types of countries",
        "The lending that a country may have from the World Bank: IBRD, IDA, a blend of both, or none.",
        "lendingType",
        "value",
        ("lending type", "lending category", "IDA countries", "IBRD countries", "blend countries"),
        ("lending group", "IDA eligible", "eligible for IDA lending"),
        "lendingType=IDX",
    ),
    _Fact(
        "capital",
        "Capital cities of countries",
        "The capital city of a country as the World Bank records it.",
        "capitalCity",
        "value",
        ("capital city", "capital", "capital of the country"),
        ("capitals", "national capital"),
    ),
    _Fact(
        "membership",
        "Countries of the World Bank's groups",
        "Whether a country belongs to one of the World Bank's income groups, regions or lending groups, and which "
        "countries do.",
        "incomeLevel, region, lendingType",
        "set",
        ("membership", "member countries", "is a member of", "belongs to", "members of an income group",
         "countries in a region"),
        ("members", "member"),
        "region=SAS&incomeLevel=LMC",
    ),
)  # fmt: skip


def leaves() -> dict[str, str]:
    """File name to text for every leaf."""
    return {f"{fact.variable}.md": _leaf(fact) for fact in _FACTS}


def _leaf(fact: _Fact) -> str:
    front: dict[str, str | int | list[str] | list[dict[str, str]]] = {
        "type": "Fact Table",
        "title": fact.title,
        "description": fact.description,
        "resource": RECORD,
        "tags": ["country", "facts"],
        "representativeQueries": list(fact.queries),
        "okf:variable": fact.variable,
        "okf:aliases": list(fact.aliases),
        "okf:unit": "none",
        "okf:unitKind": "none",
        "okf:populationType": "Country",
        "okf:measuredProperty": fact.variable,
        "okf:statType": fact.shape,
        "okf:frequency": "undated",
        "okf:operations": ["entity_value", "members"] if fact.filter else ["entity_value"],
    }
    return document_text(front, "\n".join(_body(fact)))


def _body(fact: _Fact) -> list[str]:
    rows = [f"| `entity_value` | `/country/IND?format=json` | the record's {fact.field} |"]
    if fact.filter:
        rows.append(f"| `members` | `/country?{fact.filter}&format=json` | the countries of a group |")
    return [
        "# Requests",
        "",
        "| Operation | Request | What it brings |",
        "|---|---|---|",
        *rows,
        "",
        "Groups of countries stand in the same list and have no such record; they are no members.",
        "",
        "How to ask for it: [access](_access.md).",
    ]
