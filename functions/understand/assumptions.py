"""What a reading took for granted: the sense of an adjective, an unsaid country, a judgement left open."""

from __future__ import annotations

import re

from functions.understand.rules import signals
from functions.understand.rules.dimensions import further_dimension
from functions.understand.rules.movement import AUXILIARY_START
from functions.understand.scan import Scan, lists_years
from shared.query.readings import (
    BreakdownReading,
    ComparisonReading,
    DifferenceReading,
    RankingReading,
    RatioReading,
    Reading,
    TrendReading,
    ValueReading,
    YesNoReading,
)

_ADJECTIVE = re.compile(
    r"\b(?P<word>rich|wealthy|prosperous|poor|safe|dangerous|violent|healthy|unhealthy|sick|"
    r"polluted|polluting|unequal|indebted"
    r"|corrupt|educated|visited|obese|fat)(?:er|est)?\b|\b(?P<ordered>richer|richest|wealthier|"
    r"wealthiest|poorer|poorest|safer"
    r"|safest|healthier|healthiest|unhealthiest|sickest|illest|deadliest|fattest|densest|oldest|youngest)\b"
)
_JUDGED = re.compile(r"\b(?:high|low|good|bad|a problem|an issue|strong|weak|large|big|small)\b")


def assumed(found: Scan, reading: Reading) -> tuple[str, ...]:
    """One sentence for each thing that was assumed, none when the question said it all."""
    notes = []
    measure = _measure(reading)
    adjective = _ADJECTIVE.search(found.masked)
    if adjective and measure and measure not in found.masked and _told_by(adjective.group(), measure):
        notes.append(f"“{adjective.group()}” is taken to be about {measure}")
    if isinstance(reading, RankingReading) and AUXILIARY_START.match(found.masked):
        notes.append(
            f"the {reading.direction.value} by {measure} is shown, and tells whether it is the one asked about"
        )
    if isinstance(reading, ValueReading) and AUXILIARY_START.match(found.masked) and _JUDGED.search(found.masked):
        notes.append(f"the figure for {measure} is shown; whether that is much or little is not judged")
    if any(population.assumed for population in found.populations):
        notes.append("the United States are taken to be meant, since no country is named")
    if isinstance(reading, TrendReading) and lists_years(found):
        notes.append("the years that are listed are shown within the span from the first to the last of them")
    if isinstance(reading, BreakdownReading):
        further = further_dimension(found.masked)
        if further:
            notes.append(
                f"the figures are split by {reading.dimension} alone; I cannot split them by {further} as well"
            )
    return tuple(notes)


def _measure(reading: Reading) -> str | None:
    match reading:
        case RankingReading() | ComparisonReading() | DifferenceReading() | YesNoReading() | ValueReading():
            return reading.measure.text
        case RatioReading():
            return reading.numerator.text
    return None


def _told_by(word: str, measure: str) -> bool:
    """Whether the measure is what the adjective alone told, so that there was a choice of senses."""
    stem = re.sub(r"(?:i?er|i?est)$", "", word)
    for candidate in (word, stem, f"{stem}y", f"{stem}e", signals.plain_of(word)):
        if candidate and signals.is_adjective(candidate):
            told = signals.lexeme_measure(candidate).text
            return told == measure or (told == "gdp per capita" and measure == "median household income")
    return word in {"oldest", "youngest"} and bool(re.search(r"aged|age\b", measure))
