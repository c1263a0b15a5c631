"""Turn the codes of publishers' schemas into words: camel case, ranges, plurals, questions."""

from __future__ import annotations

import re
from functools import lru_cache

_TOKEN = re.compile(r"[A-Z]{2,}(?![a-z])|[A-Z][a-z]+|[a-z]+|\d+(?:\.\d+)?%?|[A-Z]")
_RANGE = re.compile(
    r"(?P<unit>[A-Za-z_]*?)_?(?P<low>\d+(?:\.\d+)?)?"
    r"(?P<kind>To|Onwards|Upto)(?P<high>\d+(?:\.\d+)?)?"
)
_EXACT = re.compile(r"(?P<unit>Years?|Month|Weeks?|Hour|Minute|Rooms|Bedrooms|Person|Child|Worker|Children"
                    r"|AvailableVehicles|Millibar|Percentile|Portion|Grade|SchoolGrade|Percent|Celsius|Day|Date)"
                    r"(?P<low>\d+(?:\.\d+)?)")  # fmt: skip
_BRACKET = re.compile(r"\[(?P<parts>[^\]]+)\]")

UNITS = {
    "Years": "years", "Year": "years", "Month": "months", "Week": "weeks", "Weeks": "weeks", "Hour": "hours",
    "Minute": "minutes", "Rooms": "rooms", "Bedrooms": "bedrooms", "Person": "people", "Child": "children",
    "Children": "children", "Worker": "workers", "AvailableVehicles": "vehicles", "Day": "days",
    "OccupantsPerRoom": "occupants per room", "Celsius": "degrees Celsius", "Percent": "percent",
    "Portion": "portions", "Cigarettes": "cigarettes", "Millibar": "millibars", "Meter": "meters",
    "M": "magnitude", "RatioToPovertyLine": "times the poverty line",
    "RatioToHouseholdIncome": "times household income", "StudentTeacherRatio": "students per teacher",
}  # fmt: skip
_MONEY = {"USDollar": "$", "InflationAdjustedUSD_CurrentYear": "$"}
_PREFIXED = {
    "Grade": "grade {}", "SchoolGrade": "grade {}", "Percentile": "percentile {}", "Date": "{}",
    "Millibar": "at {} millibars",
}  # fmt: skip
_PROPER = {
    word.lower(): word
    for word in (
        "Hispanic", "Latino", "Asian", "African", "American", "Alaska", "Indian", "Hawaiian", "Pacific", "Chinese",
        "English", "Spanish", "Hinduism", "Islam", "Christianity", "Sikhism", "Buddhism", "Jainism", "Judaism",
        "Celsius", "Medicaid", "Medicare", "Europe", "Asia", "Africa", "Malay", "Catholicism", "Eastern",
        "Jehovahs", "Puerto", "Rico", "Mexico", "Korea", "India", "China", "Japan", "Germany", "France", "Kingdom",
        "Filipino", "Japanese", "Korean", "Vietnamese", "Samoan", "Guamanian", "Arab", "January", "February",
        "March", "April", "June", "July", "August", "September", "October", "November", "December",
    )
} | {"eu28": "EU28", "us": "US"}  # fmt: skip


@lru_cache(maxsize=200_000)
def split_words(code: str) -> str:
    """``BlackOrAfricanAmericanAlone`` as ``Black or African American alone``-like lower-case words.

    Abbreviations stay in capitals, and so do names of peoples, faiths and continents.
    """
    words = []
    for token in _TOKEN.findall(code.replace("_", " ")):
        lower = token.lower()
        if len(token) > 1 and token.isupper():
            words.append(token)
        else:
            words.append(_PROPER.get(lower, lower))
    return " ".join(words)


def range_words(value: str) -> str | None:
    """A range as words: ``Years25To34`` as ``25 to 34 years``; ``None`` for what is no range."""
    if match := _BRACKET.fullmatch(value):
        return _bracket_words(match["parts"].split())
    if match := _EXACT.fullmatch(value):
        low = match["low"]
        if pattern := _PREFIXED.get(match["unit"]):
            return pattern.format(low)
        return f"{low} {UNITS.get(match['unit'], split_words(match['unit']))}"
    match = _RANGE.fullmatch(value)
    if not match or not (match["low"] or match["high"]):
        return None
    unit, low, high = match["unit"], match["low"], match["high"]
    if match["kind"] == "Upto":
        if low or not high:
            return None
        return f"{high} or earlier" if unit == "Date" else _quantified(unit, f"up to {_number(unit, high)}")
    if not low:
        return None
    if match["kind"] == "Onwards":
        if high:
            return None
        return f"{low} or later" if unit == "Date" else _quantified(unit, f"{_number(unit, low)} or more")
    return _quantified(unit, f"{_number(unit, low)} to {_number(unit, high)}") if high else None


def _bracket_words(parts: list[str]) -> str:
    numbers = [part for part in parts if re.fullmatch(r"-?\d+(?:\.\d+)?", part)]
    units = [part for part in parts if re.fullmatch(r"[A-Za-z]+", part)]
    unit = " ".join(UNITS.get(part, split_words(part)) for part in units)
    if parts and parts[0] == "-" and numbers:
        return f"up to {numbers[0]} {unit}".strip()
    if "-" in parts and numbers:
        return f"{numbers[0]} or more {unit}".strip()
    return f"{' to '.join(numbers)} {unit}".strip()


def _number(unit: str, number: str) -> str:
    return f"{_MONEY[unit]}{int(number):,}" if unit in _MONEY and number.isdigit() else number


def _quantified(unit: str, amount: str) -> str:
    if unit in _MONEY or unit in {"Date", "Grade", "SchoolGrade"}:
        return f"{split_words(unit)} {amount}" if unit in {"Grade", "SchoolGrade"} else amount
    return f"{amount} {UNITS.get(unit, split_words(unit))}".strip()


def plural(noun: str) -> str:
    """The plural of an English noun phrase, by its last word."""
    if not noun or (noun.endswith(("s", "ing", "age")) and not noun.endswith(("ss", "ness", "us"))):
        return noun
    if noun.endswith(("ss", "x", "ch", "sh", "us")):
        return noun + "es"
    if noun.endswith("y") and noun[-2:-1] not in "aeiou":
        return noun[:-1] + "ies"
    return noun + "s"


def sentence(text: str) -> str:
    """The text with a capital first letter."""
    return text[:1].upper() + text[1:]


def lower_first(text: str) -> str:
    """The text with a small first letter, unless its first word is an abbreviation or a name."""
    first = re.split(r"[ ,/-]", text, maxsplit=1)[0]
    if len(first) > 1 and (first[1:] != first[1:].lower() or first.lower() in _PROPER or first.endswith(".")):
        return text
    return text[:1].lower() + text[1:]


def name_words(code: str) -> str:
    """A proper name that was joined by underscores or capitals, with its capitals."""
    return " ".join(_TOKEN.findall(code.replace("_", " ")))


def plain_case(text: str) -> str:
    """Words of a heading with small first letters, but for names and abbreviations."""
    return re.sub(r"\b[A-Z][a-z']+\b|\bA\b", lambda match: _PROPER.get(match[0].lower(), match[0].lower()), text)


def slug(text: str) -> str:
    """A tag: lower-case words joined by hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")
