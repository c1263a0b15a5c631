"""What one run used, kept in the archive for the reports after the run itself has expired from the store."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Literal

from shared.query.answer import Answer, AnswerStatus, Usage
from shared.query.identifiers import RunId
from shared.query.quantity import Frozen
from shared.runtime.records import RunRecord, StepRecord

FOLDER = "usage"


class UsageRecord(Frozen):
    """One run's usage. It holds no question and no answer.

    ``attempts`` is how often each step was tried, by ``reading.stage``: tries that failed were paid for too.
    """

    schema_version: Literal[1] = 1
    run_id: RunId
    asked_at: datetime
    status: AnswerStatus
    usage: Usage
    attempts: dict[str, int] = {}


def usage_name(run: RunRecord) -> str:
    """The archive's name for a run's usage, under the day (UTC) of its question."""
    return f"{day_folder(run.created_at)}{run.run_id}.json"


def day_folder(day: datetime) -> str:
    """What the names of all records of a day (UTC) begin with."""
    return f"{FOLDER}/{day.astimezone(UTC):%Y/%m/%d}/"


def usage_record(run: RunRecord, answer: Answer, steps: Iterable[StepRecord]) -> UsageRecord:
    """The record of a run that has ended."""
    return UsageRecord(
        run_id=run.run_id,
        asked_at=run.created_at,
        status=answer.status,
        usage=answer.usage,
        attempts={record.step.id: record.attempts for record in steps},
    )
