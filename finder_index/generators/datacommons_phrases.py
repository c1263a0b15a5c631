"""A Data Commons variable's definition as an English noun phrase: ``Women aged 25 to 34``.

Everything comes from the fields of the schema: population, measure, statistic, qualifier, denominator and
constraints. Published names play no part in it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from finder_index.generators.datacommons_labels import Labels, Row, constraints_of, is_coded
from finder_index.generators.datacommons_wording import (
    CHILDREN_OF_SEX,
    FLAGS,
    MEASURES,
    NAMES,
    PEOPLE_OF_SEX,
    PERIODS,
    PHRASES,
    POPULATIONS,
    PREFIXES,
    QUALIFIERS,
    SAID_BY_MEASURE,
    STATISTICS,
    VALUES,
)
from finder_index.generators.words import lower_first, name_words, plural, range_words, sentence, split_words

_NOUNS: Mapping[str, tuple[tuple[str, ...], str]] = {
    "Fuel": (("fuelType", "energySource"), "{}"),
    "Energy": (("energySource", "fuelType"), "{} energy"),
    "Coal": (("energySource", "fuelType"), "{}"),
    "FarmInventory": (("farmInventoryType",), "{}"),
    "ConsumerGoodsAndServices": (("consumerGoodsCategory",), "{}"),
    "DrugDistribution": (("drugPrescribed",), "{}"),
    "Commodity": (("commodityType", "commodityCategory"), "{}"),
    "Emissions": (("emittedThing",), "{} emissions"),
    "MedicalConditionIncident": (("medicalCondition",), "cases of {}"),
    "Household": (("householdType",), "{}"),
    "Faculty": (("facultyType",), "{}"),
    "LandCover": (("landCoverType",), "land covered by {}"),
    "Debt": (("debtType",), "{}"),
}
"""Constraints that name the population better than its type does."""

_INLINE = frozenset({
    "age", "causeOfDeath", "naics", "industry", "contaminant", "contaminatedThing", "pollutant", "placeOfBirth",
    "schoolGradeLevel", "schoolSubject", "lendingEntity", "emissionSource", "energySource", "economicSector",
    "educationalAttainment", "householdSize", "mothersAge", "householderAge", "fromCurrency", "toCurrency",
})  # fmt: skip
_FIRST = ("age", "causeOfDeath", "medicalCondition", "schoolGradeLevel", "naics", "industry", "crimeType")
_VAGUE = re.compile(r"(?:other|all|total|unknown|none|yes|no|pass|negative|positive|adult|processed)\b.*")
_PLURAL_TYPES = frozenset({"Household", "Faculty"})
_GRADES = re.compile(r"(?P<school>.+)_Grade(?P<low>\d+)To(?P<high>\d+)")
_ZONE = re.compile(r"FEMAFloodZone(?P<zone>[A-Z]{1,2}\d*)")
_YEARS = re.compile(r" years?\b")
ADULT = 18


@dataclass(frozen=True, slots=True)
class Phrase:
    """``title`` says the whole; ``subject`` is whom or what it is about, as it stands inside a sentence."""

    title: str
    subject: str
    counts: bool
    plain_age: str
    """The age in words, when sex and age are all that the variable is split by."""


def phrase(row: Row, labels: Labels, titles: Mapping[str, str]) -> Phrase:
    """The phrase of a variable; ``titles`` gives the titles of denominators."""
    pairs = constraints_of(row)
    values = dict(pairs)
    noun, used = _noun(row["populationType"], values, labels)
    order = sorted((p for p in pairs if p[0] not in used), key=_rank)
    spoken = [
        (name in _INLINE, constraint_words(name, value, labels, joint=_joint(value, row["dcid"])))
        for name, value in order
    ]
    inline = " ".join([noun, *(words for inside, words in spoken if inside and words)]).strip()
    subject = ", ".join(part for part in [inline, *(words for inside, words in spoken if not inside)] if part)
    period, remarks = _qualifier(row["measurementQualifier"])
    statistic = STATISTICS.get(row["statType"].split(",")[0], split_words(row["statType"]))
    counts = row["measuredProperty"] == "count"
    measure = "number" if counts else MEASURES.get(row["measuredProperty"], split_words(row["measuredProperty"]))
    plain = counts and not period and not statistic
    head = "" if plain else " ".join(part for part in (period, statistic, measure) if part)
    # A measure of no population in particular, as of weather, is only qualified by its constraints.
    joint = " of " if noun and measure else ", " if measure else " "
    title = f"{head}{joint}{subject}" if head and subject else head or subject or "value"
    title = ", ".join([title, *remarks])
    if denominator := row["measurementDenominator"]:
        title += f", {_share_of(denominator, row['populationType'], titles)}"
    simple = set(values) <= {"age", "gender"} and row["populationType"] == "Person" and plain
    age = constraint_words("age", values["age"], labels).removeprefix("aged ") if simple and "age" in values else ""
    return Phrase(sentence(title), subject, plain and not denominator, age)


def constraint_words(name: str, value: str, labels: Labels, joint: str = " or ") -> str:
    """One constraint as a phrase: ``age=Years25To34`` as ``aged 25 to 34``."""
    if name in FLAGS:
        return FLAGS[name][value != "True"]
    if value in {"True", "False"}:
        return f"{'' if value == 'True' else 'not '}{split_words(name)}"
    words = name_words(value) if name in NAMES and not is_coded(value) else value_words(value, labels, joint)
    template = PHRASES.get(name)
    if template is None:
        if range_words(value) or _VAGUE.fullmatch(words) or name.endswith("Quantity"):
            return f"{split_words(name)} {words}"
        return words
    if "aged" in template:
        words = _YEARS.sub("", words)
    # A value that is a whole phrase of its own takes no preposition before it.
    if words.startswith(("with ", "without ", "in ")) and template.startswith(("with ", "in ")):
        return words
    return template.format(words)


@lru_cache(maxsize=100_000)
def value_words(value: str, labels: Labels, joint: str = " or ") -> str:
    """A constraint's value in words; several values of one constraint are joined by ``joint``."""
    if value in VALUES:
        return VALUES[value]
    if is_coded(value):
        label = labels.of(value)
        if label:
            named = " " in label or value.startswith("country/")
            return label if value.startswith("country/") else lower_first(label) if named else split_words(label)
    parts = []
    for part in value.replace(",", "__").split("__"):
        bare = next((part.removeprefix(prefix) for prefix in PREFIXES if part.startswith(prefix)), part)
        if match := _GRADES.fullmatch(bare):
            parts.append(f"{split_words(match['school'])} (grades {match['low']} to {match['high']})")
        elif match := _ZONE.fullmatch(bare):
            parts.append(f"FEMA flood zone {match['zone']}")
        else:
            parts.append(VALUES.get(part) or range_words(bare) or split_words(bare) or bare)
    return joint.join(dict.fromkeys(parts))


def _joint(value: str, dcid: str) -> str:
    """How several values of one constraint belong together: the id joins alternatives by "Or"."""
    parts = value.split("__")
    return " and " if "_".join(parts) in dcid and "Or".join(parts) not in dcid else " or "


def _noun(population: str, values: Mapping[str, str], labels: Labels) -> tuple[str, set[str]]:
    """The noun of a population, and the constraints that it already says."""
    if population.startswith("SDG_"):
        return lower_first(labels.of(population) or split_words(population.removeprefix("SDG_"))), set()
    sex = values.get("gender", "")
    young = _upper_age(values.get("age", "")) < ADULT
    if population in PEOPLE_OF_SEX and sex in PEOPLE_OF_SEX[population]:
        by_sex = CHILDREN_OF_SEX if young and population == "Person" else PEOPLE_OF_SEX[population]
        return by_sex[sex], {"gender"}
    if population == "Person" and young:
        return "children", set()
    names, template = _NOUNS.get(population, ((), ""))
    for name in names:
        if name in values:
            words = value_words(values[name], labels)
            return template.format(plural(words) if population in _PLURAL_TYPES else words), {name}
    return POPULATIONS.get(population, plural(split_words(population))), set()


def _upper_age(age: str) -> int:
    """The highest age of a range; far above any when it is open or not stated."""
    numbers = [int(number) for number in re.findall(r"\d+", age)]
    return numbers[-1] if numbers and "Onwards" not in age and "-" not in age[-8:] else 999


def _rank(pair: tuple[str, str]) -> tuple[int, int]:
    name, _ = pair
    return (pair in SAID_BY_MEASURE, _FIRST.index(name) if name in _FIRST else len(_FIRST))


def _qualifier(qualifier: str) -> tuple[str, list[str]]:
    if qualifier in PERIODS:
        return split_words(qualifier), []
    return "", [QUALIFIERS.get(qualifier, split_words(qualifier))] if qualifier else []


def _share_of(denominator: str, population: str, titles: Mapping[str, str]) -> str:
    if denominator == "Count_Person":
        return "as a share of all people" if population == "Person" else "per person"
    whole = titles.get(denominator)
    words = lower_first(whole) if whole else split_words(denominator.removeprefix("Count_"))
    return f"as a share of {words}"
