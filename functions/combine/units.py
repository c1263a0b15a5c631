"""The units of what is computed."""

from __future__ import annotations

from shared.query.evidence import Measure
from shared.query.quantity import UnitKind

PERCENTAGE_POINTS = "percentage points"
PERCENT = "%"


def difference_unit(measure: Measure) -> str:
    """A difference of percentages is in percentage points; any other keeps its unit."""
    return PERCENTAGE_POINTS if measure.unit.kind is UnitKind.PERCENT else measure.unit.code
