"""Vega-Lite specifications with their data inline. Values are drawn from the exact figures as plain numbers."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from functions.present.wording import listed
from shared.query.answer import Chart
from shared.query.evidence import Measure
from shared.query.material import Cell
from shared.query.quantity import PeriodKind

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
WIDTH, HEIGHT = 560, 320
MOST_BARS = 40


def axis_title(measure: Measure) -> str:
    """The measure with its unit, unless its name says the unit already (``GDP (current US$)``)."""
    unit = measure.unit
    said = {unit.code.casefold(), unit.label.casefold()}
    name = measure.name
    if not unit.code or name.endswith(")") or any(word and word in name.casefold() for word in said):
        return name
    return f"{measure.name} ({unit.label})"


def _spec(title: str, description: str, values: list[dict[str, Any]], **parts: Any) -> dict[str, Any]:
    return {
        "$schema": SCHEMA,
        "title": title,
        "description": description,
        "width": WIDTH,
        "data": {"values": values},
        **parts,
    }


def _number(cell: Cell) -> float:
    # A drawing needs no more than a float's 15 digits; the exact figure stands in the claim.
    return float(cell.value)


def bars(chart_id: str, title: str, cells: Sequence[Cell], *, names: Sequence[str] = ()) -> Chart | None:
    """One bar a cell in the order given, labelled by ``names`` or the entities; ``None`` for fewer than two."""
    cells = cells[:MOST_BARS]
    if len(cells) < 2:
        return None
    labels = list(names) or [cell.entity.name for cell in cells]
    measure = cells[0].measure
    description = f"Bars: {title}. The first is {labels[0]}, the last is {labels[len(cells) - 1]}."
    values = [
        {"name": name, "value": _number(cell), "period": cell.period.text}
        for name, cell in zip(labels, cells, strict=False)
    ]
    spec = _spec(
        title,
        description,
        values,
        height={"step": 22},
        mark={"type": "bar", "tooltip": True},
        encoding={
            "y": {"field": "name", "type": "nominal", "sort": None, "title": None},
            "x": {"field": "value", "type": "quantitative", "title": axis_title(measure)},
        },
    )
    return Chart(id=chart_id, title=title, description=description, spec=spec)


def changes(chart_id: str, title: str, members: Sequence[tuple[str, Decimal]]) -> Chart | None:
    """One bar a member's change, to the left of zero for a fall; ``None`` for fewer than two."""
    members = members[:MOST_BARS]
    if len(members) < 2:
        return None
    description = f"Bars: {title}. The first is {members[0][0]}, the last is {members[-1][0]}."
    spec = _spec(
        title,
        description,
        [{"name": name, "value": float(value)} for name, value in members],
        height={"step": 22},
        mark={"type": "bar", "tooltip": True},
        encoding={
            "y": {"field": "name", "type": "nominal", "sort": None, "title": None},
            "x": {"field": "value", "type": "quantitative", "title": title},
        },
    )
    return Chart(id=chart_id, title=title, description=description, spec=spec)


def lines(chart_id: str, title: str, cells: Sequence[Cell]) -> Chart | None:
    """One line an entity over its periods; a missing period is a gap in the points, never a zero."""
    if len(cells) < 2:
        return None
    entities = list(dict.fromkeys(cell.entity.name for cell in cells))
    yearly = all(cell.period.kind is PeriodKind.YEAR for cell in cells)
    description = f"Lines over time: {title}, for {listed(entities)}."
    values = [{"entity": cell.entity.name, "period": cell.period.text, "value": _number(cell)} for cell in cells]
    encoding: dict[str, Any] = {
        "x": {
            "field": "period",
            "type": "temporal" if yearly else "ordinal",
            "title": "Year" if yearly else "Period",
        },
        "y": {"field": "value", "type": "quantitative", "title": axis_title(cells[0].measure)},
    }
    if yearly:
        encoding["x"] |= {"timeUnit": "utcyear"}
    if len(entities) > 1:
        encoding["color"] = {"field": "entity", "type": "nominal", "title": None}
    spec = _spec(
        title,
        description,
        values,
        height=HEIGHT,
        mark={"type": "line", "point": True, "tooltip": True},
        encoding=encoding,
    )
    return Chart(id=chart_id, title=title, description=description, spec=spec)


def points(chart_id: str, title: str, pairs: Sequence[tuple[Cell, Cell]]) -> Chart | None:
    """One point a member, ``x`` against ``y``."""
    if len(pairs) < 3:
        return None
    x, y = pairs[0]
    description = f"Scatter of {len(pairs)} members: {title}."
    values = [{"name": a.entity.name, "x": _number(a), "y": _number(b)} for a, b in pairs]
    spec = _spec(
        title,
        description,
        values,
        height=HEIGHT,
        mark={"type": "point", "tooltip": {"content": "data"}},
        encoding={
            "x": {
                "field": "x",
                "type": "quantitative",
                "title": axis_title(x.measure),
                "scale": {"zero": False},
            },
            "y": {
                "field": "y",
                "type": "quantitative",
                "title": axis_title(y.measure),
                "scale": {"zero": False},
            },
        },
    )
    return Chart(id=chart_id, title=title, description=description, spec=spec)
