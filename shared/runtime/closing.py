"""Closes a run: sums what it used, archives its trace, and makes the one answer that is stored."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic_core import to_json

from shared.accounting.usage import run_usage
from shared.query.annotated import Annotation
from shared.query.answer import Answer, AnswerStatus
from shared.query.evidence import Disclosure, DisclosureKind
from shared.query.identifiers import RunId
from shared.runtime.attempt import Attempt
from shared.runtime.ending import final_answer
from shared.runtime.errors import ArchiveError
from shared.runtime.ports import Archive, RunStore
from shared.runtime.records import RunRecord, RunStatus, StepRecord
from shared.runtime.spill import LIMIT

log = logging.getLogger(__name__)


def trace_name(run_id: RunId) -> str:
    """The archive's name for a run's whole trace."""
    return f"runs/{run_id}/trace.json"


def answer_name(run_id: RunId) -> str:
    """The archive's name for a run's answer."""
    return f"runs/{run_id}/answer.json"


def final_status(stop: AnswerStatus | None) -> RunStatus:
    """The status that a run is left in by what ended it."""
    return RunStatus.CANCELLED if stop is AnswerStatus.CANCELLED else RunStatus.ENDED


async def close_run(
    attempt: Attempt,
    *,
    stop: AnswerStatus | None,
    stored: Sequence[Annotation],
    store: RunStore,
    archive: Archive,
    now: datetime,
) -> tuple[dict[str, Any] | None, str | None]:
    """The answer of a run that ends with this step, or its name in the archive when it is too large to store.

    ``stored`` are the step's own annotations as they will be committed. The trace is archived before the answer
    is committed, so that an answer never names a trace that is not there; closing again writes the same names.
    An archive that fails does not cost the answer: the answer then says that its trace was not kept.
    """
    run, query = attempt.run, attempt.query
    steps = [record for record in await store.steps(run.run_id) if record.usage is not None]
    usage = run_usage(
        [record.usage for record in steps if record.usage is not None] + [attempt.usage],
        [use for record in steps for use in record.models] + list(attempt.models),
        query.annotations,
        seconds=max(0.0, (now - run.created_at).total_seconds()),
    )
    answer = final_answer(run, query, stop=stop, usage=usage)
    try:
        trace = await _trace(attempt, steps, stored, answer, status=final_status(stop), store=store)
        answer["trace"] = await archive.put(trace_name(run.run_id), trace)
        data = to_json(answer)
        await archive.put(answer_name(run.run_id), data)
    except ArchiveError as error:
        log.warning("the trace of run %s was not archived: %s", run.run_id, error)
        note = Disclosure(kind=DisclosureKind.CAVEAT, text=f"the trace of this answer was not kept: {error}")
        answer["trace"] = None
        answer["disclosures"] = [*answer.get("disclosures", ()), note.model_dump(mode="json")]
        return answer, None
    return (None, answer_name(run.run_id)) if len(data) > LIMIT else (answer, None)


async def answer_of(run: RunRecord, archive: Archive) -> Answer | None:
    """The answer of a run, ``None`` while it goes on. Raises ``ArchiveError``."""
    if run.answer is not None:
        return Answer.model_validate(run.answer)
    if run.answer_blob is not None:
        return Answer.model_validate_json(await archive.get(run.answer_blob))
    return None


async def _trace(
    attempt: Attempt,
    steps: Sequence[StepRecord],
    stored: Sequence[Annotation],
    answer: dict[str, Any],
    *,
    status: RunStatus,
    store: RunStore,
) -> bytes:
    """Everything about a run in one file; payloads that were archived apart are named, not repeated.

    ``run`` is told as the run will stand once this is committed; its answer stands by itself, beside it.
    """
    run_id = attempt.run.run_id
    events = [event for _, event in await store.events(run_id)] + attempt.said
    annotations = [*await store.annotations(run_id), *stored]
    run = attempt.run.model_copy(update={"budget": attempt.budget, "status": status})
    return to_json(
        {
            "run": run.model_dump(mode="json", exclude={"answer", "answer_blob"}),
            "steps": [
                *({"usage": r.usage, "models": r.models, "attempts": r.attempts} for r in steps),
                {"usage": attempt.usage, "models": attempt.models, "attempts": attempt.number},
            ],
            "events": events,
            "annotations": annotations,
            "answer": answer,
        }
    )
