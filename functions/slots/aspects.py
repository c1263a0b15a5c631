"""What people usually want to know about an aspect of a place, in the words of the quantities themselves."""

from __future__ import annotations

from types import MappingProxyType

OVERVIEW = ("population", "gdp", "gdp per capita", "life expectancy", "surface area")

ASPECTS: MappingProxyType[str, tuple[str, ...]] = MappingProxyType(
    {
        "overview": OVERVIEW,
        "economy": ("gdp", "gdp growth", "gdp per capita", "inflation", "unemployment rate"),
        "health": ("life expectancy", "infant mortality rate", "under-5 mortality rate", "hospital beds"),
        "education": ("adult literacy rate", "government expenditure on education", "tertiary school enrollment"),
        "demographics": ("population", "population growth", "fertility rate", "population ages 65 and above"),
        "environment": (
            "forest area",
            "co2 emissions per capita",
            "pm2.5 air pollution",
            "renewable energy consumption",
        ),
        "poverty": ("poverty headcount ratio", "gini index", "income share held by lowest 20%"),
        "trade": ("exports of goods and services", "imports of goods and services", "foreign direct investment"),
        "energy": ("access to electricity", "electric power consumption", "renewable energy consumption"),
        "agriculture": ("agricultural land", "cereal yield", "agriculture value added"),
        "work": ("unemployment rate", "labor force participation rate", "employment to population ratio"),
        "government": ("central government debt", "tax revenue", "military expenditure"),
        "technology": ("internet users", "mobile cellular subscriptions", "research and development expenditure"),
        "gender": ("seats held by women in national parliaments", "female labor force participation rate"),
    }
)

SYNONYMS: MappingProxyType[str, str] = MappingProxyType(
    {
        "economic": "economy",
        "economic situation": "economy",
        "finances": "economy",
        "healthcare": "health",
        "health care": "health",
        "medical care": "health",
        "well-being": "health",
        "schools": "education",
        "schooling": "education",
        "people": "demographics",
        "demography": "demographics",
        "population structure": "demographics",
        "climate": "environment",
        "nature": "environment",
        "pollution": "environment",
        "inequality": "poverty",
        "wealth": "economy",
        "living standards": "overview",
        "standard of living": "overview",
        "quality of life": "overview",
        "development": "overview",
        "commerce": "trade",
        "electricity": "energy",
        "farming": "agriculture",
        "farms": "agriculture",
        "jobs": "work",
        "job market": "work",
        "labor market": "work",
        "labour market": "work",
        "employment": "work",
        "public finances": "government",
        "politics": "government",
        "internet": "technology",
        "women": "gender",
        "gender equality": "gender",
        "": "overview",
    }
)


def measures_of(aspect: str) -> tuple[str, ...]:
    """The quantities to answer an aspect with. ``population; gdp`` lists its own; an unknown aspect is itself."""
    if ";" in aspect:
        return tuple(part.strip() for part in aspect.split(";") if part.strip())
    name = aspect.strip().casefold()
    name = SYNONYMS.get(name, name)
    return ASPECTS.get(name, (aspect.strip(),))
