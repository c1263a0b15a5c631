"""The answer: one object, the same from the command line, HTTP, the stream, MCP and the archived trace.

``docs/answer.schema.json`` is generated from ``Answer`` by ``python -m shared.query.answer``.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from typing import Any, Literal

from shared.query.evidence import Claim, Computation, Disclosure, Failure, Receipt
from shared.query.identifiers import RunId
from shared.query.published import Component
from shared.query.quantity import Exact, Frozen, Printed
from shared.query.readings import Reading
from shared.query.shared_receipts import SharedReceipt


class AnswerStatus(StrEnum):
    """How a run ended."""

    COMPLETE = "complete"
    PARTIAL = "partial"
    UNANSWERED = "unanswered"
    NEEDS_CLARIFICATION = "needs_clarification"
    REFUSED = "refused"
    FAILED = "failed"
    CANCELLED = "cancelled"


EXIT_CODES: dict[AnswerStatus, int] = {
    AnswerStatus.COMPLETE: 0,
    AnswerStatus.PARTIAL: 0,
    AnswerStatus.UNANSWERED: 3,
    AnswerStatus.REFUSED: 3,
    AnswerStatus.NEEDS_CLARIFICATION: 4,
    AnswerStatus.FAILED: 1,
    AnswerStatus.CANCELLED: 1,
}


class ReadingTried(Frozen):
    """A reading that was worked on and how it ended."""

    reading: Reading
    status: AnswerStatus
    why: str


class Chart(Frozen):
    """A chart. ``related`` charts illustrate rather than answer.

    Of kind ``vega-lite`` it is a specification with its data inline, to be drawn by whoever shows the answer. Of
    kind ``published`` it is drawn by the publisher from its live figures: ``component`` has its element and the
    link to its page, and ``spec`` is empty. ``evidence`` are the receipts and computations of what it shows.
    """

    id: str
    title: str
    description: str = ""
    kind: Literal["vega-lite", "published"] = "vega-lite"
    spec: dict[str, Any] = {}
    component: Component | None = None
    evidence: tuple[str, ...] = ()
    related: bool = False


class Table(Frozen):
    """The answer as a table; cells are printed values, missing ones ``None``."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str | None, ...], ...]


class Alternative(Frozen):
    """Another published meaning of the question, with its value and what to send back to choose it."""

    id: str
    label: str
    value: Printed | None
    unit: str | None
    period: str | None
    entity: str | None = None
    assumptions: dict[str, str]


class Clarification(Frozen):
    """What the caller must settle, with the values in the options."""

    question: str
    options: tuple[Alternative, ...]


class Refusal(Frozen):
    """Why the question cannot be answered with the access paths that exist, and what it would take."""

    verdict: Literal["infeasible", "not_covered", "blocked", "unreadable", "out_of_scope"]
    reason: str
    needs: str | None = None


class StageUsage(Frozen):
    """What one stage of one reading used.

    ``began_at`` is when its worker began it; ``cpu_seconds`` is the processor's time of the worker's process
    meanwhile, other steps of the same process included; ``cold`` marks the first step that a worker did.
    """

    stage: str
    reading: int
    seconds: float
    began_at: datetime | None = None
    cpu_seconds: float | None = None
    cold: bool = False
    model_calls: int = 0
    tokens: int = 0
    usd: Exact
    requests: int = 0
    bytes_received: int = 0


class ModelUsage(Frozen):
    """What one model used, by task. The built-in judge and the embedding model cost nothing and are listed too."""

    model: str
    task: str
    calls: int
    tokens: int
    usd: Exact
    seconds: float


class Usage(Frozen):
    """What a run used in all."""

    seconds: float
    model_calls: int
    tokens: int
    usd: Exact
    stages: tuple[StageUsage, ...] = ()
    models: tuple[ModelUsage, ...] = ()
    finder: dict[str, Any] = {}
    cloud: dict[str, Any] = {}


class Answer(Frozen):
    """See section 6 of the architecture."""

    run_id: RunId
    question: str
    asked_at: datetime
    status: AnswerStatus
    reading: Reading | None
    readings_tried: tuple[ReadingTried, ...] = ()
    text: str
    claims: tuple[Claim, ...] = ()
    receipts: tuple[Receipt, ...] = ()
    shared_receipts: tuple[SharedReceipt, ...] = ()
    """For figures too many for a receipt each; one row is cited as ``<id>:<n>``, all of them as ``<id>``."""
    computations: tuple[Computation, ...] = ()
    disclosures: tuple[Disclosure, ...] = ()
    failures: tuple[Failure, ...] = ()
    charts: tuple[Chart, ...] = ()
    table: Table | None = None
    alternatives: tuple[Alternative, ...] = ()
    clarification: Clarification | None = None
    refusal: Refusal | None = None
    usage: Usage
    trace: str | None = None

    def figures(self) -> Iterator[Receipt]:
        """The receipt of every figure, those of shared receipts made of their rows."""
        yield from self.receipts
        for shared in self.shared_receipts:
            yield from map(shared.receipt, range(shared.count))

    def cited(self, evidence: str) -> Receipt | SharedReceipt | Computation | None:
        """What a claim or a computation cites by this id; ``None`` when the answer does not carry it."""
        carried: tuple[Receipt | SharedReceipt | Computation, ...] = (
            *self.receipts,
            *self.computations,
            *self.shared_receipts,
        )
        for one in carried:
            if one.id == evidence:
                return one
        for shared in self.shared_receipts:
            place = shared.place(evidence)
            if place is not None:
                return shared.receipt(place)
        return None

    def to_json(self, *, indent: int | None = 2) -> str:
        """The answer as JSON text; exact decimals are strings of digits."""
        return self.model_dump_json(indent=indent)


def schema() -> str:
    """The JSON Schema of the answer as it is serialised, as text ending in a newline."""
    return json.dumps(Answer.model_json_schema(mode="serialization"), indent=2, sort_keys=True) + "\n"


if __name__ == "__main__":
    sys.stdout.write(schema())
