"""News of runs within one process, so that a client need not ask the store to learn what a worker beside it did.

Signals only hasten: a client that hears none still finds everything in the store.
"""

from __future__ import annotations

import asyncio
import logging
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from shared.query.annotated import ProgressEvent
from shared.query.identifiers import RunId
from shared.runtime.errors import NeuralKGError

log = logging.getLogger(__name__)

Listener = Callable[[ProgressEvent], None]


@dataclass(slots=True, eq=False)
class Ear:
    """One client's interest in a run. ``news`` is set when a step was committed or the run ended."""

    on_event: Listener | None = None
    news: asyncio.Event = field(default_factory=asyncio.Event)
    ended: asyncio.Event = field(default_factory=asyncio.Event)
    trouble: NeuralKGError | None = None
    """Why the run's end cannot be written down anywhere, when that is so."""


class Signals:
    """Who listens to which run, and how to stop the stage that works on it now."""

    def __init__(self) -> None:
        self._ears: defaultdict[RunId, set[Ear]] = defaultdict(set)
        self._stops: dict[RunId, Callable[[], None]] = {}

    @contextmanager
    def listening(self, run_id: RunId, on_event: Listener | None = None) -> Iterator[Ear]:
        """Listen to a run for as long as the block lasts."""
        ear = Ear(on_event)
        self._ears[run_id].add(ear)
        try:
            yield ear
        finally:
            self._ears[run_id].discard(ear)
            if not self._ears[run_id]:
                del self._ears[run_id]

    @contextmanager
    def stoppable(self, run_id: RunId, stop: Callable[[], None]) -> Iterator[None]:
        """Let ``stop`` be called when the run's cancellation is asked for in this process."""
        self._stops[run_id] = stop
        try:
            yield
        finally:
            self._stops.pop(run_id, None)

    def said(self, run_id: RunId, event: ProgressEvent) -> None:
        """Pass on a line of progress at once. A listener's own fault is logged and harms nobody else."""
        for ear in tuple(self._ears.get(run_id, ())):
            if ear.on_event is not None:
                try:
                    ear.on_event(event)
                except Exception:
                    log.exception("a listener of run %s failed", run_id)

    def moved(self, run_id: RunId, *, ended: bool) -> None:
        """Tell that a step was committed, and whether the run ended with it."""
        for ear in self._ears.get(run_id, ()):
            ear.news.set()
            if ended:
                ear.ended.set()

    def broken(self, run_id: RunId, trouble: NeuralKGError) -> None:
        """Tell that the run's end could not be stored, so that a client does not wait for it."""
        for ear in self._ears.get(run_id, ()):
            ear.trouble = trouble
            ear.news.set()
            ear.ended.set()

    def stop(self, run_id: RunId) -> None:
        """Stop the stage that works on the run in this process, if one does."""
        stop = self._stops.get(run_id)
        if stop is not None:
            stop()
