"""What the command line and the HTTP face need of the program behind them, however it is wired."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from plugins.base import Registry
    from shared.query.annotated import AskOptions, ProgressEvent
    from shared.query.answer import Answer
    from shared.query.identifiers import RunId
    from shared.runtime.ports import Archive, Finder, RunStore


class Application(Protocol):
    """Ports and the runner, opened once and shared by all questions of a process."""

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

    async def submit(self, question: str, options: AskOptions) -> RunId:
        """Create a run and start it; returns when it is in the store."""

    def watch(self, run_id: RunId, *, after: int = 0) -> AsyncIterator[tuple[int, ProgressEvent]]:
        """The run's numbered events above ``after``, ending when the run has ended and all were given.

        Raises ``RunNotFound``.
        """

    async def answer(self, run_id: RunId) -> Answer:
        """The answer of a run, waited for; one that was cancelled has an answer that says so."""

    async def cancel(self, run_id: RunId) -> None:
        """Flag the run and stop its work; returns when it has stopped. A run that has ended stays as it is."""
