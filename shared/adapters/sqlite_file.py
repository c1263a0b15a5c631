"""Opens the run store's SQLite file: its schema, the check that it is ours, and its errors in plain words.

The file is in WAL mode with ``synchronous=NORMAL``: a transaction that was committed survives the death of any
process at any instant, and only a power cut may lose the last ones. That loses nothing that matters here, since a
lost step is done again, and it spares an fsync a stage.
"""

from __future__ import annotations

import random
import sqlite3
import time
from pathlib import Path

from shared.runtime.errors import StoreCorrupt, StoreError, StoreUnavailable, TooLarge

APPLICATION_ID = 0x4E4B4752
"""``NKGR`` in the file's header: marks the file as a store of runs."""

SCHEMA_VERSION = 3

CHECKPOINT_PAGES = 16_000
"""Pages of 4 KiB after which a commit carries the log into the file by itself: if checkpoints do not keep up."""

# Each page that a commit changes costs it as much as all its statements, so what one commit adds to a run is one
# row of ``log``, whose key puts the rows of a run side by side, and there are few indexes: what is stalled is
# looked for among the steps of the few runs that are running.
SCHEMA = """
CREATE TABLE runs (
    id INTEGER PRIMARY KEY,
    run_id TEXT NOT NULL UNIQUE,
    question TEXT NOT NULL,
    options TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    deadline_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    status TEXT NOT NULL,
    cursor_reading INTEGER NOT NULL,
    cursor_stage TEXT NOT NULL,
    budget TEXT NOT NULL,
    cancel_requested INTEGER NOT NULL,
    answer TEXT,
    answer_blob TEXT,
    schema_version INTEGER NOT NULL,
    annotation_count INTEGER NOT NULL DEFAULT 0,
    event_count INTEGER NOT NULL DEFAULT 0,
    step_count INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX runs_by_age ON runs (created_at);
CREATE INDEX runs_by_expiry ON runs (expires_at);
CREATE INDEX runs_running ON runs (run_id) WHERE status = 'running';

CREATE TABLE steps (
    run_id TEXT NOT NULL REFERENCES runs (run_id) ON DELETE CASCADE,
    step_id TEXT NOT NULL,
    n INTEGER NOT NULL,
    ref TEXT NOT NULL,
    next_id TEXT,
    state TEXT NOT NULL,
    owner TEXT,
    token TEXT,
    lease_until INTEGER,
    attempts INTEGER NOT NULL DEFAULT 0,
    last_error TEXT,
    usage TEXT,
    models TEXT,
    annotation_count INTEGER,
    changed_at INTEGER NOT NULL,
    PRIMARY KEY (run_id, step_id)
) WITHOUT ROWID;

CREATE TABLE log (
    id INTEGER PRIMARY KEY,
    annotation_count INTEGER NOT NULL,
    annotations TEXT,
    event_count INTEGER NOT NULL,
    events TEXT
);
CREATE TRIGGER log_of_a_deleted_run AFTER DELETE ON runs
BEGIN DELETE FROM log WHERE id > old.id << 32 AND id < (old.id + 1) << 32; END;
"""

PRIMARY_CODE = 0xFF
"""SQLite's extended result codes carry the primary code in their low byte."""

BUSY_CODES = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})

_DAMAGED = frozenset({sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_FORMAT})

_UNAVAILABLE: dict[int, str] = {
    sqlite3.SQLITE_BUSY: "is held by another process",
    sqlite3.SQLITE_LOCKED: "is held by another process",
    sqlite3.SQLITE_READONLY: "cannot be written: the file or its folder is read only",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened: the folder is missing, is read only, or may not be entered",
    sqlite3.SQLITE_PERM: "cannot be opened: access is not permitted",
    sqlite3.SQLITE_FULL: "cannot be written: the disk is full",
    sqlite3.SQLITE_IOERR: "cannot be read or written: the disk reports an error or is full",
}


def code_of(error: sqlite3.Error) -> int:
    """The primary result code of an error; 0 when SQLite gave none."""
    code: int = getattr(error, "sqlite_errorcode", 0) or 0
    return code & PRIMARY_CODE


def explained(error: sqlite3.Error, path: Path) -> StoreError:
    """The designed error for one of SQLite's, naming the file."""
    code = code_of(error)
    if code in _DAMAGED:
        return StoreCorrupt(f"the run store {path} is damaged or is not a database ({error})")
    if code == sqlite3.SQLITE_TOOBIG:
        return TooLarge(f"the run store {path} takes no value as large as this one; keep it in the archive")
    told = _UNAVAILABLE.get(code, f"failed ({error})")
    return StoreUnavailable(f"the run store {path} {told}")


def open_file(path: Path, *, patience: float) -> sqlite3.Connection:
    """Open the store's file, and create it when it is not there.

    Waits up to ``patience`` seconds for another process that is creating it. Raises ``StoreUnavailable`` or
    ``StoreCorrupt``; a file that is not ours is left as it was.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise StoreUnavailable(f"the folder of the run store {path} cannot be made: {error.strerror}") from error
    until = time.monotonic() + patience
    while True:
        connection: sqlite3.Connection | None = None
        try:
            connection = sqlite3.connect(path, timeout=0.0, isolation_level=None, check_same_thread=False)
            _prepare(connection, path)
        except sqlite3.Error as error:
            if connection is not None:
                connection.close()
            if code_of(error) not in BUSY_CODES or time.monotonic() >= until:
                raise explained(error, path) from error
            time.sleep(random.uniform(0.001, 0.01))  # noqa: S311 - spreads waiters, no secret
        except StoreError:
            if connection is not None:
                connection.close()
            raise
        else:
            return connection


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Check that the file is ours before a byte of it is changed, then bring it to the schema."""
    # One snapshot for all that is read: another process may be creating the schema at this moment.
    connection.execute("BEGIN")
    ours = _is_ours(connection, path)
    connection.execute("ROLLBACK")
    if ours:
        _set_pragmas(connection)
        return
    _set_pragmas(connection)
    connection.execute("BEGIN IMMEDIATE")
    try:
        # Another process may have created the schema between the check and the lock.
        if not _is_ours(connection, path):
            for statement in SCHEMA.split(";\n"):
                connection.execute(statement)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _set_pragmas(connection: sqlite3.Connection) -> None:
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
    connection.execute("PRAGMA foreign_keys = ON")


def _is_ours(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether the file holds our schema; ``False`` for an empty one. Raises ``StoreCorrupt`` for another's."""
    (application,) = connection.execute("PRAGMA application_id").fetchone()
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if application == APPLICATION_ID:
        if version != SCHEMA_VERSION:
            older = "runs are kept for seven days only, so move it away"
            age, do = ("a newer", "upgrade") if version > SCHEMA_VERSION else ("an older", older)
            raise StoreCorrupt(
                f"the run store {path} was written by {age} version (schema {version}, this one reads "
                f"{SCHEMA_VERSION}); {do}, or name another file"
            )
        return True
    if application or tables:
        raise StoreCorrupt(f"{path} is a database of something else, not a store of runs; name another file")
    return False
