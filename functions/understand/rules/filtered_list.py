"""The members of a population that meet conditions."""

from __future__ import annotations

import re
from decimal import Decimal
from typing import Any

from functions.understand.measures import measure
from functions.understand.rules.membership import COUNTRIES, members_of, within_named
from functions.understand.rules.references import conditions_against
from functions.understand.rules.residue import quantity
from functions.understand.rules.shares import bounded_share
from functions.understand.scan import Scan, is_group
from shared.query.readings import (
    Comparator,
    Condition,
    FilteredListReading,
    MeasureMention,
    Reading,
    Threshold,
)
from shared.runtime.errors import CannotRead

_SETLESS = re.compile(r"^(?:in which|which|who|where|what|whose|list|those|places|anywhere|name)\b")
_FILTER_FORM = (
    r"\b(?:with|that|which|whose|where|who|had|have|has|having|were|was|are|is|a|an|"
    r"the|in|there|list|of|all|name|give|show|find|spent|spends|spend|their|its|get|"
    r"got|see|saw|experienced|reached|rose|exceeded|lives?|lived|people in it|places|"
    r"less|more|also|but|both|and|at the same time|not)\b"
)


def filtered_list(scan: Scan) -> Reading | None:
    """The members of a population that meet conditions."""
    text = scan.masked
    groups, marks = scan.marks("G"), scan.marks("E")
    against = conditions_against(scan, text)
    if not (scan.bounds or against) or re.match(
        r"^(?:(?:in )?how many|number of|the number of|count|is|are|does|do|did|was|were|has|have|had)\s(?!there)",
        text,
    ):
        return None
    if against:
        if not (groups or _SETLESS.match(text)):
            return None
        of = scan.population(groups[0]).mention if groups else COUNTRIES
        return FilteredListReading(population=of, conditions=against, period=scan.period)
    if groups:
        of = within_named(scan, scan.population(groups[0]).mention)
    elif _SETLESS.match(text) and (not marks or is_group(scan.name(marks[0]))):
        of = members_of(scan.name(marks[0])) if marks else COUNTRIES
    elif (
        len(marks) == 1
        and is_group(scan.name(marks[0]))
        and re.match(r"^(?:the\s)?E\d+ (?:with|where|that|whose)\b", text)
    ):
        of = members_of(scan.name(marks[0]))
    else:
        return None
    exhaustive = not re.match(r"^(?:some|an example|examples? of|any|a few|one)\b", text)
    return FilteredListReading(
        population=of, conditions=conditions(scan, text), period=scan.period, exhaustive=exhaustive
    )


_UNIT_MEASURES = {"people": "population", "sq. km": "surface area", "hectares": "surface area"}


def conditions(scan: Scan, text: str) -> tuple[Condition, ...]:
    """The conditions of a filter; one measure for each bound, the last measure serving bounds without one.

    Raises ``CannotRead`` when a bound has no measure or two bounds of one measure exclude each other.
    """
    body = re.sub(r"\b(?:which|what|list|all|name|in|of)?\s?(?:the\s)?G\d+\b", " ", text, count=1)
    pieces = re.split(
        r",\s(?=T\d)|(?<=T\d)\s?(?:,\s?(?:and\s|but\s)?|\sand\s|\sbut\s)|\s(?:and|but)\s(?=.*\bT\d)", body
    )
    pieces = _rejoined(pieces)
    found: list[Condition] = []
    pending: list[Threshold] = []
    last: MeasureMention | None = None
    for piece in pieces:
        bounds = [scan.bounds[int(number)] for number in re.findall(r"\bT(\d+)\b", piece)]
        moved = _moved(scan, piece, bounds)
        if moved is not None:
            found.append(moved)
            last = None
            continue
        wanted = condition_measure(piece, bounds)
        if wanted is None and last is not None and bounds:
            wanted = last
        if wanted is None:
            pending += bounds
            continue
        last = wanted
        found += [Condition(measure=wanted, threshold=bound) for bound in (*pending, *bounds)]
        pending = []
    if pending and not found:
        raise CannotRead(
            f"it holds “{pending[0].text}” against no quantity that I can tell",
            ["countries with a population over 100 million", "Which countries have inflation above 10%?"],
        )
    if not found:
        raise CannotRead("it states no condition that I can tell", ["countries with a population over 100 million"])
    found += [Condition(measure=found[-1].measure, threshold=bound) for bound in pending]
    _require_possible(found)
    return tuple(found)


_MOVED = re.compile(
    r"^(?:(?:whose|where|with|that|which|had|saw|and|also|the|their|its|have|has|')\s*|(?P<what>populations?|"
    r"(?:real |total |per capita )*(?:gdp|gni)(?: per (?:capita|person|head))?|econom(?:y|ies)|G\d+|"
    r"economic output|output)\s)*"
    r"(?:(?P<down>shr[aiu]nk(?:s|ing)?|contract(?:s|ed|ing)?|declin(?:es?|ed|ing)|f[ae]ll(?:s|en|ing)?|drop(?:s|ped|ping)?|"
    r"decreas(?:es?|ed|ing)|los[est]+|plunged|slumped)|(?P<up>gr[eo]w(?:s|n|ing)?|expand(?:s|ed|ing)?|"
    r"increas(?:es?|ed|ing)|rose|rises?|risen))\s(?:by\s|at\s)?T\d+(?:\s(?:or more|a year|per year|"
    r"annually))?[\s,.?]*"
    r"(?:(?:in|during)?\s?Y\d+)?[\s,.?]*$"
)
_GROWTH_OF = {"population": "population growth", "gdp per capita": "gdp per capita growth", "gni": "gni growth"}
_TURNED = {
    Comparator.GREATER: Comparator.LESS,
    Comparator.AT_LEAST: Comparator.AT_MOST,
    Comparator.LESS: Comparator.GREATER,
    Comparator.AT_MOST: Comparator.AT_LEAST,
}
_WORDED = {
    Comparator.LESS: "less than",
    Comparator.AT_MOST: "at most",
    Comparator.GREATER: "more than",
    Comparator.AT_LEAST: "at least",
    Comparator.EQUAL: "of",
    Comparator.BETWEEN: "between",
}


def _moved(scan: Scan, piece: str, bounds: list[Threshold]) -> Condition | None:
    """As in "whose economy shrank by T0": a fall of more than 5% is a growth of less than -5%."""
    match = _MOVED.match(piece.strip())
    if match is None or len(bounds) != 1 or bounds[0].unit != "%":
        return None
    named = measure(match["what"]) if match["what"] and not match["what"].startswith("G") else None
    if match["what"] and match["what"].startswith("G") and scan.population(match["what"]).noun != "economies":
        return None
    growth = MeasureMention(text=_GROWTH_OF.get(named.text if named else "gdp", "gdp growth"))
    bound = bounds[0]
    if match["down"]:
        turned: dict[str, Any] = {
            "comparator": _TURNED.get(bound.comparator, bound.comparator),
            "value": -bound.value,
        }
        if bound.upper is not None:
            turned |= {"value": -bound.upper, "upper": -bound.value}
            turned["text"] = f"between {-bound.upper}% and {-bound.value}%"
        else:
            turned["text"] = f"{_WORDED[turned['comparator']]} {-bound.value}%"
        bound = bound.model_copy(update=turned)
    return Condition(measure=growth, threshold=bound, comparator=bound.comparator)


def _rejoined(pieces: list[str]) -> list[str]:
    """Pieces without a bound belong to their neighbour ("trade and growth over T0")."""
    joined: list[str] = []
    carry = ""
    for piece in pieces:
        whole = f"{carry} and {piece}" if carry else piece
        if re.search(r"\bT\d", whole):
            joined.append(whole)
            carry = ""
        else:
            carry = whole
    if carry and joined:
        joined[-1] = f"{joined[-1]} and {carry}"
    return joined


def condition_measure(piece: str, bounds: list[Threshold]) -> MeasureMention | None:
    """The measure that one condition is about."""
    if bounds:
        shared = bounded_share(piece, bounds[0])
        if shared is not None:
            return shared
    wanted = quantity(piece, _FILTER_FORM, r"\b(?:T\d+ (?:of|in|people|for)\b)")
    if wanted is None:
        wanted = quantity(re.sub(r"\bT\d+\b", " ", piece), _FILTER_FORM)
    if wanted is None and bounds and bounds[0].unit in _UNIT_MEASURES:
        wanted = MeasureMention(text=_UNIT_MEASURES[bounds[0].unit])
    adjective = re.search(r"\b(?:richer|poorer|larger|bigger|smaller)\b", piece)
    if wanted is None and adjective and bounds:
        wanted = measure("gdp per capita" if adjective.group() in {"richer", "poorer"} else "area")
    return wanted


def _require_possible(found: list[Condition]) -> None:
    """Refuse bounds on one measure that no figure can meet."""
    lows: dict[str, tuple[Decimal, bool]] = {}
    highs: dict[str, tuple[Decimal, bool]] = {}
    for condition in found:
        name, bound = condition.measure.text, condition.threshold
        if bound is None:
            continue
        low, high = _interval(bound)
        if low is not None:
            lows[name] = max(lows.get(name, low), low)
        if high is not None:
            highs[name] = min(highs.get(name, high), high)
    for name, low in lows.items():
        high = highs.get(name)
        if high is not None and (low[0] > high[0] or (low[0] == high[0] and (low[1] or high[1]))):
            raise CannotRead(
                f"its conditions on {name} contradict each other: no figure can be {_said(found, name)} at once",
                ["countries with unemployment between 2% and 5%"],
            )


def _said(found: list[Condition], name: str) -> str:
    bounds = (condition.threshold for condition in found if condition.measure.text == name)
    return " and ".join(bound.text for bound in bounds if bound is not None)


def _interval(bound: Threshold) -> tuple[tuple[Decimal, bool] | None, tuple[Decimal, bool] | None]:
    value = bound.value
    match bound.comparator:
        case Comparator.GREATER:
            return (value, True), None
        case Comparator.AT_LEAST:
            return (value, False), None
        case Comparator.LESS:
            return None, (value, True)
        case Comparator.AT_MOST:
            return None, (value, False)
        case Comparator.EQUAL:
            return (value, False), (value, False)
        case Comparator.BETWEEN:
            return (value, False), (bound.upper if bound.upper is not None else value, False)
