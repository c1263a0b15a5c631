"""Figures that cover several years: two of them show a change only where their years do not overlap."""

from __future__ import annotations

from shared.query.quantity import Period

YEARS_OF = {"mean of five years": 5}
"""How many years a figure of a basis covers; of any other basis it is one."""


def overlap(basis: str, first: Period, last: Period) -> int:
    """The years that a figure covers where those of two periods overlap, else 0."""
    covers, begin, end = YEARS_OF.get(basis, 1), first.calendar_year, last.calendar_year
    return covers if begin is not None and end is not None and abs(end - begin) < covers else 0
