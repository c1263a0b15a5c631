"""Loads a run's annotations for a step; those that this worker knows already are not read again."""

from __future__ import annotations

from collections import OrderedDict

from shared.query.annotated import AnnotatedQuery, Annotation
from shared.query.identifiers import RunId
from shared.runtime.ports import Archive, RunStore
from shared.runtime.records import RunRecord, StepRef
from shared.runtime.spill import unspill

REMEMBERED = 64
"""Runs whose annotations a worker keeps at hand between their stages."""


class Loading:
    """Annotations of the runs that were worked on last, by the store and the archive where they are not known."""

    def __init__(self, store: RunStore, archive: Archive) -> None:
        self._store, self._archive = store, archive
        self._known: OrderedDict[RunId, list[Annotation]] = OrderedDict()

    async def query(self, run: RunRecord, step: StepRef, count: int) -> AnnotatedQuery:
        """What a step works on: the run's question with its ``count`` annotations."""
        # What is stored is only ever appended to, so what is known is a beginning of it.
        known = self._known.get(run.run_id, [])[:count]
        if len(known) < count:
            new = await self._store.annotations(run.run_id, after=len(known))
            known = [*known, *await unspill(self._archive, new)]
        return query_of(run, step, known)

    def remember(self, run_id: RunId, annotations: list[Annotation]) -> None:
        """Keep a run's annotations at hand for its next stage."""
        self._known[run_id] = annotations
        self._known.move_to_end(run_id)
        if len(self._known) > REMEMBERED:
            self._known.popitem(last=False)

    def forget(self, run_id: RunId) -> None:
        """Forget a run that has ended, or of which it is not certain what is stored."""
        self._known.pop(run_id, None)


def query_of(run: RunRecord, step: StepRef, annotations: list[Annotation]) -> AnnotatedQuery:
    """The annotated query as a step sees it."""
    return AnnotatedQuery(
        run_id=run.run_id,
        question=run.question,
        asked_at=run.created_at,
        options=run.options,
        reading=step.reading,
        annotations=annotations,
    )
