"""Whether a run goes on after a reading was presented, and the one answer it ends with."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal
from typing import Any

from pydantic import ValidationError

from shared.query.annotated import AnnotatedQuery, Failed, Presented
from shared.query.answer import Answer, AnswerStatus, Usage
from shared.query.evidence import Disclosure, DisclosureKind, Failure, FailureStatus
from shared.runtime.records import RunRecord

SETTLED = frozenset({AnswerStatus.COMPLETE, AnswerStatus.NEEDS_CLARIFICATION})
"""Statuses that no other reading could better."""

_PREFERENCE: dict[str, int] = {
    AnswerStatus.COMPLETE: 0,
    AnswerStatus.NEEDS_CLARIFICATION: 1,
    AnswerStatus.PARTIAL: 2,
}
_LEAST = 3

_NO_USAGE = Usage(seconds=0.0, model_calls=0, tokens=0, usd=Decimal(0))

_TEXTS = {
    AnswerStatus.CANCELLED: "The question was cancelled before it was answered.",
    AnswerStatus.FAILED: "The question could not be answered, because the system failed: {reason}.",
    AnswerStatus.UNANSWERED: "There is no answer: {reason}.",
}


def following_reading(query: AnnotatedQuery) -> int | None:
    """The reading to try after the current one was presented, or ``None`` when the run ends with it.

    Backtracking is by reading: it stops at an answer that is settled, at a failure that forbids other readings
    (a named source that cannot be honoured), and after the last reading.
    """
    understood = query.understood()
    if understood is None or query.reading < 0 or query.reading + 1 >= len(understood.readings):
        return None
    if any(
        (isinstance(a.payload, Presented) and a.payload.status in SETTLED)
        or (isinstance(a.payload, Failed) and a.payload.final)
        for a in query.annotations
        if a.reading == query.reading
    ):
        return None
    return query.reading + 1


def final_answer(
    run: RunRecord, query: AnnotatedQuery, *, stop: AnswerStatus | None, usage: Usage, bare: bool = False
) -> dict[str, Any]:
    """The answer that a run ends with, as JSON, its trace not yet archived.

    The best reading is kept: complete, then partial, then the rest, the earlier of equals. ``stop`` is the status
    of a run that ended without presenting; a partial answer of an earlier reading outlives a fault of a later
    one, which it then lists among its failures, but not a cancellation. A ``bare`` answer tells only what failed
    last, in a few lines, whatever else there is.
    """
    if bare:
        own = _own_answer(run, query, AnswerStatus.FAILED)
        kept_of_it = {"reading": None, "disclosures": [], "failures": own["failures"][-1:]}
        return _filled(own | kept_of_it, run, query, stop, usage) | {"readings_tried": []}
    presented = [(a.reading, a.payload) for a in query.annotations if isinstance(a.payload, Presented)]
    kept = min(presented, key=lambda item: (_PREFERENCE.get(item[1].status, _LEAST), item[0]), default=None)
    if kept is None or stop is AnswerStatus.CANCELLED or (stop is not None and not _worth_keeping(kept[1])):
        return _filled(_own_answer(run, query, stop or AnswerStatus.FAILED), run, query, stop, usage)
    reading, best = kept
    base = dict(best.answer)
    if reading > 0:
        base["disclosures"] = [*base.get("disclosures", ()), _dump(_reading_used(query, reading))]
    if stop is not None:
        base["failures"] = [*base.get("failures", ()), *(_dump(f) for f in query.failures())]
    answer = _filled(base, run, query, stop, usage)
    try:
        Answer.model_validate(answer)
    except ValidationError as error:
        reason = f"present wrote an answer that does not keep to its form ({error.error_count()} faults)"
        fault = Failure(stage="present", source=None, slot=None, status=FailureStatus.INTERNAL, reason=reason)
        own = _own_answer(run, query, AnswerStatus.FAILED, also=fault)
        return _filled(own, run, query, AnswerStatus.FAILED, usage)
    return answer


def _worth_keeping(presented: Presented) -> bool:
    return presented.status in {AnswerStatus.COMPLETE, AnswerStatus.PARTIAL}


def _filled(
    answer: dict[str, Any],
    run: RunRecord,
    query: AnnotatedQuery,
    stop: AnswerStatus | None,
    usage: Usage,
) -> dict[str, Any]:
    return answer | {
        "run_id": run.run_id,
        "question": run.question,
        "asked_at": _iso(run.created_at),
        "readings_tried": _readings_tried(query, stop),
        "usage": _dump(usage),
        "trace": None,
    }


def _own_answer(
    run: RunRecord, query: AnnotatedQuery, status: AnswerStatus, *, also: Failure | None = None
) -> dict[str, Any]:
    """An answer that says only what failed, for a run whose present stage could not write one."""
    failures = [*query.failures(), *([also] if also else [])]
    reason = failures[-1].reason if failures else "no stage gave a reason"
    understood = query.understood()
    known = understood is not None and 0 <= query.reading < len(understood.readings)
    answer = Answer(
        run_id=run.run_id,
        question=run.question,
        asked_at=run.created_at,
        status=status,
        reading=query.current_reading() if known else None,
        text=_TEXTS.get(status, _TEXTS[AnswerStatus.UNANSWERED]).format(reason=reason.rstrip(". ")),
        disclosures=tuple(query.disclosures()),
        failures=tuple(failures),
        usage=_NO_USAGE,
    )
    return answer.model_dump(mode="json")


def _readings_tried(query: AnnotatedQuery, stop: AnswerStatus | None) -> list[dict[str, Any]]:
    """Every reading that was worked on, in order, how it ended and why."""
    understood = query.understood()
    if understood is None:
        return []
    ended = {a.reading: a.payload for a in query.annotations if isinstance(a.payload, Presented)}
    tried: list[dict[str, Any]] = []
    for index, reading in enumerate(understood.readings[: query.reading + 1]):
        presented = ended.get(index)
        if presented is not None:
            status, why = presented.status, presented.why or _why(query, index, presented.status)
        else:
            status = stop or AnswerStatus.FAILED
            why = _why(query, index, status)
        tried.append({"reading": _dump(reading), "status": str(status), "why": why})
    return tried


def _why(query: AnnotatedQuery, reading: int, status: str) -> str:
    if status == AnswerStatus.COMPLETE:
        return "every slot was answered"
    reasons = [
        a.payload.failure.reason
        for a in query.annotations
        if a.reading == reading and isinstance(a.payload, Failed)
    ]
    return reasons[-1] if reasons else str(status).replace("_", " ")


def _reading_used(query: AnnotatedQuery, reading: int) -> Disclosure:
    understood = query.understood()
    assert understood is not None  # noqa: S101 - a reading was presented
    first, used = understood.readings[0].type, understood.readings[reading].type
    read_as = "" if used == first else f": as “{used.replace('_', ' ')}” instead of “{first.replace('_', ' ')}”"
    return Disclosure(
        kind=DisclosureKind.READING,
        text=f"the first way to read the question gave less, so it was read in another way{read_as}",
    )


def _dump(model: Any) -> dict[str, Any]:
    dumped: dict[str, Any] = model.model_dump(mode="json")
    return dumped


def _iso(at: datetime) -> str:
    return at.isoformat().replace("+00:00", "Z")
