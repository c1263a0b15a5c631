"""The trace of a run: everything about it in one file of the archive."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from pydantic_core import to_json

from shared.query.annotated import Annotation, ProgressEvent
from shared.runtime.records import RunRecord


def trace_document(
    run: RunRecord,
    *,
    steps: Iterable[Mapping[str, object]],
    events: Iterable[ProgressEvent],
    annotations: Iterable[Annotation],
    answer: Mapping[str, Any],
) -> bytes:
    """The trace as JSON. ``steps`` tell each its ``usage``, ``models`` and ``attempts``.

    Payloads that were archived apart are named, not repeated. ``run`` is told without its answer, which stands by
    itself, beside it.
    """
    document: bytes = to_json(
        {
            "run": run.model_dump(mode="json", exclude={"answer", "answer_blob"}),
            "steps": list(steps),
            "events": list(events),
            "annotations": list(annotations),
            "answer": answer,
        }
    )
    return document
