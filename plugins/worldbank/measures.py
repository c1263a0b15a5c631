"""A World Bank document as a measure: its unit, prices and whether members may be summed."""

from __future__ import annotations

import re
from typing import Literal, get_args

from plugins.choice.wording import denominator
from shared.query.discovery import TableDocument
from shared.query.evidence import Measure
from shared.query.quantity import Unit, UnitKind

PriceBasis = Literal["current", "constant", "ppp-current", "ppp-constant"]

INTERNATIONAL_DOLLARS = "international $"
CURRENCIES = {"USD": "USD", INTERNATIONAL_DOLLARS: "INT$", "LCU": "LCU"}
"""The currency behind each money unit of the World Bank."""

_NOT_A_TOTAL = re.compile(
    r"\bper\b|\baverage\b|\bmean\b|\bmedian\b|\blargest\b|\bprocedures\b|\btax payments\b|\bspecies\b",
    re.IGNORECASE,
)
"""Titles of figures that no sum over members is of the same kind as."""

EXTENTS = frozenset({"sq. km", "km", "kt", "kt CO2e", "hectares", "billion cubic meters"})
"""Physical units whose amounts add up over members; years, days and exposures do not."""


def measure_of(document: TableDocument, *, source: str, meaning: str | None = None) -> Measure:
    """The measure that a document describes; ``meaning`` labels it among several of one name."""
    unit = unit_of(document)
    return Measure(
        source=source,
        variable=document.variable,
        name=document.title,
        unit=unit,
        definition=document.description,
        grain="country",
        additive=adds_up(document, unit),
        meaning=meaning,
    )


def unit_of(document: TableDocument) -> Unit:
    """The unit in the document's own terms; a document without one has a bare number."""
    terms = document.terms
    code = terms.get("unit", "")
    kind = terms.get("unitKind", "none")
    basis = terms.get("priceBasis")
    return Unit(
        kind=UnitKind(kind) if kind in set(UnitKind) else UnitKind.NONE,
        code=code,
        label=terms.get("unitLabel") or code,
        currency=CURRENCIES.get(code) if kind == UnitKind.CURRENCY else None,
        price_basis=_price_basis(basis),
        per=terms.get("per") or None,
    )


def _price_basis(text: str | None) -> PriceBasis | None:
    return next((basis for basis in get_args(PriceBasis) if basis == text), None)


def adds_up(document: TableDocument, unit: Unit) -> bool:
    """Whether the members' figures may be summed to their group's.

    Counts and amounts of money may; rates, shares, indices and figures per head may not. Only
    US dollars are one money for all members; international dollars are converted at each member's own price level
    and are summed by the publisher alone. Neither may
    counts of what each country has by itself (steps of a procedure, its largest city) or has together with
    others (species).
    """
    if unit.per is not None or document.terms.get("statType") == "rate" or _NOT_A_TOTAL.search(document.title):
        return False
    if unit.kind is UnitKind.CURRENCY:
        return unit.code == "USD"
    return unit.kind is UnitKind.COUNT or (unit.kind is UnitKind.PHYSICAL and unit.code in EXTENTS)


def meets_unit(unit: Unit, wanted: str | None) -> bool:
    """Whether a figure in ``unit`` can be held against a threshold in ``wanted`` (``USD``, ``%``, ``None``).

    Rates are held against rates per as many: ``per 1,000`` is no bound for deaths per 100,000.
    """
    match wanted:
        case None:
            return True
        case "%":
            return unit.kind is UnitKind.PERCENT
        case "USD":
            return unit.currency == "USD"
        case _ if whole := denominator(wanted):
            own = denominator(f"per {unit.per}") if unit.per else None
            return own is not None and own[0] == whole[0]
        case _:
            return unit.code == wanted or unit.kind not in {UnitKind.CURRENCY, UnitKind.PERCENT}
