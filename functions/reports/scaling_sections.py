"""The scaling report and a plan as titled tables."""

from __future__ import annotations

from collections.abc import Iterator

from functions.reports.sections import Cell, Section, period, unreadable_section
from shared.accounting.distribution import Spread
from shared.accounting.forecast import PEAK, Forecast, Plan
from shared.accounting.scaling import ScalingReport


def scaling_sections(report: ScalingReport) -> Iterator[Section]:
    """How each stage kept up."""
    latency = report.latency
    yield Section(
        "questions",
        f"How {report.runs:,} questions were answered, {period(report.window)}",
        (("", "text"), ("", "text")),
        (
            ("Questions a second, in the mean", f"{report.per_second:.3g}"),
            ("and in the busiest minute", f"{report.busiest_minute:.3g}"),
            ("Seconds to the answer, half of them within", _seconds(latency.p50 if latency else None)),
            ("95 of a hundred within", _seconds(latency.p95 if latency else None)),
            ("99 of a hundred within", _seconds(latency.p99 if latency else None)),
            ("How they ended", ", ".join(f"{n:,} {name}" for name, n in report.statuses.items()) or None),
            ("What binds first", report.binds),
            (
                "and is full at questions a second",
                f"{report.holds_until:.3g}" if report.holds_until is not None else None,
            ),
        ),
        tuple(_notes(report)),
    )
    yield Section(
        "stages",
        "By stage: times in seconds",
        (
            ("stage", "text"),
            ("arrivals", "count"),
            ("at a time", "rate"),
            ("p50", "seconds"),
            ("p95", "seconds"),
            ("p99", "seconds"),
            ("cpu p50", "seconds"),
        ),
        tuple(
            (
                s.stage,
                s.arrivals,
                s.concurrency,
                *_spread(s.seconds),
                s.cpu.p50 if s.cpu else None,
            )
            for s in report.stages
        ),
        ("at a time: the mean number of requests under way, by Little's law.",),
    )
    yield Section(
        "queues",
        "By stage: what waited and what went wrong",
        (
            ("stage", "text"),
            ("wait p50", "seconds"),
            ("p95", "seconds"),
            ("p99", "seconds"),
            ("cold", "count"),
            ("failed", "count"),
            ("capacity", "rate"),
            ("load", "share"),
        ),
        tuple(
            (s.stage, *_spread(s.queue), s.cold_starts, s.failed_tries, s.capacity, s.load) for s in report.stages
        ),
        (
            "wait: from the end of the step before, its commit and delivery included, at the first try. "
            "cold: steps that were the first of their instance. failed: tries that came to nothing. "
            "capacity: requests a second that the row of infra/stages.json lets through.",
        ),
    )
    yield from unreadable_section(report.unreadable)


def plan_sections(plan: Plan) -> Iterator[Section]:
    """What a rate needs, what would have to change, and how far it goes."""
    asked = plan.asked
    yield Section(
        "simulation",
        f"Simulated at {asked.rate:.4g} questions a second, on {plan.calibrated_on:,} measured runs",
        (("", "text"), ("now", "text"), ("changed", "text")),
        tuple(_simulation(plan)),
        (
            f"What a message takes: {plan.hops}.",
            f"No scaling makes the p95 less than {plan.floor_seconds:.3f} s, which the stages take by themselves.",
        ),
    )
    yield Section(
        "instances",
        "Instances in the simulation",
        (
            ("stage", "text"),
            ("used", "count"),
            ("cold starts", "count"),
            ("waited p95", "seconds"),
            ("processor", "share"),
            ("left waiting", "count"),
        ),
        tuple(
            (s.station, s.instances, s.cold_starts, s.waited.p95 if s.waited else None, s.processor, s.left_waiting)
            for s in asked.simulated.stations
        ),
    )
    yield Section(
        "suggested",
        "Changes of infra/stages.json that this rate asks for",
        (("function", "text"), ("field", "text"), ("now", "count"), ("to", "count"), ("why", "text")),
        tuple((c.function, c.field, c.now, c.to, c.why) for c in plan.suggested),
    )
    yield Section(
        "limits",
        "What breaks first: the questions a second at which the platform's own limits are met",
        (
            ("limit", "text"),
            ("a second", "amount"),
            ("by question", "rate"),
            ("met at", "rate"),
            ("taken", "share"),
        ),
        tuple((one.id, one.per_second, one.per_run, one.reached_at, one.share) for one in asked.limits),
        tuple(_limit_notes(asked)),
    )
    yield Section(
        "scale",
        f"From a thousand to a million questions a day, at {PEAK:g} times the mean rate",
        (
            ("a day", "count"),
            ("at peak/s", "rate"),
            ("p95", "seconds"),
            ("binds", "text"),
            ("breaks first", "text"),
            ("a month", "usd"),
            ("a thousand", "usd"),
        ),
        tuple(map(_scale, plan.scale)),
        ("What breaks first is the platform's limit that the peak exceeds; none where all of them hold.",),
    )


def _notes(report: ScalingReport) -> Iterator[str]:
    if not report.runs:
        yield "No question was asked in this period."
    if report.added_up:
        yield f"{report.added_up:,} runs are from sums of whole hours: percentiles are right within 1%."
    if report.unknown:
        yield f"No row of infra/stages.json for {', '.join(report.unknown)}: these stages are not shown."


def _simulation(plan: Plan) -> Iterator[tuple[Cell, ...]]:
    columns = [_outcome(forecast) if forecast else {} for forecast in (plan.asked, plan.changed)]
    for title in columns[0]:
        yield (title, *(column.get(title) for column in columns))
    if plan.target_seconds is not None:
        reached = "reached" if plan.reaches_target else "not reached"
        changed = plan.changed is not None
        yield (
            f"p95 of {plan.target_seconds:g} s wished for",
            None if changed else reached,
            reached if changed else None,
        )


def _outcome(forecast: Forecast) -> dict[str, str | None]:
    simulated, latency = forecast.simulated, forecast.simulated.latency
    return {
        "Answered a second": f"{simulated.throughput:.4g}",
        "Seconds to the answer, p50": _seconds(latency.p50 if latency else None),
        "Seconds to the answer, p95": _seconds(latency.p95 if latency else None),
        "Seconds to the answer, p99": _seconds(latency.p99 if latency else None),
        "The first question, from cold": _seconds(forecast.first_seconds),
        "Piles up at": forecast.binds or "nothing",
        "Dollars a month at this rate": f"${forecast.month_usd:,.2f}",
    }


def _limit_notes(asked: Forecast) -> Iterator[str]:
    yield (
        f"A run's own document is written {asked.document_writes:.3g} times a second while it runs; "
        "Firestore sustains 1 on end, and more for the seconds of a run."
    )
    if asked.ramp_minutes:
        yield (
            f"Traffic to a new database must grow to this rate over {asked.ramp_minutes:g} minutes "
            "(500 operations a second, half as much again every 5 minutes)."
        )
    if not any(one.id == "model.calls" for one in asked.limits):
        yield "No limit of a model provider is known: name it with --model-limit, or no paid model was called."
    doubtful = [one.id for one in asked.limits if not one.certain]
    if doubtful:
        yield f"Limits that are not certain: {', '.join(doubtful)}."


def _scale(forecast: Forecast) -> tuple[Cell, ...]:
    broken = next((one.id for one in forecast.limits if one.share > 1), None)
    latency = forecast.simulated.latency
    return (
        round(forecast.month_rate * 86400),
        forecast.rate,
        latency.p95 if latency else None,
        forecast.binds or "nothing",
        broken or "none",
        forecast.month_usd,
        forecast.per_thousand_usd,
    )


def _spread(spread: Spread | None) -> tuple[float | None, float | None, float | None]:
    return (spread.p50, spread.p95, spread.p99) if spread else (None, None, None)


def _seconds(seconds: float | None) -> str | None:
    return None if seconds is None else f"{seconds:.3f}"
