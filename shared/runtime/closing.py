"""Closes a run: sums what it used, archives its trace, and makes the one answer that is stored."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic import ValidationError
from pydantic_core import to_json

from shared.accounting.usage import run_usage
from shared.query.annotated import Annotation
from shared.query.answer import Answer, AnswerStatus
from shared.query.evidence import Disclosure, DisclosureKind
from shared.query.identifiers import RunId
from shared.runtime.attempt import Attempt
from shared.runtime.ending import final_answer
from shared.runtime.errors import ArchiveError, ObjectDamaged
from shared.runtime.history import History, Spent, read_history
from shared.runtime.ports import Archive, RunStore
from shared.runtime.records import RunRecord, RunStatus
from shared.runtime.spill import LIMIT, put_blob
from shared.runtime.trace import trace_document

log = logging.getLogger(__name__)


def trace_name(run_id: RunId) -> str:
    """The archive's name for a run's whole trace."""
    return f"runs/{run_id}/trace.json"


def answer_name(run_id: RunId) -> str:
    """The archive's name for an answer by itself, as it is announced by message."""
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
    An archive that fails does not cost the answer: the answer then says that its trace was not kept. An answer that
    the store has refused as too large is then reduced to what failed. The trace carries the answer too, so only one
    that is too large to store is archived by itself.
    """
    run, query = attempt.run, attempt.query
    history = attempt.history or await read_history(store, run.run_id)
    usage = run_usage(
        [*(spent.usage for spent in history.steps), attempt.usage],
        [*(use for spent in history.steps for use in spent.models), *attempt.models],
        query.annotations,
        seconds=max(0.0, (now - run.created_at).total_seconds()),
        budget=attempt.budget,
    )
    answer = final_answer(run, query, stop=stop, usage=usage)
    try:
        trace = _trace(attempt, history, stored, answer, status=final_status(stop))
        answer["trace"] = await archive.put(trace_name(run.run_id), trace)
        data = to_json(answer)
        if len(data) > LIMIT:
            # Under the hash of its content, so that a late worker cannot write over the one that is committed.
            blob, _ = await put_blob(archive, data)
            return None, blob
    except ArchiveError as error:
        log.warning("the trace of run %s was not archived: %s", run.run_id, error)
        note = Disclosure(kind=DisclosureKind.CAVEAT, text=f"the trace of this answer was not kept: {error}")
        if attempt.reduced:
            answer = final_answer(run, query, stop=stop, usage=usage, bare=True)
        answer["trace"] = None
        answer["disclosures"] = [*answer.get("disclosures", ()), note.model_dump(mode="json")]
    return answer, None


async def answer_of(run: RunRecord, archive: Archive) -> Answer | None:
    """The answer of a run, ``None`` while it goes on. Raises ``ArchiveError``, also for one that was altered."""
    try:
        if run.answer is not None:
            return Answer.model_validate(run.answer)
        if run.answer_blob is not None:
            return Answer.model_validate_json(await archive.get(run.answer_blob))
    except ValidationError as error:
        # What is in it stays out of the message.
        raise ObjectDamaged(f"the answer of run {run.run_id} is not as it was written") from error
    return None


def _trace(
    attempt: Attempt,
    history: History,
    stored: Sequence[Annotation],
    answer: dict[str, Any],
    *,
    status: RunStatus,
) -> bytes:
    """The trace of the run as it will stand once this step is committed."""
    run = attempt.run.model_copy(update={"budget": attempt.budget, "status": status})
    whole = History(
        steps=[*history.steps, Spent(attempt.usage, attempt.models, attempt.number)],
        annotations=[*history.annotations, *stored],
        events=history.events + (attempt.said if attempt.history is None else attempt.told),
    )
    return trace_document(run, whole, answer)
