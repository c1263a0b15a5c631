"""Bounds as people write them: ``more than $100 million``, ``5% or less``, ``between 5 and 10 million``."""

from __future__ import annotations

import re
from dataclasses import dataclass

from shared.query.readings import Comparator, Threshold
from shared.text.number_scan import NumberMatch, find_numbers

_MORE = r"(?:greater|more|higher|larger|bigger|better|older|longer)"
_FEWER = r"(?:less|lower|fewer|smaller|worse|younger|shorter)"
_BEFORE: tuple[tuple[str, Comparator], ...] = (
    (
        rf"(?:is |are )?{_MORE} than or equals?(?: to)?|no {_FEWER} than|not (?:less|fewer|lower|below"
        rf"|under)(?: than)?"
        r"|at (?:the )?(?:very )?least|a minimum of|minimum of|>=|≥|=>|starting at",
        Comparator.AT_LEAST,
    ),
    (
        rf"(?:is |are )?{_FEWER} than or equals?(?: to)?|no {_MORE} than|not (?:more|higher|greater|larger|above"
        rf"|over)(?: than)?"
        r"|(?:does|do|did) not exceed|not exceeding|at (?:the )?(?:very )?most|a maximum of|maximum of"
        r"|up to|<=|≤|=<",
        Comparator.AT_MOST,
    ),
    (
        rf"{_MORE} than|over|above|exceeds?|exceeding|exceeded|in excess of|upwards of|beyond|surpass(?:es"
        rf"|ed|ing)?"
        r"|topp(?:ed|ing)|tops|north of|>",
        Comparator.GREATER,
    ),
    (rf"{_FEWER} than|under|below|beneath|short of|south of|<", Comparator.LESS),
    (r"exactly|equal(?:s|ing)? to|equals|precisely", Comparator.EQUAL),
)
_OR_MORE = r"or (?:more|higher|greater|above|over|better|larger|older)|and (?:above|over|up|higher|more)|\+|plus\b"
_OR_LESS = r"(?:or (?:less|lower|fewer|below|under|smaller)|and (?:below|under|less))\b"
_AFTER: tuple[tuple[re.Pattern[str], Comparator], ...] = (
    (re.compile(rf"\s*(?:{_OR_MORE})", re.IGNORECASE), Comparator.AT_LEAST),
    (re.compile(rf"\s*{_OR_LESS}", re.IGNORECASE), Comparator.AT_MOST),
)
_HEDGE = r"(?:\s(?:about|around|roughly|approximately|the|some|a total of))?\s?$"
_LEADS = [
    (re.compile(rf"(?:(?<![\w])|(?=[<>≤≥=]))(?P<phrase>{phrase}){_HEDGE}", re.IGNORECASE), comparator)
    for phrase, comparator in _BEFORE
]
_BETWEEN = re.compile(r"(?<!\w)(?:between|from|ranging from|in the range of)\s?$", re.IGNORECASE)
_YEAR = re.compile(r"(?<![\w.,$])(?:19|20)\d\d(?![\w%]|[.,]\d)")
_JOIN = re.compile("\\s?(?:and|to|-|\N{EN DASH})\\s?", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ThresholdMatch:
    """A threshold and where it stands in the text."""

    start: int
    end: int
    threshold: Threshold


def find_thresholds(text: str) -> list[ThresholdMatch]:
    """All bounds stated in ``text``, in order. Years and spans of years are left to the period parser."""
    numbers = find_numbers(text, fractions=True)
    found: list[ThresholdMatch] = []
    index = 0
    while index < len(numbers):
        number = numbers[index]
        following = numbers[index + 1] if index + 1 < len(numbers) else None
        span = _between(text, number, following) if following else None
        if span:
            found.append(span)
            index += 2
            continue
        bound = _bound(text, number, following, floor=found[-1].end if found else 0)
        if bound:
            found.append(bound)
        index += 1
    return found


def _between(text: str, low: NumberMatch, high: NumberMatch) -> ThresholdMatch | None:
    lead = _BETWEEN.search(text, 0, low.start)
    if not lead or not _JOIN.fullmatch(text, low.end, high.start) or (_is_year(low) and _is_year(high)):
        return None
    if lead.group().lower().startswith("from") and low.unit is None and high.unit is None:
        return None  # "from 3 to 5" tells of a change more often than of a bound
    value = low.value
    if low.step >= 1 and high.value > 0 and low.bare:
        # "between 5 and 10 million": the scale is said once, at the end.
        factor = high.scale
        value = low.value * factor if low.value * factor <= high.value else low.value
    elif low.unit and low.value < high.value and low.scale == 1 and low.value * high.scale <= high.value:
        value = low.value * high.scale
    lower, upper = sorted((value, high.value))
    start = lead.start()
    threshold = Threshold(
        comparator=Comparator.BETWEEN,
        value=lower,
        upper=upper,
        unit=low.unit or high.unit,
        text=text[start : high.end],
    )
    return ThresholdMatch(start, high.end, threshold)


def _is_year(number: NumberMatch) -> bool:
    return number.bare and number.value == int(number.value) and 1700 <= number.value <= 2200


def _bound(text: str, number: NumberMatch, following: NumberMatch | None, *, floor: int) -> ThresholdMatch | None:
    for pattern, comparator in _AFTER:
        after = pattern.match(text, number.end)
        if after and following and not text[after.end() : following.start].strip():
            continue  # "over 10 and under 20": the words belong to the next number
        if after and not (_is_year(number) and "plus" not in after.group()):
            return _bounded(text, number.start, after.end(), number, comparator)
    for pattern, comparator in _LEADS:
        lead = pattern.search(text, max(floor, number.start - 60), number.start)
        if lead is None:
            continue
        if number.unit == "years" and lead["phrase"].lower() == "over" and number.value <= 30:
            return None  # "over 10 years" is a span of time
        if _is_year(number) and lead["phrase"].lower().endswith("than") and len(_YEAR.findall(text)) > 1:
            return None  # "in 2020 higher than 2019" compares years
        return _bounded(text, lead.start("phrase"), number.end, number, comparator)
    return None


def _bounded(text: str, start: int, end: int, number: NumberMatch, comparator: Comparator) -> ThresholdMatch:
    threshold = Threshold(comparator=comparator, value=number.value, unit=number.unit, text=text[start:end])
    return ThresholdMatch(start, end, threshold)
