"""What the World Bank's record of a country tells: its fields, and the groups of countries that they name."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from plugins.worldbank.records import Country


@dataclass(frozen=True, slots=True)
class RecordField:
    """One field of the record. ``variable`` is its table in the finder, ``words`` how questions name it."""

    variable: str
    label: str
    words: tuple[str, ...]
    code: Callable[[Country], str | None]
    text: Callable[[Country], str | None]


@dataclass(frozen=True, slots=True)
class Group:
    """A group of countries that one field of the record decides.

    ``codes`` are the field's values that make a country a member; ``filter`` is the parameter of the list of
    countries that leaves exactly them, ``None`` where no one value of it does.
    """

    name: str
    field: RecordField
    codes: frozenset[str]
    filter: tuple[str, str] | None


INCOME = RecordField(
    "income_level",
    "income level",
    ("income group", "income level", "income class", "income classification", "income category"),
    lambda country: country.income_level,
    lambda country: country.names.get("incomeLevel"),
)
REGION = RecordField(
    "region",
    "World Bank region",
    ("region", "world bank region"),
    lambda country: country.region,
    lambda country: country.names.get("region"),
)
LENDING = RecordField(
    "lending_type",
    "lending type",
    ("lending type", "lending category", "lending group"),
    lambda country: country.lending_type,
    lambda country: country.names.get("lendingType"),
)
CAPITAL = RecordField(
    "capital", "capital", ("capital", "capital city"), lambda _: None, lambda country: country.capital
)
FIELDS = (INCOME, REGION, LENDING, CAPITAL)


def _income(code: str, name: str, *codes: str) -> Group:
    return Group(name, INCOME, frozenset(codes or (code,)), ("incomeLevel", code))


def _region(code: str, name: str) -> Group:
    return Group(name, REGION, frozenset({code}), ("region", code))


GROUPS: dict[str, Group] = {
    "HIC": _income("HIC", "High income"),
    "UMC": _income("UMC", "Upper middle income"),
    "LMC": _income("LMC", "Lower middle income"),
    "LIC": _income("LIC", "Low income"),
    "MIC": _income("MIC", "Middle income", "LMC", "UMC"),
    "LMY": _income("LMY", "Low & middle income", "LIC", "LMC", "UMC"),
    "EAS": _region("EAS", "East Asia & Pacific"),
    "ECS": _region("ECS", "Europe & Central Asia"),
    "LCN": _region("LCN", "Latin America & Caribbean"),
    "MEA": _region("MEA", "Middle East, North Africa, Afghanistan & Pakistan"),
    "NAC": _region("NAC", "North America"),
    "SAS": _region("SAS", "South Asia"),
    "SSF": _region("SSF", "Sub-Saharan Africa"),
    "IBD": Group("IBRD only", LENDING, frozenset({"IBD"}), ("lendingType", "IBD")),
    "IDA": Group("IDA total", LENDING, frozenset({"IDX", "IDB"}), None),
}
"""Groups by the World Bank's own code. Its other groups (EUU, ARB, OED) stand in no country's record."""

WORDED = {
    "high income": "HIC",
    "upper middle income": "UMC",
    "lower middle income": "LMC",
    "low income": "LIC",
    "middle income": "MIC",
    "low and middle income": "LMY",
    "developing": "LMY",
}
"""Groups by the words that a question narrows countries with."""


def field_named(words: str) -> RecordField | None:
    """The field that a question calls ``words``."""
    return next((field for field in FIELDS if words in field.words), None)


def group_worded(words: str) -> Group | None:
    """The income group that words such as ``low-income countries`` mean."""
    plain = words.casefold().replace("-", " ").strip()
    for noun in (" countries", " country", " economies", " economy"):
        plain = plain.removesuffix(noun)
    code = WORDED.get(plain)
    return GROUPS[code] if code else None
