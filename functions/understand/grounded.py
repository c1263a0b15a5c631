"""Holds a model's reading against the question: its words and numbers must come from there.

A reading is what the question says. A bound that the question does not set, a figure inside a name or a far-off
year would be printed beside published figures, and nobody could tell who made it up.
"""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import TYPE_CHECKING

from pydantic import BaseModel

from shared.query.quantity import Entity
from shared.query.readings import PeriodAsked, Threshold
from shared.text.remarks import fault_of, few_digits, known_number, numbers_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from shared.query.readings import Reading

YEARS = range(1500, 2201)
MOST_COUNTED = 1000
"""Members or years that a question may ask for by number."""
_FRACTIONS = {"half": 50, "halv": 50, "quarter": 25, "third": 33, "fifth": 20, "tenth": 10, "twice": 2, "doubl": 2}
_FIGURED = {"six": 5, "seven": 6, "eight": 7, "nine": 8}
"""Powers of ten: what has seven figures is a million at least."""


def not_grounded(question: str, readings: Sequence[Reading]) -> str | None:
    """What a reading holds that the question does not, or ``None``."""
    numbers = _numbers(question)
    for reading in readings:
        for value in _parts(reading):
            if isinstance(value, str):
                reason = fault_of(value, (question,), naming=True)
            elif isinstance(value, Threshold):
                reason = _bound(value, question, numbers)
            elif isinstance(value, PeriodAsked):
                reason = _period(value)
            else:
                reason = _count(value)
            if reason is not None:
                return reason
    return None


def years_of_its_own(question: str, reading: Reading) -> list[int]:
    """The years of a reading that the question has neither in full, nor in short, nor as a decade's."""
    periods = [value for value in _parts(reading) if isinstance(value, PeriodAsked)]
    years = {year for period in periods for year in (period.start, period.end) if year is not None}
    said = [
        (str(year)[:3], f"'{year % 100:02}", f"\N{RIGHT SINGLE QUOTATION MARK}{year % 100:02}", year)
        for year in years
    ]
    return sorted(year for *forms, year in said if not any(form in question for form in forms))


def _numbers(question: str) -> frozenset[Decimal]:
    text = question.casefold()
    found = set(numbers_of((question,))) | {Decimal(0)}
    found |= {Decimal(value) for word, value in _FRACTIONS.items() if word in text}
    if "figure" in text or "digit" in text:
        found |= {Decimal(10) ** power for word, power in _FIGURED.items() if word in text}
    return frozenset(found)


def _parts(value: object) -> Iterator[str | int | Threshold | PeriodAsked]:
    """Texts, counts, bounds and periods anywhere in a reading; entities with identifiers are the gazetteer's."""
    match value:
        case Threshold() | PeriodAsked():
            yield value
            yield from (text for text in (value.text, getattr(value, "unit", None)) if text)
        case Entity() if value.keys:
            return
        case BaseModel():
            for name in type(value).model_fields:
                if name not in {"type", "keys"}:
                    yield from _parts(getattr(value, name))
        case tuple():
            for inner in value:
                yield from _parts(inner)
        case bool():
            return
        case str() | int():
            yield value


def _bound(threshold: Threshold, question: str, numbers: frozenset[Decimal]) -> str | None:
    for value in (threshold.value, threshold.upper):
        if value is None or known_number(value, numbers):
            continue
        # Number words of other languages are not known here: then it is a round number of the question's words.
        told = len(numbers) > 1 or threshold.text.casefold().strip() not in question.casefold()
        if told or not few_digits(value):
            return "a bound is not a number of the question"
    return None


def _period(period: PeriodAsked) -> str | None:
    if any(year is not None and year not in YEARS for year in (period.start, period.end)):
        return f"a year is not from {YEARS.start} to {YEARS.stop - 1}"
    return None if period.count is None else _count(period.count)


def _count(count: int) -> str | None:
    return None if 0 < count <= MOST_COUNTED else f"a count is not from 1 to {MOST_COUNTED}"
