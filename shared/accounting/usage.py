"""What stages and models used, measured for one stage and summed for a run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any

from shared.query.annotated import Annotation, Discovered
from shared.query.answer import ModelUsage, StageUsage, Usage
from shared.runtime.context import Meter
from shared.runtime.records import BudgetTotals, StepRef


def stage_usage(
    step: StepRef,
    *,
    seconds: float,
    meter: Meter,
    before: BudgetTotals,
    after: BudgetTotals,
    began_at: datetime | None = None,
    cpu_seconds: float | None = None,
    cold: bool = False,
) -> StageUsage:
    """What one stage used. Model calls and dollars are those that were held against the budget."""
    return StageUsage(
        stage=step.stage,
        reading=step.reading,
        seconds=seconds,
        began_at=began_at,
        cpu_seconds=cpu_seconds,
        cold=cold,
        model_calls=after.model_calls - before.model_calls,
        tokens=after.tokens - before.tokens,
        usd=after.usd - before.usd,
        requests=meter.requests,
        bytes_received=meter.bytes_received,
    )


def merge_models(models: Iterable[ModelUsage]) -> tuple[ModelUsage, ...]:
    """One entry a model and task, in the order they were first used."""
    merged: dict[tuple[str, str], ModelUsage] = {}
    for use in models:
        known = merged.get((use.model, use.task))
        merged[use.model, use.task] = (
            use
            if known is None
            else ModelUsage(
                model=use.model,
                task=use.task,
                calls=known.calls + use.calls,
                tokens=known.tokens + use.tokens,
                usd=known.usd + use.usd,
                seconds=known.seconds + use.seconds,
            )
        )
    return tuple(merged.values())


def finder_usage(annotations: Iterable[Annotation]) -> dict[str, Any]:
    """What the finder itself spent, kept apart from the run's own budget; dollars as a string of digits."""
    searches, seconds, calls, tokens, usd = 0, 0.0, 0, 0, Decimal(0)
    for annotation in annotations:
        payload = annotation.payload
        # A search shared by slots or sources is paid once and stands with the first of them.
        if isinstance(payload, Discovered) and payload.usage != _NOTHING:
            searches += 1
            seconds += payload.usage.seconds
            calls += payload.usage.model_calls
            tokens += payload.usage.tokens
            usd += Decimal(payload.usage.usd)
    return {
        "searches": searches,
        "seconds": seconds,
        "model_calls": calls,
        "tokens": tokens,
        "usd": format(usd, "f"),
    }


FAILED_TRIES = "failed tries"
"""What stands for the models of tries whose worker died or was stopped: only their sums are known."""


def failed_tries(listed: BudgetTotals, budget: BudgetTotals) -> ModelUsage | None:
    """What tries that came to nothing have spent, at most: the budget's sums beyond those of the stages."""
    calls = budget.model_calls - listed.model_calls
    if calls <= 0:
        return None
    return ModelUsage(
        model=FAILED_TRIES,
        task=FAILED_TRIES,
        calls=calls,
        tokens=max(0, budget.tokens - listed.tokens),
        usd=max(Decimal(0), budget.usd - listed.usd),
        seconds=0.0,
    )


def run_usage(
    stages: Sequence[StageUsage],
    models: Iterable[ModelUsage],
    annotations: Iterable[Annotation],
    *,
    seconds: float,
    budget: BudgetTotals | None = None,
) -> Usage:
    """What a run used in all. ``seconds`` is from the question to the answer, waits between stages included.

    What ``budget`` holds beyond the stages was spent by tries that were never committed, and stands apart.
    """
    listed = BudgetTotals(
        model_calls=sum(stage.model_calls for stage in stages),
        tokens=sum(stage.tokens for stage in stages),
        usd=sum((stage.usd for stage in stages), Decimal(0)),
    )
    lost = failed_tries(listed, budget) if budget is not None else None
    return Usage(
        seconds=seconds,
        model_calls=listed.model_calls + (lost.calls if lost else 0),
        tokens=listed.tokens + (lost.tokens if lost else 0),
        usd=listed.usd + (lost.usd if lost else Decimal(0)),
        stages=tuple(stages),
        models=(*merge_models(models), *([lost] if lost else [])),
        finder=finder_usage(annotations),
    )


_NOTHING = Discovered(documents=()).usage
