"""What must hold of every run, whatever happened to it."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from decimal import Decimal
from typing import Any

from shared.query.answer import Answer
from shared.query.identifiers import RunId
from shared.runtime.closing import answer_of, trace_name
from shared.runtime.ports import Archive, RunStore
from shared.runtime.records import RunRecord, RunStatus, StepRecord, StepState

ENDINGS = frozenset({"answer", "error"})


def used(steps: list[StepRecord]) -> dict[str, Any]:
    """What the tries of a run that were committed used, as far as it does not depend on the clock."""
    usages = [step.usage for step in steps if step.usage is not None]
    models: Counter[tuple[str, str]] = Counter()
    for step in steps:
        for use in step.models:
            models[use.model, use.task] += use.calls
    return {
        "stages": sorted(f"{usage.reading}.{usage.stage}" for usage in usages),
        "model_calls": sum(usage.model_calls for usage in usages),
        "tokens": sum(usage.tokens for usage in usages),
        "usd": str(sum((usage.usd for usage in usages), Decimal(0)).normalize()),
        "requests": sum(usage.requests for usage in usages),
        "models": {f"{model} {task}": calls for (model, task), calls in sorted(models.items())},
    }


async def violations(
    store: RunStore, archive: Archive, run_id: RunId, *, expected: Mapping[str, Any] | None
) -> list[str]:
    """What does not hold of a run; ``expected`` is what it uses without faults, ``None`` where that may differ."""
    run, steps = await store.get(run_id), await store.steps(run_id)
    answer = await answer_of(run, archive) if run.status is RunStatus.ENDED else None
    found = [*await _ended(archive, run, answer), *_settled(steps)]
    keys = Counter(annotation.key for annotation in await store.annotations(run_id))
    found += [f"the annotation {key} is there {count} times" for key, count in keys.items() if count > 1]
    events = await store.events(run_id)
    if [n for n, _ in events] != list(range(1, len(events) + 1)):
        found.append("its events are not numbered without gaps")
    endings = sum(event.kind in ENDINGS for _, event in events)
    if endings != 1:
        found.append(f"it was said {endings} times that it has ended")
    found += _usage(run, steps, answer, expected)
    return found


async def _ended(archive: Archive, run: RunRecord, answer: Answer | None) -> list[str]:
    if run.status is not RunStatus.ENDED:
        return [f"it has not ended: {run.status.value} at {run.cursor_reading}.{run.cursor_stage}"]
    if answer is None:
        return ["it has no answer"]
    if answer.trace is None:
        # The archive was full, and the answer says so.
        told = any("trace of this answer was not kept" in one.text for one in answer.disclosures)
        return [] if told else ["its trace is not kept, and it does not say so"]
    trace = json.loads(await archive.get(trace_name(run.run_id)))
    # It cannot tell where it is itself kept.
    archived = Answer.model_validate(trace["answer"] | {"trace": answer.trace})
    return [] if archived == answer else ["the archive has another answer"]


def _settled(steps: list[StepRecord]) -> list[str]:
    found = [f"step {one.step.id} is {one.state.value}" for one in steps if one.state is not StepState.DONE]
    found += [f"step {one.step.id} is still held" for one in steps if one.token is not None]
    ids = Counter(one.step.id for one in steps)
    return found + [f"step {name} is there {count} times" for name, count in ids.items() if count > 1]


def _usage(
    run: RunRecord, steps: list[StepRecord], answer: Answer | None, expected: Mapping[str, Any] | None
) -> list[str]:
    """A run's budget is what its steps used and what failed tries paid for besides; its answer says the same."""
    usages = [step.usage for step in steps if step.usage is not None]
    sums = (
        sum(u.model_calls for u in usages),
        sum(u.tokens for u in usages),
        sum((u.usd for u in usages), Decimal(0)),
    )
    budget = (run.budget.model_calls, run.budget.tokens, Decimal(run.budget.usd))
    failed = any(step.attempts > 1 for step in steps)
    fits = all(one <= all_of_it for one, all_of_it in zip(sums, budget, strict=True)) if failed else sums == budget
    found = [] if fits else [f"its steps used {sums}, its budget says {budget}"]
    if answer is not None:
        said = (answer.usage.model_calls, answer.usage.tokens, answer.usage.usd)
        if said != budget:
            found.append(f"its budget says {budget}, its answer {said}")
    if expected is not None and (now := used(steps)) != expected:
        found += [
            f"{key} is {now[key]}, without faults {expected[key]}" for key in expected if now[key] != expected[key]
        ]
    return found
