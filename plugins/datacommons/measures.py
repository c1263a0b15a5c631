"""A document's measure: its unit and whether members may be summed."""

from __future__ import annotations

from shared.query.discovery import TableDocument
from shared.query.evidence import Measure
from shared.query.quantity import Unit, UnitKind

ADDITIVE = frozenset({UnitKind.COUNT, UnitKind.CURRENCY, UnitKind.PHYSICAL})
AVERAGES = frozenset({"medianValue", "meanValue", "maxValue", "minValue", "growthRate"})
CURRENCIES = {"USD": "USD", "international $": "INT$"}


def measure_of(document: TableDocument, *, source: str, meaning: str | None = None) -> Measure:
    """The measure that a document describes; ``meaning`` labels it among several of one name."""
    unit = unit_of(document)
    statistic = document.terms.get("statType", "")
    return Measure(
        source=source,
        variable=document.variable,
        name=document.title,
        unit=unit,
        definition=document.description,
        grain="place",
        additive=unit.kind in ADDITIVE and unit.per is None and statistic not in AVERAGES,
        meaning=meaning,
    )


def unit_of(document: TableDocument) -> Unit:
    """The unit in the document's own terms; a document without one has a bare number."""
    terms = document.terms
    code = terms.get("unit", "")
    kind = terms.get("unitKind", "none")
    return Unit(
        kind=UnitKind(kind) if kind in set(UnitKind) else UnitKind.NONE,
        code=code,
        label=terms.get("unitLabel") or code,
        currency=CURRENCIES.get(code) if kind == UnitKind.CURRENCY else None,
        per=terms.get("per") or None,
    )
