"""Which quantity a table is of, and what it is split by: the terms of Data Commons, and numbers for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from finder_index.lexical import phrase_hash

Quantity = tuple[str, str, str]
"""populationType, measuredProperty, statType."""
NONE = 0
"""The number of a table that does not name its quantity in full."""


def quantity_of(terms: Mapping[str, str]) -> Quantity | None:
    """The quantity that a table's terms name, ``None`` when they do not name it in full."""
    parts = (terms.get("populationType", ""), terms.get("measuredProperty", ""), terms.get("statType", ""))
    return parts if all(parts) else None


def constraint_names(terms: Mapping[str, str]) -> tuple[str, ...]:
    """The dimensions that a table is limited in, sorted: ``gender=Female,age=15To24`` gives age and gender."""
    parts = (part.partition("=")[0].strip() for part in terms.get("constraints", "").split(","))
    return tuple(sorted({part for part in parts if part}))


def quantity_key(terms: Mapping[str, str]) -> int:
    """The number of the quantity that the terms name."""
    quantity = quantity_of(terms)
    return key_of_quantity(quantity) if quantity else NONE


def key_of_quantity(quantity: Quantity) -> int:
    """The number of a quantity; never that of none."""
    return phrase_hash("\0".join(quantity)) or 1


def split_key(terms: Mapping[str, str]) -> int:
    """The number of the dimensions that the terms are limited in."""
    return key_of_split(constraint_names(terms))


def key_of_split(names: Sequence[str]) -> int:
    """The number of some dimensions, in any order."""
    return phrase_hash("\0".join(sorted(names)))
