"""Short transactions on one SQLite file that several processes use.

Each runs where it is called: measured, a commit costs about 40 µs, and handing it to a thread costs three times as
much. The event loop never waits for a lock, though: a busy file is tried again after a pause that lets other work
go on, and the log is carried into the file by a thread.
"""

from __future__ import annotations

import asyncio
import random
import sqlite3
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from pydantic import ValidationError

from shared.adapters.sqlite_checkpoints import Checkpoints
from shared.adapters.sqlite_file import BUSY_CODES, code_of, explained, open_file
from shared.runtime.errors import StoreCorrupt, StoreUnavailable

T = TypeVar("T")

Work = Callable[[sqlite3.Connection], T]

FIRST_PAUSE, LONGEST_PAUSE = 0.0005, 0.05
"""Seconds between two tries while another process holds the file: doubled each time, and spread."""


class Transactions:
    """An open file. ``patience`` is how many seconds one that is held by another process is waited for."""

    def __init__(self, path: Path, *, patience: float) -> None:
        self.path = path
        self._patience = patience
        self._lock = threading.Lock()
        self._connection: sqlite3.Connection | None = open_file(path, patience=patience)
        self._checkpoints = Checkpoints(path)

    async def write(self, work: Work[T]) -> T:
        """Run ``work`` in one writing transaction, whole or not at all. Raises ``StoreError`` kinds."""

        def transaction(db: sqlite3.Connection) -> T:
            db.execute("BEGIN IMMEDIATE")
            try:
                result = work(db)
                db.execute("COMMIT")
            except BaseException:
                # A full disk may have rolled the transaction back already.
                if db.in_transaction:
                    db.execute("ROLLBACK")
                raise
            self._checkpoints.committed()
            return result

        return await self.read(transaction)

    async def read(self, work: Work[T]) -> T:
        """Run ``work``, and again after a pause while another process holds the file. Raises as ``write`` does."""
        try:
            return self._tried(work)
        except sqlite3.Error as error:
            if code_of(error) not in BUSY_CODES:
                raise explained(error, self.path) from error
        return await self._patiently(work)

    async def _patiently(self, work: Work[T]) -> T:
        until = time.monotonic() + self._patience
        pause = FIRST_PAUSE
        while True:
            await asyncio.sleep(pause * random.uniform(0.5, 1.5))  # noqa: S311 - spreads waiters, no secret
            pause = min(pause * 2, LONGEST_PAUSE)
            try:
                return self._tried(work)
            except sqlite3.Error as error:
                if code_of(error) not in BUSY_CODES or time.monotonic() >= until:
                    raise explained(error, self.path) from error

    def _tried(self, work: Work[T]) -> T:
        try:
            with self._lock:
                if self._connection is None:
                    raise StoreUnavailable(f"the run store {self.path} is closed")
                return work(self._connection)
        except ValidationError as error:
            raise StoreCorrupt(
                f"the run store {self.path} holds a row that cannot be read ({error.title})"
            ) from error

    def close(self) -> None:
        """Close the file; what comes after raises ``StoreUnavailable``."""
        self._checkpoints.close()
        with self._lock:
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()
