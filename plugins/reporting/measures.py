"""A document's measure: what it is of, and whether members of a set may be summed in it."""

from __future__ import annotations

from shared.query.discovery import TableDocument
from shared.query.evidence import Measure
from shared.query.quantity import Unit, UnitKind

ADDITIVE = frozenset({UnitKind.COUNT, UnitKind.CURRENCY, UnitKind.PHYSICAL})


def measure_in(
    document: TableDocument, unit: Unit, *, averages: frozenset[str], source: str, meaning: str | None = None
) -> Measure:
    """The measure that a document describes, in ``unit``; ``meaning`` labels it among several of one name.

    ``averages`` are the source's words for statistics that never add up.
    """
    statistic = document.terms.get("statType", "")
    return Measure(
        source=source,
        variable=document.variable,
        name=document.title,
        unit=unit,
        definition=document.description,
        grain="place",
        additive=unit.kind in ADDITIVE and unit.per is None and statistic not in averages,
        meaning=meaning,
    )


def unit_in(document: TableDocument, *, currency: str | None = None) -> Unit:
    """The unit in the document's own terms, an amount of money in ``currency``; a bare number where it has none."""
    terms = document.terms
    code, kind = terms.get("unit", ""), terms.get("unitKind", "none")
    return Unit(
        kind=UnitKind(kind) if kind in set(UnitKind) else UnitKind.NONE,
        code=code,
        label=terms.get("unitLabel") or code,
        currency=currency if kind == UnitKind.CURRENCY else None,
        per=terms.get("per") or None,
    )
