"""The adapters that the run store's suite runs over. A further one is one more entry of ``ADAPTERS``.

Each entry opens stores over a place: two stores opened over one place see the same runs, as two processes do. What
it needs besides, as an emulator, it asks for by the fixture's name, so that nothing is started for the others.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from pathlib import Path

import pytest

from shared.adapters.firestore_store import FirestoreStore
from shared.adapters.sqlite_store import SqliteStore
from shared.runtime.ports import RunStore

Open = Callable[[Path, Callable[[], datetime]], RunStore]


class Clock:
    """A clock that only moves when told to."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 1, 12, 0, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        return self.now

    def forward(self, seconds: float) -> None:
        self.now += timedelta(seconds=seconds)


def sqlite(request: pytest.FixtureRequest) -> Open:
    return lambda place, clock: SqliteStore(place / "runs.sqlite3", clock=clock)


def firestore(request: pytest.FixtureRequest) -> Open:
    """A place is a project of the emulator."""
    emulator = request.getfixturevalue("firestore_emulator")

    def opened(place: Path, clock: Callable[[], datetime]) -> RunStore:
        project = f"place-{sha256(str(place).encode()).hexdigest()[:16]}"
        # An emulator that has just begun takes its time for the first call.
        return FirestoreStore(
            project=project, clock=clock, emulator=emulator.address, patience=30.0, call_seconds=20.0
        )

    return opened


ADAPTERS: dict[str, Callable[[pytest.FixtureRequest], Open]] = {"firestore": firestore, "sqlite": sqlite}
