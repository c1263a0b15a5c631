"""The charts of ``/costs`` as Vega-Lite. Their floats are for the eye; the tables have the exact dollars."""

from __future__ import annotations

from collections.abc import Iterable
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from shared.query.answer import Chart

if TYPE_CHECKING:
    from shared.accounting.billing_report import BillingReport

SCHEMA = "https://vega.github.io/schema/vega-lite/v5.json"
WIDTH = 560

_USD: dict[str, Any] = {"field": "usd", "type": "quantitative", "title": "dollars", "stack": True}
_TIME: dict[str, Any] = {
    "x": {"field": "name", "type": "temporal", "title": "UTC", "scale": {"type": "utc"}},
    "y": _USD,
}
_SIDEWAYS: dict[str, Any] = {"x": _USD, "y": {"field": "name", "type": "nominal", "title": None, "sort": None}}


def charts(report: BillingReport) -> tuple[Chart, ...]:
    """Dollars in the course of time, by function and by type of question."""
    return (
        _chart(
            "time",
            "Dollars in the course of time, at list prices",
            ((one.start.isoformat(), one.model_usd, one.cloud_usd) for one in report.moments),
            _TIME,
        ),
        _chart(
            "functions",
            "Dollars by function, at list prices",
            ((one.function, one.model_usd, one.cloud_usd) for one in report.functions),
            _SIDEWAYS,
        ),
        _chart(
            "types",
            "Dollars by type of question, at list prices",
            ((one.type, one.model_usd, one.cloud_usd) for one in report.types),
            _SIDEWAYS,
        ),
    )


def _chart(name: str, title: str, rows: Iterable[tuple[str, Decimal, Decimal]], encoding: dict[str, Any]) -> Chart:
    values = [
        {"name": row, "what": what, "usd": float(usd)}
        for row, model, cloud in rows
        for what, usd in (("models", model), ("cloud", cloud))
    ]
    spec = {
        "$schema": SCHEMA,
        "width": WIDTH,
        "mark": "bar",
        "data": {"values": values},
        "encoding": encoding | {"color": {"field": "what", "type": "nominal", "title": None}},
    }
    return Chart(id=name, title=title, description=f"A bar chart: {title[0].lower()}{title[1:]}.", spec=spec)
