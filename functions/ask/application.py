"""What the command line and the HTTP face need of the program behind them, however it is wired."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from plugins.base import Registry
    from shared.query.annotated import AskOptions, ProgressEvent
    from shared.query.answer import Answer
    from shared.query.identifiers import RunId
    from shared.runtime.ports import Archive, Finder, RunStore
    from shared.runtime.records import RunRecord


class Application(Protocol):
    """Ports, sources and the asking side, opened once and shared by all questions of a process."""

    @property
    def store(self) -> RunStore:
        """Where runs are kept."""

    @property
    def archive(self) -> Archive:
        """Where traces are kept."""

    @property
    def finder(self) -> Finder:
        """Finds published tables."""

    @property
    def registry(self) -> Registry:
        """The mounted sources."""

    async def ask(
        self,
        question: str,
        options: AskOptions | None = None,
        *,
        on_event: Callable[[ProgressEvent], None] | None = None,
    ) -> Answer:
        """Ask and wait for the answer; a caller that is cancelled takes the run with it."""

    async def submit(self, question: str, options: AskOptions | None = None) -> RunRecord:
        """Create a run and start it; returns when it is in the store."""

    async def wait(self, run_id: RunId) -> Answer:
        """Wait for a run's answer; leaving does not cancel it."""

    async def result(self, run_id: RunId) -> tuple[RunRecord, Answer | None]:
        """A run and its answer, ``None`` while it goes on. Raises ``RunNotFound``."""

    def watch(self, run_id: RunId, *, after: int = 0) -> AsyncIterator[tuple[int, ProgressEvent]]:
        """The run's numbered events above ``after``, ending when the run has ended and all were given."""

    async def cancel(self, run_id: RunId) -> RunRecord:
        """Ask a run to stop; one that has ended stays as it is."""
