"""Carries the log of a SQLite file into the file while commits go on.

A checkpoint waits for the disk twice, up to a tenth of a second and more. Made by a commit, as SQLite does it by
itself, the event loop would stand still for so long; here a thread with a connection of its own makes it.
"""

from __future__ import annotations

import logging
import sqlite3
import threading
from pathlib import Path

log = logging.getLogger(__name__)

EVERY = 500
"""Commits between two checkpoints: some 3,500 pages of 4 KiB."""


class Checkpoints:
    """The checkpoints of one file. Used from one thread; ``committed`` costs next to nothing."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._commits = 0
        self._thread: threading.Thread | None = None

    def committed(self) -> None:
        """Count a commit, and begin a checkpoint when it is time for one and none is being made."""
        self._commits += 1
        if self._commits >= EVERY and (self._thread is None or not self._thread.is_alive()):
            self._commits = 0
            self._thread = threading.Thread(target=self._checkpoint, name="checkpoint", daemon=True)
            self._thread.start()

    def close(self) -> None:
        """Wait for a checkpoint that is being made."""
        if self._thread is not None:
            self._thread.join()

    def _checkpoint(self) -> None:
        """Carry over what no reader needs any more; commits go on meanwhile, and what is left waits."""
        try:
            connection = sqlite3.connect(self._path, timeout=0.0, isolation_level=None)
            try:
                connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
            finally:
                connection.close()
        except sqlite3.Error as error:
            # Nothing is lost: the log is read as the file is, and the next checkpoint carries it over.
            log.warning("the log of %s could not be carried into the file: %s", self._path, error)
