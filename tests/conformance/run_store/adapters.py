"""The adapters that the run store's suite runs over. A further one is one more entry of ``ADAPTERS``.

Each entry opens a store over a place: two stores opened over one place see the same runs, as two processes do.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from shared.adapters.sqlite_store import SqliteStore
from shared.runtime.ports import RunStore


class Clock:
    """A clock that only moves when told to."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def forward(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


def sqlite(place: Path, clock: Callable[[], datetime]) -> RunStore:
    return SqliteStore(place / "runs.sqlite3", clock=clock)


ADAPTERS: dict[str, Callable[[Path, Callable[[], datetime]], RunStore]] = {"sqlite": sqlite}
