"""The pages ``/costs`` and ``/usage``: what was asked in a period, how it ended, and what it cost.

Tables and charts without a script; ``view=json`` gives the same as JSON. Charts are drawn where something can draw
them; everywhere a bar stands beside the dollars.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from functions.ask import pages, usage
from functions.ask.costs_charts import charts
from functions.reports.asked import asked_window
from functions.reports.sections import PER_THOUSAND, Section, billing_sections, period, shown
from shared.runtime.errors import UsageError

if TYPE_CHECKING:
    from decimal import Decimal

    from starlette.requests import Request

    from functions.ask.server import Draw
    from functions.reports.reports import Reports
    from shared.accounting.billing_report import BillingReport
    from shared.query.answer import Chart

VIEWS = ("page", "json")
WHOLES = frozenset({"models", "functions", "types", "providers"})
"""The tables whose rows are parts of one whole."""
PERIODS = {"24h": "the last 24 hours", "7d": "7 days", "30d": "30 days"}
_NEW = {"Cache-Control": "no-store"}


class Costs:
    """Answers for both pages, over ``reports``."""

    def __init__(self, reports: Reports, draw: Draw | None) -> None:
        self._reports, self._draw = reports, draw

    async def costs(self, request: Request) -> Response:
        """Dollars by function, model, type of question and price."""
        as_json, report = await self._asked(request)
        if as_json:
            return JSONResponse(report.model_dump(mode="json"), headers=_NEW)
        sections = list(billing_sections(report, self._reports.prices))
        drawn = self._drawn(request, charts(report))
        head = f"<h1>{_e(f'What it cost, {period(report.window)}')}</h1>"
        body = _choices("/costs") + head + _table(sections[0]) + drawn + "".join(map(_table, sections[1:]))
        return pages.plain("What it cost", body)

    async def usage(self, request: Request) -> Response:
        """Questions by the hour, how they ended, and what was spent by provider and model."""
        as_json, report = await self._asked(request)
        found = usage.usage(report)
        if as_json:
            return JSONResponse(found.model_dump(mode="json"), headers=_NEW)
        title = f"<h1>{_e(f'{found.questions:,} questions, {period(found.window)}')}</h1>"
        body = _choices("/usage") + title + "".join(map(_table, usage.usage_sections(found)))
        return pages.plain("Usage", body)

    async def chart(self, request: Request) -> Response:
        """One chart of ``/costs``, drawn."""
        _, report = await self._asked(request)
        chart = next((c for c in charts(report) if c.id == request.path_params["name"]), None)
        if chart is None or self._draw is None:
            raise HTTPException(404)
        return pages.svg(await asyncio.to_thread(self._draw, chart))

    async def _asked(self, request: Request) -> tuple[bool, BillingReport]:
        view = request.query_params.get("view", VIEWS[0])
        if view not in VIEWS:
            raise UsageError(
                f"view is {view[:80]!r}; it must be {' or '.join(VIEWS)}",
                allowed=list(VIEWS),
                do="Choose one of these, or leave view out for the page.",
            )
        window = asked_window(request, besides=frozenset({"view"}))
        return view == "json", await self._reports.billing(window)

    def _drawn(self, request: Request, made: Sequence[Chart]) -> str:
        if self._draw is None:
            return ""
        kept = [(key, value) for key, value in request.query_params.items() if key in {"since", "until"}]
        query = f"?{urlencode(kept)}" if kept else ""
        return "".join(
            f'<figure><img src="/costs/{_e(chart.id)}.svg{_e(query)}" alt="{_e(chart.description)}">'
            f"<figcaption>{_e(chart.title)}</figcaption></figure>"
            for chart in made
        )


def _choices(path: str) -> str:
    links = (f'<a href="{path}?since={span}">{_e(words)}</a>' for span, words in PERIODS.items())
    return f'<p class="choices">{" ".join(links)} <a href="{path}?view=json">as JSON</a></p>'


def _table(section: Section) -> str:
    kinds = [kind for _, kind in section.columns]
    bars = _bars(section)
    head = "".join(f'<th scope="col">{_e(title)}</th>' if title else "<td></td>" for title, _ in section.columns)
    if any(bars):
        head += '<th scope="col">share</th>'
    rows = "".join(
        f"<tr>{''.join(_cells(row, kinds))}{bar}</tr>" for row, bar in zip(section.rows, bars, strict=True)
    )
    notes = "".join(f'<p class="more">{_e(note)}</p>' for note in section.notes)
    name = f'tabindex="0" role="region" aria-label="{_e(section.title)}"'
    table = f'<div class="wide" {name}><table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table></div>'
    return f"<section><h2>{_e(section.title)}</h2>{table if rows else '<p>nothing</p>'}{notes}</section>"


def _cells(row: Sequence[object], kinds: Sequence[str]) -> Iterator[str]:
    for cell, kind in zip(row, kinds, strict=True):
        text = shown(cell, kind)  # type: ignore[arg-type]
        if text is None:
            yield '<td class="missing">n/a</td>'
        else:
            yield f"<td>{_e(text)}</td>" if kind == "text" else f'<td class="figure">{_e(text)}</td>'


def _bars(section: Section) -> list[str]:
    """For each row a bar of its share of the dollars, where the table's rows are parts of one whole."""
    places = [n for n, (title, kind) in enumerate(section.columns) if kind == "usd" and title != PER_THOUSAND]
    if section.id not in WHOLES or not places:
        return [""] * len(section.rows)
    sums: list[Decimal] = [sum(row[n] for n in places) for row in section.rows]  # type: ignore[misc]
    most = max(sums, default=0)
    return [f'<td><meter value="{one / most:.3f}"></meter></td>' if most > 0 else "<td></td>" for one in sums]


def _e(text: str) -> str:
    return escape(text, quote=True)
