"""What a run has left in the store so far, for its trace."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from shared.query.annotated import Annotation, ProgressEvent
from shared.query.answer import ModelUsage, StageUsage
from shared.query.identifiers import RunId
from shared.runtime.ports import RunStore


class Spent(NamedTuple):
    """What one committed step used, and at which attempt it was committed."""

    usage: StageUsage
    models: tuple[ModelUsage, ...]
    attempts: int


@dataclass(slots=True)
class History:
    """A run's committed steps, its annotations as they are stored, and its events, each in order.

    A worker that has done every step of a run at the first attempt has it at hand; any other reads it.
    """

    steps: list[Spent] = field(default_factory=list)
    annotations: list[Annotation] = field(default_factory=list)
    events: list[ProgressEvent] = field(default_factory=list)

    def add(self, step: Spent, annotations: Iterable[Annotation], events: Iterable[ProgressEvent]) -> None:
        """Add what a step has committed."""
        self.steps.append(step)
        self.annotations += annotations
        self.events += events


async def read_history(store: RunStore, run_id: RunId) -> History:
    """Read it from the store."""
    return History(
        steps=[
            Spent(record.usage, record.models, record.attempts)
            for record in await store.steps(run_id)
            if record.usage is not None
        ],
        annotations=await store.annotations(run_id),
        events=[event for _, event in await store.events(run_id)],
    )
