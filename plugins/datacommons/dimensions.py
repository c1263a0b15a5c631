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

FIVE_YEARS = tuple(f"{low}To{low + 4}Years" for low in range(5, 85, 5))
SUFFIXES: Mapping[str, tuple[str, ...]] = {
    "age": ("Upto5Years", "0To4Years", *FIVE_YEARS, "85OrMoreYears"),
    "sex": ("Female", "Male"),
    "race": (
        "WhiteAlone",
        "BlackOrAfricanAmericanAlone",
        "AmericanIndianAndAlaskaNativeAlone",
        "AsianAlone",
        "NativeHawaiianAndOtherPacificIslanderAlone",
        "SomeOtherRaceAlone",
        "TwoOrMoreRaces",
    ),
}
"""How the ids of the variables of one value of a dimension differ from their total's, by the schema's own habit."""

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
    def ages(self) -> tuple[int, int] | None:
        """First and last year of age, for a value that is an age group."""
        return ages_of(self.value)

    @property
    def name(self) -> str:
        """The value as a reader is told it: ``under 5``, ``5 to 9``, ``85 and over``, ``female``."""
        ages = self.ages
        if ages is None:
            return self.value[:1].upper() + self.value[1:]
        low, high = ages
        if high == OLDEST:
            return f"{low} and over"
        return f"under {high + 1}" if low == 0 else f"{low} to {high}"


def constraints_of(document: TableDocument) -> dict[str, str]:
    """What a variable is limited to, by dimension: ``sex=female,age=5-9``."""
    found = {}
    for item in document.terms.get("constraints", "").split(","):
        name, mark, value = item.partition("=")
        if mark:
            key = name.strip()
            found[SYNONYMS.get(key.casefold(), key)] = value.strip()
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


def ids_of_parts(total: str, dimension: str) -> list[str]:
    """The ids that the parts of a total usually have: ``Count_Person_Female``, ``Count_Person_Female_...``."""
    kind, _, rest = total.removeprefix("Count_").partition("_")
    beginning = total.removesuffix(f"_{rest}") if rest else total
    suffixes = SUFFIXES.get(dimension, ())
    inside = [f"{beginning}_{suffix}_{rest}" for suffix in suffixes] if rest and kind else []
    return [*(f"{total}_{suffix}" for suffix in suffixes), *inside]


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


def partition(parts: Sequence[Part]) -> list[Part]:
    """The parts that cover everything once: an unbroken chain of age groups, or all that do not overlap."""
    aged = [(part.ages, part) for part in parts if part.ages is not None]
    if aged and len(aged) == len(parts):
        return _chain([(ages, part) for ages, part in aged if ages is not None])
    distinct: dict[str, Part] = {}
    for part in parts:
        if not OVERLAPPING.search(part.value):
            distinct.setdefault(part.value.casefold(), part)
    return sorted(distinct.values(), key=lambda part: part.name)


def _chain(aged: Sequence[tuple[tuple[int, int], Part]]) -> list[Part]:
    """The chain from age 0 to the oldest with the most groups; empty where there is a gap."""
    best: dict[int, list[Part]] = {0: []}
    for (low, high), part in sorted(aged, key=lambda item: item[0]):
        if low in best and len(best[low]) + 1 > len(best.get(high + 1, ())):
            best[high + 1] = [*best[low], part]
    return best.get(OLDEST + 1, [])
