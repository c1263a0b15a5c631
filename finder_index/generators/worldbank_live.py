"""Leaves for indicators that the World Bank publishes and whose figures are not among the recorded ones.

They are amounts in each country's own currency: the live API has them, recorded figures say that they do not.
Without a leaf of its own a question for local currency would be offered nothing but dollars.
"""

from __future__ import annotations

from dataclasses import dataclass

from finder_index.generators.okf_text import document_text
from finder_index.generators.titles import read_title

HOME = "https://data.worldbank.org/indicator/"


@dataclass(frozen=True, slots=True)
class Published:
    """An indicator by its published title and topic, with the words that people use for it."""

    title: str
    topic: str
    phrases: tuple[str, ...]
    aliases: tuple[str, ...]


PUBLISHED = {
    "NY.GDP.MKTP.CN": Published(
        "GDP (current LCU)",
        "economy-and-growth",
        (
            "gdp in local currency",
            "gdp in current local currency",
            "gdp in national currency",
            "nominal gdp in local currency units",
            "gross domestic product in the country's own currency",
        ),
        ("GDP in LCU", "GDP current LCU"),
    ),
    "NY.GDP.PCAP.CN": Published(
        "GDP per capita (current LCU)",
        "economy-and-growth",
        (
            "gdp per capita in local currency",
            "gdp per person in local currency",
            "gdp per head in national currency",
            "gdp per capita in the country's own currency",
        ),
        ("GDP per capita in LCU", "GDP per capita current LCU"),
    ),
}


def leaves() -> dict[str, str]:
    """File name to text of each leaf."""
    return {f"{code}.md": _leaf(code, published) for code, published in PUBLISHED.items()}


def _leaf(code: str, published: Published) -> str:
    title = read_title(code, published.title)
    front: dict[str, str | int | list[str] | list[dict[str, str]]] = {
        "type": "Statistical Table",
        "title": published.title,
        "description": f"{title.quantity}, in {title.unit.label}, each country's in its own currency. One figure a "
        "year for each country; published, and not among the recorded figures.",
        "resource": HOME + code,
        "tags": ["country", published.topic],
        "representativeQueries": list(published.phrases),
        "okf:variable": code,
        "okf:aliases": list(published.aliases),
        "okf:unit": title.unit.code,
        "okf:unitLabel": title.unit.label,
        "okf:unitKind": title.unit.kind.value,
        "okf:per": title.unit.per,
        "okf:priceBasis": title.unit.price_basis,
        "okf:populationType": "Country",
        "okf:measuredProperty": title.quantity,
        "okf:statType": title.unit.statistic,
        "sources": [{"id": "wdi", "resource": HOME + code, "title": "World Development Indicators"}],
    }
    body = "\n".join(
        [
            "# Schema",
            "",
            "| Field | Meaning |",
            "|---|---|",
            "| `countryiso3code` | the country |",
            "| `date` | the calendar year |",
            f"| `value` | {title.quantity}, in {title.unit.label}; null where nothing was reported |",
            "",
            "# Coverage",
            "",
            "- In the recorded figures: none; the live API has them",
            "",
            "How to ask for it: [access](_access.md).[^wdi]",
            "",
            "[^wdi]: World Development Indicators",
        ]
    )
    return document_text(front, body)
