"""A bound held against a measure: first whether they are of one unit, then whether a value meets it."""

from __future__ import annotations

from decimal import Decimal

from shared.query.evidence import Measure
from shared.query.quantity import UnitKind
from shared.query.readings import Comparator, MeasureMention, Threshold

_PARITY_WORDS = ("ppp", "purchasing power", "international dollar", "international $")


def meets(value: Decimal, bound: Threshold) -> bool:
    """Whether the value meets the bound; ``between`` includes both ends."""
    match bound.comparator:
        case Comparator.GREATER:
            return value > bound.value
        case Comparator.AT_LEAST:
            return value >= bound.value
        case Comparator.LESS:
            return value < bound.value
        case Comparator.AT_MOST:
            return value <= bound.value
        case Comparator.EQUAL:
            return value == bound.value
        case Comparator.BETWEEN:
            return bound.upper is not None and bound.value <= value <= bound.upper


def impossible(bound: Threshold) -> bool:
    """Whether no value can meet the bound."""
    return bound.comparator is Comparator.BETWEEN and bound.upper is not None and bound.upper < bound.value


def threshold_conflict(bound: Threshold, measure: Measure, asked: MeasureMention | None) -> str | None:
    """Why the bound cannot be held against the measure, or ``None``.

    A bound without a unit fits any measure in plain numbers; for a percentage it must look like one.
    """
    unit, wanted = measure.unit, bound.unit
    mismatch = f"“{bound.text}” cannot be held against {measure.name}, which is in {unit.label or 'plain numbers'}"
    if wanted is None:
        return mismatch if unit.kind is UnitKind.PERCENT and abs(bound.value) > 1000 else None
    if wanted == "%":
        return None if unit.kind is UnitKind.PERCENT else mismatch
    if unit.kind is UnitKind.CURRENCY:
        words = asked.text.casefold() if asked else ""
        parity = (unit.price_basis or "").startswith("ppp")
        if parity:
            dollars = wanted in {"USD", unit.code, unit.currency}
            return None if dollars and any(word in words for word in _PARITY_WORDS) else mismatch
        return None if wanted in {unit.currency, unit.code} else mismatch
    if unit.kind is UnitKind.RATE or wanted.startswith("per "):
        scale = wanted.removeprefix("per ")
        rate = " ".join(part for part in (unit.per, unit.code, unit.label) if part).casefold()
        return None if scale.casefold() in rate else mismatch
    if unit.kind is UnitKind.COUNT and wanted == "people":
        return None if unit.code in {"people", "persons", ""} else mismatch
    said = {unit.code.casefold(), unit.label.casefold()}
    fits = any(wanted.casefold().rstrip("s") in word or (word and word in wanted.casefold()) for word in said)
    return None if fits else mismatch
