"""What ``/usage`` tells: questions, how they ended, and what was spent on models, out of a billing report."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import datetime
from decimal import Decimal
from typing import TYPE_CHECKING

from functions.reports.sections import Section
from shared.accounting.window import Window
from shared.query.quantity import Exact, Frozen

if TYPE_CHECKING:
    from shared.accounting.billing_report import BillingReport

BUILT_IN = "built in"


class Spent(Frozen):
    """What one model of one provider was asked and cost. ``built in`` is what is part of the program."""

    provider: str
    model: str
    calls: int
    tokens: int
    usd: Exact


class Hour(Frozen):
    """The questions of an hour, or of a day in a longer period."""

    start: datetime
    questions: int


class UsageReport(Frozen):
    """Questions, how they ended, and what was spent on models."""

    window: Window
    questions: int
    statuses: dict[str, int]
    hours: tuple[Hour, ...]
    spent: tuple[Spent, ...]
    providers: dict[str, Exact]


def usage(report: BillingReport) -> UsageReport:
    """The usage of the period of a billing report."""
    by_model: defaultdict[tuple[str, str], list[tuple[int, int, Decimal]]] = defaultdict(list)
    for cost in report.models:
        provider = provider_of(cost.model, paid=bool(cost.usd or cost.tokens))
        by_model[provider, cost.model].append((cost.calls, cost.tokens, cost.usd))
    spent = tuple(
        Spent(
            provider=provider,
            model=model,
            calls=sum(calls for calls, _, _ in parts),
            tokens=sum(tokens for _, tokens, _ in parts),
            usd=sum((usd for *_, usd in parts), Decimal(0)),
        )
        for (provider, model), parts in by_model.items()
    )
    providers: defaultdict[str, Decimal] = defaultdict(Decimal)
    for one in spent:
        providers[one.provider] += one.usd
    return UsageReport(
        window=report.window,
        questions=report.runs,
        statuses=report.statuses,
        hours=tuple(Hour(start=moment.start, questions=moment.runs) for moment in report.moments),
        spent=tuple(sorted(spent, key=lambda one: (-one.usd, -one.calls, one.model))),
        providers=dict(sorted(providers.items(), key=lambda item: (-item[1], item[0]))),
    )


def provider_of(model: str, *, paid: bool) -> str:
    """Who is paid for a model: its name's part before the stroke, as ``openai/gpt-4o-mini`` is OpenAI's."""
    vendor, stroke, _ = model.partition("/")
    if stroke:
        return vendor
    return model if paid else BUILT_IN


def usage_sections(found: UsageReport) -> Iterator[Section]:
    """The tables of ``/usage``."""
    ended = sorted(found.statuses.items(), key=lambda item: (-item[1], item[0]))
    yield Section(
        "statuses",
        "How they ended",
        (("status", "text"), ("questions", "count")),
        tuple(ended),
    )
    yield Section(
        "providers",
        "Spent by provider",
        (("provider", "text"), ("dollars", "usd")),
        tuple(found.providers.items()),
    )
    yield Section(
        "spent",
        "Spent by model",
        (("provider", "text"), ("model", "text"), ("calls", "count"), ("tokens", "count"), ("dollars", "usd")),
        tuple((one.provider, one.model, one.calls, one.tokens, one.usd) for one in found.spent),
    )
    yield Section(
        "hours",
        "Questions in the course of time (UTC)",
        (("from", "text"), ("questions", "count")),
        tuple((f"{hour.start:%Y-%m-%d %H:%M}", hour.questions) for hour in found.hours),
    )
