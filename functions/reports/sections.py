"""A report as titled tables: the one form that the terminal, CSV and the pages are made from."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Literal

from shared.accounting.billing_report import BillingReport
from shared.accounting.prices import PriceTable
from shared.accounting.reconcile import Reconciliation
from shared.accounting.record_files import Unreadable
from shared.accounting.window import Window

Kind = Literal["text", "count", "usd", "seconds", "rate", "share", "amount"]
Cell = str | int | float | Decimal | None
"""``None`` is what is not known, which is not zero."""


@dataclass(frozen=True, slots=True)
class Section:
    """A table. ``id`` names it in CSV, ``columns`` are their titles with the kind of what stands below."""

    id: str
    title: str
    columns: tuple[tuple[str, Kind], ...]
    rows: tuple[tuple[Cell, ...], ...]
    notes: tuple[str, ...] = ()


PER_THOUSAND = "for a thousand"

_STATES = {
    "usage": "from the archive's usage records",
    "traces": "from the traces of the runs",
}


def shown(cell: Cell, kind: Kind) -> str | None:
    """A cell for people: dollars to the cent, or to their first two digits when they are less."""
    if cell is None or isinstance(cell, str):
        return cell
    match kind:
        case "usd":
            return dollars(Decimal(cell))
        case "seconds":
            return f"{cell:.3f}" if cell < 100 else f"{cell:,.0f}"
        case "rate":
            return f"{cell:,.0f}" if cell >= 100 else f"{cell:.3g}"
        case "share":
            return f"{cell:.1%}"
        case "amount":
            return f"{cell:,.0f}" if cell == int(cell) or cell >= 100 else f"{cell:.3g}"
        case _:
            return f"{cell:,}"


def dollars(usd: Decimal) -> str:
    """An amount of dollars for people."""
    size, sign = abs(usd), "-" if usd < 0 else ""
    places = 2 if size >= 1 or size == 0 else min(9, max(2, -size.adjusted() + 1))
    return f"{sign}${size:,.{places}f}"


def period(window: Window) -> str:
    """A period in words."""
    return f"{_moment(window.start)} to {_moment(window.end)} UTC"


def billing_sections(report: BillingReport, prices: PriceTable) -> Iterator[Section]:
    """The billing report's tables, the sums first."""
    totals = report.totals
    yield Section(
        "totals",
        f"What {report.runs:,} questions cost, {period(report.window)}",
        (("", "text"), ("dollars", "usd")),
        (
            ("Models, as the runs have it", totals.model_usd),
            ("Cloud, at list prices", totals.cloud_list_usd),
            ("less: requests that share an instance", -totals.shared_usd),
            ("and: minimum instances and schedules", totals.standing_usd),
            ("less: what is free", -totals.free_usd),
            ("In all", totals.net_usd),
            ("For a thousand questions", totals.per_thousand_usd),
        ),
        tuple(_billing_notes(report)),
    )
    yield Section(
        "functions",
        "By function",
        (
            ("function", "text"),
            ("requests", "count"),
            ("seconds", "seconds"),
            ("model calls", "count"),
            ("tokens", "count"),
            ("models", "usd"),
            ("cloud", "usd"),
        ),
        tuple(
            (f.function, f.requests, f.seconds, f.model_calls, f.tokens, f.model_usd, f.cloud_usd)
            for f in report.functions
        ),
        ("messages, state and files are what lies around the functions: Pub/Sub, Firestore and Cloud Storage.",),
    )
    yield Section(
        "models",
        "By model",
        (
            ("model", "text"),
            ("task", "text"),
            ("calls", "count"),
            ("tokens", "count"),
            ("seconds", "seconds"),
            ("dollars", "usd"),
        ),
        tuple((m.model, m.task, m.calls, m.tokens, m.seconds, m.usd) for m in report.models),
    )
    yield Section(
        "types",
        "By type of question",
        (
            ("type", "text"),
            ("questions", "count"),
            ("models", "usd"),
            ("cloud", "usd"),
            (PER_THOUSAND, "usd"),
        ),
        tuple((t.type, t.runs, t.model_usd, t.cloud_usd, t.per_thousand_usd) for t in report.types),
    )
    yield Section(
        "services",
        f"By price, {report.region}, list prices of {report.prices_as_of}",
        (
            ("price", "text"),
            ("unit", "text"),
            ("used", "amount"),
            ("standing", "amount"),
            ("free", "amount"),
            ("to pay", "usd"),
        ),
        tuple((s.price, s.unit, s.used - s.shared, s.standing, s.free, s.usd) for s in report.services),
        tuple(_doubts(report, prices)),
    )
    yield from unreadable_section(report.unreadable)


def unreadable_section(unreadable: Sequence[Unreadable]) -> Iterator[Section]:
    """The records that are missing from the sums, if there are any."""
    if unreadable:
        yield Section(
            "unreadable",
            "Records that could not be read: their runs are missing from the sums",
            (("record", "text"), ("why", "text")),
            tuple((one.name, one.why) for one in unreadable),
        )


def bill_sections(found: Reconciliation) -> Iterator[Section]:
    """What was billed beside the report."""
    yield Section(
        "bill",
        f"Held against {found.rows:,} rows of a billing export",
        (
            ("price", "text"),
            ("rows", "count"),
            ("billed use", "amount"),
            ("reported use", "amount"),
            ("billed", "usd"),
            ("reported", "usd"),
            ("after free", "usd"),
            ("difference", "usd"),
        ),
        tuple(
            (
                line.price,
                line.rows,
                line.billed_used,
                line.reported_used,
                line.billed_usd,
                line.reported_usd,
                line.reported_net_usd,
                line.difference_usd,
            )
            for line in found.lines
        ),
    )
    yield Section(
        "bill_totals",
        "The export in all",
        (("", "text"), ("dollars", "usd")),
        (("Billed", found.billed_usd), ("Credits", found.credits_usd), ("Billed after credits", found.net_usd)),
    )
    apart: tuple[tuple[str, str, tuple[tuple[str, Kind], ...], tuple[tuple[Cell, ...], ...]], ...] = (
        (
            "bill_unknown",
            "SKUs without a price here",
            (("service", "text"), ("sku", "text"), ("id", "text"), ("rows", "count"), ("billed", "usd")),
            tuple((u.service, u.sku, u.sku_id, u.rows, u.billed_usd) for u in found.unknown),
        ),
        (
            "bill_credits",
            "Credits",
            (("type", "text"), ("name", "text"), ("rows", "count"), ("dollars", "usd")),
            tuple((c.type, c.name, c.rows, c.usd) for c in found.credits),
        ),
        (
            "bill_apart",
            "Rows that are not compared",
            (("why", "text"), ("rows", "count"), ("billed", "usd")),
            tuple((a.why, a.rows, a.billed_usd) for a in found.apart),
        ),
        (
            "bill_unreadable",
            "Rows that could not be read",
            (("row", "count"), ("why", "text")),
            tuple((u.row, u.why) for u in found.unreadable),
        ),
    )
    for name, title, columns, rows in apart:
        if rows:
            yield Section(name, title, columns, rows)


def _doubts(report: BillingReport, prices: PriceTable) -> Iterator[str]:
    if report.uncertain:
        pages = sorted({prices.by_id[name].source for name in report.uncertain})
        yield f"Prices that are not certain: {', '.join(report.uncertain)}. Check them at {', '.join(pages)}."


def _billing_notes(report: BillingReport) -> Iterator[str]:
    yield f"Made {_STATES.get(report.source, report.source)}; what is free is the period's part of it."
    if not report.runs:
        yield "No question was asked in this period: what is shown stands by itself."
    if report.added_up:
        yield f"{report.added_up:,} runs are from sums of whole hours: sharing between hours is not taken off."
    if report.unreadable:
        yield f"{len(report.unreadable):,} records could not be read; see below."
    if report.uncounted:
        yield f"{report.uncounted:,} records do not tell what their runs left: their reads and writes are missing."
    if report.unpriced:
        yield f"No row of infra/stages.json for {', '.join(report.unpriced)}: their instances are not priced."
    if report.source == "traces":
        yield "These runs were answered on this machine: the cloud's part is what it would have been there."


def _moment(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M}"
