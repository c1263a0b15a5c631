"""A document's measure: its unit and whether members may be summed."""

from __future__ import annotations

from plugins.reporting.measures import measure_in, unit_in
from shared.query.discovery import TableDocument
from shared.query.evidence import Measure
from shared.query.quantity import Unit

AVERAGES = frozenset({"medianValue", "meanValue", "maxValue", "minValue", "growthRate"})
CURRENCIES = {"USD": "USD", "international $": "INT$"}


def measure_of(document: TableDocument, *, source: str, meaning: str | None = None) -> Measure:
    """The measure that a document describes; ``meaning`` labels it among several of one name."""
    return measure_in(document, unit_of(document), averages=AVERAGES, source=source, meaning=meaning)


def unit_of(document: TableDocument) -> Unit:
    """The unit in the document's own terms; a document without one has a bare number."""
    return unit_in(document, currency=CURRENCIES.get(document.terms.get("unit", "")))
