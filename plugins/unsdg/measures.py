"""A document of the SDG database as a measure, and the address of its rows."""

from __future__ import annotations

from plugins.unsdg.units import EXTENTS, unit_of
from shared.query.discovery import TableDocument
from shared.query.evidence import Measure
from shared.query.quantity import UnitKind


def measure_of(document: TableDocument, *, source: str, meaning: str | None = None) -> Measure:
    """The measure that a document describes; ``meaning`` labels it among several of one name."""
    unit = unit_of(document)
    code = document.terms.get("unitCode", "").upper()
    counts = unit.kind is UnitKind.COUNT and document.terms.get("statType") != "flag"
    return Measure(
        source=source,
        variable=document.variable,
        name=document.title,
        unit=unit,
        definition=document.description,
        grain="country",
        additive=counts or code in EXTENTS,
        meaning=meaning,
    )


def series_of(document: TableDocument) -> str:
    """The publisher's code of the series; a document of one part of it has a longer name."""
    return document.terms.get("series") or document.variable


def locator_of(document: TableDocument) -> dict[str, str]:
    """Where a document's rows are: ``series``, ``slice`` (``Sex=FEMALE``), the publisher's ``unit``, its title."""
    terms = document.terms
    return {
        "series": series_of(document),
        "slice": terms.get("slice", ""),
        "unit": terms.get("unitCode", ""),
        "description": terms.get("publishedAs", ""),
    }


def read_slice(text: str) -> dict[str, str]:
    """``Location=RURAL;Sex=FEMALE`` as a table."""
    return dict(part.split("=", 1) for part in text.split(";") if "=" in part)
