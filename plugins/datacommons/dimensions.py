"""The dimensions that variables are split by, and which of their values make up a whole without overlap."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from shared.query.discovery import TableDocument

ASKED: Mapping[str, str] = {
    "age": "age",
    "sex": "sex",
    "gender": "sex",
    "race": "race",
    "ethnicity": "race",
    "education level": "education",
    "urban and rural": "area",
    "marital status": "maritalStatus",
    "language": "language",
    "religion": "religion",
    "occupation": "occupation",
    "industry": "industry",
    "source": "energySource",
}
"""How a dimension that a question names is called in the variables' constraints."""

SYNONYMS: Mapping[str, str] = {
    "gender": "sex",
    "placeofresidenceclassification": "area",
    "educationalattainment": "education",
}
OVERLAPPING = re.compile(
    r"hispanic|latino|or alaska native|or other pacific|oralaskanative|orotherpacific|in combination|minority",
    re.IGNORECASE,
)
"""Values of race that people of other values have too, or that repeat one under a second name."""

_AGES = re.compile(
    r"^\[?(?P<low>\d+)(?: |to|-)?(?P<high>\d+)?(?P<more>ormore|\+| -)?(?: ?years)?\]?$", re.IGNORECASE
)
_UPTO = re.compile(r"^(?:upto|\[- )(?P<high>\d+)(?: ?years)?\]?$", re.IGNORECASE)
OLDEST = 200


@dataclass(frozen=True, slots=True)
class Part:
    """A variable of one value of a dimension; ``name`` is that value for a reader."""

    document: TableDocument
    value: str

    @property
    def variable(self) -> str:
        """The statistical variable."""
        return self.document.variable

    @property
    def name(self) -> str:
        """The value as a reader is told it."""
        return name_of(self.value)


def canonical(dimension: str) -> str:
    """The one name of a dimension that variables spell in several ways."""
    return SYNONYMS.get(dimension.casefold(), dimension)


def constraints_of(document: TableDocument) -> dict[str, str]:
    """What a variable is limited to, by dimension: ``sex=female,age=5-9``."""
    found = {}
    for item in document.terms.get("constraints", "").split(","):
        name, mark, value = item.partition("=")
        if mark:
            found[canonical(name.strip())] = value.strip()
    return found


def parts_of(total: TableDocument, dimension: str, documents: Sequence[TableDocument]) -> list[Part]:
    """The variables that are the total's limited by one value of the dimension and by nothing else."""
    own = constraints_of(total)
    found: dict[str, Part] = {}
    for document in documents:
        if any(document.terms.get(name) != total.terms.get(name) for name in FAMILY):
            continue
        theirs = constraints_of(document)
        value = theirs.pop(dimension, "")
        if value and theirs == own:
            found.setdefault(document.variable, Part(document, value))
    return list(found.values())


FAMILY = ("populationType", "measuredProperty", "statType")
"""What the variables of one family share."""


def ages_of(value: str) -> tuple[int, int] | None:
    """``5-9``, ``[5 9 Years]`` and ``5To9Years`` are 5 to 9, ``85+`` is from 85 on, ``Upto5Years`` is 0 to 4."""
    if under := _UPTO.match(value.strip()):
        return 0, int(under["high"]) - 1
    found = _AGES.match(value.strip())
    if found is None:
        return None
    low = int(found["low"])
    if found["more"]:
        return low, OLDEST
    return (low, int(found["high"])) if found["high"] else None


def name_of(value: str) -> str:
    """A value as a reader is told it: ``under 5``, ``5 to 9``, ``85 and over``, ``Female``."""
    ages = ages_of(value)
    if ages is None:
        return value[:1].upper() + value[1:]
    low, high = ages
    if high == OLDEST:
        return f"{low} and over"
    return f"under {high + 1}" if low == 0 else f"{low} to {high}"


def reading_order(value: str) -> tuple[int, str]:
    """Where a value stands among others: ages from the youngest, everything else by its name."""
    ages = ages_of(value)
    return (ages[0] if ages is not None else OLDEST + 1, name_of(value))


def partition(values: Mapping[str, str]) -> list[str]:
    """The ids that cover everything once: an unbroken chain of age groups, or all values that do not overlap.

    ``values`` are by id. Empty where the age groups leave a gap.
    """
    ages = {key: found for key, value in values.items() if (found := ages_of(value)) is not None}
    if ages and len(ages) == len(values):
        return _chain(ages)
    distinct: dict[str, str] = {}
    for key, value in values.items():
        if not OVERLAPPING.search(value):
            distinct.setdefault(value.casefold(), key)
    return sorted(distinct.values(), key=lambda key: name_of(values[key]))


def _chain(ages: Mapping[str, tuple[int, int]]) -> list[str]:
    """The chain from age 0 to the oldest with the most groups; empty where there is a gap."""
    best: dict[int, list[str]] = {0: []}
    for key, (low, high) in sorted(ages.items(), key=lambda item: item[1]):
        if low in best and len(best[low]) + 1 > len(best.get(high + 1, ())):
            best[high + 1] = [*best[low], key]
    return best.get(OLDEST + 1, [])
