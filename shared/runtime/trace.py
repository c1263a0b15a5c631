"""The trace of a run: everything about it in one file of the archive."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic_core import to_json

from shared.runtime.history import History
from shared.runtime.records import RunRecord


def trace_document(run: RunRecord, history: History, answer: Mapping[str, Any]) -> bytes:
    """The trace as JSON. Payloads that were archived apart are named, not repeated.

    ``run`` is told without its answer, which stands by itself, beside it.
    """
    document: bytes = to_json(
        {
            "run": run.model_dump(mode="json", exclude={"answer", "answer_blob"}),
            "steps": [spent._asdict() for spent in history.steps],
            "events": history.events,
            "annotations": history.annotations,
            "answer": answer,
        }
    )
    return document
