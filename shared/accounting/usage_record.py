"""What one run used, kept in the archive for the reports after the run itself has expired from the store."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from functools import cached_property
from typing import Any, Literal, Self

from pydantic import TypeAdapter, model_validator
from pydantic_core import from_json, to_json

from shared.query.answer import Answer, AnswerStatus, Usage
from shared.query.identifiers import RunId
from shared.query.quantity import Exact, Frozen
from shared.runtime.records import RunRecord, StepRecord

FOLDER = "usage"
_MOMENT = TypeAdapter(datetime)


class Kept(Frozen):
    """What a run left in the database and in the archive; from it follow its reads and writes, see ``footprint``.

    ``found`` are the annotations that there were before each step.
    """

    annotations: int
    events: int
    found: tuple[int, ...]
    trace_bytes: int
    answer_bytes: int


class FinderSpent(Frozen):
    """What the finder itself spent on a run, see ``finder_usage``."""

    searches: int = 0
    seconds: float = 0.0
    model_calls: int = 0
    tokens: int = 0
    usd: Exact = Decimal(0)


class UsageRecord(Frozen):
    """One run's usage. It holds no question and no answer.

    ``attempts`` is how often each step was tried, by ``reading.stage``: tries that failed were paid for too.
    ``question_type`` is the type of the reading that was answered, ``None`` for a question that was not read.
    """

    schema_version: Literal[1] = 1
    run_id: RunId
    asked_at: datetime
    status: AnswerStatus
    usage: Usage
    attempts: dict[str, int] = {}
    question_type: str | None = None
    kept: Kept | None = None

    @cached_property
    def finder(self) -> FinderSpent:
        """What the finder spent; nothing when it was not asked."""
        return FinderSpent.model_validate(self.usage.finder)

    @model_validator(mode="after")
    def _readable(self) -> Self:
        """Reports rest on the finder's part too, and reckon with moments of one kind."""
        FinderSpent.model_validate(self.usage.finder)
        moments = [self.asked_at, *(stage.began_at for stage in self.usage.stages if stage.began_at)]
        if any(moment.tzinfo is None for moment in moments):
            raise ValueError("a time has no time zone")
        return self


def usage_name(run: RunRecord) -> str:
    """The archive's name for a run's usage, under the day (UTC) of its question."""
    return f"{day_folder(run.created_at)}{run.run_id}.json"


def day_folder(day: date) -> str:
    """What the names of all records of a day (UTC) begin with."""
    moment = day.astimezone(UTC) if isinstance(day, datetime) else day
    return f"{FOLDER}/{moment:%Y/%m/%d}/"


def usage_record(
    run: RunRecord, answer: Answer, steps: Iterable[StepRecord], *, kept: Kept | None = None
) -> UsageRecord:
    """The record of a run that has ended."""
    return UsageRecord(
        run_id=run.run_id,
        asked_at=run.created_at,
        status=answer.status,
        usage=answer.usage,
        attempts={record.step.id: record.attempts for record in steps},
        question_type=answer.reading.type if answer.reading else None,
        kept=kept,
    )


def kept_of(trace: bytes, answer: bytes) -> Kept:
    """What a run left, read off its archived trace and answer. Raises ``ValueError`` for what is no trace."""
    return _kept(_document(trace), len(trace), len(answer))


def record_of_trace(trace: bytes, *, answer_bytes: int | None = None) -> UsageRecord:
    """The same record made from a run's trace alone; raises ``ValueError`` for what is no trace.

    The trace repeats the answer, so its size is that of the answer's part where ``answer_bytes`` is not known.
    """
    document = _document(trace)
    try:
        run, answer, steps = document["run"], document["answer"], document["steps"]
        kept = _kept(document, len(trace), answer_bytes if answer_bytes is not None else len(to_json(answer)))
        return UsageRecord(
            run_id=run["run_id"],
            asked_at=_MOMENT.validate_python(run["created_at"]),
            status=answer["status"],
            usage=Usage.model_validate(answer["usage"]),
            attempts={f"{step['usage']['reading']}.{step['usage']['stage']}": step["attempts"] for step in steps},
            question_type=(answer.get("reading") or {}).get("type"),
            kept=kept,
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"it is not a run's trace: {type(error).__name__} {error}") from error


def _document(trace: bytes) -> dict[str, Any]:
    document = from_json(trace)
    if not isinstance(document, dict):
        raise ValueError("it is not a run's trace")
    return document


def _kept(document: dict[str, Any], trace_bytes: int, answer_bytes: int) -> Kept:
    try:
        annotations: Sequence[dict[str, Any]] = document["annotations"]
        order = {(step["usage"]["reading"], step["usage"]["stage"]): n for n, step in enumerate(document["steps"])}
        written = [0] * len(order)
        for annotation in annotations:
            place = order.get((annotation["reading"], annotation["stage"]))
            if place is not None:
                written[place] += 1
        return Kept(
            annotations=len(annotations),
            events=len(document["events"]),
            found=tuple(sum(written[:n]) for n in range(len(written))),
            trace_bytes=trace_bytes,
            answer_bytes=answer_bytes,
        )
    except (KeyError, TypeError) as error:
        raise ValueError(f"it is not a run's trace: {type(error).__name__} {error}") from error
